"""A number that an English text without any digit says in words at its end: There are twelve ways."""

from __future__ import annotations

import re

from ..numerals.english import is_numeral, read_words
from ..stance import stance

_AROUND = 120
"""Characters at the end of a text in which it is looked for."""
_LINK = re.compile(
    r"(?<![a-z])(?:is|are|was|were|be|equals?|makes?|gives?|gets?|got|has|have|had|needs?|takes?|leaves?|remains?)"
    r"(?: (?:exactly|only|just|about|a total of|altogether))?\s+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_CLOSED = re.compile(r"(?: [a-z]+){0,2}[\s.!*]*\Z", re.IGNORECASE)
"""A noun of one or two words, and the end."""
_NO_NOUN = re.compile(
    r" (?:more|less|fewer|of|or|and|to|times|than|too|other|things?)(?![a-z])", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")


def english_at_end(text: str) -> tuple[int, int] | None:
    """Where the numeral stands, after a verb and before at most a noun; None if none does.

    >>> text = "So there are twenty-four ways."
    >>> text[slice(*english_at_end(text))]
    'twenty-four'
    >>> english_at_end("It is one of two things.") is None
    True
    """
    if _DIGIT.search(text):
        return None
    for link in reversed(list(_LINK.finditer(text, max(0, len(text) - _AROUND)))):
        words = list(_WORD.finditer(text, link.end()))
        if not words or words[0].start() != link.end() or not _is_part(words[0].group()):
            continue
        for word in reversed(words):
            start, end = words[0].start(), word.end()
            if read_words(text[start:end]) is None:
                continue
            holds = (
                _CLOSED.match(text, end) and not _NO_NOUN.search(text, end) and stance(text, start, end).holds
            )
            return (start, end) if holds else None
    return None


def _is_part(word: str) -> bool:
    return word in ("a", "minus", "half") or is_numeral(word.casefold())
