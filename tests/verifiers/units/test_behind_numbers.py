"""What stands after a number: units, things counted, remarks, and what is none of these."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import from_table, in_groups
from verifiers.language.numerals import english_numerals, korean_numerals
from verifiers.units import is_symbol
from verifiers.units.behind_numbers import read_unit
from verifiers.units.quantities import as_counted, conversion, is_proof


@from_table()
def test_units_are_read(text: str, unit: str | None) -> None:
    """A lone letter is a variable unless it was set as text."""
    assert read_unit(text) == unit


@pytest.mark.parametrize(
    "word",
    """rejected impossible invalid tripled halved overestimated contradictory incorrect googol quadrillion sixteenths lakhs
    thousandths fails exceeds works less fewer missing below negative hundreds tens millions unclear undefined
    unrealistic insufficient approximate off wrong false""".split(),
)
def test_what_changes_a_number_is_no_thing_counted(word: str) -> None:
    """Neither by itself nor after a unit, in prose or set as text."""
    for text in (f" {word}", rf"\text{{ {word}}}", f" {word} apple", f" dollars {word}", f" apples {word}"):
        unit = read_unit(text)
        assert unit is None or conversion(unit, "") is None, text


@pytest.mark.parametrize(
    "phrase",
    """too high|at least|at most|per mille|left of zero|mod 6|or 6|is wrong|is not right|more than needed|minus one|in base five|rounded down|squares
    too many|if any|not 41|does not work|times too large|and counting|off by one|out of reach|or fewer|to the left|of doubt|times smaller""".split(
        "|"
    ),
)
def test_phrases_that_change_a_number(phrase: str) -> None:
    """They are refused where the other side has none."""
    unit = read_unit(rf"\text{{ {phrase}}}")
    assert unit is None or conversion(unit, "") is None


@pytest.mark.parametrize(
    "word",
    "이상 이하 미만 초과 아님 오답 불가능 틀림 제곱 분의 무효 없음 실패 이내 거짓 여 남짓 까지 보다 배수 절반".split(),
)
def test_korean_words_that_change_a_number(word: str) -> None:
    """After a number, and after its counter."""
    for text in (word, f" {word}", f"개 {word}"):
        unit = read_unit(text)
        assert unit is None or conversion(unit, "") is None, text


@in_groups([
        ("cm", "mm", 10), ("m^2", "cm^2", 10_000), ("square cm", "cm^2", 1), ("km/hour", "m/s", Fraction(5, 18)), ("mph", "mile/hour", 1),
        ("inch", "cm", Fraction(127, 50)), ("cm", "kg", None), ("hour", "apple", None), ("apple", "pear", None), ("", "cm", 1), ("apple", "", 1),
        ("dollar/day", "dollar", None), ("dollar", "cent", 100), ("제곱미터", "m^2", 1), ("세제곱미터", "cubic m", 1), ("m", "m^2", None),
        ("dollar", "euro", None), ("시간", "분", 60), ("bushel", "peck", 4), ("knot", "watt", None), ("°C", "°F", None), ("KiB", "B", 1024),
        ("N m", "J", 1), ("kg/m^3", "g/cm^3", Fraction(1, 1000)), ("개", "apple", 1), ("个", "개", 1), ("명", "人", 1), ("마리", "명", None),
        ("×dozen egg", "egg", 12), ("×permille", "", Fraction(1, 1000)), ("", "×dozen", Fraction(1, 12)), ("~rejected", "", None), ("~zorb", "zorb", 1), ("cent", "", None),
        ("red marble", "marble", 1), ("red marble", "blue marble", None), ("km |west", "km |east", None), ("km |west", "km", 1),
        ("pound", "£", 1), ("pound", "oz", 16), ("lb", "£", None), ("mod 7", "", 1),
    ], repr)  # fmt: skip
def test_conversion(one: str, other: str, factor: Fraction | int | None) -> None:
    """Exact; None where two measure different things or nobody knows."""
    assert conversion(one, other) == factor
    back = conversion(other, one)
    assert back == (None if factor is None else 1 / Fraction(factor))


def test_nothing_is_proved_of_what_nobody_understands() -> None:
    """Only measures, one unit on both sides, and a unit that is missing."""
    assert is_proof("km", "cm")
    assert is_proof("zorb", "zorb")
    assert is_proof("", "apple")
    assert not is_proof("apple", "개")
    assert not is_proof("×dozen", "")


def test_the_question_says_what_is_counted() -> None:
    """Words of the question alone, in the singular or plural."""
    assert as_counted("~left handed", "Who of them are left handed?") == "left handed"
    assert as_counted("~rejected", "How many were sent?") == "~rejected"
    assert as_counted("~부분", "몇 부분으로 나누었는가?") == "부분"
    assert as_counted("apple", "") == "apple"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("km", True), ("m/s^2", True), ("kWh", True), ("°C", True), ("㎡", True), ("kΩ", True), (r"k\Omega", True), ("MB/s", True), ("$", True),
        ("metre", False), ("px1", False), ("", False), ("apples", False), ("미터", False), ("+", False), ("km and", False),
    ],
)  # fmt: skip
def test_symbols_in_running_text(text: str, answer: bool) -> None:
    """Symbols, and products and quotients of them; names are words."""
    assert is_symbol(text) == answer


@given(st.text(max_size=90))
def test_any_text_is_read_or_left(text: str) -> None:
    """Never an exception."""
    unit = read_unit(text)
    if unit:
        assert conversion(unit, unit) == 1
    is_symbol(text)


_WORDS = "apples red marbles children left of the not each four ways to choose or wrong per day in total at least".split()


@given(
    st.text("abcdefghinost -'", min_size=1, max_size=30)
    | st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4).map(" ".join)
)
def test_english_nouns_of_any_text(text: str) -> None:
    """What is counted has words, and never those of grammar."""
    found = english_numerals.counted(text)
    if found is not None:
        words = found[0].split()
        assert words
        assert not [word for word in words if english_numerals.is_grammatical((word,))]


@given(st.text("개명팩들은는이가을를의다음점불빨간 ", min_size=1, max_size=12))
def test_korean_nouns_of_any_text(text: str) -> None:
    """What comes back is how the text begins, and denies nothing."""
    found = korean_numerals.noun(text)
    if found is not None:
        assert " ".join(text.split()).startswith(found)
        assert not korean_numerals.is_denial(found)
