"""Words and letters that a response is to hold, to hold so many times, or not to hold."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import ClassVar

from ..language.instruction_words import HANGUL
from ..language.korean_style import AFTER_A_WORD
from .kinds import KINDS, REQUIRED, Kind, Outcome, absent, counted
from .texts import Piece, Text

_SYLLABLE = re.compile(f"[{HANGUL}]")


@functools.lru_cache(maxsize=4096)
def whole(word: str) -> re.Pattern[str]:
    """A pattern for a word that is no part of another one, whatever its case.

    An end that is no letter of an alphabet (C++, Han, kana) may touch what follows; behind Hangul particles
    may stand, and a verb that is made of the word.
    """
    before = r"(?<![^\W_])" if _spelled(word[:1]) else f"(?<![{HANGUL}])" if _SYLLABLE.match(word) else ""
    after = r"(?![^\W_\u0e00-\uffff])" if _spelled(word[-1:]) else ""
    after = AFTER_A_WORD if _SYLLABLE.match(word[-1:]) else after
    return re.compile(before + re.escape(word) + after, re.IGNORECASE)


def _spelled(letter: str) -> bool:
    """Whether a letter is of a script whose words stand between spaces, without particles behind them."""
    return letter.isalnum() and ord(letter) < 0x0E00


def found(text: Text, word: str, *, bounded: bool) -> list[Piece]:
    """The places of a word.

    Args:
        text: The response.
        word: What is looked for, as it stands.
        bounded: Whether it must be no part of another word.
    """
    word = word.strip()
    pattern = whole(word) if bounded else re.compile(re.escape(word), re.IGNORECASE)
    return [Piece(each.group(), *each.span()) for each in pattern.finditer(text.text)]


def _forbidden(text: Text, word: str) -> list[Piece]:
    """The places of a word by the official counting, for which a low line is a letter."""
    pattern = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
    return [Piece(each.group(), *each.span()) for each in pattern.finditer(text.text)]


def _japanese(text: Text, word: str) -> int:
    return sum(surface == word for surface, _ in text.japanese)


@KINDS.register
@dataclass(frozen=True, repr=False)
class KeywordsExist(Kind):
    """The response holds each of some words.

    The official counting takes a part of another word, too (art in start); of Japanese it wants a word of its
    analyser.

    Args:
        keywords: The words.
    """

    ids: ClassVar[tuple[str, ...]] = ("keywords:existence",)
    keywords: tuple[str, ...] = REQUIRED

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("janome",) if official and language == "ja" else ()

    def judge(self, text: Text) -> Outcome:
        first = None
        for word in self.keywords:
            if text.official and text.language == "ja":
                held, places = _japanese(text, word) > 0, []
            else:
                places = found(text, word, bounded=not text.official)
                held = bool(places)
            if not held:
                return Outcome(False, f"{word!r:.60} is missing")
            first = first or (places[0].start, places[0].end) if places else first
        return Outcome(True, f"all of {len(self.keywords)} words", first)


@KINDS.register
@dataclass(frozen=True, repr=False)
class KeywordFrequency(Kind):
    """A word stands in the response so many times.

    Args:
        keyword: The word.
        frequency: How many times.
        relation: How its count compares, such as ``at least``.
    """

    ids: ClassVar[tuple[str, ...]] = ("keywords:frequency",)
    keyword: str = REQUIRED
    frequency: int = REQUIRED
    relation: str = "at least"

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("janome",) if official and language == "ja" else ()

    def judge(self, text: Text) -> Outcome:
        what = f"times {self.keyword!r:.60}"
        if text.official and text.language == "ja":
            return counted(_japanese(text, self.keyword), self.relation, self.frequency, what)
        places = found(text, self.keyword, bounded=not text.official)
        first = (places[0].start, places[0].end) if places else None
        return counted(len(places), self.relation, self.frequency, what, first)


@KINDS.register
@dataclass(frozen=True, repr=False)
class ForbiddenWords(Kind):
    """The response holds none of some words.

    Args:
        forbidden_words: The words.
    """

    ids: ClassVar[tuple[str, ...]] = ("keywords:forbidden_words",)
    forbidden_words: tuple[str, ...] = REQUIRED

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("janome",) if official and language == "ja" else ()

    def judge(self, text: Text) -> Outcome:
        for word in self.forbidden_words:
            if text.official and text.language == "ja":
                if _japanese(text, word):
                    return Outcome(False, f"{word!r:.60} is forbidden")
                continue
            places = _forbidden(text, word) if text.official else found(text, word, bounded=True)
            if places:
                return absent(places[0], "forbidden word")
        return Outcome(True, f"none of {len(self.forbidden_words)} words")


RANDOM = {"en": ("a", "z"), "ja": ("\u3041", "\u3093")}
"""The first and the last letter that an official grader counts; for others it throws dice."""
_TO_HIRAGANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}


@KINDS.register
@dataclass(frozen=True, repr=False)
class LetterFrequency(Kind):
    """A letter stands in the response so many times, in either case.

    The official grader of IFEval throws dice for a letter that is none of a to z, such as ``#``; such an
    instruction is not judged by the official counting.

    Args:
        letter: The letter, or any other character.
        let_frequency: How many times.
        let_relation: How its count compares.
    """

    ids: ClassVar[tuple[str, ...]] = ("keywords:letter_frequency",)
    letter: str = REQUIRED
    let_frequency: int = REQUIRED
    let_relation: str = "at least"

    def unusable(self, language: str, official: bool) -> str:
        letter, (first, last) = self.letter.strip().lower(), RANDOM.get(language, ("", "\U0010ffff"))
        if official and not (len(letter) == 1 and first <= letter <= last):
            return f"the official grader replaces {self.letter!r} by a letter at random"
        return ""

    def judge(self, text: Text) -> Outcome:
        letter = self.letter.strip().lower()
        if text.official and text.language == "ja":
            count = text.text.translate(_TO_HIRAGANA).count(letter.translate(_TO_HIRAGANA))
            return counted(count, self.let_relation, self.let_frequency, f"times {self.letter!r}")
        count, place = text.lower.count(letter), text.lower.find(letter)
        first = (place, place + len(letter)) if count and len(text.lower) == len(text.text) else None
        return counted(count, self.let_relation, self.let_frequency, f"times {self.letter!r}", first)
