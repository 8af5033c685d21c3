"""English number words: forty-two, one half, two thirds."""

from __future__ import annotations

import re
from fractions import Fraction

_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
    """.split()
_TENS = """
    twenty thirty forty fifty sixty seventy eighty ninety
    """.split()
_VALUES = {word: value for value, word in enumerate(_ONES)} | {
    word: 10 * value for value, word in enumerate(_TENS, 2)
}
_PARTS = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
_MAX_WORDS = 8
_SIZES: dict[str, int] = {"hundred": 10**2, "thousand": 10**3, "lakh": 10**5, "crore": 10**7, **{
    f"{prefix}illion": 10 ** (3 * power + 3)
    for power, prefix in enumerate(("m", "b", "tr", "quadr", "quint", "sext", "sept", "oct", "non", "dec"), 1)
}}  # fmt: skip
_NUMERAL = re.compile(
    rf"(?:{'|'.join((*_TENS, *_ONES, *_SIZES))}|\w+illion|googol)s?|halves|[\w-]*(?:{'|'.join(_PARTS)}|seventh|twelfth|teenth|tieth|undredth"
    r"|ousandth|illionth)s?"
)


def size(word: str) -> int | None:
    """How many a hundred, a lakh or a quadrillion is; None for any other word.

    >>> size("million"), size("dozen")
    (1000000, None)
    """
    return _SIZES.get(word.casefold())


def share(word: str) -> int | None:
    """The denominator that a word names in the singular or plural; None if it names none.

    >>> share("sixteenths"), share("halves"), share("apples")
    (16, 2, None)
    """
    word = "half" if word.casefold() == "halves" else word.casefold().removesuffix("s")
    if word in _PARTS:
        return _PARTS[word]
    for stem, value in (*_VALUES.items(), *_SIZES.items()):
        if word in (f"{stem}th", f"{stem[:-1]}ieth", f"{stem[:-2]}fth"):
            return value
    return None


def is_numeral(word: str) -> bool:
    """Whether a word is a number or a part of one, in the singular or plural: tens, sixteenths, quadrillion."""
    return _NUMERAL.fullmatch(word) is not None


def read_words(text: str) -> Fraction | None:
    """The number that English words say; None if they say none.

    >>> read_words("forty-two"), read_words("two thirds"), read_words("to")
    (Fraction(42, 1), Fraction(2, 3), None)
    """
    words = [word for word in re.split(r"[\s-]+", text.casefold().strip()) if word and word != "and"]
    if not 0 < len(words) <= _MAX_WORDS:
        return None
    part = words[-1].removesuffix("s") if words[-1] != "halves" else "half"
    if part in _PARTS and len(words) > 1:
        top = 1 if words[:-1] in (["a"], ["an"]) else _whole(words[:-1])
        return None if top is None else Fraction(top, _PARTS[part])
    whole = _whole(words)
    return None if whole is None else Fraction(whole)


def _whole(words: list[str]) -> int | None:
    total, section, last = 0, 0, 1_000
    for word in words:
        value = _VALUES.get(word)
        if value is not None:
            # Ones may follow twenty; nothing may follow twelve or five.
            if last <= 10 or (last < 100 and value >= 10):
                return None
            section, last = section + value, value if value >= 20 else 10
        elif word == "hundred" and 0 < section < 10:
            section, last = section * 100, 100
        elif word == "thousand" and section and not total:
            total, section, last = section * 1_000, 0, 1_000
        else:
            return None
    return total + section
