"""Decimals that are roundings: a conclusion that rounds the text's own fraction, a reference's decimals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from ..runtime.patterns import lazy

_FRACTION = lazy(r"(?<![\d./])(\d{1,9})\s?/\s?(\d{1,9})(?![\d./])|\\[dt]?frac\{(\d{1,9})\}\{(\d{1,9})\}")
_DECIMAL = lazy(r"(?P<whole>\d{1,9})(?:\.(?P<places>\d{1,9}))?\s?(?P<percent>\\?%)?")
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


_EXACTLY = lazy(
    r"(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d*)\.(\d+)(?![\d.])"
    r"(?:\s*+(?:\\times|\\cdot|\*|x)\s*+10\s*+\^\s*+(?:\{\s*+)?\(?([-+]?\d{1,3})(?!\d)|[eE]([-+]?\d{1,3})(?!\d))?"
)
_DIGITS, _PLACES = 3, 2
"""Significant digits that a decimal has at least, and digits after its point, if it may be a rounding."""


def written_decimals(text: str) -> Iterator[tuple[Fraction, Fraction]]:
    """The decimals of a text that have enough digits, with half a unit of their last place.

    >>> dict(written_decimals("6.67 and 2.5"))
    {Fraction(667, 100): Fraction(1, 200)}
    """
    for match in _EXACTLY.finditer(text):
        before, behind = match[1].replace(",", ""), match[2]
        if len(behind) < _PLACES or len((before + behind).lstrip("0")) < _DIGITS:
            continue
        place = Fraction(10) ** (int(match[3] or match[4] or 0) - len(behind))
        yield int(before + behind) * place, place / 2
