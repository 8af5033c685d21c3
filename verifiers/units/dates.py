"""Dates as values of their own: 2023. 5. 6. = 2023년 5월 6일 = May 6, 2023 = 2023-05-06."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_WEEKDAYS = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s*)?"
_WEEKDAY_AFTER = r"(?:\s*\(?(?:[월화수목금토일]요일|星期[一二三四五六日天]|周[一二三四五六日])\)?)?"
_FORMS = [
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_WEEKDAYS}(?:the\s+)?{_MONTH}\s*{_DAY}(?:(?:\s*,\s*|\s+){_YEAR})?",
        rf"{_WEEKDAYS}(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?",
        rf"{_MONTH},?\s*(?:of\s+)?{_YEAR}",
        rf"{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)",
        rf"{_YEAR}/(?P<month>\d\d)/(?P<day>\d\d)",
        rf"{_YEAR}\s?\.\s?(?P<month>\d\d)\s?\.\s?(?P<day>\d\d)\s?\.?",
        rf"{_YEAR}\.\s(?P<month>\d{{1,2}})\.\s(?P<day>\d{{1,2}})\.?",
        rf"(?:{_YEAR}\s?년\s?)?(?P<month>\d{{1,2}})\s?월\s?(?P<day>\d{{1,2}})\s?일{_WEEKDAY_AFTER}",
        rf"{_YEAR}\s?년\s?(?P<month>\d{{1,2}})\s?월",
        rf"(?:{_YEAR}\s?年\s?)?(?P<month>\d{{1,2}})\s?月\s?(?P<day>\d{{1,2}})\s?[日号]{_WEEKDAY_AFTER}",
        rf"{_YEAR}\s?年\s?(?P<month>\d{{1,2}})\s?月",
    )
]
_MAY_BE = re.compile(
    rf"\d\s?[월月]|\d{{4}}\s?[-./]\s?\d|(?:{'|'.join(month[:3] for month in _MONTHS)})", re.IGNORECASE
)
_LONGEST = 40
"""Characters of a date."""
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_SHORT = 3


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
    for form in _FORMS:
        if match := form.fullmatch(text):
            said = match.groupdict()
            name = said["month"].casefold()
            month = (
                int(name)
                if name.isdecimal()
                else 1 + next(at for at, each in enumerate(_MONTHS) if each.startswith(name[:_SHORT]))
            )
            day = int(said["day"]) if said.get("day") else None
            if not 1 <= month <= len(_DAYS) or (day is not None and not 1 <= day <= _DAYS[month - 1]):
                return None
            return Date(int(said["year"]) if said.get("year") else None, month, day)
    return None
