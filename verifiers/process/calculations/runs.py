"""What stands between two equality signs once it is read: numbers, with signs between them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction


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
