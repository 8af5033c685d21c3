"""The numbers that a question gives, in all forms in which a solution may use them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from ..language.numerals import korean
from ..language.numerals.english import read_words, share
from ..language.worked_steps import TIMES_WORDS
from ..visible.seen import visible
from .calculations.signs import Sign, meaning, number, scan

MAX_QUESTION = 20_000
"""Characters of a question that are looked at."""
_LONGEST_NUMERAL = 4
_MOST_DIGITS = 7
_ONE, _HUNDRED = Fraction(1), Fraction(100)
COMMON = frozenset(
    map(
        Fraction,
        (1, 2, 3, 4, 5, 7, 8, 10, 12, 14, 16, 20, 24, 25, 28, 30, 31, 36, 50, 52, 60, 90, 100, 180, 360, 365,
         366, 1000, 1760, 2000, 3600, 5280, 10_000, 100_000, 1_000_000),
    )
)  # fmt: skip
"""How many of one unit of time, length, weight, volume, money or angle make another: factors only."""


@lru_cache(maxsize=1024)
def given(question: str) -> frozenset[Fraction]:
    """The numbers of a question, and what a share in it leaves or makes of a whole.

    >>> found = given("She sold 48 clips in April and half as many in May.")
    >>> Fraction(48) in found, Fraction(1, 2) in found, Fraction(24) in found
    (True, True, False)
    >>> Fraction(4, 5) in given("It is 20% cheaper."), Fraction(12) in given("a dozen eggs")
    (True, True)
    """
    text = visible(question[:MAX_QUESTION])
    signs = scan(text, 0, len(text))
    found: set[Fraction] = set()
    for place, sign in enumerate(signs):
        found.update(_of_sign(signs, place, sign))
    for token in text.split() if not text.isascii() else ():
        found.update(value for value, _ in korean.quantities(token))
    return frozenset(found)


def _of_sign(signs: list[Sign], place: int, sign: Sign) -> Iterator[Fraction]:
    behind = signs[place + 1] if place + 1 < len(signs) else None
    if sign.kind == "w":
        yield from _of_words(signs, place)
        return
    if sign.kind != "n" or (value := number(sign.text)) is None:
        return
    yield value
    yield from _places(value)
    if behind is None:
        return
    if behind.kind == "w":
        about = meaning(behind.text, behind.start == sign.end and not behind.text.isascii())
        yield value * about.factor
        if about.is_share:
            yield from of_share(value / _HUNDRED)
    elif behind.kind == "%":
        yield from of_share(value / _HUNDRED)
    elif (
        behind.kind == "o" and behind.text == "/" and place + 2 < len(signs) and signs[place + 2].kind == "n"
    ):
        below = number(signs[place + 2].text)
        if below:
            yield from of_share(value / below)


def _places(value: Fraction) -> Iterator[Fraction]:
    """A whole number taken apart by its digits, as in 48 + 27 = 40 + 20 + 8 + 7."""
    if value.denominator != 1 or not 10 <= value < 10**_MOST_DIGITS:
        return
    whole, power = value.numerator, 1
    while power <= whole:
        rest = whole % (power * 10)
        yield from map(Fraction, (rest // power * power, rest, whole - rest, rest // power))
        power *= 10


def of_share(value: Fraction) -> Iterator[Fraction]:
    """A share of a whole, what it leaves, and what both are together."""
    yield from (value, _ONE - value, _ONE + value, _HUNDRED * (_ONE - value), _HUNDRED * (_ONE + value))
    if value:
        yield _ONE / value


def _of_words(signs: list[Sign], place: int) -> Iterator[Fraction]:
    word = signs[place].text.casefold()
    if (times := TIMES_WORDS.get(word)) is not None:
        yield Fraction(times)
        yield _ONE / times
    for part in word.split("-"):
        if (below := share(part)) is not None:
            yield from of_share(_ONE / below)
            yield Fraction(below)
    if (many := meaning(word).factor) != 1:
        yield many
    said = ""
    for following in signs[place : place + _LONGEST_NUMERAL]:
        if following.kind != "w":
            break
        said = f"{said} {following.text}" if said else following.text
        if (value := read_words(said)) is not None:
            yield value
