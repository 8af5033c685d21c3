"""Values that a text says in words at its end: 따라서 모두 열두 명입니다, so it's half an hour."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..stance import ending
from .english_words import english_at_end

_AROUND = 40
"""Characters at the end of a text in which they are looked for."""
_MOST_WORDS = 6
_ALL_TOLD = frozenset({"모두", "총", "전체", "약", "대략"})
_HANGUL_WORD = re.compile("[가-힣]+")
_BEHIND_DIGITS = re.compile(r"\d[\s십백천만억조월년의]{0,4}\Z")
"""Before a word that goes on with a number or date in digits: 5만 명."""
_STOP = re.compile(r"[\s.!]*\Z")
_LOOSE = " \t\n.!*。！"

Reads = Callable[[str], bool]
"""Whether a stretch of words is a value."""


_SMILE = r"[\s\ufe0f\u2600-\u27bf\U0001f300-\U0001faff]"
_SMILES = re.compile(rf"(?<!{_SMILE}){_SMILE}++\Z")


def counted_at_end(text: str, reads: Reads) -> tuple[int, int] | None:
    """Where a value in words stands that is a text or closes it; None if none does.

    In Korean it needs an ending, in Chinese and English what links it to its subject.

    Args:
        text: The text.
        reads: Whether a stretch is a value.

    >>> text = "所以概率是四分之三。"
    >>> text[slice(*counted_at_end(text, {"四分之三"}.__contains__))]
    '四分之三'
    >>> text = "따라서 모두 열두 명입니다."
    >>> text[slice(*counted_at_end(text, {"열두 명"}.__contains__))]
    '열두 명'
    """
    text = _SMILES.sub("", text)
    whole = text.strip(_LOOSE)
    if len(whole) <= _AROUND and whole and reads(whole):
        start = text.index(whole)
        return start, start + len(whole)
    if text.isascii() or "’" in text:
        return english_at_end(text, reads)
    low = max(0, len(text) - _AROUND)
    words = list(_HANGUL_WORD.finditer(text, low))
    for word in words[-_MOST_WORDS:]:
        if word.group() in _ALL_TOLD or _BEHIND_DIGITS.search(text, low, word.start()):
            continue
        for end in range(word.start() + 1, len(text)):
            said = ending(text, end)
            if said is None or said.kind != "stated" or not _STOP.match(text, said.end):
                continue
            if reads(text[word.start() : end]):
                return word.start(), end
    return _chinese_at_end(text, low, reads)


def _chinese_at_end(text: str, low: int, reads: Reads) -> tuple[int, int] | None:
    """A Chinese value in words, after what says that it is so."""
    end = len(text.rstrip(_LOOSE))
    for link in _CHINESE_LINK.finditer(text, low, end):
        start = link.end()
        if _CHINESE.match(text, start, end) and reads(text[start:end]):
            return start, end
    return None


_CHINESE = re.compile("[零〇一二两三四五六七八九十百千万亿负半上下早晚凌中]")
_CHINESE_LINK = re.compile("是|为|有|得|等于|共|总计|约|即|民币|要|花|用|了|剩下?|(?=[上下]午)")
