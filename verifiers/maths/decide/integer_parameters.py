r"""Solutions with parameters: ``\pi/4 + k\pi`` for every integer, vectors under other names.

A vector may be a sum of unit vectors, ``\hat i + 2\hat j``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Set
from fractions import Fraction

from ...formulas.answer_shapes import Items, Matrix, Shape, Value, bare, mapped, nodes
from ...formulas.ball_comparison import approximate
from ...formulas.exact_values import TooLargeError, exact
from ...formulas.formula_equality import decide, is_equal
from ...formulas.formula_tree import (
    Constant,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
    inverse,
    negative,
    rebuild,
    substitute,
    symbols,
    walk,
)
from ...runtime.records import dataclass
from ..question import Question
from .allowances import has_angle

_QUANTIFIED = "#Z:"
_CUSTOMARY = frozenset(["k", "n", "m"])
"""Letters that stand for any integer where nothing says so."""
_OTHERS = _CUSTOMARY | frozenset(["l", "t", "s", "r", "p", "q", "j", "a", "c"])
"""Those that do where the other side says that its own letter does."""
_MOST_PARTS, _MOST_NODES, _MOST_RESIDUES, _LARGEST_DENOMINATOR = 12, 60, 48, 48
_CLOSE = 1e-9
_PI = Constant("pi")


@dataclass(frozen=True, slots=True)
class _Progression:
    """Numbers that begin somewhere and go on in both directions by one step."""

    start: Node
    step: Node


def same_numbers(one: Shape, other: Shape) -> bool:
    """Return whether two shapes are one set of numbers, when their letter runs through the integers.

    Where neither says that it does, the letters and the form must be those of angles.
    """
    left, right = _parts(one), _parts(other)
    if left is None or right is None or any(_is_unsaid(nodes) for nodes in (left, right)):
        return False
    letters = {name for node in (*left, *right) for name in symbols(node)}
    if not any(name.startswith(_QUANTIFIED) for name in letters):
        if not letters <= _CUSTOMARY or not all(map(has_angle, (*left, *right))):
            return False
        customary = True
    else:
        customary = False
        if any(not name.startswith(_QUANTIFIED) and name not in _OTHERS for name in letters):
            return False
        if any(
            isinstance(node, Symbol) and not node.name.startswith(_QUANTIFIED) for node in (*left, *right)
        ):
            return False  # n alone is an unknown
    found = [_progressions(node) for node in left], [_progressions(node) for node in right]
    lists = [[each for part in parts if part for each in part] for parts in found]
    if any(part is None for parts in found for part in parts):
        return False
    if customary and not all(_is_angle(each) for parts in lists for each in parts):
        return False
    return _same_sets(lists[0], lists[1])


def _is_unsaid(nodes: list[Node]) -> bool:
    """Return whether an answer is an unknown alone, not declared to be any integer."""
    return any(isinstance(node, Symbol) and not node.name.startswith(_QUANTIFIED) for node in nodes)


def _parts(shape: Shape) -> list[Node] | None:
    """The values of a shape, each with one letter."""
    inner = bare(shape)
    items = inner.items if isinstance(inner, Items) and inner.kind in ("list", "{}") else (inner,)
    nodes = [item.node for item in map(bare, items) if isinstance(item, Value) and not item.unit]
    if len(nodes) != len(items) or len(nodes) > _MOST_PARTS or any(len(symbols(node)) != 1 for node in nodes):
        return None
    if any(sum(1 for _ in walk(node)) > _MOST_NODES for node in nodes):
        return None
    return nodes


def _progressions(node: Node) -> list[_Progression] | None:
    r"""A formula as progressions: one, or two where it holds ``(-1)^k``; None for any other."""
    (letter,) = symbols(node)
    whole = _progression(node, letter)
    if whole is not None:
        return [whole]
    doubled = Product((Number(Fraction(2)), Symbol(letter)))
    halves = [
        _progression(_without_signs(substitute(node, {letter: each}), letter), letter)
        for each in (doubled, Sum((doubled, Number(Fraction(1)))))
    ]
    found = [half for half in halves if half is not None]
    return found if len(found) == len(halves) else None


def _progression(node: Node, letter: str) -> _Progression | None:
    start = substitute(node, {letter: Number(Fraction(0))})
    step = Sum((substitute(node, {letter: Number(Fraction(1))}), negative(start)))
    line = Sum((start, Product((Symbol(letter), step))))
    size = approximate(step)
    if size is None or abs(size) < _CLOSE or approximate(start) is None:
        return None
    return _Progression(start, step) if is_equal(decide(node, line)) else None


def _without_signs(node: Node, letter: str) -> Node:
    """With the powers of -1 whose exponent has one parity as what they are."""

    def settled(each: Node) -> Node | None:
        if not isinstance(each, Power) or each.base != Number(Fraction(-1)) or not symbols(each.exponent):
            return None
        try:
            values = [exact(substitute(each.exponent, {letter: Number(Fraction(at))})) for at in range(3)]
        except TooLargeError:
            return None
        if any(value is None or value.q != 1 for value in values):
            return None
        parities = {int(value.p) % 2 for value in values if value is not None}
        line = values[2] - values[1] == values[1] - values[0]  # type: ignore[operator]  # none is None
        return Number(Fraction(1 - 2 * parities.pop())) if line and len(parities) == 1 else None

    return rebuild(node, settled)


def _is_angle(each: _Progression) -> bool:
    r"""Return whether a progression certainly has angles: ``(n-2)\pi`` is an angle sum of a polygon."""
    turns = _ratio(each.start, _PI)
    return turns is not None and turns.denominator != 1 and _ratio(each.step, _PI) is not None


def _ratio(one: Node, other: Node) -> Fraction | None:
    """The quotient of two numbers, where it is a fraction with a small denominator."""
    size = approximate(Product((one, inverse(other))))
    if size is None or abs(size) > 1 / _CLOSE:
        return None
    ratio = Fraction(size).limit_denominator(_LARGEST_DENOMINATOR)
    if abs(float(ratio) - size) > _CLOSE * max(1.0, abs(size)):
        return None
    return ratio if is_equal(decide(one, Product((Number(ratio), other)))) else None


def _same_sets(one: list[_Progression], other: list[_Progression]) -> bool:
    """Return whether two unions of progressions hold the same numbers, by residues modulo a common step."""
    unit = one[0].step
    ratios = [[_ratio(each.step, unit) for each in parts] for parts in (one, other)]
    steps = [abs(ratio) for parts in ratios for ratio in parts if ratio]
    if len(steps) != len(one) + len(other):
        return False
    common = Fraction(
        math.lcm(*(step.numerator for step in steps)), math.gcd(*(step.denominator for step in steps))
    )
    if sum(common / step for step in steps) > _MOST_RESIDUES:
        return False
    period = Product((Number(common), unit))
    sides = [
        [
            Sum((each.start, Product((Number(Fraction(turn)), each.step))))
            for each, ratio in zip(parts, found, strict=True)
            if ratio
            for turn in range(int(common / abs(ratio)))
        ]
        for parts, found in zip((one, other), ratios, strict=True)
    ]
    places = [[_turns(each, period) for each in side] for side in sides]
    return all(
        any(
            _congruent(mine, theirs, period, here, there)
            for theirs, there in zip(sides[1 - side], places[1 - side], strict=True)
        )
        for side in (0, 1)
        for mine, here in zip(sides[side], places[side], strict=True)
    )


def _turns(node: Node, period: Node) -> float | None:
    return approximate(Product((node, inverse(period))))


def _congruent(one: Node, other: Node, period: Node, here: float | None, there: float | None) -> bool:
    """Return whether two numbers differ by whole periods; the periods of each are known approximately."""
    if here is None or there is None or abs(here - there - round(here - there)) > _CLOSE:
        return False
    turns = Number(Fraction(round(here - there)))
    return is_equal(decide(one, Sum((other, Product((turns, period))))))


_UNITS = ("veci", "vecj", "veck")
_ZERO, _ONE = Number(Fraction(0)), Number(Fraction(1))


def in_coordinates(shape: Shape, other: Shape) -> Shape:
    """A sum of unit vectors as a tuple, if the other shape is one or a column; any other shape as it is."""
    inner, beside = bare(shape), bare(other)
    size = _length(beside)
    if size not in (2, 3) or not isinstance(inner, Value) or inner.unit:
        return shape
    node = inner.node
    if symbols(node).isdisjoint(_UNITS) or (size == 2 and "veck" in symbols(node)):
        return shape
    nothing: dict[str, Node] = dict.fromkeys(_UNITS, _ZERO)
    parts = [substitute(node, {**nothing, unit: _ONE}) for unit in _UNITS]
    whole = Sum(tuple(Product((Symbol(unit), part)) for unit, part in zip(_UNITS, parts, strict=True)))
    if not is_equal(decide(node, whole)):
        return shape
    return Items("()", tuple(map(Value, parts[:size])))


def _length(shape: Shape) -> int:
    if isinstance(shape, Items):
        return len(shape.items) if shape.kind == "()" else 0
    if isinstance(shape, Matrix) and 1 in (len(shape.rows), len(shape.rows[0])):
        return max(len(shape.rows), len(shape.rows[0]))
    return 0


_PARAMETERS = frozenset({"s", "t", "r", "u", "v", "k", "lambda", "mu", "alpha", "beta"})
"""Names of the parameters of lines and planes; others are where the question does not have them."""
_OTHER_PARAMETERS = frozenset({"a", "b", "c", "d", "p", "q", "m", "n"})
_MOST = 3


def renamed_parameters(one: Shape, other: Shape, question: Question | None) -> list[Shape]:
    """A vector under every choice of the names that the other one has for its parameters, one in all parts.

    Args:
        one: A vector with fewer parameters than parts.
        other: Another one.
        question: The row's question, whose letters are no parameters.

    >>> from verifiers.reading.statements import read
    >>> len(renamed_parameters(read("(2s, 3s)"), read("(2t, 3t)"), None))
    1
    """
    parts = nodes(one), nodes(other)
    if len(parts[0]) != len(parts[1]) or not all(_length(bare(each)) for each in (one, other)):
        return []
    mine, theirs = ({name for node in side for name in symbols(node)} for side in parts)
    shared = mine & theirs
    mine, theirs = mine - shared, theirs - shared
    known: Set[str] = _PARAMETERS | (_OTHER_PARAMETERS if question is not None else frozenset())
    if any(name[0] == "#" for name in mine | theirs):
        known = mine | theirs  # one side says that its letters run
    if (
        len(mine) != len(theirs)
        or not 0 < len(mine) <= min(_MOST, len(parts[0]) - 1)
        or not mine | theirs <= known
    ):
        return []
    if question is not None and any(map(question.mentions, mine | theirs)):
        return []
    found = []
    for chosen in itertools.permutations(sorted(theirs)):
        names: dict[str, Node] = {
            name: Symbol(other) for name, other in zip(sorted(mine), chosen, strict=True)
        }
        found.append(mapped(one, lambda node, names=names: substitute(node, names)))  # type: ignore[misc]
    return found
