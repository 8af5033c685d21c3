"""Numbers with their units, numbers in words, and what a formula may cost."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.support import from_table
from verifiers.language.numerals.english_numerals import read_words
from verifiers.reading.plain_numbers import read_number
from verifiers.reading.spelling.cost_bound import over_limit


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3 hours 30 minutes", "210 minutes"), ("1 ft 6 in", "18 in"), ("3시간 30분", "210분"), ("2.5 million", "2500000"),
        (r"3 \text{ million}", "3000000"), ("$1.5 billion", "$1500000000"), ("1000,99", "1000.99"), ("1.234,56", "1234.56"),
        ("1,234", "1234"), ("1 234", "1234"), ("forty-two", "42"), ("열두 개", "12개"), ("ten apples", "10 apples"), ("a dozen eggs", "1 dozen eggs"), ("3만 5천 원", "35000원"), ("2 1/3", "7/3"),
    ],
)  # fmt: skip
def test_one_number_in_two_ways(text: str, number: str) -> None:
    """Compound quantities, large ones, numerals in words."""
    assert read_number(text) == read_number(number) is not None


@pytest.mark.parametrize(
    "text",
    ["3 hours 5 hours", "3 apples 2 pears", "30 minutes 3 hours", "1 2", "2/0", r"\frac{1}{0}", r"1\frac{-1}{2}", "1e999999", "5 xyz?",
     "onerous", r"\text{one} two three", "5% cm", "1/2/3", "3 million apples or so"],
)  # fmt: skip
def test_no_number(text: str) -> None:
    """Left to the grammar, or to nobody."""
    assert read_number(text) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("twelve", 12), ("one hundred", 100), ("one hundred and five", 105), ("two thousand thirty", 2030), ("a half", Fraction(1, 2)),
        ("two halves", 1), ("three quarters", Fraction(3, 4)), ("an eighth", Fraction(1, 8)), ("twenty two", 22), ("two twenty", None), ("hundred", None), ("five five", None),
        ("twelve two", None), ("thousand", None), ("half", None), ("", None), ("one two three four five six seven eight nine", None), ("apple half", None),
    ],
)  # fmt: skip
def test_english_numbers(text: str, number: Fraction | int | None) -> None:
    """As they are said."""
    assert read_words(text) == number


@from_table()
def test_the_static_bound(text: str, problem: str | None) -> None:
    """From the text alone."""
    found = over_limit(text)
    assert found is None if problem is None else (found or "").startswith(problem)
