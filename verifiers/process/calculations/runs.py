"""What stands between two equality signs once it is read, and what it comes to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

MAX_BITS = 4_000
"""Size of the largest number that is worked out here; the engine's own limits are larger."""
MAX_EXPONENT = 1_000
Shares = Literal["share", "number", "change"]
"""What 20% is: 0.2, 20, or after a plus or minus sign so much of what stands before it."""
_HUNDRED = Fraction(100)


@dataclass(slots=True)
class Operand:
    """A number in a calculation.

    Args:
        value: The number, its factor (a million) included.
        digits: As it is written, without separators.
        start: Where it begins in the text.
        end: Where its digits end.
        unit: The unit of measure after it; "" for none.
        is_share: Whether it is so many percent.
        is_measured: Whether any word stands after it.
        word: The word directly after it, as it is written.
        letter: A single letter after it: a unit, or an unknown.
        says_less: Whether words after it say that it is so much less.
        factor: How many of what the word after it may count, and is included: 12 of a dozen.
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
        start: Where it begins in the text.
        end: Where it ends.
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
    """What a run comes to; None where it has no value, or one that is too large to be worked out here.

    Args:
        run: A calculation.
        shares: What percent means.
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
    """What a run may come to, the likeliest first."""
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
    """Whether a decimal is an exact value that is rounded, or cut off, at the digits that it shows."""
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
    """Whether a whole number is the next one below or above a value that is none, or a round form of it."""
    if not shown.decimals and exact.denominator != 1 and abs(shown.value - exact) < 1:
        return True
    digits = shown.digits.rstrip("0")
    zeros = len(shown.digits) - len(digits)
    return (
        len(digits) >= 2 and zeros >= 2 and shown.digits.isdecimal() and abs(shown.value - exact) < 10**zeros
    )
