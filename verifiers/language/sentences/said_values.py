"""The value in what follows an answer phrase: what an ending, a correction, an aside or a remark leaves of it."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from ...runtime.patterns import lazy
from ..language_patterns import behind, fragments, is_silent, may_say, rounding, silent_in_ascii, spoken
from ..numerals.in_words import in_words
from ..spoken_languages import Language
from ..stance import Kind
from .words_before import after_so, lead_of, right_after

_ENDINGS: tuple[tuple[Kind, str], ...] = (
    ("corrected", "corrected"),
    ("denied", "denied"),
    ("supposed", "supposed"),
    ("asked", "asked"),
    ("doubted", "doubted"),
    ("stated", "stated"),
)

_FIELDS = tuple(field for _, field in _ENDINGS)
_AGAINST = _FIELDS[:-1]

_OPENED = lazy(r"\A(?:[\s*_$\"'“‘(\[{]|\\(?:text(?:bf|rm)?|mathrm|mbox)\s{0,2}\{|\\[(\[]){1,12}")
"""Signs before a value."""


def _could_be_denied(said: str) -> bool:
    """Return whether the words before a denial are a value, not the subject of a longer sentence."""
    said = said.strip(" *_$\"'“‘(")
    if not said:
        return False
    if not said[-1].isalpha() or all(len(each) == 1 for each in _BETWEEN_LETTERS.split(said)):
        return True
    if any(map(str.isdigit, said)) and len(said) <= _SHORT_VALUE:
        return True
    return not said[-1].isascii() and " " not in said


def _fits(syllable: str, first: str, goes_on: bool) -> bool:
    """Return whether an ending fits a syllable: without 이, it needs a final vowel and the sentence's end."""
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
        for kind, field in _ENDINGS if may_say(language, _AGAINST)(said) else _ENDINGS[-1:]:
            if not may_say(language, (field,))(said):
                continue
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
    """Return whether a sentence gives a second value after an ending: 17이면서 18이다.

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


@cache
def _remarks(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "remarks")) or "(?!)"
    return re.compile(rf"(?:\s{{0,4}}[,，(]\s{{0,4}}|\s{{1,4}})(?:{words})(?![a-z])", re.IGNORECASE)


def remark(text: str, start: int, end: int) -> int | None:
    """Return the start of a remark that only elaborates on the value."""
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
    """Return the start of a clause that gives the reason of a value: it denies something else."""
    found = [
        because.start()
        for language in spoken(text[start:end])
        if language.reasons and (because := _reasons(language).search(text, start + 1, end)) is not None
    ]
    return min(found, default=None)


def aside(text: str, start: int, end: int) -> int | None:
    """Return the start of a bracket that repeats the value, rounded or in words: "3/4 (about 0.75)"."""
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
    """Return whether a bracket in words contradicts the digits before it.

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
    """Return the start of a denied value that follows the right one: "4, not 3", "4 rather than 3"."""
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
    """Return the start of a restated value with nothing after it: "twice 42, that is 84"."""
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
    """Return the start of the answer if the sentence only points below; None if it gives one itself.

    >>> text = "as follows:\\n\\n48"
    >>> text[pointed_to(text, 0):]
    '48'
    """
    for language in spoken(text[start : start + _NEAR]):
        if (found := _points(language).match(text, start)) is not None:
            return _SPACES.match(text, found.end()).end()  # type: ignore[union-attr]
    return None


LOOSE = " \t\r\n.!?~^*_。！？♪❤😊🙂😀👍✅)\"'”’」』"
"""Signs after a sentence that say nothing."""
_VALUE = lazy(
    r"[\s*_(\[{<\"'“‘$]{0,8}(?:\\[a-zA-Z(\[]|[-+−]?[\d.]|[①-⑳⓪]|[A-Za-z](?![a-z])|[가-하](?![가-힣]))"
)
_BETWEEN = lazy(r"[\s,，、:：;]{0,8}")


def is_value(text: str, place: int) -> bool:
    """Return whether a number, a formula or a label stands at `place`, rather than words."""
    return _VALUE.match(text, place) is not None


def is_hangul(letter: str) -> bool:
    """Return whether a letter is a Korean syllable."""
    return "가" <= letter <= "힣"


def skipped(text: str, place: int) -> int:
    """The place after the signs between two values."""
    found = _BETWEEN.match(text, place)
    return found.end() if found else place


_DENIED_ASIDE = lazy(r"\s{0,4}[(（](?P<said>[^()（）\n]{1,40})[)）]")
_LONGEST = 400
"""Characters of a sentence in which its value is looked for; what is longer is none."""
_SHORT = 2
"""Letters of an ending that may also be the end of a word before it."""


class Value(NamedTuple):
    """Value that a sentence gives as the answer.

    Args:
        kind: Whether it is said to be so: "stated" and "bare" answer, the others do not.
        start: Its start.
        ends: Its ends by each reading, the shortest last: 고양이다 is a cat (고양이) or a town (고양).
    """

    kind: Kind
    start: int
    ends: tuple[int, ...]


def value(text: str, start: int, end: int, *, titled: bool = False) -> Value:
    """The value that the rest of a sentence gives after an answer phrase.

    Args:
        text: The text.
        start: Position after the phrase.
        end: Its end, before the full stop.
        titled: Whether a title stands before it, so that a word need not end in 다 or 요 to make a sentence.

    >>> value("3이 아니라 4입니다", 0, 11)
    Value(kind='stated', start=7, ends=(8,))
    >>> value("48, which is even", 0, 17), value("3이 아닙니다", 0, 7).kind
    (Value(kind='bare', start=0, ends=(17, 2)), 'denied')
    """
    if end - start <= _LONGEST and is_silent(text, start, end):
        return Value("bare", start, (end,))
    end_of_all = end
    if not "0" <= text[start : start + 1] <= "9":  # no word begins with a digit
        start = after_so(text, start, end)
        end = min(end, start + _LONGEST)
        if (before := lead_of(text, start, end)) is not None:
            kind, after = before
            right = right_after(text, after, end) if kind == "denied" else None
            if right is None and is_value(text, after):
                return Value(kind, after, (end_of_all,))
            if right is not None:
                start = right
    end = min(end, start + _LONGEST)
    if not _is_elaborate(text[start:end]):
        kind, start, ends = _ended(text, start, end, end_of_all, titled=titled)
        return Value(kind, start, tuple(sorted(ends, reverse=True)))
    if (again := restated(text, start, end)) is not None:
        start = again
    other = other_value(text, start, end) or _denied_aside(text, start, end)
    if other is not None:
        end = end_of_all = other
    because = reason(text, start, end) or end
    kind, start, ends = _ended(text, start, because, end_of_all, titled=titled)
    if kind not in ("bare", "stated"):
        return Value(kind, start, tuple(ends))
    if is_contradicted(text, start, min(ends)):
        return Value("offered", start, (end_of_all,))
    for cut in (remark(text, start, end), aside(text, start, min(ends))):
        if cut is not None and cut < min(ends):
            ends.append(cut)
    return Value(kind, start, tuple(sorted(ends, reverse=True)))


_ELABORATING = ("restated", "corrected_before", "reasons", "remarks")


def _is_elaborate(said: str) -> bool:
    """Return, in one look, whether more than its ending may be said of a value: false only where nothing is."""
    if "(" in said or "（" in said:
        return True
    return any(may_say(language, _ELABORATING)(said) for language in spoken(said))


def _ended(text: str, start: int, end: int, end_of_all: int, *, titled: bool) -> tuple[Kind, int, list[int]]:
    """Return the kind of a sentence's value, its start and its possible ends, by the sentence's endings.

    A correction ("3이 아니라 4") begins anew after it.

    Args:
        text: The text.
        start: Start of the value.
        end: End of the search for endings.
        end_of_all: End of the value without an ending.
        titled: As `value` has it.
    """
    kind: Kind = "bare"
    ends = [end_of_all]
    place = start
    while (found := ending(text, start, place, end)) is not None:
        kind, said, after = found
        if kind == "corrected":
            rest = skipped(text, after)
            if rest >= end:
                return "denied", start, [said]
            start = place = rest
            kind, ends = "bare", [end_of_all]
            continue
        if kind != "stated":
            return kind, start, [said]
        if text[after:end].strip(LOOSE):  # the sentence goes on
            if beside(text, start, said, after, end):
                return "offered", start, [end_of_all]
            ends.append(said)
            break
        if not is_hangul(text[said - 1]) or (after - said > _SHORT and text[said] != "이"):
            ends = [said] if len(ends) == 1 else [*ends, said]  # it can be nothing else
            break
        if not titled or after - said >= _SHORT:
            ends.append(said)
        place = said
    return kind, start, ends


def _denied_aside(text: str, start: int, end: int) -> int | None:
    """Return the start of a bracket that denies another value as the answer: "43 (42가 아님)"."""
    for aside_ in _DENIED_ASIDE.finditer(text, start + 1, end):
        inner = aside_.start("said")
        found = ending(text, inner, inner, aside_.end("said")) if is_value(text, inner) else None
        if found is None or found[0] != "denied":
            continue
        if text[inner : found[1]].strip(LOOSE) != text[start : aside_.start()].strip(LOOSE):
            return aside_.start()
    return None
