"""Differences between two scorings of the same prompts, with an interval and a p-value."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from .prompt_figures import interval_of, mean_interval, student_t

RESAMPLES = 1000
MOST_RESAMPLED = 500
"""Prompts that are drawn one by one; of more, random groups are, which moves the ends by 3 % of the width."""
MOST_EXACT = 200
"""Prompts with differences of several sizes for which a test is exact; with more, sums are nearly normal."""
MOST_STEPS = 100_000
"""Steps in which that is done."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference of two means over the same prompts.

    Args:
        before: The first mean.
        after: The second.
        difference: The second less the first.
        low: Lower end of its 95 % interval; None where fewer than two prompts say nothing about others.
        high: Upper end; None likewise.
        chance: Probability of a difference at least as large, either way, if both are alike.
        exact: Whether that is worked out exactly; else by the normal distribution.
        values: Pairs that it is made of.
        prompts: Number of prompts.
    """

    before: float
    after: float
    difference: float
    low: float | None
    high: float | None
    chance: float
    exact: bool
    values: int
    prompts: int


def paired_difference(
    prompts: Iterable[tuple[float, float, int]],
    bounded: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Difference | None:
    """Return the difference of two means, paired by prompt.

    The interval is a bootstrap that draws prompts, both of their sums together, so that completions of one
    prompt are never taken for independent. Its quantiles are those of Student's t for so many prompts
    (Hesterberg, What Teachers Should Know about the Bootstrap, 2015, arXiv:1411.5279, section 5.2). The
    chance is that of the sign-flip test by prompt: which side of a prompt is which is thrown by a coin. For
    one right or wrong completion of each prompt that is McNemar's exact test.

    Args:
        prompts: For each prompt the sums of both sides and the number of pairs, in an order that says nothing
            about them.
        bounded: Whether values are in [0, 1].
        resamples: Draws of the bootstrap; 0 for the interval by Student's t and clustered standard errors.
        seed: Random seed of the bootstrap.

    Returns:
        None without pairs.

    >>> found = paired_difference([(1.0, 0.0, 1)] * 9 + [(0.0, 1.0, 1)] + [(1.0, 1.0, 1)] * 90)
    >>> round(found.difference, 4), round(found.chance, 4)
    (-0.08, 0.0215)
    """
    sums = [each for each in prompts if each[2]]
    size = sum(count for _, _, count in sums)
    if not size:
        return None
    before = math.fsum(first for first, _, _ in sums) / size
    after = math.fsum(second for _, second, _ in sums) / size
    # Rounded, so that 0.1 + 0.2 and 0.3 are alike.
    differences = [round(second - first, 12) for first, second, _ in sums]
    counts = [count for _, _, count in sums]
    chance, exact = sign_flip(differences)
    if len(sums) < 2:
        low = high = None
    elif not any(differences):
        low, high = _of_nothing(len(sums)) if bounded else (0.0, 0.0)
    elif resamples:
        low, high = _bootstrap(differences, counts, resamples, seed)
    else:
        found = mean_interval(zip(differences, counts, strict=True))
        low, high = (None, None) if found is None else (found.low, found.high)
    if bounded and low is not None and high is not None:
        low, high = max(low, -1.0), min(high, 1.0)
    difference = math.fsum(differences) / size
    return Difference(before, after, difference, low, high, chance, exact, size, len(sums))


def _of_nothing(prompts: int) -> tuple[float, float]:
    """Return the bounds where no prompt differs: those of a share of 0 (Wilson)."""
    found = interval_of(0.0, 0.0, prompts, prompts, bounded=True)
    high = 1.0 if found is None or found.high is None else found.high
    return -high, high


def _bootstrap(
    differences: Sequence[float], counts: Sequence[float], resamples: int, seed: int
) -> tuple[float, float]:
    prompts = len(differences)
    if prompts > MOST_RESAMPLED:
        differences = [math.fsum(differences[start::MOST_RESAMPLED]) for start in range(MOST_RESAMPLED)]
        counts = [sum(counts[start::MOST_RESAMPLED]) for start in range(MOST_RESAMPLED)]
        prompts = MOST_RESAMPLED
    chance = random.Random(seed)  # noqa: S311
    every = range(prompts)
    means = []
    equal = len(set(counts)) == 1
    for _ in range(resamples):
        if equal:
            means.append(sum(chance.choices(differences, k=prompts)) / (counts[0] * prompts))
            continue
        drawn = chance.choices(every, k=prompts)
        total = sum(map(differences.__getitem__, drawn))
        means.append(total / sum(map(counts.__getitem__, drawn)))
    means.sort()
    t = student_t(0.975, prompts - 1)
    tail = NormalDist().cdf(-math.sqrt(prompts / (prompts - 1)) * t)
    return _quantile(means, tail), _quantile(means, 1 - tail)


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def sign_flip(differences: Iterable[float]) -> tuple[float, bool]:
    """Return the two-sided chance of a sum as far from 0 under random signs, and whether it is exact.

    >>> sign_flip([1.0] * 6), sign_flip([1.0, -1.0, 0.0])
    ((0.03125, True), (1.0, True))
    """
    found = [each for each in differences if each]
    if not found:
        return 1.0, True
    sizes = Counter(abs(each) for each in found)
    if len(sizes) == 1:
        return binomial_chance(sum(each > 0 for each in found), len(found)), True
    largest = max(sizes)
    whole = [round(each / largest * 1_000_000_000) for each in found]
    observed = abs(sum(whole)) - len(whole)  # what rounding may have taken
    exact = _exact_chance(whole, observed) if len(whole) <= MOST_EXACT else None
    if exact is not None:
        return exact, True
    deviation = math.sqrt(math.fsum(each * each for each in found))
    return math.erfc(abs(math.fsum(found)) / deviation / math.sqrt(2)), False


def _exact_chance(whole: Sequence[int], observed: int) -> float | None:
    """Return the chance over all possible sums; None where these are too many."""
    if observed <= 0:
        return 1.0
    sums, steps = {0: 1.0}, 0
    for each in whole:
        steps += len(sums)
        if steps > MOST_STEPS:
            return None
        after: dict[int, float] = {}
        for total, weight in sums.items():
            half = weight / 2
            after[total + each] = after.get(total + each, 0.0) + half
            after[total - each] = after.get(total - each, 0.0) + half
        sums = after
    return min(1.0, math.fsum(weight for total, weight in sums.items() if abs(total) >= observed))


def binomial_chance(hits: int, total: int) -> float:
    """Return the two-sided chance of so many heads of a fair coin: McNemar's exact test, the sign test.

    >>> binomial_chance(1, 10)
    0.021484375
    """
    fewer = min(hits, total - hits)
    if 2 * fewer >= total:
        return 1.0
    if total <= 1000:
        ways = sum(math.comb(total, each) for each in range(fewer + 1))
        return min(1.0, 2 * ways / float(2**total))
    term = math.exp(
        math.lgamma(total + 1) - math.lgamma(fewer + 1) - math.lgamma(total - fewer + 1) - total * math.log(2)
    )
    sum_, k = term, fewer
    while k and term > sum_ * 1e-16:
        term *= k / (total - k + 1)
        k -= 1
        sum_ += term
    return min(1.0, 2 * sum_)
