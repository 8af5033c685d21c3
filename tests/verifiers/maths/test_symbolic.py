"""What sympy decides in the worker: here in this process, so that a failure shows where it is."""

from __future__ import annotations

import pytest
import sympy

from tests.support import from_table
from verifiers import MathEquivalence
from verifiers.formulas.answer_shapes import Value
from verifiers.formulas.formula_tree import Node
from verifiers.maths.decide.symbolic import (
    _roughly,
    _said,
    _same_value,
    _separated,
    _verdict,
    as_sympy,
    decide,
)
from verifiers.reading.answer_readings import Reading


@from_table()
def test_decisions(reference: str, answer: str, verdict: str) -> None:
    """Exactly: 0.1 is 1/10, and a decimal next to 1/2 is not 1/2."""
    assert decide(reference, answer) == verdict


@from_table()
def test_through_the_worker(reference: str, answer: str, score: float | None, reason: str) -> None:
    """As a user meets it."""
    verdict = MathEquivalence().verify(f"\\boxed{{{answer}}}", reference)
    assert (verdict.score, verdict.reason) == (score, reason)


@from_table()
def test_what_sympy_says_is_said_in_reasons(reference: str, verdict: str, reason: str) -> None:
    """Only mathematics that neither reader reads makes a reference unusable."""
    assert _said(verdict, Reading(reference), Reading("7"))[0] == reason


X = sympy.Symbol("x")


def _node(text: str) -> Node:
    shape = Reading(text).shape
    assert isinstance(shape, Value)
    return shape.node


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
