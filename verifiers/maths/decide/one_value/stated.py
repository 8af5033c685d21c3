"""``m + n = 293`` as the value 293: an equation that says what an expression is worth."""

from __future__ import annotations

from ....formulas.formula_tree import Apply, Node, Range, Root, Symbol, symbols, walk
from ....formulas.shapes import Relation, Shape, Value
from ...question import Question

_COORDINATES = frozenset({"x", "y", "z", "r", "t", "theta", "w", "u", "v"})
"""Unknowns of lines and curves, whose equation may be the answer."""


def stated(shape: Shape, text: str, question: Question | None, is_reference: bool) -> Value | None:
    """The number that an equation says an expression is; None where it may be an equation to be solved.

    An equation in one unknown is to be solved, unless the question asks for its left side; what the question
    gives is no statement; and a reference in x and y may be asked for as the curve that it is.

    Args:
        shape: What may be an equation.
        text: Its text.
        question: The row's question.
        is_reference: Whether it is the reference.

    >>> from verifiers.reading.statements import read
    >>> stated(read("m+n=293"), "m+n=293", None, False) is None, stated(read("x+2=7"), "x+2=7", None, False)
    (False, None)
    """
    if not isinstance(shape, Relation) or shape.sign != "=":
        return None
    left, right = shape.left, shape.right
    if not isinstance(left, Value) or not isinstance(right, Value):
        return None
    expression, value = (left, right) if not symbols(right.node) else (right, left)
    names = symbols(expression.node)
    if symbols(value.node) or not names:
        return None
    if question is not None:
        if question.asks_for(text.partition("=")[0]):
            return value
        if question.gives(text):
            return None
    if is_reference and (names & _COORDINATES or not _is_linear(expression.node)):
        return None
    return value if len(names) > 1 else None


def _is_linear(node: Node) -> bool:
    """Whether it is a sum of unknowns, as ``m + n`` is, which is no curve."""
    return not any(isinstance(each, Apply | Root | Range) for each in walk(node)) and not isinstance(
        node, Symbol
    )
