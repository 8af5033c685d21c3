"""Conditions of single parts of mathematics, each seen from both sides."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest

from verifiers.formulas.balls.ball_comparison import _meet
from verifiers.formulas.balls.ball_values import NoValueError
from verifiers.formulas.balls.special_functions import special_value
from verifiers.formulas.exact_values import exact
from verifiers.formulas.formula_tree import Apply, Number, Product
from verifiers.formulas.shapes import Shape, Words
from verifiers.maths.decide.one_value.policy import DEFAULT
from verifiers.maths.decide.one_value.values import _number
from verifiers.maths.decide.reference_classes import _defect
from verifiers.maths.decide.refutation import refuted
from verifiers.maths.decide.solutions import _equation
from verifiers.reading.single_values import read_clock
from verifiers.reading.statements import read
from verifiers.reading.text.cleaning import clean


def _shape(text: str) -> Shape:
    return read(clean(text))


def test_an_inverse_cotangent_has_a_value_where_all_agree_on_it() -> None:
    """Of a positive number; not of a negative one, nor of one that is not real."""
    assert special_value("acot", [flint.acb(2)], True).contains(flint.acb("0.5").atan().mid())
    assert special_value("acot", [flint.acb(-2)], True) is None
    assert special_value("acot", [flint.acb(1, 1)], True) is None


@pytest.mark.parametrize(("left", "right"), [((1, 0), (1, 1)), ((1, 1), (1, 0)), ((1, 1), (1, 1))])
def test_only_real_balls_meet_where_only_real_ones_count(
    left: tuple[int, int], right: tuple[int, int]
) -> None:
    """Each of the two."""
    with pytest.raises(NoValueError):
        _meet(flint.acb(*left), flint.acb(*right), True)
    assert _meet(flint.acb(*left), flint.acb(*right), False) == (left == right)
    assert _meet(flint.acb(1), flint.acb(1), True)


def test_an_hour_has_two_digits_at_most() -> None:
    """Three are a ratio, whatever they begin with."""
    assert read_clock([["07"], ["30"]]) is not None
    assert read_clock([["007"], ["30"]]) is None


def test_an_equation_is_not_an_inequality() -> None:
    """Only the first has solutions one by one."""
    assert _equation(_shape("x^2+x=6")) is not None
    assert _equation(_shape("x^2+x<6")) is None


def test_nothing_is_proved_of_words() -> None:
    """And something of a number."""
    assert refuted(_shape("3/4"), _shape("1/4"), DEFAULT) is not None
    assert refuted(Words("no idea"), _shape("1/4"), DEFAULT) is None


def test_parts_of_a_number_are_multiplied_and_signs_kept() -> None:
    """A share of a whole; minus before a number, and a product that is none."""
    assert exact(Apply("of", (Number(Fraction(2)), Number(Fraction(3))))) == 6
    assert _number(Product((Number(Fraction(-1)), Number(Fraction(5))))) == -5
    assert _number(Product((Number(Fraction(0)), Number(Fraction(5))))) == 0


def test_a_reference_that_is_too_large_is_not_called_undefined() -> None:
    """Each has its own reason."""
    large, undefined = _defect(_shape("9^{9^{9^{9}}}")), _defect(_shape(r"\frac{1}{0}"))
    assert large is not None
    assert undefined is not None
    assert (large.reason, undefined.reason) == ("reference_over_limit", "bad_reference")
