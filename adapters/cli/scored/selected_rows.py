"""The rows that `verify-cli select` writes, and what it says where there are few of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from reward_verifiers.adapters.files.candidates import equality
from reward_verifiers.adapters.files.columns import column_of, has_column
from reward_verifiers.rewards.select import (
    Candidate,
    best_of_n,
    preference_pairs,
    rejection_sample,
    star_sample,
    vote,
)
from reward_verifiers.rewards.select.candidates import TINY, Measure, Pairing, Prefer


class Purpose(StrEnum):
    """What is selected."""

    sft = "sft"
    star = "star"
    dpo = "dpo"
    best = "best"
    majority = "majority"


@dataclass(frozen=True)
class Choice:
    """What is chosen of a prompt's completions; see `rewards.select`."""

    purpose: Purpose
    per_prompt: int
    prefer: Prefer
    dedupe: bool
    pairing: Pairing
    margin: float
    seed: int
    by: Measure


class Maker:
    """Makes the rows of one purpose."""

    def __init__(self, choice: Choice, group_field: str) -> None:
        self.choice, self.group_field = choice, group_field
        self._equal: Any = None

    def rows(self, group: list[Candidate], rate: float | None) -> Iterator[dict[str, Any]]:
        """The selected rows of a prompt."""
        prompt = column_of(group[0].row, self.group_field)
        about = {"pass_rate": rate, "signature": group[0].row.get("signature")}
        how = self.choice
        if how.purpose in (Purpose.sft, Purpose.star):
            choose = rejection_sample if how.purpose is Purpose.sft else star_sample
            for each in choose(group, how.per_prompt, how.prefer, how.dedupe, how.seed):
                row = {"prompt": prompt, "completion": _as_told(prompt, each), "reward": each.reward, **about}
                if each.graded:
                    row["outcome"] = each.outcome
                yield {**row, "hinted": each.hinted} if how.purpose is Purpose.star else row
        elif how.purpose is Purpose.dpo:
            for chosen, rejected in preference_pairs(group, how.per_prompt, how.pairing, how.margin, how.by):
                graded = {"margin": (chosen.outcome or 0.0) - (rejected.outcome or 0.0)}
                yield {
                    "prompt": prompt,
                    "chosen": _as_told(prompt, chosen),
                    "rejected": _as_told(prompt, rejected),
                    "chosen_reward": chosen.reward,
                    "rejected_reward": rejected.reward,
                    **(graded if chosen.graded else {}),
                    **about,
                }
        elif how.purpose is Purpose.best:
            best = best_of_n(group, how.by)
            if best is not None:
                yield {**best.row, "of": len(group)}
        else:
            yield self._voted(group)

    def _voted(self, group: list[Candidate]) -> dict[str, Any]:
        own = [each for each in group if not each.hinted]
        self._equal = self._equal or equality(own)
        outcome = vote([each.answer for each in own], self._equal or str.__eq__)
        winner = None if outcome.winner is None else own[outcome.winner]
        about = (self.group_field, "answer", "id")
        first = group[0].row
        row = {name: column_of(first, name) for name in about if has_column(first, name)}
        return {
            **row,
            "majority": outcome.answer,
            "votes": [len(members) for members in outcome.classes],
            "abstained": len(outcome.abstained),
            "tied": outcome.tied,
            "correct": None if winner is None else winner.outcome,
        }


def _as_told(prompt: Any, candidate: Candidate) -> Any:
    """The completion in the prompt's form: chat messages where the prompt is chat messages."""
    if isinstance(prompt, list) and isinstance(candidate.completion, str):
        return [{"role": "assistant", "content": candidate.completion}]
    return candidate.completion


class Tally:
    """What became of the prompts of a file.

    Args:
        purpose: What was selected.
        margin: The least difference of a pair.
        max_pass_rate: Prompts that pass more often are left out.
    """

    FEW = 0.1
    """The share of prompts below which something is probably wrong."""

    def __init__(self, purpose: Purpose, margin: float, max_pass_rate: float) -> None:
        self.purpose, self.margin, self.max_pass_rate = purpose, margin, max_pass_rate
        self.prompts = self.kept = self.rows = self.single = 0
        self.unjudged = self.none_right = self.all_right = self.alike = 0
        self.unaccepted = self.too_easy = self.near = 0
        self.best: float | None = None

    def admits(self, rate: float | None) -> bool:
        """Whether a prompt is hard enough."""
        return rate is None or rate <= self.max_pass_rate

    def add(self, group: list[Candidate], rate: float | None, made: int) -> None:
        """Count a prompt, and why nothing was made of it."""
        self.prompts += 1
        self.kept += bool(made)
        self.rows += made
        own = [each for each in group if not each.hinted]
        outcomes = [each.outcome for each in own if each.outcome is not None]
        if outcomes:
            self.best = max(outcomes) if self.best is None else max(self.best, *outcomes)
        if not made:
            self._note(own, outcomes, self.admits(rate))

    def _note(self, own: list[Candidate], outcomes: list[float], admitted: bool) -> None:
        """The first cause that explains it."""
        good = [each for each in own if (each.graded and each.outcome) or each.passed]
        if not outcomes:
            self.unjudged += 1
        elif not admitted:
            self.too_easy += 1
        elif not good:
            self.none_right += 1
        elif not any(each.accepted for each in good):
            self.unaccepted += 1
        elif len(own) < 2:
            self.single += 1
        elif max(outcomes) - min(outcomes) <= TINY:
            self.alike += 1
        elif all(each.passed for each in own if each.outcome is not None) and not good[0].graded:
            self.all_right += 1
        else:
            self.near += 1

    def counts(self) -> str:
        """How many rows of how many prompts."""
        return f"{self.rows:,} rows from {self.kept:,} of {self.prompts:,} prompts"

    def why_so_few(self) -> str:
        """What is said where nothing, or little, is kept; "" otherwise."""
        if self.kept and self.kept >= self.FEW * self.prompts:
            return ""
        best = "" if self.best is None else f"; the highest outcome of all is {self.best:g}"
        causes = [
            (self.none_right, f"no completion is right{best} (see --pass-at and --outcome)"),
            (self.alike, "all completions have the same outcome, so none is better than another"),
            (self.all_right, "all completions are right"),
            (self.single, "there is one completion only: sample several of each prompt, or see --sort"),
            (self.near, f"no two differ by as much as --margin {self.margin:g}"),
            (self.unaccepted, "what is right does not pass --require"),
            (self.too_easy, f"the model passes more often than --max-pass-rate {self.max_pass_rate:g}"),
            (self.unjudged, "nothing could be judged (verify-cli show FILE --status unscored says why)"),
        ]
        said = [f"{count:,}: {why}" for count, why in sorted(causes, key=lambda pair: -pair[0]) if count]
        kept = (
            f"{self.kept:,} of {self.prompts:,} prompts" if self.kept else f"none of {self.prompts:,} prompts"
        )
        return f"select kept {kept}; of the others\n  " + "\n  ".join(said)
