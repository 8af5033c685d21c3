"""Sets of real numbers as intervals in order: unions, differences, inequalities that they solve."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..runtime.records import dataclass
from .answer_shapes import Chain, Combined, Infinity, Items, Named, Numbers, Relation, Shape, Value, bare
from .ball_comparison import approximate
from .exact_values import TooLargeError
from .formula_equality import decide
from .formula_tree import Apply, Node, Number, Power, Product, Root, Sum, Symbol, inverse, negative, symbols
from .polynomials import linear, real_factors

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


def same_region(one: Region, other: Region) -> bool | None:
    """Return whether two sets are one."""
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


_TWO = Fraction(2)


def end_at(shape: Shape) -> End:
    """A value or an infinity as an end of an interval.

    Raises:
        UnsureError: It is no real number.
    """
    if isinstance(shape, Infinity):
        return End(shape.sign * math.inf)
    position = approximate(shape.node) if isinstance(shape, Value) else None
    if position is None or not isinstance(shape, Value):
        raise UnsureError
    return End(position, shape.node)


def point(value: Shape) -> Interval:
    """The interval that holds one number alone.

    Raises:
        UnsureError: It is no real number.
    """
    end = end_at(value)
    return Interval(end, end, True, True)


def solution(relation: Relation) -> Region | None:
    """The real numbers that fulfil a relation in one unknown; None where that is not certain.

    Raises:
        UnsureError: Two ends are too near to be told apart.
        TooLargeError: Its polynomials would be larger than the limits allow.
    """
    left, right = relation.left, relation.right
    if isinstance(left, Infinity) or isinstance(right, Infinity):
        return EVERYTHING if relation.sign == "<" else None
    if not isinstance(left, Value) or not isinstance(right, Value):
        return None
    for side, other, lower in ((left, right, True), (right, left, False)):
        if symbols(other.node):
            continue
        if isinstance(side.node, Symbol):
            return _half_line(relation.sign, end_at(other), lower)
        if isinstance(side.node, Apply) and side.node.function == "abs":
            return _absolute(relation.sign, side.node.arguments[0], other.node, lower)
    return _where(relation.sign, Sum((left.node, negative(right.node))))


def _half_line(sign: str, end: End, lower: bool) -> Region:
    """``x < end``, or with `lower` False ``end < x``."""
    at = Interval(end, end, True, True)
    if sign == "=":
        return (at,)
    if sign == "!=":
        return complement((at,))
    closed = sign == "<="
    if lower:
        return (Interval(End(-math.inf), end, False, closed),)
    return (Interval(end, End(math.inf), closed, False),)


def _absolute(sign: str, inner: Node, bound: Node, lower: bool) -> Region | None:
    """``|inner| < bound``, or with `lower` False ``bound < |inner|``, where the bound is positive."""
    line = linear(inner)
    if line is None or order(end_at(Value(bound)), End(0.0, Number(Fraction(0)))) <= 0:
        return None
    _, slope, rest = line
    coefficient, shift = (Number(Fraction(int(each.p), int(each.q))) for each in (slope, rest))
    ends = [
        end_at(Value(Product((Sum((each, negative(shift))), inverse(coefficient)))))
        for each in (negative(bound), bound)
    ]
    low, high = sorted(ends, key=lambda end: end.position)
    both = (Interval(low, low, True, True), Interval(high, high, True, True))
    if sign in ("=", "!="):
        return both if sign == "=" else complement(both)
    closed = sign == "<="
    if lower:
        return (Interval(low, high, closed, closed),)
    return complement((Interval(low, high, not closed, not closed),))


def _where(sign: str, node: Node) -> Region | None:
    """Return where a rational function of one unknown is negative (``<``), zero, or either.

    Between its zeros and poles its sign is that of one point; they are known exactly as long as its real
    factors are linear or quadratic.
    """
    factors = real_factors(node)
    if factors is None:
        return None
    value, zeros, poles = factors
    roots = [(root, False) for each in zeros for root in _roots(each)]
    roots += [(root, True) for each in poles for root in _roots(each)]
    roots.sort(key=lambda each: each[0].position)
    for (one, _), (other, _) in itertools.pairwise(roots):
        if order(one, other) == 0:
            raise UnsureError
    at_zeros = tuple(Interval(root, root, True, True) for root, pole in roots if not pole)
    holes = tuple(Interval(root, root, True, True) for root, _ in roots)
    if sign in ("=", "!="):
        return at_zeros if sign == "=" else complement(holes)
    ends = [End(-math.inf), *(root for root, _ in roots), End(math.inf)]
    parts = [
        Interval(low, high, False, False)
        for low, high in itertools.pairwise(ends)
        if value(_between(low, high)) < 0
    ]
    return united([*parts, *(at_zeros if sign == "<=" else ())])


def _between(low: End, high: End) -> Fraction:
    """A number inside an interval."""
    if math.isinf(low.position) and math.isinf(high.position):
        return Fraction(0)
    if math.isinf(low.position):
        return Fraction(high.position) - 1
    if math.isinf(high.position):
        return Fraction(low.position) + 1
    return (Fraction(low.position) + Fraction(high.position)) / 2


def _roots(coefficients: Sequence[Any]) -> list[End]:
    """The real roots of an irreducible polynomial, whose coefficients are given from the constant one up.

    Raises:
        UnsureError: Its degree is more than two.
    """
    numbers = [Fraction(int(each.p), int(each.q)) for each in coefficients]
    if len(numbers) == 2:
        return [end_at(Value(Number(-numbers[0] / numbers[1])))]
    if len(numbers) != 3:
        raise UnsureError
    constant, slope, leading = numbers
    discriminant = slope * slope - 4 * leading * constant
    if discriminant < 0:
        return []
    middle, root = Number(-slope / (_TWO * leading)), Root(Number(discriminant), 2)
    spread = Product((root, Power(Number(_TWO * leading), Number(Fraction(-1)))))
    return [end_at(Value(Sum((middle, each)))) for each in (negative(spread), spread)]


def region(shape: Shape) -> Region | None:
    r"""The set of real numbers that a shape is; None if it is not one, or not for certain.

    >>> from verifiers.reading.statements import read
    >>> region(read(r"x \neq 3")) == region(read(r"(-\infty, 3) \cup (3, \infty)"))
    True
    """
    try:
        return _region(shape) if len(subjects(shape)) <= 1 else None
    except (UnsureError, TooLargeError):
        return None


def solutions(equation: Relation) -> Region | None:
    """The real numbers that solve an equation in one unknown; None where they are not known for certain."""
    try:
        return solution(equation) if len(subjects(equation)) == 1 else None
    except (UnsureError, TooLargeError):
        return None


def points(shape: Shape) -> Region | None:
    """The numbers that an answer lists, as one set; None if it holds anything else."""
    inner = bare(shape)
    items = inner.items if isinstance(inner, Items) and inner.kind in ("list", "{}") else (inner,)
    try:
        return _points([bare(item) for item in items])
    except UnsureError:
        return None


def _region(shape: Shape) -> Region | None:
    if isinstance(shape, Named):
        inner = shape.shape
        if shape.sign == "in":
            return _region(inner)
        return (point(inner),) if shape.variable and isinstance(inner, Value) else None
    if isinstance(shape, Numbers):
        return {"R": EVERYTHING, "": ()}.get(shape.name)
    if isinstance(shape, Items):
        return _interval(shape) if shape.kind not in ("list", "{}") else _points(shape.items)
    if isinstance(shape, Relation):
        return solution(shape) if shape.sign != "=" else None
    if isinstance(shape, Chain):
        pairs = zip(shape.signs, shape.sides, shape.sides[1:], strict=False)
        parts = [solution(Relation(sign, left, right)) for sign, left, right in pairs]
        return folded("and", parts) if len(_unknowns(shape.sides)) <= 1 else None
    if isinstance(shape, Combined):
        if shape.operation == "and" and any(isinstance(bare(part), Numbers) for part in shape.parts):
            return _whole_numbers(shape.parts)
        return folded(shape.operation, [_region(part) for part in shape.parts])
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
    rest = folded("and", [_region(part) for part in others])
    if rest is None:
        return None
    found = []
    for part in rest:
        low, high = max(part.low.position, least[names[0].name]), part.high.position
        if math.isinf(low) or high - low > MAX_PARTS:
            return None
        for number in range(math.floor(low), math.ceil(high) + 1):
            end = End(float(number), Number(Fraction(number)))
            above = order(part.low, end) < (1 if part.low_closed else 0)
            below = order(end, part.high) < (1 if part.high_closed else 0)
            if number >= low and above and below:
                found.append(Interval(end, end, True, True))
    return united(found)


def _unknowns(sides: Sequence[Shape]) -> set[str]:
    return {name for side in sides if isinstance(side, Value) for name in symbols(side.node)} - {"@element"}


def _points(items: Sequence[Shape]) -> Region:
    return united([point(item) for item in items])


def _interval(shape: Items) -> Region | None:
    if len(shape.items) != 2:
        return None
    low, high = map(end_at, shape.items)
    if order(low, high) >= 0 and shape.kind != "[]":
        return None
    return (Interval(low, high, shape.kind[0] == "[", shape.kind[1] == "]"),)
