"""What the row's question changes about two answers before they are compared."""

from __future__ import annotations

from fractions import Fraction

from ....formulas.formula_tree import Apply, Constant, Node, Number, functions, rebuild, walk
from ....formulas.shapes import Items, Named, Shape, Value, mapped
from ....units.quantities import as_counted, conversion
from ...question import Question

_TEN = Number(Fraction(10))


def as_asked(shape: Shape, question: Question) -> Shape:
    """A shape with its logarithms to the base that the question speaks of; of named values the asked one.

    Args:
        shape: An answer or a reference.
        question: The row's question.
    """
    if isinstance(shape, Items) and question.asked is not None:
        named = [each for each in shape.items if isinstance(each, Named) and each.name == question.asked]
        others = [each for each in shape.items if isinstance(each, Named) and each.name != question.asked]
        if len(named) == 1 and len(others) == len(shape.items) - 1:
            shape = named[0]
    if question.logarithm is None:
        return shape
    return mapped(shape, lambda node: rebuild(node, _common if question.logarithm == "10" else _natural))


def is_another(shape: Shape, question: Question) -> bool:
    """Whether a value is said to be that of another unknown than the asked one: x = 3 where y is."""
    if question.asked is None or not isinstance(shape, Named) or not shape.variable or shape.sign != "=":
        return False
    return (
        "(" not in shape.name
        and isinstance(shape.shape, Value)
        and shape.name.casefold() != question.asked.casefold()
        and question.mentions(shape.name)
    )


def are_told_apart(one: Shape, other: Shape, question: Question) -> bool:
    """Whether two values are those of R and of r, both of which the question has."""
    if not isinstance(one, Named) or not isinstance(other, Named):
        return False
    return one.name != other.name and question.tells_apart(one.name, other.name)


def in_asked_units(one: Value, other: Value, question: Question) -> tuple[Value, Value]:
    """Two values of which one has a unit, the other with the unit or angle measure that was asked for.

    What the question has is a thing counted, whatever it says about other numbers.
    """
    one, other = (Value(each.node, as_counted(each.unit, question.words)) for each in (one, other))
    if bool(one.unit) == bool(other.unit) and _in_degrees(one) == _in_degrees(other):
        return _measured(one, other) if question.angle == "degrees" and not one.unit else (one, other)
    return _in_unit(one, other, question), _in_unit(other, one, question)


def _measured(one: Value, other: Value) -> tuple[Value, Value]:
    """Where degrees are asked for, of two plain numbers the one that holds pi is in radians."""
    radians = [Constant("pi") in walk(value.node) for value in (one, other)]
    if radians[0] == radians[1] or _in_degrees(one):
        return one, other
    measured = [
        value if radian else Value(Apply("degrees", (value.node,)))
        for value, radian in zip((one, other), radians, strict=True)
    ]
    return measured[0], measured[1]


def _in_unit(value: Value, other: Value, question: Question) -> Value:
    if value.unit or _in_degrees(value):
        return value
    angle = _in_degrees(other) or other.unit == "radian"
    if angle and question.angle == "radians":
        return Value(value.node, "radian")
    if angle and question.angle == "degrees" and Constant("pi") not in walk(value.node):
        return Value(Apply("degrees", (value.node,)))
    unit = question.unit
    if other.unit and unit is not None and conversion(unit, other.unit) is not None:
        return Value(value.node, unit)
    return value


def _in_degrees(value: Value) -> bool:
    return "degrees" in functions(value.node)


def _common(node: Node) -> Node | None:
    if isinstance(node, Apply) and node.function == "log":
        return Apply("log_base", (_TEN, *node.arguments))
    return None


def _natural(node: Node) -> Node | None:
    return Apply("ln", node.arguments) if isinstance(node, Apply) and node.function == "log" else None
