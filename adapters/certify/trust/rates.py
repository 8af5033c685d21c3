"""How often the reward is wrong, with an interval; and which rows to label so that it gets narrow.

Within a stratum labelled rows are drawn at random, so what they show holds for the others of it, whatever
the witnesses are worth. Without labels the interval is what the model of agreement says, and nothing more.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .strata import Stratum

DRAWS = 2000
"""Simulations of an interval."""
BELIEF = 1.5
"""How many labels the model's word counts for, in a stratum."""
LEAST = 1 / 3
"""The model is never believed to be surer than this of a stratum: witnesses may all err together."""
LEVEL = 0.95


@dataclass(frozen=True)
class Rate:
    """A share of all judged rows.

    Args:
        value: The estimate.
        low: The lower end of the interval.
        high: The upper end.
    """

    value: float
    low: float
    high: float


def rate(strata: Sequence[Stratum], paid: bool, labels: Sequence[bool | None]) -> Rate:
    """The share of all judged rows that are paid and wrong, or refused and right.

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
    """How many of some rows are wrong, by the normal law where there are many."""
    if rows <= 12:
        return float(sum(rng.random() < share for _ in range(rows)))
    spread = (rows * share * (1 - share)) ** 0.5
    return min(float(rows), max(0.0, round(rng.gauss(rows * share, spread))))


def asked_for(strata: Sequence[Stratum], labels: Sequence[bool | None], most: int) -> list[int]:
    """Rows whose labels narrow the intervals most, by their places.

    Args:
        strata: All of them.
        labels: What is known.
        most: How many to ask for.
    """
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
    """How many of a stratum's rows are wrong, by what is known, and by the model where that is little."""
    known = [labels[row] for row in stratum.rows if labels[row] is not None]
    wrong = sum(label is not stratum.paid for label in known)
    return (wrong + BELIEF * min(1 - LEAST, max(LEAST, stratum.expected))) / (len(known) + BELIEF)


def _gain(rows: int, known: int, share: float) -> float:
    """By how much one more label lowers the variance of a stratum's count."""
    each = rows * rows * share * (1 - share)
    return each / (known + BELIEF) - each / (known + 1 + BELIEF)
