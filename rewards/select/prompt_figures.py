"""Figures of several tries, and intervals for means over completions, which are alike within a prompt.

Sums by prompt are kept in bounded memory.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, fsum
from operator import mul
from statistics import NormalDist

from reward_verifiers.verifiers import ConfigError


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and where it would lie for other prompts of the same kind.

    Args:
        mean: Over all values.
        low: Lower end; None where fewer than two prompts say nothing about others.
        high: Upper end; None likewise.
        values: Number of values.
        prompts: Number of prompts.
    """

    mean: float
    low: float | None
    high: float | None
    values: int
    prompts: int


def mean_interval(
    prompts: Iterable[tuple[float, int]], bounded: bool = False, confidence: float = 0.95
) -> Interval | None:
    """Return the mean of values, with an interval that counts prompts and not completions.

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
    """Return the interval of `mean_interval` from given sums.

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
    """Return the quantile of Student's distribution above one half.

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


def pass_at_k(n: int, c: int, k: int) -> float:
    r"""Return the probability that one or more of `k` completions is right, when `c` of `n` were.

    ``1 - C(n - c, k) / C(n, k)``, which is unbiased where ``1 - (1 - c/n)^k`` is not (Chen et al.,
    Evaluating Large Language Models Trained on Code, arXiv:2107.03374, equation 1).

    Args:
        n: Completions that were judged.
        c: Number of right ones.
        k: Tries, at most `n`.

    Raises:
        ConfigError: ``0 <= c <= n`` or ``1 <= k <= n`` does not hold.

    >>> pass_at_k(4, 1, 1), pass_at_k(4, 1, 4)
    (0.25, 1.0)
    """
    if not (0 <= c <= n and 1 <= k <= n):
        raise ConfigError(f"pass@k needs 0 <= c <= n and 1 <= k <= n, got n={n}, c={c}, k={k}")
    # Whole numbers to the end: no product of fractions that rounds at every step.
    return (comb(n, k) - comb(n - c, k)) / comb(n, k)


def best_at_k(rewards: Sequence[float], k: int) -> float:
    """Return the expected best reward among `k` completions, from `n` of them; unbiased, as pass@k.

    Raises:
        ConfigError: k is not in 1 to n.

    >>> best_at_k([1.0, 0.0, 0.0, 0.0], 2)
    0.5
    """
    n = len(rewards)
    if not 1 <= k <= n:
        raise ConfigError(f"the best of k needs 1 <= k <= n, got k={k} of n={n}")
    return fsum(map(mul, sorted(rewards), _chances(n, k)))


@lru_cache(maxsize=1024)
def _chances(n: int, k: int) -> tuple[float, ...]:
    """Return how likely each of `n` rewards, smallest first, is the best of `k`."""
    # The i-th smallest (from 1) is the best of C(i - 1, k - 1) of the C(n, k) choices.
    ways = comb(n, k)
    return tuple(comb(place, k - 1) / ways for place in range(n))


def collapse_probability(n: int, c: int, size: int) -> float:
    """Return the chance that `size` completions are all right or all wrong, when `c` of `n` were right.

    Args:
        n: Completions that were judged.
        c: Number of right ones.
        size: Completions of a group, at most n.

    >>> collapse_probability(4, 2, 2)
    0.3333333333333333
    """
    return (comb(c, size) + comb(n - c, size)) / comb(n, size)


MOST = 8192
"""Prompts that are counted one by one: some 3 MB."""
GROUPS = 2048
"""Groups into which more prompts are thrown. An interval of so many is 2 % too wide or too narrow at most."""


def prompt_key(value: object) -> int:
    """Return a 64-bit key of a prompt, or any other JSON value, that is the same in every process.

    >>> prompt_key("2+2?") == prompt_key("2+2?"), prompt_key("1") == prompt_key(1)
    (True, False)
    """
    if isinstance(value, str):
        text = value
    elif type(value) is int:
        text = f"\0{value}"  # as below, without an encoder
    else:
        text = "\0" + json.dumps(value, sort_keys=True)
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big")


class PromptSums:
    """Sums for each prompt; of too many prompts for each of many groups of them.

    The completions of a prompt are always in one group, wherever they stand in a file, so that groups vary as
    prompts do and intervals made of either are of the same width (the random groups of Wolter, Introduction
    to Variance Estimation, 2007, chapter 2).

    Args:
        most: Prompts that are counted one by one.
        groups: Number of groups beyond that.
    """

    __slots__ = ("_most", "_sums", "grouped", "groups")

    def __init__(self, most: int = MOST, groups: int = GROUPS) -> None:
        self._most, self.groups = most, groups
        self._sums: dict[int, list[float]] = {}
        self.grouped = False
        """Whether groups are counted, and no longer prompts."""

    def __len__(self) -> int:
        return len(self._sums)

    def add(self, key: int, values: Sequence[float]) -> None:
        """Add values to the sums of a prompt.

        Args:
            key: Key of the prompt; see `prompt_key`.
            values: As many for every prompt.
        """
        if self.grouped:
            key %= self.groups
        sums = self._sums.get(key)
        if sums is not None:
            for place, value in enumerate(values):
                sums[place] += value
            return
        self._sums[key] = list(values)
        if len(self._sums) > self._most:
            self._throw_together()

    def _throw_together(self) -> None:
        before, self._sums, self.grouped = self._sums, {}, True
        for key, sums in before.items():
            self.add(key, sums)

    def merge(self, items: Iterable[tuple[int, Sequence[float]]], grouped: bool = False) -> None:
        """Add the `items` of other sums of the same sizes.

        Args:
            items: Keys and sums.
            grouped: Whether these are groups there.
        """
        if grouped and not self.grouped:
            self._throw_together()
        for key, sums in items:
            self.add(key, sums)

    def items(self) -> Iterator[tuple[int, list[float]]]:
        """Yield prompts with their sums, in an order that reveals neither the prompts nor the rows' order."""
        for key in sorted(self._sums):
            yield key, self._sums[key]
