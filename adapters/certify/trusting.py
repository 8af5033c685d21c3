"""Estimates of a reward's trustworthiness from a file of rollouts."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reward_verifiers.rewards import Batch, Reward
from reward_verifiers.rewards.recipe import recipe_of
from reward_verifiers.verifiers import ConfigError

from ..audit.labels import is_label
from ..files.columns import column_of, completion_column, has_column, reference_column
from ..files.jsonl import Source, rows_of
from ..known_sets.recognition import proposal
from .suspects import Suspect, suspects
from .trust_figures import (
    Rate,
    Stratum,
    asked_for,
    rate,
    right_by_agreement,
    simulated,
    strata_of,
)
from .witnesses import Rollout, votes_of

ASKED = 40
"""Rows that are asked for at a time."""
SHOWN = 10
"""References that are shown as likely wrong."""
PAID = 0.5
"""The share of the highest reward of a scored file from which a row counts as paid as right."""


@dataclass(frozen=True)
class Trust:
    """Estimates of a reward's errors from a file of rollouts.

    Args:
        rows: Number of judged rows.
        labels: Number of labelled ones.
        paid: Number of them that earn reward.
        wrong_payments: Rows that are paid and wrong, of all that are judged.
        wrong_refusals: Rows that are refused and right, of all that are judged.
        ask: Places of the rows whose labels narrow the intervals most.
        wrong_references: The references that are likely wrong, the likeliest first.
        gradient: Effect of wrong verdicts on GRPO; None without groups.
        witnesses: By name, how often each agrees with the reward.
    """

    rows: int
    labels: int
    paid: int
    wrong_payments: Rate
    wrong_refusals: Rate
    ask: Sequence[int]
    wrong_references: Sequence[Suspect]
    gradient: Mapping[str, float] | None
    witnesses: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return the estimates as a dictionary for JSON; rows are counted from 1."""
        return {
            **vars(self),
            "wrong_payments": vars(self.wrong_payments),
            "wrong_refusals": vars(self.wrong_refusals),
            "ask": [place + 1 for place in self.ask],
            "wrong_references": [
                {**vars(each), "row": each.row + 1} for each in self.wrong_references[:SHOWN]
            ],
            "witnesses": dict(self.witnesses),
        }


def trust(rollouts: Sequence[Rollout], ask: int = ASKED) -> Trust:
    """Estimate a reward's wrong verdicts from agreement, groups and labels.

    Raises:
        ConfigError: No row is judged.
    """
    return trust_by(rollouts, votes_of(rollouts), ask)


def trust_by(
    rollouts: Sequence[Rollout], votes: Mapping[str, Sequence[bool | None]], ask: int = ASKED
) -> Trust:
    """Estimate trust as `trust` does, from the votes of witnesses that were already asked.

    Raises:
        ConfigError: No row is judged.
    """
    paid = [each.paid for each in rollouts]
    judged = [verdict for verdict in paid if verdict is not None]
    if not judged:
        raise ConfigError("no row has a verdict: check the references with `verify-cli references`")
    labels = [each.label for each in rollouts]
    right = right_by_agreement({**votes, "reward": paid})
    strata = strata_of(votes, paid, right)
    return Trust(
        len(judged),
        sum(label is not None and verdict is not None for label, verdict in zip(labels, paid, strict=True)),
        sum(judged),
        rate(strata, True, labels),
        rate(strata, False, labels),
        asked_for(strata, labels, ask),
        suspects(rollouts),
        simulated(rollouts, strata, labels),
        {name: _agreement(column, paid) for name, column in votes.items()},
    )


def _agreement(column: Sequence[bool | None], paid: Sequence[bool | None]) -> float:
    both = [one is other for one, other in zip(column, paid, strict=True) if None not in (one, other)]
    return sum(both) / max(1, len(both))


def rollouts_of(
    paths: list[str],
    reward: Reward | None = None,
    labels: str | None = None,
    group: str | None = None,
    completion: str | None = None,
    reference: str | None = None,
) -> list[Rollout]:
    """Return the rollouts of files, with the verdicts of a reward.

    Args:
        paths: As `Source` takes them.
        reward: The reward. None takes that of a scored file, or one that fits the references.
        labels: A column that says whether a completion is right; rows without a value are not labelled.
        group: The column that the completions of one question share; None for the question itself.
        completion: The column with the completions; None to find it.
        reference: The column with the references; None to find it.

    Raises:
        ConfigError: A column is missing, or what judges is not certain.
    """
    found = [(line.where, row) for line, row in rows_of(Source(paths).chunks())]
    if not found:
        raise ConfigError(f"{', '.join(paths)}: no rows")
    where, first = found[0]
    given = completion or completion_column(first, where) or ""
    gold = reference or reference_column(first, where) or ""
    for name, flag in ((given, "--completion-field"), (gold, "--reference-field")):
        if not name or not has_column(first, name):
            raise ConfigError(f"{where}: a column is missing; name it with {flag}")
    rollouts = [_rollout(where, row, given, gold, labels, group) for where, row in found]
    if reward is None and all(has_column(row, "reward") for _, row in found):
        return _scored(rollouts, [row["reward"] for _, row in found])
    if reward is None:
        recipe, problem = proposal(found, gold)
        if recipe is None:
            raise ConfigError(
                f"{where}: which verifier fits is not certain: {problem}; name one with --recipe"
            )
        reward = recipe_of(recipe)
    return judged_by(reward, rollouts)


def judged_by(reward: Reward, rollouts: Sequence[Rollout]) -> list[Rollout]:
    """Return rollouts with the verdicts of a reward."""
    columns: dict[str, Any] = {"answer": [each.reference for each in rollouts]}
    if any(each.prompt is not None for each in rollouts):
        columns["prompt"] = [each.prompt for each in rollouts]
    payments = Batch([each.completion for each in rollouts], columns, group_size=1).pay(reward)
    return _scored(rollouts, [payment.value for payment in payments])


def _scored(rollouts: Sequence[Rollout], rewards: Sequence[float | None]) -> list[Rollout]:
    highest = max((value for value in rewards if value is not None), default=0.0)
    least = PAID * highest if highest > 0 else 1.0
    return [
        replace(each, paid=None if value is None else value >= least)
        for each, value in zip(rollouts, rewards, strict=True)
    ]


def _rollout(
    where: str, row: Mapping[str, Any], completion: str, reference: str, labels: str | None, group: str | None
) -> Rollout:
    label: bool | None = None
    if labels is not None and has_column(row, labels) and column_of(row, labels) is not None:
        label = is_label(column_of(row, labels))
        if label is None:
            raise ConfigError(
                f"{where}: {labels} is {column_of(row, labels)!r:.40}; labels are true or false, or null"
            )
    prompt = next((row[name] for name in ("prompt", "question", "problem") if has_column(row, name)), None)
    shared = column_of(row, group) if group is not None else prompt
    return Rollout(column_of(row, completion), column_of(row, reference), prompt, _key(shared), label)


def _key(shared: Any) -> Hashable:
    return None if shared is None else str(shared)


__all__ = ["Rollout", "Stratum", "Trust", "judged_by", "rollouts_of", "trust", "trust_by"]
