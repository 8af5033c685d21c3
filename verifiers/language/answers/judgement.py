"""What a text finally says of a value that was found in it: one judgement, asked on every path of every verifier.

Who finds a value looks for it where its own laws say; whether it stands is decided here, and nowhere after: by
what governs its phrase, by the rest of its sentence, and by what follows in the same role.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple

from ...runtime.patterns import lazy
from ..languages import Language
from ..patterns import CLOSING, fragments, spoken
from ..stance import ending
from .leads import governed, sentence_start
from .marks import marks
from .retractions import retraction
from .second_answers import beside, replaced, shared, undone, wavers

Finally = Literal["stands", "replaced", "taken_back", "several", "not_understood"]
"""What a text finally says of a value.

- ``stands``: nothing speaks against it.
- ``replaced``: another value is given in its place.
- ``taken_back``: it is denied, doubted or put under a condition, and no other is given.
- ``several``: another one stands beside it in the same role.
- ``not_understood``: its sentence ties it to something in words that no table knows.
"""
_LONGEST_TAIL = 80
"""Characters after a value in which its sentence may unsay it."""


class Judgement(NamedTuple):
    """What a text finally says of a value.

    Args:
        kind: See `Finally`.
        start: Where the words begin that say so.
        value: The span of the value that stands, or of the words that speak against it.
    """

    kind: Finally
    start: int
    value: tuple[int, int]


def judgement(text: str, start: int, end: int, *, shown: bool = False, named: bool = False) -> Judgement:
    """What a text finally says of ``text[start:end]``.

    Args:
        text: The text.
        start: Where the value begins.
        end: Where it ends.
        shown: Whether a box, a tag or the like shows it, so that no words tie it to its sentence.
        named: Whether it is the name of an option, whose sentence has been understood where it was found.

    >>> text = "The answer is 42. No wait, it is 43."
    >>> found = judgement(text, 14, 16)
    >>> found.kind, text[slice(*found.value)]
    ('replaced', '43')
    >>> judgement("My teacher claims the answer is 42.", 32, 34).kind
    'not_understood'
    >>> judgement("The answer is 42 if the sign is reversed.", 14, 16).kind
    'taken_back'
    """
    if not _WORDLESS.fullmatch(text, end) and (said := _said_after(text, start, end, shown)) is not None:
        return said
    if not shown and (ties := _tied(text, start)) is not None:
        return Judgement("not_understood", start, ties)
    if not (shown or named) and (words := _unknown_tail(text, start, end)) is not None:
        return Judgement("not_understood", start, words)
    return Judgement("stands", start, (start, end))


_WORDLESS = lazy(r"[\x00-@\[-`{-\x7f]*")
"""A rest in which no language has a word, so that it says nothing of what stands before it."""


def _said_after(text: str, start: int, end: int, shown: bool) -> Judgement | None:
    """What the words after a value say against it."""
    taken = retraction(text, start, end)
    if (taken is None or taken.value is None) and (other := replaced(text, start, end)) is not None:
        return Judgement("replaced", other[0], other)
    if taken is not None:
        kind: Finally = "taken_back" if taken.value is None else "replaced"
        return Judgement(kind, taken.start, taken.value or (start, end))
    if (second := beside(text, start, end)) is not None:
        return Judgement("several", start, second)
    if shown:
        return None
    if (words := undone(text, start, end)) is not None:
        return Judgement("taken_back", start, words)
    for another in (shared, wavers):
        if (second := another(text, start, end)) is not None:
            return Judgement("several", start, second)
    if (words := unsaid(text, end)) is not None:
        return Judgement("taken_back", start, words)
    return None


def unsaid(text: str, end: int) -> tuple[int, int] | None:
    """The words in the rest of a value's sentence that unsay it."""
    for language in spoken(text[end : end + _LONGEST_TAIL]):
        if (
            language.unsaid
            and (found := _unsaying(language).match(text, end, end + _LONGEST_TAIL)) is not None
        ):
            return found.span()
    return None


@cache
def _unsaying(language: Language) -> re.Pattern[str]:
    words = "|".join(fragments(language, "unsaid"))
    return re.compile(rf"{CLOSING}(?:{words})", re.IGNORECASE)


def _unknown_tail(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The words after a number that end its sentence as a verb, where no table knows what they say of it."""
    last = max((place for place in range(start, end) if text[place].isdigit()), default=None)
    if last is None:
        return None
    at = _BEHIND_DIGITS.match(text, last + 1).end()  # type: ignore[union-attr]
    if text[at : at + 1] in ("(", "（"):
        return None
    stop = _SENTENCE_END.search(text, at, at + _LONGEST_TAIL)
    tail = text[at : stop.start() if stop else min(len(text), at + _LONGEST_TAIL)]
    for language in spoken(tail):
        if not language.predicates or not (
            _words(language, "citing").match(tail) or _is_in_a_phrase(text, start)
        ):
            continue
        if _ends_as_verb(language).search(tail):
            said = [ending(text, place) for place in {at, end}]
            if not any(each is not None and each.kind == "stated" for each in said):
                return at, at + len(tail)
    return None


def _is_in_a_phrase(text: str, start: int) -> bool:
    """Whether an answer's phrase stands before a value in its sentence, and no title."""
    mark = next(marks(text[sentence_start(text, start) : start]), None)
    return mark is not None and not mark.titled


@cache
def _words(language: Language, field: str) -> re.Pattern[str]:
    return re.compile("|".join(fragments(language, field)) or "(?!)", re.IGNORECASE)


@cache
def _ends_as_verb(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(fragments(language, 'predicates'))})[\"'”’)*_ ]{{0,4}}\Z")


_BEHIND_DIGITS = lazy(r"[)}\]$*%°]{0,4}")
_SENTENCE_END = lazy(r"[\n。！？!?,，;；]|\.(?=[\s\"'”’)*]|\Z)")


def _tied(text: str, start: int) -> tuple[int, int] | None:
    """The words before a value that tie its phrase to what is not understood, supposed or somebody else's."""
    low = sentence_start(text, start)
    mark = next(marks(text[low:start]), None)
    if mark is not None:
        return (low, low + mark.end) if not mark.titled and governed(text, low + mark.start) else None
    at = max((stop.end() for stop in _CLAUSE_START.finditer(text, low, start)), default=low)
    for language in spoken(text[at:start]):
        if language.answer and _words(language, "answer").search(text, at, start) is not None:
            return at, start  # the answer is spoken of, and nobody knows how
    return None


_CLAUSE_START = lazy(r"[,，、;；:：(（—–]|\b(?:so|but|thus|hence|therefore|and)\b")
