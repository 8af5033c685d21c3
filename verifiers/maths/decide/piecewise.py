"""Expressions by cases as functions: what each is worth where, whatever their rows are and in which order."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ...formulas.formula_tree import (
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
from ...formulas.sets import regions
from ...formulas.sets.intervals import EVERYTHING, Interval, Region, difference, intersection, union
from ...formulas.sets.intervals import same as same_region
from ...formulas.shapes import Cases, Shape, Value, Words, mapped, nodes
from ...language.remainders import REMAINDERS
from .one_value.values import all_agree

_Same = Callable[[Shape, Shape], bool | None]
_Piece = tuple[Region, Shape]
_PARAMETER = Symbol("@parameter")
_ONE, _TWO = Number(Fraction(1)), Number(Fraction(2))


def same_piecewise(one: Cases, other: Shape, same: _Same) -> bool | None:
    r"""Whether an expression by cases is the same function as another, or as one formula.

    Where every condition is a set of real numbers, the values are compared on each set where two rows meet.
    Otherwise rows are paired by their conditions, and "otherwise" is the row that remains.

    Args:
        one: An expression by cases.
        other: What it is compared with.
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
    """Whether two values agree at every number of a set."""
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
    """Whether a condition is "otherwise"."""
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
