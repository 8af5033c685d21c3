"""Quantities in prose, whose words say what a number counts: 17 teachers, 2 hours 30 minutes, March 15."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from ..formulas.formula_tree import Number
from ..language.maths_words import BELOW_ZERO, HAN, HANGUL
from ..language.numerals import chinese_numerals, korean_numerals
from ..language.numerals.english_numerals import counted as english_noun
from ..language.numerals.in_words import HALF_AFTER, HALVES
from ..language.numerals.korean_numerals import is_particle, without_particle
from ..language.numerals.spoken_formulas import in_signs, may_be_aloud
from ..language.sentences.marks import sentence_end
from ..language.sentences.number_words import counted_at_end
from ..language.sentences.said_values import value
from ..runtime.patterns import lazy
from ..units.behind_numbers import ORDINAL, PERCENT, REMARK, read_unit
from ..units.dates_and_times import (
    DATE_BEGINNING,
    HALF_PAST,
    IN_PARTS,
    TIME_BEGINNING,
    may_be_clock_time,
    may_be_date,
    read_clock_time,
    read_date,
)
from ..units.expressions import LEAD_BEGINNING, LEADING, SUM_BEGINNING, lead, led, may_be_sum, may_lead, total
from ..units.quantities import measure
from .plain_numbers import read_number

_SURE = 11
"""From here on a Korean numeral has two syllables and more, so that it needs no counter."""
_BACK, _AHEAD = 32, 48
"""Characters before and after a number in which its quantity stands."""
_WORD = lazy(
    r"[ \u00a0]?(?:\\text\{[^{}]{1,30}\}(?:\^\{?[23]\}?)?|[^\s,，、;；:：!?！？。()（）\[\]{}\"“”*_]+)"
)
_MOST_WORDS, _LONGEST_WORD = 4, 12
_LATIN_THEN_OTHER = lazy(
    rf"[ \u00a0]?[A-Za-zµΩ°℃℉%㎡㎥ℓ²³/·^⁻\d-]*[A-Za-zµΩ°℃℉%㎡㎥ℓ²³\d](?=[{HANGUL}{HAN}])"
)
_HAN = lazy(f"[ ]?[{HAN}]{{1,8}}")
_HAN_RUN = lazy(f"[{HAN}]{{1,16}}")
_HANGUL = lazy(f"[{HANGUL}]+")
_HALF = lazy(HALF_AFTER)
_LOOSE = ".'’…~"
_BELOW_ZERO = lazy(rf"(?:{BELOW_ZERO})\s?\Z")
_CURRENCY = lazy(r"(?:(?<![\\$\w])\\?\$|[€₩¥£])\s?\Z")
_BEFORE_IT = lazy(r"\d|day|\bat\s|[A-Z]{2}|\$|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec", re.IGNORECASE)
"""Beginnings of a quantity before its last number, written in ASCII: a number or a date."""
_START = lazy(rf"(?<![\d.])\d|(?<![^\W\d_])[^\W\d_]|[{HAN}](?=[{HAN}]{{0,3}}\s?\d)")
_BEGINS = lazy(rf"(?<![\d.])(?=\d)|(?<![^\W\d_])(?={SUM_BEGINNING}|{LEADING})", re.IGNORECASE)
"""Where a sum or a lead may begin that stands before its last number: not all words do."""
_ANY_HAN = lazy(f"[{HAN}]")
_WORD_FIRST = lazy(rf"[{HANGUL}A-Za-z]{{2}}[{HANGUL}a-z]")
_NUMBER = lazy(r"([\d.,/]+)\s*(.*)", re.DOTALL)


def spelled_at_end(text: str) -> tuple[int, int] | None:
    """Return the span of a value in words that is a text or closes it; None without one.

    >>> text = "So it's an hour and a half."
    >>> text[slice(*spelled_at_end(text))]
    'an hour and a half'
    """
    return counted_at_end(text, is_spelled, _BEGINNING)


_BEGINNING = lazy("|".join((korean_numerals.BEGINNING, LEAD_BEGINNING, TIME_BEGINNING, DATE_BEGINNING)))
"""With what every value begins that `is_spelled` and that begins with Hangul."""


def is_spelled(said: str) -> bool:
    """Return whether words are a value and nothing else: a number, a quantity, a time or a date.

    A small Korean number needs a counter, since most of them are words of their own: "one of them", "this".

    >>> is_spelled("twelve eggs"), is_spelled("half past three"), is_spelled("eggs"), is_spelled("12 eggs")
    (True, True, False, False)
    """
    said = said.strip()
    if any(map(str.isdigit, said)):
        return False
    if _is_moment_or_sum(said):
        return True
    found = read_number(said)
    if found is None or found.unit.startswith(REMARK):
        return False
    if found.unit or said.isascii() or _HANGUL.match(said) is None or not isinstance(found.node, Number):
        return True
    return abs(found.node.value) >= _SURE or (found.node.value.denominator > 1 and len(said) > 1)


def quantity_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the quantity that a number in a sentence belongs to; else that of the number.

    >>> def found(text, number):
    ...     at = text.rindex(number)
    ...     return text[slice(*quantity_around(text, at, at + len(number)))]
    >>> found("In total, 17 teachers chose chess.", "17"), found("so he walked 1 hour and 20 minutes", "20")
    ('17 teachers', '1 hour and 20 minutes')
    >>> found("it is on March 15.", "15"), found("he has 5 left", "5")
    ('March 15', '5')
    """
    stop = min(sentence_end(text, end), end + _AHEAD)
    stated = value(text, start, stop).ends
    ends = sorted({*_ends(text, end, stop), *(each for each in stated if end < each <= stop)})
    parts = sorted({*ends, *_within_words(text, end, stop)})
    if (place := _place_in_a_row(text, start, end, stop)) is not None:
        return place
    longest = sorted({end, *parts}, reverse=True)
    near = text[max(0, start - _BACK) : stop]
    aloud, moment = may_be_aloud(near), may_be_date(near) or may_be_clock_time(near)
    low = max(text.rfind("\n", 0, start) + 1, start - _BACK)
    few = not (aloud or moment or "\\" in text[max(0, low - 1) : stop] or text[start] == "$")
    for first in _starts(text, low, start, few=few):
        for last in longest if moment or may_be_sum(text[first:stop]) else ():
            if _is_moment_or_sum(text[first:last]):
                return first, last
        for last in reversed(longest) if aloud or may_lead(text, first) else ():
            if _is_led(text[first:last]):
                return first, last
    if (currency := _CURRENCY.search(text, max(0, start - 3), start)) and text[end : end + 1] != "$":
        start = currency.start()
    elif below := _BELOW_ZERO.search(text, max(0, start - 3), start):
        start = below.start()
    moment = moment or may_be_sum(text[start:stop])
    for last in longest:
        said = text[start:last]
        if (moment and _is_moment_or_sum(said)) or (
            last > end and ((aloud and in_signs(said) != said) or _with_half(text, start, end, last))
        ):
            return start, last
    if half := HALF_PAST.match(text, end):
        return start, half.end()
    before, after = IN_PARTS[0].search(text, max(0, start - _BACK), start), IN_PARTS[1].match(text, end)
    if before is not None and after is not None:
        return before.start(), after.end()
    measured = _measured(text, end, parts, stop)
    if measured is None and end in stated:
        return start, end  # what follows only says that it is so
    counted = (last for last in ends if _is_counted(text[end:last], last < stop))
    last = next(counted, end) if measured is None else measured
    half = _HALF.match(text, last) if last > end else None
    return start, half.end() if half else last


def _with_half(text: str, start: int, end: int, last: int) -> bool:
    """Return whether a number and words with a half after it are one quantity."""
    if HALVES.search(text, end, last) is None:
        return False
    found = read_number(text[start:last])
    return found is not None and not found.unit.startswith(REMARK)


def _place_in_a_row(text: str, start: int, end: int, stop: int) -> tuple[int, int] | None:
    """Return the span of an ordinal with its noun: the 7th prime is another number than 7."""
    place = ORDINAL.match(text, end, stop)
    before = text[start - 1 : start] == chinese_numerals.ORDINAL
    if place is None and not before:
        return None
    first, last = start - before, place.end() if place else end
    for word_end in sorted(_ends(text, last, stop), reverse=True):
        what = text[last:word_end]
        if what.strip() and (english_noun(what.strip(), True) if what.isascii() else read_unit(f" {what}")):
            return first, word_end
    return (first, last) if before else None


def _measured(text: str, end: int, ends: list[int], stop: int) -> int | None:
    """Return the end of the longest unit of measure after a number; of two possible ends, the first."""
    found: dict[str, int] = {}
    for last in ends:
        said = text[end:last]
        if _is_preposition(said, last < stop):
            continue
        # A sign of its own is a unit anywhere.
        unit = read_unit(" " + _written(said).strip(), quoted=_SQUEEZED.search(said) is not None)
        if unit and not unit.startswith(REMARK) and (unit == PERCENT or measure(unit) is not None):
            found.setdefault(unit, last)
    return max(found.values(), default=None)


def _is_preposition(said: str, goes_on: bool) -> bool:
    """42 in all: no inches."""
    return goes_on and said.strip() == "in"


def _is_counted(said: str, goes_on: bool) -> bool:
    unit = None if _is_preposition(said, goes_on) else read_unit(said)
    return unit is not None and unit != "" and not unit.startswith(REMARK)


def _written(said: str) -> str:
    """Signs of one character for a unit, and raised digits, as they are written out: ㎡ as m^2."""
    return _RAISED.sub(r"^\1", unicodedata.normalize("NFKC", said)) if _SQUEEZED.search(said) else said


_SQUEEZED = lazy("[\u3380-\u33df²³]")
_RAISED = lazy(r"(?<=[A-Za-z])([23])")


def _within_words(text: str, end: int, stop: int) -> Iterator[int]:
    """Yield possible ends of a date or unit within a word, before a particle."""
    word = _WORD.match(text, end, stop)
    if word is None:
        return
    for at in range(end + 1, min(word.end(), end + _LONGEST_WORD)):
        if is_particle(text[at : word.end()].rstrip(_LOOSE)):
            yield at


def _ends(text: str, end: int, stop: int) -> Iterator[int]:
    """Yield possible ends of a thing counted: after words, before a particle or an ending."""
    if latin := _LATIN_THEN_OTHER.match(text, end, stop):
        yield latin.end()
    if han := _HAN.match(text, end, stop):
        # A noun ends with the sentence; where that goes on, only the measure word is sure.
        yield from [han.end()] if han.end() == stop else range(end + 1, han.end() + 1)
    at = end
    for _ in range(_MOST_WORDS):
        word = _WORD.match(text, at, stop)
        if word is None or word.end() == at:
            break
        at = word.end()
        yield at
        bare = text[word.start() : at].rstrip(_LOOSE)
        yield word.start() + len(bare)
        hangul = _HANGUL.search(bare)
        if hangul is not None and hangul.end() == len(bare):
            yield at - len(word.group()) + hangul.start() + len(without_particle(hangul.group()))


def _starts(text: str, low: int, start: int, *, few: bool) -> Iterator[int]:
    """Yield possible starts of a quantity from `low` to its last number, the farthest first.

    Args:
        text: The text.
        low: First place that is looked at.
        start: Start of the number.
        few: Whether only a sum or a lead is looked for.
    """
    before = text[low:start]
    if before.isascii() and _BEFORE_IT.search(before) is None:
        return
    if few and _ANY_HAN.search(before) is None:
        yield from (found.start() for found in _BEGINS.finditer(text, low, start))
        return
    for found in _START.finditer(text, low, start):
        if text[found.start() - 1 : found.start()] != "\\":
            # Chinese writes no blank before a word.
            run = _HAN_RUN.match(text, found.start(), start)
            yield from range(found.start(), run.end()) if run else (found.start(),)


@lru_cache(maxsize=4096)
def _is_moment_or_sum(said: str) -> bool:
    """Return whether a text is a date, a time or a quantity in several units; the same ones come often."""
    return read_date(said) is not None or read_clock_time(said) is not None or total(said) is not None


def _is_led(said: str) -> bool:
    """Return whether a text is a quantity that begins before its last number."""
    if not _WORD_FIRST.match(said) and in_signs(said) != said:
        return True  # a ratio or power that was read aloud
    found = lead(said)
    if found is None or found.kind == "noun":
        return False
    number = _NUMBER.fullmatch(found.rest)
    if number is None:
        return False
    unit = read_unit(number[2])
    return unit is not None and led(found, unit) is not None
