"""Stance of a sentence on a value in it: stated, denied or only possible."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from ..runtime.patterns import lazy
from ..runtime.records import dataclass
from .language_patterns import (
    CLOSING,
    ahead,
    anywhere,
    behind,
    behind_in_ascii,
    fields_behind,
    fragments,
    may_say,
    silent_in_ascii,
    spoken,
)
from .spoken_languages import LANGUAGES

Kind = Literal["stated", "bare", "denied", "corrected", "doubted", "offered", "asked", "compared", "supposed"]
"""What is said of a value.

- ``stated``: an ending or an answer phrase says that it is so ("정답은 36입니다", "the answer is 36").
- ``bare``: nothing is said about it.
- ``denied``: it is not so ("not 36", "36이 아니다", "36 is too high").
- ``corrected``: it is the wrong one of two ("not 3 but 4", "3이 아니라 4").
- ``doubted``: it may be so, or seems so and is not ("maybe 36", "36일 수도 있다", "36이지만").
- ``offered``: it is one of several alternatives ("36 or 37").
- ``asked``: a question is asked about it ("36인가요?").
- ``compared``: it bounds or changes another value ("at least 36", "36 이상", "twice 36").
- ``supposed``: it is only supposed ("if it were 36", "36이라면").
"""

_WINDOW = 80
"""Characters on either side of a value in which its sentence is looked at."""
_CLAUSE = 40
"""Characters after a value in which a word that denies it is looked for."""
_MOST_SKIPPED = 6
"""Syllables of a counter word, between a number and what is said of it."""
_STOP_BEFORE = lazy(r"[\n。！？;；]|[.!?](?=\s)")
_STOP_AFTER = lazy(r"[\n。；;]|[.!](?=[\s*_\"'”’)]|\Z)|[?？！]")
_CLAUSE_END = lazy(r"[\n,，。、；;.!?？！:：]")
_GOES_ON = lazy(" [가-힣]")
_SURE = 2
"""Syllables of an ending that a counter word does not end in, where the sentence goes on."""
_UNIT = lazy(r"\s?(?:[A-Za-zµΩ%°℃㎡㎥ℓ㎝㎞㎏²³]{1,4}(?:/[A-Za-z]{1,4})?)(?=[가-힣])")
_SYLLABLE = lazy("[가-힣]")
_AFTER_KINDS: tuple[tuple[Kind, str], ...] = (
    ("corrected", "corrected"),
    ("denied", "denied"),
    ("supposed", "supposed"),
    ("asked", "asked"),
    ("doubted", "doubted"),
    ("compared", "compared"),
    ("stated", "stated"),
)
"""Of two that match equally far the first counts."""
_AFTER_FIELDS = tuple(field for _, field in _AFTER_KINDS)
_AFTER_KIND = {field: kind for kind, field in _AFTER_KINDS}
_BEFORE_KINDS: tuple[tuple[Kind, str], ...] = (
    ("corrected", "corrected_before"),
    ("denied", "denied_before"),
    ("denied", "rejecting"),
    ("supposed", "supposed_before"),
    ("doubted", "doubted_before"),
    ("compared", "compared_before"),
    ("offered", "either"),
)

_BEFORE_FIELDS = tuple(field for _, field in _BEFORE_KINDS)


@dataclass(frozen=True, slots=True)
class Stance:
    """Stance of a sentence on a value.

    Args:
        kind: See `Kind`.
        start: Start of the words that say so, at most the value's start.
        end: Their end, at least the value's end: after 입니다, for "36입니다".
    """

    kind: Kind
    start: int
    end: int

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the value."""
        return self.kind in ("stated", "bare")


def stance(text: str, start: int, end: int) -> Stance:
    """Return the stance of the sentence around ``text[start:end]`` on that value.

    Looks at a bounded stretch on either side, so it takes the same time wherever the value stands.

    >>> stance("정답은 36이 아니라 35입니다.", 4, 6).kind, stance("정답은 36이 아니라 35입니다.", 12, 14).kind
    ('corrected', 'stated')
    >>> stance("It is not 42.", 10, 12).kind, stance("42 is too high", 0, 2).kind, stance("答案是42吗？", 3, 5).kind
    ('denied', 'denied', 'asked')
    >>> stance("so there are 42 of them", 13, 15).kind
    'bare'
    """
    low = max(0, start - _WINDOW)
    for stop in _STOP_BEFORE.finditer(text, low, start):
        low = stop.end()
    stop_after = _STOP_AFTER.search(text, end, end + _WINDOW)
    high = stop_after.start() if stop_after else min(len(text), end + _WINDOW)
    after = ending(text, end)
    if after is not None and after.kind not in ("stated", "bare"):
        return Stance(after.kind, start, after.end)
    ended = after.end if after else end
    before = _ahead_of(text, low, start, end)
    if before is not None:
        return Stance(before.kind, before.start, ended)
    if stop_after is not None and stop_after.group() in "?？":
        return Stance("asked", start, stop_after.end())
    if (other := _among_others(text, low, start, end)) is not None:
        return other
    if after is not None:
        return Stance("stated", start, after.end)
    clause_end = _CLAUSE_END.search(text, end, min(high, end + _CLAUSE))
    limit = clause_end.start() if clause_end else min(high, end + _CLAUSE)
    for language in spoken(text[end:limit]):
        if (
            language.negators
            and (denial := anywhere(language, "negators").search(text, end, limit)) is not None
        ):
            return Stance("denied", start, denial.end())
    words = text[low:start]
    for language in spoken(words):
        if (mark := ahead(language, "marks").search(words)) is not None:
            return Stance("stated", low + mark.start(), end)
    return Stance("bare", start, end)


def ending(text: str, end: int) -> Stance | None:
    """Return the stance of the words right after a value, past a unit or counter word; None without any.

    >>> ending("36개입니다.", 2)
    Stance(kind='stated', start=2, end=6)
    >>> ending("36 apples", 2) is None
    True
    """
    if (found := _directly(text, end)) is not None:
        return Stance(found[0], end, found[1])
    place = end
    if unit := _UNIT.match(text, place):
        place = unit.end()
        if (found := _directly(text, place)) is not None:
            return Stance(found[0], end, found[1])
    elif text[end - 1 : end].isdigit() or text[end - 1 : end] in "%$)}½⅓¼²³":
        place += text[place : place + 1] == " "
    else:
        return None
    for skipped in range(place + 1, place + 1 + _MOST_SKIPPED):
        if not _SYLLABLE.match(text, skipped - 1):
            return None
        if (found := _directly(text, skipped)) is not None:
            if found[1] - skipped < _SURE and _GOES_ON.match(text, found[1]):
                continue  # 9가지 경우: no 9가 and no 지
            return Stance(found[0], end, found[1])
    return None


def closes(said: str) -> bool:
    """Return whether a text is only an ending that states a value: 입니다, 이네요, 죠.

    >>> closes("입니다"), closes("페이지")
    (True, False)
    """
    return any(behind(language, "stated").fullmatch(said) is not None for language in spoken(said))


def _directly(text: str, place: int) -> tuple[Kind, int] | None:
    """The longest match of what may stand after a value: what it says, and where it ends."""
    found = _behind(text[max(0, place - _SEEN) : place], text[place : place + _WINDOW])
    return None if found is None else (found[0], place + found[1])


_SEEN = 2
"""Characters before a place that what is said behind it depends on."""


@lru_cache(maxsize=4096)
def _behind(before: str, after: str) -> tuple[Kind, int] | None:
    """The same for what stands around a place: several ask about one place, and many texts end alike."""
    text, place = before + after, len(before)
    window = text[max(0, place - 1) :]
    plain = window.isascii()
    if plain and behind_in_ascii(_AFTER_FIELDS).match(window.lower(), min(place, 1)) is None:
        return None
    best: tuple[Kind, int] | None = None
    said = spoken(after)
    for language, field in fields_behind(_AFTER_FIELDS, text, place, in_ascii=plain):
        found = behind(language, field).match(text, place) if language in said else None
        if found is not None and (best is None or found.end() - place > best[1]):
            best = _AFTER_KIND[field], found.end() - place
    return best


_DENYING = ("denied_before", "rejecting", "corrected_before")


def is_denied_phrase(text: str, start: int, end: int) -> bool:
    """Return whether the phrase ``text[start:end]`` denies the value that follows it.

    >>> is_denied_phrase("Wrong answer: 42", 6, 14), is_denied_phrase("The answer: 42", 4, 12)
    (True, False)
    """
    words = text[max(0, start - _CLAUSE) : end]
    if silent_in_ascii(words, 0, _DENYING):
        return False
    place = len(words) - (end - start)
    for language in spoken(words):
        for field in _DENYING if may_say(language, _DENYING)(words) else ():
            found = ahead(language, field).search(words)
            if found is not None and found.start() < place:
                return True
    return False


def _ahead_of(text: str, low: int, start: int, end: int) -> Stance | None:
    """Return the stance that the words directly before a value take against it.

    Things are rejected as well as values are: "he rejected 42 applications".
    """
    words = text[low:start]
    if silent_in_ascii(words, 0, _BEFORE_FIELDS):
        return None
    for language in spoken(words):
        for kind, field in _BEFORE_KINDS if may_say(language, _BEFORE_FIELDS)(words) else ():
            if (found := ahead(language, field).search(words)) is None:
                continue
            if field != "rejecting" or not _THINGS.match(text, end - 1):
                return Stance(kind, low + found.start(), start)
    return None


_THINGS = lazy(r"[a-z]|\d [a-z]{4,}")
"""The end of a number with what it counts, or of the number before that."""
_ALTERNATIVE = "|".join(each for language in LANGUAGES for each in fragments(language, "or_"))
_OR_BEFORE = lazy(
    rf"[\w)\]}}$%*\"'”’」][\s*_$]{{0,12}}(?:,\s{{0,4}})?(?<![a-zA-Z])(?:{_ALTERNATIVE})[\s:]{{0,4}}{CLOSING}(?:[*_(\[{{<\"'“‘「『`$]|\\[(\[]){{0,12}}\Z",
    re.IGNORECASE,
)
_OR_AFTER = lazy(
    rf"{CLOSING}[\s,]{{0,3}}(?:{_ALTERNATIVE})[\s:]{{0,12}}(?:[*_(\[{{<\"'“‘「『`$]|\\[(\[]){{0,8}}(?:[-+−]?[\d.]|[^\W\d_](?![^\W\d_])|[^\x00-\x7f])",
    re.IGNORECASE,
)


def _among_others(text: str, low: int, start: int, end: int) -> Stance | None:
    """The stance of a value that stands beside another with "or" between them."""
    if (before := _OR_BEFORE.search(text[low:start])) is not None:
        return Stance("offered", low + before.start(), end)
    if (after := _OR_AFTER.match(text, end, end + _WINDOW)) is not None:
        return Stance("offered", start, after.end())
    return None


def is_acted_on(text: str, end: int) -> bool:
    """Return whether a value is the object of a verb: 9가지 경우를 확인했다.

    >>> is_acted_on("9가지 경우를 확인했다", 1), is_acted_on("답은 9입니다", 4)
    (True, False)
    """
    languages = [each for each in spoken(text[end : end + _CLAUSE]) if each.objects]
    return any(behind(language, "objects").match(text, end) is not None for language in languages)


def says_unknown(text: str, start: int) -> bool:
    """Return whether the sentence of a place, or a later one, says that the answer cannot be known.

    >>> says_unknown("It is 42. Or is it? That cannot be determined.", 6)
    True
    """
    low = max(0, start - _WINDOW)
    for stop in _STOP_BEFORE.finditer(text, low, start):
        low = stop.end()
    rest = text[low : start + _REST]
    return any(anywhere(language, "unknown").search(rest) is not None for language in spoken(rest))


def is_measured_by(text: str, start: int, end: int) -> bool:
    """Return whether a text compares something else with a value: "older than Rome", "로마보다".

    >>> is_measured_by("older than Rome", 11, 15), is_measured_by("near Rome", 5, 9)
    (True, False)
    """
    return _THAN_BEFORE.search(text[max(0, start - _CLAUSE) : start]) is not None or text.startswith(
        "보다", end
    )


_THAN_BEFORE = lazy(r"\bthan(?:\s+(?:the|a|an|in|that|of)){0,3}\s+[*_\"'“‘]{0,4}\Z|比\Z", re.IGNORECASE)


def is_unsure(text: str, start: int, end: int) -> bool:
    """Return whether the writer calls a value a guess, in its sentence or in the one before it.

    >>> text = "I'm not sure. One can look it up. Paris."
    >>> is_unsure("I'm not sure, but Paris.", 18, 23), is_unsure(text, 42, 47)
    (True, False)
    """
    low = max(0, start - _REACH)
    stops = [stop.end() for stop in _STOP_BEFORE.finditer(text, low, start)]
    low = stops[-2] if len(stops) > 1 else low
    stop_after = _STOP_AFTER.search(text, end, end + _REACH)
    said = text[low : stop_after.start() if stop_after else end + _REACH]
    return any(
        anywhere(language, field).search(said) is not None
        for language in spoken(said)
        for field in ("unsure", "unknown")
        if getattr(language, field)
    )


_REACH = 200
"""Characters around a value in which its writer may say that it is a guess."""
_REST = 600
"""Characters after an answer in which it may be taken back as a whole."""
