"""Sets of real numbers as intervals from left to right, and what unions and differences make of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..formula_equality import decide
from ..formula_tree import Node

MAX_PARTS = 100
"""Most intervals of one set."""
_NEAR = 1e-9
"""Ends nearer than this, relatively, are compared exactly."""


@dataclass(frozen=True, slots=True)
class End:
    """An end of an interval: where it is, roughly and exactly (None at infinity)."""

    position: float
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers between two ends, and an end itself where it is closed."""

    low: End
    high: End
    low_closed: bool
    high_closed: bool


Region = tuple[Interval, ...]
"""Intervals from left to right that neither overlap nor touch."""
EVERYTHING: Region = (Interval(End(-math.inf), End(math.inf), False, False),)
"""All real numbers."""


class UnsureError(Exception):
    """Two ends are too near to be told apart, or an end is not a number."""


def same(one: Region, other: Region) -> bool | None:
    """Whether two sets are one."""
    if len(one) != len(other):
        return False
    try:
        return all(
            order(left.low, right.low) == 0
            and order(left.high, right.high) == 0
            and (left.low_closed, left.high_closed) == (right.low_closed, right.high_closed)
            for left, right in zip(one, other, strict=True)
        )
    except UnsureError:
        return None


def union(parts: Sequence[Region]) -> Region | None:
    """The numbers in any of some sets; None if their ends cannot be told apart."""
    return _tried("or", ((), *parts))


def intersection(one: Region, other: Region) -> Region | None:
    """The numbers in both sets; None if their ends cannot be told apart."""
    return _tried("and", (one, other))


def difference(one: Region, other: Region) -> Region | None:
    """The numbers in the first set alone; None if their ends cannot be told apart."""
    return _tried("without", (one, other))


def _tried(operation: str, parts: Sequence[Region]) -> Region | None:
    try:
        return folded(operation, parts)
    except UnsureError:
        return None


def folded(operation: str, parts: Sequence[Region | None]) -> Region | None:
    """Sets under one operation ("or", "and", "without"); None if one of them is unknown.

    Raises:
        UnsureError: Their ends cannot be told apart, or the set has too many parts.
    """
    total, *rest = parts
    for part in rest:
        if total is None or part is None:
            return None
        if operation == "or":
            total = united((*total, *part))
        elif operation == "and":
            total = complement(united((*complement(total), *complement(part))))
        else:
            total = complement(united((*complement(total), *part)))
    return total


def order(one: End, other: End) -> int:
    """-1, 0 or 1 as one end is left of the other, the same, or right of it."""
    if one.position == other.position and one.node is None:
        return 0
    infinite = math.isinf(one.position) or math.isinf(other.position)
    if infinite or abs(one.position - other.position) > _NEAR * max(
        1.0, abs(one.position), abs(other.position)
    ):
        return -1 if one.position < other.position else 1
    if one.node is None or other.node is None:
        raise UnsureError
    reason = decide(one.node, other.node)
    if reason is None:
        raise UnsureError
    if reason != "proved_unequal":
        return 0
    if one.position == other.position:
        raise UnsureError
    return -1 if one.position < other.position else 1


def united(parts: Sequence[Interval]) -> Region:
    """All numbers in any of some intervals.

    Raises:
        UnsureError: Their ends cannot be told apart, or there are too many.
    """
    if len(parts) > MAX_PARTS:
        raise UnsureError
    found: list[Interval] = []
    for part in sorted(parts, key=lambda each: (each.low.position, not each.low_closed)):
        if not found:
            found.append(part)
            continue
        last = found[-1]
        meeting = order(part.low, last.high)
        if meeting > 0 or (meeting == 0 and not part.low_closed and not last.high_closed):
            found.append(part)
            continue
        further = order(part.high, last.high)
        high = part if further > 0 else last
        closed = (part.high_closed or last.high_closed) if further == 0 else high.high_closed
        low_closed = last.low_closed or (part.low_closed and order(part.low, last.low) == 0)
        found[-1] = Interval(last.low, high.high, low_closed, closed)
    return tuple(found)


def complement(of: Region) -> Region:
    """All other real numbers."""
    found = []
    low, closed = End(-math.inf), False
    for part in of:
        if part.low.position != -math.inf:
            found.append(Interval(low, part.low, closed, not part.low_closed))
        low, closed = part.high, not part.high_closed
    if low.position != math.inf:
        found.append(Interval(low, End(math.inf), closed, False))
    return tuple(found)
