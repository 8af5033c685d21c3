"""Inequalities and equations in one unknown, solved: of absolute values, and of rational functions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..balls.ball_comparison import approximate
from ..formula_tree import (
    Apply,
    Node,
    Number,
    Power,
    Product,
    Root,
    Sum,
    Symbol,
    inverse,
    negative,
    symbols,
)
from ..polynomials import linear, real_factors
from ..shapes import Infinity, Relation, Shape, Value
from .intervals import (
    EVERYTHING,
    End,
    Interval,
    Region,
    UnsureError,
    complement,
    order,
    united,
)

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
    """Where a rational function of one unknown is negative (``<``), zero, or either.

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
