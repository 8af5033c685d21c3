"""English number words: forty-two, one half, two thirds, half an hour, an hour and a half."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from ...runtime.patterns import lazy

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
_MAX_WORDS = 40
"""Words of a number that is spelled out to the last."""
_SIZES: dict[str, int] = {"hundred": 10**2, "thousand": 10**3, "lakh": 10**5, "crore": 10**7, **{
    f"{prefix}illion": 10 ** (3 * power + 3)
    for power, prefix in enumerate(("m", "b", "tr", "quadr", "quint", "sext", "sept", "oct", "non", "dec"), 1)
}}  # fmt: skip
SHARE_WORDS = (
    *(f"{part}s" for part in _PARTS if part != "half"),
    "halves",
    "sevenths",
    "hundredths",
    "thousandths",
)
"""Words of parts that stand after a number: 7 thirds."""
SIZE_WORDS = tuple(_SIZES)
"""Words of powers of ten that stand after a number: million, thousand."""
_NUMERAL = lazy(
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
    >>> read_words("one hundred and five"), read_words("three and a half"), read_words("minus two point five")
    (Fraction(105, 1), Fraction(7, 2), Fraction(-5, 2))
    """
    words = re.split(r"[\s-]+", text.casefold().strip())
    if len(words) > _MAX_WORDS:
        return None
    negative = words[0] in ("minus", "negative") and len(words) > 1
    found = _positive(words[negative:])
    return -found if negative and found is not None else found


_ORDINALS = {"first": 1, "second": 2}
_MOST = 16
"""Words of a number with what it counts."""
SMALL = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(sorted(_ONES[1:], key=len, reverse=True))}"
    rf"|(?:oh|zero)[\s-](?:{'|'.join(_ONES[1:10])}))(?![a-z])"
)
"""A number below a hundred as a pattern: of hours, minutes and days."""

ORDINAL = rf"(?:(?:{'|'.join(_TENS)})[\s-])?(?:first|second|(?:{'|'.join(_PARTS)}|seventh|eleventh|twelfth|[a-z]{{3,5}}teenth)|twentieth|thirtieth)"
"""A place in a row as a pattern."""


def small(text: str) -> int | None:
    """The number below a hundred that a text is; None for anything else.

    >>> small("thirty-five"), small("oh five"), small("five hundred")
    (35, 5, None)
    """
    words = re.split(r"[\s-]+", text.casefold().strip())
    if len(words) == 2 and words[0] in ("oh", "zero"):
        words = words[1:]
    return _tens(words)


def ordinal(text: str) -> int | None:
    """Which place a word or two say; None where they say none.

    >>> ordinal("third"), ordinal("twenty-first"), ordinal("half")
    (3, 21, None)
    """
    *tens, last = re.split(r"[\s-]+", text.casefold().strip())
    ones = _ORDINALS.get(last) or (share(last) if last not in ("half", "quarter") else None)
    if ones is None or last.endswith("s") or len(tens) > 1:
        return None
    above = _tens(tens) if tens else 0
    return None if above is None or (tens and (above < 20 or above % 10 or ones > 9)) else above + ones


def readings(text: str) -> Iterator[tuple[Fraction, str]]:
    """The numbers with which a text may begin, longest first, and what follows each, as what is counted.

    Args:
        text: A text.

    >>> next(readings("two and a half hours")), next(readings("an hour and a half"))
    ((Fraction(5, 2), 'hours'), (Fraction(3, 2), 'hour'))
    >>> next(readings("half an hour")), next(readings("three quarters of a mile")), list(readings("half of it"))
    ((Fraction(1, 2), 'hour'), (Fraction(3, 4), 'mile'), [])
    """
    words = text.casefold().split()
    if not 0 < len(words) <= _MOST:
        return
    if words[0] == "half" and words[1:2] in (["a"], ["an"]) and words[2:]:
        yield Fraction(1, 2), " ".join(words[2:])
    if "and" in words[1:] and (whole := _with_part(words)) is not None:
        yield whole
    for end in range(len(words), 0, -1):
        number = Fraction(1) if words[:end] in (["a"], ["an"]) else read_words(" ".join(words[:end]))
        if number is None:
            continue
        if words[end : end + 1] == ["of"] and words[end + 1 : end + 2] in (["a"], ["an"]):
            if number.denominator > 1:
                yield number, " ".join(words[end + 2 :])
        else:
            yield number, " ".join(words[end:])


def _with_part(words: list[str]) -> tuple[Fraction, str] | None:
    """An hour and a half, two miles and three quarters: what is counted stands before the part."""
    place = len(words) - 1 - words[::-1].index("and")
    part = read_words(" ".join(words[place + 1 :]))
    if part is None or part.denominator == 1:
        return None
    for end in range(place - 1, 0, -1):
        many = _after_article(words[:end], _written)
        if many is not None and part < 1:
            return many + part, " ".join(words[end:place])
    return None


def _positive(words: list[str]) -> Fraction | None:
    """A whole number, a decimal, a part, or a whole number and a part."""
    if len(words) == 3 and words[0] == "half" and words[1] in ("a", "an") and words[2] in _SIZES:
        return Fraction(_SIZES[words[2]], 2)
    if "point" in words:
        place = words.index("point")
        whole = _whole(words[:place])
        digits = [_VALUES.get("zero" if word == "oh" else word, 10) for word in words[place + 1 :]]
        if whole is None or not digits or max(digits) > 9:
            return None
        return whole + Fraction(int("".join(map(str, digits))), 10 ** len(digits))
    if len(words) > 1 and (below := share(words[-1])) is not None:
        # The last "and" stands before the part of a mixed number: two and three quarters.
        place = len(words) - 1 - words[::-1].index("and") if "and" in words else -1
        above = _after_article(words[place + 1 : -1], _whole)
        whole = 0 if place < 0 else _written(words[:place])
        # Two hundred and fifty-six thousandths may be 0.256.
        is_unsure = place > 0 and words[place - 1] in _SIZES and below >= 100
        return None if above is None or whole is None or is_unsure else whole + Fraction(above, below)
    whole = _whole(words)
    return None if whole is None else Fraction(whole)


def _written(words: list[str]) -> int | None:
    """A whole number in words or digits, where a part in words follows: 3 and a half."""
    digits = words[0].replace(",", "") if len(words) == 1 else ""
    return int(digits) if digits.isascii() and digits.isdigit() else _whole(words)


def _whole(words: list[str]) -> int | None:
    """A cardinal number: up to three digits, each with its size, which falls: two million three hundred."""
    total, section, least = 0, [], 10**36
    for word in words:
        size_of = _SIZES.get(word, 0)
        if size_of < 1000 or size_of == least:
            section.append(word)
            continue
        many = _after_article(section, _hundreds)
        if not many or size_of >= least:
            return None
        total, section, least = total + many * size_of, [], size_of
    if not section:
        return total or None
    rest = _hundreds(section[1:] if total and section[0] == "and" else section)
    return None if rest is None or (total and rest == 0) or rest >= least else total + rest


def _hundreds(words: list[str]) -> int | None:
    """A number below a thousand: five, twenty-five, a hundred, three hundred and two, fifteen hundred."""
    if "hundred" not in words:
        return _tens(words)
    place = words.index("hundred")
    many, rest = _after_article(words[:place], _tens), words[place + 1 :]
    if many is None or not 0 < many < 100 or many % 10 == 0:
        return None
    below = _tens(rest[1:] if rest[:1] == ["and"] else rest) if rest else 0
    return None if below is None or (rest and below == 0) else many * 100 + below


def _after_article(words: list[str], read: Callable[[list[str]], int | None]) -> int | None:
    """How many an article or a number says before what is counted: a million, two million."""
    return 1 if words in (["a"], ["an"]) else read(words)


def _tens(words: list[str]) -> int | None:
    values = [_VALUES.get(word, -1) for word in words]
    if len(values) == 1 and values[0] >= 0:
        return values[0]
    # Ones may follow twenty; nothing may follow twelve or five.
    return sum(values) if len(values) == 2 and values[0] >= 20 and 0 < values[1] < 10 else None
