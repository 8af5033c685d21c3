"""Effects of the row's question on an answer: the value asked for, its unit, and mere repetition of it.

``m + n = 293`` says what an expression is worth; an answer may also only repeat the question's formula as it
stands, or leave its arithmetic undone.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ...formulas.answer_shapes import Chain, Items, Matrix, Named, Relation, Shape, Value, bare, mapped
from ...formulas.formula_equality import to_base_ten, to_natural
from ...formulas.formula_tree import (
    Apply,
    Constant,
    Node,
    Number,
    Power,
    Product,
    Range,
    Root,
    Sum,
    Symbol,
    functions,
    symbols,
    walk,
)
from ...reading.answer_readings import Reading
from ...runtime.patterns import lazy
from ...units.quantities import as_counted, conversion
from ..question import Question


def in_asked_form(shape: Shape, question: Question) -> Shape:
    """A shape with its logarithms to the base that the question speaks of; of named values the asked one."""
    if isinstance(shape, Items) and question.asked is not None:
        named = [each for each in shape.items if isinstance(each, Named) and each.name == question.asked]
        others = [each for each in shape.items if isinstance(each, Named) and each.name != question.asked]
        if len(named) == 1 and len(others) == len(shape.items) - 1:
            shape = named[0]
    if question.logarithm is None:
        return shape
    return mapped(shape, to_base_ten if question.logarithm == "10" else to_natural)


def is_another(shape: Shape, question: Question) -> bool:
    """Return whether a value belongs to another unknown than the one asked for: x = 3 where y is."""
    if question.asked is None or not isinstance(shape, Named) or not shape.variable or shape.sign != "=":
        return False
    return (
        "(" not in shape.name
        and isinstance(shape.shape, Value)
        and shape.name.casefold() != question.asked.casefold()
        and question.mentions(shape.name)
    )


def differ_by_question(one: Shape, other: Shape, question: Question) -> bool:
    """Return whether two values are those of R and of r, both of which the question has."""
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
    """Convert a number with pi from radians, beside a plain one, where the question asks for degrees."""
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


_COORDINATES = frozenset({"x", "y", "z", "r", "t", "theta", "w", "u", "v"})
"""Unknowns of lines and curves, whose equation may be the answer."""


def stated_value(shape: Shape, text: str, question: Question | None, is_reference: bool) -> Value | None:
    """The number that an equation says an expression is; None where it may be an equation to be solved.

    An equation in one unknown is to be solved, unless the question asks for its left side; what the question
    gives is no statement; and a reference in x and y may be asked for as the curve that it is.

    >>> from verifiers.reading.statements import read
    >>> [stated_value(read(text), text, None, False) is None for text in ("m+n=293", "x+2=7")]
    [False, True]
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
    """Return whether a node is a sum of unknowns, as ``m + n`` is, which is no curve."""
    return not any(isinstance(each, Apply | Root | Range) for each in walk(node)) and not isinstance(
        node, Symbol
    )


_BUILT = lazy(r"\\\{.{1,40}?(?::|\\mid|\|)(.+)\\\}")
_SIDES = lazy(r"<=?|>=?|\\(?:leq?|geq?|lt|gt|leqslant|geqslant)(?![a-zA-Z])")
_DIVISION = lazy(r"\\frac\{(\d{1,9})\}\{(\d{1,9})\}|(\d{1,9})\s*/\s*(\d{1,9})")
_FREE = frozenset({Fraction(0), Fraction(1), Fraction(-1)})
"""Numbers that change nothing, and so need not be given."""


def restates(expected: Reading, given: Reading, question: Question) -> bool:
    """Return whether an equal answer only repeats the question.

    It does if it is the reference in form, too, or is a value, or is one of the question's choices.

    >>> asked = Question("What is 23 + 77?")
    >>> [restates(Reading("100"), Reading(text), asked) for text in ("100", "77+23", "50+50")]
    [False, True, False]
    >>> restates(Reading("(-2,2)"), Reading("x^2<4"), Question("Solve $x^2 < 4$."))
    True
    """
    one, other = expected.shape, given.shape
    if other is None or expected.tightened == given.tightened or question.has_choices:
        return False
    if isinstance(other, Named) and not other.variable and question.repeats(given.text):
        return not isinstance(one, Named)  # |x| = 3
    one, other = None if one is None else bare(one), bare(other)
    if (
        isinstance(one, Value)
        and isinstance(other, Value)
        and one.unit
        and other.unit
        and one.unit != other.unit
    ):
        return question.repeats(given.text)  # 2.5 km for 2500 m
    if one == other:
        return _is_division(given.text, question) or (
            isinstance(one, Matrix) and question.repeats(given.text)
        )
    is_number = isinstance(one, Value) and isinstance(one.node, Number)
    if is_number and isinstance(other, Value) and _is_undone(other.node, question):
        return True
    built = _BUILT.fullmatch(given.text.strip())
    text = built[1] if built is not None else given.text
    if _is_unsolved(other) and not (one is not None and _is_unsolved(one)):
        sides = [side for side in _SIDES.split(text) if re.search(r"[a-z]", side)]
        return any(question.gives(side) for side in sides if len(side.strip()) > 1)
    return not _is_plain(other) and question.repeats(text)


def _is_division(text: str, question: Question) -> bool:
    """Return whether a text divides two numbers of the question unreduced: 84/7 for 12, 6/8 for 3/4."""
    found = _DIVISION.fullmatch(text)
    if found is None:
        return False
    above, below = (Fraction(each) for each in found.groups() if each is not None)
    reduced = (above / below).denominator if below else 1
    return (
        below > 1
        and reduced < below
        and (reduced == 1 or question.repeats(text))
        and {above, below} <= question.numbers
    )


def _is_undone(node: Node, question: Question) -> bool:
    """Return whether a node is a sum or product of numbers that the question gives."""
    numbers: list[Fraction] = []
    if not isinstance(node, Sum | Product) or not _numerals(node, numbers):
        return False
    asked = set(numbers) - _FREE
    divided = isinstance(node, Product) and _is_fraction(node)
    return bool(asked) and not divided and {abs(each) for each in asked} <= question.numbers


def _numerals(node: Node, found: list[Fraction]) -> bool:
    """Note the numbers of sums, products and quotients; False where there is anything else."""
    if isinstance(node, Number):
        found.append(node.value)
        return True
    if isinstance(node, Sum | Product):
        return all(_numerals(each, found) for each in (node.terms if isinstance(node, Sum) else node.factors))
    return isinstance(node, Power) and node.exponent == Number(Fraction(-1)) and _numerals(node.base, found)


def _is_fraction(node: Product) -> bool:
    """Return whether it is one number over another, signed and no whole number: a value as it stands."""
    numbers = [each.value for each in walk(node) if isinstance(each, Number) and abs(each.value) != 1]
    if len(numbers) > 2 or any(isinstance(each, Sum) for each in walk(node)):
        return False
    below = [each.base for each in walk(node) if isinstance(each, Power)]
    if len(below) != 1 or not isinstance(below[0], Number) or not below[0].value:
        return not below and len(numbers) < 2
    above = [each for each in numbers if each != below[0].value] or [Fraction(1)]
    return (above[0] / below[0].value).denominator != 1


def _is_unsolved(shape: Shape) -> bool:
    """Return whether a shape is an inequality about an expression, rather than about an unknown."""
    sides = (
        (shape.left, shape.right)
        if isinstance(shape, Relation) and shape.sign in ("<", "<=")
        else shape.sides
        if isinstance(shape, Chain)
        else ()
    )
    nodes = [side.node for side in sides if isinstance(side, Value) and symbols(side.node)]
    return bool(nodes) and not all(isinstance(node, Symbol) for node in nodes)


def _is_plain(shape: Shape) -> bool:
    """Return whether a shape is a number, a fraction or a letter, with nothing left to do."""
    if not isinstance(shape, Value):
        return False
    node = shape.node
    return isinstance(node, Number | Symbol) or (
        isinstance(node, Product) and len(walk(node)) <= 5 and _is_plain_fraction(node)
    )


def _is_plain_fraction(node: Product) -> bool:
    """Return whether a product is a fraction of whole numbers in lowest terms."""
    numbers: list[Fraction] = []
    if not _numerals(node, numbers) or len(node.factors) != 2:
        return False
    top, bottom = node.factors
    if not isinstance(top, Number) or not isinstance(bottom, Power) or not isinstance(bottom.base, Number):
        return False
    value = Fraction(top.value, bottom.base.value) if bottom.base.value else Fraction(0)
    return abs(value.denominator) == abs(bottom.base.value)
