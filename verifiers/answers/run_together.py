"""Answers that nothing joins: "Porto Lisbon Faro", "honey amber", and the same without blanks in Chinese.

Where a phrase is all that a sentence says, or all that follows its "is", it is a closed world: each word
beside the answer has to be the question's own, a title, what kind of thing it is, or what only says more of
it. A word that nobody here knows may be another answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from importlib.resources import files

from ..language.compared_words import (
    CHINESE_GRAMMAR,
    CHINESE_KINDS,
    CHINESE_TIES,
    EASTERN,
    PLACE_ENDINGS,
    SAYING_SO,
    SYLLABLES,
    Word,
    is_bare_noun,
    simplified,
    stem,
    words,
)
from ..language.english_words import DEGREES, KINDS, STOP_WORDS, SUBSTANCES, TITLES, VERBS, is_modifier
from ..runtime.patterns import lazy
from .wanted import Wanted

_LONGEST = 200
"""Characters of a phrase on either side of an answer."""
_ENDS = lazy(r"[.!?;:,()（）\[\]\n。！？；：，、\"“”/|]|\s[-–—]\s")
_SYLLABLE = lazy(f"[{SYLLABLES}]")
_TIE = lazy(rf"\b(?:is|are|was|were|be|called|named)\s++|{CHINESE_TIES}")
_SHORTEST = 2
"""Letters of a word that may be an answer."""
_LOOSE_SIGNS = " *_'‘’~"
_LOOSE = " \t\n.!*_\"'”’"
_AUXILIARIES = frozenset("would could may might must shall cannot".split())
_MOST_BEFORE_A_KIND = 3
_SAYING_LITTLE = frozenset(
    word.form
    for word in words(
        "often always sometimes also now then still about around approximately roughly circa near simply "
        "maybe perhaps possibly"
    )
)
_KINDS = frozenset(form for each in KINDS for form, *_ in words(each))
_FULL_NAME = 2
"""Words of a name that is given in full."""


@cache
def regions() -> frozenset[str]:
    """States and their largest divisions, in lower case."""
    text = files(__package__).joinpath("regions.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return frozenset(name.strip().casefold() for line in lines for name in line.split(","))


def run_together(
    text: str,
    start: int,
    end: int,
    low: int,
    wanted: Wanted,
    accepted: AbstractSet[str],
    asked: AbstractSet[str],
) -> bool:
    """Whether words stand in one phrase with an answer that may be other answers.

    Args:
        text: The text.
        start: Where the answer begins.
        end: Where it ends.
        low: Where the text begins to give its answer.
        wanted: The accepted answer that stands there.
        accepted: The stems of the words of all accepted answers.
        asked: The stems of those of the question.
    """
    if wanted.kind == "yes_no":
        return False
    first, last = _phrase(text, start, end, low)
    if wanted.eastern:
        return _eastern(text[first:start], text[end:last], wanted, asked)
    beside = [*_words(text, first, start), *_words(text, end, last)]
    if any(word.form in STOP_WORDS or word.form in _AUXILIARIES for word in beside) or EASTERN.search(
        text[first:last]
    ):
        return False  # a sentence, which has words of its own
    strange = [word for word in beside if not _known(word, accepted, asked, wanted)]
    if not strange:
        return False
    if wanted.kind in ("number", "date"):
        return all(word.value not in (None, wanted.number) for word in strange)
    if any(char.isdigit() for char in wanted.text):
        return False
    small = text.islower() and any(char.isupper() for char in wanted.text)
    if small or text[start].isupper():
        if not small and any(text[word.start].islower() for word in strange):
            return False
        if not small:
            strange = _capitals(text, beside, strange, start)
        if wanted.kind == "name" or not strange:
            return bool(strange) and _other_person(wanted, strange, start)
        head = words(text[first:last])[-1].form
        return not (head in _KINDS and len(strange) <= _MOST_BEFORE_A_KIND)  # Los Angeles Memorial Coliseum
    leading = (word.form in STOP_WORDS or stem(word.form) in asked for word in words(text[low:first]))
    whole = all(leading) and not text[last:].strip(_LOOSE)
    spoken = any(word.form in VERBS for word in strange)
    made = not any(form in SUBSTANCES for form in wanted.forms[0])
    return (
        whole
        and not spoken
        and any(
            word.start > start or not (is_modifier(word.form) or (made and word.form in SUBSTANCES))
            for word in strange
        )
    )


def _words(text: str, start: int, end: int) -> list[Word]:
    return [word._replace(start=word.start + start) for word in words(text[start:end])]


def _phrase(text: str, start: int, end: int, low: int) -> tuple[int, int]:
    """Where the phrase begins and ends that an answer stands in."""
    first = max(low, start - _LONGEST)
    first = max((stop.end() for stop in _ENDS.finditer(text, first, start)), default=first)
    first = max((tie.end() for tie in _TIE.finditer(text, first, start)), default=first)
    stop = _ENDS.search(text, end, end + _LONGEST)
    return first, stop.start() if stop else min(len(text), end + _LONGEST)


def _capitals(text: str, beside: Sequence[Word], strange: Sequence[Word], start: int) -> list[Word]:
    """Those of the strange words that stand in one run of capitals with the answer."""
    after = itertools.takewhile(
        lambda word: text[word.start].isupper(), (word for word in beside if word.start > start)
    )
    before = itertools.takewhile(
        lambda word: text[word.start].isupper(), (word for word in reversed(beside) if word.start < start)
    )
    run = {word.start for word in (*before, *after)}
    return [word for word in strange if word.start in run]


def _known(word: Word, accepted: AbstractSet[str], asked: AbstractSet[str], wanted: Wanted) -> bool:
    """Whether a word beside an answer is understood."""
    return (
        len(word.form) < _SHORTEST
        or word.form in _SAYING_LITTLE
        or (word.form in _KINDS and wanted.kind != "name")
        or word.form in TITLES
        or word.form in DEGREES
        or stem(word.form) in accepted
        or stem(word.form) in asked
    )


def _other_person(wanted: Wanted, strange: Sequence[Word], start: int) -> bool:
    """Whether the words beside a name are more than further parts of it, or what the person is."""
    full = all(len(form) >= _FULL_NAME for form in wanted.forms)
    behind = sum(word.start > start for word in strange)
    return behind > 1 or len(strange) > (1 if full else _FULL_NAME)


def _eastern(before: str, after: str, wanted: Wanted, asked: AbstractSet[str]) -> bool:
    """The same of a text in Korean, Chinese or Japanese."""
    if _SYLLABLE.search(wanted.eastern):
        behind = after.split()
        attached = bool(behind) and not after[0].isspace()
        if attached and not is_bare_noun(behind[0]):
            return False  # the answer is a part of a sentence
        beside = [word.strip(_LOOSE_SIGNS) for word in (*before.split(), *behind[attached:])]
        return all(map(is_bare_noun, beside)) and any(_strange_korean(word, wanted, asked) for word in beside)
    letters, said = simplified(before + after), simplified("".join(asked)) + simplified(wanted.eastern)
    if not CHINESE_GRAMMAR.isdisjoint(letters):
        return False
    return any(
        EASTERN.match(char) is not None and char not in said and char not in CHINESE_KINDS for char in letters
    )


def _strange_korean(word: str, wanted: Wanted, asked: AbstractSet[str]) -> bool:
    """Whether a Korean word beside an answer may be another one."""
    if word in SAYING_SO or word in PLACE_ENDINGS or not EASTERN.match(word) or word in wanted.eastern:
        return False
    return not any(word.startswith(each) or each.startswith(word) for each in asked if len(each) > 1)
