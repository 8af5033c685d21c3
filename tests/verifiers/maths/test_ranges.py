r"""Integrals, sums, products and limits: read, enclosed, refuted, and never said to be what they are not."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from fractions import Fraction

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import from_table
from tests.timing import examples
from tests.verifiers.maths.deciding import compare
from verifiers import MathEquivalence
from verifiers.formulas.ball_comparison import FIRST
from verifiers.formulas.ball_values import NoValueError, Point, value_at
from verifiers.formulas.cost_limits import Account, OverBudgetError
from verifiers.formulas.formula_tree import Range, walk
from verifiers.maths.explanation import formula
from verifiers.reading.formula_parser import parse
from verifiers.reading.statements import read

WIDE = 1_000_000


@pytest.fixture(autouse=True)
def _precision() -> Iterator[None]:
    """The first precision at which formulas are compared."""
    before = flint.ctx.prec
    flint.ctx.prec = FIRST
    yield
    flint.ctx.prec = before


@from_table()
def test_reading(text: str, said: str) -> None:
    """As they are written."""
    assert formula(parse(text)) == said


@pytest.mark.parametrize(
    "text",
    [
        r"\int x dx", r"\int_0^1 x", r"\int_0^1 f(x)dx", r"\sum_{k=1}^3 a_k", r"\sum_{k=1}^{n} x_{k}",
        r"\sum k", r"\lim x", r"\lim_{x=0} x", r"\sum_{k=3}^{1} k", r"\int_0^1 x \frac{dy}{dx}",
    ],
)  # fmt: skip
def test_what_is_not_certain_is_not_read(text: str) -> None:
    """A name may hide what runs, and an integral without ends is no value."""
    shape = read(text)
    assert shape is None or not any(isinstance(each, Range) for each in walk(shape.node))  # type: ignore[union-attr]


def test_the_letter_that_runs_tells_nothing_apart() -> None:
    """It is bound, and one letter is as good as another; where it runs counts."""
    assert parse(r"\int_0^1 x^2 dx") == parse(r"\int_0^1 t^2 dt")
    assert parse(r"\sum_{i=1}^\infty 2^{-i}") == parse(r"\sum_{k=1}^\infty 2^{-k}")
    assert parse(r"\int_0^1 x^2 dx") != parse(r"\int_0^2 x^2 dx")
    assert parse(r"\int_0^1\int_0^2 x dx dy") != parse(r"\int_0^1\int_0^2 y dx dy")


@from_table()
def test_the_ball_holds_the_value(text: str, value: float) -> None:
    """However little is known of it."""
    ball = Account(WIDE).run(value_at, parse(text), Point({}))
    assert abs(float(ball.real.mid()) - value) <= float(ball.real.rad()) + 1e-9 * abs(value)
    assert float(ball.real.rad()) < 0.02 * abs(value)


@from_table()
def test_what_diverges_has_no_ball(text: str) -> None:
    """Not a principal value, not a sum in another sense, and not what floats would make of it."""
    with pytest.raises(NoValueError):
        Account(WIDE).run(value_at, parse(text), Point({}))


@given(
    st.lists(st.fractions(-5, 5, max_denominator=6), min_size=1, max_size=4),
    st.fractions(-3, 3, max_denominator=4),
    st.fractions(-3, 3, max_denominator=4),
)
@settings(max_examples=examples(25), deadline=None)
def test_polynomials_are_integrated(coefficients: list[Fraction], low: Fraction, high: Fraction) -> None:
    """By an independent rule; and a value that is a little off is refuted."""
    body = "+".join(f"({each})x^{{{power}}}" for power, each in enumerate(coefficients))
    value = sum(
        each / (power + 1) * (high ** (power + 1) - low ** (power + 1))
        for power, each in enumerate(coefficients)
    )
    text = rf"\int_{{{low}}}^{{{high}}} {body} dx"
    assert compare(str(value), text) in ("equal_numeric", "equal_rational", "equal_algebra")
    assert compare(f"{value + Fraction(1, 10**9)}", text) == "proved_unequal"


@given(st.integers(2, 9), st.integers(1, 4), st.integers(0, 3))
@settings(max_examples=examples(15), deadline=None)
def test_geometric_series_are_summed(base: int, factor: int, first: int) -> None:
    """By an independent rule."""
    value = Fraction(factor * base, base - 1) / base**first
    text = rf"\sum_{{n={first}}}^{{\infty}} \frac{{{factor}}}{{{base}^n}}"
    assert compare(str(value), text) == "equal_numeric"
    assert compare(str(value + Fraction(1, 10**9)), text) == "proved_unequal"


@from_table()
def test_as_a_user_meets_them(reference: str, answer: str, score: float) -> None:
    """What balls do not confirm sympy may, and what may be infinite is not proved to be anything."""
    verdict = MathEquivalence().verify(rf"\boxed{{{answer}}}", reference)
    assert verdict.score == score, verdict
    assert not (reference == r"\infty" and verdict.reason == "proved_unequal")


def test_work_is_counted() -> None:
    """The same on every machine: a hard integral ends in an error, and not later than its budget."""
    hard = parse(r"\int_0^{1} \sin(10^{9} x) e^{\cos(10^8 x)} dx")
    with pytest.raises(OverBudgetError):
        Account(1_000).run(value_at, hard, Point({}))
    account = Account(50_000)
    with contextlib.suppress(NoValueError, OverBudgetError):
        account.run(value_at, hard, Point({}))
    assert account.units < 50_000
