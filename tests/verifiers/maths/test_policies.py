"""The declared policies of MathEquivalence: each field, both ways round."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import from_table
from tests.verifiers.maths.deciding import compare, match
from verifiers import ConfigError, MathEquivalence
from verifiers.maths.decide.policy import DEFAULT, STRICT

# Field and value, then a pair that it makes equal or not, and whether the default agrees with it.


@from_table()
def test_policy(fields: dict[str, Any], one: str, other: str, equal: bool, by_default: bool) -> None:
    """In both directions, beside what the default says."""
    symmetric = {"reference_decimals": "exact"}
    for verifier, wanted in (
        (MathEquivalence(**{**symmetric, **fields}), equal),
        (MathEquivalence(**symmetric), by_default),
    ):
        for reference, answer in ((one, other), (other, one)):
            verdict = verifier.verify(f"\\boxed{{{answer}}}", reference)
            assert verdict.passed is wanted, verdict


@from_table()
def test_a_decimal_of_a_reference_may_be_a_rounding(answer: str, reference: str, equal: bool) -> None:
    """Of an exact answer that no finite decimal equals; a field turns it off, and so does `strict`."""
    assert MathEquivalence().verify(f"\\boxed{{{answer}}}", reference).passed is equal
    assert not MathEquivalence(reference_decimals="exact").verify(f"\\boxed{{{answer}}}", reference).passed
    assert not MathEquivalence(strict=True).verify(f"\\boxed{{{answer}}}", reference).passed


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"percent": "maybe"}, "percent must be 'either' or 'exact', got 'maybe'"),
        ({"tolerance": -0.1}, "tolerance must be a number of at least 0, got -0.1"),
        ({"tolerance": float("nan")}, "tolerance must be a number of at least 0, got nan; it must be finite"),
        ({"tolerance": "0.1"}, "tolerance must be a number of at least 0, got '0.1'"),
        ({"units": ["cm"]}, "units must be"),
    ],
)
def test_a_bad_field_is_refused(fields: dict[str, Any], message: str) -> None:
    """With its value, and what it may be."""
    with pytest.raises(ConfigError, match=message):
        MathEquivalence(**fields)


def test_readings_for_explain() -> None:
    """Both sides as they were read; text that is too long is not read."""
    judge = MathEquivalence()
    verdict = judge.verify(r"\boxed{x \le 3}", r"(-\infty, 3]")
    assert judge.readings(verdict) == {"extracted": "x <= 3", "expected": "(-infinity; 3]"}
    long = judge.verify(r"\boxed{" + "1+" * 4000 + "1}", "3")
    assert judge.readings(long) == {"expected": "3"}


FORMS = [
    "5", "5.0", "x = 5", "y = 5", "(5)", r"\{5\}", "[5]", "5 cm", "50 mm", r"5\%", "0.05", "1/20", r"5^\circ", r"\frac{\pi}{36}", "5 apples",
    "1, 2", "2, 1", "(1, 2)", r"\{1, 2\}", "[1, 2]", "x = 1, y = 2", "y = 2, x = 1", r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}", r"x = 1 \text{ or } x = 2",
    "x < 3", "3 > x", r"(-\infty, 3)", r"x \in (-\infty, 3)", "2x < 6", "x + y = 1", "2x + 2y = 2", "1 - x - y = 0", "y = 1 - x", "1 - x",
    r"\sqrt{8}", r"2\sqrt{2}", "2x", "x + x", "2X", "f(x) = 2x", "Yes", "yes", "1:2", "0.5", "2:4", "1011_2", "1011", "11", r"\infty", r"\pm 1", "1, -1",
    r"\log 10", "1", r"\log e", r"\lg 10", r"\ln e", r"\log 100", "2", "1.0", r"\log x", r"\ln x", r"\lg x", r"\frac{\ln x}{\ln 10}",
    "3.14", r"\pi", "3.141592653589793", "3.1415926536", "20/3", "6.67", "6.6666666667", "6.666666666666667", "6.66666666666666667",
    r"\text{(B)} 12", "B", "12", "(B)", "b", "A, C", "AC", "CA", "C, A", "70,110", "70110", "70, 110", "(70,110)", "1,200", "1200", "(1,200)",
    r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "[[1,2],[3,4]]", "((1,2),(3,4))", r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}", r"\begin{pmatrix} 1 & 2 \end{pmatrix}",
    "20:34", "10:17", "8:34 PM", "20:34:00", "1 m", "100 cm", "m", "2 m", "m + m", "200 cm", "30 rad", "30", "30^\\circ",
    r"3 \pmod 7", r"10 \pmod 7", "3", "10", r"10 \bmod 7", r"3 \bmod 7", r"x \equiv 3 \pmod 7", "42_8", "42", "34", "0x22", "22_{16}", "42_{10}",
    r"k\pi", r"n\pi", r"\pi k", r"k\pi, k \in \mathbb{Z}", r"n\pi, n \in \mathbb{Z}", r"(k+1)\pi, k \in \mathbb{Z}", r"k\pi + 2n", r"n\pi + 2k", r"m\pi + 2n",
    r"\frac{\pi}{2} + 2k\pi", r"\frac{\pi}{2} - 2k\pi", r"\frac{\pi}{2} + 2n\pi", "x^2 + C", "x^2 + 1 + C", "x^2 + K", "x^2 + 1", "x^2 + c", "Cx + x^2", "C_1 e^x + C_2", "C_2 e^x + C_1", "A e^x + B",
    r"\phi", r"\varphi", r"\frac{1+\sqrt5}{2}", r"\gamma", r"-\psi(1)", r"\hat i + 2\hat j", "(1, 2, 0)", r"\langle 1, 2 \rangle", r"\Gamma(5)", "24", "F(2)", "2F", "A(x+1)", "Ax + A",
    "DNE", "undefined", "no solution", r"\emptyset", r"\{\}", "none", "half", "one half", "infinitely many", "[1, 2)", r"1 \le x < 2", "x > 1, x < 3", "1 < x < 3",
    "x", "x_1", "X", "y", "1 - x = y", "y + x = 1", "f(x) = 1 - x", "a:b", r"\frac{a}{b}", "2a:2b", r"f(x) = x^2, g(x) = 2x", "5 m", "5", "five", "+5", "5.", "--5", "$5", "5 dollars",
    r"\{1, 2, 2\}", "1, 2, 2", r"\overline{z}", r"\bar z", r"\vec{AB}", r"\overrightarrow{AB}", r"\overline{AB}", "AB", "ab", "the Nile", "Nile", "x^2 < 4", "-2 < x < 2", "(-2, 2)", "x = -2, 2",
]  # fmt: skip


def test_strict_equality_makes_classes() -> None:
    """Every triple: without that a majority vote depends on the order of its answers."""
    judge = MathEquivalence(strict=True)
    forms = list(dict.fromkeys(FORMS))
    later = {
        one: [other for other in forms[place:] if judge.verify(f"\\boxed{{{other}}}", one).passed]
        for place, one in enumerate(forms)
    }
    assert all(one in members for one, members in later.items())
    first: dict[str, str] = {}
    for one, members in later.items():
        for member in members:
            first.setdefault(member, one)
    for one, members in later.items():
        # What follows in its class are all that were found equal to the first of the class.
        follows = [other for other in forms[forms.index(one) :] if first[other] == first[one]]
        assert members == follows, one
        assert all(judge.verify(f"\\boxed{{{one}}}", member).passed for member in members), one
    assert len(set(first.values())) > 100


def test_a_comma_is_a_decimal_one_where_that_is_shown_and_no_policy_forbids_it() -> None:
    """By the reference, which writes a point; as it is written it parts two values."""
    for point, comma in (("3.5", "3,5"), ("0.25", "0,25")):
        assert match(point, comma, DEFAULT)[0] == "equal_text"
        assert match(point, comma, STRICT)[0] == "several_answers"
        assert match(comma, point, DEFAULT)[0] == match(comma, point, STRICT)[0] == "not_equal"


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("xy+C", "xy+K", True), ("x^2 y+C_1", "x^2 y+C", True), ("Cxy", "Kxy", True), ("x^2+C", "x^2+K", True),
        ("X+C", "X+K", False), ("C_1 x+C_2 y", "C_2 x+C_1 y", False), ("Cxy+D", "xy+D", False),
    ],
)  # fmt: skip
def test_one_constant_goes_with_several_unknowns_and_two_with_one(one: str, other: str, equal: bool) -> None:
    """Which is which can only be told of one unknown, in small letters."""
    assert (compare(one, other) or "").startswith("equal_") == equal
