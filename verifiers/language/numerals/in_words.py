"""A number in words, in any of the languages."""

from __future__ import annotations

import itertools
from fractions import Fraction

from . import chinese, english, korean


def in_words(text: str) -> Fraction | None:
    """The number that words say and nothing else; None where they say none, or digits do.

    >>> in_words("육십삼"), in_words("三十五"), in_words("sixty-three"), in_words("about 3")
    (Fraction(63, 1), Fraction(35, 1), Fraction(63, 1), None)
    """
    text = text.strip()
    if any(map(str.isdigit, text)):
        return None
    if text.isascii():
        return english.read_words(text.casefold())
    read = itertools.chain(korean.readings(text), chinese.readings(text))
    return next((number for number, rest in read if not rest.strip()), None)
