"""Dates and times of day: one value in many forms, and never paid for another."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers import MathEquivalence
from verifiers.units.dates_and_times import read_clock_time, read_date

MONTHS = "January February March April May June July August September October November December".split()
JUDGE = MathEquivalence()


def date_forms(year: int, month: int, day: int) -> list[str]:
    """One date as it is written."""
    name = MONTHS[month - 1]
    return [
        f"{name} {day}, {year}", f"{name[:3]} {day}, {year}", f"{day} {name} {year}", f"{year}-{month:02}-{day:02}",
        f"{year}. {month}. {day}.", f"{year}년 {month}월 {day}일", f"{year}年{month}月{day}日", f"the {day}th of {name}, {year}",
    ]  # fmt: skip


def time_forms(hour: int, minute: int) -> list[str]:
    """One time of day as it is written, always with its half."""
    twelve, half = hour % 12 or 12, "AM" if hour < 12 else "PM"
    return [
        f"{twelve}:{minute:02} {half}", f"{twelve}:{minute:02} {half[0].lower()}.m.", f"{'오전' if hour < 12 else '오후'} {twelve}시 {minute}분",
        f"{'上午' if hour < 12 else '下午'}{twelve}点{minute}分", f"{twelve}:{minute:02}:00 {half}",
    ]  # fmt: skip


@given(st.integers(1900, 2100), st.integers(1, 12), st.integers(1, 28))
def test_a_date_in_all_forms(year: int, month: int, day: int) -> None:
    """Equal to each other, and to no date of another day, month or year."""
    found = {read_date(form) for form in date_forms(year, month, day)}
    assert len(found) == 1
    assert None not in found
    others = [(year, month, day % 28 + 1), (year, month % 12 + 1, day), (year + 1, month, day)]
    for other in others:
        assert not found & {read_date(form) for form in date_forms(*other)}


@given(st.integers(0, 23), st.integers(0, 59))
def test_a_time_in_all_forms(hour: int, minute: int) -> None:
    """Equal to each other, and to no other time."""
    found = {read_clock_time(form) for form in time_forms(hour, minute)}
    assert len(found) == 1
    assert None not in found
    assert not found & {read_clock_time(form) for form in time_forms((hour + 12) % 24, minute)}
    assert not found & {read_clock_time(form) for form in time_forms(hour, (minute + 1) % 60)}


def test_forms_are_paid_for_each_other() -> None:
    """In every pair, and never for the next day or hour."""
    for one, other in itertools.permutations(date_forms(2023, 5, 6), 2):
        assert JUDGE.verify(f"\\boxed{{{one}}}", other).passed, (one, other)
    for one, other in itertools.product(date_forms(2023, 5, 6), date_forms(2023, 6, 5)):
        assert not JUDGE.verify(f"\\boxed{{{one}}}", other).passed, (one, other)
    for one, other in itertools.permutations([*time_forms(15, 30), "15:30"], 2):
        assert JUDGE.verify(f"\\boxed{{{one}}}", other).passed, (one, other)
    for one, other in itertools.product([*time_forms(15, 30), "15:30"], time_forms(3, 30)):
        assert not JUDGE.verify(f"\\boxed{{{one}}}", other).passed, (one, other)


@pytest.mark.parametrize(
    "text", ["5/6/2023", "2017.1.4", "2023-5-6", "2023-13-01", "May 32", "May", "2023년", "5월", "30 February", "3.15", "", "2012 - 05", "12-05-2023"]
)  # fmt: skip
def test_no_date(text: str) -> None:
    """Two dates at once, no day of the calendar, or arithmetic."""
    assert read_date(text) is None


@pytest.mark.parametrize(
    "text", ["3:30", "15:30", "25:00 PM", "3:60 PM", "3시간 30분", "3시", "3 apm", "", "1:2 am pm"]
)
def test_no_time_of_day(text: str) -> None:
    """What may be a ratio, is a duration, or no time at all."""
    assert read_clock_time(text) is None


@given(st.text("0123456789:. 년월일시분오전후年月日点AMPMamp,-/thMayJune", max_size=45))
def test_any_text_is_read_or_left(text: str) -> None:
    """Never an exception."""
    read_date(text)
    read_clock_time(text)
