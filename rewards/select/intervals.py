"""Intervals for means over completions, where those of one prompt are alike."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

from reward_verifiers.verifiers import ConfigError


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and where it would lie for other prompts of the same kind.

    Args:
        mean: Over all values.
        low: Lower end; None where fewer than two prompts say nothing about others.
        high: Upper end; None likewise.
        values: How many there are.
        prompts: Of how many prompts.
    """

    mean: float
    low: float | None
    high: float | None
    values: int
    prompts: int


def mean_interval(
    prompts: Iterable[tuple[float, int]], bounded: bool = False, confidence: float = 0.95
) -> Interval | None:
    """The mean of values, with an interval that counts prompts and not completions.

    The standard error is clustered by prompt, with the variance times C/(C-1) and Student's t with C-1
    degrees of freedom, for C prompts (Miller, Adding Error Bars to Evals, arXiv:2411.00640). Shares in
    [0, 1] get Wilson's interval for the sample size that has this standard error (Dean and Pagano, 2015,
    doi:10.1093/jssam/smv024), which says something true even where all are right.

    Args:
        prompts: The sum of the values of each prompt, and how many they are.
        bounded: Whether values are in [0, 1].
        confidence: Share of intervals that hold the true mean.

    Returns:
        None without values.

    Raises:
        ConfigError: The confidence is not in (0, 1).

    >>> found = mean_interval([(1.0, 1)] * 20, bounded=True)
    >>> round(found.low, 3), found.high
    (0.82, 1.0)
    """
    sums = [(total, count) for total, count in prompts if count]
    size, clusters = sum(count for _, count in sums), len(sums)
    mean = math.fsum(total for total, _ in sums) / size if size else 0.0
    squares = math.fsum((total - count * mean) ** 2 for total, count in sums)
    return interval_of(mean, squares, size, clusters, bounded, confidence)


def interval_of(
    mean: float, squares: float, size: int, clusters: int, bounded: bool = False, confidence: float = 0.95
) -> Interval | None:
    """The same from sums that somebody has counted already.

    Args:
        mean: Over all values.
        squares: For each prompt the square of its sum less its count times the mean, all added up.
        size: Values.
        clusters: Prompts that have any.
        bounded: Whether values are in [0, 1].
        confidence: Share of intervals that hold the true mean.

    Raises:
        ConfigError: The confidence is not in (0, 1).

    >>> interval_of(0.5, 2.5, 10, 10, bounded=True) == mean_interval([(1, 1), (0, 1)] * 5, bounded=True)
    True
    """
    if not 0.0 < confidence < 1.0:
        raise ConfigError(f"confidence is a share in (0, 1), got {confidence!r}")
    if not size:
        return None
    if clusters < 2:
        return Interval(mean, None, None, size, clusters)
    variance = squares / size**2 * clusters / (clusters - 1)
    t = student_t((1 + confidence) / 2, clusters - 1)
    if bounded:
        return Interval(mean, *_wilson(mean, variance, t, size, clusters), size, clusters)
    half = t * math.sqrt(variance)
    return Interval(mean, mean - half, mean + half, size, clusters)


def _wilson(mean: float, variance: float, t: float, size: int, clusters: int) -> tuple[float, float]:
    binomial = mean * (1 - mean)
    # Where all are alike nothing is known of the spread within prompts: each counts once.
    effective = clusters if binomial <= 0 else size if variance <= 0 else min(binomial / variance, size)
    square = t * t / effective
    middle = (mean + square / 2) / (1 + square)
    half = t / (1 + square) * math.sqrt(max(binomial, 0.0) / effective + square / (4 * effective))
    low = 0.0 if mean <= 0 else max(middle - half, 0.0)
    high = 1.0 if mean >= 1 else min(middle + half, 1.0)
    return low, high


def student_t(share: float, freedom: int) -> float:
    """The quantile of Student's distribution above one half.

    Args:
        share: Probability below it, in [0.5, 1).
        freedom: Degrees of freedom, at least 1.

    Source: Abramowitz and Stegun, 26.7.5, and the closed forms for one and two degrees.

    >>> round(student_t(0.975, 1), 2), round(student_t(0.975, 10), 3), round(student_t(0.975, 1000), 3)
    (12.71, 2.228, 1.962)
    """
    if freedom == 1:
        return math.tan(math.pi * (share - 0.5))
    if freedom == 2:
        return (2 * share - 1) / math.sqrt(2 * share * (1 - share))
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / float(freedom**power) for power, term in enumerate(terms, 1))
