"""Instructions of M-IFEval that belong to French, Spanish or Japanese.

Accents, special letters and forms of address; scripts, readings, numerals and how sentences end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ..language.instruction_words import FRENCH_ACCENTED, FRENCH_TU, FRENCH_VOUS, JAPANESE_STOPS, NOUN
from ..language.running_text import HAN
from .counted_texts import Piece, Text, pieces
from .kinds import KINDS, REQUIRED, Kind, Outcome, absent, counted, exactly, kind, present
from .whole_texts import first_of

_TU = re.compile(rf"\b(?:{FRENCH_TU})\b|\bt['’](?=\w)", re.IGNORECASE)
_VOUS = re.compile(rf"\b(?:{FRENCH_VOUS})\b", re.IGNORECASE)
_ANY_DIGIT = re.compile(r"\d")
_ACCENT = re.compile(f"[{FRENCH_ACCENTED}]", re.IGNORECASE)
_TILDE = re.compile("[áéíóú]", re.IGNORECASE)
_RAW_WORD = re.compile(r"\w+")


@KINDS.register
@kind("fr:detectable_content:informal_address", "detectable_content:informal_address")
class InformalAddress(Kind):
    """The response says tu.

    The official counting is content with one tu, whatever else stands there; the right one finds no vous.
    """

    def judge(self, text: Text) -> Outcome:
        formal = None if text.official else first_of(_VOUS, text.text)
        if formal is not None:
            return absent(formal, "formal address")
        return present(first_of(_TU, text.text), "informal address")


@KINDS.register
@kind("detectable_content:no_digits")
class NoDigits(Kind):
    """The response has no digit."""

    def judge(self, text: Text) -> Outcome:
        return absent(first_of(_ANY_DIGIT, text.text), "digit")


@KINDS.register
@kind("special_character:no_accents")
class NoAccents(Kind):
    """The response has no letter with an accent."""

    def judge(self, text: Text) -> Outcome:
        return absent(first_of(_ACCENT, text.text), "accent")


@KINDS.register
@kind("special_character:ethel_or_cedilla")
class ForbiddenCharacter(Kind):
    """The response does not hold a character, in either case.

    Args:
        forbidden_char: The character.
    """

    forbidden_char: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        return absent(
            first_of(re.compile(re.escape(self.forbidden_char), re.IGNORECASE), text.text),
            "forbidden character",
        )


@KINDS.register
@kind("special_character:accents")
class AccentsAdded(Kind):
    """The words that lack their accents in the request have them in the response.

    The official counting is content if none of them stands there without accents; the right one also wants
    each of them with its accents.

    Args:
        word_to_accentuate: Each word without its accents, and with them.
    """

    word_to_accentuate: Mapping[str, str] = REQUIRED

    def judge(self, text: Text) -> Outcome:
        words = {each.group().lower() for each in _RAW_WORD.finditer(text.text)}
        for plain, accented in self.word_to_accentuate.items():
            if plain is None or accented is None:
                continue
            if plain.lower() in words:
                return Outcome(False, f"{plain!r} stands without its accents")
            if not text.official and accented.lower() not in words:
                return Outcome(False, f"{accented!r} is missing")
        return Outcome(True, "the accents are there")


def _words_with(text: Text, letters: re.Pattern[str]) -> list[Piece]:
    return [each for each in pieces(_RAW_WORD, text.text) if letters.search(each.text)]


@KINDS.register
@kind("special_character:tildes")
class WordsWithTilde(Kind):
    """So many words bear a written accent (á, é, í, ó, ú).

    Args:
        num_words: Number of words.
        relation: Comparison with their count.
    """

    num_words: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        return counted(len(_words_with(text, _TILDE)), self.relation, self.num_words, "words with an accent")


@KINDS.register
@kind("special_character:enie")
class WordsWithEnie(Kind):
    """So many words have an ñ.

    Args:
        let_frequency: Number of occurrences.
    """

    let_frequency: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        return exactly(len(_words_with(text, re.compile("[ñÑ]"))), self.let_frequency, "words with ñ")


@KINDS.register
@kind("special_character:dieresis")
class WordsWithDieresis(Kind):
    """So many words have a ü.

    Args:
        let_frequency: Number of occurrences.
    """

    let_frequency: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        return exactly(len(_words_with(text, re.compile("[üÜ]"))), self.let_frequency, "words with ü")


@dataclass(frozen=True, repr=False)
class _Pair(Kind):
    """The response has a Spanish question or exclamation: with both of its marks."""

    marks: ClassVar[tuple[str, str]] = ("¿", "?")

    def judge(self, text: Text) -> Outcome:
        first, last = self.marks
        start = text.text.find(first)
        if text.official:
            return Outcome(start >= 0 and last in text.text, f"{first} and {last}")
        end = text.text.find(last, start + 1) if start >= 0 else -1
        if start < 0 or end < 0:
            return Outcome(False, f"no {first}...{last}")
        return Outcome(True, f"{text.text[start : end + 1][:60]!r}", (start, end + 1))


@KINDS.register
@kind("punctuation:question_marks")
class HasQuestion(_Pair):
    """The response has a question between ¿ and ?."""

    marks: ClassVar[tuple[str, str]] = ("¿", "?")


@KINDS.register
@kind("punctuation:exclamation_marks")
class HasExclamation(_Pair):
    """The response has an exclamation between ¡ and !."""

    marks: ClassVar[tuple[str, str]] = ("¡", "!")


_HIRAGANA = "\u3041-\u3096"
_KATAKANA = "\u30a1-\u30fa"
_A_KANJI = re.compile(f"[{HAN}]")
_A_HIRAGANA = re.compile(f"[{_HIRAGANA}]")
_A_KATAKANA = re.compile(f"[{_KATAKANA}\uff66-\uff9d]")
_IDEOGRAPHS = f"{chr(0x4E00)}-{chr(0x9FFF)}"
"""Without the sign that repeats one, and without the circle that stands for a name."""
_NO_HIRAGANA = re.compile(f"[{_KATAKANA}{_IDEOGRAPHS}]")
_NO_KATAKANA = re.compile(f"[{_HIRAGANA}{_IDEOGRAPHS}A-Za-z]")
_DIGIT = re.compile("[0-9\uff10-\uff19]")
_UNREAD = re.compile(f"(?<![{HAN}])[{HAN}]++(?!\uff08[{_HIRAGANA}\u30fc]++\uff09)")
_OFFICIAL_KANJI = f"[{chr(0x4E00)}-{chr(0x9FAF)}]"
_KANJI_RUN = re.compile(f"{_OFFICIAL_KANJI}++")
_READ_RUN = re.compile(f"(?<!{_OFFICIAL_KANJI}){_OFFICIAL_KANJI}++\uff08[\u3041-\u3093]++\uff09")
_SPOKEN = re.compile("\u300c[^\n\u300d]{0,2000}\u300d|\u300e[^\n\u300f]{0,2000}\u300f")
"""Text in Japanese quotation marks, which is no sentence of the response."""
_STOPS = re.compile(f"[{JAPANESE_STOPS}]+")
_CLOSERS = "\u300d\u300f\uff09)*_\u3011 \t"


def _sentences(text: Text) -> list[str]:
    """Between stops; for the right counting a line that is one of its own ends a sentence, too."""
    said = _SPOKEN.sub("", text.text)
    if text.official:
        parts = [each.strip() for each in _STOPS.split(said)]
    else:
        parts = [each.strip() for each in re.split(f"[{JAPANESE_STOPS}!?]+|\n", said)]
        parts = [each.rstrip(_CLOSERS) for each in parts if not each.startswith("#")]
    return [each for each in parts if each]


@KINDS.register
@kind("letters:kanji")
class KanjiCount(Kind):
    """The response has so many Chinese characters.

    Args:
        kanji_limit: Number of kanji.
        relation: Comparison with their count.
    """

    kanji_limit: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        pattern = _OFFICIAL_KANJI if text.official else _A_KANJI
        return counted(len(re.findall(pattern, text.text)), self.relation, self.kanji_limit, "kanji")


@dataclass(frozen=True, repr=False)
class _OneScript(Kind):
    """The Japanese letters of the response are of one script; the official counting allows no others."""

    forbidden: ClassVar[re.Pattern[str]] = _DIGIT
    script: ClassVar[re.Pattern[str]] = _DIGIT

    def judge(self, text: Text) -> Outcome:
        if not text.official:
            return absent(first_of(self.forbidden, text.text), "other letter")
        other = next(
            (at for at, letter in enumerate(text.text) if letter.isalpha() and not self.script.match(letter)),
            None,
        )
        return absent(None if other is None else Piece(text.text[other], other, other + 1), "other letter")


@dataclass(frozen=True, repr=False)
class _Without(Kind):
    """The response has no character of a class."""

    forbidden: ClassVar[re.Pattern[str]] = _DIGIT
    what: ClassVar[str] = "digit"

    def judge(self, text: Text) -> Outcome:
        return absent(first_of(self.forbidden, text.text), self.what)


@KINDS.register
@kind("letters:no_hiragana")
class NoHiragana(_Without):
    """The response has no hiragana."""

    forbidden: ClassVar[re.Pattern[str]] = _A_HIRAGANA
    what: ClassVar[str] = "hiragana"


@KINDS.register
@kind("letters:no_katakana")
class NoKatakana(_Without):
    """The response has no katakana."""

    forbidden: ClassVar[re.Pattern[str]] = _A_KATAKANA
    what: ClassVar[str] = "katakana"


@KINDS.register
@kind("letters:hiragana_only")
class HiraganaOnly(_OneScript):
    """The only Japanese script of the response is hiragana."""

    forbidden: ClassVar[re.Pattern[str]] = _NO_HIRAGANA
    script: ClassVar[re.Pattern[str]] = re.compile("[\u3041-\u3093\u30fc]")


@KINDS.register
@kind("letters:katakana_only")
class KatakanaOnly(_OneScript):
    """The response has letters of katakana only."""

    forbidden: ClassVar[re.Pattern[str]] = _NO_KATAKANA
    script: ClassVar[re.Pattern[str]] = re.compile("[\u30a1-\u30f3\u30fc\uff66-\uff9f]")


@KINDS.register
@kind("letters:kansuuji")
class KanjiNumerals(_Without):
    """Numbers are written in Chinese characters: the response has no digit."""

    forbidden: ClassVar[re.Pattern[str]] = _DIGIT
    what: ClassVar[str] = "digit"


@KINDS.register
@kind("letters:furigana")
class Furigana(Kind):
    """Every run of Chinese characters is followed by its reading in full-width brackets."""

    def judge(self, text: Text) -> Outcome:
        if text.official:
            runs, read = len(_KANJI_RUN.findall(text.text)), len(_READ_RUN.findall(text.text))
            return Outcome(runs == read, f"{read} of {runs} runs of kanji have their reading")
        return absent(first_of(_UNREAD, text.text), "kanji without its reading")


@KINDS.register
@kind("startend:sentence_unified_end")
class UnifiedEnding(Kind):
    """Every sentence ends alike.

    Args:
        ending: How.
    """

    ending: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        found = _sentences(text)
        other = next((each for each in found if not each.endswith(self.ending)), None)
        said = f"all of {len(found)} sentences" if other is None else f"{other[-40:]!r} ends otherwise"
        return Outcome(bool(found) and other is None, said)


@KINDS.register
@kind("detectable_format:nominal_ending")
class NominalEnding(Kind):
    """At least so many sentences end with a noun, by the analyser Janome.

    Args:
        count: Number of them.
    """

    count: int = REQUIRED

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("janome",)

    def judge(self, text: Text) -> Outcome:
        if text.official:
            words = Text(_SPOKEN.sub("", text.text)).japanese
            stops = [
                place for place, (word, _) in enumerate(words) if place and word in tuple(JAPANESE_STOPS)
            ]
            count = sum(words[place - 1][1].startswith(NOUN) for place in stops)
        else:
            ends = [Text(each[-80:]).japanese for each in _sentences(text)]
            count = sum(1 for words in ends if words and words[-1][1].startswith(NOUN))
        return counted(count, "at least", self.count, "sentences that end with a noun")
