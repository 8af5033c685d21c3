"""Which rows of two sides belong together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .sides import Record


class Pairs(NamedTuple):
    """The rows of a unit side by side.

    Args:
        both: Pairs.
        first: Rows that only the first side has.
        second: Rows that only the second side has.
        same: Whether none of these, nor a pair, may be the same row with another completion.
    """

    both: list[tuple[Record, Record]]
    first: Sequence[Record]
    second: Sequence[Record]
    same: bool


class Unit:
    """The rows of one key: those of a prompt, or one row where each has a key of its own.

    Args:
        key: What they have in common.
    """

    __slots__ = ("first", "key", "second")

    def __init__(self, key: int) -> None:
        self.key = key
        self.first: list[Record] = []
        self.second: list[Record] = []

    @property
    def prompt(self) -> int:
        """What an interval counts: the prompt, where rows have one."""
        return (self.first or self.second)[0].prompt or self.key

    def pairs(self) -> Pairs:
        """Rows with the same completion, in the order of lines; else the only two there are."""
        if len(self.first) == 1 and len(self.second) == 1:
            before, after = self.first[0], self.second[0]
            return Pairs([(before, after)], (), (), before.completion == after.completion)
        waiting: defaultdict[int, list[Record]] = defaultdict(list)
        for record in reversed(self.second):
            waiting[record.completion].append(record)
        pairs, alone = [], []
        for record in self.first:
            others = waiting.get(record.completion)
            if others:
                pairs.append((record, others.pop()))
            else:
                alone.append(record)
        rest = [record for records in waiting.values() for record in records]
        return Pairs(pairs, alone, rest, not (alone and rest))


def units(first: Iterable[Record], second: Iterable[Record]) -> Iterator[Unit]:
    """The units of a partition, in an order that does not depend on that of the rows."""
    found: dict[int, Unit] = {}
    for record in first:
        unit = found.get(record.key)
        if unit is None:
            unit = found[record.key] = Unit(record.key)
        unit.first.append(record)
    for record in second:
        unit = found.get(record.key)
        if unit is None:
            unit = found[record.key] = Unit(record.key)
        unit.second.append(record)
    for key in sorted(found):
        yield found[key]
