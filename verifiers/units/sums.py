"""Quantities in several units: 2 hours 30 minutes, 5 ft 3 in, 1L 200mL, 2시간 30분."""

from __future__ import annotations

import re
from fractions import Fraction

from .expressions import expression
from .signs import MAX_CHARS
from .table import Measure

_TEXT = re.compile(r"\\(?:text|mathrm)\s*+\{([^{}\d]*+)\}")
_NUMBER = r"(?:\d{1,3}(?:,\d{3}){1,20}|\d{1,9})(?:\.\d{1,9})?"
_PART = re.compile(rf"({_NUMBER})\s*([a-zA-Zµ℃]{{1,12}}\.?|[가-힣一-鿿]{{1,5}})")
_SUM = re.compile(rf"(?:{_PART.pattern}[\s,]*(?:(?:and|和|又)\s+)?){{2,4}}")
_FEET = re.compile(r"(\d{1,4})\s*'\s*(?:(\d{1,2}(?:\.\d{1,3})?)\s*(?:''|\"))?")


def total(text: str) -> tuple[Fraction, str] | None:
    """A quantity in several units as one number of the last of them; None for anything else.

    Each is a part of the one before it: 3 hours 5 hours are two quantities.

    >>> total("2 hours 30 minutes"), total("1L 200mL"), total("3 hours 5 hours")
    ((Fraction(150, 1), 'minute'), (Fraction(1200, 1), 'mL'), None)
    """
    if len(text) > MAX_CHARS:
        return None
    text = _TEXT.sub(r" \1 ", text).strip().rstrip(".")
    if feet := _FEET.fullmatch(text):
        return Fraction(feet[1]) * 12 + Fraction(feet[2] or 0), "in"
    if not _SUM.fullmatch(text):
        return None
    parts: list[tuple[Fraction, str, Measure]] = []
    for number, name in _PART.findall(text):
        known = expression(name)
        if known is None:
            return None
        size = known.measures[0]
        if parts and (size.dimension != parts[0][2].dimension or size.size >= parts[-1][2].size):
            return None
        parts.append((Fraction(number.replace(",", "")), known.text, size))
    smallest = parts[-1][2].size
    return sum((number * size.size / smallest for number, _, size in parts), Fraction(0)), parts[-1][1]
