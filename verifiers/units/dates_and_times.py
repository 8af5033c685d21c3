"""Dates and times of day as values of their own: 2023. 5. 6. = May 6, 2023 = 五月六日, 오후 3시 = 15:00.

Months and days are digits or words; each way to write a date is one line of `_FORMS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from ..language.language_patterns import may_match
from ..language.numerals.english_numerals import ORDINAL, ordinal
from ..language.numerals.english_numerals import SMALL as SMALL_WORDS
from ..language.numerals.in_words import SMALL, small
from ..runtime.patterns import lazy
from ..runtime.records import dataclass

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
_DAY = rf"(?P<day>\d{{1,2}}(?:st|nd|rd|th)?|{ORDINAL})"
_MONTH_WORD = rf"(?P<month>{SMALL}|유|시)"
"""유월 and 시월 have lost a sound."""
_LOST = {"유": 6, "시": 10}
DATE_BEGINNING = rf"(?:{'|'.join(_LOST)})\s?월"
"""Words with which a Korean date begins that does not begin with a number, as a pattern."""
_YEAR = r"(?P<year>\d{4})"
_WEEKDAYS = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s*)?"
_WEEKDAY_AFTER = r"(?:\s*\(?(?:[월화수목금토일]요일|星期[一二三四五六日天]|周[一二三四五六日])\)?)?"
_FORMS = (
    rf"{_WEEKDAYS}(?:the\s+)?{_MONTH}\s*(?:the\s+)?{_DAY}(?:(?:\s*,\s*|\s+){_YEAR})?",
    rf"{_WEEKDAYS}(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?",
    rf"{_MONTH},?\s*(?:of\s+)?{_YEAR}",
    rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)",
    rf"{_YEAR}/(?P<month>\d\d)/(?P<day>\d\d)",
    rf"{_YEAR}\s?\.\s?(?P<month>\d\d)\s?\.\s?(?P<day>\d\d)\s?\.?",
    rf"{_YEAR}\.\s(?P<month>\d{{1,2}})\.\s(?P<day>\d{{1,2}})\.?",
    rf"(?:{_YEAR}\s?년\s?)?{_MONTH_WORD}\s?월\s?(?P<day>{SMALL})\s?일{_WEEKDAY_AFTER}",
    rf"{_YEAR}\s?년\s?(?P<month>\d{{1,2}})\s?월",
    rf"(?:{_YEAR}\s?年\s?)?{_MONTH_WORD}\s?月\s?(?P<day>{SMALL})\s?[日号]{_WEEKDAY_AFTER}",
    rf"{_YEAR}\s?年\s?(?P<month>\d{{1,2}})\s?月",
)
_MAY_BE = lazy(rf"[월月]|\d{{4}}\s?[-./]\s?\d|(?:{'|'.join(month[:3] for month in _MONTHS)})", re.IGNORECASE)
_LONGEST = 40
"""Characters of a date."""
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SHORT = 3


IN_PARTS = (re.compile(r"\d{1,4}\s?[년월年月]\s?\Z"), re.compile(r"\s?[월일月日号]"))
"""Text before a number and after it where it is a part of a date, whether there is such a day or not."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date.

    Args:
        year: None where it is not written.
        month: From 1.
        day: None where only a year and a month are written.
    """

    year: int | None
    month: int
    day: int | None

    def agrees(self, other: Date, optional: bool) -> bool:
        """Return whether two dates are one.

        Args:
            other: Another date.
            optional: Whether a year may be missing.
        """
        if (self.month, self.day) != (other.month, other.day):
            return False
        return self.year == other.year or (optional and None in (self.year, other.year))


def read_date(text: str) -> Date | None:
    """The date that a text is; None for anything else.

    Dates in digits alone need a year and two digits each, or points: 5/6/2023 is two dates.

    >>> read_date("May 6, 2023"), read_date("3월 15일"), read_date("2023-02-30")
    (Date(year=2023, month=5, day=6), Date(year=None, month=3, day=15), None)
    """
    if len(text) > _LONGEST or not may_be_date(text):
        return None
    for form in _forms():
        if match := form.fullmatch(text):
            said = match.groupdict()
            month, day = _month(said["month"].casefold()), _day(said.get("day"))
            if month is None or (said.get("day") and day is None):
                return None
            if not 1 <= month <= len(_DAYS) or (day is not None and not 1 <= day <= _DAYS[month - 1]):
                return None
            return Date(int(said["year"]) if said.get("year") else None, month, day)
    return None


def may_be_date(text: str) -> bool:
    """Check quickly whether a text or a part of it may be a date.

    >>> may_be_date("3월 15일"), may_be_date("15일")
    (True, False)
    """
    return bool(_may_match(_MAY_BE)(text)) and _MAY_BE.search(text) is not None


@cache
def _may_match(pattern: re.Pattern[str]) -> Callable[[str], object]:
    """A quick test for what most texts do not have."""
    return may_match(pattern.pattern)


def dates_in(text: str) -> list[tuple[int, int, Date]]:
    """The dates that stand in a text, each with its span; of two that overlap the longer one.

    >>> dates_in("from May 6, 2023 to 2023-06-01")
    [(5, 16, Date(year=2023, month=5, day=6)), (20, 30, Date(year=2023, month=6, day=1))]
    """
    if not may_be_date(text):
        return []
    found = [
        (*match.span(), date)
        for form in _standing()
        for match in form.finditer(text)
        if (date := read_date(match.group())) is not None
    ]
    kept: list[tuple[int, int, Date]] = []
    for start, end, date in sorted(found, key=lambda each: (each[0], -each[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, date))
    return kept


@cache
def _standing() -> list[re.Pattern[str]]:
    """The same ways, as they stand within a text: not in the middle of a word or a number."""
    return [re.compile(rf"(?<![^\W_])(?:{form})(?![\da-zA-Z])", re.IGNORECASE) for form in _FORMS]


@cache
def _forms() -> list[re.Pattern[str]]:
    """The ways to write a date, compiled when the first text may be one."""
    return [re.compile(form, re.IGNORECASE) for form in _FORMS]


def _month(said: str) -> int | None:
    names = (at for at, each in enumerate(_MONTHS, 1) if said.isalpha() and each.startswith(said[:_SHORT]))
    return _LOST.get(said) or next(names, None) or small(said)


def _day(said: str | None) -> int | None:
    if said is None:
        return None
    digits = _DIGITS.match(said)
    return int(digits.group()) if digits else small(said) or ordinal(said)


_DIGITS = lazy(r"\d+")


_HALVES = {
    "am": 0, "a.m": 0, "오전": 0, "上午": 0, "早上": 0, "凌晨": 0, "새벽": 0, "아침": 0, "pm": 12, "p.m": 12, "오후": 12, "下午": 12,
    "晚上": 12, "傍晚": 12, "저녁": 12, "밤": 12, "noon": 12, "midnight": 0,
    "in the morning": 0, "in the afternoon": 12, "in the evening": 12, "at night": 12,
}  # fmt: skip
"""Halves of the day: how many hours they add."""
_PARTS = {
    "반": 30, "半": 30, "half": 30, "一刻": 15, "1刻": 15, "三刻": 45, "3刻": 45, "quarter": 15, "a quarter": 15,
}  # fmt: skip
"""Parts of an hour in words, in minutes."""
_CLOCK_DIGITS = r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?"
_HOUR = rf"(?P<hour>{SMALL})"
_MINUTE, _SECOND = _HOUR.replace("hour", "minute"), _HOUR.replace("hour", "second")
_PART = rf"(?:(?P<part>{'|'.join(map(re.escape, sorted(_PARTS, key=len, reverse=True)))})|{_MINUTE}(?:\s+minutes?)?)"
_ENGLISH = r"(?P<half>a\.?\s?m|p\.?\s?m|in the (?:morning|afternoon|evening)|at night)\.?"
_KOREAN, _CHINESE = (
    rf"(?P<half>{'|'.join(word for word in _HALVES if first <= word[0] <= last)})"
    for first, last in ("가힣", "一鿿")
)
_POINT = "[点點时時]"
_WAYS = (
    rf"(?:at\s+)?(?:{_CLOCK_DIGITS}|(?P<whole>{SMALL}))(?:\s*+o['’]?clock)?\s*+{_ENGLISH}",
    rf"at\s+{_CLOCK_DIGITS}",
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)\s*+o['’]?clock",
    r"(?P<hour>12):(?P<minute>00)\s*(?P<half>noon|midnight)",
    rf"(?P<hour>[a-z]+)\s+o['’]?clock(?:\s+sharp)?(?:\s+{_ENGLISH})?",
    rf"{_PART}\s+past\s+{_HOUR}(?:\s+o['’]?clock)?(?:\s*{_ENGLISH})?",
    rf"(?!\d){_PART}\s+to\s+(?P<next>(?!\d){SMALL})(?:\s+o['’]?clock)?(?:\s*{_ENGLISH})?",
    rf"(?P<hour>(?!\d){SMALL})\s+(?P<late>(?!\d){SMALL})(?:\s*{_ENGLISH})?",
    rf"(?:{_KOREAN}\s*)?{_HOUR}\s?시\s?(?:{_MINUTE}\s?분(?:\s?{_SECOND}\s?초)?|(?P<part>반))",
    rf"{_KOREAN}\s*{_HOUR}\s?시(?:\s?정각)?",
    rf"(?:{_KOREAN}\s*)?{_HOUR}\s?시\s?정각",
    rf"{_KOREAN}\s*{_CLOCK_DIGITS}",
    rf"{_CHINESE}\s*{_CLOCK_DIGITS}",
    rf"(?:{_CHINESE}\s*)?{_HOUR}\s?{_POINT}\s?(?:{_MINUTE}\s?分|(?P<part>半|[一三13]刻))",
    rf"(?:{_CHINESE}\s*)?{_HOUR}\s?{_POINT}\s?(?P<minute>\d{{1,2}}|[一二三四五]?十[一二三四五六七八九]?)",
    rf"{_CHINESE}\s*{_HOUR}\s?{_POINT}(?:整|钟|鐘)?",
    rf"(?:{_CHINESE}\s*)?{_HOUR}\s?{_POINT}(?:整|钟整|鐘整|钟|鐘)",
)
_NAMED = {
    "noon": 12,
    "12 noon": 12,
    "midday": 12,
    "정오": 12,
    "中午": 12,
    "正午": 12,
    "midnight": 0,
    "12 midnight": 0,
    "자정": 0,
    "午夜": 0,
}
_MAY_BE_TIME = lazy(
    rf"[시点點时時]|[ap]\.?\s?m|o['’]?clock|in the |at |(?<![a-z]){SMALL_WORDS} |past |to |오전|오후|noon|midday|midnight|정오|자정|[中正]午|[上下]午|午夜",
    re.IGNORECASE,
)
_TEXT = lazy(r"\\(?:text|mathrm)\s*\{([^{}]*)\}")
HALF_PAST = lazy(r"\s?[시点點时時]\s?[반半]")
"""After an hour: half past it, whether there is such an hour or not."""
TIME_BEGINNING = "|".join((*_HALVES, *_NAMED))
"""Words with which a time of day begins that does not begin with a number, as a pattern."""
OCLOCK = frozenset({"시", "点", "时", "~o'clock"})
"""Readings by `read_unit` of the word for a whole hour."""
_LONGEST_TIME = 48
"""Characters of a time."""
_TWO_DIGITS, _OH_FIVE = 10, 2
_SECONDS, _SIXTY, _DAY_HOURS, NOON = 3600, 60, 24, 12


class ClockTime(NamedTuple):
    """A time of day.

    Args:
        seconds: From midnight.
        half: Whether the half of the day is said: of 3:30 and 15:30 it is not.
    """

    seconds: int
    half: bool


def read_clock_time(text: str) -> ClockTime | None:
    """The time of day that a text is; None for anything else: 3:30 alone may be a ratio.

    >>> read_clock_time("오후 3시 30분") == read_clock_time("3:30 p.m.") == read_clock_time("下午三点半")
    True
    >>> read_clock_time("a quarter to four") == read_clock_time("three forty-five")
    True
    >>> read_clock_time("noon").seconds, read_clock_time("25 PM"), read_clock_time("3:30")
    (43200, None, None)
    """
    if len(text) > _LONGEST_TIME or not may_be_clock_time(text):
        return None
    text = " ".join(_TEXT.sub(r" \1 ", text).split())
    if (named := _NAMED.get(text.casefold())) is not None:
        return ClockTime(named * _SECONDS, True)
    for way in _ways():
        if match := way.fullmatch(text):
            return _said(match.groupdict())
    return None


def may_be_clock_time(text: str) -> bool:
    """Check quickly whether a text or a part of it may be a time of day.

    >>> may_be_clock_time("3시 정각"), may_be_clock_time("15일")
    (True, False)
    """
    return bool(_may_match(_MAY_BE_TIME)(text)) and _MAY_BE_TIME.search(text) is not None


@cache
def _ways() -> list[re.Pattern[str]]:
    """The ways to write a time, compiled when the first text may be one."""
    return [re.compile(way, re.IGNORECASE) for way in _WAYS]


def _said(said: dict[str, str | None]) -> ClockTime | None:
    """The time of what a way to write it has found."""
    half = said.get("half")
    spelled = re.sub(r"(?<=[ap.])\s+(?=m)", "", half.casefold()) if half else None
    added = None if spelled is None else _HALVES[spelled]
    after = said.get("next")
    part, late = said.get("part"), said.get("late")
    hour, minute, second = (
        small(each) if each else 0
        for each in (
            said.get("hour") or said.get("whole") or after,
            said.get("minute") or late,
            said.get("second"),
        )
    )
    minute = _PARTS[part.casefold()] if part else minute
    if hour is None or minute is None or second is None:
        return None
    if late and minute < _TWO_DIGITS and len(late.split()) < _OH_FIVE:
        return None  # twenty one, five six
    if after:
        if not 0 < minute < _SIXTY or not 0 < hour <= NOON:
            return None
        minute = _SIXTY - minute
        hour = (hour - 1) or NOON
    return clock_time([hour, minute, second], added)


def asks_time(question: str) -> bool:
    """Return whether a question asks for a time of day, or when something happens.

    >>> asks_time("What time is it 45 minutes later?"), asks_time("기차는 몇 시에 도착합니까?"), asks_time("What ratio?")
    (True, True, False)
    """
    return _ASKING.search(question) is not None


_ASKING = lazy(
    r"\b(?:what|which) time\b|\btime of (?:day|arrival|departure)\b|\bwhen (?:do|does|did|will|is|was|should|must)\b"
    r"|몇\s?시(?!간)|언제|几[点點时時]|什么时[候间刻]|何时",
    re.IGNORECASE,
)


def clock_time(parts: Sequence[int], half: int | None = None) -> ClockTime | None:
    """A time of day from its parts; None if there is no such time.

    Args:
        parts: The hour, and possibly minute and second, none of them below 0.
        half: 0 before noon, 12 after, None where it is not said.

    >>> clock_time([12, 30], half=0), clock_time([3, 60])
    (ClockTime(seconds=1800, half=True), None)
    """
    hour, minute, second = (*parts, 0, 0)[:3]
    if hour > _DAY_HOURS or minute >= _SIXTY or second >= _SIXTY:
        return None
    if half is not None and 0 < hour <= NOON:
        hour = hour % NOON + half
    return ClockTime((hour % _DAY_HOURS) * _SECONDS + minute * _SIXTY + second, half is not None)
