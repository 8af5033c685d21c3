"""A number in words, in any of the languages."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

from ...runtime.patterns import lazy
from . import chinese_numerals, english_numerals, korean_numerals

SMALL = rf"(?:\d{{1,2}}|{english_numerals.SMALL}|{korean_numerals.SMALL}|{chinese_numerals.SMALL})"
"""A whole number below a hundred in digits or words, as a pattern: hours, minutes, days."""
HALVES = lazy(r"[반半]|\band\b", re.IGNORECASE)
"""What says that a part comes with a number: 3시간 반, 7个半, 3 hours and a third."""

HALF_AFTER = r"\s?[반半](?![가-힣一-鿿])"
"""A half of what is counted, after the word for it, as a pattern; after 7½ it cannot be read, and is not left out."""


def small(text: str) -> int | None:
    """The whole number that a match of `SMALL` says; None where it says none.

    >>> small("12"), small("열두"), small("十二"), small("twelve"), small("스물다섯")
    (12, 12, 12, 12, 25)
    """
    text = text.strip()
    if text.isdecimal():
        return int(text)
    number = english_numerals.small(text) if text.isascii() else in_words(text.removeprefix("零"))
    return int(number) if number is not None and Fraction(number).denominator == 1 else None


def in_words(text: str) -> Fraction | None:
    """The number that words say and nothing else; None where they say none, or digits do.

    >>> in_words("육십삼"), in_words("三十五"), in_words("sixty-three"), in_words("about 3")
    (Fraction(63, 1), Fraction(35, 1), Fraction(63, 1), None)
    """
    text = text.strip()
    if any(map(str.isdigit, text)):
        return None
    if text.isascii():
        return english_numerals.read_words(text.casefold())
    read = itertools.chain(korean_numerals.readings(text), chinese_numerals.readings(text))
    return next((number for number, rest in read if not rest.strip()), None)
