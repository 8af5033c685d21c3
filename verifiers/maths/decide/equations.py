"""Equality of two relations, the numbers that solve them, and functions by cases.

Relations agree up to a factor, solved for an unknown, or renamed. Expressions by cases are functions: what
each is worth where, whatever their rows are and in which order.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from fractions import Fraction

from ...formulas import regions
from ...formulas.answer_shapes import Cases, Named, Relation, Shape, Value, Words, bare, mapped, nodes
from ...formulas.ball_comparison import proportional
from ...formulas.exact_values import TooLargeError
from ...formulas.formula_equality import decide, is_equal
from ...formulas.formula_tree import (
    Apply,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
    inverse,
    negative,
    substitute,
    symbols,
)
from ...formulas.polynomials import ratio, same_zeros
from ...formulas.regions import EVERYTHING, Interval, Region, difference, intersection, same_region, union
from ...language.maths_words import REMAINDERS
from .policy import Policy
from .value_agreement import all_agree


def same_equation(one: Shape, other: Shape, policy: Policy) -> bool | None:
    """Two equations, or inequations with ``!=``, up to a factor other than zero."""
    if _sign(one) != _sign(other):
        return None if {_sign(one), _sign(other)} <= {"<", "<="} else False
    left, right = as_difference(one), as_difference(other)
    if left is None or right is None:
        return False
    left, right = _with_element(left, right), _with_element(right, left)
    if symbols(left) != symbols(right):
        return False
    if policy.relations == "as_written":
        return _as_written(one, other)
    try:
        found = same_zeros(left, right)
    except TooLargeError:
        found = None
    return found if found is not None else proportional(left, right)


def same_inequality(one: Relation, other: Relation, policy: Policy) -> bool | None:
    """Two inequalities with one sign, up to a positive factor; None where their solutions may still agree."""
    left, right = as_difference(one), as_difference(other)
    if left is None or right is None:
        return False
    if "@element" in symbols(left) | symbols(right):
        return None  # a set by a condition: its numbers are compared, not its unknown
    if policy.relations == "as_written":
        return _as_written(one, other)
    with contextlib.suppress(TooLargeError):
        factor = ratio(left, right)
        if factor is not None and factor is not False:
            return bool(factor > 0)
    if len(symbols(left)) == 1 and symbols(left) == symbols(right):
        return None
    return False if symbols(left) != symbols(right) else proportional(left, right) and None


def solves(relation: Relation, value: Value) -> bool | None:
    """Return whether an equation gives a value for the one unknown that the value does not contain."""
    zero = as_difference(relation)
    if zero is None:
        return False
    missing = symbols(zero) - symbols(value.node)
    if len(missing) != 1 or not symbols(value.node) <= symbols(zero) or not symbols(value.node):
        return False
    with_value = substitute(zero, {missing.pop(): value.node})
    return is_equal(decide(with_value, Sum((value.node, negative(value.node)))))


def _with_element(node: Node, other: Node) -> Node:
    """With the unknown of a set by a condition under the name that the other side has for it."""
    names = symbols(other) - symbols(node)
    return substitute(node, {"@element": Symbol(names.pop())}) if len(names) == 1 else node


def _sign(shape: Shape) -> str:
    return shape.sign if isinstance(shape, Relation | Named) else ""


def as_difference(shape: Shape) -> Node | None:
    """One side of an equation minus the other; None for anything else."""
    if isinstance(shape, Relation):
        sides: Iterable[Shape | Node | None] = (shape.left, shape.right)
    elif isinstance(shape, Named):
        sides = (Value(shape.node) if shape.node is not None else None, bare(shape.shape))
    else:
        return None
    nodes = [side.node for side in sides if isinstance(side, Value)]
    return Sum((nodes[0], negative(nodes[1]))) if len(nodes) == 2 else None


def _as_written(one: Shape, other: Shape) -> bool:
    if not isinstance(one, Relation) or not isinstance(other, Relation):
        return one == other
    pairs = ((one.left, other.left), (one.right, other.right))
    same = [
        isinstance(left, Value) and isinstance(right, Value) and is_equal(decide(left.node, right.node))
        for left, right in pairs
    ]
    return all(same)


def same_solutions(expected: Shape, given: Shape) -> bool:
    """Return whether one is an equation in one unknown, and the other lists exactly its solutions.

    A reference may be any such equation. An answer may only be ``|x| = 2``, which says that both signs are
    meant: whoever repeats the equation of the question has not solved it.
    """
    found = _solved(expected), regions.points(given)
    if found[0] is None and _is_absolute(given):
        found = _solved(given), regions.points(expected)
    if found[0] is None or found[1] is None:
        return False
    return regions.same_region(found[0], found[1]) is True


def _solved(shape: Shape) -> Region | None:
    equation = _equation(shape)
    return None if equation is None else regions.solutions(equation)


def _equation(shape: Shape) -> Relation | None:
    """An equation that is not solved for its unknown yet."""
    if isinstance(shape, Relation):
        return shape if shape.sign == "=" else None
    if isinstance(shape, Named) and shape.sign == "=" and isinstance(shape.shape, Value):
        if shape.node is None or isinstance(shape.node, Symbol) or not symbols(shape.node):
            return None
        return Relation("=", Value(shape.node), shape.shape)
    return None


def _is_absolute(shape: Shape) -> bool:
    equation = _equation(shape)
    if equation is None:
        return False
    sides = [side.node for side in (equation.left, equation.right) if isinstance(side, Value)]
    return any(isinstance(node, Apply) and node.function == "abs" for node in sides)


_Same = Callable[[Shape, Shape], bool | None]
_Piece = tuple[Region, Shape]
_PARAMETER = Symbol("@parameter")
_ONE, _TWO = Number(Fraction(1)), Number(Fraction(2))


def same_piecewise(one: Cases, other: Shape, same: _Same) -> bool | None:
    r"""Return whether an expression by cases is the same function as another, or as one formula.

    Where every condition is a set of real numbers, the values are compared on each set where two rows meet.
    Otherwise rows are paired by their conditions, and "otherwise" is the row that remains.

    Args:
        one: An expression by cases.
        other: The other side of the comparison.
        same: Says whether two shapes agree; None if that is unknown.
    """
    if not isinstance(other, Cases):
        if not isinstance(other, Value):
            return False
        other = Cases(((other, Words("otherwise")),))
        paired = False
    else:
        paired = len(one.rows) == len(other.rows)
    left, right = _pieces(one), _pieces(other)
    if left is not None and right is not None:
        return _same_functions(left, right, _unknown(one, other), same)
    return _same_rows(one, other, same) if paired else None


def _same_functions(left: list[_Piece], right: list[_Piece], unknown: str | None, same: _Same) -> bool | None:
    domains = [union([region for region, _ in pieces]) for pieces in (left, right)]
    if None in domains or not (equal := same_region(*domains)):  # type: ignore[arg-type]
        return None if None in domains else equal
    found: list[bool | None] = []
    for mine, value in left:
        for theirs, another in right:
            shared = intersection(mine, theirs)
            if shared is None:
                return None
            if shared:
                found.append(_same_on(shared, value, another, unknown, same))
    return all_agree(found)


def _same_on(where: Region, one: Shape, other: Shape, unknown: str | None, same: _Same) -> bool | None:
    """Return whether two values agree at every number of a set."""
    everywhere = same(one, other)
    if everywhere or unknown is None:
        return everywhere
    found = []
    for interval in where:
        number = {unknown: _running(interval)}
        found.append(
            same(
                mapped(one, lambda node, number=number: substitute(node, number)),  # type: ignore[misc]
                mapped(other, lambda node, number=number: substitute(node, number)),  # type: ignore[misc]
            )
        )
    return all_agree(found)


def _running(interval: Interval) -> Node:
    """A formula that takes every value inside an interval, and only these, as its parameter runs over R."""
    low, high = interval.low.node, interval.high.node
    square: Node = Power(_PARAMETER, _TWO)
    if low is not None and high is not None:
        if interval.low == interval.high:
            return low
        share = Product((square, inverse(Sum((square, _ONE)))))
        return Sum((low, Product((Sum((high, negative(low))), share))))
    if low is not None:
        return Sum((low, square))
    return _PARAMETER if high is None else Sum((high, negative(square)))


def _pieces(cases: Cases) -> list[_Piece] | None:
    """Each value with the numbers for which it holds; None where a condition is not a set of real numbers.

    Of rows that overlap the first holds. A row whose set is empty says nothing.
    """
    if len({name for _, condition in cases.rows for name in regions.subjects(condition)}) > 1:
        return None
    found: list[_Piece] = []
    taken: Region | None = ()
    rest: list[Shape] = []
    for value, condition in cases.rows:
        if is_remainder(condition):
            rest.append(value)
            continue
        region = regions.region(condition)
        if region is None or taken is None:
            return None
        new = difference(region, taken)
        taken = union([taken, region])
        if new is None:
            return None
        found.append((new, value))
    if len(rest) > 1 or taken is None:
        return None
    if rest:
        remaining = difference(EVERYTHING, taken)
        if remaining is None:
            return None
        found.append((remaining, rest[0]))
    return found


def is_remainder(condition: Shape) -> bool:
    """Return whether a condition is "otherwise"."""
    return isinstance(condition, Words) and condition.text in REMAINDERS


def _unknown(one: Cases, other: Cases) -> str | None:
    """The unknown that the conditions are about, or else the only one that the values have."""
    names = {
        name for cases in (one, other) for _, condition in cases.rows for name in regions.subjects(condition)
    }
    if not names:
        names = {
            name
            for cases in (one, other)
            for value, _ in cases.rows
            for node in nodes(value)
            for name in symbols(node)
        }
    return names.pop() if len(names) == 1 else None


def _same_rows(one: Cases, other: Cases, same: _Same) -> bool | None:
    """Row by row; a row "otherwise" is the one that is left when all others have found their like."""
    rows = list(other.rows)
    found: list[bool | None] = []
    rest = []
    for value, condition in one.rows:
        if is_remainder(condition):
            rest.append((value, condition))
            continue
        match = next((row for row in rows if not is_remainder(row[1]) and same(condition, row[1])), None)
        if match is None:
            rest.append((value, condition))
            continue
        rows.remove(match)
        found.append(same(value, match[0]))
    if len(rest) > 1:
        return False if False in found else None
    if rest:
        # One row remains on each side: it holds where the others do not, if either says so.
        (value, condition), (another, theirs) = rest[0], rows[0]
        if not (is_remainder(condition) or is_remainder(theirs)):
            return None
        found.append(same(value, another))
    return all_agree(found)
