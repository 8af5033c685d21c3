"""A conclusion that only rounds a fraction which the text has worked out stands for the fraction."""

from __future__ import annotations

import re
from fractions import Fraction

_FRACTION = re.compile(
    r"(?<![\d./])(\d{1,9})\s?/\s?(\d{1,9})(?![\d./])|\\[dt]?frac\{(\d{1,9})\}\{(\d{1,9})\}"
)
_DECIMAL = re.compile(r"(?P<whole>\d{1,9})(?:\.(?P<places>\d{1,9}))?\s?(?P<percent>\\?%)?")
_LEAST = 2
"""Digits from which a decimal is taken for a rounding."""
_NEAR = 800
"""Characters before the conclusion in which the fraction is looked for."""


def rounded_fraction(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where the last fraction stands that ``text[start:end]``, a decimal, is a rounding of; None without one.

    >>> text = "P = 21/45 = 7/15, which is about 46.67%"
    >>> text[slice(*rounded_fraction(text, 33, 39))]
    '7/15'
    """
    decimal = _DECIMAL.fullmatch(text[start:end].strip())
    if decimal is None or len((decimal["whole"] + (decimal["places"] or "")).lstrip("0")) < _LEAST:
        return None
    found = None
    for fraction in _FRACTION.finditer(text, max(0, start - _NEAR), start):
        top, bottom = (int(each) for each in fraction.groups() if each is not None)
        if bottom and _rounds(Fraction(top, bottom), decimal):
            found = fraction.span()
    return found


def _rounds(value: Fraction, decimal: re.Match[str]) -> bool:
    places = len(decimal["places"] or "")
    written = Fraction(int(decimal["whole"] + (decimal["places"] or "")), 10**places)
    if decimal["percent"]:
        value *= 100
    return value != written and 2 * abs(value - written) <= Fraction(1, 10**places)
