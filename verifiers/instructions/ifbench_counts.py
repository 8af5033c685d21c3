"""IFBench: how many, and which share, of words, signs, names and sentences."""

from __future__ import annotations

import re
from collections import Counter

from ..language.english_words import CONJUNCTIONS, PERSONAL_PRONOUNS, PRONOUNS, STOP_WORDS
from ..language.running_text import HAN, KANA
from .counted_texts import SIGNS, Text, nltk_tokens
from .kinds import KINDS, REQUIRED, Kind, Outcome, counted, exactly, kind
from .words_and_letters import found

_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:[.,]\d+)*%?(?![\w])")
_DIGITS = re.compile(r"\d+")
_JAPANESE = re.compile(f"[{HAN}{KANA}]")
NAMES = frozenset(
    """
    Emma Liam Sophia Jackson Olivia Noah Ava Lucas Isabella Mason Mia Ethan Charlotte Alexander
    Amelia Benjamin Harper Leo Zoe Daniel Chloe Samuel Lily Matthew Grace Owen Abigail Gabriel Ella
    Jacob Scarlett Nathan Victoria Elijah Layla Nicholas Audrey David Hannah Christopher Penelope
    Thomas Nora Andrew Aria Joseph Claire Ryan Stella Jonathan
    """.split()
)
"""The names that the prompts of IFBench offer."""
STOPS = (".", ",", "!", "?", ";", ":")
INTERROBANGS = ("?!", "!?", "\u203d")
TIMES = (1, 2, 3, 5, 7)
"""Times that each of the five keywords of `count:keywords_multiple` is asked for."""
OVERLAP_MARGIN = 2
"""Percentage points by which an overlap may miss."""


@KINDS.register
@kind("count:word_count_range")
class WordCountRange(Kind):
    """The number of words lies in a range.

    Args:
        min_words: The least.
        max_words: The most.
    """

    min_words: int = REQUIRED
    max_words: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        count = len(text.words)
        return Outcome(
            self.min_words <= count <= self.max_words,
            f"{count} of {self.min_words} to {self.max_words} words",
        )


@KINDS.register
@kind("count:unique_word_count")
class UniqueWordCount(Kind):
    """The response has at least so many different words.

    The official counting takes what stands between blanks, a lone dash too.

    Args:
        N: The number.
    """

    N: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        words = [word.strip(SIGNS) for word in text.lower.split()] if text.official else text.word_texts
        return counted(len({word.lower() for word in words}), "at least", self.N, "different words")


@KINDS.register
@kind("count:conjunctions")
class ConjunctionCount(Kind):
    """The response has at least so many different coordinating conjunctions.

    For the official counting "and", "And" and "and," are three.

    Args:
        small_n: The number.
    """

    small_n: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        if text.official:
            words = {word for word in text.text.split() if word.strip(SIGNS).lower() in CONJUNCTIONS}
        else:
            words = {word.lower() for word in text.word_texts} & CONJUNCTIONS
        return counted(len(words), "at least", self.small_n, f"conjunctions ({', '.join(sorted(words))})")


@KINDS.register
@kind("count:person_names")
class PersonNameCount(Kind):
    """The response mentions at least so many of the fifty names that the prompts offer.

    Args:
        N: The number.
    """

    N: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        found = NAMES & set(re.findall(r"\w+", text.text))
        return counted(len(found), "at least", self.N, "names")


@KINDS.register
@kind("count:numbers")
class NumberCount(Kind):
    """The response has exactly so many numbers.

    The official counting takes every run of digits, such as that of 1960s, after signs are out (3.5 is 35).

    Args:
        N: The number.
    """

    N: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        if text.official:
            return exactly(len(_DIGITS.findall(" ".join(text.plain_words))), self.N, "numbers")
        return exactly(len(_NUMBER.findall(text.text)), self.N, "numbers")


@KINDS.register
@kind("count:punctuation")
class PunctuationMarks(Kind):
    """The response has every standard mark of punctuation, and an interrobang."""

    def judge(self, text: Text) -> Outcome:
        held = next((each for each in INTERROBANGS if each in text.text), None)
        if held is None:
            return Outcome(False, "no interrobang")
        rest = text.text.replace(held, "", 1)
        missing = [each for each in STOPS if each not in rest]
        return Outcome(not missing, f"missing: {' '.join(missing)}" if missing else "every mark")


@KINDS.register
@kind("count:pronouns")
class PronounCount(Kind):
    """The response has at least so many pronouns.

    The official counting knows personal and possessive ones only.

    Args:
        N: The number.
    """

    N: int = REQUIRED

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("nltk",) if official else ()

    def judge(self, text: Text) -> Outcome:
        known = PERSONAL_PRONOUNS if text.official else PRONOUNS
        if text.official:
            words = nltk_tokens(text.lower.replace("/", " "))
        else:
            words = [each.partition("'")[0] for each in text.word_texts]
        return counted(sum(word.lower() in known for word in words), "at least", self.N, "pronouns")


@KINDS.register
@kind("count:keywords_multiple")
class KeywordsMultiple(Kind):
    """Five keywords stand in the response once, twice, three, five and seven times.

    The official counting takes a part of another word, too.

    Args:
        keyword1: The one that stands there once.
        keyword2: The one that stands there twice.
        keyword3: The one that stands there three times.
        keyword4: The one that stands there five times.
        keyword5: The one that stands there seven times.
    """

    keyword1: str = REQUIRED
    keyword2: str = REQUIRED
    keyword3: str = REQUIRED
    keyword4: str = REQUIRED
    keyword5: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        words = (self.keyword1, self.keyword2, self.keyword3, self.keyword4, self.keyword5)
        for word, times in zip(words, TIMES, strict=True):
            if text.official:
                count = text.lower.count(word.strip().lower())
            else:
                count = len(found(text, word, bounded=True))
            if count != times:
                return Outcome(False, f"{count} of {times} times {word!r:.60}")
        return Outcome(True, "each keyword as often as asked")


@KINDS.register
@kind("count:words_japanese")
class JapaneseWords(Kind):
    """Every n-th word is Japanese.

    Args:
        N: Which ones.
    """

    N: int = REQUIRED

    def unusable(self, language: str, official: bool) -> str:
        return "" if self.N >= 1 else f"N is {self.N}, and every {self.N}-th word is none"

    def judge(self, text: Text) -> Outcome:
        words = text.text.split()
        for place in range(self.N - 1, len(words), self.N):
            word = words[place]
            passed = text.official and (not word.strip(SIGNS) or word.strip(SIGNS).isdigit())
            if not _JAPANESE.search(word) and not passed:
                return Outcome(False, f"word {place + 1}, {word[:40]!r}, is not Japanese")
        if not text.official and len(words) < self.N:
            return Outcome(False, f"{len(words)} words, so that no {self.N}-th one is there")
        return Outcome(True, f"each of {len(words) // self.N} words")


@KINDS.register
@kind("ratio:stop_words")
class StopWordShare(Kind):
    """At most such a percentage of the words are stop words.

    Args:
        percentage: In percent.
    """

    percentage: float = REQUIRED

    def judge(self, text: Text) -> Outcome:
        words = text.word_texts
        count = sum(word.lower().replace("\u2019", "'") in STOP_WORDS for word in words)
        share = 100 * count / len(words) if words else 0.0
        return Outcome(
            bool(words) and share <= self.percentage,
            f"{share:.1f} % of at most {self.percentage:g} % stop words",
        )


def sentence_types(text: Text) -> Counter[str]:
    """Sentences by the mark with which they end, before quotation marks and stars."""
    ends: Counter[str] = Counter()
    for sentence in text.sentence_texts:
        ends[sentence.rstrip("\"'" if text.official else "\"'”’»)*_ ")[-1:]] += 1
    return ends


@KINDS.register
@kind("ratio:sentence_type")
class SentenceTypeRatio(Kind):
    """There are twice as many declarative sentences as interrogative ones.

    The official counting takes none of either for such a ratio.
    """

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        ends = sentence_types(text)
        said = f"{ends['.']} declarative and {ends['?']} interrogative sentences"
        return Outcome(ends["."] == 2 * ends["?"] and (text.official or ends["?"] > 0), said)


@KINDS.register
@kind("ratio:sentence_balance")
class SentenceBalance(Kind):
    """There are as many declarative sentences as interrogative and as exclamatory ones."""

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        ends = sentence_types(text)
        same = ends["."] == ends["?"] == ends["!"]
        said = f"{ends['.']} declarative, {ends['?']} interrogative, {ends['!']} exclamatory sentences"
        return Outcome(same and (text.official or ends["."] > 0), said)


@KINDS.register
@kind("ratio:sentence_words")
class SentenceWords(Kind):
    """Three sentences, all of so many characters, and no word twice."""

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        sentences = text.sentence_texts
        if len(sentences) != 3:
            return Outcome(False, f"{len(sentences)} of 3 sentences")
        lengths = [len(each.strip()) for each in sentences]
        if len(set(lengths)) > 1:
            return Outcome(False, f"{', '.join(map(str, lengths))} characters")
        if not text.official:
            words = Counter(word.lower() for word in text.word_texts)
            twice = next((word for word, count in words.items() if count > 1), None)
            if twice is not None:
                return Outcome(False, f"{twice!r:.60} stands there {words[twice]} times")
        return Outcome(True, f"3 sentences of {lengths[0]} characters")


@KINDS.register
@kind("ratio:overlap")
class TrigramOverlap(Kind):
    """Such a percentage of the response's trigrams are those of a reference text, within two points.

    The official counting takes trigrams of characters; the right one those of words.

    Args:
        percentage: In percent.
        reference_text: The text.
    """

    percentage: float = REQUIRED
    reference_text: str = REQUIRED

    def unusable(self, language: str, official: bool) -> str:
        size = len(self.reference_text) if official else len(Text(self.reference_text).words)
        return "" if size >= 3 else "the reference text has no trigram"

    def judge(self, text: Text) -> Outcome:
        if text.official:
            ours, theirs = _trigrams(text.text), _trigrams(self.reference_text)
        else:
            ours = _trigrams([word.lower() for word in text.word_texts])
            theirs = _trigrams([word.lower() for word in Text(self.reference_text).word_texts])
        share = 100 * len(ours & theirs) / len(ours) if ours else 0.0
        good = self.percentage - OVERLAP_MARGIN <= share <= self.percentage + OVERLAP_MARGIN
        return Outcome(good, f"{share:.1f} % of {self.percentage:g} ± {OVERLAP_MARGIN} % of its trigrams")


def _trigrams(items: str | list[str]) -> set[tuple[str, ...]]:
    return set(zip(items, items[1:], items[2:], strict=False))
