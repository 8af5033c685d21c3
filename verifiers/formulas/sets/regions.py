"""Sets of real numbers as intervals in order: unions, differences and inequalities in one form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ..exact_values import TooLargeError
from ..formula_tree import Number, symbols
from ..shapes import Chain, Combined, Items, Named, Numbers, Relation, Shape, Value, bare
from .inequalities import end_at, point, solution
from .intervals import (
    EVERYTHING,
    MAX_PARTS,
    End,
    Interval,
    Region,
    UnsureError,
    folded,
    order,
    united,
)


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
