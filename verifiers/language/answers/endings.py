"""The endings after a value: where each begins and ends, and what it says of the value."""

from __future__ import annotations

import re
from functools import cache

from ...runtime.patterns import lazy
from ..languages import Language
from ..patterns import behind, fragments, silent_in_ascii, spoken
from ..stance import Kind
from .shapes import LOOSE, is_hangul

_ENDINGS: tuple[tuple[Kind, str], ...] = (
    ("corrected", "corrected"),
    ("denied", "denied"),
    ("supposed", "supposed"),
    ("asked", "asked"),
    ("doubted", "doubted"),
    ("stated", "stated"),
)

_FIELDS = tuple(field for _, field in _ENDINGS)

_OPENED = lazy(r"\A(?:[\s*_$\"'“‘(\[{]|\\(?:text(?:bf|rm)?|mathrm|mbox)\s{0,2}\{|\\[(\[]){1,12}")
"""Signs before a value."""


def _could_be_denied(said: str) -> bool:
    """Whether what stands before a denial is a value, and not the subject of a longer sentence."""
    said = said.strip(" *_$\"'“‘(")
    if not said:
        return False
    if not said[-1].isalpha() or all(len(each) == 1 for each in _BETWEEN_LETTERS.split(said)):
        return True
    if any(map(str.isdigit, said)) and len(said) <= _SHORT_VALUE:
        return True
    return not said[-1].isascii() and " " not in said


def _fits(syllable: str, first: str, goes_on: bool) -> bool:
    """Whether an ending may follow a syllable: without 이 it needs one in a vowel, and the sentence's end."""
    return first in _AFTER_ALL or (not goes_on and (ord(syllable) - ord("가")) % 28 == 0)


_AFTER_ALL = "이입임일인은을과가는를로으와만도라"

_SHORT_VALUE = 20

_SEPARATORS = ",，、:：;；·"

_BETWEEN_LETTERS = lazy(r"[\s,，、·()]+")


def ending(text: str, start: int, place: int, end: int) -> tuple[Kind, int, int] | None:
    """The first ending after some value: its kind, where the value ends, and where the ending does."""
    best: tuple[Kind, int, int] | None = None
    said = text[place:end]
    if silent_in_ascii(said, 1, _FIELDS):
        return None
    for language in spoken(said):
        for kind, field in _ENDINGS:
            found = _found(behind(language, field), text, start, place, end, holds=kind == "stated")
            if found is not None and (best is None or (found[0], -found[1]) < (best[1], -best[2])):
                best = (kind, *found)
    return best


def _found(
    pattern: re.Pattern[str], text: str, start: int, place: int, end: int, *, holds: bool
) -> tuple[int, int] | None:
    place += 1
    while (found := pattern.search(text, place, end)) is not None:
        said, words, after = found.end("close"), found.start("words"), found.end()
        place = found.start() + 1
        before = _OPENED.sub("", text[start:said])
        if (
            not before
            or before[-1].isspace()
            or before[-1] in _SEPARATORS
            or not any(map(str.isalnum, before))
        ):
            continue
        if after - words <= 1 and words > said:
            continue  # 가, 다
        if is_hangul(before[-1]) and not _fits(before[-1], text[words], bool(text[after:end].strip(LOOSE))):
            continue  # 같다, 따라서
        if (
            after - words <= 1
            and is_hangul(text[said - 1])
            and not (holds and not text[after:end].strip(LOOSE))
        ):
            continue  # 바다 위, 가지
        if holds or _could_be_denied(before):
            return said, after
    return None


_NUMBER = lazy(r"[*_$(]{0,4}[-+−]?[\d.]")
_WORD = lazy(r"[^\W\d_]")


@cache
def _besides(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "besides")) or "(?!)"
    return re.compile(rf"[\s,，]{{0,3}}(?:(?:{words})[\s,，]{{0,3}}){{0,3}}")


def beside(text: str, start: int, said: int, after: int, end: int) -> bool:
    """Whether a sentence that goes on after an ending says another value of the same: 17이면서 18이다.

    >>> beside("17이면서 18이다", 0, 2, 5, 10), beside("17이고 단위는 cm이다", 0, 2, 4, 14)
    (True, False)
    """
    for language in spoken(text[after:end]):
        if not language.besides:
            continue
        found = _besides(language).match(text, after, end)
        place = found.end() if found else after
        numbers = _NUMBER.match(text, start) is not None
        if not (_NUMBER if numbers else _WORD).match(text, place):
            continue
        other = ending(text, place, place, end)
        if other is not None and not numbers and any(map(str.isspace, text[place : other[1]])):
            continue
        if other is None or other[0] != "stated" or text[other[2] : end].strip(LOOSE):
            continue
        return text[start:said].strip(LOOSE) != text[place : other[1]].strip(LOOSE)
    return False
