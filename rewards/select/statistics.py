"""Statistics of completion groups that show a reward's usefulness before anyone pays for a GPU."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import fsum, sqrt

from .candidates import Candidate
from .prompt_figures import Interval, best_at_k, collapse_probability, interval_of, pass_at_k
from .vote import vote

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Tries, and group sizes, that tables show."""


@dataclass
class GroupStatistics:
    """Sums over groups; `group_statistics` fills them, the properties give the figures.

    Hinted completions count nowhere; completions that could not be judged count as unjudged only.
    """

    groups: int = 0
    rows: int = 0
    unjudged: int = 0
    unjudged_groups: int = 0
    right: int = 0
    all_right: int = 0
    all_wrong: int = 0
    flat_rewards: int = 0
    shaped_only: int = 0
    distinct: int = 0
    smallest_step: float | None = None
    variance: float = 0.0
    sizes: Counter[int] = field(default_factory=Counter)
    votes_right: float = 0.0
    votes: int = 0
    ties: int = 0
    passes: dict[int, list[float]] = field(default_factory=dict)
    bests: dict[int, list[float]] = field(default_factory=dict)
    collapses: dict[int, list[float]] = field(default_factory=dict)

    @property
    def judged_groups(self) -> int:
        """Number of groups with at least one judged completion."""
        return self.groups - self.unjudged_groups

    @property
    def deviation(self) -> float | None:
        """The root of the mean variance of rewards within groups."""
        return sqrt(self.variance / self.judged_groups) if self.judged_groups else None

    def interval(self, sums: dict[int, list[float]], k: int) -> Interval | None:
        """Return the mean of a share over groups with its 95 % interval, which counts groups."""
        total, count, squares = sums.get(k, (0.0, 0.0, 0.0))
        mean = total / count if count else 0.0
        spread = max(0.0, squares - count * mean * mean)
        return interval_of(mean, spread, int(count), int(count), bounded=True)

    def mean(self, sums: dict[int, list[float]], k: int) -> float | None:
        """Return the mean of an estimate over the groups that are large enough for it."""
        values = sums.get(k)
        return values[0] / values[1] if values else None

    def add(self, group: Sequence[Candidate], equal: Callable[[str, str], bool] | None) -> None:
        """Count a group."""
        own = [each for each in group if not each.hinted]
        judged = [each for each in own if each.outcome is not None]
        self.groups += 1
        self.rows += len(own)
        self.sizes[len(own)] += 1
        self.unjudged += len(own) - len(judged)
        if not judged:
            self.unjudged_groups += 1
            return
        n, c = len(judged), sum(each.passed for each in judged)
        self.right += c
        self.all_right += c == n
        self.all_wrong += c == 0
        rewards = [each.reward for each in judged if each.reward is not None]
        self._add_rewards(rewards, len({each.outcome for each in judged}) == 1)
        for k, passes, collapses in _chances(n, c):
            _add(self.passes, k, passes)
            if k > 1:
                _add(self.collapses, k, collapses)
        for k in SIZES:
            if k > len(rewards):
                break
            _add(self.bests, k, best_at_k(rewards, k))
        if equal is not None:
            self._add_vote(own, equal)

    def _add_rewards(self, rewards: list[float], same_outcome: bool) -> None:
        values = sorted(set(rewards))
        self.distinct += len(values)
        self.flat_rewards += len(values) < 2
        self.shaped_only += same_outcome and len(values) > 1
        steps = [after - before for before, after in pairwise(values)]
        if steps and (self.smallest_step is None or min(steps) < self.smallest_step):
            self.smallest_step = min(steps)
        if rewards:
            mean = fsum(rewards) / len(rewards)
            self.variance += fsum((value - mean) ** 2 for value in rewards) / len(rewards)

    def _add_vote(self, own: Sequence[Candidate], equal: Callable[[str, str], bool]) -> None:
        outcome = vote([each.answer for each in own], equal)
        self.votes += 1
        self.ties += outcome.tied
        if not outcome.votes:
            return
        # A tie counts by the share of its winners that are right, so that the order does not matter.
        first = [members[0] for members, votes in zip(outcome.classes, outcome.votes, strict=True)
                 if votes == outcome.votes[0]]  # fmt: skip
        self.votes_right += sum(own[each].right for each in first) / len(first)


def group_statistics(
    groups: Iterable[Sequence[Candidate]], equal: Callable[[str, str], bool] | None = None
) -> GroupStatistics:
    """Return the figures of groups.

    Args:
        groups: The completions of each prompt.
        equal: Whether two answers are one, for the majority vote; without it there is none.

    >>> figures = group_statistics([[Candidate("a", 1.0, 1.0), Candidate("b", 0.0, 0.0)]])
    >>> figures.mean(figures.passes, 1), figures.mean(figures.passes, 2), figures.distinct
    (0.5, 1.0, 2)
    """
    figures = GroupStatistics()
    for group in groups:
        figures.add(group, equal)
    return figures


@lru_cache(maxsize=100_000)
def _chances(n: int, c: int) -> tuple[tuple[int, float, float], ...]:
    """Return pass@k and the probability of a collapse for each k, where `c` of `n` completions are right."""
    return tuple((k, pass_at_k(n, c, k), collapse_probability(n, c, k)) for k in SIZES if k <= n)


def _add(sums: dict[int, list[float]], k: int, value: float) -> None:
    entry = sums.setdefault(k, [0.0, 0.0, 0.0])
    entry[0] += value
    entry[1] += 1
    entry[2] += value * value
