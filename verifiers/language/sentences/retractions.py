"""Retractions of an answer in a later sentence: no wait, it is 43."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ...runtime.patterns import lazy
from ..language_patterns import fragments, spoken
from ..spoken_languages import Language
from ..stance import stance
from .words_before import after_so, turned_to

_WINDOW = 600
"""Characters after an answer in which it may be taken back."""
_LONGEST = 200
"""Characters of an answer that a sentence can take back; a longer one is a passage."""
_OPENS = lazy(r"(?:\A[^\w\s<]{0,8}(?:</\w{1,20}>)?|[.!。！;；\n…]|</\w{1,20}>)[\s*_>$)\]}\"'”’]{0,8}(?=\w)")
_SIGNS = lazy(r"[\s,，.。!！:：;；—–…*_-]{0,8}")
_ASKED = lazy(r"[?？][\s*_]{0,4}\Z")
_NUMBER = lazy(r"(?<![\w.])[-+−]?\d[\d,]*(?:\.\d+)?(?:/\d+)?(?!\d)")
_SHOWN = lazy(
    r"[*_$\"'“‘(]{0,4}(?P<value>[-+−]?\d[\d,]*(?:\.\d+)?(?:/\d+)?|\\boxed\{[^{}\n]{1,60}\}|[A-Z](?![\w'’])|[①-⑳]"
    r"|[A-Z][\w-]{2,30}(?: [A-Z][\w-]{1,30}){0,3}|[가-힣]{2,8}(?=입니다|이다|이에요|예요)|[一-鿿]{2,6}(?=。|\Z))"
    r"[*_$\"'”’)]{0,4}"
)
_ENDED = lazy(r"[^\w\s]{0,3}(?:번|개|입니다|이다|이에요|예요|다|임)?\s?(?:[.!。！\n]|</|<\||\Z)")
_SAID_BEFORE = lazy(r"(?:=|\b(?:is|get|was)|[是为])[\s*$]{0,4}\Z", re.IGNORECASE)
_BEFORE = 20


class Retraction(NamedTuple):
    """Retraction of an answer.

    Args:
        start: Start of the words that take it back.
        value: The span of the value that is given instead; None where none is stated clearly.
    """

    start: int
    value: tuple[int, int] | None


def retraction(text: str, start: int, end: int) -> Retraction | None:
    """Return the retraction that follows the answer ``text[start:end]``; None without one.

    Another value has to follow, and the answer must not be said again. Looks at a bounded stretch.

    >>> text = "The answer is 42. No wait, it is 43."
    >>> found = retraction(text, 14, 16)
    >>> text[slice(*found.value)]
    '43'
    >>> retraction("The answer is 42. Wait, let me check: 6*7 = 42. Yes.", 14, 16) is None
    True
    """
    rest = text[end : end + _WINDOW]
    if end - start > _LONGEST or not rest.strip(" \n.$})*]"):
        return None
    answer = text[start:end]
    found: Retraction | None = None
    for opening in _OPENS.finditer(rest):
        at = opening.end()
        sure, after = _taking_back(rest, at)
        if after is None or _ASKED.search(rest, 0, at):
            continue
        if (other := _stated(rest, after)) is not None:
            same = _folded(rest[slice(*other)]) == _folded(answer)
            found = None if same else Retraction(end + at, (end + other[0], end + other[1]))
        elif sure and _gives_another(rest, after, answer) and not said_again(rest, after, answer):
            found = found or Retraction(end + at, None)
    return found


def righted(text: str, end: int) -> tuple[int, int] | None:
    """The span of the value that the sentence after a denial states.

    >>> text = "The answer isn't 58. It's 57."
    >>> text[slice(*righted(text, 19))]
    '57'
    """
    opening = _OPENS.match(text, end)
    return None if opening is None else _stated(text, opening.end())


def stated_instead(text: str, start: int) -> tuple[int, int] | None:
    """The span of the value to which a sentence turns after its "but".

    >>> text = "I thought the answer was 42, but it is 43."
    >>> text[slice(*stated_instead(text, 20))]
    '43'
    """
    turned = turned_to(text, start)
    return None if turned is None else _stated(text, after_so(text, *turned))


def hesitates(text: str, start: int, end: int) -> bool:
    """Return whether a sentence between two places opens with a retraction: no, wait, actually.

    >>> hesitates("8+7=16. Wait, 8+7=15", 6, 20), hesitates("8+7=16, so 8+7=15", 6, 17)
    (True, False)
    """
    stretch = text[start:end]
    return any(_taking_back(stretch, opening.end())[1] is not None for opening in _OPENS.finditer(stretch))


def said_again(text: str, start: int, answer: str) -> bool:
    """Return whether the text states an answer again after a place.

    >>> said_again("6*7 = 42. Yes.", 0, "42"), said_again("42 is wrong.", 0, "42")
    (True, False)
    """
    low, high = start, min(len(text), start + _WINDOW)
    wanted = re.compile(rf"(?<![\w.]){re.escape(answer)}(?!\w*\d)")
    for place in wanted.finditer(text, low, high):
        kind = stance(text, place.start(), place.end()).kind
        before = _SAID_BEFORE.search(text, max(low, place.start() - _BEFORE), place.start())
        if kind == "stated" or (kind == "bare" and before is not None):
            return True
    return False


def _taking_back(text: str, start: int) -> tuple[bool, int | None]:
    """Return whether the sentence at `start` surely retracts something, and the end of those words."""
    sure, place = False, start
    for language in spoken(text[start : start + 60]):
        for _ in range(6):
            for field in ("retracting", "hesitating"):
                if (found := _opening(language, field).match(text, place)) is not None:
                    sure = sure or field == "retracting"
                    place = _SIGNS.match(text, found.end()).end()  # type: ignore[union-attr]
                    break
            else:
                break
    return sure, None if place == start else place


@cache
def _opening(language: Language, field: str) -> re.Pattern[str]:
    words = "|".join(fragments(language, field)) or "(?!)"
    return re.compile(f"(?:{words}){language.edges[1]}", re.IGNORECASE)


def _stated(text: str, start: int) -> tuple[int, int] | None:
    """The value that a sentence states instead."""
    leads = [_opening(each, "righted").match(text, start) for each in spoken(text[start : start + 60])]
    behind = [_SIGNS.match(text, lead.end()).end() for lead in leads if lead]  # type: ignore[union-attr]
    for place in (start, *behind):
        shown = _SHOWN.match(text, place)
        if shown is None:
            continue
        span = shown.span("value")
        ended = _ENDED.match(text, shown.end()) is not None
        if ended or (text[span[0]].isdigit() and stance(text, *span).kind == "stated"):
            return span
    return None


def _gives_another(text: str, start: int, answer: str) -> bool:
    """Return whether the text gives another number with nothing against it."""
    return any(
        _folded(other.group()) != _folded(answer) and stance(text, *other.span()).holds
        for other in _NUMBER.finditer(text, start)
    )


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold())).replace("boxed", "")
