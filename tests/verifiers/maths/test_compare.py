"""Pairs of answers: equations, systems, matrices, ratios, times, cases, names; what they show, and which stage says so."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import from_table
from tests.verifiers.maths.deciding import compare, match
from verifiers.formulas.answer_shapes import Items, Words
from verifiers.maths.decide.equations import _equation
from verifiers.maths.decide.policy import DEFAULT
from verifiers.maths.decide.reference_classes import reference_class
from verifiers.maths.decide.refutation import refuted
from verifiers.maths.explanation import show
from verifiers.reading.answer_readings import Reading
from verifiers.reading.spelling.cleaning import clean
from verifiers.reading.statements import read

EQUAL, UNEQUAL = "equal", "unequal"


@from_table()
def test_pairs(one: str, other: str, verdict: str | None) -> None:
    """In both directions, by shape and in all; None where another stage must decide."""
    pairs = [(clean(one), clean(other)), (clean(other), clean(one))]
    found = {compare(*pair) for pair in pairs}
    kinds = {None if each is None else EQUAL if each.startswith("equal_") else UNEQUAL for each in found}
    if verdict is None:
        assert EQUAL not in kinds
    else:
        assert kinds == {verdict}, found
        paid = [match(*pair)[0].startswith("equal_") for pair in pairs]
        assert all(paid) if verdict == EQUAL else not paid[0]  # for 1, 2x + z = 1 says what it is


@from_table("1" * 5000)
def test_what_is_not_certain_stays_unread(text: str) -> None:
    """Never an exception."""
    assert read(clean(text)) is None


@from_table()
def test_the_reason_is_the_stage(wanted: str, given: str, reason: str) -> None:
    """And what could not be used."""
    assert match(clean(wanted), clean(given))[0] == reason


@from_table()
def test_shown_to_a_person(text: str, shown: str) -> None:
    """In words and plain formulas, and not too much."""
    assert show(read(clean(text))) == shown


def test_tuples_that_have_names_are_a_list() -> None:
    """They bound nothing: only what is said to lie in them does."""
    for text in ("x = (1, 2), y = (3, 4)", r"x = (1, 2), y = \{3, 4\}"):
        shape = read(text)
        assert isinstance(shape, Items)
        assert shape.kind == "list"


def test_an_equation_is_not_an_inequality() -> None:
    """Only the first has solutions one by one."""
    assert _equation(read("x^2+x=6")) is not None
    assert _equation(read("x^2+x<6")) is None


def test_nothing_is_proved_of_words() -> None:
    """And something of a number."""
    assert refuted(read("3/4"), read("1/4"), DEFAULT) is not None
    assert refuted(Words("no idea"), read("1/4"), DEFAULT) is None


@pytest.mark.parametrize("reference", [r"\$5", "see above"])
def test_what_is_no_formula_is_compared_as_text(reference: str) -> None:
    """One sign that no formula has is enough, and so is prose."""
    assert reference_class(Reading(reference)).kind == "text only"


WRITTEN = st.sampled_from(["2", "7", ".5", "2.5", "10", "3."])


@given(WRITTEN, WRITTEN, st.sampled_from([" ", "  ", "\n"]))
def test_two_numbers_side_by_side_are_no_product(one: str, other: str, space: str) -> None:
    """Whichever way each is written, and whoever reads it: 2 .5 may be 2.5, two answers, or a slip."""
    product = str(Fraction(one) * Fraction(other))
    assert match(product, one + space + other)[0] == "not_equal"
    assert match(one + space + other, product)[0] in ("not_equal", "bad_reference")
