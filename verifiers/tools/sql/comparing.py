"""Whether two results are the same: as bags of rows, as sets, or as lists."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

Row = tuple[Any, ...]
MOST_PAIRED = 300
"""Rows that are paired one by one where numbers agree within a tolerance only."""
MOST_ORDERS = 200
"""Orders of columns that are tried."""


class Rows(NamedTuple):
    """A result.

    Args:
        columns: How many.
        rows: In order.
    """

    columns: int
    rows: Sequence[Row]


def difference(
    found: Rows,
    expected: Rows,
    *,
    in_order: bool,
    as_set: bool,
    any_columns: bool,
    tolerance: float,
) -> tuple[str, str]:
    """The code and a sentence for how a result differs; two empty texts where it does not.

    Args:
        found: What came.
        expected: What should.
        in_order: Whether the order of rows counts.
        as_set: Whether rows count once however often they stand there.
        any_columns: Whether columns may come in another order.
        tolerance: Of numbers of which one has a point: absolute, and relative to the larger one.
    """
    if found.columns != expected.columns:
        return "wrong_columns", f"{expected.columns} columns are expected, {found.columns} found"
    rows, wanted = list(found.rows), list(expected.rows)
    if as_set:
        rows, wanted = list(dict.fromkeys(rows)), list(dict.fromkeys(wanted))
    if len(rows) != len(wanted):
        more = "more" if len(rows) > len(wanted) else f"{len(rows)}"
        return "wrong_rows", f"{len(wanted)} rows are expected, {more} found"
    for order in _orders(rows, wanted, found.columns, tolerance) if any_columns else [None]:
        moved = rows if order is None else [tuple(row[column] for column in order) for row in rows]
        if in_order and all(
            _same_row(one, other, tolerance) for one, other in zip(moved, wanted, strict=True)
        ):
            return "", ""
        if not in_order and _same_bag(moved, wanted, tolerance):
            return "", ""
    if in_order and not any_columns and _same_bag(rows, wanted, tolerance):
        return "wrong_order", "the right rows in another order"
    missing = next(iter((Counter(wanted) - Counter(rows)).elements()), None)
    return "wrong_rows", f"there is no row {missing!r:.200}" if missing is not None else "other rows"


def same_value(one: Any, other: Any, tolerance: float) -> bool:
    """Whether two values of SQLite are the same: NULL is NULL, 1 is 1.0, and '1' is a text.

    >>> same_value(None, None, 0), same_value(1, 1.0, 0), same_value("1", 1, 0)
    (True, True, False)
    """
    if isinstance(one, int | float) and isinstance(other, int | float):
        if one == other or (isinstance(one, int) and isinstance(other, int)):
            return one == other
        return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
    return type(one) is type(other) and bool(one == other)


def _same_row(one: Row, other: Row, tolerance: float) -> bool:
    return all(same_value(a, b, tolerance) for a, b in zip(one, other, strict=True))


def _same_bag(rows: Sequence[Row], wanted: Sequence[Row], tolerance: float) -> bool:
    left, right = Counter(rows), Counter(wanted)
    one, other = list((left - right).elements()), list((right - left).elements())
    if len(one) != len(other):
        return False
    if not one:
        return True
    # Only rows that are equal but for their numbers can still be the same.
    groups: dict[Row, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for side, each in enumerate((one, other)):
        for row in each:
            groups[_without_numbers(row)][side].append(row)
    return all(_paired(*sides, tolerance) for sides in groups.values())


def _without_numbers(row: Row) -> Row:
    return tuple(("number",) if isinstance(value, int | float) else value for value in row)


def _paired(one: list[Row], other: list[Row], tolerance: float) -> bool:
    """Whether rows can be paired so that those of a pair are the same."""
    if len(one) != len(other):
        return False
    one, other = sorted(one, key=_by_numbers), sorted(other, key=_by_numbers)
    if all(_same_row(a, b, tolerance) for a, b in zip(one, other, strict=True)):
        return True
    if len(one) > MOST_PAIRED:
        return False
    fits = [[place for place, b in enumerate(other) if _same_row(a, b, tolerance)] for a in one]
    taken: dict[int, int] = {}

    def place_for(row: int, tried: set[int]) -> bool:
        for place in fits[row]:
            if place not in tried:
                tried.add(place)
                if place not in taken or place_for(taken[place], tried):
                    taken[place] = row
                    return True
        return False

    return all(place_for(row, set()) for row in range(len(one)))


def _by_numbers(row: Row) -> tuple[float, ...]:
    return tuple(float(value) for value in row if isinstance(value, int | float))


def _orders(
    rows: Sequence[Row], wanted: Sequence[Row], columns: int, tolerance: float
) -> Iterator[list[int]]:
    """Orders of columns in which each column holds what it should; at most `MOST_ORDERS`."""
    bags = [[(row[column],) for row in rows] for column in range(columns)]
    fits = [
        [
            column
            for column in range(columns)
            if _same_bag(bags[column], [(row[at],) for row in wanted], tolerance)
        ]
        for at in range(columns)
    ]
    given = 0
    stack: list[list[int]] = [[]]
    while stack and given < MOST_ORDERS:
        order = stack.pop()
        if len(order) == columns:
            given += 1
            yield order
            continue
        stack += [[*order, column] for column in reversed(fits[len(order)]) if column not in order]
