"""Rarer forms and refusals of the maths grammar: each is read as a person would, or left to another stage."""

from __future__ import annotations

import pytest

from tests.support import from_table
from tests.verifiers.maths.deciding import compare, match
from verifiers.formulas import ball_comparison, exact_values, polynomials, regions
from verifiers.formulas.answer_shapes import Value
from verifiers.formulas.formula_tree import Number, Power, Range, Symbol
from verifiers.reading.answer_readings import LONG, Reading
from verifiers.reading.formula_parser import parse
from verifiers.reading.single_values import read_clock
from verifiers.reading.spelling.cleaning import clean
from verifiers.reading.spelling.tokens import tokens
from verifiers.reading.statements import _trimmed, read, unqualified


@from_table()
def test_pairs(one: str, other: str, equal: bool) -> None:
    """In both directions, through all stages; no worker is needed for any."""
    for reference, answer in ((one, other), (other, one)):
        reason, detail = match(clean(reference), clean(answer))
        assert reason.startswith("equal_") is equal, (reason, detail)


def test_exact_values_are_bounded() -> None:
    """Whatever the function; None where a value is not certain to be rational."""
    for text in (
        "3001!", "3001!!", r"\binom{3001}{2}", "2^{300000}",
        r"\operatorname{lcm}(10^{9999}, 7^{9999}) \cdot 10^{60000}",
    ):  # fmt: skip
        with pytest.raises(exact_values.TooLargeError):
            exact_values.exact(parse(clean(text)))
    for text in (
        r"\sqrt{-4}", r"\sqrt{2}", "0^{0}", "0^{-1}", "2^{1/2}", "(1/2)!!", r"(-3)!!", r"(-3)!",
        r"\gcd(1/2, 3)", r"30^\circ", r"\log 2", r"\binom{1/2}{2}",
    ):  # fmt: skip
        assert exact_values.exact(parse(clean(text))) is None
    assert exact_values.exact(
        parse(clean(r"0^\circ + 50\% + \max(1, 2) + \min(1, 2)"))
    ) == exact_values.exact(parse("3.5"))


def test_polynomials_are_bounded() -> None:
    """By terms, degree and the size of coefficients; what is not linear is not called so."""
    for text in (
        "(a+b+c+d+e)^{400}", "(x+1)^{401}", "(a+b)^{60}(c+d)^{60}(f+g)^{60}", r"(2^{100000}x+3y+1)^{60}",
        r"\frac{1}{0x}",
    ):  # fmt: skip
        with pytest.raises(exact_values.TooLargeError):
            polynomials.same_function(parse(text), parse("x+1"))
    assert polynomials.same_function(parse("(x^2+x+1)^{100}"), parse("(x^2+x+1)^{99}(1+x+x^2)")) is True
    for text in ("x^2", "xy", r"\sqrt{x}", r"\frac{1}{x}", "5", "x - x"):
        assert polynomials.linear(parse(clean(text))) is None
    assert polynomials.ratio(parse("x-x"), parse("x")) is None
    assert polynomials.same_zeros(parse("x-x"), parse("x")) is None
    assert polynomials.same_zeros(parse("5"), parse("3")) is None
    assert polynomials.ratio(parse("2x+2"), parse("x+1")) == 2


def test_balls_say_nothing_where_there_is_no_value() -> None:
    """Undefined, too large, or different by convention."""
    for text in (
        r"\frac{1}{0}", r"\tan\frac{\pi}{2}", r"\log 0", "0^{-1}", r"\log_1 5", r"(-8)^{1/3}",
        r"\lfloor i \rfloor", r"\max(1, i)", r"0^{\sqrt{2}}", r"\gcd(\pi, 2)",
    ):  # fmt: skip
        assert ball_comparison.without_value(parse(clean(text))) == "undefined", text
        assert ball_comparison.equal(parse(clean(text)), parse("1")) is None
        assert ball_comparison.approximate(parse(clean(text))) is None
        assert ball_comparison.within(parse(clean(text)), parse("1"), None) is False
    for text in ("2^{2^{100}}", r"e^{10^{9}}", "(10^9)!", r"\exp(10^{9})", r"x^{10^{9}}", r"\sin(10^{50})"):
        assert ball_comparison.without_value(parse(clean(text))) == "too large", text
    assert ball_comparison.without_value(parse(r"\frac{1}{x-x}")) == ""
    assert ball_comparison.approximate(parse("x")) is None
    assert ball_comparison.proportional(parse(r"\ln(x) - \ln(x)"), parse("x")) is None
    assert ball_comparison.proportional(parse(r"\frac{1}{x-x}"), parse("x")) is None
    assert ball_comparison.proportional(parse(r"2\sin x"), parse(r"\sin x")) is True
    assert ball_comparison.proportional(parse(r"\sin x"), parse(r"\cos x")) is False


def test_regions_that_are_unsure() -> None:
    """None, rather than a guess."""
    for text in (
        r"(0, x)", r"(0, i) \cup (1, 2)", r"x^5 - x + 1 < 0", r"|x^2| < 1", "x < y", r"(0, 1) \cup (2, a)",
        r"x = (1, 2)", r"\mathbb{Z} \cap (0, 10^{9})", "5", r"\mathbb{Q}", "(1, 2, 3)", r"|x| = 1",
    ):  # fmt: skip
        assert regions.region(read(clean(text))) is None, text  # type: ignore[arg-type]
    many = r"\cup".join(f"({2 * n}, {2 * n + 1})" for n in range(120))
    assert read(clean(many)) is None or regions.region(read(clean(many))) is None  # type: ignore[arg-type]


@from_table()
def test_qualifiers(words: str, head: str, letters: dict[str, str]) -> None:
    """Taken off where nothing else is said."""
    assert unqualified(tokens(clean(words))) == (tokens(clean(head)), letters)


def test_a_list_may_be_too_long() -> None:
    """Then it is not read."""
    long = ", ".join(["1"] * 300)
    for text in (
        long,
        f"({long})",
        rf"\{{{long}\}}",
        ", ".join([r"\pm 1"] * 150),
        rf"\begin{{pmatrix}} {' & '.join(['1'] * 150)} \end{{pmatrix}}",
    ):
        assert read(clean(text)) is None
    assert compare("5", "5") == "equal_rational"


def test_an_hour_has_two_digits_at_most() -> None:
    """Three are a ratio, whatever they begin with."""
    assert read_clock([["07"], ["30"]]) is not None
    assert read_clock([["007"], ["30"]]) is None


@from_table()
def test_words_around_an_answer_are_left_out(words: list[str], first: int, count: int) -> None:
    """Those that announce it and those that close it; an answer in words keeps its own."""
    assert _trimmed(words) == words[first : first + count]


@pytest.mark.parametrize("braces", [False, True])
@pytest.mark.parametrize("end", ["0", "a", "2^{3}", "{2^{3}}", "-1"])
def test_a_limit_has_the_side_that_its_mark_says(end: str, braces: bool) -> None:
    """With braces and without; an exponent is no mark, and a place without a mark has no side."""
    places = set()
    for mark, side in (("", 0), ("+", 1), ("-", -1)):
        written = f"^{{{mark}}}" if braces else f"^{mark}"
        text = rf"\lim_{{x\to {end}{written if mark else ''}}} x" if "^" not in end or not mark else ""
        if not text:
            continue
        shape = Reading(clean(text)).shape
        assert isinstance(shape, Value)
        assert isinstance(shape.node, Range)
        assert shape.node.high == Number(side)  # type: ignore[arg-type]
        places.add(shape.node.low)
    assert len(places) == 1
    assert isinstance(places.pop(), Symbol if end == "a" else Power if "^" in end else Number)


def test_a_long_decimal_has_so_many_digits_or_more() -> None:
    """And a point: a whole number stands for itself, however long it is."""
    for more in (-1, 0, 1, 9):
        digits = "3" * (LONG - 1 + more)
        assert Reading(f"0.{digits}").is_long == (more >= 0)
        assert not Reading(f"0{digits}").is_long
    assert not Reading("x+y+z+a+b+0.5").is_long
