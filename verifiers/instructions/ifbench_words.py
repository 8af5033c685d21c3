"""IFBench: which words may follow one another, with which letters, and at which places words stand.

And how sentences grow, alliterate and begin, and which one holds a word.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter

from ..language.english_words import VERBS
from ..runtime.packages import require
from .counted_texts import EXTRA, SIGNS, Text, nltk_tokens, plain_words, split_at
from .kinds import KINDS, REQUIRED, Kind, Outcome, counted, kind

_CLUSTER = re.compile(r"[bcdfghjklmnpqrstvwxyz]{2}", re.IGNORECASE)
_ENDS = ("ing", "ize", "ise", "ify", "ate")
_BREAK = re.compile(r"\n+")
_STRIPPED = ".,!?;:\"'“”‘’()[]{}*_`-–—…"
LONGEST_WORD = 60
"""Letters of a word whose syllables are counted."""
MOST_DIVISIONS = 1000
"""Length of a word up to which it is asked whether the length is prime."""


def bare_words(text: Text) -> list[str]:
    """Words without the signs around them."""
    return [word for word in (each.strip(_STRIPPED) for each in text.text.split()) if word]


@KINDS.register
@kind("words:alphabet")
class AlphabetWords(Kind):
    """Each word begins with the next letter of the alphabet; A comes after Z."""

    def judge(self, text: Text) -> Outcome:
        words = text.plain_words if text.official else bare_words(text)
        previous = ""
        for place, word in enumerate(words):
            letter = word[0].lower()
            if not ("a" <= letter <= "z"):
                return Outcome(
                    False, f"word {place + 1}, {word[:40]!r}, begins with no letter of the alphabet"
                )
            if previous and letter != ("a" if previous == "z" else chr(ord(previous) + 1)):
                return Outcome(False, f"word {place + 1}, {word[:40]!r}, comes after {previous!r}")
            previous = letter
        return Outcome(bool(words), f"{len(words)} words in order")


@KINDS.register
@kind("words:vowel")
class VowelTypes(Kind):
    """One paragraph whose words contain three kinds of vowels only.

    The official counting takes fewer kinds, too.
    """

    def judge(self, text: Text) -> Outcome:
        found = sorted(set(text.lower) & set("aeiou"))
        if "\n" in text.stripped:
            return Outcome(False, "more than one paragraph")
        good = len(found) <= 3 if text.official else len(found) == 3
        return Outcome(good, f"the vowels {', '.join(found)}")


@KINDS.register
@kind("words:consonants")
class ConsonantClusters(Kind):
    """Each word has two consonants together at least once."""

    def judge(self, text: Text) -> Outcome:
        words = text.text.split() if text.official else text.word_texts
        other = next((word for word in words if not _CLUSTER.search(word)), None)
        return Outcome(
            bool(words) and other is None, "each word" if other is None else f"{other[:40]!r} has none"
        )


@KINDS.register
@kind("words:last_first")
class LastFirst(Kind):
    """The last word of each sentence is the first one of the next.

    The official counting is content with one sentence, such as a text without stops.
    """

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        if text.official:
            sentences = [_official_ends(each) for each in text.sentence_texts]
        else:
            sentences = [each for each in map(_ends_of, text.sentence_texts) if each]
        for place in range(1, len(sentences)):
            last, first = sentences[place - 1][-1:], sentences[place][:1]
            if not last or last != first:
                said = f"{''.join(last)[:30]!r} ends sentence {place} and does not begin the next"
                return Outcome(False, said)
        return Outcome(text.official or len(sentences) > 1, f"{len(sentences)} sentences")


def _official_ends(sentence: str) -> list[str]:
    """The first word and the last one of a sentence, of which only outer signs go: "tea," is not "tea"."""
    first, last = sentence.lstrip(SIGNS + " ").split(), sentence.rstrip(SIGNS + " ").split()
    return [first[0].lower(), last[-1].lower()] if first and last else []


def _ends_of(sentence: str) -> list[str]:
    return [each for each in (word.strip(_STRIPPED).lower() for word in sentence.split()) if each]


@KINDS.register
@kind("words:start_verb")
class StartVerb(Kind):
    """The response starts with a verb.

    The official verdict is that of nltk's tagger, whose model no package brings: the official counting does
    not judge it. The right one knows a thousand verbs and their endings.
    """

    def unusable(self, language: str, official: bool) -> str:
        return "the official verdict is that of a tagger whose model no package brings" if official else ""

    def judge(self, text: Text) -> Outcome:
        words = bare_words(text)
        word = words[0].lower() if words else ""
        stems = {
            word,
            word.partition("'")[0],
            word.removesuffix("s"),
            word.removesuffix("ed"),
            word.removesuffix("d"),
        }
        good = bool(stems & VERBS) or (len(word) > 5 and word.endswith(_ENDS))
        return Outcome(good, f"it starts with {word[:40]!r}")


@KINDS.register
@kind("words:repeats")
class WordRepeats(Kind):
    """No word stands there more than so many times.

    Args:
        small_n: Number of times.
    """

    small_n: int = REQUIRED

    def judge(self, text: Text) -> Outcome:
        words = text.plain_words if text.official else text.word_texts
        counts = Counter(word.lower() for word in words)
        word, most = counts.most_common(1)[0] if counts else ("", 0)
        return Outcome(most <= self.small_n, f"{word[:40]!r} {most} times, at most {self.small_n}")


@KINDS.register
@kind("words:odd_even_syllables")
class OddEvenSyllables(Kind):
    """Words with an odd and an even number of syllables alternate, as the package syllapy counts them."""

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("syllapy",)

    def judge(self, text: Text) -> Outcome:
        syllapy = require("syllapy", extra=EXTRA)
        words = [each.lower() for each in (text.plain_words if text.official else bare_words(text))]
        # Its rules take a word apart letter by letter, so what is no word at all would never end.
        long = next((word for word in words if len(word) > LONGEST_WORD), None)
        if long is not None:
            return Outcome(False, f"{long[:40]!r} is no word")
        counts = [(word, syllapy.count(word)) for word in words]
        if not text.official:
            counts = [(word, count) for word, count in counts if count > 0]
        for before, after in itertools.pairwise(counts):
            if before[1] % 2 == after[1] % 2:
                return Outcome(
                    False, f"{before[0][:30]!r} has {before[1]} syllables and {after[0][:30]!r} {after[1]}"
                )
        return Outcome(bool(counts), f"{len(counts)} words alternate")


@KINDS.register
@kind("words:paragraph_last_first")
class ParagraphLastFirst(Kind):
    """Each paragraph ends with the word that it began with."""

    def judge(self, text: Text) -> Outcome:
        count = 0
        for piece in split_at(_BREAK, text.text):
            stripped = piece.text.strip().lower().strip(SIGNS + " ")
            words = stripped.split() if text.official else _ends_of(piece.text)
            if not words:
                continue
            count += 1
            if words[0] != words[-1]:
                said = f"a paragraph begins with {words[0][:30]!r} and ends with {words[-1][:30]!r}"
                return Outcome(False, said, (piece.start, piece.end))
        return Outcome(count > 0, f"{count} paragraphs")


@KINDS.register
@kind("words:prime_lengths")
class PrimeLengths(Kind):
    """Each word has a prime number of letters."""

    def judge(self, text: Text) -> Outcome:
        words = text.plain_words if text.official else [each.strip(_STRIPPED) for each in text.text.split()]
        other = next((word for word in words if word and not _is_prime(len(word))), None)
        return Outcome(
            bool(words) and other is None, "each word" if other is None else f"{other[:40]!r}: {len(other)}"
        )


def _is_prime(number: int) -> bool:
    return 2 <= number <= MOST_DIVISIONS and all(number % each for each in range(2, int(number**0.5) + 1))


@KINDS.register
@kind("words:palindrome")
class Palindromes(Kind):
    """The response has at least ten words that are palindromes of five letters and more.

    The official counting takes the same one ten times; the right one ten different ones.
    """

    def judge(self, text: Text) -> Outcome:
        words = [word.lower() for word in (text.plain_words if text.official else text.word_texts)]
        found = [word for word in words if len(word) >= 5 and word == word[::-1]]
        count = len(found) if text.official else len({word for word in found if word.isalpha()})
        return counted(count, "at least", 10, "palindromes")


@KINDS.register
@kind("words:no_consecutive")
class NoConsecutiveLetters(Kind):
    """No two words in a row begin with the same letter."""

    def judge(self, text: Text) -> Outcome:
        words = text.plain_words if text.official else bare_words(text)
        for before, after in itertools.pairwise(words):
            if before[0].lower() == after[0].lower():
                return Outcome(False, f"{before[:30]!r} and {after[:30]!r}")
        return Outcome(True, f"{len(words)} words")


@KINDS.register
@kind("words:words_position")
class WordsPosition(Kind):
    """The second word and the second to last one are a given word.

    The official counting takes marks of punctuation for words.

    Args:
        keyword: The word.
    """

    keyword: str = REQUIRED

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt", "nltk") if official else ()

    def judge(self, text: Text) -> Outcome:
        words = text.tokens if text.official else bare_words(text)
        if len(words) < 2:
            return Outcome(False, f"{len(words)} words")
        wanted = self.keyword.strip().lower()
        good = words[1].lower() == words[-2].lower() == wanted
        return Outcome(good, f"they are {words[1][:30]!r} and {words[-2][:30]!r}")


@KINDS.register
@kind("words:keywords_specific_position")
class KeywordPosition(Kind):
    """A given word is the m-th one of the n-th sentence.

    The official counting takes marks of punctuation for words.

    Args:
        keyword: The word.
        n: Which sentence, from 1.
        m: Which word, from 1.
    """

    keyword: str = REQUIRED
    n: int = REQUIRED
    m: int = REQUIRED

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt", "nltk") if official else ()

    def judge(self, text: Text) -> Outcome:
        sentences = text.sentence_texts
        if not 1 <= self.n <= len(sentences):
            return Outcome(False, f"{len(sentences)} of at least {self.n} sentences")
        sentence = sentences[self.n - 1]
        words = nltk_tokens(sentence) if text.official else bare_words(Text(sentence))
        if not 1 <= self.m <= len(words):
            return Outcome(False, f"sentence {self.n} has {len(words)} of at least {self.m} words")
        word = words[self.m - 1]
        return Outcome(word.lower() == self.keyword.strip().lower(), f"that word is {word[:40]!r}")


def _words_of(sentence: str, official: bool) -> list[str]:
    return plain_words(sentence) if official else bare_words(Text(sentence))


@KINDS.register
@kind("sentence:alliteration_increment")
class AlliterationIncrement(Kind):
    """Each sentence has a longer run of words with one first letter than the sentence before.

    The official counting adds up all runs of a sentence.
    """

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
@kind("sentence:increment")
class SentenceIncrement(Kind):
    """Each sentence has exactly so many words more than the one before.

    Args:
        small_n: The number.
    """

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
@kind("sentence:keyword")
class SentenceKeyword(Kind):
    """A given word stands in the n-th sentence.

    Args:
        word: The word.
        N: Which sentence, from 1.
    """

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
@kind("custom:sentence_alphabet")
class SentenceAlphabet(Kind):
    """Twenty-six sentences begin with the letters of the alphabet in order.

    The official counting takes a quotation mark for the first letter.
    """

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
