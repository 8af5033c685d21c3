"""Lists, intervals, sets, unions and relations."""

from __future__ import annotations

import itertools
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import in_groups
from tests.timing import examples
from tests.verifiers.maths.deciding import compare
from verifiers.formulas.answer_shapes import Infinity, Items, Relation, Value
from verifiers.formulas.formula_tree import Number, Symbol
from verifiers.maths.decide.policy import DEFAULT, STRICT
from verifiers.reading.spelling.cleaning import clean
from verifiers.reading.statements import read


@in_groups(
    [
        (r"(-\infty, 3)", "x < 3", "equal_shape"),
        (r"[3, \infty)", r"x \geq 3", "equal_shape"),
        (r"[3, \infty)", r"3 \leq x", "equal_shape"),
        ("(3, 4]", r"3 < \lambda \leq 4", "equal_shape"),
        ("(3, 4]", r"4 \geq k > 3", "equal_shape"),
        ("(3, 4]", "3 < x < 4", "proved_unequal"),
        (r"(-\infty, 3)", "x > 3", "proved_unequal"),
        (r"x \in [-2, 7]", "[-2,7]", "equal_shape"),
        (r"[\frac{1}{2}, 8]", r"0.5 \leq x \leq 8", "equal_shape"),
        (r"(-\infty, -3) \cup (3, \infty)", r"(3, \infty) \cup (-\infty, -3)", "equal_shape"),
        (r"\{1, 2\}", "2, 1", "equal_shape"),
        (r"\{1, 2\}", r"\{1, 3\}", "proved_unequal"),
        ("(1, 2)", "(2, 1)", "proved_unequal"),
        ("(1, 2)", r"\{1, 2\}", "not_equal"),
        ("(1, 2)", "[1, 2]", "proved_unequal"),
        ("(1, 2)", "1, 2", "equal_shape"),
        ("(1, 2, 3)", "(1, 2)", "proved_unequal"),
        ("(1, 7), (3, 5)", "(3, 5), (1, 7)", "equal_shape"),
        ("(1, 7), (3, 5)", "(3, 7), (1, 5)", "proved_unequal"),
        (r"1 \pm \sqrt{5}", r"1 + \sqrt{5}, 1 - \sqrt{5}", "equal_shape"),
        (r"\{1\pm\sqrt{5}, -2\}", r"\{-2, 1+\sqrt{5}, 1-\sqrt{5}\}", "equal_shape"),
        (r"(\sqrt{2}, \frac{\pi}{2})", r"(\frac{2}{\sqrt2}, \pi/2)", "equal_shape"),
        ("2x + 4y = 6", "x + 2y - 3 = 0", "equal_shape"),
        ("x + y = 1", "x + y = 2", "proved_unequal"),
        (r"\frac{x^2}{4} + \frac{y^2}{3} = 1", "3x^2 + 4y^2 = 12", "equal_shape"),
        (r"\frac{x^2}{4} + \frac{y^2}{3} = 1", r"\frac{x^2}{16} + \frac{y^2}{12} = 1", "proved_unequal"),
        ("x + y < 3", "3 > y + x", "equal_shape"),
        ("x + y < 3", "-x - y > -3", "equal_shape"),
        ("x + y < 3", "x + y > 3", "proved_unequal"),
        ("x + y < 3", r"x + y \leq 3", None),
        (r"1 \text{ and } -2", "-2, 1", "equal_shape"),
        ("5", "5, 6", "not_equal"),
        (r"\infty", r"+\infty", "equal_shape"),
        (r"\infty", r"-\infty", "proved_unequal"),
        ("10,000, 2", "2, 10000", "equal_shape"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", r"\begin{bmatrix}1&2\\3&\frac{8}{2}\end{bmatrix}", "equal_shape"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", r"\begin{pmatrix} 1 & 3 \\ 2 & 4 \end{pmatrix}", "proved_unequal"),
        (r"\begin{pmatrix} 1 \\ 7 \end{pmatrix}", r"\begin{pmatrix} 1 & 7 \end{pmatrix}", "proved_unequal"),
        (r"\begin{pmatrix} -7 \\ 16 \end{pmatrix}", "(-7,16)", "equal_shape"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "4", "not_equal"),
        (r"\begin{vmatrix} 1 & 2 \\ 3 & 4 \end{vmatrix}", "-2", "equal_rational"),
        (r"(-\infty,-5]\cup[5,\infty)", r"[-3,-2] \cup [0,1]", "proved_unequal"),
        (r"[1,2]\cup(2,3)", "[1,3)", "equal_shape"),
        (r"(1,2)\cup(2,3)", "(1,3)", "proved_unequal"),
        ("3, 4", "p = 3, q = 4", "equal_shape"),
        ("x = 2, x = -2", r"\{-2, 2\}", "equal_shape"),
        (r"\{5\}", "5", "equal_rational"),
        ("1, 1, 2", r"\{1, 2\}", "equal_shape"),
        ("apples, pears", "1, 2", "not_equal"),
        ("a < b < c", "b < c", "not_equal"),
    ],
    repr,
)  # fmt: skip
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
