"""Times of day as values of their own: 오후 3시 30분 = 15:30 = 3:30 PM = 下午3点30分."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_HALVES = {
    "noon": 12, "midnight": 0,
    "am": 0, "a.m": 0, "오전": 0, "上午": 0, "早上": 0, "凌晨": 0, "새벽": 0, "아침": 0, "pm": 12, "p.m": 12, "오후": 12, "下午": 12,
    "晚上": 12, "저녁": 12, "밤": 12, "in the morning": 0, "in the afternoon": 12, "in the evening": 12,
}  # fmt: skip
_ENGLISH = r"(?P<half>a\.?\s?m|p\.?\s?m|in the (?:morning|afternoon|evening))\.?"
_FORMS = [
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<hour>\d{{1,2}})(?::(?P<minute>\d\d)(?::(?P<second>\d\d))?)?(?:\s*+o'?clock)?\s*+{_ENGLISH}",
        r"(?P<half>오전|오후|새벽|아침|저녁|밤)?\s*(?P<hour>\d{1,2})\s?시\s?(?:(?P<minute>\d{1,2})\s?분(?:\s?(?P<second>\d{1,2})\s?초)?|(?P<mid>반))",
        r"(?P<half>오전|오후|새벽|아침|저녁|밤)\s*(?P<hour>\d{1,2})\s?시(?:\s?정각)?",
        r"(?P<half>오전|오후|上午|下午|晚上|早上|凌晨)\s*(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?",
        r"(?P<half>上午|下午|晚上|早上|凌晨)?\s*(?P<hour>\d{1,2})\s?[点點时時]\s?(?:(?P<minute>\d{1,2})\s?分?|(?P<mid>半))",
        r"(?P<half>上午|下午|晚上|早上|凌晨)\s*(?P<hour>\d{1,2})\s?[点點时時](?:整|钟)?",
        r"(?P<hour>\d{1,2}):(?P<minute>\d\d)\s*o'?clock",
        r"(?P<hour>12):(?P<minute>00)\s*(?P<half>noon|midnight)",
    )
]
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
_MAY_BE = re.compile(
    r"[시点點时時]|[ap]\.?\s?m|o'?clock|in the |오전|오후|noon|midday|midnight|정오|자정|[中正]午|[上下]午|午夜",
    re.IGNORECASE,
)
_TEXT = re.compile(r"\\(?:text|mathrm)\s*\{([^{}]*)\}")
OCLOCK = frozenset({"시", "点", "时", "~o'clock"})
"""What `read_unit` makes of the word for a whole hour."""
_LONGEST = 40
"""Characters of a time."""
_HOUR, _MINUTE, NOON = 3600, 60, 12
_HOURS, _SIXTY = 24, 60


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

    >>> read_clock_time("오후 3시 30분") == read_clock_time("3:30 p.m.")
    True
    >>> read_clock_time("noon").seconds, read_clock_time("25 PM"), read_clock_time("3:30")
    (43200, None, None)
    """
    if len(text) > _LONGEST or not _MAY_BE.search(text):
        return None
    text = " ".join(_TEXT.sub(r" \1 ", text).split())
    if (named := _NAMED.get(text.casefold())) is not None:
        return ClockTime(named * _HOUR, True)
    for form in _FORMS:
        if match := form.fullmatch(text):
            said = match.groupdict()
            minute = 30 if said.get("mid") else int(said.get("minute") or 0)
            half = said.get("half")
            spelled = re.sub(r"(?<=[ap.])\s+(?=m)", "", half.casefold()) if half else None
            parts = [int(said["hour"]), minute, int(said.get("second") or 0)]
            return clock_time(parts, None if spelled is None else _HALVES[spelled])
    return None


def clock_time(parts: Sequence[int], half: int | None = None) -> ClockTime | None:
    """A time of day from its parts; None if there is no such time.

    Args:
        parts: The hour, and possibly minute and second, none of them below 0.
        half: 0 before noon, 12 after, None where it is not said.

    >>> clock_time([12, 30], half=0), clock_time([3, 60])
    (ClockTime(seconds=1800, half=True), None)
    """
    hour, minute, second = (*parts, 0, 0)[:3]
    if hour > _HOURS or minute >= _SIXTY or second >= _SIXTY:
        return None
    if half is not None and 0 < hour <= NOON:
        hour = hour % NOON + half
    return ClockTime((hour % _HOURS) * _HOUR + minute * _MINUTE + second, half is not None)
