"""Rewards that look at all completions of a prompt: ranks, win rates, duplicates, diversity.

The completions of a prompt follow one another; `Batch.groups` says how they are told apart. Rows that
could not be judged stay None and are not opponents.
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from reward_verifiers.verifiers.core import Range, TextPart
from reward_verifiers.verifiers.language.normalization import clean

from .tree.batch import Batch
from .tree.payment import Payment
from .tree.reward import REWARDS, Reward, check_names
from .tree.sums import operand

MAX_COMPARED = 20_000
"""Characters of a completion that are looked at for likeness: work grows with the square of the group."""


@dataclass(frozen=True, repr=False)
class _Compared(Reward):
    """A value for each scored completion of a group from the values of all."""

    compares_groups: ClassVar[bool] = True

    reward: Reward

    def __post_init__(self) -> None:
        super().__post_init__()
        check_names(self.parts())

    @property
    def is_part(self) -> bool:
        return True

    def children(self) -> tuple[Reward, ...]:
        return (self.reward,)

    def pay(self, batch: Batch) -> list[Payment]:
        parts = batch.pay(self.reward)
        paid = [part.under(self.name, None, logged=True) for part in parts]
        for rows in batch.groups:
            scored = [(row, value) for row in rows if (value := parts[row].value) is not None]
            values = self._values([value for _, value in scored])
            note = f"among {len(scored)}, by"
            for (row, _), value in zip(scored, values, strict=True):
                paid[row] = Payment(self.name, value, (parts[row],), None, note, True)
        return paid

    def _values(self, values: Sequence[float]) -> list[float]:
        raise NotImplementedError

    def describe(self) -> str:
        return f"{type(self).__name__}({operand(self.reward)})"


@REWARDS.register
@dataclass(frozen=True, repr=False)
class Rank(_Compared):
    """Reward the rank in the group: 1 for the best, 0 for the worst, evenly spaced whatever the distances.

    Equal values share a rank. If all values are equal, all get 0.

    >>> from rewards import LengthTarget
    >>> Rank(LengthTarget(0))(["a", "bb", "bb", "c" * 99], group_size=4)
    [1.0, 0.5, 0.5, 0.0]
    """

    def _values(self, values: Sequence[float]) -> list[float]:
        places = {value: place for place, value in enumerate(sorted(set(values)))}
        last = max(len(places) - 1, 1)
        return [places[value] / last for value in values]


@REWARDS.register
@dataclass(frozen=True, repr=False)
class WinRate(_Compared):
    """Reward the share of the group's other completions that this one beats; a tie is half a win.

    A completion without opponents gets 0.5.

    >>> from rewards import LengthTarget
    >>> WinRate(LengthTarget(0))(["a", "bb", "bb", "c" * 99, "alone"], prompts=list("ppppq"))
    [1.0, 0.5, 0.5, 0.0, 0.5]
    """

    def _values(self, values: Sequence[float]) -> list[float]:
        if len(values) < 2:
            return [0.5] * len(values)
        ordered = sorted(values)
        wins = []
        for value in values:
            below = bisect.bisect_left(ordered, value)
            ties = bisect.bisect_right(ordered, value) - below - 1
            wins.append((below + ties / 2) / (len(values) - 1))
        return wins


@dataclass(frozen=True, repr=False)
class _Alike(Reward):
    """A value from how much a completion is like the others of its group."""

    compares_groups: ClassVar[bool] = True

    def pay(self, batch: Batch) -> list[Payment]:
        texts = list(batch.texts(self._of()))
        paid = [Payment(self.name, None, (), None, "not text", True)] * len(texts)
        for rows in batch.groups:
            known = [(row, clean(text[:MAX_COMPARED]).casefold()) for row in rows
                     if (text := texts[row]) is not None]  # fmt: skip
            for (row, _), value in zip(known, self._values([text for _, text in known]), strict=True):
                paid[row] = Payment(self.name, value, (), None, f"among {len(known)}", True)
        return paid

    def _of(self) -> str:
        raise NotImplementedError

    def _values(self, texts: Sequence[str]) -> list[float]:
        raise NotImplementedError


@REWARDS.register
@dataclass(frozen=True, repr=False)
class DuplicatePenalty(_Alike):
    """Penalise copies: ``-size`` times the share of the group's other completions with the same text.

    Case and white space do not matter.

    Args:
        size: Penalty for a completion that all others repeat.
        of: Compared text: the ``response``, the ``thinking``, or the whole ``completion``.

    Raises:
        ConfigError: size is not above 0.

    >>> DuplicatePenalty()(["It is 4.", "it is  4.", "Four!"], group_size=3)
    [-0.5, -0.5, 0.0]
    """

    size: Annotated[float, Range(above=0)] = 1.0
    of: TextPart = "completion"

    def _of(self) -> str:
        return self.of

    def _values(self, texts: Sequence[str]) -> list[float]:
        counts = Counter(texts)
        others = max(len(texts) - 1, 1)
        return [-self.size * (counts[text] - 1) / others if counts[text] > 1 else 0.0 for text in texts]


@REWARDS.register
@dataclass(frozen=True, repr=False)
class Diversity(_Alike):
    """Reward a completion for being unlike its group: 1 minus its mean overlap with the others.

    The overlap is the Jaccard similarity of their n-grams of words. Reward diversity for right answers only;
    otherwise wrong answers earn by being different.

    Args:
        n: Words per n-gram.
        of: Compared text: the ``response``, the ``thinking``, or the whole ``completion``.

    Raises:
        ConfigError: n is below 1.

    >>> Diversity(1)(["a b", "a c"], group_size=2)
    [0.6666666666666667, 0.6666666666666667]
    """

    n: Annotated[int, Range(least=1)] = 2
    of: TextPart = "completion"

    def _of(self) -> str:
        return self.of

    def _values(self, texts: Sequence[str]) -> list[float]:
        grams = [self._grams(text) for text in texts]
        if len(grams) < 2:
            return [0.0] * len(grams)
        likeness = [0.0] * len(grams)
        for one in range(len(grams)):
            for other in range(one):
                union = len(grams[one] | grams[other])
                alike = len(grams[one] & grams[other]) / union if union else 1.0
                likeness[one] += alike
                likeness[other] += alike
        return [1.0 - total / (len(grams) - 1) for total in likeness]

    def _grams(self, text: str) -> set[tuple[str, ...]]:
        words = text.split()
        if len(words) < self.n:
            return {tuple(words)} if words else set()
        return {tuple(words[start : start + self.n]) for start in range(len(words) - self.n + 1)}
