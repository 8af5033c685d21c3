"""Conditions on which two formulas are compared, each seen from both sides."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from verifiers.formulas.balls.ball_comparison import equal
from verifiers.formulas.balls.ball_values import NoValueError, Point, value_at
from verifiers.formulas.exact_values import TooLargeError
from verifiers.formulas.formula_tree import Node, Number, Power
from verifiers.formulas.matrix_algebra import multiplied
from verifiers.formulas.polynomials import identical
from verifiers.formulas.ranges.errors import NoEnclosureError
from verifiers.formulas.shapes import Value
from verifiers.maths.decide.answer_match import match
from verifiers.maths.decide.by_sympy.symbolic import _roughly, _same_value, _separated, _verdict
from verifiers.maths.decide.by_sympy.sympy_trees import as_sympy
from verifiers.reading.readings import Reading

X = sympy.Symbol("x")
WRITTEN = st.sampled_from(["2", "7", ".5", "2.5", "10", "3."])


def _node(text: str) -> Node:
    shape = Reading(text).shape
    assert isinstance(shape, Value)
    return shape.node


@given(WRITTEN, WRITTEN, st.sampled_from([" ", "  ", "\n"]))
def test_two_numbers_side_by_side_are_no_product(one: str, other: str, space: str) -> None:
    """Whichever way each is written, and whoever reads it: 2 .5 may be 2.5, two answers, or a slip."""
    product = str(Fraction(one) * Fraction(other))
    assert match(Reading(product), Reading(one + space + other))[0] == "not_equal"
    assert match(Reading(one + space + other), Reading(product))[0] in ("not_equal", "bad_reference")


@pytest.mark.parametrize(
    ("reference", "answer", "reason"),
    [
        ("5", "5, 6", "several_answers"),
        ("0.5", "0.25", "not_equal"),
        ("1/3", "0.33333333333333352", "equal_numeric"),
        ("1/3", "0.33333333333333378", "proved_unequal"),
        ("20", "P(5,2)", "equal_rational"),
        (r"(\frac{3-\sqrt5}{2}, \frac{3+\sqrt5}{2})", "x^2-3x+1<0", "equal_shape"),
        ("(x=1, y=2)", "(1,2)", "equal_shape"),
        ("(1,2)", "(x=1, y=2)", "equal_shape"),
        (r"AB", r"\overline{AB}", "equal_algebra"),
        (r"x \le \sharp", r"x \leq \sharp", "equal_text"),
        ("12", r"\overline{12}", "not_equal"),
    ],
)
def test_what_is_compared(reference: str, answer: str, reason: str) -> None:
    """A float's last places, names of coordinates, roots that are no fractions, signs of no meaning."""
    assert match(Reading(reference), Reading(answer))[0] == reason


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (r"\lceil x\rceil-\lfloor x\rfloor", "1", False),
        (r"\lceil x\rceil+\lfloor -x\rfloor", "0", True),
        ("|x|", "x", False),
        ("|x|", r"\max(x,-x)", True),
        (r"\sum_{n=0}^{\infty}\frac{(-1)^n}{2^n}", r"\frac{3}{4}", False),
        (r"\int_1^\infty \frac{\sin x}{x^4} dx", "0.5", False),
        (r"\int_1^\infty \frac{\cos x}{x^4} dx", "0.5", False),
    ],
)
def test_values_and_functions(one: str, other: str, same: bool) -> None:
    """Those made of pieces agree at every point that is looked at; sums and integrals are told apart."""
    assert equal(_node(one), _node(other)) is same


def test_a_series_that_is_not_enclosed_is_guessed() -> None:
    """From its first terms, to many digits; between ends that are not real nothing is."""
    half = _node(r"\sum_{n=0}^\infty \frac{(-1)^n}{2n+1}")
    assert abs(complex(value_at(half, Point({}, guess=True)).mid()) - 0.78539816339745) < 1e-10
    with pytest.raises((NoValueError, NoEnclosureError)):
        value_at(_node(r"\int_0^i x^2 dx"), Point({}))


def test_limits_are_compared_from_close_by() -> None:
    """From beside the place, not at a part of it; a limit without a side is taken from both."""
    at_one = sympy.Limit((X**2 - 1) / (X - 1), X, 1, "+-")
    assert _roughly(at_one, sympy.Integer(2)) == "near"
    assert _roughly(sympy.Limit(sympy.sin(X) / X, X, 0, "+-"), sympy.Integer(1)) == "near"
    assert _roughly(at_one, sympy.Integer(50)) == "far"
    sides = {"0": "+-", "0^+": "+", "0^-": "-"}
    for place, side in sides.items():
        assert str(as_sympy(_node(rf"\lim_{{x\to {place}}}\frac{{\sin x}}{{x}}")).args[3]) == side


def test_a_side_that_the_grammar_reads_is_not_read_again() -> None:
    """And the other is; what nobody reads is told by whose it is."""
    assert _verdict(Reading("((("), Reading("2"), lambda: None) == "reference"
    assert _verdict(Reading("2"), Reading("4 5 )"), lambda: None) == "answer"
    assert _verdict(Reading("P(5,2)"), Reading("20"), lambda: None) == "equal"
    assert _verdict(Reading("20"), Reading("P(5,2)"), lambda: None) == "equal"


def test_what_would_be_too_large_is_not_worked_out() -> None:
    """A cell of a matrix stays as it is; a power of a sum is given up before its terms are written."""
    tower = Power(Number(Fraction(10)), Power(Number(Fraction(10)), Number(Fraction(9))))
    one = [[Number(Fraction(1))]]
    assert multiplied([[tower]], one)
    power = _node("(a+b+c+d+f+g+h+k+m+n)^{14}")
    with pytest.raises(TooLargeError):
        identical(power, Number(Fraction(1)))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (sympy.sin(2 * X), 2 * sympy.sin(X) * sympy.cos(X), True),
        (sympy.sin(2 * X), 2 * sympy.sin(X), False),
        (sympy.sqrt(2) * sympy.sqrt(3), sympy.sqrt(6), True),
        (sympy.sqrt(2) + sympy.sqrt(3), sympy.sqrt(5), False),
    ],
)
def test_expressions_are_told_apart_by_their_values(one: sympy.Expr, other: sympy.Expr, same: bool) -> None:
    assert _same_value(one, other) is same


def test_two_numbers_differ_within_the_digits_that_are_known() -> None:
    """Those of which nothing is left to differ do not."""
    assert _separated(sympy.Integer(1), sympy.Integer(2)) is True
    assert _separated(sympy.Integer(1), sympy.Integer(1)) is False
    assert _separated(sympy.zoo, sympy.Integer(1)) is None
