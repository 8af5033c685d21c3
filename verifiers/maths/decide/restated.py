"""Whether an answer only repeats the question: its formula as it stands, or its arithmetic left undone."""

from __future__ import annotations

import re
from fractions import Fraction

from ...formulas.formula_tree import Node, Number, Power, Product, Sum, Symbol, symbols, walk
from ...formulas.shapes import Chain, Matrix, Named, Relation, Shape, Value, bare
from ...reading.readings import Reading
from ...runtime.patterns import lazy
from ..question import Question

_BUILT = lazy(r"\\\{.{1,40}?(?::|\\mid|\|)(.+)\\\}")
_SIDES = lazy(r"<=?|>=?|\\(?:leq?|geq?|lt|gt|leqslant|geqslant)(?![a-zA-Z])")
_DIVISION = lazy(r"\\frac\{(\d{1,9})\}\{(\d{1,9})\}|(\d{1,9})\s*/\s*(\d{1,9})")
_FREE = frozenset({Fraction(0), Fraction(1), Fraction(-1)})
"""Numbers that change nothing, and so need not be given."""


def restates(expected: Reading, given: Reading, question: Question) -> bool:
    """Whether an answer that is equal says nothing that the question does not.

    It does if it is the reference in form, too, or is a value, or is one of the question's choices.

    Args:
        expected: The reference.
        given: The answer.
        question: The row's question.

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
    """Whether a text divides two numbers of the question that leave less: 84/7 for 12, 6/8 for 3/4."""
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
    """Whether it is a sum or product of numbers that the question gives."""
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
    """Whether it is one number over another, with its sign, that is no whole number: a value as it stands."""
    numbers = [each.value for each in walk(node) if isinstance(each, Number) and abs(each.value) != 1]
    if len(numbers) > 2 or any(isinstance(each, Sum) for each in walk(node)):
        return False
    below = [each.base for each in walk(node) if isinstance(each, Power)]
    if len(below) != 1 or not isinstance(below[0], Number) or not below[0].value:
        return not below and len(numbers) < 2
    above = [each for each in numbers if each != below[0].value] or [Fraction(1)]
    return (above[0] / below[0].value).denominator != 1


def _is_unsolved(shape: Shape) -> bool:
    """Whether it is an inequality about an expression, rather than about an unknown."""
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
    """Whether it is a number, a fraction or a letter: nothing is left to do there."""
    if not isinstance(shape, Value):
        return False
    node = shape.node
    return isinstance(node, Number | Symbol) or (
        isinstance(node, Product) and len(walk(node)) <= 5 and _is_plain_fraction(node)
    )


def _is_plain_fraction(node: Product) -> bool:
    """Whether it is a fraction of whole numbers in lowest terms."""
    numbers: list[Fraction] = []
    if not _numerals(node, numbers) or len(node.factors) != 2:
        return False
    top, bottom = node.factors
    if not isinstance(top, Number) or not isinstance(bottom, Power) or not isinstance(bottom.base, Number):
        return False
    value = Fraction(top.value, bottom.base.value) if bottom.base.value else Fraction(0)
    return abs(value.denominator) == abs(bottom.base.value)
