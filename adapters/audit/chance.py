"""Probabilities of figures under the hypothesis that nothing is wrong.

Everything here is about groups: the completions of a prompt have much in common, so they are never counted as
if each were a witness of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

CHANCE = 5e-4
"""Above this nothing is more than a note. With some twenty tests a file, fewer than 1 in 100 healthy ones
shows a warning (`benchmarks/audit_power.py`)."""


def tail(z: float) -> float:
    """Return the probability that a standard normal variable exceeds ``z``.

    >>> round(tail(1.96), 3)
    0.025
    """
    return 0.5 * math.erfc(z / math.sqrt(2))


def share_above(hits: int, total: int, share: float) -> float:
    """Return the probability of at least so many hits at rate `share`: the binomial tail.

    >>> round(share_above(8, 10, 0.5), 4)
    0.0547
    """
    if hits <= 0 or share >= 1.0:
        return 1.0
    if share <= 0.0:
        return 0.0
    mean = total * share
    if hits <= mean:
        return 1.0
    term = math.lgamma(total + 1) - math.lgamma(hits + 1) - math.lgamma(total - hits + 1)
    term = math.exp(term + hits * math.log(share) + (total - hits) * math.log1p(-share))
    sum_, k = term, hits
    while k < total and term > sum_ * 1e-12:
        term *= (total - k) / (k + 1) * share / (1 - share)
        k += 1
        sum_ += term
    return min(1.0, sum_)


@dataclass(frozen=True)
class Correlation:
    """Correlation of two figures within groups.

    Args:
        value: The pooled correlation of ranks within groups, -1 to 1.
        chance: Probability of one as far from 0 if the figures are shuffled within their groups.
        groups: That could show any.
    """

    value: float
    chance: float
    groups: int


def within_groups(pairs: Iterable[tuple[Sequence[float], Sequence[float]]]) -> Correlation:
    """Return Spearman's correlation within groups, pooled.

    Under shuffling within groups the covariance of ranks has mean 0 and, in a group of n, the variance
    Sxx Syy / (n - 1) exactly (Pitman 1937), so the sum over groups, in standard deviations, is nearly normal.

    >>> within_groups([([1, 2, 3, 4], [2, 4, 6, 8])] * 10).value
    1.0
    """
    together = first = second = variance = 0.0
    groups = 0
    for left, right in pairs:
        if len(left) < 2:
            continue
        xs, ys = _centred_ranks(left), _centred_ranks(right)
        sxx, syy = sum(x * x for x in xs), sum(y * y for y in ys)
        if sxx == 0 or syy == 0:
            continue
        groups += 1
        together += sum(map(_times, xs, ys))
        first, second = first + sxx, second + syy
        variance += sxx * syy / (len(xs) - 1)
    if not groups:
        return Correlation(0.0, 1.0, 0)
    value = together / math.sqrt(first * second)
    return Correlation(round(value, 12), 2 * tail(abs(together) / math.sqrt(variance)), groups)


def _times(x: float, y: float) -> float:
    return x * y


def _centred_ranks(values: Sequence[float]) -> list[float]:
    """Ranks, the mean of theirs for equal values, less their mean."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    middle = (len(values) - 1) / 2
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in range(start, end + 1):
            ranks[order[place]] = (start + end) / 2 - middle
        start = end + 1
    return ranks


@dataclass(frozen=True)
class Change:
    """Change of a figure from the first third of the steps to the last.

    Args:
        before: Its mean over the first third.
        after: Over the last.
        z: The difference over its standard error, which the scatter of the steps' means gives.
    """

    before: float
    after: float
    z: float

    @property
    def chance(self) -> float:
        """Probability of a change as large from the scatter of the steps alone."""
        return 2 * tail(abs(self.z))


FEWEST_STEPS = 12
"""Steps without which no change over steps is told from scatter."""


def change_over(means: Sequence[float]) -> Change | None:
    """Return the change of a figure over steps, or None where there are too few.

    Args:
        means: Means of the rows of each step, in order.

    >>> change_over([0.0, 1.0] * 5 + [1.0, 2.0] * 5).after
    1.5
    """
    if len(means) < FEWEST_STEPS:
        return None
    third = len(means) // 3
    first, last = means[:third], means[-third:]
    before, after = sum(first) / third, sum(last) / third
    # A slow course within a third is no scatter: neighbours are compared (von Neumann 1941).
    noise = sum((later - earlier) ** 2 for part in (first, last) for earlier, later in pairwise(part))
    variance = noise / (2 * 2 * max(1, third - 1))
    error = math.sqrt(2 * max(variance, 1e-18) / third)
    return Change(before, after, (after - before) / error)
