"""Proofs that two shapes differ: a part, a number or a point, found where the difference is decided.

Each refutation can be checked by evaluation alone (`benchmarks/witness_check.py`). Where none is found, they
are only not equal. Kinds prove nothing: one value beside a list, or an equation beside a number, may be a
matter of how a text was read.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product
from typing import Literal

from ...formulas import regions
from ...formulas.answer_shapes import (
    Chain,
    Clock,
    Combined,
    Infinity,
    Items,
    Matrix,
    Named,
    Numbers,
    Ratio,
    Relation,
    Shape,
    Value,
    bare,
    nodes,
)
from ...formulas.ball_comparison import coordinate
from ...formulas.ball_values import NoValueError
from ...formulas.formula_equality import ball_at
from ...formulas.formula_tree import Node, Number, Product, is_understood, substitute, symbols
from ...formulas.regions import End, Region, UnsureError, order
from ...runtime.records import dataclass
from ...units.dates_and_times import Date
from .allowances import is_arbitrary
from .equations import as_difference
from .group_agreement import exact
from .names import aligned, one_name, pairs_by_name
from .policy import Policy
from .value_agreement import told_apart

Side = Literal["expected", "given"]
_HALF_DAY = 12 * 3600
_ZERO = Value(Number(Fraction(0)))


@dataclass(frozen=True, slots=True)
class Apart:
    """Pairs of formulas with different values: one under each reading of units, signs and logarithms.

    Args:
        pairs: The formulas, and the point at which they differ.
    """

    pairs: tuple[tuple[Node, Node, Mapping[str, Fraction]], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part that differs from the one that it has to equal: of its place, or of its name."""

    expected: Shape
    given: Shape
    because: Refutation


@dataclass(frozen=True, slots=True)
class Alone:
    """A part of one side that differs from every part of the other."""

    side: Side
    place: int
    because: tuple[Refutation, ...]


@dataclass(frozen=True, slots=True)
class Sizes:
    """Tuples or matrices of different sizes."""


@dataclass(frozen=True, slots=True)
class Member:
    """A number that is in one of two sets alone."""

    number: Node
    side: Side


@dataclass(frozen=True, slots=True)
class Holds:
    """A point at which one of two equations or inequalities holds, and the other does not."""

    at: Mapping[str, Node]
    side: Side


@dataclass(frozen=True, slots=True)
class Quotient:
    """Two neighbours in a ratio that are to one another as no others are: their products crosswise differ."""

    place: int
    because: Refutation


@dataclass(frozen=True, slots=True)
class Data:
    """Dates, times of day or infinities that differ as they are written."""


Refutation = Apart | Part | Alone | Sizes | Member | Holds | Quotient | Data


def refuted(one: Shape, other: Shape, policy: Policy) -> Refutation | None:
    """Return a proof that two shapes differ; None if there is none."""
    if isinstance(one, Named) and isinstance(other, Named):
        if not one_name(one, other):
            return _equations(one, other)
        one, other = aligned(one, other)
    if isinstance(one, Named) != isinstance(other, Named) and {type(one), type(other)} & {Relation}:
        return _equations(one, other)
    left, right = bare(one), bare(other)
    if left == right:
        return None
    if isinstance(left, Value) and isinstance(right, Value):
        return _values(left, right, policy)
    if _differ_as_written(left, right):
        return Data()
    if isinstance(left, Ratio) and isinstance(right, Ratio) and len(left.parts) == len(right.parts):
        return _ratios(left, right, policy)
    if not all(map(is_understood, (*nodes(left), *nodes(right)))):
        return None
    if isinstance(left, Matrix) and isinstance(right, Matrix):
        return _matrices(left, right, policy)
    if (found := _sets(left, right)) is not None:
        return found
    if isinstance(left, Items) and isinstance(right, Items):
        return _groups(left, right, policy)
    if isinstance(left, Relation) and isinstance(right, Relation) and left.sign == right.sign == "=":
        return _equations(left, right)
    if isinstance(left, Relation | Chain) and isinstance(right, Relation | Chain):
        return _conditions(left, right)
    return None


def _differ_as_written(one: Shape, other: Shape) -> bool:
    """Return whether dates, times of day or infinities differ in a part that both state."""
    if isinstance(one, Date) and isinstance(other, Date):
        pairs = ((one.year, other.year), (one.month, other.month), (one.day, other.day))
        return any(None not in pair and pair[0] != pair[1] for pair in pairs)
    if isinstance(one, Clock) and isinstance(other, Clock):
        gap = one.seconds - other.seconds
        return bool(gap if one.half and other.half else gap % _HALF_DAY)
    return isinstance(one, Infinity) and isinstance(other, Infinity) and one.sign != other.sign


def _values(one: Value, other: Value, policy: Policy) -> Refutation | None:
    found = told_apart(one, other, policy)
    return None if found is None else Apart(tuple(found))


def _ratios(one: Ratio, other: Ratio, policy: Policy) -> Refutation | None:
    pairs = zip(pairwise(one.parts), pairwise(other.parts), strict=True)
    for place, ((left, right), (low, high)) in enumerate(pairs):
        crossed = Value(Product((left.node, high.node))), Value(Product((right.node, low.node)))
        if not any(part.unit for part in (left, right, low, high)):
            because = _values(*crossed, policy)
            if because is not None:
                return Quotient(place, because)
    return None


def _matrices(one: Matrix, other: Matrix, policy: Policy) -> Refutation | None:
    if (len(one.rows), len(one.rows[0])) != (len(other.rows), len(other.rows[0])):
        return Sizes()
    return _parts(sum(one.rows, ()), sum(other.rows, ()), policy)


def _parts(one: tuple[Shape, ...], other: tuple[Shape, ...], policy: Policy) -> Refutation | None:
    for mine, theirs in zip(one, other, strict=True):
        if (because := refuted(mine, theirs, policy)) is not None:
            return Part(mine, theirs, because)
    return None


def _groups(one: Items, other: Items, policy: Policy) -> Refutation | None:
    """Tuples place by place, named values by name; of others, what has no partner in any order."""
    kinds = {one.kind, other.kind}
    named = [[item for item in each.items if isinstance(item, Named)] for each in (one, other)]
    if len(named[0]) == len(one.items) and len(named[1]) == len(other.items):
        pairs = pairs_by_name(*named)
        if pairs is None or any(mine.sign != theirs.sign for mine, theirs in pairs):
            return None
        return _parts(tuple(a for a, _ in pairs), tuple(b for _, b in pairs), policy)
    if not any(named) and len(kinds) == 1 and not kinds & {"list", "{}"}:
        if len(one.items) != len(other.items):
            return Sizes() if kinds == {"()"} else None
        return _parts(one.items, other.items, policy)
    if not kinds <= {"list", "{}", "()"} or {"{}", "()"} <= kinds:
        return None
    if not any(named) and "()" in kinds and len(one.items) == len(other.items):
        return _parts(one.items, other.items, policy)
    sides: tuple[tuple[Side, Items, Items], ...] = (("expected", one, other), ("given", other, one))
    for side, these, those in sides:
        known = {exact(bare(each), policy) for each in those.items} - {None}
        for place, item in enumerate(map(bare, these.items)):
            if exact(item, policy) in known:
                continue
            found: list[Refutation] = []
            for each in map(bare, those.items):
                pair = (item, each) if side == "expected" else (each, item)
                if (because := refuted(*pair, policy)) is None:
                    break
                found.append(because)
            else:
                if found:
                    return Alone(side, place, tuple(found))
    return None


def _sets(one: Shape, other: Shape) -> Refutation | None:
    """A number that is in one of two sets of real numbers alone."""
    if not any(_is_set(each) for each in (one, other)):
        return None
    left, right = regions.region(one), regions.region(other)
    if left is None or right is None:
        return None
    try:
        for end in _candidates((*left, *right)):
            inside = _contains(left, end), _contains(right, end)
            if inside[0] != inside[1] and end.node is not None:
                return Member(end.node, "expected" if inside[0] else "given")
    except UnsureError:
        return None
    return None


def _is_set(shape: Shape) -> bool:
    """Return whether a shape is a set of numbers under any reading: (1, 3) may be a point."""
    return isinstance(shape, Relation | Chain | Combined | Numbers) or (
        isinstance(shape, Items) and shape.kind in ("[]", "(]", "[)")
    )


def _candidates(of: Region) -> list[End]:
    """Ends of intervals, and numbers between and beyond them."""
    ends = [end for each in of for end in (each.low, each.high) if end.node is not None]
    places = sorted({end.position for end in ends})
    between = [(low + high) / 2 for low, high in pairwise(places)]
    beyond = [places[0] - 1, places[-1] + 1] if places else [1.0]
    numbers = [Fraction(place).limit_denominator(1 << 20) for place in (*between, *beyond)]
    return [*(End(float(number), Number(number)) for number in numbers), *ends]


def _contains(of: Region, number: End) -> bool:
    for each in of:
        above, below = order(each.low, number), order(number, each.high)
        if (above < 0 or (above == 0 and each.low_closed)) and (
            below < 0 or (below == 0 and each.high_closed)
        ):
            return True
    return False


def _unknowns(one: Shape, other: Shape) -> list[str] | None:
    """The unknowns that both shapes have; None where they differ, or one stands for no number."""
    names = [{name for node in nodes(each) for name in symbols(node)} for each in (one, other)]
    odd = any(name[0] in "#@" or is_arbitrary(name) for name in names[0])
    return None if odd or names[0] != names[1] or not names[0] else sorted(names[0])


_POINTS = 9
_PLACES = (0, 4, 1)
"""Points at which one unknown is left open, and the one of an equation that is solved for it."""


def _conditions(one: Relation | Chain, other: Relation | Chain) -> Refutation | None:
    """A point at which one of two conditions in several unknowns holds alone."""
    names = _unknowns(one, other)
    for number in range(_POINTS if names else 0):
        at = {name: coordinate(name, number) for name in names or ()}
        found = _holds(one, at), _holds(other, at)
        if None not in found and found[0] != found[1]:
            where = {name: Number(value) for name, value in at.items()}
            return Holds(where, "expected" if found[0] else "given")
    return None


def _holds(shape: Relation | Chain, at: Mapping[str, Fraction]) -> bool | None:
    """Return whether a condition holds at a point; None if that is not certain."""
    sides = (shape.left, shape.right) if isinstance(shape, Relation) else shape.sides
    signs = (shape.sign,) if isinstance(shape, Relation) else shape.signs
    found: list[bool] = []
    for sign, (left, right) in zip(signs, pairwise(sides), strict=True):
        if not (isinstance(left, Value) and isinstance(right, Value)) or sign == "=":
            return None
        try:
            gap = ball_at(left.node, at) - ball_at(right.node, at)
        except NoValueError:
            return None
        if not gap.imag.is_zero() or gap.contains(0):
            return None
        found.append(sign == "!=" or bool(gap.real < 0))
    return all(found)


def _equations(one: Shape, other: Shape) -> Refutation | None:
    """A solution of one equation that is none of the other, in the same unknowns."""
    left, right = as_difference(one), as_difference(other)
    if left is None or right is None or not (is_understood(left) and is_understood(right)):
        return None
    names = _unknowns(Value(left), Value(right))
    sides: tuple[tuple[Side, Node, Node], ...] = (("expected", left, right), ("given", right, left))
    for side, solved, missed in sides:
        for number, unknown in product(_PLACES, names or ()):
            at: dict[str, Node] = {
                name: Number(coordinate(name, number)) for name in names or () if name != unknown
            }
            found = regions.solutions(Relation("=", Value(substitute(solved, at)), _ZERO)) or ()
            for root in (each.low.node for each in found):
                if root is None:
                    continue
                where = {**at, unknown: root}
                try:
                    if not ball_at(substitute(missed, where), {}).contains(0):
                        return Holds(where, side)
                except NoValueError:
                    continue
    return None
