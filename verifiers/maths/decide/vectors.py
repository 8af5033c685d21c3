r"""Vectors as sums of unit vectors, ``\hat i + 2\hat j``, against their coordinates."""

from __future__ import annotations

from fractions import Fraction

from ...formulas.formula_equality import decide, is_equal
from ...formulas.formula_tree import Node, Number, Product, Sum, Symbol, substitute, symbols
from ...formulas.shapes import Items, Matrix, Shape, Value, bare

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
