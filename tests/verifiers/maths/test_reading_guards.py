r"""What stands around a formula, each operand of its conditions by itself: words before and after it, sides of limits."""

from __future__ import annotations

import pytest

from verifiers.formulas.formula_tree import Number, Power, Range, Symbol
from verifiers.formulas.shapes import Value
from verifiers.reading.readings import LONG, Reading
from verifiers.reading.statements import _trimmed
from verifiers.reading.text.cleaning import clean


@pytest.mark.parametrize(
    ("words", "first", "count"),
    [
        (['"The minimum value is', "7"], 1, 1),
        (['"The minimum value is'], 0, 1),  # nothing would be left
        (['"x is', "7", '"y is', "8"], 0, 4),  # two things are said
        (['"x is not', "7"], 0, 2),
        (["answer", ":", "7"], 2, 1),
        ([":", "7"], 0, 2),
        (["thus", "x"], 1, 1),
        (["final", '"Paris'], 0, 2),  # two words, as an answer in words may have
        (['"final', '"Paris'], 1, 1),
        (['"Paris', "only"], 0, 2),
        (["the", "answer", '"Paris'], 2, 1),
        (["answer", '"Paris'], 1, 1),
        (['"The answer is', '"Paris'], 1, 1),
        (["7", "only"], 0, 1),
        (["7", '"exactly'], 0, 1),
        (["7", ",", ";"], 0, 1),
        (['"only', "7", ";"], 1, 1),
        (["the"], 0, 1),
        (["the", "answer"], 0, 2),
    ],
)
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
