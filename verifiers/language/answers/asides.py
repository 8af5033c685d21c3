"""What follows a value and only goes on about it, says it again, or names another."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from ...runtime.patterns import lazy
from ..languages import Language
from ..numerals.in_words import in_words
from ..patterns import fragments, rounding, spoken
from .shapes import is_value, skipped


@cache
def _remarks(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "remarks")) or "(?!)"
    return re.compile(rf"(?:\s{{0,4}}[,，(]\s{{0,4}}|\s{{1,4}})(?:{words})(?![a-z])", re.IGNORECASE)


def remark(text: str, start: int, end: int) -> int | None:
    """Where a remark begins that only goes on about the value."""
    found = [
        remark.start()
        for language in spoken(text[start:end])
        if language.remarks and (remark := _remarks(language).search(text, start + 1, end)) is not None
    ]
    return min(found, default=None)


@cache
def _reasons(language: Language) -> re.Pattern[str]:
    return re.compile(
        rf"\s{{0,2}}[,，]\s{{0,2}}(?:{'|'.join(fragments(language, 'reasons'))}){language.edges[1]}",
        re.IGNORECASE,
    )


def reason(text: str, start: int, end: int) -> int | None:
    """Where a clause begins that gives the reason of a value: what it denies is something else."""
    found = [
        because.start()
        for language in spoken(text[start:end])
        if language.reasons and (because := _reasons(language).search(text, start + 1, end)) is not None
    ]
    return min(found, default=None)


def aside(text: str, start: int, end: int) -> int | None:
    """Where a bracket begins that says the value again, rounded or in words: "3/4 (about 0.75)"."""
    found = _ASIDE.search(text, max(start, end - _LONGEST_ASIDE), end)
    if found is None or not any(map(str.isdigit, text[start : found.start()])):
        return None
    said = found["said"]
    if in_words(said) is not None:
        return found.start()
    words = rounding().match(said) is not None or not any(map(str.isdigit, said))
    long_enough = len(said) >= _SHORTEST_ASIDE
    return found.start() if words and long_enough and _LABEL.search(said) is None else None


def is_contradicted(text: str, start: int, end: int) -> bool:
    """Whether a bracket says another number in words than the digits before it.

    >>> is_contradicted("36(삼십육)", 0, 7), is_contradicted("36(육십삼)", 0, 7)
    (False, True)
    """
    found = _ASIDE.search(text, max(start, end - _LONGEST_ASIDE), end)
    other = None if found is None else in_words(found["said"])
    if found is None or other is None:
        return False
    return _read_digits(text[start : found.start()]) not in (None, other)


def _read_digits(text: str) -> Fraction | None:
    digits = text.strip(" *_$").replace(",", "")
    return Fraction(digits) if _DIGITS.fullmatch(digits) else None


_DIGITS = lazy(r"[-+]?\d{1,40}(?:\.\d{1,40})?")
_ASIDE = lazy(r"\s{0,4}[(（](?P<said>[^()（）]{1,60})[)）]\Z")
_LONGEST_ASIDE, _SHORTEST_ASIDE = 70, 3
_LABEL = lazy(r"(?<![a-zA-Z])[a-zA-Z](?![a-zA-Z])|[ㄱ-ㅎ①-⑳]")


@cache
def _instead(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "corrected_before")) or "(?!)"
    return re.compile(rf"\s{{0,4}}[,，;(]?\s{{0,4}}(?:{words})", re.IGNORECASE)


def other_value(text: str, start: int, end: int) -> int | None:
    """Where a value that is denied follows the right one: "4, not 3", "4 rather than 3"."""
    found = [
        other.start()
        for language in spoken(text[start:end])
        if language.corrected_before
        and (other := _instead(language).search(text, start + 1, end)) is not None
        and is_value(text, skipped(text, other.end()))
    ]
    return min(found, default=None)


@cache
def _restating(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "restated")) or "(?!)"
    return re.compile(rf"\s{{0,3}}[,，;；(—–-]{{0,2}}\s{{0,3}}(?:{words})[\s,，:：]{{0,3}}", re.IGNORECASE)


def restated(text: str, start: int, end: int) -> int | None:
    """Where a value is written in another way, and with nothing else: "twice 42, that is 84"."""
    for language in spoken(text[start:end]):
        if not language.restated:
            continue
        for found in reversed(list(_restating(language).finditer(text, start + 1, end))):
            before = text[start : found.start()]
            if any(map(str.isdigit, before)) and _ALONE.match(text, found.end(), end):
                return found.end()
    return None


_ALONE = lazy(
    r"[*_$(]{0,4}[-+−]?(?:\d[\d.,/:^]*|\\[^\s가-힣一-鿿]{1,60})[*_$)%°]{0,4}\s?[^\s\d,，]{0,12}[.!。]?(?:\s[^\s\d]{1,12})?\s*\Z"
)
"""A number or formula with its unit or ending."""


@cache
def _points(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "points_on")) or "(?!)"
    return re.compile(rf"[\s*_]{{0,4}}(?:{words})[\s.。:：!*_]{{0,4}}(?=\n)", re.IGNORECASE)


_SPACES = lazy(r"\s*")
_NEAR = 8
"""Characters in which such words begin."""


def pointed_to(text: str, start: int) -> int | None:
    """Where the answer begins if the sentence only says that it is below; None if it gives one itself.

    >>> text = "as follows:\\n\\n48"
    >>> text[pointed_to(text, 0):]
    '48'
    """
    for language in spoken(text[start : start + _NEAR]):
        if (found := _points(language).match(text, start)) is not None:
            return _SPACES.match(text, found.end()).end()  # type: ignore[union-attr]
    return None
