"""Bare answers: a short text that is an answer by itself, rather than prose that only holds one."""

from __future__ import annotations

from ..language.answers.leads import after_so, disowned
from ..language.numerals.in_words import in_words
from ..language.patterns import behind, is_silent, prose, spoken
from ..language.signs import VULGAR_FRACTIONS
from ..reading import prose as running
from ..reading.quantities import spelled_at_end
from ..reading.sentence_end import sentence_end
from ..runtime.patterns import lazy

_BARE_WORDS = 3
_HAS_VALUE = lazy(rf"[\d∞√π{VULGAR_FRACTIONS}]|\\(?!text)[a-zA-Z]")


def is_bare(text: str) -> bool:
    """Return whether a text is an answer rather than prose.

    An answer has hardly any words outside LaTeX, and "costs $5" leads up to a number where "5 dollars"
    starts with it.
    """
    if is_silent(text):
        return True
    plain = running.unset(text).strip()
    if running.opens_as_prose(plain) and (_HAS_VALUE.search(text) or spelled_at_end(plain) is not None):
        return False
    has_value = _HAS_VALUE.search(text) is not None
    if (has_value or not plain.isascii()) and any(prose(each).search(plain) for each in spoken(plain)):
        return False
    if any(after_so(plain, clause, len(plain)) > clause for clause in _clauses(plain)):
        return False
    if _is_judged(text) or _goes_on(text) or any(disowned(text, *each.span()) for each in running.numbers(text)):
        return False
    return len(running.words(text)) <= _BARE_WORDS or in_words(plain) is not None


_TITLED = lazy(r"[:：][ \t*_]{0,4}\n\s*\S")
"""A line that only announces what follows it."""


def _goes_on(text: str) -> bool:
    """Return whether another sentence follows the first."""
    if _TITLED.search(text) is not None:
        return True
    end = sentence_end(text, 0)
    return (
        end < len(text)
        and bool(running.words(text[end:]))
        and bool(running.words(text[:end]) or _HAS_VALUE.search(text, 0, end))
    )


def _is_judged(text: str) -> bool:
    """Return whether a text is a value and the sentence that judges it: "12 is the answer"."""
    value = _HAS_VALUE.search(text)
    if value is None:
        return False
    for language in spoken(text):
        said = behind(language, "stated").search(text, value.end())
        if said is not None and said.end() - said.start("words") >= _LONGER_THAN_COPULAS:
            return not text[said.end() :].strip(" .!*。！")
    return False


_LONGER_THAN_COPULAS = 4
"""Characters: an ending that is shorter is cut off the value where it is read."""


def _clauses(text: str) -> list[int]:
    """Return the starts of a text's clauses."""
    return [0, *(comma.end() for comma in _COMMA.finditer(text))]


_COMMA = lazy("[,，]")
