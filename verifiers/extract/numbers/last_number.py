"""The last number of a text, or the formula that it stands in, for completions without any mark."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ...language.answers.number_words import counted_at_end
from ...language.maths_words import HAN, HANGUL, TO
from ...language.patterns import numerals
from ...units.expressions import is_symbol
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
            return Extraction(text[slice(*words)], words, "last_number")
        if number is None:
            return None
        if isinstance(number, Extraction):
            return number.shifted(base)
        start, end = number.span()
        if found := in_formula(tail, start, end):
            return found.shifted(base)
        for numeral in numerals().finditer(tail, max(0, start - AROUND), end + AROUND):
            if numeral.start() <= start and end <= numeral.end():
                if self.with_unit:
                    around = quantity_around(tail, *numeral.span())
                    if around[0] <= numeral.start() and numeral.end() <= around[1]:
                        return trimmed(tail, *around, "last_number", "no number").shifted(base)
                return trimmed(tail, *numeral.span(), "last_number", "no number").shifted(base)
        quantity = quantity_around(tail, start, end) if self.with_unit else (start, end)
        if quantity[0] < start and tail[quantity[0] : start].strip("\\$ ") != "":
            return trimmed(tail, *quantity, "last_number", "no number").shifted(base)
        if (fraction := rounded_fraction(tail, start, end)) is not None:
            rounded = Extraction(tail[start:end], (base + start, base + end), "last_number")
            place = (base + fraction[0], base + fraction[1])
            return Extraction(text[slice(*place)], place, "last_number", whole=rounded)
        if (ratio := _RATIO.search(tail, max(0, start - AROUND), end)) is not None:
            return trimmed(tail, *ratio.span(), "last_number", "no number").shifted(base)
        around = formula_around(tail, start, end)
        measured = quantity[1] > max(end, around[1]) and tail[end].isalpha()  # 2.7g/cm³
        more = is_more(tail, around, (start, end)) and not is_named(tail, around, (start, end))
        if more and not measured:
            return side(tail, *around).shifted(base)
        if not measured and (
            _PART_BEFORE.search(tail, max(0, start - AROUND), start) or _PART_AFTER.match(tail, end)
        ):
            # sqrt(42), (1, 42), 42! and 42 million are not 42: the answer is the whole of it.
            start = max(tail.rfind(" ", 0, start), tail.rfind("\n", 0, start)) + 1
            after = _PART_AFTER.match(tail, end)
            end = max(end, after.end() if after else end)
            stop = _SPACE.search(tail, end)
            end = stop.start() if stop else end
            return trimmed(tail, start, end, "last_number", "no number").shifted(base)
        for mixed in _MIXED.finditer(tail, max(0, start - AROUND), end):
            if mixed.end() == end:
                start = mixed.start()
        if self.with_unit:
            if start < number.start():  # behind the whole number of a mixed one
                quantity = quantity_around(tail, start, end)
            if quantity != (start, end):
                return trimmed(tail, *quantity, "last_number", "no number").shifted(base)
            if is_named(tail, around, (start, end)):
                return side(tail, *around).shifted(base)
            if (letter := _LONE_UNIT.match(tail, end)) and is_symbol(letter[1]):
                measured_as = trimmed(tail, start, letter.end(1), "last_number", "no number")
                return Extraction(tail[start:end], (start, end), "last_number", whole=measured_as).shifted(
                    base
                )
        found_text = tail[start:end].replace("$", "")
        return Extraction(found_text, (base + start, base + end), "last_number")


_LONE_UNIT = re.compile(rf"\s?([A-Za-z])(?=[.,;!?]?\s*(?:\n|\Z)|[{HANGUL}{HAN}])")
"""A letter that ends a sentence behind a number, and may be a unit: 30 N."""


def _end(number: re.Match[str] | Extraction) -> int:
    return number.span[1] if isinstance(number, Extraction) else number.end()


# 3 to 4, 10~15: a ratio or a range, and neither of its numbers. endpos makes \Z the end of the number.
_RATIO = re.compile(rf"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?: to |\s?[~〜∼～{TO}]\s?)\d[\d,.]*\Z")

_SPACE = re.compile(r"\s|\Z")
