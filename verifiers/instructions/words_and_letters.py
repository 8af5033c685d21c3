"""The language of a response, capital and small letters, and words and letters that it is to hold, or not."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import ClassVar

from ..language.instruction_words import AFTER_A_WORD, HANGUL
from ..language.running_text import is_latin, running_letters, words_of
from .counted_texts import Piece, Text
from .kinds import KINDS, REQUIRED, Kind, Outcome, absent, counted, kind

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
    """Return whether a letter is of a script whose words stand between spaces, without particles."""
    return letter.isalnum() and ord(letter) < 0x0E00


def found(text: Text, word: str, *, bounded: bool) -> list[Piece]:
    """The places of a word.

    Args:
        text: The response.
        word: The word, exactly.
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
@kind("keywords:existence")
class KeywordsExist(Kind):
    """The response holds each of some words.

    The official counting takes a part of another word, too (art in start); of Japanese it wants a word of its
    analyser.

    Args:
        keywords: The words.
    """

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
@kind("keywords:frequency")
class KeywordFrequency(Kind):
    """A word stands in the response so many times.

    Args:
        keyword: The word.
        frequency: Number of occurrences.
        relation: Comparison with its count, such as ``at least``.
    """

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
@kind("keywords:forbidden_words")
class ForbiddenWords(Kind):
    """The response holds none of some words.

    Args:
        forbidden_words: The words.
    """

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
@kind("keywords:letter_frequency")
class LetterFrequency(Kind):
    """A letter stands in the response so many times, in either case.

    The official grader of IFEval throws dice for a letter that is none of a to z, such as ``#``; such an
    instruction is not judged by the official counting.

    Args:
        letter: The letter, or any other character.
        let_frequency: Number of occurrences.
        let_relation: Comparison with its count.
    """

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


LEAST_LETTERS = 2
"""Letters of a word in capitals: I and A are so in every text."""


@KINDS.register
@kind("change_case:capital_word_frequency")
class CapitalWordFrequency(Kind):
    """So many words stand in capital letters throughout.

    The official counting takes I and A along, and each part of a word that its tokeniser cuts.

    Args:
        capital_frequency: Number of such words.
        capital_relation: Comparison with their count.
    """

    capital_frequency: int = REQUIRED
    capital_relation: str = "at least"

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt", "nltk") if official else ()

    def judge(self, text: Text) -> Outcome:
        if text.official:
            count = sum(map(str.isupper, text.tokens))
            return counted(count, self.capital_relation, self.capital_frequency, "words in capitals")
        found = [
            each
            for each in text.words
            if each.text.isupper() and sum(map(str.isalpha, each.text)) >= LEAST_LETTERS
        ]
        first = (found[0].start, found[0].end) if found else None
        return counted(len(found), self.capital_relation, self.capital_frequency, "words in capitals", first)


def _in_language(text: Text, wanted: str) -> str:
    """Why a text is not in the language of its instruction; "" if it is, as far as can be told."""
    if text.official:
        # The graders of other languages than English ask langdetect in small letters.
        detected = text.detected if wanted == "en" else text.detected_in_lower_case
        return "" if detected in (None, wanted) else f"langdetect takes it for {detected!r}"
    words = words_of(wanted)
    letters = sum(map(str.isalpha, text.text))
    own = sum(len(each) for each in words.findall(text.text)) if words is not None else letters
    return "" if own >= 0.9 * letters else f"{own:,} of {letters:,} letters are of its script"


@dataclass(frozen=True, repr=False)
class _OneCase(Kind):
    """All letters of the response are of one case, and it is in the instruction's language."""

    upper: ClassVar[bool] = True
    of_ids: ClassVar[dict[str, str]] = {}

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("langdetect",) if official else ()

    def judge(self, text: Text) -> Outcome:
        wanted = text.language
        good = text.text.isupper() if self.upper else text.text.islower()
        if not good:
            wrong = str.islower if self.upper else str.isupper
            place = next((at for at, letter in enumerate(text.text) if wrong(letter)), None)
            case = "small" if self.upper else "capital"
            if place is None:
                return Outcome(False, "it has no letters with a case")
            return Outcome(False, f"{text.text[place]!r} is a {case} letter", (place, place + 1))
        problem = _in_language(text, wanted)
        return Outcome(not problem, problem or f"all in {'capital' if self.upper else 'small'} letters")


@KINDS.register
@kind("change_case:english_capital", "change_case:french_capital", "change_case:spanish_capital")
class AllCapital(_OneCase):
    """The whole response is in capital letters, in the instruction's language."""

    upper: ClassVar[bool] = True


@KINDS.register
@kind("change_case:english_lowercase", "change_case:french_lowercase", "change_case:spanish_lowercase")
class AllLowercase(_OneCase):
    """The whole response is in small letters, in the instruction's language."""

    upper: ClassVar[bool] = False


LEAST_SHARE = 0.9
"""Share of letters of running words that are of the language's script."""
SHARED_SCRIPTS = {"ru", "uk", "bg", "sr", "mn", "ar", "fa", "ur", "hi", "mr", "ne"}
"""Languages whose script others share, so that letters do not tell them apart."""
_LATIN = frozenset("fi sw de it pt vi en es fr nl pl sv tr id da no cs ro hu".split())
_SISTERS = {"mr": "hi", "ne": "hi"}
"""Languages in the script of another one."""


@KINDS.register
@kind("language:response_language")
class ResponseLanguage(Kind):
    """The whole response is in a language.

    The official counting asks langdetect, takes what that cannot tell for right, and Chinese (``zh``) for
    wrong, since langdetect calls it zh-cn. The right counting looks at the script, and asks langdetect for
    languages that share one.

    Args:
        language: The language, by its ISO 639-1 code.
    """

    language: str = REQUIRED

    def unusable(self, language: str, official: bool) -> str:
        base = self.language.strip().lower().partition("-")[0]
        if official or _script_of(base) is not None:
            return ""
        return f"the script of the language {self.language!r} is not known here"

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        base = self.language.strip().lower().partition("-")[0]
        shared = base in SHARED_SCRIPTS or _script_of(base) == "en"
        return ("langdetect",) if official or shared else ()

    def judge(self, text: Text) -> Outcome:
        wanted = self.language.strip().lower()
        if text.official:
            detected = text.detected
            return Outcome(detected in (None, self.language), f"langdetect takes it for {detected!r}")
        base = wanted.partition("-")[0]
        script = _script_of(base) or "en"
        own, foreign = running_letters(text.text, script)
        said = f"{own:,} of {own + foreign:,} letters of its script"
        if own == 0 or own < LEAST_SHARE * (own + foreign):
            return Outcome(False, said)
        if script == "en" or base in SHARED_SCRIPTS:
            detected = (text.detected or "").partition("-")[0]
            return Outcome(detected == base, f"{said}; langdetect takes it for {detected or 'no language'}")
        return Outcome(True, said)


def _script_of(language: str) -> str | None:
    """A language that is written in the script of another one and is known by it; None for an unknown one."""
    if language in _LATIN or is_latin(language):
        return "en"
    known = _SISTERS.get(language, language)
    return known if words_of(known) is not None else None
