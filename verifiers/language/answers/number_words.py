"""Numbers that a text says in words at its end: 따라서 모두 열두 명입니다."""

from __future__ import annotations

import re
from fractions import Fraction

from ..nouns.korean_counters import COUNTER
from ..numerals import chinese
from ..numerals.korean import parse_number
from ..stance import ending
from .english_words import english_at_end

_SURE = 11
"""From here on a numeral has two syllables and more, so that it needs no counter."""
_AROUND = 40
"""Characters at the end of a text in which they are looked for."""
_ALL_TOLD = frozenset({"모두", "총", "전체", "약", "대략"})
_HANGUL_WORD = re.compile("[가-힣]+")
_BEHIND_DIGITS = re.compile(r"\d[\s십백천만억조월년의]{0,4}\Z")
"""Before a word that goes on with a number or date in digits: 5만 명."""
_STOP = re.compile(r"[\s.!]*\Z")


def counted_at_end(text: str) -> tuple[int, int] | None:
    """Where a numeral in words stands that closes a text; None if none does.

    In Korean it needs a counter and an ending, in Chinese what links it to its subject, in English both.

    >>> text = "所以概率是四分之三。"
    >>> text[slice(*counted_at_end(text))]
    '四分之三'
    >>> text = "따라서 모두 열두 명입니다."
    >>> text[slice(*counted_at_end(text))]
    '열두 명'
    """
    if text.isascii():
        return english_at_end(text)
    low = max(0, len(text) - _AROUND)
    words = list(_HANGUL_WORD.finditer(text, low))
    for word in words[-4:]:
        if word.group() in _ALL_TOLD or _BEHIND_DIGITS.search(text, low, word.start()):
            continue
        for end in range(word.start() + 1, len(text)):
            said = ending(text, end)
            if said is None or said.kind != "stated" or not _STOP.match(text, said.end):
                continue
            numeral = text[word.start() : end]
            number = parse_number(numeral)
            if number is not None and (COUNTER.search(numeral) or abs(Fraction(number)) >= _SURE):
                return word.start(), end
    return _chinese_at_end(text, low)


def _chinese_at_end(text: str, low: int) -> tuple[int, int] | None:
    """A Chinese numeral with its unit, if it has one, after what says that it is so."""
    for found in reversed(list(_CHINESE.finditer(text, low))):
        unit = _CHINESE_UNIT.match(text, found.end())
        if unit is None or not _CHINESE_LINK.search(text, max(low, found.start() - 4), found.start()):
            continue
        if any(rest in ("", "%") for _, rest in chinese.readings(found.group())):
            return found.start(), unit.end("unit")
    return None


_CHINESE = re.compile("[零〇一二两三四五六七八九十百千万亿负半][零〇一二两三四五六七八九十百千万亿点分之半]*")
_CHINESE_UNIT = re.compile("(?P<unit>[一-鿿]{0,6})[\\s。.!！]*\\Z")
_CHINESE_LINK = re.compile("(?:是|为|有|得|等于|共|总计|约|即|民币|需要?|剩下?|上午|下午)\\Z")
