"""How parts judged the rows of a partition, as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .sides import Column, Judged

WRONG, RIGHT, UNJUDGED = 0, 1, 2


def state(value: float | None) -> int:
    """Of a score: right from 1 on.

    >>> state(0.5) == WRONG, state(1.0) == RIGHT, state(None) == UNJUDGED
    (True, True, True)
    """
    return UNJUDGED if value is None else RIGHT if value >= 1.0 else WRONG


@dataclass(frozen=True, slots=True)
class PartColumns:
    """Of one part, for each judgement of a table, or each row.

    Args:
        there: Whether it has the part.
        value: What the part gave; not a number where it could not judge.
        state: Of it; see `state`.
        reason: Its number.
    """

    there: Column
    value: Column
    state: Column
    reason: Column

    def at(self, places: Column) -> PartColumns:
        """For rows that are judged as these places of the table say."""
        return PartColumns(self.there[places], self.value[places], self.state[places], self.reason[places])


class Judgements:
    """A table of judgements as columns for each part.

    Args:
        table: Different judgements, each by all parts of a row.
        renamed: Numbers that parts have here; None where they have their own.
    """

    def __init__(self, table: Sequence[tuple[Judged, ...]], renamed: Mapping[int, int] | None = None) -> None:
        import numpy

        self._columns: dict[int, PartColumns] = {}
        for place, judged in enumerate(table):
            for own, value, reason in judged:
                number = own if renamed is None else renamed[own]
                columns = self._columns.get(number)
                if columns is None:
                    columns = self._columns[number] = PartColumns(
                        numpy.zeros(len(table), bool),
                        numpy.full(len(table), numpy.nan),
                        numpy.full(len(table), UNJUDGED, "<u4"),
                        numpy.zeros(len(table), "<u4"),
                    )
                columns.there[place] = True
                columns.value[place] = numpy.nan if value is None else value
                columns.state[place] = state(value)
                columns.reason[place] = reason

    @property
    def numbers(self) -> set[int]:
        """Of the parts."""
        return set(self._columns)

    def of(self, number: int) -> PartColumns:
        """The columns of a part."""
        return self._columns[number]
