"""Values that a text says in words at its end: 따라서 모두 열두 명입니다, so it's half an hour."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

from ...runtime.patterns import lazy
from ..language_patterns import behind, linking, spoken
from ..numerals.english_numerals import is_numeral, read_words, size
from ..spoken_languages import LANGUAGES
from ..stance import ending, stance
from .said_values import is_hangul

_AROUND_ENGLISH = 120
"""Characters at the end of a text in which it is looked for."""
_ENGLISH_LINK = lazy(
    r"(?:['’]s|(?<![a-z])(?:is|are|was|were|be|equals?|makes?|gives?|gets?|got|has|have|had|needs?|takes?|leaves?|remains?|took|found|find|obtain(?:ed)?|say|calculated?|computed?|reach(?:ed)?|with|make it|at|on)|i\.e\.|:)"
    r"(?: (?:exactly|only|just|about|a total of|altogether))?\s+",
    re.IGNORECASE,
)
_WORD = lazy(r"[a-z]+", re.IGNORECASE)
_CLOSED_ENGLISH = lazy(r"(?: [a-z]+){0,2}[\s.!*\u2600-\u27bf\U0001f300-\U0001faff]*\Z", re.IGNORECASE)
"""A noun of one or two words, and the end."""
_NO_NOUN = lazy(r" (?:more|less|fewer|of|or|and|to|times|than|too|other|things?)(?![a-z])", re.IGNORECASE)
_DIGIT = lazy(r"\d")
_DIGITLESS = lazy(r"(?<!\D)\D*+\Z")
"""The end of a text without digits: a value in words has none."""


def english_at_end(text: str, reads: Callable[[str], bool]) -> tuple[int, int] | None:
    """Return the span of a value that follows a verb, with what it counts; None without one.

    >>> text = "So there are twenty-four ways."
    >>> text[slice(*english_at_end(text, {"twenty-four ways"}.__contains__))]
    'twenty-four ways'
    >>> english_at_end("It is one of two things.", lambda said: False) is None
    True
    """
    if _DIGIT.search(text):
        return None
    for link in reversed(list(_ENGLISH_LINK.finditer(text, max(0, len(text) - _AROUND_ENGLISH)))):
        start = link.end()
        words = list(_WORD.finditer(text, start))
        if not words or words[0].start() != start or not _is_part(words[0].group()):
            continue
        for word in reversed(words):
            end = word.end()
            is_whole = _ENDED.match(text, end) is not None and reads(text[start:end])
            if not is_whole and (link.group().strip() in _PLACES or read_words(text[start:end]) is None):
                continue
            holds = is_whole or (_CLOSED_ENGLISH.match(text, end) and not _NO_NOUN.search(text, end))
            return (start, end) if holds and stance(text, start, end).holds else None
    return _last(text, reads)


def _last(text: str, reads: Callable[[str], bool]) -> tuple[int, int] | None:
    """The number in words with which a sentence ends, whatever its verb; "one" may be any other thing."""
    words = list(_WORD.finditer(text, max(0, len(text) - _AROUND_ENGLISH)))[-_MOST_ENGLISH_WORDS:]
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


_MOST_ENGLISH_WORDS = 8
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


_AROUND = 40
"""Characters at the end of a text in which they are looked for."""
_MOST_WORDS = 6
_ALL_TOLD = frozenset({"모두", "총", "전체", "약", "대략"})
_HANGUL_WORD = lazy("[가-힣]+")
_EAST = lazy("[가-힣一-鿿]")
_BEHIND_DIGITS = lazy(r"\d[\s십백천만억조월년의]{0,4}\Z")
"""Before a word that goes on with a number or date in digits: 5만 명."""
_STOP = lazy(r"[\s.!]*\Z")
_LOOSE = " \t\n.!*。！"
_SIGN = r"[^\w%)\]}?？]"
_SIGNS = lazy(rf"(?<!{_SIGN}){_SIGN}++\Z")
"""Stops, marks and emoji at the end."""
_IS_SIGN = lazy(_SIGN)

Reads = Callable[[str], bool]
"""Whether a stretch of words is a value."""


def counted_at_end(text: str, reads: Reads, begins: re.Pattern[str] | None = None) -> tuple[int, int] | None:
    """Return the span of a value in words that is the whole text or closes it; None without one.

    In Korean it needs an ending, in Chinese and English what links it to its subject.

    Args:
        text: The text.
        reads: Whether a stretch is a value; with a digit none is.
        begins: With what every value begins that begins with Hangul, if that is known: most words begin
            otherwise, and nothing else is asked about them.

    >>> text = "所以概率是四分之三。"
    >>> text[slice(*counted_at_end(text, {"四分之三"}.__contains__))]
    '四分之三'
    >>> text = "따라서 모두 열두 명입니다."
    >>> text[slice(*counted_at_end(text, {"열두 명"}.__contains__))]
    '열두 명'
    """
    whole = text[: _close(text)].strip(_LOOSE)
    if len(whole) <= _AROUND and whole and reads(whole):
        start = text.index(whole)
        return start, start + len(whole)
    if _EAST.search(text) is None:
        return english_at_end(text, reads)
    low = max(0, len(text) - _AROUND)
    digitless = _DIGITLESS.search(text, low)
    first = digitless.start() if digitless else low
    words = list(_HANGUL_WORD.finditer(text, first))
    close = _close(text)
    ends: list[int] | None = None
    for word in words[-_MOST_WORDS:]:
        if begins is not None and begins.match(text, word.start()) is None:
            continue
        if word.group() in _ALL_TOLD or _BEHIND_DIGITS.search(text, low, word.start()):
            continue
        if _linked(text, low, word.start()) and reads(text[word.start() : close]):
            return word.start(), close
        if ends is None:
            ends = _closing_ends(text, word.start() + 1)
        for end in ends:
            if end > word.start() and reads(text[word.start() : end]):
                return word.start(), end
    return _chinese_at_end(text, low, first, reads)


def _closing_ends(text: str, start: int) -> list[int]:
    """List the places where a value may end before an ending that states it and closes the text."""
    said: set[int] = set()
    for language in spoken(text[start:]):
        place = start
        while (found := behind(language, "stated").search(text, place)) is not None:
            place = found.start() + 1
            said.add(found.start())
    # Of what stands behind a sign or before a unit, the ending is a few places further on.
    return [
        end
        for end in range(start, len(text))
        if (end in said or not is_hangul(text[end - 1]) or _LATIN.match(text, end)) and _closes(text, end)
    ]


_LATIN = lazy(r"\s?[^\s가-힣.!?,]")


def _closes(text: str, end: int) -> bool:
    """Return whether the ending at `end`, which states the value before it, closes the text."""
    said = ending(text, end)
    return said is not None and said.kind == "stated" and _STOP.match(text, said.end) is not None


def _linked(text: str, low: int, start: int) -> bool:
    """Return whether a subject and its particle stand right before a place."""
    before = text[low:start]
    return any(language.links and linking(language).search(before) for language in LANGUAGES)


def _close(text: str) -> int:
    """Return the end of the last word."""
    near = len(text) - _AROUND
    if near > 0 and (signs := _SIGNS.search(text, near)) is not None:
        return signs.start()
    if text and _IS_SIGN.match(text, len(text) - 1) is None:
        return len(text)
    signs = _SIGNS.search(text)
    return signs.start() if signs else len(text)


def _chinese_at_end(text: str, low: int, first: int, reads: Reads) -> tuple[int, int] | None:
    """A Chinese value in words: what links it stands before it, or it has two signs and more."""
    if _CHINESE.search(text, first) is None:
        return None
    close = _close(text)
    ends = [close, *(end for end in range(low + 1, close) if _is_stated_behind(text, end))]
    for start in range(first, close):
        if _CHINESE.match(text, start) is None or (start and _NUMERAL.match(text, start - 1)):
            continue
        linked = _CHINESE_LINK.search(text, low, start) is not None
        for end in ends:
            sure = linked or _CHINESE.match(text, start + 1, end) is not None
            if sure and end > start and reads(text[start:end]) and stance(text, start, end).holds:
                return start, end
    return None


def _is_stated_behind(text: str, end: int) -> bool:
    """Return whether the words at `end` state the value before them and close the text."""
    said = ending(text, end)
    return (said is not None and said.kind == "stated" and _close(text) <= said.end) or (
        _PARTICLE.match(text, end) is not None
    )


_PARTICLE = lazy(r"[呀啊哦了哟呦噢][^\w]*+\Z")
_NUMERAL = lazy(r"[\d零〇一二两三四五六七八九十百千万亿第]")
"""What a numeral does not begin behind."""
_CHINESE = lazy("[零〇一二两三四五六七八九十百千万亿负半分点之上下早晚凌中]")
_CHINESE_LINK = lazy(
    "(?:是|为|有|得到?|得出|等于|共|总计|约|即|占|民币|要|花|用|了|剩下?|[:：][\\s*-]{0,4})\\Z"
)
