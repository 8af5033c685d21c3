"""The formula that the last number of a text stands in."""

from __future__ import annotations

import re

from ...core.extraction import Extraction
from ..expressions import formula_around, is_list, right_side, without_bold
from .written import NUMBER

# An inline formula by Pandoc's rule: "$5 and $6" is money. Only formulas that hold more than a number.
_FORMULA = re.compile(
    r"\$\$(?P<display>[^$]{1,2000})\$\$|\\\((?P<paren>.{1,2000}?)\\\)|\\\[(?P<bracket>.{1,2000}?)\\\]"
    r"|(?P<matrix>(?:\\left\s*[\[(|.]\s*)?\\begin\{(?P<name>[a-z]*matrix|array|cases)\}.{1,2000}?\\end\{(?P=name)\}"
    r"(?:\s*\\right\s*[\])|.])?)"
    r"|(?<![\\$])\$(?P<inline>[^\s$](?:[^$\n]{0,1000}[^\s$\\])?)\$(?!\d)",
    re.DOTALL,
)

_FORMULAS = ("display", "paren", "bracket", "matrix", "inline")


def in_formula(tail: str, start: int, end: int) -> Extraction | None:
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
            found = side(tail, *_stripped(tail, *formula.span(kind)))
            number = found.text is not None and NUMBER.fullmatch(found.text) is not None
            return found.whole if number and found.whole is not None else found
    return None


def is_more(tail: str, around: tuple[int, int], number: tuple[int, int]) -> bool:
    """Whether a formula around a number says something else than the number."""
    start, end = around
    if end < number[1] or is_list(tail, start, end):
        return True  # the number was only a rounding, or is one of several
    rest = tail[start : number[0]] + " " + tail[number[1] : end]
    return _FORMULA_SIGN.search(rest) is not None


def is_named(tail: str, around: tuple[int, int], number: tuple[int, int]) -> bool:
    """Whether a formula only gives a number its name: x = 5."""
    start, end = around
    return end == number[1] and _NAMED.fullmatch(tail, start, number[0]) is not None


_NAMED = re.compile(r"[a-zA-Z]\s*=\s*")


def _stripped(tail: str, start: int, end: int) -> tuple[int, int]:
    inside = tail[start:end]
    return end - len(inside.lstrip()), start + len(inside.rstrip())


_FORMULA_SIGN = re.compile(r"[a-zA-Zα-ωΑ-Ωπ∞∅\\{}^²³√!,，±∪∩_]")


def side(tail: str, start: int, end: int) -> Extraction:
    """A formula, reduced to its last side where the others only lead up to it."""
    whole = Extraction(without_bold(tail[start:end]), (start, end), "last_number")
    side = start if is_list(tail, start, end) else right_side(tail, start, end)
    if side <= start:
        return whole
    if not any(map(str.isalpha, tail[start:side])):  # 2 * 21 = 42
        return Extraction(without_bold(tail[side:end]), (side, end), "last_number")
    return Extraction(without_bold(tail[side:end]), (side, end), "last_number", whole=whole)
