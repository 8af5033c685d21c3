"""IFBench: how sentences grow, alliterate and begin, and which one holds a word."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import ClassVar

from .ifbench_words import bare_words
from .kinds import KINDS, REQUIRED, Kind, Outcome
from .texts import SIGNS, Text, plain_words


def _words_of(sentence: str, official: bool) -> list[str]:
    return plain_words(sentence) if official else bare_words(Text(sentence))


@KINDS.register
@dataclass(frozen=True, repr=False)
class AlliterationIncrement(Kind):
    """Each sentence has a longer run of words with one first letter than the sentence before.

    The official counting adds up all runs of a sentence.
    """

    ids: ClassVar[tuple[str, ...]] = ("sentence:alliteration_increment",)

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        if text.official:
            runs = [sum(_runs(_cleaned(each))) for each in text.sentence_texts]
        else:
            runs = [max(_runs(bare_words(Text(each))), default=0) for each in text.sentence_texts]
        good = all(before < after for before, after in itertools.pairwise(runs))
        return Outcome(
            good and (text.official or len(runs) > 1), f"runs of {', '.join(map(str, runs[:20]))} words"
        )


def _cleaned(sentence: str) -> list[str]:
    return [word for word in (each.lstrip(SIGNS) for each in sentence.split()) if word]


def _runs(words: list[str]) -> list[int]:
    """The lengths of runs of words with one first letter, two words at least."""
    found = [len(list(run)) for _, run in itertools.groupby(words, key=lambda word: word[0].lower())]
    return [length for length in found if length > 1]


@KINDS.register
@dataclass(frozen=True, repr=False)
class SentenceIncrement(Kind):
    """Each sentence has exactly so many words more than the one before.

    Args:
        small_n: How many.
    """

    ids: ClassVar[tuple[str, ...]] = ("sentence:increment",)
    small_n: int = REQUIRED

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        counts = [len(_words_of(each, text.official)) for each in text.sentence_texts]
        good = all(after == before + self.small_n for before, after in itertools.pairwise(counts))
        return Outcome(
            good and (text.official or len(counts) > 1), f"{', '.join(map(str, counts[:20]))} words"
        )


@KINDS.register
@dataclass(frozen=True, repr=False)
class SentenceKeyword(Kind):
    """A given word stands in the n-th sentence.

    Args:
        word: The word.
        N: Which sentence, from 1.
    """

    ids: ClassVar[tuple[str, ...]] = ("sentence:keyword",)
    word: str = REQUIRED
    N: int = REQUIRED

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        sentences = text.sentence_texts
        if not 1 <= self.N <= len(sentences):
            return Outcome(False, f"{len(sentences)} of at least {self.N} sentences")
        sentence = sentences[self.N - 1]
        word = self.word.strip().lower()
        if text.official:
            good = word in sentence.lower()
        else:
            good = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", sentence.lower()) is not None
        return Outcome(good, f"sentence {self.N}: {sentence[:60]!r}")


@KINDS.register
@dataclass(frozen=True, repr=False)
class SentenceAlphabet(Kind):
    """Twenty-six sentences begin with the letters of the alphabet in order.

    The official counting takes a quotation mark for the first letter.
    """

    ids: ClassVar[tuple[str, ...]] = ("custom:sentence_alphabet",)

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        sentences = text.sentence_texts
        if len(sentences) != 26:
            return Outcome(False, f"{len(sentences)} of 26 sentences")
        for place, sentence in enumerate(sentences):
            start = sentence if text.official else sentence.lstrip("\"'“‘«*_([ ")
            if start[:1].lower() != chr(ord("a") + place):
                return Outcome(False, f"sentence {place + 1} begins with {start[:20]!r}")
        return Outcome(True, "26 sentences from A to Z")
