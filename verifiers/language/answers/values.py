"""The value in what follows an answer phrase: what an ending, a correction or a remark leaves of it."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ..languages import LANGUAGES, Language
from ..patterns import CLOSING, ahead, fragments, rounding, spoken
from ..stance import Kind

_LONGEST = 400
"""Characters of a sentence in which its value is looked for; what is longer is none."""
_ENDINGS: tuple[tuple[Kind, str], ...] = (
    ("corrected", "corrected"),
    ("denied", "denied"),
    ("supposed", "supposed"),
    ("asked", "asked"),
    ("doubted", "doubted"),
    ("stated", "stated"),
)
_LEADS: tuple[tuple[Kind, str], ...] = (
    ("denied", "denied_before"),
    ("denied", "corrected_before"),
    ("doubted", "doubted_before"),
    ("supposed", "supposed_before"),
)


class Value(NamedTuple):
    """What a sentence says that the answer is.

    Args:
        kind: Whether it is said to be so: "stated" and "bare" answer, the others do not.
        start: Where it begins.
        ends: Where it ends, by each reading, the shortest last: 고양이다 is a cat (고양이) or a town (고양).
    """

    kind: Kind
    start: int
    ends: tuple[int, ...]


def value(text: str, start: int, end: int, *, titled: bool = False) -> Value:
    """The value that the rest of a sentence gives after an answer phrase.

    Args:
        text: The text.
        start: Where the sentence goes on after the phrase.
        end: Where it ends, before its stop.
        titled: Whether a title stands before it, so that a word need not end in 다 or 요 to make a sentence.

    >>> value("3이 아니라 4입니다", 0, 11)
    Value(kind='stated', start=7, ends=(8,))
    >>> value("48, which is even", 0, 17), value("3이 아닙니다", 0, 7).kind
    (Value(kind='bare', start=0, ends=(17, 2)), 'denied')
    """
    end_of_all = end
    start = _after_so(text, start, end)
    end = min(end, start + _LONGEST)
    kind: Kind = "bare"
    if (lead := _lead(text, start, end)) is not None:
        kind, after = lead
        right = _right_after(text, after, end) if kind == "denied" else None
        if right is None and _is_value(text, after):
            return Value(kind, after, (end_of_all,))
        if right is not None:
            start = right
        kind = "bare"
    other = _other(text, start, end)
    if other is not None:
        end = end_of_all = other
    ends: list[int] = [end_of_all]
    place = start
    while (found := _ending(text, start, place, end)) is not None:
        kind, said, after = found
        if kind == "corrected":
            rest = _skipped(text, after)
            if rest >= end:
                return Value("denied", start, (said,))
            start = place = rest
            kind, ends = "bare", [end_of_all]
            continue
        if kind != "stated":
            return Value(kind, start, (said,))
        if text[after:end].strip(_LOOSE):  # the sentence goes on
            ends.append(said)
            break
        if not _is_hangul(text[said - 1]) or (after - said > _SHORT and text[said] != "이"):
            ends = [said] if len(ends) == 1 else [*ends, said]  # it can be nothing else
            break
        if not titled or after - said >= _SHORT:
            ends.append(said)
        place = said
    for cut in (_remark(text, start, end), _aside(text, start, min(ends))):
        if cut is not None and cut < min(ends):
            ends.append(cut)
    return Value(kind, start, tuple(sorted(ends, reverse=True)))


def _after_so(text: str, start: int, end: int) -> int:
    for language in spoken(text[start : start + 40]):
        if (found := _leading(language, "so").match(text, start, end)) is not None:
            return found.end()
    return start


_SHORT = 2
"""Letters of an ending that may also be the end of a word before it."""
_LOOSE = " \t\r\n.!?~^*_。！？♪❤😊🙂😀👍✅)\"'”’」』"
_VALUE = re.compile(
    r"[\s*_(\[{<\"'“‘$]{0,8}(?:\\[a-zA-Z(\[]|[-+−]?[\d.]|[①-⑳⓪]|[A-Za-z](?![a-z])|[가-하](?![가-힣]))"
)


def _is_value(text: str, place: int) -> bool:
    """Whether a number, a formula or a label stands here, and not words."""
    return _VALUE.match(text, place) is not None


def _is_hangul(letter: str) -> bool:
    return "가" <= letter <= "힣"


_OPENED = re.compile(r"\A(?:[\s*_$\"'“‘(\[{]|\\(?:text(?:bf|rm)?|mathrm|mbox)\s{0,2}\{|\\[(\[]){1,12}")
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
_BETWEEN_LETTERS = re.compile(r"[\s,，、·()]+")


def _skipped(text: str, place: int) -> int:
    found = _BETWEEN.match(text, place)
    return found.end() if found else place


_BETWEEN = re.compile(r"[\s,，、:：;]{0,8}")


@cache
def _ends(language: Language, field: str) -> re.Pattern[str]:
    words = "|".join(fragments(language, field)) or "(?!)"
    return re.compile(rf"(?P<close>{CLOSING})\s{{0,2}}(?P<words>{words})", re.IGNORECASE)


def _ending(text: str, start: int, place: int, end: int) -> tuple[Kind, int, int] | None:
    """The first ending behind some value: its kind, where the value ends, and where the ending does."""
    best: tuple[Kind, int, int] | None = None
    for language in spoken(text[place:end]):
        for kind, field in _ENDINGS:
            found = _found(_ends(language, field), text, start, place, end, holds=kind == "stated")
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
        if _is_hangul(before[-1]) and not _fits(before[-1], text[words], bool(text[after:end].strip(_LOOSE))):
            continue  # 같다, 따라서
        if (
            after - words <= 1
            and _is_hangul(text[said - 1])
            and not (holds and not text[after:end].strip(_LOOSE))
        ):
            continue  # 바다 위, 가지
        if holds or _could_be_denied(before):
            return said, after
    return None


@cache
def _leading(language: Language, field: str) -> re.Pattern[str]:
    words = "|".join(fragments(language, field)) or "(?!)"
    return re.compile(rf"[\s*_\"'“‘(]{{0,4}}(?:{words})(?![a-z])[\s:]{{0,3}}", re.IGNORECASE)


def _lead(text: str, start: int, end: int) -> tuple[Kind, int] | None:
    """What stands before the value and speaks against it: its kind, and where it ends."""
    for language in spoken(text[start : start + 40]):
        for kind, field in _LEADS:
            if (found := _leading(language, field).match(text, start, end)) is not None:
                return kind, found.end()
    return None


@cache
def _but(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "but")) or "(?!)"
    return re.compile(rf"{language.edges[0]}(?:{words})(?![a-z])[\s,:]{{0,3}}", re.IGNORECASE)


def _right_after(text: str, start: int, end: int) -> int | None:
    """Where the right value begins after a denied one: "not 3 but 4"."""
    for language in spoken(text[start:end]):
        if language.but and (found := _but(language).search(text, start, min(end, start + 60))) is not None:
            return found.end()
    return None


@cache
def _remarks(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "remarks")) or "(?!)"
    return re.compile(rf"(?:\s{{0,4}}[,，(]\s{{0,4}}|\s{{1,4}})(?:{words})(?![a-z])", re.IGNORECASE)


def _remark(text: str, start: int, end: int) -> int | None:
    """Where a remark begins that only goes on about the value."""
    found = [
        remark.start()
        for language in spoken(text[start:end])
        if language.remarks and (remark := _remarks(language).search(text, start + 1, end)) is not None
    ]
    return min(found, default=None)


def _aside(text: str, start: int, end: int) -> int | None:
    """Where a bracket begins that says the value again, rounded or in words: "3/4 (about 0.75)"."""
    found = _ASIDE.search(text, max(start, end - _LONGEST_ASIDE), end)
    if found is None or not any(map(str.isdigit, text[start : found.start()])):
        return None
    said = found["said"]
    words = rounding().match(said) is not None or not any(map(str.isdigit, said))
    return found.start() if words and _LABEL.search(said) is None else None


_ASIDE = re.compile(r"\s{0,4}[(（](?P<said>[^()（）]{3,60})[)）]\Z")
_LONGEST_ASIDE = 70
_LABEL = re.compile(r"(?<![a-zA-Z])[a-zA-Z](?![a-zA-Z])|[ㄱ-ㅎ①-⑳]")


@cache
def _instead(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "corrected_before")) or "(?!)"
    return re.compile(rf"\s{{0,4}}[,，;(]?\s{{0,4}}(?:{words})", re.IGNORECASE)


def _other(text: str, start: int, end: int) -> int | None:
    """Where a value that is denied follows the right one: "4, not 3", "4 rather than 3"."""
    found = [
        other.start()
        for language in spoken(text[start:end])
        if language.corrected_before
        and (other := _instead(language).search(text, start + 1, end)) is not None
        and _is_value(text, _skipped(text, other.end()))
    ]
    return min(found, default=None)


@cache
def _points(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "points_on")) or "(?!)"
    return re.compile(rf"[\s*_]{{0,4}}(?:{words})[\s.。:：!*_]{{0,4}}(?=\n)", re.IGNORECASE)


_SPACES = re.compile(r"\s*")


def pointed_to(text: str, start: int) -> int | None:
    """Where the answer begins if the sentence only says that it is below; None if it gives one itself.

    >>> text = "as follows:\\n\\n48"
    >>> text[pointed_to(text, 0):]
    '48'
    """
    for language in LANGUAGES:
        if (found := _points(language).match(text, start)) is not None:
            return _SPACES.match(text, found.end()).end()  # type: ignore[union-attr]
    return None


def is_supposed(text: str, start: int) -> bool:
    """Whether the phrase that begins here is only supposed: "if the answer is 3"."""
    before = text[max(0, start - 40) : start]
    before = before[max(before.rfind("\n"), before.rfind(". ")) + 1 :]
    return any(
        ahead(language, field).search(before + "the ") is not None
        or ahead(language, field).search(before) is not None
        for language in spoken(before)
        for field in ("supposed_before", "denied_before")
    )
