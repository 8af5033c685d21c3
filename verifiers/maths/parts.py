"""Whether two answers of several parts agree: lists, intervals, sets, unions, matrices, relations."""

from __future__ import annotations

import itertools
import math

from . import algebra
from .algebra import TooLargeError
from .balls import approximate
from .decide import decide
from .shapes import Infinity, Items, Matrix, Relation, Shape, Union, Value, read
from .tree import Node, Sum, negative, symbols

# An unbracketed list may stand for a set or for a point; no other two kinds agree.
_AGREEING = ({"list", "{}"}, {"list", "()"})


def compare(expected: str, given: str, strict: bool = False) -> str | None:
    r"""The reason code of `MathEquivalence` for two cleaned answers; None where another stage must decide.

    >>> compare(r"(-\infty, 3)", "x < 3"), compare(r"1 \pm \sqrt{2}", r"\{1-\sqrt{2}, 1+\sqrt{2}\}")
    ('equal_shape', 'equal_shape')
    >>> compare("(1, 2)", "(2, 1)"), compare("2x + 4y = 6", "x + 2y - 3 = 0")
    ('proved_unequal', 'equal_shape')
    """
    one, other = read(expected), read(given)
    if one is None or other is None:
        return None
    if strict and _kinds(one) != _kinds(other):
        return "proved_unequal"
    same = _same(one, other)
    return None if same is None else "equal_shape" if same else "proved_unequal"


def _kinds(shape: Shape) -> object:
    """The brackets of a shape and of what is in it: in the strict form they belong to the answer."""
    if isinstance(shape, Items):
        return shape.kind, sorted(map(str, map(_kinds, shape.items)))
    return len(shape.parts) if isinstance(shape, Union) else ""


def _same(one: Shape, other: Shape) -> bool | None:
    if isinstance(one, Value) and isinstance(other, Value):
        return _decided(one, other)
    if isinstance(one, Infinity) or isinstance(other, Infinity):
        return one == other
    if isinstance(one, Matrix) or isinstance(other, Matrix):
        return _same_matrix(one, other)
    if isinstance(one, Relation) or isinstance(other, Relation):
        return _same_relation(one, other)
    if isinstance(one, Value) or isinstance(other, Value):
        return _single(one, other)
    if isinstance(one, Union) or isinstance(other, Union):
        left = one.parts if isinstance(one, Union) else (one,)
        right = other.parts if isinstance(other, Union) else (other,)
        if len(left) == len(right) and _matched(left, right):
            return True
        # Unions may overlap or be split in other ways; where all parts lie apart they are not.
        return False if _apart(left) and _apart(right) else None
    return _same_items(one, other)


def _single(one: Shape, other: Shape) -> bool | None:
    """A value beside a group of one, as ``{3}`` or a list is; beside several it is another answer."""
    group = one if isinstance(one, Items) else other
    if isinstance(group, Items) and len(group.items) == 1:
        return None
    return False if isinstance(group, Items) else None


def _apart(parts: tuple[Items, ...]) -> bool:
    """Whether intervals are all bounded by numbers and no two of them could be joined to one."""
    ends: list[tuple[float, float, str]] = []
    for part in parts:
        if part.kind in ("list", "{}") or len(part.items) != 2:
            return False
        low, high = map(_position, part.items)
        if low is None or high is None or not low < high:
            return False
        ends.append((low, high, part.kind))
    ends.sort()
    # Open ends that meet leave their point out; any others would join.
    return all(
        one[1] < two[0] or (one[1] == two[0] and one[2][1] == ")" and two[2][0] == "(")
        for one, two in itertools.pairwise(ends)
    )


def _position(end: Shape) -> float | None:
    """Where an end of an interval lies; None for what is no number."""
    if isinstance(end, Infinity):
        return end.sign * math.inf
    return approximate(end.node) if isinstance(end, Value) else None


def _same_matrix(one: Shape, other: Shape) -> bool | None:
    """Cell by cell; a tuple may stand for a vector."""
    if not (isinstance(one, Matrix) and isinstance(other, Matrix)):
        matrix, group = (one, other) if isinstance(one, Matrix) else (other, one)
        if not isinstance(group, Items) or not isinstance(matrix, Matrix):
            return False if isinstance(group, Value) and not symbols(group.node) else None
        vector = len(matrix.rows) == 1 or len(matrix.rows[0]) == 1
        cells = tuple(cell for row in matrix.rows for cell in row)
        return _same_items(Items("()", cells), group) if vector and group.kind == "()" else None
    if (len(one.rows), len(one.rows[0])) != (len(other.rows), len(other.rows[0])):
        return False
    found = [
        _same_items(Items("()", left), Items("()", right))
        for left, right in zip(one.rows, other.rows, strict=True)
    ]
    return False if False in found else None if None in found else True


def _same_items(one: Items, other: Items) -> bool | None:
    kinds = {one.kind, other.kind}
    if len(kinds) > 1 and kinds not in _AGREEING:
        return False
    if len(one.items) != len(other.items):
        # A set may name one element twice; a list in which two agree is not decided here.
        return False if "()" in kinds or "[]" in kinds else None
    if kinds <= {"list", "{}"}:
        return _matched(one.items, other.items)
    verdict: bool | None = True
    for left, right in zip(one.items, other.items, strict=True):
        same = _same(left, right)
        if same is False:
            return False
        verdict = None if same is None else verdict
    return verdict


def _matched(one: tuple[Shape, ...], other: tuple[Shape, ...]) -> bool | None:
    """Whether each item has its own equal among the others."""
    left, unsure = list(other), False
    for item in one:
        for position, each in enumerate(left):
            same = _same(item, each)
            if same:
                left.pop(position)
                break
            unsure = unsure or same is None
        else:
            return None if unsure else False
    return True


def _decided(one: Value, other: Value) -> bool | None:
    reason = "equal_text" if one.text == other.text else decide(one.text, other.text)
    return None if reason is None else reason.startswith("equal_")


def _same_relation(one: Shape, other: Shape) -> bool | None:
    """Equations up to a factor, inequalities up to a positive one."""
    if not (isinstance(one, Relation) and isinstance(other, Relation)):
        return None
    if one.sign != other.sign:
        return None
    try:
        ratio = algebra.ratio(_difference(one), _difference(other))
    except TooLargeError:
        return None
    if ratio is None:
        return None
    if ratio is False:
        return False if one.sign == "=" else None
    return bool(one.sign == "=" or ratio > 0)


def _difference(relation: Relation) -> Node:
    return Sum((relation.left.node, negative(relation.right.node)))
