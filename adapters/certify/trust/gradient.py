"""What wrong verdicts do to GRPO: simulated on a file's own groups."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from statistics import mean

from reward_verifiers.rewards.advantages import grpo

from .strata import Stratum
from .witnesses import Rollout

DRAWS = 40
"""Truths that are drawn."""


def simulated(
    rollouts: Sequence[Rollout], strata: Sequence[Stratum], labels: Sequence[bool | None]
) -> dict[str, float] | None:
    """How far the advantages of the verdicts are from those of truths that the rates allow.

    Args:
        rollouts: With groups of at least two.
        strata: With the estimated rates of wrong verdicts.
        labels: What is known.

    Returns:
        ``agreement``: the cosine between both; ``turned``: the share of rows whose advantage has the other
        sign; ``silent``: the share of groups without a difference; None where there are no groups.
    """
    groups: dict[Hashable, list[int]] = {}
    for place, each in enumerate(rollouts):
        if each.group is not None and each.paid is not None:
            groups.setdefault(each.group, []).append(place)
    several = [places for places in groups.values() if len(places) >= 2]
    if not several:
        return None
    wrong = {row: _share(each, labels) for each in strata for row in each.rows}
    rng = random.Random(2)  # noqa: S311
    dot = ours = theirs = turned = rows = 0.0
    for _ in range(DRAWS):
        for places in several:
            verdicts = [float(bool(rollouts[place].paid)) for place in places]
            truth = [
                _true(labels[place], rollouts[place].paid, rng.random() < wrong[place]) for place in places
            ]
            one, other = _advantages(verdicts), _advantages(truth)
            dot += sum(a * b for a, b in zip(one, other, strict=True))
            ours += sum(a * a for a in one)
            theirs += sum(b * b for b in other)
            turned += sum(a * b < 0 for a, b in zip(one, other, strict=True))
            rows += len(places)
    silent = mean(len({rollouts[place].paid for place in places}) == 1 for places in several)
    return {
        "agreement": dot / max(1e-12, (ours * theirs) ** 0.5),
        "turned": turned / rows,
        "silent": float(silent),
    }


def _share(stratum: Stratum, labels: Sequence[bool | None]) -> float:
    known = [labels[row] for row in stratum.rows if labels[row] is not None]
    wrong = sum(label is not stratum.paid for label in known)
    return (wrong + stratum.expected) / (len(known) + 1)


def _true(label: bool | None, paid: bool | None, wrong: bool) -> float:
    return float(label) if label is not None else float(bool(paid) is not wrong)


def _advantages(rewards: list[float]) -> list[float]:
    return [float(each or 0.0) for each in grpo(rewards, len(rewards))]
