"""Numbers that a text says in words at its end: 따라서 모두 열두 명입니다."""

from __future__ import annotations

import re

from .nouns.korean_counters import COUNTER
from .numerals.korean import parse_number
from .stance import ending

_AROUND = 40
"""Characters at the end of a text in which they are looked for."""
_ALL_TOLD = frozenset({"모두", "총", "전체", "약", "대략"})
_HANGUL_WORD = re.compile("[가-힣]+")
_STOP = re.compile(r"[\s.!]*\Z")


def counted_at_end(text: str) -> tuple[int, int] | None:
    """Where a counted numeral in words stands that closes a text; None if none does.

    >>> text = "따라서 모두 열두 명입니다."
    >>> text[slice(*counted_at_end(text))]
    '열두 명'
    """
    low = max(0, len(text) - _AROUND)
    words = list(_HANGUL_WORD.finditer(text, low))
    for word in words[-4:]:
        if word.group() in _ALL_TOLD:
            continue
        for end in range(word.start() + 1, len(text)):
            said = ending(text, end)
            if said is None or said.kind != "stated" or not _STOP.match(text, said.end):
                continue
            numeral = text[word.start() : end]
            if COUNTER.search(numeral) and parse_number(numeral) is not None:
                return word.start(), end
    return None
