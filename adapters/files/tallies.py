"""Counts for a summary: rows, scores and reasons, of each verifier and of the reward as a whole."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reward_verifiers.rewards.select import Interval
from reward_verifiers.rewards.select.prompt_figures import PromptSums, interval_of
from reward_verifiers.verifiers import Status
from reward_verifiers.verifiers.text.tag_format import UNOPENED

MAX_REASONS = 1000
"""Different reasons that a summary counts apart: a plug-in must not make memory grow with the file."""


@dataclass
class Tally:
    """Counts of one verifier, or of the reward as a whole."""

    rows: int = 0
    scored: int = 0
    passed: int = 0
    faults: int = 0
    total: float = 0.0
    reasons: Counter[str] = field(default_factory=Counter)
    judged: bool = True
    """Whether verdicts are counted, of which some pass, or payments."""
    fault: str = ""
    """What the first fault says."""
    why: str = ""
    """What the first verdict says that is unscored."""
    unopened: int = 0
    tag: str = ""
    """Completions that close a block and do not open it, and what the first verdict says of it."""
    low: float = field(default=0.0, compare=False)
    high: float = field(default=1.0, compare=False)
    """Ends of the values, at least 0 to 1."""
    alone: tuple[int, float, float] = field(default=(0, 0.0, 0.0), compare=False)
    """Of rows that are a prompt each: how many, their values added up, and the squares of these."""
    prompts: PromptSums = field(default_factory=PromptSums, compare=False)
    """Of all others, the values and their number by prompt."""

    def add(
        self, status: str, value: float | None, reason: str = "", detail: str = "", prompt: int | None = None
    ) -> None:
        """Count one row; those of one prompt have the same number."""
        self.rows += 1
        if value is not None:
            self.scored += 1
            self.total += value
            self.passed += value >= 1.0
            self.low, self.high = min(self.low, value), max(self.high, value)
            if prompt is None:
                count, total, squares = self.alone
                self.alone = (count + 1, total + value, squares + value * value)
            else:
                self.prompts.add(prompt, (value, 1))
        elif status == Status.FAULT:
            self.faults += 1
            self.fault = self.fault or detail
        else:
            self.why = self.why or detail
        if UNOPENED in detail:
            self.unopened, self.tag = self.unopened + 1, self.tag or detail
        if reason and (reason in self.reasons or len(self.reasons) < MAX_REASONS):
            self.reasons[reason] += 1

    def merge(self, other: Tally) -> None:
        """Count the rows of another tally."""
        self.rows += other.rows
        self.scored += other.scored
        self.passed += other.passed
        self.faults += other.faults
        self.total += other.total
        self.reasons.update(other.reasons)
        self.unopened, self.tag = self.unopened + other.unopened, self.tag or other.tag
        self.fault, self.why = self.fault or other.fault, self.why or other.why
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        (count, total, squares), more = self.alone, other.alone
        self.alone = (count + more[0], total + more[1], squares + more[2])
        self.prompts.merge(other.prompts.items(), other.prompts.grouped)

    def interval(self) -> Interval | None:
        """Return the mean with its 95 % interval, in which the completions of a prompt count together."""
        if not self.scored:
            return None
        mean, (rows, total, squares) = self.total / self.scored, self.alone
        sums = [entry for _, entry in self.prompts.items()]
        spread = math.fsum((entry - count * mean) ** 2 for entry, count in sums)
        spread += max(0.0, squares - 2 * mean * total + rows * mean * mean)
        bounded = self.low >= 0.0 and self.high <= 1.0
        return interval_of(mean, spread, self.scored, len(sums) + rows, bounded)

    def plain(self) -> dict[str, Any]:
        """Return the counts as JSON data."""
        return {**vars(self), "prompts": [self.prompts.grouped, list(self.prompts.items())]}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Tally:
        """Rebuild a tally from the result of `plain`."""
        grouped, items = plain["prompts"]
        sums = PromptSums()
        sums.merge(items, grouped)
        more = {"reasons": Counter(plain["reasons"]), "alone": tuple(plain["alone"]), "prompts": sums}
        return cls(**{**plain, **more})


def judged_nothing(tallies: Mapping[str, Tally]) -> str:
    """Return why no row has a reward, where one reason explains all of them; "" otherwise."""
    rows = tallies["reward"].rows if tallies else 0
    if not rows or tallies["reward"].scored or tallies["reward"].faults == rows:
        return ""
    for name, each in tallies.items():
        if name != "reward" and not each.scored and each.rows == rows and len(each.reasons) == 1:
            said = f": {each.why}" if each.why else ""
            return f"nothing was judged: {name} says {next(iter(each.reasons))} of all {rows:,} rows{said}"
    return ""


def tally(
    tallies: dict[str, Tally],
    status: str,
    value: float | None,
    judged: Iterable[tuple[str, Mapping[str, Any]]],
    parts: Mapping[str, float | None],
    prompt: int | None = None,
) -> None:
    """Count one row: for the reward, for each verdict by its part's name, and for the parts without one.

    Args:
        tallies: Counters.
        status: Status of the payment.
        value: Value of the payment.
        judged: The verdicts, by the parts that they belong to.
        parts: Value of each part.
        prompt: The same number for the rows of one prompt; None for a row that is its only one.
    """
    tallies.setdefault("reward", Tally()).add(status, value, prompt=prompt)
    names = set()
    for name, verdict in judged:
        names.add(name)
        tallies.setdefault(name, Tally()).add(
            verdict["status"], verdict["score"], verdict["reason"], verdict.get("detail", ""), prompt
        )
    for name, paid in parts.items():
        if name not in names:
            tallies.setdefault(name, Tally(judged=False)).add(Status.UNSCORED, paid, prompt=prompt)
