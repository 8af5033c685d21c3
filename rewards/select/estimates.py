"""Unbiased estimates of what several tries achieve."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, fsum

from reward_verifiers.verifiers import ConfigError


def pass_at_k(n: int, c: int, k: int) -> float:
    r"""The probability that at least one of `k` completions is right, when `c` of `n` were.

    ``1 - C(n - c, k) / C(n, k)``, which is unbiased where ``1 - (1 - c/n)^k`` is not (Chen et al.,
    Evaluating Large Language Models Trained on Code, arXiv:2107.03374, equation 1).

    Args:
        n: Completions that were judged.
        c: How many of them are right.
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
    """The expected best reward among `k` completions, from `n` of them; unbiased, as pass@k.

    Args:
        rewards: Length n.
        k: Tries, at most n.

    Raises:
        ConfigError: k is not in 1 to n.

    >>> best_at_k([1.0, 0.0, 0.0, 0.0], 2)
    0.5
    """
    n = len(rewards)
    if not 1 <= k <= n:
        raise ConfigError(f"the best of k needs 1 <= k <= n, got k={k} of n={n}")
    # The i-th smallest (from 1) is the best of C(i - 1, k - 1) of the C(n, k) choices.
    ways = comb(n, k)
    return fsum(value * (comb(place, k - 1) / ways) for place, value in enumerate(sorted(rewards)))


def collapse_probability(n: int, c: int, size: int) -> float:
    """The probability that `size` completions are all right or all wrong, when `c` of `n` were right.

    Args:
        n: Completions that were judged.
        c: How many of them are right.
        size: Completions of a group, at most n.

    >>> collapse_probability(4, 2, 2)
    0.3333333333333333
    """
    return (comb(c, size) + comb(n - c, size)) / comb(n, size)
