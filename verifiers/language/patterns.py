"""The languages' fragments as patterns: one for each question that the engine asks of a language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from .languages import LANGUAGES, Language

OPENING = r"(?:[\s*_(\[{<\"'“‘「『《〈【`$]|\\[(\[]|\\text(?:bf)?\{|\\boxed\{|:|：){0,12}"
"""Signs between a word and the value behind it."""
CLOSING = r"(?:[*_)\]}>\"'”’」』》〉】`$°]|\\[)\]]){0,12}"
"""Signs between a value and the word behind it."""


def spoken(text: str) -> Iterator[Language]:
    """The languages whose script occurs in a text."""
    return (each for each in LANGUAGES if _script(each.script).search(text))


@cache
def _script(script: str) -> re.Pattern[str]:
    return re.compile(script)


def fragments(language: Language, field: str) -> Iterable[str]:
    """What a language has for a field, with its white space for the blanks."""
    return (each.replace(" ", language.blank) for each in getattr(language, field))


def _words(language: Language, field: str) -> str:
    return "|".join(fragments(language, field)) or "(?!)"


@cache
def behind(language: Language, field: str) -> re.Pattern[str]:
    """Matches at the end of a value what `field` lists, with the signs and the blank before it."""
    return re.compile(rf"{CLOSING}\s{{0,2}}(?:{_words(language, field)})", re.IGNORECASE)


@cache
def ahead(language: Language, field: str) -> re.Pattern[str]:
    """Finds what `field` lists directly before the end of the searched text."""
    edge = language.edges[1] if language.blank.startswith(r"\s{1") else ""
    return re.compile(
        rf"(?:{_words(language, field)}){edge}[\s:]{{0,3}}(?:{_words(language, 'nouns')})?{OPENING}\Z",
        re.IGNORECASE,
    )


@cache
def anywhere(language: Language, field: str) -> re.Pattern[str]:
    """Finds what `field` lists as words of their own."""
    edge = language.edges[1] if language.blank.startswith(r"\s{1") else ""
    return re.compile(f"{language.edges[0]}(?:{_words(language, field)}){edge}", re.IGNORECASE)
