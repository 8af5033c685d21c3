"""Whether a sentence that marks nothing gives its number as a conclusion, or as the answer to what is asked.

A number that stands in a sentence is no answer yet: "bus 31 is late" has one, too. It counts where the text
came to it (it is concluded, or a sum before gives it). Else the words that tie it to its sentence must be
understood, and the sentence must be about what the question is about, or the text before it. Where a text is
that one sentence, and nobody asks, what is counted or measured in it counts.
"""

from __future__ import annotations

import itertools
import re
from functools import cache, lru_cache
from typing import NamedTuple

from ..language.language_patterns import CLOSING, ahead, anywhere, fragments, spoken
from ..language.numerals.in_words import in_words
from ..language.recognised import table_of
from ..language.sentences.words_before import sentence_start, turning
from ..language.spoken_languages import Language
from ..reading import prose as running
from ..runtime.patterns import lazy
from ..units.behind_numbers import ORDINAL, read_unit
from ..units.quantities import conversion, measure

_TAIL = 120
"""Characters after a value in which its sentence ends."""
_MEMORY = 1_500
"""Characters of the question, and before the sentence, that say what it is about."""
_SHARED = 2
"""Words of a sentence that are known from there, where what it counts is not."""
_STOP = lazy(r"[\n。！？!?;；]|\.(?=[\s\"'”’)*]|\Z)")
_BEFORE = lazy(r"[^\w\s=+*^({\[√-]{0,2}\s?|[^\W\da-zA-Z_]\s?")
"""A sign before a number, or one that says its place in a row."""
_COUNTED = lazy(r"[\\%]{0,2}(?:\s?[^\W\d_][^\s\d=+*^(){}\[\]<>\\]{0,30}+){0,5}")
"""The words after a number that are extracted with it."""
_SIGNED = lazy(r"[$€£¥₩%°]")
_OPENS = lazy(r"(?:\A|[,，、;；:：(]|\band)\s*+\Z")
_LED = lazy(r"[:：=≈→][\s*_$\\(\[{>]{0,6}\Z")
"""A title or a formula's sign before a number."""
_LABEL = lazy(r"\s*+(?:[Tt]he\s++)?([A-Za-z]{2,}+)\s*+")
"""One word, as a title without its colon: "apples 12"."""
_CLAUSE = lazy(r"(?:\A|[,;:])[\s*_]{0,4}(?:(?:only|just|exactly|all|and) ){0,2}[\s*_]{0,4}\Z", re.IGNORECASE)
_COMMA = lazy("[,，、;；:：]")
_WORD = lazy(r"[^\W\d_]+|[$€£¥₩]")


def not_consented(text: str, start: int, end: int, question: str) -> tuple[int, int] | None:
    """The sentence of an unmarked number that does not give it as an answer, as far as it is understood.

    Args:
        text: The text.
        start: First character of the number.
        end: Place behind its last one, or behind what it counts.
        question: The row's question, or "".

    >>> asked = "How many muffins does Dora keep?"
    >>> said = ("Dora keeps 42.", "So it is 42.", "42 muffins stay.", "My locker is 42.", "A voice said 42.")
    >>> [not_consented(each, each.index("42"), each.index("42") + 2, asked) is None for each in said]
    [True, True, True, False, False]
    """
    number = _number(text, start, end)
    if number is None:
        return None  # a formula is no number that happens to stand there
    low = sentence_start(text, start)
    stop = _STOP.search(text, end, end + _TAIL)
    high = stop.start() if stop else min(len(text), end + _TAIL)
    before, after = text[low : number[0]], text[end:high]
    language = _language(before + after)
    if language is None or not language.ties or table_of(text[low:high]) is not None:
        return None
    if _LABEL.fullmatch(text, 0, start) and not _WORD.search(text, end):
        return None
    if _LED.search(before) or _concludes(before, language):
        return None
    if _is_result(text[: number[0]], text[slice(*number)].strip("$\\% ")):
        return None
    counted = text[number[1] : end].strip("\\% ")
    if (
        language.endings
        and _endings(language).fullmatch(counted)
        and read_unit(counted) in (None, "", counted)
    ):
        counted = ""  # a particle
    earlier = text[max(0, low - _MEMORY) : low]
    said = _Sentence(before, after, counted, _SIGNED.search(text, start, end) is not None)
    return None if _answers(said, language, question[:_MEMORY], earlier) else (low, high)


class _Sentence(NamedTuple):
    """A sentence around its number: words before and behind it, what it counts, whether a sign says so."""

    before: str
    after: str
    counted: str
    signed: bool


def _answers(sentence: _Sentence, language: Language, asked: str, earlier: str) -> bool:
    """Return whether a sentence is understood, and about what is asked or was spoken of."""
    before, after, counted, signed = sentence
    about = f"{asked}\n{earlier}"
    said, known = _content(f"{before} {after}", language), _content(about, language)
    understood = said <= known
    is_asked = bool(counted) and _is_counted(counted, about + before, known, language)
    if not is_asked and _is_name(language, before, counted + after):
        return False
    if not asked and anywhere(language, "ours").search(before, _since_turn(before, language)) is not None:
        return False
    if not counted:
        tied = signed or _is_tied(language, before, after)
        return understood or (tied and (not asked or not said.isdisjoint(known)))
    if is_asked or not about.strip():
        return True
    return (understood and (not asked or _unit(counted) is not None)) or len(said & known) >= _SHARED


def _number(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span of the number in a value that is one with what it counts; None for formulas, lists and 3x."""
    value = text[start:end]
    if in_words(value) is not None:
        return start, end
    found = running.numbers(value)
    if len(found) != 1 or not _BEFORE.fullmatch(value, 0, found[0].start()):
        return None
    first, last = (start + place for place in found[0].span())
    counted = text[last:end]
    glued = counted[:1].isascii() and counted[:1].isalpha() and not ORDINAL.match(counted)
    if not _COUNTED.fullmatch(counted) or (glued and _unit(counted) is None):
        return None
    return first, last


def _language(sentence: str) -> Language | None:
    """The language with the most letters of a sentence."""
    found = spoken(sentence)
    return max(found, key=lambda each: len(re.findall(each.script, sentence)), default=None)


def _since_turn(before: str, language: Language) -> int:
    """Return the start of a sentence's last clause: behind a comma, or "but"."""
    turns = turning(language).finditer(before) if language.turning else ()
    return max((turn.end() for turn in itertools.chain(turns, _COMMA.finditer(before))), default=0)


def _concludes(before: str, language: Language) -> bool:
    return any(_OPENS.search(before, 0, found.start()) for found in anywhere(language, "so").finditer(before))


def _is_result(before: str, number: str) -> bool:
    """Return whether a sum that stands before gives the number."""
    at = before.find(number)
    while at >= 0:
        led = _LED.search(before, max(0, at - 8), at)
        if led is not None and led.group()[0] not in ":：" and not _LONGER.match(before, at + len(number)):
            return True
        at = before.find(number, at + 1)
    return False


_LONGER = lazy(r"\d|[.,]\d")
"""What makes digits before it the beginning of another number."""


def _is_name(language: Language, before: str, after: str) -> bool:
    """Return whether the number only names a thing: "had a 63 on it", "Gate 26 is closed"."""
    if _after(language, "named").match(after) is not None:
        return True
    if _is_spaced(language) and (noun := _LABEL.fullmatch(before)) is not None:
        return _neutral(language).fullmatch(noun[1]) is None
    return bool(language.naming) and ahead(language, "naming").search(before) is not None


def _is_tied(language: Language, before: str, after: str) -> bool:
    """Return whether known words tie the number to what it is the number of."""
    if ahead(language, "ties").search(before) is not None:
        return True
    opens = not _is_spaced(language) or _CLAUSE.search(before) is not None
    return opens and _after(language, "tied").match(after) is not None


def _is_spaced(language: Language) -> bool:
    """Return whether a language writes blanks between all words, and its verb before the value."""
    return language.blank == r"\s{1,4}"


@cache
def _after(language: Language, field: str) -> re.Pattern[str]:
    words = "|".join(fragments(language, field)) or "(?!)"
    return re.compile(rf"{CLOSING}\s{{0,2}}(?:{words})", re.IGNORECASE)


@lru_cache(maxsize=512)
def _content(text: str, language: Language) -> frozenset[str]:
    """Return the subjects of a text: stems of its words, or pairs of signs where no blanks are written."""
    neutral = _neutral(language)
    if not language.stem:
        runs = re.findall(f"{language.script}+", neutral.sub(" ", text))
        return frozenset(run[at : at + 2] for run in runs for at in range(max(1, len(run) - 1)))
    words = re.findall(f"{language.script}++", text)
    return frozenset(_stem(word, language) for word in words if not neutral.fullmatch(word))


def _stem(word: str, language: Language) -> str:
    ended = _endings(language).search(word, min(len(word), language.stem // 2))
    return word[: ended.start() if ended else len(word)][: language.stem].casefold()


@cache
def _endings(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(language.endings)})\Z", re.IGNORECASE)


@cache
def _neutral(language: Language) -> re.Pattern[str]:
    return re.compile("|".join(language.neutral) or "(?!)", re.IGNORECASE)


def _is_counted(counted: str, about: str, known: frozenset[str], language: Language) -> bool:
    """Return whether what the number counts, or its unit, is counted in the question or before."""
    if _is_spaced(language):
        if not known.isdisjoint(_content(counted, language)):
            return True
    elif _is_mentioned(counted, about, language):
        return True
    unit = _unit(counted)
    return unit is not None and any(_same(unit, word) for word in set(_WORD.findall(about)))


def _is_mentioned(counted: str, about: str, language: Language) -> bool:
    """Return whether the last word that a number counts stands in a text, with any ending."""
    last = counted.rsplit(maxsplit=1)[-1]
    if not language.stem:
        return last in about
    noun = _endings(language).sub("", last) or last
    return any(
        word == noun or (word.startswith(noun) and _endings(language).fullmatch(word, len(noun)) is not None)
        for word in re.findall(f"{language.script}++|[A-Za-z]++", about)
    )


def _unit(counted: str) -> str | None:
    unit = read_unit(f" {counted}", True)
    return unit if unit and measure(unit) is not None else None


@lru_cache(maxsize=2048)
def _same(unit: str, word: str) -> bool:
    other = read_unit(f" {word}", True)
    return other is not None and conversion(unit, other) is not None
