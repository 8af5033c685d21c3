"""Sets of real numbers as intervals in order: unions, differences and inequalities in one form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from .ball_comparison import approximate
from .exact_values import TooLargeError
from .formula_equality import decide
from .formula_tree import Apply, Node, Number, Product, Sum, Symbol, inverse, negative, symbols
from .polynomials import linear
from .shapes import Chain, Combined, Infinity, Items, Named, Numbers, Relation, Shape, Value, bare

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


def region(shape: Shape) -> Region | None:
    r"""The set of real numbers that a shape is; None if it is not one, or not for certain.

    >>> from ..read.statements import read
    >>> region(read(r"x \neq 3")) == region(read(r"(-\infty, 3) \cup (3, \infty)"))
    True
    """
    try:
        return _region(shape) if len(subjects(shape)) <= 1 else None
    except (UnsureError, TooLargeError):
        return None


def same(one: Region, other: Region) -> bool | None:
    """Whether two sets are one."""
    if len(one) != len(other):
        return False
    try:
        return all(
            _order(left.low, right.low) == 0
            and _order(left.high, right.high) == 0
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
        return _folded(operation, parts)
    except UnsureError:
        return None


def _region(shape: Shape) -> Region | None:
    if isinstance(shape, Named):
        inner = shape.shape
        if shape.sign == "in":
            return _region(inner)
        return (_point(inner),) if shape.variable and isinstance(inner, Value) else None
    if isinstance(shape, Numbers):
        return {"R": EVERYTHING, "": ()}.get(shape.name)
    if isinstance(shape, Items):
        return _interval(shape) if shape.kind not in ("list", "{}") else _points(shape.items)
    if isinstance(shape, Relation):
        return _solution(shape)
    if isinstance(shape, Chain):
        pairs = zip(shape.signs, shape.sides, shape.sides[1:], strict=False)
        parts = [_solution(Relation(sign, left, right)) for sign, left, right in pairs]
        return _folded("and", parts) if len(_unknowns(shape.sides)) <= 1 else None
    if isinstance(shape, Combined):
        if shape.operation == "and" and any(isinstance(bare(part), Numbers) for part in shape.parts):
            return _whole_numbers(shape.parts)
        return _folded(shape.operation, [_region(part) for part in shape.parts])
    return None


def subjects(shape: Shape) -> set[str]:
    """The unknowns that a condition is about: x < -1 or y > 3 is not a set of numbers."""
    if isinstance(shape, Relation):
        return _unknowns((shape.left, shape.right))
    if isinstance(shape, Chain):
        return _unknowns(shape.sides)
    if isinstance(shape, Combined):
        return {name for part in shape.parts for name in subjects(part)}
    return {shape.name} - {"@element"} if isinstance(shape, Named) else set()


def _whole_numbers(parts: Sequence[Shape]) -> Region | None:
    """The whole numbers of a set that is bounded; None where there are too many."""
    least = {"Z": -math.inf, "N": 1}
    names = [bare(part) for part in parts if isinstance(bare(part), Numbers)]
    others = [part for part in parts if not isinstance(bare(part), Numbers)]
    if len(names) != 1 or not isinstance(names[0], Numbers) or names[0].name not in least or not others:
        return None
    rest = _folded("and", [_region(part) for part in others])
    if rest is None:
        return None
    found = []
    for part in rest:
        low, high = max(part.low.position, least[names[0].name]), part.high.position
        if math.isinf(low) or high - low > MAX_PARTS:
            return None
        for number in range(math.floor(low), math.ceil(high) + 1):
            end = End(float(number), Number(Fraction(number)))
            above = _order(part.low, end) < (1 if part.low_closed else 0)
            below = _order(end, part.high) < (1 if part.high_closed else 0)
            if number >= low and above and below:
                found.append(Interval(end, end, True, True))
    return _union(found)


def _folded(operation: str, parts: Sequence[Region | None]) -> Region | None:
    total, *rest = parts
    for part in rest:
        if total is None or part is None:
            return None
        if operation == "or":
            total = _union((*total, *part))
        elif operation == "and":
            total = _complement(_union((*_complement(total), *_complement(part))))
        else:
            total = _complement(_union((*_complement(total), *part)))
    return total


def _unknowns(sides: Sequence[Shape]) -> set[str]:
    return {name for side in sides if isinstance(side, Value) for name in symbols(side.node)} - {"@element"}


def _end(shape: Shape) -> End:
    if isinstance(shape, Infinity):
        return End(shape.sign * math.inf)
    position = approximate(shape.node) if isinstance(shape, Value) else None
    if position is None or not isinstance(shape, Value):
        raise UnsureError
    return End(position, shape.node)


def _point(value: Shape) -> Interval:
    end = _end(value)
    return Interval(end, end, True, True)


def _points(items: Sequence[Shape]) -> Region:
    return _union([_point(item) for item in items])


def _interval(shape: Items) -> Region | None:
    if len(shape.items) != 2:
        return None
    low, high = map(_end, shape.items)
    if _order(low, high) >= 0 and shape.kind != "[]":
        return None
    return (Interval(low, high, shape.kind[0] == "[", shape.kind[1] == "]"),)


def _order(one: End, other: End) -> int:
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


def _union(parts: Sequence[Interval]) -> Region:
    if len(parts) > MAX_PARTS:
        raise UnsureError
    found: list[Interval] = []
    for part in sorted(parts, key=lambda each: (each.low.position, not each.low_closed)):
        if not found:
            found.append(part)
            continue
        last = found[-1]
        meeting = _order(part.low, last.high)
        if meeting > 0 or (meeting == 0 and not part.low_closed and not last.high_closed):
            found.append(part)
            continue
        further = _order(part.high, last.high)
        high = part if further > 0 else last
        closed = (part.high_closed or last.high_closed) if further == 0 else high.high_closed
        low_closed = last.low_closed or (part.low_closed and _order(part.low, last.low) == 0)
        found[-1] = Interval(last.low, high.high, low_closed, closed)
    return tuple(found)


def _complement(of: Region) -> Region:
    found = []
    low, closed = End(-math.inf), False
    for part in of:
        if part.low.position != -math.inf:
            found.append(Interval(low, part.low, closed, not part.low_closed))
        low, closed = part.high, not part.high_closed
    if low.position != math.inf:
        found.append(Interval(low, End(math.inf), closed, False))
    return tuple(found)


def _solution(relation: Relation) -> Region | None:
    """What fulfils a relation in one unknown that is linear, or the absolute value of something linear."""
    left, right = relation.left, relation.right
    if isinstance(left, Infinity) or isinstance(right, Infinity):
        return EVERYTHING if relation.sign == "<" else None
    if not isinstance(left, Value) or not isinstance(right, Value):
        return None
    for side, other, lower in ((left, right, True), (right, left, False)):
        if symbols(other.node):
            continue
        if isinstance(side.node, Symbol):
            return _half_line(relation.sign, _end(other), lower)
        if isinstance(side.node, Apply) and side.node.function == "abs":
            return _absolute(relation.sign, side.node.arguments[0], other.node, lower)
    line = linear(Sum((left.node, negative(right.node))))
    if line is None:
        return None
    _, slope, rest = line
    bound = -rest / slope
    end = End(float(Fraction(int(bound.p), int(bound.q))), Number(Fraction(int(bound.p), int(bound.q))))
    return _half_line(relation.sign, end, bool(slope > 0))


def _half_line(sign: str, end: End, lower: bool) -> Region | None:
    """``x < end``, or with `lower` False ``end < x``; equations are not regions."""
    if sign == "=":
        return None
    if sign == "!=":
        return _complement((Interval(end, end, True, True),))
    closed = sign == "<="
    if lower:
        return (Interval(End(-math.inf), end, False, closed),)
    return (Interval(end, End(math.inf), closed, False),)


def _absolute(sign: str, inner: Node, bound: Node, lower: bool) -> Region | None:
    """``|inner| < bound``, or with `lower` False ``bound < |inner|``."""
    line = linear(inner)
    if line is None or sign not in ("<", "<="):
        return None
    _, slope, rest = line
    if _order(_end(Value(bound)), End(0.0, Number(Fraction(0)))) <= 0:
        return None
    coefficient, shift = (Number(Fraction(int(each.p), int(each.q))) for each in (slope, rest))
    ends = [
        _end(Value(Product((Sum((each, negative(shift))), inverse(coefficient)))))
        for each in (negative(bound), bound)
    ]
    low, high = sorted(ends, key=lambda end: end.position)
    closed = sign == "<="
    if lower:
        return (Interval(low, high, closed, closed),)
    return _complement((Interval(low, high, not closed, not closed),))
