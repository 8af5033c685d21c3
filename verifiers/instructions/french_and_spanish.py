"""Instructions of M-IFEval that belong to French or Spanish: accents, special letters, forms of address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ..language.instruction_words import FRENCH_ACCENTED, FRENCH_TU, FRENCH_VOUS
from .kinds import KINDS, REQUIRED, Kind, Outcome, absent, counted, exactly, present
from .lengths import first_of
from .texts import Piece, Text, pieces

_TU = re.compile(rf"\b(?:{FRENCH_TU})\b|\bt['’](?=\w)", re.IGNORECASE)
_VOUS = re.compile(rf"\b(?:{FRENCH_VOUS})\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_ACCENT = re.compile(f"[{FRENCH_ACCENTED}]", re.IGNORECASE)
_TILDE = re.compile("[áéíóú]", re.IGNORECASE)
_RAW_WORD = re.compile(r"\w+")


@KINDS.register
@dataclass(frozen=True, repr=False)
class InformalAddress(Kind):
    """The response says tu.

    The official counting is content with one tu, whatever else stands there; the right one finds no vous.
    """

    ids: ClassVar[tuple[str, ...]] = (
        "fr:detectable_content:informal_address",
        "detectable_content:informal_address",
    )

    def judge(self, text: Text) -> Outcome:
        formal = None if text.official else first_of(_VOUS, text.text)
        if formal is not None:
            return absent(formal, "formal address")
        return present(first_of(_TU, text.text), "informal address")


@KINDS.register
@dataclass(frozen=True, repr=False)
class NoDigits(Kind):
    """The response has no digit."""

    ids: ClassVar[tuple[str, ...]] = ("detectable_content:no_digits",)

    def judge(self, text: Text) -> Outcome:
        return absent(first_of(_DIGIT, text.text), "digit")


@KINDS.register
@dataclass(frozen=True, repr=False)
class NoAccents(Kind):
    """The response has no letter with an accent."""

    ids: ClassVar[tuple[str, ...]] = ("special_character:no_accents",)

    def judge(self, text: Text) -> Outcome:
        return absent(first_of(_ACCENT, text.text), "accent")


@KINDS.register
@dataclass(frozen=True, repr=False)
class ForbiddenCharacter(Kind):
    """The response does not hold a character, in either case.

    Args:
        forbidden_char: The character.
    """

    ids: ClassVar[tuple[str, ...]] = ("special_character:ethel_or_cedilla",)
    forbidden_char: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        return absent(
            first_of(re.compile(re.escape(self.forbidden_char), re.IGNORECASE), text.text),
            "forbidden character",
        )


@KINDS.register
@dataclass(frozen=True, repr=False)
class AccentsAdded(Kind):
    """The words that lack their accents in the request have them in the response.

    The official counting is content if none of them stands there without accents; the right one also wants
    each of them with its accents.

    Args:
        word_to_accentuate: Each word without its accents, and with them.
    """

    ids: ClassVar[tuple[str, ...]] = ("special_character:accents",)
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
@dataclass(frozen=True, repr=False)
class WordsWithTilde(Kind):
    """So many words bear a written accent (á, é, í, ó, ú).

    Args:
        num_words: How many.
        relation: How their count compares.
    """

    ids: ClassVar[tuple[str, ...]] = ("special_character:tildes",)
    num_words: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        return counted(len(_words_with(text, _TILDE)), self.relation, self.num_words, "words with an accent")


@KINDS.register
@dataclass(frozen=True, repr=False)
class WordsWithEnie(Kind):
    """So many words have an ñ.

    Args:
        let_frequency: How many.
    """

    ids: ClassVar[tuple[str, ...]] = ("special_character:enie",)
    let_frequency: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        return exactly(len(_words_with(text, re.compile("[ñÑ]"))), self.let_frequency, "words with ñ")


@KINDS.register
@dataclass(frozen=True, repr=False)
class WordsWithDieresis(Kind):
    """So many words have a ü.

    Args:
        let_frequency: How many.
    """

    ids: ClassVar[tuple[str, ...]] = ("special_character:dieresis",)
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
@dataclass(frozen=True, repr=False)
class HasQuestion(_Pair):
    """The response has a question between ¿ and ?."""

    ids: ClassVar[tuple[str, ...]] = ("punctuation:question_marks",)
    marks: ClassVar[tuple[str, str]] = ("¿", "?")


@KINDS.register
@dataclass(frozen=True, repr=False)
class HasExclamation(_Pair):
    """The response has an exclamation between ¡ and !."""

    ids: ClassVar[tuple[str, ...]] = ("punctuation:exclamation_marks",)
    marks: ClassVar[tuple[str, str]] = ("¡", "!")
