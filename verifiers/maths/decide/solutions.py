"""An equation in one unknown beside a list of numbers: the numbers that solve it."""

from __future__ import annotations

from ...formulas.formula_tree import Apply, Symbol, symbols
from ...formulas.sets import intervals, regions
from ...formulas.sets.intervals import Region
from ...formulas.shapes import Named, Relation, Shape, Value


def same_solutions(expected: Shape, given: Shape) -> bool:
    """Whether one is an equation in one unknown, and the other lists exactly the numbers that solve it.

    A reference may be any such equation. An answer may only be ``|x| = 2``, which says that both signs are
    meant: whoever repeats the equation of the question has not solved it.

    Args:
        expected: The reference.
        given: The answer.
    """
    found = _solved(expected), regions.points(given)
    if found[0] is None and _is_absolute(given):
        found = _solved(given), regions.points(expected)
    if found[0] is None or found[1] is None:
        return False
    return intervals.same(found[0], found[1]) is True


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
