"""Running text as the signs that calculations are written with; all else only says where one cannot go on."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ...formulas.formula_tree import Apply, Number
from ...language.numerals.english import size
from ...language.signs import (
    ABOUT,
    CURRENCIES,
    DISPLAYS,
    FRACTION_COMMAND,
    OPERATORS,
    POINTED,
    ROOTS,
    SUPERSCRIPTS,
    TEXT_COMMAND,
    THOUSANDS,
    VULGAR_FRACTIONS,
)
from ...reading.plain_numbers import read_number
from ...reading.prose import FORMULA
from ...runtime.patterns import lazy
from ...units.quantities import understood
from ...units.table import by_symbol

MAX_NUMBER = 40
"""Characters of a number that is worked with here; longer ones are left to the engine, or out."""


UNSEEN = "\r"
"""In place of what nobody reads: a sign of a currency belongs to the number behind it."""


_UNREAD = 250
"""Characters between such a sign and its number, all of them unseen."""


class Sign(NamedTuple):
    """One sign of running text.

    Args:
        kind: ``n`` a number, ``o`` an operator, ``(`` and ``)``, ``=``, ``~`` (about equal), ``%``, ``w`` a
            word, ``c`` a command of TeX, ``f`` a fraction's command, ``b`` where nothing goes on.
        text: What it says: an operator in one spelling, a word, the digits of a number.
        start: Where it begins.
        end: Where it ends.
        money: Of a number: the sign of its currency.
    """

    kind: str
    text: str
    start: int
    end: int
    money: str = ""


def any_of(signs: tuple[str, ...]) -> str:
    """Signs and commands of a table as a pattern: longer ones first, none as the beginning of a command."""
    ordered = sorted(signs, key=len, reverse=True)
    return "|".join(re.escape(each) + ("(?![a-zA-Z])" if each[0] == "\\" else "") for each in ordered)


_CASH = re.escape(CURRENCIES)
_LETTER = rf"[^\W\d_{VULGAR_FRACTIONS}{''.join(SUPERSCRIPTS)}]"
_PATTERNS = {
    "space": r"(?:[ \t\r]|\\[,;!: ](?!\d)|\\q?quad(?![a-zA-Z])|&(?!\w))+",
    "word": rf"{_LETTER}+(?:[-'’]{_LETTER}+)*",
    "number": POINTED,
    "equal": r"(?<![=<>!:+*/−-])=(?![=>])",
    "bold": r"(?=[*_`])(?:(?!(?<=[\d)])\*\*[\d(]|(?<=\s)\*\*\s)\*\*|__|`)",
    "operator": rf"(?:{any_of(tuple(OPERATORS))})(?![=>])",
    "open": r"[(\[{]",
    "close": r"[)\]}]",
    "price": rf"(?<!\$)\\?\$(?!\$)|(?!\$)[{_CASH}]",
    "percent": r"\\?%",
    "quoted": rf"{TEXT_COMMAND}\{{[^{{}}\d\n]{{0,60}}\}}",
    "fraction": FRACTION_COMMAND,
    "dress": r"\\(?:left|right|displaystyle|bf|boxed|fbox|[bB]igg?[lr]?)(?![a-zA-Z])|\\[()]"
    rf"|{TEXT_COMMAND}(?=\{{)",
    "power": f"[{''.join(SUPERSCRIPTS)}]+",
    "about": any_of(ABOUT),
    "command": rf"\\[a-zA-Z]+|[{''.join(ROOTS)}π!|°_]",
    "other": rf"{any_of(tuple(DISPLAYS))}|\\.|.|\n",
}
_SCAN = lazy("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS.items()), re.DOTALL)
_KINDS = {
    "number": "n", "word": "w", "quoted": "w", "fraction": "f", "operator": "o", "percent": "%", "equal": "=",
    "about": "~", "open": "(", "close": ")", "command": "c", "other": "b",
}  # fmt: skip
_SEPARATORS = lazy(any_of(THOUSANDS))
_RAISED = str.maketrans(SUPERSCRIPTS)


def scan(text: str, start: int, end: int) -> list[Sign]:
    """The signs of ``text[start:end]`` without what only dresses them; a currency belongs to its number."""
    found: list[Sign] = []
    add = found.append
    cash: tuple[int, str] = (-_UNREAD, "")
    edges: frozenset[int] | None = None
    for match in _SCAN.finditer(text, start, end):
        group = match.lastgroup or "other"
        if group in ("space", "bold", "dress"):
            continue
        said, at, behind = match.group(), match.start(), match.end()
        if group == "price":
            if said == "$" and edges is None:
                edges = _edges(text, start, end)
            if said != "$" or at not in (edges or ()):
                if said != "$" and found and found[-1].kind == "n" and at - found[-1].end in (0, 1):
                    found[-1] = found[-1]._replace(money=found[-1].money or _currency(said))
                cash = behind, _currency(said.removeprefix("\\"))
            continue
        if group == "number":
            is_cash = at - cash[0] < _UNREAD and not text[cash[0] : at].strip(UNSEEN)
            add(Sign("n", said if said.isdecimal() else _plain(said), at, behind, cash[1] if is_cash else ""))
        elif group == "power":
            found += _raised(said.translate(_RAISED), at, behind)
        else:
            if group == "operator":
                said = OPERATORS[said]
                cash = (behind, cash[1]) if cash[0] == at else cash  # $-5
            elif group == "quoted":
                said = said[said.index("{") + 1 : -1].strip()
            add(Sign(_KINDS[group], said, at, behind))
    return found


def _edges(text: str, start: int, end: int) -> frozenset[int]:
    """Where dollar signs stand that set a formula, and are no money."""
    spans = [formula.span() for formula in FORMULA.finditer(text, start, end) if formula["inline"]]
    return frozenset(place for first, last in spans for place in (first, last - 1))


@lru_cache(maxsize=64)
def _currency(sign: str) -> str:
    return sign if by_symbol(sign) else ""


def _plain(digits: str) -> str:
    """The digits of a number without what separates thousands."""
    if " " in digits:
        return digits.replace(" ", "").replace(",", ".")
    digits = _SEPARATORS.sub("", digits)
    return digits.replace(".", "") if digits.count(".") > 1 else digits


def _raised(said: str, at: int, behind: int) -> list[Sign]:
    """A power in raised signs."""
    whole = said.lstrip("+-")
    if not whole.isdecimal() or len(said) - len(whole) > 1:
        return [Sign("c", said, at, behind)]
    signs = [Sign("o", "^", at, at), Sign("n", whole, at, behind)]
    if said[0] in "+-":
        signs[1:1] = [Sign("(", "(", at, at), Sign("o", said[0], at, at)]
        signs.append(Sign(")", ")", behind, behind))
    return signs


def number(text: str) -> Fraction | None:
    """The number that digits write; None where it is too long to be worked with here."""
    if len(text) > MAX_NUMBER or "e" in text or "E" in text:
        return None
    if text.isdecimal():
        return Fraction(int(text))
    part = Fraction(0)
    if not text[-1].isdecimal():
        part = Fraction(unicodedata.numeric(text[-1])).limit_denominator(10)
        text = text[:-1]
    return Fraction(f"0{text}") + part


class Meaning(NamedTuple):
    """What a word after a number says.

    Args:
        factor: How many one of it is: a million, a dozen.
        is_thing: Whether that is a thing, too, which may be what is counted: a dozen, a quarter.
        unit: What the units' table calls it; "" for a thing that is only counted.
        is_share: Whether it says percent.
        is_known: Whether anything is known of it; words that are no unit may take part in the sentence.
    """

    factor: Fraction
    unit: str
    is_share: bool
    is_known: bool
    is_thing: bool = False


_UNKNOWN = Meaning(Fraction(1), "", False, False)
_SEVEN = Fraction(7)


@lru_cache(maxsize=8192)
def meaning(word: str, is_glued: bool = False) -> Meaning:
    """What a word after a number says of it.

    >>> meaning("million").factor, meaning("hours").unit, meaning("apples").unit
    (Fraction(1000000, 1), 'hour', '')
    """
    if len(word) > MAX_NUMBER:
        return _UNKNOWN
    value = read_number(f"7{word}" if is_glued or not word.isascii() else f"7 {word}")
    if value is None:
        return _UNKNOWN
    if isinstance(value.node, Apply):
        return Meaning(Fraction(1), "", value.node.function == "percent", True)
    if not isinstance(value.node, Number):
        return _UNKNOWN
    said = understood(value.unit) if value.unit else None
    many = value.node.value / _SEVEN * (said.multiple if said else 1)
    is_thing = many != 1 and word.isascii() and size(word.removesuffix("s")) is None
    return Meaning(many, value.unit if said and said.measures else "", False, True, is_thing)
