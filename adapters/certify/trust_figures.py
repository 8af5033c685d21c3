"""A reward's error rates, the rows to label to find them, and their effect on training.

Strata are rows by how the witnesses agree; the model of Dawid and Skene (Maximum likelihood estimation of
observer error-rates using the EM algorithm, 1979) says how likely each is right. Witnesses are taken to err
independently given the truth, which they do not: so the model only says where errors are likely. Within a
stratum labelled rows are drawn at random, so what they show holds for the others of it, whatever the
witnesses are worth; the intervals rest on these labels, and without any they are what the model says, and
nothing more.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from reward_verifiers.rewards.advantages import grpo

from .witnesses import Rollout, Vote

STEPS = 60
"""Steps of the EM algorithm, which is settled long before."""
LEVELS = 5
"""Strata of each verdict: by the share of witnesses that call a row right, in quarters."""
_HALF = 0.5


@dataclass(frozen=True)
class Stratum:
    """Rows that are alike as far as the witnesses tell.

    Args:
        paid: Whether the reward pays them.
        rows: Their places.
        expected: The probability that the verdict is wrong, by the model.
    """

    paid: bool
    rows: tuple[int, ...]
    expected: float


def right_by_agreement(votes: Mapping[str, Sequence[Vote]]) -> list[float]:
    """Return each row's probability of being right, from the votes of witnesses alone.

    Labels have no part in it: rows are labelled by where this puts them, and it must not move them.

    Args:
        votes: Vote of every witness, for every row.
    """
    columns = list(votes.values())
    rows = list(zip(*columns, strict=True))
    right = [(_yes(row) + _HALF) / (_said(row) + 1) for row in rows]
    for _ in range(STEPS):
        share = min(0.99, max(0.01, sum(right) / len(right)))
        says = [_rates(column, right) for column in columns]
        right = [
            _posterior(
                share, [(rate, vote) for rate, vote in zip(says, row, strict=True) if vote is not None]
            )
            for row in rows
        ]
    return right


def _yes(row: Sequence[Vote]) -> int:
    return sum(vote is True for vote in row)


def _said(row: Sequence[Vote]) -> int:
    return sum(vote is not None for vote in row)


def _rates(column: Sequence[Vote], right: Sequence[float]) -> tuple[float, float]:
    """Return how often a witness accepts right rows and wrong ones, with a prior of four rows for it."""
    known = [(vote, weight) for vote, weight in zip(column, right, strict=True) if vote is not None]
    of_right, of_wrong = sum(weight for _, weight in known), sum(1 - weight for _, weight in known)
    yes_right = sum(weight for vote, weight in known if vote)
    yes_wrong = sum(1 - weight for vote, weight in known if vote)
    return (yes_right + 3) / (of_right + 4), (yes_wrong + 1) / (of_wrong + 4)


def _posterior(share: float, said: Sequence[tuple[tuple[float, float], bool]]) -> float:
    odds = math.log(share / (1 - share))
    for (of_right, of_wrong), vote in said:
        odds += math.log(of_right / of_wrong) if vote else math.log((1 - of_right) / (1 - of_wrong))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


def strata_of(
    votes: Mapping[str, Sequence[Vote]], paid: Sequence[Vote], right: Sequence[float]
) -> list[Stratum]:
    """Return strata of judged rows, by verdict and by the number of witnesses that call them right.

    Args:
        votes: Vote of every witness, for every row.
        paid: The verdicts.
        right: Probability that each row is right.
    """
    found: dict[tuple[bool, int], list[int]] = {}
    rows = list(zip(*votes.values(), strict=True))
    for place, verdict in enumerate(paid):
        if verdict is not None:
            share = _yes(rows[place]) / max(1, _said(rows[place]))
            found.setdefault((verdict, round(share * (LEVELS - 1))), []).append(place)
    return [
        Stratum(
            verdict,
            tuple(places),
            sum((1 - right[row]) if verdict else right[row] for row in places) / len(places),
        )
        for (verdict, _), places in sorted(found.items())
    ]


REDRAWS = 40
"""Truths that are drawn."""


def simulated(
    rollouts: Sequence[Rollout], strata: Sequence[Stratum], labels: Sequence[bool | None]
) -> dict[str, float] | None:
    """Compare the advantages of the verdicts with those of truths that the error rates allow.

    Args:
        rollouts: With groups of at least two.
        strata: With the estimated rates of wrong verdicts.
        labels: Known labels.

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
    for _ in range(REDRAWS):
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


DRAWS = 2000
"""Simulations of an interval."""
BELIEF = 1.5
"""How many labels the model's word counts for, in a stratum."""
LEAST = 1 / 3
"""The model is never believed to be surer than this of a stratum: witnesses may all err together."""
LEVEL = 0.95


@dataclass(frozen=True)
class Rate:
    """A share of all judged rows."""

    value: float
    low: float
    high: float


def rate(strata: Sequence[Stratum], paid: bool, labels: Sequence[bool | None]) -> Rate:
    """Return the share of all judged rows that are rewarded and wrong, or refused and right.

    Args:
        strata: All of them.
        paid: Which of the two.
        labels: Whether rows are right, where that is known.
    """
    total = sum(len(each.rows) for each in strata)
    draws = [0.0] * DRAWS
    value = 0.0
    rng = random.Random(0)  # noqa: S311
    for each in strata:
        if each.paid is not paid:
            continue
        known = [labels[row] for row in each.rows if labels[row] is not None]
        wrong = sum(label is not paid for label in known)
        rest = len(each.rows) - len(known)
        believed = min(1 - LEAST, max(LEAST, each.expected))
        first, second = BELIEF * believed + wrong, BELIEF * (1 - believed) + len(known) - wrong
        value += wrong + rest * first / (first + second)
        if rest:
            for place in range(DRAWS):
                draws[place] += wrong + _hits(rng, rest, rng.betavariate(first, second))
        else:
            draws = [draw + wrong for draw in draws]
    draws.sort()
    cut = int(DRAWS * (1 - LEVEL) / 2)
    return Rate(value / total, draws[cut] / total, draws[DRAWS - 1 - cut] / total)


def _hits(rng: random.Random, rows: int, share: float) -> float:
    """Draw the number of wrong rows among some, by the normal law where there are many."""
    if rows <= 12:
        return float(sum(rng.random() < share for _ in range(rows)))
    spread = (rows * share * (1 - share)) ** 0.5
    return min(float(rows), max(0.0, round(rng.gauss(rows * share, spread))))


def asked_for(strata: Sequence[Stratum], labels: Sequence[bool | None], most: int) -> list[int]:
    """Return the places of the rows whose labels narrow the intervals most."""
    rng = random.Random(1)  # noqa: S311
    left = [[row for row in each.rows if labels[row] is None] for each in strata]
    known = [len(each.rows) - len(rest) for each, rest in zip(strata, left, strict=True)]
    shares = [_wrong_share(each, labels) for each in strata]
    for rest in left:
        rng.shuffle(rest)
    chosen: list[int] = []
    while len(chosen) < most and any(left):
        gains = [
            _gain(len(each.rows), known[place], shares[place]) if left[place] else -1.0
            for place, each in enumerate(strata)
        ]
        best = max(range(len(gains)), key=gains.__getitem__)
        chosen.append(left[best].pop())
        known[best] += 1
    return chosen


def _wrong_share(stratum: Stratum, labels: Sequence[bool | None]) -> float:
    """Estimate the wrong share of a stratum's rows by its labels, and by the model where they are few."""
    known = [labels[row] for row in stratum.rows if labels[row] is not None]
    wrong = sum(label is not stratum.paid for label in known)
    return (wrong + BELIEF * min(1 - LEAST, max(LEAST, stratum.expected))) / (len(known) + BELIEF)


def _gain(rows: int, known: int, share: float) -> float:
    """Return by how much one more label lowers the variance of a stratum's count."""
    each = rows * rows * share * (1 - share)
    return each / (known + BELIEF) - each / (known + 1 + BELIEF)
