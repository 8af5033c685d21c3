"""Capital and small letters: words in capitals, responses in one case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..language.running.scripts import words_of
from .kinds import KINDS, REQUIRED, Kind, Outcome, counted
from .texts import Text

LEAST_LETTERS = 2
"""Letters of a word in capitals: I and A are so in every text."""


@KINDS.register
@dataclass(frozen=True, repr=False)
class CapitalWordFrequency(Kind):
    """So many words stand in capital letters throughout.

    The official counting takes I and A along, and each part of a word that its tokeniser cuts.

    Args:
        capital_frequency: How many.
        capital_relation: How their count compares.
    """

    ids: ClassVar[tuple[str, ...]] = ("change_case:capital_word_frequency",)
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
@dataclass(frozen=True, repr=False)
class AllCapital(_OneCase):
    """The whole response is in capital letters, in the instruction's language."""

    ids: ClassVar[tuple[str, ...]] = (
        "change_case:english_capital", "change_case:french_capital", "change_case:spanish_capital"
    )  # fmt: skip
    upper: ClassVar[bool] = True


@KINDS.register
@dataclass(frozen=True, repr=False)
class AllLowercase(_OneCase):
    """The whole response is in small letters, in the instruction's language."""

    ids: ClassVar[tuple[str, ...]] = (
        "change_case:english_lowercase", "change_case:french_lowercase", "change_case:spanish_lowercase"
    )  # fmt: skip
    upper: ClassVar[bool] = False
