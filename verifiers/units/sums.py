"""Quantities in several units: 2 hours 30 minutes, 5 ft 3 in, 1L 200mL, 2시간 30분, 两小时三十分钟."""

from __future__ import annotations

import re
from fractions import Fraction

from ..language.numerals.in_words import SMALL, small
from ..runtime.patterns import lazy
from .expressions import expression
from .signs import MAX_CHARS
from .table import Measure

_TEXT = lazy(r"\\(?:text|mathrm)\s*+\{([^{}\d]*+)\}")
_NUMBER = rf"(?:(?:\d{{1,3}}(?:,\d{{3}}){{1,20}}|\d{{1,9}})(?:\.\d{{1,9}})?|an?(?=\s)|(?!\d){SMALL})"
_COUNT = lazy(rf"({_NUMBER})\s*", re.IGNORECASE)
_NAME = lazy(r"[a-zA-Zµ℃]{1,12}(?![a-zA-Z])\.?|[가-힣]{1,5}|[一-鿿]{1,5}")
_AND = lazy(r"[\s,]*(?:(?:and|和|又|하고|과|와)\s*)?")
_FEW, _MANY = 2, 4
"""Parts of a quantity."""
_FEET = lazy(r"(\d{1,4})\s*'\s*(?:(\d{1,2}(?:\.\d{1,3})?)\s*(?:''|\"))?")


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
    if _COUNT.match(text) is None or (parts := _parts(text, 0, ())) is None:
        return None
    smallest = parts[-1][2].size
    return sum((number * size.size / smallest for number, _, size in parts), Fraction(0)), parts[-1][1]


def may_be_sum(text: str) -> bool:
    """Whether a text or a beginning of it may be a quantity in several units: it has the first one, at least.

    >>> may_be_sum("2시간 30분"), may_be_sum("다시 세어 보면")
    (True, False)
    """
    if "\\" in text or _FEET.match(text) is not None:
        return True
    count = _COUNT.match(text)
    name = _NAME.match(text, count.end()) if count else None
    return name is not None and any(
        expression(text[name.start() : end]) is not None for end in range(_shortest(name), name.end() + 1)
    )


_Part = tuple[Fraction, str, Measure]


def _parts(text: str, at: int, before: tuple[_Part, ...]) -> tuple[_Part, ...] | None:
    """The numbers from a place on, each with its unit; None where they are no parts of one quantity."""
    if at == len(text):
        return before if len(before) >= _FEW else None
    count = _COUNT.match(text, at) if len(before) < _MANY else None
    name = _NAME.match(text, count.end()) if count else None
    if count is None or name is None or (number := _said(count[1])) is None:
        return None
    for end in range(name.end(), _shortest(name) - 1, -1):
        known = expression(text[name.start() : end])
        if known is None or not _goes_on(before, known.measures[0]):
            continue
        joined = _AND.match(text, end)
        part = (number, known.text, known.measures[0])
        if joined and (found := _parts(text, joined.end(), (*before, part))) is not None:
            return found
    return None


def _shortest(name: re.Match[str]) -> int:
    """Where a unit ends at the earliest: Korean and Chinese write the next number right after it, 두시간삼십분."""
    return name.start() + 1 if name.group()[0] >= _HAN else name.end()


_HAN = "一"
"""From here on the signs of Chinese and Korean stand."""


def _goes_on(before: tuple[_Part, ...], size: Measure) -> bool:
    """Whether a unit measures what those before it do, and is smaller."""
    return not before or (size.dimension == before[0][2].dimension and size.size < before[-1][2].size)


def _said(number: str) -> Fraction | None:
    """A number in digits or words, or an article."""
    if number[0].isdigit():
        return Fraction(number.replace(",", ""))
    said = 1 if number.casefold() in ("a", "an") else small(number)
    return None if said is None else Fraction(said)
