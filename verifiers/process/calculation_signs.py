"""Running text as the signs that calculations are written with, and what is read between two equality signs.

All that is no sign only says where a calculation cannot go on.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from ..formulas.formula_tree import Apply, Number
from ..language.numerals.english_numerals import size
from ..language.signs import (
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
from ..reading.plain_numbers import read_number
from ..reading.prose import FORMULA
from ..runtime.patterns import lazy
from ..units.quantities import understood
from ..units.table import by_symbol

MAX_BITS = 4_000
"""Size of the largest number that is worked out here; the engine's own limits are larger."""
MAX_EXPONENT = 1_000
Shares = Literal["share", "number", "change"]
"""Meaning of 20%: 0.2, 20, or after a plus or minus sign so much of what stands before it."""
_HUNDRED = Fraction(100)


@dataclass(slots=True)
class Operand:
    """A number in a calculation.

    Args:
        value: The number, its factor (a million) included.
        digits: As it is written, without separators.
        start: Its start in the text.
        end: End of its digits.
        unit: The unit of measure after it; "" for none.
        is_share: Whether it is so many percent.
        is_measured: Whether any word stands after it.
        word: The word directly after it, as it is written.
        letter: A single letter after it: a unit, or an unknown.
        says_less: Whether words after it say that it is so much less.
        factor: Value of the included counting word: 12 of a dozen.
    """

    value: Fraction
    digits: str
    start: int
    end: int
    unit: str = ""
    is_share: bool = False
    is_measured: bool = False
    word: str = ""
    letter: str = ""
    says_less: bool = False
    factor: Fraction = Fraction(1)

    @property
    def decimals(self) -> int:
        """Digits after the point."""
        return len(self.digits.partition(".")[2])


@dataclass(slots=True)
class Run:
    """A stretch that is a calculation, or one number.

    Args:
        first: Its first sign, by its place in the side.
        last: The place after its last sign.
        start: Its start in the text.
        end: Its end.
        operands: Its numbers in order.
        program: Places of operands, and operators, each after what it takes.
        unsure_before: Whether what stands before it may belong to it.
        unsure_behind: The same of what stands after it.
        is_loose: Whether it can be read in two ways.
        is_item: Whether a dash before it may be that of a list.
    """

    first: int
    last: int
    start: int
    end: int
    operands: list[Operand] = field(default_factory=list)
    program: list[int | str] = field(default_factory=list)
    unsure_before: bool = False
    unsure_behind: bool = False
    is_loose: bool = False
    is_item: bool = False

    @property
    def is_worked_out(self) -> bool:
        """Whether there is anything to work out."""
        return len(self.operands) > 1 or " " in self.operands[0].digits

    @property
    def number(self) -> Operand | None:
        """The number that it is, if it is just one."""
        if len(self.operands) != 1:
            return None
        only = self.operands[0]
        if self.program == [0, "u"]:
            return replace(only, value=-only.value)
        return only if self.program == [0] else None


def value(
    run: Run, shares: Shares = "share", instead: Mapping[int, Fraction] | None = None
) -> Fraction | None:
    """Return the result of a run; None if it has none, or one that is too large to work out here.

    Args:
        run: A calculation.
        shares: Meaning of percent.
        instead: Values in place of those of some operands, by their places.
    """
    stack: list[tuple[Fraction, bool]] = []
    for step in run.program:
        if isinstance(step, int):
            operand = run.operands[step]
            known = operand.value if instead is None else instead.get(step, operand.value)
            is_share = operand.is_share and shares != "number"
            stack.append((known / _HUNDRED if is_share else known, is_share))
            continue
        second, is_share = stack.pop()
        if step == "u":
            stack.append((-second, is_share))
            continue
        first, both = stack.pop()
        if shares == "change" and is_share and not both and step in "+-":
            second *= first
        result = _applied(step, first, second)
        if result is None:
            return None
        stack.append((result, both and is_share and step in "+-"))
    return stack[0][0] if len(stack) == 1 else None


def _applied(sign: str, first: Fraction, second: Fraction) -> Fraction | None:
    if sign == "/":
        return first / second if second else None
    if sign == "^":
        whole = second.numerator
        size = max(first.numerator.bit_length(), first.denominator.bit_length())
        if second.denominator != 1 or abs(whole) > MAX_EXPONENT or size * abs(whole) > MAX_BITS or not first:
            return None
        return first**whole
    result = first + second if sign == "+" else first - second if sign == "-" else first * second
    return result if max(result.numerator.bit_length(), result.denominator.bit_length()) <= MAX_BITS else None


def values(run: Run) -> Iterator[Fraction]:
    """Yield the possible results of a run, the likeliest first."""
    ways: tuple[Shares, ...] = ("share",)
    if any(operand.is_share for operand in run.operands):
        ways = ("share", "number", "change")
    for shares in ways:
        found = value(run, shares)
        if found is not None:
            yield found
    if any(operand.factor != 1 for operand in run.operands):
        things = {place: operand.value / operand.factor for place, operand in enumerate(run.operands)}
        found = value(run, "share", things)
        if found is not None:
            yield found
    if run.is_item and "u" in run.program:
        program = list(run.program)
        program.remove("u")
        found = value(replace(run, program=program))
        if found is not None:
            yield found


def is_rounding(shown: Operand, exact: Fraction) -> bool:
    """Return whether a decimal is an exact value rounded or cut off at the digits that it shows."""
    places = shown.decimals
    if not places:
        return False
    off = abs(shown.value - exact)
    return off < Fraction(1, 10**places) or (len(shown.digits) > _FULL and off <= abs(exact) * _FLOAT)


_FULL, _FLOAT = 15, Fraction(1, 2**48)
"""Characters of a decimal that a computer printed, and how far it may be from what it stands for."""
MAX_DECIMALS = 4
"""Decimals of one calculation of which each may be a rounding."""


def range_of(run: Run) -> tuple[Fraction, Fraction] | None:
    """Between what a calculation comes to if each of its decimals may be a rounding; None if it has none."""
    places = [place for place, operand in enumerate(run.operands) if operand.decimals]
    if not 0 < len(places) <= MAX_DECIMALS:
        return None
    found = []
    for signs in itertools.product((-1, 1), repeat=len(places)):
        instead = {
            place: run.operands[place].value + Fraction(sign, 10 ** run.operands[place].decimals)
            for place, sign in zip(places, signs, strict=True)
        }
        result = value(run, "share", instead)
        if result is None:
            return None
        found.append(result)
    return min(found), max(found)


def decimals_of(exact: Fraction) -> int | None:
    """Digits after the point of a value; None where they do not end."""
    rest, twos, fives = exact.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def is_whole_rounding(shown: Operand, exact: Fraction) -> bool:
    """Return whether a whole number is next to a value that is none, or a round form of it."""
    if not shown.decimals and exact.denominator != 1 and abs(shown.value - exact) < 1:
        return True
    digits = shown.digits.rstrip("0")
    zeros = len(shown.digits) - len(digits)
    return (
        len(digits) >= 2 and zeros >= 2 and shown.digits.isdecimal() and abs(shown.value - exact) < 10**zeros
    )


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
        text: Its text: an operator in one spelling, a word, the digits of a number.
        start: Its start.
        end: Its end.
        money: Currency sign of a number.
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
    """Return the places of dollar signs that set a formula, and are no money."""
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
    """Meaning of a word after a number.

    Args:
        factor: Value of one of it: a million, a dozen.
        is_thing: Whether that is a thing, too, which may be what is counted: a dozen, a quarter.
        unit: Name in the table of units; "" for a counted thing.
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
    """Return the meaning of a word after a number.

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
