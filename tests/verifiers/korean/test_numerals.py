"""Korean numerals: what a person reads, and nothing else."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.support import in_groups
from verifiers.korean import parse_number

_SINO = "영일이삼사오육칠팔구"


@in_groups([
        ("3만 5천 원", 35_000), ("3만5천원", 35_000), ("이백오십만 삼천", 2_503_000), ("만", 10_000), ("십오만 칠백", 150_700),
        ("스물세 개", 23), ("다섯 시간", 5), ("백 점", 100), ("천이백삼십사", 1234), ("1,234,567원", 1_234_567),
        ("2.5배", Fraction(5, 2)), ("3할 5푼", Fraction(7, 20)), ("3할 5푼 2리", Fraction(352, 1000)), ("마이너스 삼", -3),
        ("-3도", -3), ("1억 2천만 원", 120_000_000), ("5백만 원", 5_000_000), ("２만 원", 20_000), ("스무 살", 20),
        ("열두 개", 12), ("아흔아홉", 99), ("백스물다섯", 125), ("삼분의 일", Fraction(1, 3)), ("3분의 2", Fraction(2, 3)),
        ("마이너스 이분의 삼", Fraction(-3, 2)), ("삼 점 일사", Fraction(157, 50)), ("영점오", Fraction(1, 2)), ("두 시간 반", Fraction(5, 2)),
        ("1조 2억", 1_000_200_000_000), ("백 사람", 100), ("삼 일", 3), ("두 사람", 2), ("일곱", 7), ("이천이십육", 2026), ("0.5만", 5000),
        ("사과", None), ("일 이 삼", None), ("만만", None), ("", None), ("하나둘", None), ("십백", None), ("3 4", None),
        ("스물이", None), ("영분의 일", None), ("가" * 300, None), ("1234 5678", None), ("두두", None),
    ], repr)  # fmt: skip
def test_numerals(text: str, number: int | Fraction | None) -> None:
    """Native, Sino-Korean, mixed with digits, with counters; a whole number is an int."""
    found = parse_number(text)
    assert found == number
    assert type(found) is type(number)


@given(st.integers(1, 10**16 - 1))
def test_sino_korean_numerals_of_any_number(number: int) -> None:
    """Written as schools do, 일 before 십, 백 and 천 left out."""
    text, left, place = "", number, 0
    while left:
        left, section = divmod(left, 10_000)
        digits = "".join(
            ("" if digit == 1 and unit != " " else _SINO[digit]) + unit
            for digit, unit in zip(map(int, f"{section:04}"), "천백십 ", strict=True)
            if digit
        ).replace(" ", "")
        digits = digits if section else ""
        text = (digits + ["", "만", "억", "조"][place] if section else "") + text
        place += 1
    assert parse_number(text) == number


@given(st.text("일이삼십백천만억열스물한두세네다섯 점분의반할푼-3,.5개", max_size=30))
def test_any_text_is_read_or_left(text: str) -> None:
    """Never an exception."""
    parse_number(text)
