"""The answer of a JSON object that ends a text, as structured outputs give it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..core.extraction import EXTRACTORS, Extraction, Extractor
from ..language.languages import LANGUAGES
from ..runtime.patterns import lazy

_WINDOW = 4096
"""Characters at the end of a text in which the object stands."""
_END = lazy(r"\}(?P<fence>\s{0,4}```)?\s*\Z")
_BEGIN = lazy(r"^[ \t]{0,8}\{", re.MULTILINE)
_PARTED = lazy(r"[\s_-]{1,4}")


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class JsonAnswer(Extractor):
    """The value of an object's answer, where the object ends the text, in a block of code or by itself.

    Its name ends in a word for an answer: "answer", "final_answer", "choice". Two of them are two answers.

    >>> JsonAnswer().extract('{"reasoning": "6 times 7", "final_answer": 42}').text
    '42'
    >>> JsonAnswer().extract('{"answer": "A", "choice": "B"}').problem
    'several values are named as the answer'
    >>> JsonAnswer().extract('{"steps": []}')
    """

    def extract(self, text: str) -> Extraction | None:
        if "}" not in text[-16:] or (end := _END.search(text, max(0, len(text) - 16))) is None:
            return None
        closing = end.start() + 1
        begins = [found.end() - 1 for found in _BEGIN.finditer(text, max(0, closing - _WINDOW), closing)]
        for begin in begins:
            if (read := _object(text[begin:closing])) is not None:
                return _answer(read, text, begin, closing)
        return None


def _object(text: str) -> list[tuple[str, Any]] | None:
    try:
        read = json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, _Pairs) else None


class _Pairs(list[tuple[str, Any]]):
    """The names and values of an object, also of names that it has twice."""


def _answer(read: list[tuple[str, Any]], text: str, begin: int, end: int) -> Extraction | None:
    named = [value for name, value in read if _PARTED.split(name.casefold().strip())[-1] in _names()]
    if len(named) > 1:
        return Extraction(None, (begin, end), "json_answer", "several values are named as the answer")
    if not named or isinstance(named[0], (bool, list)) or named[0] is None:
        return None
    said = named[0] if isinstance(named[0], str) else json.dumps(named[0])
    place = text.rfind(said, begin, end)
    span = (place, place + len(said)) if place >= 0 and said else (begin, end)
    return Extraction(
        said.strip() or None, span, "json_answer", "" if said.strip() else "the answer is empty"
    )


@cache
def _names() -> frozenset[str]:
    return frozenset(name for language in LANGUAGES for name in language.keywords)
