"""How long a response is: words, sentences, paragraphs, letters; and how a paragraph begins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from .kinds import KINDS, REQUIRED, Kind, Outcome, counted
from .texts import Piece, Text, split_at

_DIVIDER = re.compile(r"\s?\*\*\*\s?")
_DIVIDING_LINE = re.compile(r"^[ \t]*\*(?:[ \t]*\*){2}[ \t]*$", re.MULTILINE)
_TWO_BREAKS = re.compile(r"\n\n")
_CUT = frozenset(".,?!'\"")


@KINDS.register
@dataclass(frozen=True, repr=False)
class NumberOfWords(Kind):
    """The response has so many words.

    The official counting cuts a word at every sign (don't and 3.5 are two words each).

    Args:
        num_words: How many.
        relation: How their count compares.
    """

    ids: ClassVar[tuple[str, ...]] = ("length_constraints:number_words",)
    num_words: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        words = text.words
        if text.official and text.language == "es":
            words = [each for each in words if not each.text.isdigit()]
        return counted(len(words), self.relation, self.num_words, "words")


@KINDS.register
@dataclass(frozen=True, repr=False)
class NumberOfSentences(Kind):
    """The response has so many sentences.

    The official counting is Punkt's, for which the number of a list's item ("1.") is a sentence, and a
    heading and the line after it are one. Spanish ones it does not judge: they are those of a parser (spaCy).

    Args:
        num_sentences: How many.
        relation: How their count compares.
    """

    ids: ClassVar[tuple[str, ...]] = ("length_constraints:number_sentences",)
    num_sentences: int = REQUIRED
    relation: str = "at least"

    def unusable(self, language: str, official: bool) -> str:
        if official and language == "es":
            return "the official Spanish splitter is a parser whose model no well-kept package brings"
        return ""

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        return counted(len(text.sentences), self.relation, self.num_sentences, "sentences")


@KINDS.register
@dataclass(frozen=True, repr=False)
class NumberOfParagraphs(Kind):
    """Dividers of three asterisks part the response into so many paragraphs.

    The official counting takes three asterisks anywhere, those of ***bold italics*** too.

    Args:
        num_paragraphs: How many.
    """

    ids: ClassVar[tuple[str, ...]] = ("length_constraints:number_paragraphs",)
    num_paragraphs: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        found = split_at(_DIVIDER if text.official else _DIVIDING_LINE, text.text)
        filled = [each for each in found if each.text.strip()]
        inner = next((each for each in found[1:-1] if not each.text.strip()), None)
        if inner is not None:
            return Outcome(False, "nothing stands between two dividers", (inner.start, inner.end))
        return counted(len(filled), "exactly", self.num_paragraphs, "paragraphs")


@KINDS.register
@dataclass(frozen=True, repr=False)
class NthParagraphFirstWord(Kind):
    """Blank lines part the response into so many paragraphs, one of which begins with a given word.

    Args:
        num_paragraphs: How many.
        nth_paragraph: Which one, from 1.
        first_word: How it begins.
    """

    ids: ClassVar[tuple[str, ...]] = ("length_constraints:nth_paragraph_first_word",)
    num_paragraphs: int = REQUIRED
    nth_paragraph: int = REQUIRED
    first_word: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        found = split_at(_TWO_BREAKS, text.text) if text.official else text.paragraphs
        count = sum(1 for each in found if each.text.strip())
        said = f"{count} of {self.num_paragraphs} paragraphs"
        if not 1 <= self.nth_paragraph <= count or count != self.num_paragraphs:
            return Outcome(False, said)
        # The official counting finds the place among all pieces, empty ones included.
        piece = found[self.nth_paragraph - 1]
        begins = self._begins(piece.text.strip(), text)
        span = (piece.start, min(piece.end, piece.start + 80))
        return Outcome(
            begins, f"{said}; number {self.nth_paragraph} begins with {piece.text.strip()[:40]!r}", span
        )

    def _begins(self, paragraph: str, text: Text) -> bool:
        wanted = self.first_word.strip().lower()
        if not text.official:
            return _begins_with(paragraph, wanted)
        if text.language == "ja":
            return paragraph.lstrip("\u300c").lstrip("\u300e").startswith(wanted)
        if text.language == "es":
            return paragraph.lower().startswith(wanted)
        word = paragraph.split(maxsplit=1)[0].lstrip("'").lstrip('"') if paragraph else ""
        end = next((place for place, letter in enumerate(word) if letter in _CUT), len(word))
        return bool(paragraph) and word[:end].lower() == wanted


def _begins_with(paragraph: str, wanted: str) -> bool:
    """Whether a paragraph begins with a word or phrase, its marks of dress aside."""
    start = paragraph.lower().lstrip("*_#>\"'“‘«「『( \t")
    if not start.startswith(wanted):
        return False
    rest = start[len(wanted) : len(wanted) + 1]
    return not (rest.isalnum() and ord(rest) < 0x0E00)


@KINDS.register
@dataclass(frozen=True, repr=False)
class NumberOfLetters(Kind):
    """The response has so many characters; for the right counting those that are no white space.

    Args:
        num_letters: How many.
        relation: How their count compares.
    """

    ids: ClassVar[tuple[str, ...]] = ("length_constraints:number_letters",)
    num_letters: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        count = len(text.text) if text.official else sum(not each.isspace() for each in text.text)
        return counted(count, self.relation, self.num_letters, "characters")


def first_of(pattern: re.Pattern[str], text: str) -> Piece | None:
    """The first match of a pattern, with its place."""
    found = pattern.search(text)
    return None if found is None else Piece(found.group(), *found.span())
