"""Times of day as values of their own: 오후 3시 30분 = 15:30 = 3:30 PM = 下午三点半 = half past three in the afternoon.

Hours and minutes are digits or words; each way to write a time is one line of `_WAYS`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ..language.numerals.english import SMALL as SMALL_WORDS
from ..language.numerals.in_words import SMALL, small
from ..runtime.patterns import lazy

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
_DIGITS = r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?"
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
    rf"(?:at\s+)?(?:{_DIGITS}|(?P<whole>{SMALL}))(?:\s*+o['’]?clock)?\s*+{_ENGLISH}",
    rf"at\s+{_DIGITS}",
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)\s*+o['’]?clock",
    r"(?P<hour>12):(?P<minute>00)\s*(?P<half>noon|midnight)",
    rf"(?P<hour>[a-z]+)\s+o['’]?clock(?:\s+sharp)?(?:\s+{_ENGLISH})?",
    rf"{_PART}\s+past\s+{_HOUR}(?:\s+o['’]?clock)?(?:\s*{_ENGLISH})?",
    rf"(?!\d){_PART}\s+to\s+(?P<next>(?!\d){SMALL})(?:\s+o['’]?clock)?(?:\s*{_ENGLISH})?",
    rf"(?P<hour>(?!\d){SMALL})\s+(?P<late>(?!\d){SMALL})(?:\s*{_ENGLISH})?",
    rf"(?:{_KOREAN}\s*)?{_HOUR}\s?시\s?(?:{_MINUTE}\s?분(?:\s?{_SECOND}\s?초)?|(?P<part>반))",
    rf"{_KOREAN}\s*{_HOUR}\s?시(?:\s?정각)?",
    rf"(?:{_KOREAN}\s*)?{_HOUR}\s?시\s?정각",
    rf"{_KOREAN}\s*{_DIGITS}",
    rf"{_CHINESE}\s*{_DIGITS}",
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
_MAY_BE = lazy(
    rf"[시点點时時]|[ap]\.?\s?m|o['’]?clock|in the |at |(?<![a-z]){SMALL_WORDS} |past |to |오전|오후|noon|midday|midnight|정오|자정|[中正]午|[上下]午|午夜",
    re.IGNORECASE,
)
_TEXT = lazy(r"\\(?:text|mathrm)\s*\{([^{}]*)\}")
HALF_PAST = lazy(r"\s?[시点點时時]\s?[반半]")
"""After an hour: half past it, whether there is such an hour or not."""
BEGINNING = "|".join((*_HALVES, *_NAMED))
"""Words with which a time of day begins that does not begin with a number, as a pattern."""
OCLOCK = frozenset({"시", "点", "时", "~o'clock"})
"""What `read_unit` makes of the word for a whole hour."""
_LONGEST = 48
"""Characters of a time."""
_TWO_DIGITS, _OH_FIVE = 10, 2
_SECONDS, _SIXTY, _DAY, NOON = 3600, 60, 24, 12


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
    if len(text) > _LONGEST or not _MAY_BE.search(text):
        return None
    text = " ".join(_TEXT.sub(r" \1 ", text).split())
    if (named := _NAMED.get(text.casefold())) is not None:
        return ClockTime(named * _SECONDS, True)
    for way in _ways():
        if match := way.fullmatch(text):
            return _said(match.groupdict())
    return None


def may_be_clock_time(text: str) -> bool:
    """Whether a text or a part of it may be a time of day, told in one look.

    >>> may_be_clock_time("3시 정각"), may_be_clock_time("15일")
    (True, False)
    """
    return _MAY_BE.search(text) is not None


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
    """Whether a question asks for a time of day, or when something happens.

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
    if hour > _DAY or minute >= _SIXTY or second >= _SIXTY:
        return None
    if half is not None and 0 < hour <= NOON:
        hour = hour % NOON + half
    return ClockTime((hour % _DAY) * _SECONDS + minute * _SIXTY + second, half is not None)
