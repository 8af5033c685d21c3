"""The last number of a text, or the formula that it stands in, for completions without any mark."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ...language.answers.number_words import counted_at_end
from ...language.maths_words import HAN, HANGUL, TO
from ...language.patterns import numerals
from ...units.expressions import is_symbol
from ...units.table import table
from ..expressions import formula_around
from ..quantities import quantity_around
from ..roundings import rounded_fraction
from .formulas import in_formula, is_more, is_named, side
from .standing import last_that_holds
from .written import AROUND, WINDOW

_MIXED = re.compile(r"(?<![\d.,/])(?:[-−]\s?)?\d+\s+\d+\s?/\s?\d+(?![\d.])")

# What makes a number part of something else, directly before it ...
_PART_BEFORE = re.compile(r"(?:[\^√/\\_]|\d,|\d\s?[*×·:]|[a-zA-Z)]\(|[(\[]\s*-?[\d.]+\s*,\s*)\Z")

# ... or directly after it.
_PART_AFTER = re.compile(
    r"\s?(?:million|billion|trillion|thousand|hundred|dozen)\b|\s?[²³!^π]|\s?\\pi"
    r"|[a-fi-ln-rt-z](?![a-zA-Z])|[:/]\d"
)


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class LastNumber(Extractor):
    r"""The last number, with its sign, fraction and percent sign.

    A number inside a formula stands for the whole formula: from ``so $x=\frac{3}{2}$`` comes the
    fraction and never its 2.

    Args:
        with_unit: Bring along what it is the number of: its unit, its currency, what is counted, the rest of
            a date or time.

    >>> LastNumber().extract("He pays $1,234.50 in all.").text
    '1,234.50'
    >>> LastNumber().extract("so that $x=\\frac{3}{2}$.").text
    'x=\\frac{3}{2}'
    >>> LastNumber().extract("7 - 4 gives 3, not -3").text
    '3'
    >>> LastNumber(with_unit=True).extract("In total, 17 teachers chose chess.").text
    '17 teachers'
    """

    with_unit: bool = False

    def extract(self, text: str) -> Extraction | None:
        base = max(0, len(text) - WINDOW)
        tail = text[base:]
        number = last_that_holds(tail)
        words = counted_at_end(text)
        if words is not None and (number is None or words[0] >= base + _end(number)):
            words = _with_multiple(text, *words)
            return Extraction(text[slice(*words)], words, "last_number")
        if number is None:
            return None
        found = number if isinstance(number, Extraction) else self._stands_in(tail, *number.span())
        return found.shifted(base)

    def _stands_in(self, tail: str, start: int, end: int) -> Extraction:
        """What a number is, or is a part of."""
        if found := in_formula(tail, start, end) or self._numeral(tail, start, end):
            return found
        quantity = quantity_around(tail, start, end) if self.with_unit else (start, end)
        if quantity[0] < start and tail[quantity[0] : start].strip("\\$ ") != "":
            return _cut(tail, quantity)
        if (fraction := rounded_fraction(tail, start, end)) is not None:
            rounded = Extraction(tail[start:end], (start, end), "last_number")
            return Extraction(tail[slice(*fraction)], fraction, "last_number", whole=rounded)
        if (ratio := _RATIO.search(tail, max(0, start - AROUND), end)) is not None:
            return _cut(tail, ratio.span())
        around = formula_around(tail, start, end)
        measured = quantity[1] > max(end, around[1]) and tail[end].isalpha()  # 2.7g/cm³
        more = is_more(tail, around, (start, end)) and not is_named(tail, around, (start, end))
        if more and not measured:
            return side(tail, *around)
        if not measured and _is_part(tail, start, end):
            return _cut(tail, _whole(tail, start, end))
        return self._by_itself(tail, (start, end), quantity, around)

    def _numeral(self, tail: str, start: int, end: int) -> Extraction | None:
        """The numeral with words that the number stands in, with its unit if that is asked for."""
        for numeral in numerals().finditer(tail, max(0, start - AROUND), end + AROUND):
            if numeral.start() <= start and end <= numeral.end():
                around = quantity_around(tail, *numeral.span()) if self.with_unit else numeral.span()
                holds = around[0] <= numeral.start() and numeral.end() <= around[1]
                return _cut(tail, around if holds else numeral.span())
        return None

    def _by_itself(
        self, tail: str, number: tuple[int, int], quantity: tuple[int, int], around: tuple[int, int]
    ) -> Extraction:
        """A number that is a part of nothing else, with its unit if that is asked for."""
        start, end = number
        for mixed in _MIXED.finditer(tail, max(0, start - AROUND), end):
            if mixed.end() == end:
                start = mixed.start()
        if self.with_unit:
            if start < number[0]:  # after the whole number of a mixed one
                quantity = quantity_around(tail, start, end)
            if quantity != (start, end):
                return _cut(tail, quantity)
            if is_named(tail, around, (start, end)):
                return side(tail, *around)
            if (letter := _LONE_UNIT.match(tail, end)) and is_symbol(letter[1]):
                measured_as = _cut(tail, (start, letter.end(1)))
                return Extraction(tail[start:end], (start, end), "last_number", whole=measured_as)
        return Extraction(tail[start:end].replace("$", ""), (start, end), "last_number")


def _with_multiple(text: str, start: int, end: int) -> tuple[int, int]:
    """With a word that multiplies it, in the singular or plural: two dozen are not two."""
    after = _WORD_AFTER.match(text, end)
    if after is None or not {after[1].casefold(), after[1].casefold()[:-1]} & table().multiples.keys():
        return start, end
    return start, after.end()


def _cut(tail: str, span: tuple[int, int]) -> Extraction:
    return trimmed(tail, *span, "last_number", "no number")


def _is_part(tail: str, start: int, end: int) -> bool:
    """Whether what stands beside a number makes it a part: of sqrt(42), (1, 42), 42! or 42 million."""
    return bool(_PART_BEFORE.search(tail, max(0, start - AROUND), start) or _PART_AFTER.match(tail, end))


def _whole(tail: str, start: int, end: int) -> tuple[int, int]:
    """What such a number is a part of, from space to space: the answer is that, and not the number."""
    start = max(tail.rfind(" ", 0, start), tail.rfind("\n", 0, start)) + 1
    after = _PART_AFTER.match(tail, end)
    end = max(end, after.end() if after else end)
    stop = _SPACE.search(tail, end)
    return start, stop.start() if stop else end


_LONE_UNIT = re.compile(rf"\s?([A-Za-z])(?=[.,;!?]?\s*(?:\n|\Z)|[{HANGUL}{HAN}])")
"""A letter that ends a sentence after a number, and may be a unit: 30 N."""


def _end(number: re.Match[str] | Extraction) -> int:
    return number.span[1] if isinstance(number, Extraction) else number.end()


# 3 to 4, 10~15: a ratio or a range, and neither of its numbers. endpos makes \Z the end of the number.
_RATIO = re.compile(rf"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?: to |\s?[~〜∼～{TO}]\s?)\d[\d,.]*\Z")

_SPACE = re.compile(r"\s|\Z")
_WORD_AFTER = re.compile(r"\s+([a-z]+)", re.IGNORECASE)
