"""The last number of a text, or the formula that it stands in, for completions without any mark."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.extraction import EXTRACTORS, Extraction, Extractor, trimmed
from ..language.answers.leads import after_so
from ..language.answers.number_words import counted_at_end
from ..language.patterns import changing, linking, numerals, prose, spoken
from ..language.stance import says_unknown, stance
from ..language.maths_words import HAN, HANGUL
from ..units.expressions import is_symbol
from .expressions import formula_around, is_list, right_side, without_bold
from .quantities import quantity_around
from .roundings import rounded_fraction

_DIGITS = r"(?:\d{1,3}(?:(?:,|\{,\}|\\,|\\!,|,\\!)\d{3})+(?!\d)|\d+)"
_DECIMAL = rf"(?:{_DIGITS}(?:\.\d+)?|\.\d+)"
# Chinese and Korean write words right before a number; letters of formulas do not end there.
_LETTER = "A-Za-z0-9_\u00c0-\u024f\u0370-\u03ff"
# A minus belongs to the number unless it follows something that it could be subtracted from.
_NUMBER = re.compile(
    rf"(?:(?<![{_LETTER})\]}}%])(?:[-−+]\s?\$?|\$[-−]))?(?<![{_LETTER}.])"
    rf"(?:{_DECIMAL}(?:[eE][-+]?\d+)?(?:\s?/\s?\d+(?![\d.]))?|\\[dt]?frac\s*(?:\{{[^{{}}]{{1,64}}\}}|\d)\s*(?:\{{[^{{}}]{{1,64}}\}}|\d))"
    r"(?:\s?\\?%)?"
)
_MIXED = re.compile(r"(?<![\d.,/])(?:[-−]\s?)?\d+\s+\d+\s?/\s?\d+(?![\d.])")
# An inline formula by Pandoc's rule: "$5 and $6" is money. Only formulas that hold more than a number.
_FORMULA = re.compile(
    r"\$\$(?P<display>[^$]{1,2000})\$\$|\\\((?P<paren>.{1,2000}?)\\\)|\\\[(?P<bracket>.{1,2000}?)\\\]"
    r"|(?P<matrix>(?:\\left\s*[\[(|.]\s*)?\\begin\{(?P<name>[a-z]*matrix|array|cases)\}.{1,2000}?\\end\{(?P=name)\}"
    r"(?:\s*\\right\s*[\])|.])?)"
    r"|(?<![\\$])\$(?P<inline>[^\s$](?:[^$\n]{0,1000}[^\s$\\])?)\$(?!\d)",
    re.DOTALL,
)
_FORMULAS = ("display", "paren", "bracket", "matrix", "inline")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_LATEX_WORDS = re.compile(r"\\(?:text|textbf|mathrm|mathbf|operatorname|mbox)\s*\{[^{}]*\}|\\[a-zA-Z]+")
_BARE_WORDS = 3
# "costs 5", but neither "cos 5" nor "xy=0" nor "Option B: 12".
_STARTS_AS_PROSE = re.compile(
    r"(?!(?:(?:arc|a)?(?:sin|cos|tan|cot|sec|csc)h?|log|ln|lg|exp|sqrt|pi|max|min|mod|gcd|lcm|undefined|infinity)\b)"
    r"(?!(?:option|choice)\s+\(?[A-J]\b|[^\W\d_]{2,}\s*[=<>^*/+_(-])[^\W\d_]{2,}\b",
    re.IGNORECASE,
)
# What makes a number part of something else, directly before it ...
_PART_BEFORE = re.compile(r"(?:[\^√/\\_]|\d,|\d\s?[*×·:]|[a-zA-Z)]\(|[(\[]\s*-?[\d.]+\s*,\s*)\Z")
# ... or directly after it.
_PART_AFTER = re.compile(
    r"\s?(?:million|billion|trillion|thousand|hundred|dozen)\b|\s?[²³!^π]|\s?\\pi"
    r"|[a-fi-ln-rt-z](?![a-zA-Z])|[:/]\d"
)
_AROUND = 40
"""Characters before and after a number in which the rest of a Korean numeral is looked for."""
_WINDOW = 4096
"""Characters at the end of a text that are searched: answers are found there, and this bounds the work."""


def is_bare(text: str) -> bool:
    """Whether a text is an answer rather than prose.

    An answer has hardly any words outside LaTeX, and "costs $5" leads up to a number where "5 dollars"
    starts with it.
    """
    plain = _LATEX_WORDS.sub(" ", text).strip()
    if _STARTS_AS_PROSE.match(plain) and any(map(str.isdigit, plain)):
        return False
    if not plain.isascii() and any(prose(language).search(plain) for language in spoken(plain)):
        return False
    if any(after_so(plain, clause, len(plain)) > clause for clause in _clauses(plain)):
        return False
    return len(_WORDS.findall(plain)) <= _BARE_WORDS


def _clauses(text: str) -> list[int]:
    """Where the clauses of a text begin."""
    return [0, *(comma.end() for comma in _COMMA.finditer(text))]


_COMMA = re.compile("[,，]")


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
        base = max(0, len(text) - _WINDOW)
        tail = text[base:]
        number = _last_that_holds(tail)
        words = counted_at_end(text)
        if words is not None and (number is None or words[0] >= base + _end(number)):
            return Extraction(text[slice(*words)], words, "last_number")
        if number is None:
            return None
        if isinstance(number, Extraction):
            return number.shifted(base)
        start, end = number.span()
        if found := _in_formula(tail, start, end):
            return found.shifted(base)
        for numeral in numerals().finditer(tail, max(0, start - _AROUND), end + _AROUND):
            if numeral.start() <= start and end <= numeral.end():
                if self.with_unit:
                    around = quantity_around(tail, *numeral.span())
                    if around[0] <= numeral.start() and numeral.end() <= around[1]:
                        return trimmed(tail, *around, "last_number", "no number").shifted(base)
                return trimmed(tail, *numeral.span(), "last_number", "no number").shifted(base)
        quantity = quantity_around(tail, start, end) if self.with_unit else (start, end)
        if self.with_unit:
            if quantity[0] < start and tail[quantity[0] : start].strip("\\$ ") != "":
                return trimmed(tail, *quantity, "last_number", "no number").shifted(base)
        if (fraction := rounded_fraction(tail, start, end)) is not None:
            rounded = Extraction(tail[start:end], (base + start, base + end), "last_number")
            place = (base + fraction[0], base + fraction[1])
            return Extraction(text[slice(*place)], place, "last_number", whole=rounded)
        if (ratio := _RATIO.search(tail, max(0, start - _AROUND), end)) is not None:
            return trimmed(tail, *ratio.span(), "last_number", "no number").shifted(base)
        around = formula_around(tail, start, end)
        measured = quantity[1] > max(end, around[1]) and tail[end].isalpha()  # 2.7g/cm³
        more = _is_more(tail, around, (start, end)) and not _is_named(tail, around, (start, end))
        if more and not measured:
            return _side(tail, *around).shifted(base)
        if not measured and (
            _PART_BEFORE.search(tail, max(0, start - _AROUND), start) or _PART_AFTER.match(tail, end)
        ):
            # sqrt(42), (1, 42), 42! and 42 million are not 42: the answer is the whole of it.
            start = max(tail.rfind(" ", 0, start), tail.rfind("\n", 0, start)) + 1
            after = _PART_AFTER.match(tail, end)
            end = max(end, after.end() if after else end)
            stop = _SPACE.search(tail, end)
            end = stop.start() if stop else end
            return trimmed(tail, start, end, "last_number", "no number").shifted(base)
        for mixed in _MIXED.finditer(tail, max(0, start - _AROUND), end):
            if mixed.end() == end:
                start = mixed.start()
        if self.with_unit:
            quantity = quantity_around(tail, start, end)
            if quantity != (start, end):
                return trimmed(tail, *quantity, "last_number", "no number").shifted(base)
            if _is_named(tail, around, (start, end)):
                return _side(tail, *around).shifted(base)
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
_RATIO = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?: to |\s?[~〜∼～比到至]\s?)\d[\d,.]*\Z")
_SPACE = re.compile(r"\s|\Z")
_STOP = re.compile(r"[\n。！？]|[.!?](?=\s)")


def _last_that_holds(tail: str) -> re.Match[str] | Extraction | None:
    """The last number that its sentence does not speak against; an empty extraction where it does."""
    numbers = list(_NUMBER.finditer(tail))
    passed: re.Match[str] | None = None
    remarks = _remarks(tail)
    if any(not _within(number, remarks) for number in numbers):
        numbers = [number for number in numbers if not _within(number, remarks)]
    numbers = [each for each in numbers if not _raises_a_unit(tail, each)]
    if numbers and says_unknown(tail, numbers[-1].start()):
        return Extraction(None, numbers[-1].span(), "last_number", "the text says that there is no answer")
    for number in reversed(numbers):
        if passed is not None and _STOP.search(tail, number.end(), passed.start()):
            break  # what another sentence says is no answer either
        said = stance(tail, *number.span())
        if passed is not None and number.group() == passed.group():
            continue  # what is denied is denied wherever it stands before
        if said.kind in ("denied", "corrected"):
            passed = number
            continue
        if said.holds or (said.kind == "offered" and _all_offered(tail, *number.span())):
            return number
        return Extraction(None, number.span(), "last_number", f"the last number is {said.kind}")
    if passed is None:
        return None
    return Extraction(None, passed.span(), "last_number", "the last number is denied")


def _all_offered(tail: str, start: int, end: int) -> bool:
    """Whether the alternatives beside a number are found with it, or it is only a rounding of one."""
    around = formula_around(tail, start, end)
    return around[1] <= start or is_list(tail, *around)


def _raises_a_unit(tail: str, number: re.Match[str]) -> bool:
    """Whether a number is the exponent of a unit that was set as text."""
    before = tail[max(0, number.start() - 3) : number.start()]
    return (
        before.endswith(("}^", "}^{", "}^{-"))
        and _UNIT_AS_TEXT.search(tail, max(0, number.start() - _AROUND), number.start()) is not None
    )


_UNIT_AS_TEXT = re.compile(r"\\(?:text|mathrm)\{[^{}]{1,30}\}\^\{?-?\Z")
_REMARK = re.compile(r"[(（](?P<said>[^()（）\n]{1,300})[)）]")
_SAID = re.compile(r"[^\W\d_a-zA-Z]{2,}|[a-zA-Z]{3,}\s+[a-zA-Z]{2,}")


def _remarks(tail: str) -> list[tuple[int, int]]:
    """Brackets that hold words: what stands there only goes on about something."""
    return [remark.span() for remark in _REMARK.finditer(tail) if _SAID.search(remark["said"])]


def _within(number: re.Match[str], stretches: list[tuple[int, int]]) -> bool:
    return any(start < number.start() < end for start, end in stretches)


def _in_formula(tail: str, start: int, end: int) -> Extraction | None:
    """The formula in delimiters that holds a number and more."""
    for formula in _FORMULA.finditer(tail):
        kind = next(name for name in _FORMULAS if formula.group(name) is not None)
        inside = formula.start(kind) <= start and end <= formula.end(kind)
        if inside and any(mark in formula.group(kind) for mark in "\\^_="):
            around = formula_around(tail, *formula.span()) if "\n" not in formula.group() else formula.span()
            if around[0] < formula.start() or formula.end() < around[1]:
                return Extraction(without_bold(tail[slice(*around)]), around, "last_number")
            if "&" in formula.group(kind) or "\\\\" in formula.group(kind):
                return Extraction(formula.group(kind).strip(), formula.span(kind), "last_number")
            found = _side(tail, *_stripped(tail, *formula.span(kind)))
            number = found.text is not None and _NUMBER.fullmatch(found.text) is not None
            return found.whole if number and found.whole is not None else found
    return None


def _is_more(tail: str, around: tuple[int, int], number: tuple[int, int]) -> bool:
    """Whether a formula around a number says something else than the number."""
    start, end = around
    if end < number[1] or is_list(tail, start, end):
        return True  # the number was only a rounding, or is one of several
    rest = tail[start : number[0]] + " " + tail[number[1] : end]
    return _FORMULA_SIGN.search(rest) is not None


def _is_named(tail: str, around: tuple[int, int], number: tuple[int, int]) -> bool:
    """Whether a formula only gives a number its name: x = 5."""
    start, end = around
    return end == number[1] and _NAMED.fullmatch(tail, start, number[0]) is not None


_NAMED = re.compile(r"[a-zA-Z]\s*=\s*")


def _stripped(tail: str, start: int, end: int) -> tuple[int, int]:
    inside = tail[start:end]
    return end - len(inside.lstrip()), start + len(inside.rstrip())


_FORMULA_SIGN = re.compile(r"[a-zA-Zα-ωΑ-Ωπ∞∅\\{}^²³√!,，±∪∩_]")


def _side(tail: str, start: int, end: int) -> Extraction:
    """A formula, reduced to its last side where the others only lead up to it."""
    whole = Extraction(without_bold(tail[start:end]), (start, end), "last_number")
    side = start if is_list(tail, start, end) else right_side(tail, start, end)
    if side <= start:
        return whole
    if not any(map(str.isalpha, tail[start:side])):  # 2 * 21 = 42
        return Extraction(without_bold(tail[side:end]), (side, end), "last_number")
    return Extraction(without_bold(tail[side:end]), (side, end), "last_number", whole=whole)


@EXTRACTORS.register
@dataclass(frozen=True, repr=False)
class OnlyNumber(Extractor):
    """The number of a sentence that holds just one, however often; nothing where it holds several.

    "Janet makes $18 a day" says 18; "either 41 or it could be 42" says nothing that could be paid.

    Args:
        with_unit: As for `LastNumber`.

    >>> OnlyNumber().extract("Janet makes $18 every day").text
    '18'
    >>> OnlyNumber().extract("it is either 41 or perhaps it is 42")
    """

    with_unit: bool = False

    def extract(self, text: str) -> Extraction | None:
        if len(text) > _WINDOW:
            return None
        reader = LastNumber(self.with_unit)
        if (last := _linked(text, reader)) is not None:
            return last
        if "\\" in text or is_bare(text) or _is_changed(text):
            return None
        numbers = list(_NUMBER.finditer(text))
        if len({number.group().replace("$", "").strip() for number in numbers}) != 1:
            return None
        return reader.extract(text)


def _linked(text: str, reader: LastNumber) -> Extraction | None:
    """The last value of a sentence that names its subject first, and no verb behind it."""
    found = reader.extract(text) if any(language.links for language in spoken(text)) else None
    if found is None or found.text is None:
        return None
    before = text[max(0, found.span[0] - _AROUND) : found.span[0]]
    if "=" in found.text and found.span[1] >= len(text.rstrip()) and _SAID.search(text, 0, found.span[0]):
        return found
    if not any(language.links and linking(language).search(before) for language in spoken(before)):
        return None
    return found


def _is_changed(text: str) -> bool:
    return any(changing(language).search(text) for language in spoken(text))
