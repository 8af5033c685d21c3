"""What stands after a number in running text: the rest of a mixed number, a unit, what it counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...language.worked_steps import BETWEEN, MULTIPLES, OF, SHORT_OF
from ...units.table import by_symbol
from .boundaries import is_letter, takes_part
from .runs import Operand
from .signs import Sign, meaning, number

MAX_WORDS = 6
"""Words after a number, as its unit and what it counts, before a sign goes on with the calculation."""


class BehindNumbers:
    """Reads what belongs to a number.

    Args:
        side: Signs.
        partner: Of each bracket the one that belongs to it, by their places.
    """

    def __init__(self, side: Sequence[Sign], partner: Mapping[int, int]) -> None:
        self.side, self.partner = side, partner
        self.is_loose = False
        self.unsure = False

    def mixed(self, at: int, operand: Operand) -> int | None:
        """A mixed number, 2 1/2; the place after it."""
        side = self.side
        if at + 1 < len(side) and side[at + 1].kind == "f" and operand.digits.isdecimal():
            self.is_loose = True  # 2\frac12 is a mixed number, or a product by those who leave signs out
        if at + 3 >= len(side) or [each.kind for each in side[at + 1 : at + 4]] != ["n", "o", "n"]:
            return None
        top, slash, bottom = side[at + 1 : at + 4]
        parts = number(top.text), number(bottom.text)
        if slash.text != "/" or None in parts or not 0 < parts[0] < parts[1]:  # type: ignore[operator]
            return None
        if top.end != slash.start or slash.end != bottom.start or not operand.digits.isdecimal():
            return None
        operand.value += parts[0] / parts[1]  # type: ignore[operator]
        operand.digits += f" {top.text}/{bottom.text}"
        return self.words(at + 4, operand)

    def words(self, at: int, operand: Operand) -> int:
        """Take the unit of a number; the place after it."""
        side, place, skipped = self.side, at, 0
        while place < len(side):
            sign = side[place]
            if sign.kind == "%" and not skipped:
                operand.is_share = True
                place += 1
                continue
            if sign.kind == "(" and self._is_remark(place):
                place = self.partner[place] + 1
                continue
            is_over = sign.text == "/" and sign.kind == "o" and self._is_per(place + 1)
            if sign.kind == "o" and sign.text == "^" and skipped and self._is_power(place + 1):
                operand.unit, operand.letter = "", ""
                place = self._behind_power(place + 1)
                continue
            if is_over and skipped + operand.is_measured:
                operand.unit += f"/{side[place + 1].text}"
                place += 2
                continue
            if is_over and not skipped:  # $4/week
                operand.is_measured = True
                place += 2
                skipped += 1
                continue
            if sign.kind != "w" or skipped >= MAX_WORDS or not self._is_unit(place, operand, skipped):
                break
            operand.says_less = operand.says_less or sign.text.casefold() in SHORT_OF
            skipped += 1
            place += 1
        return place

    def _is_remark(self, place: int) -> bool:
        closing = self.partner.get(place)
        inner = self.side[place + 1] if place + 1 < len(self.side) else None
        return closing == place + 2 and inner is not None and inner.kind == "w" and not is_letter(inner)

    def _is_per(self, place: int) -> bool:
        """Whether a unit stands below the stroke: $4/week."""
        return place < len(self.side) and self.side[place].kind == "w" and not is_letter(self.side[place])

    def _is_power(self, place: int) -> bool:
        """Whether a power of a unit stands here: cm^3, cm^{3}."""
        kinds = "".join([each.kind for each in self.side[place : place + 3]])
        return kinds.startswith("n") or kinds == "(n)"

    def _behind_power(self, place: int) -> int:
        return place + (1 if self.side[place].kind == "n" else 3)

    def _is_unit(self, place: int, operand: Operand, skipped: int) -> bool:
        """Take one word after a number as its unit, if it is nothing else."""
        side, sign = self.side, self.side[place]
        word = sign.text.casefold()
        behind = side[place + 1] if place + 1 < len(side) else None
        if word in BETWEEN or word in OF or (word in MULTIPLES and not skipped):
            if word == "percent":
                operand.is_share = operand.is_measured = True
                return True
            return False
        if word == "x" and behind is not None and behind.kind in "nf(":
            return False
        glued = place > 0 and sign.start == side[place - 1].end
        about = meaning(sign.text, glued and not sign.text.isascii())
        is_size = not skipped and about.factor != 1
        if len(word) == 1 and word.isascii() and not skipped and by_symbol(sign.text):
            operand.letter, operand.is_measured = sign.text, True
            return True
        if not is_size and takes_part(sign) and not (len(word) == 1 and skipped):
            self.unsure = self.unsure or word not in BETWEEN
            return False
        if skipped:
            return True
        if glued and sign.text.isascii() and not (about.unit or about.is_share or about.factor != 1):
            self.unsure = True  # 5A: a product with an unknown
            return False
        operand.value *= about.factor
        if about.is_thing:
            operand.factor = about.factor
        if about.factor != 1:
            operand.digits += f" {word}"
        operand.unit, operand.is_share = about.unit, operand.is_share or about.is_share
        operand.is_measured = True
        return True
