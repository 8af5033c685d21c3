r"""Vectors as sums of unit vectors, ``\hat i + 2\hat j``, and with parameters under other names."""

from __future__ import annotations

import itertools
from collections.abc import Set
from fractions import Fraction

from ...formulas.formula_equality import decide, is_equal
from ...formulas.formula_tree import Node, Number, Product, Sum, Symbol, substitute, symbols
from ...formulas.shapes import Items, Matrix, Shape, Value, bare, mapped, nodes
from ..question import Question

_UNITS = ("veci", "vecj", "veck")
_ZERO, _ONE = Number(Fraction(0)), Number(Fraction(1))


def in_coordinates(shape: Shape, other: Shape) -> Shape:
    """A sum of unit vectors as a tuple, if the other shape is one or a column; any other shape as it is."""
    inner, beside = bare(shape), bare(other)
    size = _size(beside)
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


def _size(shape: Shape) -> int:
    if isinstance(shape, Items):
        return len(shape.items) if shape.kind == "()" else 0
    if isinstance(shape, Matrix) and 1 in (len(shape.rows), len(shape.rows[0])):
        return max(len(shape.rows), len(shape.rows[0]))
    return 0


_PARAMETERS = frozenset({"s", "t", "r", "u", "v", "k", "lambda", "mu", "alpha", "beta"})
"""What the parameters of lines and planes are called; others are where the question does not have them."""
_OTHERS = frozenset({"a", "b", "c", "d", "p", "q", "m", "n"})
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
    if len(parts[0]) != len(parts[1]) or not all(_size(bare(each)) for each in (one, other)):
        return []
    mine, theirs = ({name for node in side for name in symbols(node)} for side in parts)
    shared = mine & theirs
    mine, theirs = mine - shared, theirs - shared
    known: Set[str] = _PARAMETERS | (_OTHERS if question is not None else frozenset())
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
