"""Lists, intervals, sets, unions and relations."""

from __future__ import annotations

import itertools
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import from_table
from tests.timing import examples
from tests.verifiers.maths.deciding import compare
from verifiers.formulas.answer_shapes import Infinity, Items, Relation, Value
from verifiers.formulas.formula_tree import Number, Symbol
from verifiers.maths.decide.policy import DEFAULT, STRICT
from verifiers.reading.spelling.cleaning import clean
from verifiers.reading.statements import read


@from_table()
def test_decisions(one: str, other: str, reason: str | None) -> None:
    """In both directions."""
    assert compare(clean(one), clean(other)) == reason
    assert compare(clean(other), clean(one)) == reason


PARTS = st.sampled_from(["1", "2", r"\sqrt{2}", r"\frac{1}{2}", "x", "-3", r"\pi", "0.5", r"\infty", "(1,2)"])
LISTS = st.tuples(
    st.sampled_from([("(", ")"), ("[", "]"), (r"\{", r"\}"), ("", ""), ("(", "]")]),
    st.lists(PARTS, min_size=1, max_size=4),
)


@settings(deadline=None, max_examples=examples(120))
@given(LISTS, LISTS)
def test_comparison_is_symmetric_and_reflexive(one, other) -> None:  # type: ignore[no-untyped-def]
    """Whatever the brackets; in the strict form too."""
    texts = [f"{brackets[0]}{', '.join(parts)}{brackets[1]}" for brackets, parts in (one, other)]
    for strict in (DEFAULT, STRICT):
        assert compare(*texts, strict) == compare(*texts[::-1], strict)
        if read(texts[0]) is not None:
            assert compare(texts[0], texts[0], strict) not in ("proved_unequal", "not_equal")


def test_order_counts_where_it_should() -> None:
    """In tuples and intervals, not in lists and sets."""
    for items in itertools.permutations(["1", r"\sqrt{2}", r"\pi"]):
        assert compare(r"\{1, \sqrt{2}, \pi\}", rf"\{{{', '.join(items)}\}}") == "equal_shape"
        reason = "equal_shape" if items == ("1", r"\sqrt{2}", r"\pi") else "proved_unequal"
        assert compare(r"(1, \sqrt{2}, \pi)", f"({', '.join(items)})") == reason


@settings(deadline=None, max_examples=examples(200))
@given(st.text(r"0123x,;()[]{}<>=\ cupinftymge", max_size=50))
def test_any_text_is_read_or_left(text: str) -> None:
    """Never an exception."""
    read(text)
    compare(text, "(1, 2)")


def test_readings() -> None:
    """What a person would read."""
    assert read("x < 3") == Relation("<", Value(Symbol("x")), Value(Number(Fraction(3))))
    assert read("3 > x") == read("x < 3")
    assert read(r"(-\infty, 3]") == Items("(]", (Infinity(-1), Value(Number(Fraction(3)))))
    assert read("(1") is None
    assert read("3 < x > 2") is None
