"""A value that an English text without any digit says in words at its end: There are twelve ways."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

from ...runtime.patterns import lazy
from ..numerals.english import is_numeral, read_words, size
from ..stance import stance

_AROUND = 120
"""Characters at the end of a text in which it is looked for."""
_LINK = lazy(
    r"(?:['’]s|(?<![a-z])(?:is|are|was|were|be|equals?|makes?|gives?|gets?|got|has|have|had|needs?|takes?|leaves?|remains?|took|found|find|obtain(?:ed)?|say|calculated?|computed?|reach(?:ed)?|with|make it|at|on)|i\.e\.|:)"
    r"(?: (?:exactly|only|just|about|a total of|altogether))?\s+",
    re.IGNORECASE,
)
_WORD = lazy(r"[a-z]+", re.IGNORECASE)
_CLOSED = lazy(r"(?: [a-z]+){0,2}[\s.!*\u2600-\u27bf\U0001f300-\U0001faff]*\Z", re.IGNORECASE)
"""A noun of one or two words, and the end."""
_NO_NOUN = lazy(r" (?:more|less|fewer|of|or|and|to|times|than|too|other|things?)(?![a-z])", re.IGNORECASE)
_DIGIT = lazy(r"\d")


def english_at_end(text: str, reads: Callable[[str], bool]) -> tuple[int, int] | None:
    """Where the value stands, after a verb and with what it counts; None if none does.

    Args:
        text: The text.
        reads: Whether a stretch is a value.

    >>> text = "So there are twenty-four ways."
    >>> text[slice(*english_at_end(text, {"twenty-four ways"}.__contains__))]
    'twenty-four ways'
    >>> english_at_end("It is one of two things.", lambda said: False) is None
    True
    """
    if _DIGIT.search(text):
        return None
    for link in reversed(list(_LINK.finditer(text, max(0, len(text) - _AROUND)))):
        start = link.end()
        words = list(_WORD.finditer(text, start))
        if not words or words[0].start() != start or not _is_part(words[0].group()):
            continue
        for word in reversed(words):
            end = word.end()
            is_whole = _ENDED.match(text, end) is not None and reads(text[start:end])
            if not is_whole and (link.group().strip() in _PLACES or read_words(text[start:end]) is None):
                continue
            holds = is_whole or (_CLOSED.match(text, end) and not _NO_NOUN.search(text, end))
            return (start, end) if holds and stance(text, start, end).holds else None
    return _last(text, reads)


def _last(text: str, reads: Callable[[str], bool]) -> tuple[int, int] | None:
    """The number in words with which a sentence ends, whatever its verb; "one" may be any other thing."""
    words = list(_WORD.finditer(text, max(0, len(text) - _AROUND)))[-_MOST_WORDS:]
    for word, follower in itertools.zip_longest(words, words[1:]):
        start, end = word.start(), words[-1].end()
        is_article = follower is not None and word.group() in _ARTICLES and size(follower.group()) is not None
        if not (is_article or is_numeral(word.group().casefold())):
            continue
        if text[start:end].casefold() in _UNSURE:
            return None
        if _ENDED.match(text, end) and reads(text[start:end]):
            return (start, end) if stance(text, start, end).holds else None
    return None


_MOST_WORDS = 8
_ARTICLES = ("a", "an")
_UNSURE = frozenset({"one", "ones", "second", "seconds", "third", "half", "halves", "quarter", "zero"})
"""Words that are numbers and other things."""
_ENDED = lazy(r"[\s.!*\u2600-\u27bf\U0001f300-\U0001faff]*\Z")
_PLACES = ("at", "on")
"""After them a time or a day stands, and no number that something else has to count."""


def _is_part(word: str) -> bool:
    return (
        word in ("a", "an", "minus", "half", "noon", "midnight", "the", "quarter")
        or is_numeral(word.casefold())
        or word[:1].isupper()
    )
