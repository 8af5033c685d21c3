"""Agreement of two shapes: lists, intervals, sets, unions, matrices, relations, ratios, times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...formulas import regions
from ...formulas.answer_shapes import (
    Cases,
    Chain,
    Clock,
    Combined,
    Infinity,
    Items,
    Matrix,
    Named,
    Numbers,
    Numeral,
    Ratio,
    Relation,
    Shape,
    Value,
    Words,
    bare,
)
from ...formulas.formula_tree import Symbol, functions, symbols
from ...units.dates_and_times import Date
from . import equations
from .equations import same_piecewise, same_solutions
from .group_agreement import matched, same_groups, say_more
from .inquiries import note
from .names import aligned, one_name, values_of_another
from .policy import DEFAULT, Policy
from .refutation import refuted
from .value_agreement import (
    agree,
    all_agree,
    compare_values,
    same_clock,
    same_date,
    same_infinity,
    same_numeral,
    same_ratio,
    same_words,
)


def compare_shapes(one: Shape, other: Shape, policy: Policy) -> str | None:
    r"""The reason code of `MathEquivalence` for two shapes; None where another stage must decide.

    >>> from verifiers.reading.statements import read
    >>> compare_shapes(read(r"(-\infty, 3)"), read("x < 3"), DEFAULT)
    'equal_shape'
    >>> compare_shapes(read("(1, 2)"), read("(2, 1)"), DEFAULT)
    'proved_unequal'
    """
    if policy.names == "dropped":
        one, other = bare(one), bare(other)
    if policy.brackets == "optional":
        one, other = _unwrapped(one, other), _unwrapped(other, one)
    return note(one, other, policy, _reason(one, other, policy))


def _reason(one: Shape, other: Shape, policy: Policy) -> str | None:
    left, right = bare(one), bare(other)
    if isinstance(one, Named) and isinstance(other, Named):
        left, right = map(bare, aligned(one, other))
    if isinstance(left, Value) and isinstance(right, Value) and one_name(one, other):
        return compare_values(left, right, policy)
    found = same(one, other, policy)
    if not found and policy.intervals == "either" and same_solutions(one, other):
        return "equal_shape"
    if not found and say_more(one, other, policy, same):
        return "equal_shape"
    if found is None:
        return None
    if found:
        return "equal_shape"
    return "not_equal" if refuted(one, other, policy) is None else "proved_unequal"


def _unwrapped(shape: Shape, other: Shape) -> Shape:
    """One value in brackets against one without, or one value said in two ways: 1/2 or 0.5."""
    inner, beside = bare(shape), bare(other)
    if isinstance(inner, Combined | Items) and not isinstance(beside, Combined | Items):
        shape = _once(inner) or shape
        inner = bare(shape)
    if not isinstance(inner, Items) or isinstance(beside, Matrix | Combined):
        return shape
    items = inner.items
    if len(items) == 1 and inner.kind == "{}" and isinstance(items[0], Items):
        # A system with one solution: {(1, 2)} is (1, 2).
        return items[0] if isinstance(beside, Items) and beside.kind in ("()", "list") else shape
    if isinstance(beside, Items):
        return shape
    if len(items) == 1 and isinstance(items[0], Value | Words | Infinity | Ratio):
        floor = inner.kind == "[]" and isinstance(items[0], Value) and symbols(items[0].node)
        return shape if floor else items[0]  # [x] is the floor of x
    if inner.kind in ("list", "{}") and all(isinstance(item, Value) for item in items):
        values = [item for item in items if isinstance(item, Value)]
        if all(agree(value, values[0], DEFAULT) for value in values[1:]):
            return values[0]
    return shape


def _once(shape: Combined | Items) -> Shape | None:
    """The equation of which all parts are forms, ``y = 2x + 1 or 2x - y + 1 = 0``; None for anything else."""
    if (shape.operation if isinstance(shape, Combined) else shape.kind) not in ("or", "list", "{}"):
        return None
    first, *rest = shape.parts if isinstance(shape, Combined) else shape.items
    parts = (first, *rest)
    if not rest or not any(isinstance(each, Relation) for each in parts):
        return None
    if not all(isinstance(each, Relation | Named) and each.sign == "=" for each in parts):
        return None
    return first if all(equations.same_equation(first, each, DEFAULT) for each in rest) else None


def same(one: Shape, other: Shape, policy: Policy) -> bool | None:
    """Return whether two shapes agree; None if that is unknown."""
    if one == other:
        return True
    if isinstance(one, Named) or isinstance(other, Named):
        return _same_named(one, other, policy)
    if isinstance(one, Value) and isinstance(other, Value):
        return agree(one, other, policy)
    for kind, judge in _JUDGES:
        if isinstance(one, kind) or isinstance(other, kind):
            if not isinstance(one, kind):
                one, other = other, one
            return judge(one, other, policy)
    return False


def _same_named(one: Shape, other: Shape, policy: Policy) -> bool | None:
    if isinstance(one, Named) and isinstance(other, Named):
        if one_name(one, other):
            found = same(*aligned(one, other), policy)
            if found or "=" not in (one.sign, other.sign):
                return found
        return equations.same_equation(one, other, policy)
    named, plain = (one, other) if isinstance(one, Named) else (other, one)
    if isinstance(named, Named) and isinstance(plain, Items) and values_of_another(named, plain):
        return False
    if isinstance(plain, Relation) and isinstance(named, Named) and named.sign == "=":
        if plain.sign != "=":
            return _same_region(plain, named, policy)
        return equations.same_equation(named, plain, policy)
    if isinstance(plain, Chain | Combined) and isinstance(named, Named) and named.sign == "=":
        return _same_region(plain, named, policy)
    return same(bare(named), plain, policy)


def _same_items(one: Items, other: Shape, policy: Policy) -> bool | None:
    if isinstance(other, Items):
        return same_groups(one, other, policy, same)
    return False


def _same_region(one: Shape, other: Shape, policy: Policy) -> bool | None:
    """Sets of numbers, however they are written."""
    written = {isinstance(shape, Relation | Chain) for shape in (one, other)}
    if policy.intervals == "as_written" and len(written) > 1:
        return False
    about = regions.subjects(one), regions.subjects(other)
    if all(about) and policy.names == "compared" and _folded(about[0]) != _folded(about[1]):
        return False  # 0 < y < 1 is not 0 < x < 1
    left, right = regions.region(one), regions.region(other)
    if left is not None and right is not None:
        return regions.same_region(left, right)
    if isinstance(one, Combined) and max(map(len, about)) > 1 and about[0] != about[1]:
        return False  # x < -1 or y > 3 is not a set of numbers
    if isinstance(one, Combined) and isinstance(other, Combined) and one.operation == other.operation:
        return matched(one.parts, other.parts, policy, same) or None
    if isinstance(one, Chain):
        return _same_chain(one, other, policy)
    if isinstance(one, Combined):
        return False if isinstance(other, Value | Ratio | Clock | Date | Matrix | Infinity) else None
    if isinstance(one, Numbers) and isinstance(other, Numbers):
        return one.name == other.name
    settled = isinstance(other, Value | Words | Ratio | Clock | Date | Matrix | Infinity) or left != right
    return False if settled else None


def _folded(names: set[str]) -> set[str]:
    """Unknowns and functions without their arguments and case."""
    return {name.partition("(")[0].casefold() for name in names}


def _same_chain(one: Chain, other: Shape, policy: Policy) -> bool | None:
    if isinstance(other, Chain):
        if one.signs != other.signs or len(one.sides) != len(other.sides):
            return False
        return all_agree(
            [same(mine, theirs, policy) for mine, theirs in zip(one.sides, other.sides, strict=True)]
        )
    if isinstance(other, Items):
        if other.kind == "list":  # b < a < c and b, a, c
            return same_groups(Items("()", one.sides), Items("()", other.items), policy, same)
        interval = _as_interval(one)
        return False if interval is None else same_groups(interval, other, policy, same)
    return False


def _as_interval(chain: Chain) -> Items | None:
    """``a < x <= b`` around one unknown, with ends that may hold others."""
    middle = chain.sides[1]
    if len(chain.sides) != 3 or not (isinstance(middle, Value) and isinstance(middle.node, Symbol)):
        return None
    brackets = ("(" if chain.signs[0] == "<" else "[") + (")" if chain.signs[1] == "<" else "]")
    return Items(brackets, (chain.sides[0], chain.sides[2]))  # type: ignore[arg-type]  # a kind of brackets


def _same_relation(one: Relation, other: Shape, policy: Policy) -> bool | None:
    if isinstance(other, Chain):
        return _same_region(other, one, policy)
    if isinstance(other, Relation):
        signs = {one.sign, other.sign}
        found: bool | None = False if "=" in signs else None
        if len(signs) == 1:
            judge = equations.same_inequality if one.sign[0] == "<" else equations.same_equation
            found = judge(one, other, policy)
            if one.sign == "=" and any(map(_rounds, (one, other))):
                found = found or _same_sides(one, other, policy)
        return found if found is not None else _same_region(one, other, policy)
    if isinstance(other, Value):
        return equations.solves(one, other) if one.sign == "=" and policy.names == "compared" else False
    if isinstance(other, Items) and other.kind in ("list", "()") and one.sign == "=":
        return False
    return _same_region(one, other, policy)


def _rounds(relation: Relation) -> bool:
    """Return whether a side of an equation is a decimal that may be a rounding."""
    sides = (bare(side) for side in (relation.left, relation.right))
    return any(isinstance(side, Value) and "rounded" in functions(side.node) for side in sides)


def _same_sides(one: Relation, other: Relation, policy: Policy) -> bool:
    """``a - b = 1.732`` and ``a - b = \\sqrt3``: beside an equal side, a decimal is compared as if alone."""
    return any(
        all_agree([same(one.left, left, policy), same(one.right, right, policy)])
        for left, right in ((other.left, other.right), (other.right, other.left))
    )


def _same_matrix(one: Matrix, other: Shape, policy: Policy) -> bool | None:
    """Cell by cell; a tuple may stand for a vector."""
    if not isinstance(other, Matrix):
        if policy.brackets == "required":
            return False
        items = other.items if isinstance(other, Items) else ()
        rows = [row.items for row in items if isinstance(row, Items)]
        if rows and len(rows) == len(items) and len({len(row) for row in rows}) == 1:
            return _same_matrix(one, Matrix(tuple(rows)), policy)  # [[1, 2], [3, 4]]
        vector = len(one.rows) == 1 or len(one.rows[0]) == 1
        if not vector or not isinstance(other, Items):
            return False
        cells = tuple(cell for row in one.rows for cell in row)
        return (
            same_groups(Items("()", cells), other, policy, same)
            if other.kind in ("()", "list", "[]")
            else False
        )
    if (len(one.rows), len(one.rows[0])) != (len(other.rows), len(other.rows[0])):
        return False
    pairs = zip(one.rows, other.rows, strict=True)
    return all_agree(
        [
            same(mine, theirs, policy)
            for left, right in pairs
            for mine, theirs in zip(left, right, strict=True)
        ]
    )


def _same_cases(one: Cases, other: Shape, policy: Policy) -> bool | None:
    return same_piecewise(one, other, lambda mine, theirs: same(mine, theirs, policy))


_JUDGES: tuple[tuple[Any, Callable[[Any, Shape, Policy], bool | None]], ...] = (
    (Relation, _same_relation), (Combined, _same_region), (Chain, _same_region), (Numbers, _same_region),
    (Words, same_words), (Matrix, _same_matrix), (Ratio, same_ratio), (Clock, same_clock),
    (Date, same_date),
    (Numeral, same_numeral), (Cases, _same_cases), (Infinity, same_infinity), (Items, _same_items),
)  # fmt: skip
"""Judges of a pair, by the first of these kinds that is among the two."""
