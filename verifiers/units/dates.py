"""Dates as values of their own: 2023. 5. 6. = 2023년 5월 6일 = May 6, 2023 = 2023-05-06 = 五月六日.

Months and days are digits or words; each way to write a date is one line of `_FORMS`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ..language.numerals.english import ORDINAL, ordinal
from ..language.numerals.in_words import SMALL, small
from ..runtime.patterns import lazy

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
_DAY = rf"(?P<day>\d{{1,2}}(?:st|nd|rd|th)?|{ORDINAL})"
_MONTH_WORD = rf"(?P<month>{SMALL}|유|시)"
"""유월 and 시월 have lost a sound."""
_LOST = {"유": 6, "시": 10}
BEGINNING = rf"(?:{'|'.join(_LOST)})\s?월"
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
"""What stands before a number and after it where it is a part of a date, whether there is such a day or not."""


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
        """Whether two dates are one.

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
    if len(text) > _LONGEST or not _MAY_BE.search(text):
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
    """Whether a text or a part of it may be a date, told in one look.

    >>> may_be_date("3월 15일"), may_be_date("15일")
    (True, False)
    """
    return _MAY_BE.search(text) is not None


def dates_in(text: str) -> list[tuple[int, int, Date]]:
    """The dates that stand in a text, each with its span; of two that overlap the longer one.

    >>> dates_in("from May 6, 2023 to 2023-06-01")
    [(5, 16, Date(year=2023, month=5, day=6)), (20, 30, Date(year=2023, month=6, day=1))]
    """
    if not _MAY_BE.search(text):
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
