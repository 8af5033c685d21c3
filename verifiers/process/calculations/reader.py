"""Reads calculations in the signs of running text: operators by their precedence, from left to right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...language.worked_steps import OF
from .behind_numbers import BehindNumbers
from .boundaries import is_item, takes_part, unsure_before
from .runs import Operand, Run
from .signs import Sign, number

MAX_DEPTH = 12
"""Fractions in fractions; deeper ones are left out."""
_COMPARING = "than"
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "u": 3, "^": 4}


class BrokenError(Exception):
    """What was begun is no calculation."""


def runs(side: Sequence[Sign], text: str) -> list[Run]:
    """The calculations and numbers in the signs between two equality signs, in order; linear in them."""
    partner = _partners(side)
    found: list[Run] = []
    at = 0
    while at < len(side):
        if _may_begin(side, at, partner):
            try:
                run = _Reader(side, partner, text).read(at)
            except BrokenError:
                at += 1
                continue
            run.unsure_before = unsure_before(side, at, run.number is not None)
            run.is_item = at == 0 and is_item(side, text)
            found.append(run)
            at = max(run.last, at + 1)
        else:
            at += 1
    return found


def first_and_last(side: Sequence[Sign], text: str) -> tuple[Run | None, Run | None]:
    """The run with which a side begins, and that with which it ends.

    What lies between signs that end a clause is not read.
    """
    stops = [place for place, sign in enumerate(side) if sign.kind == "b"]
    if not stops:
        found = runs(side, text)
        first = found[0] if found and found[0].first == 0 else None
        return first, found[-1] if found and found[-1].last == len(side) else None
    head = side[: stops[0] + 1]
    first = _first(head, text) if side[0].kind in "nfo(" else None
    shift = stops[-1]
    found = runs(side[shift:], text)
    last = found[-1] if found and found[-1].last == len(side) - shift else None
    if last is not None:
        last.first, last.last = last.first + shift, last.last + shift
    return first, last


def _first(head: Sequence[Sign], text: str) -> Run | None:
    partner = _partners(head)
    if not _may_begin(head, 0, partner):
        return None
    try:
        return _Reader(head, partner, text).read(0)
    except BrokenError:
        return None


def _partners(side: Sequence[Sign]) -> dict[int, int]:
    stack: list[int] = []
    found: dict[int, int] = {}
    for place, sign in enumerate(side):
        if sign.kind == "(":
            stack.append(place)
        elif sign.kind == ")" and stack:
            opened = stack.pop()
            found[opened], found[place] = place, opened
    return found


def _may_begin(side: Sequence[Sign], at: int, partner: Mapping[int, int]) -> bool:
    sign = side[at]
    if sign.kind in "nf":
        return True
    if sign.kind == "(":
        return at in partner
    follows = at + 1 < len(side) and (side[at + 1].kind in "nf" or at + 1 in partner)
    if sign.kind == "o":
        return sign.text == "-" and follows and (at == 0 or side[at - 1].kind not in "n)%")
    return False


class _Reader(BehindNumbers):
    """Reads one run: operators by their precedence, from left to right."""

    def __init__(self, side: Sequence[Sign], partner: Mapping[int, int], text: str, depth: int = 0) -> None:
        super().__init__(side, partner)
        self.text, self.depth = text, depth
        self.operands: list[Operand] = []
        self.program: list[int | str] = []
        self.stack: list[str] = []
        self.closing: list[int] = []
        self.tight: bool | None = None  # whether the last stroke has no spaces: 7.5 / 1/2

    def read(self, first: int, limit: int | None = None) -> Run:
        """The longest run that begins here."""
        side = self.side
        limit = len(side) if limit is None else limit
        at, wanted, end = first, True, first
        while at < limit:
            if wanted:
                behind = self._operand(at, first)
                if behind is None:
                    break
                opened = side[at].kind == "(" or side[at].kind == "o"
                wanted = opened
                at = behind
                end = end if opened else at
                continue
            sign = side[at]
            if sign.kind == ")" and self.closing and self.closing[-1] == at:
                self._close()
                at += 1
                end = at
                continue
            behind, goes_on = self._between(at, limit)
            if not goes_on:
                if behind != at:
                    end = behind
                break
            wanted = True
            at = behind
        return self._finished(first, at, end, wanted)

    def _finished(self, first: int, at: int, end: int, wanted: bool) -> Run:
        if wanted and self.stack and self.stack[-1] not in "(u":
            self.stack.pop()  # a sign with nothing after it
            self.unsure = True
        elif wanted or self.closing:
            raise BrokenError
        while self.stack:
            if self.stack[-1] == "(":
                raise BrokenError
            self.program.append(self.stack.pop())
        side = self.side
        if not self.operands or end <= first:
            raise BrokenError
        return Run(
            first, end, side[first].start, side[end - 1].end, self.operands, self.program,
            False, self.unsure or self._unsure_behind(end), self.is_loose,
        )  # fmt: skip

    def _unsure_behind(self, end: int) -> bool:
        if end >= len(self.side):
            return False
        sign, last = self.side[end], self.side[end - 1]
        if sign.kind in "nf":
            return last.kind != "w"
        if sign.kind in "c%(o":
            return sign.kind != "(" or sign.start == last.end
        if sign.kind == "b":
            return sign.start == last.end and sign.text in ",:'" and self._goes_on(end)
        word = sign.text.casefold()
        if sign.kind == "w" and word in OF:
            counted = self.side[end + 1 : end + 2]
            return last.kind != "w" or any(each.kind in "nf(" for each in counted)
        return takes_part(sign) and word != _COMPARING

    def _goes_on(self, end: int) -> bool:
        return end + 1 < len(self.side) and self.side[end + 1].start == self.side[end].end

    def _operand(self, at: int, first: int) -> int | None:
        """Take what may stand where a number is wanted; the place after it, or None."""
        sign = self.side[at]
        if sign.kind == "o" and sign.text in "+-" and (not self.stack or self.stack[-1] != "u"):
            if sign.text == "-":
                self.stack.append("u")
            return at + 1
        if sign.kind == "(" and at in self.partner:
            self.stack.append("(")
            self.closing.append(self.partner[at])
            return at + 1
        if sign.kind == "f":
            return self._fraction(at)
        if sign.kind != "n":
            return None
        value = number(sign.text)
        if value is None:
            raise BrokenError
        operand = Operand(value, sign.text, sign.start, sign.end)
        self.program.append(len(self.operands))
        self.operands.append(operand)
        return self.mixed(at, operand) or self.words(at + 1, operand)

    def _fraction(self, at: int) -> int | None:
        r"""``\frac{a}{b}``."""
        if self.depth >= MAX_DEPTH:
            raise BrokenError
        place = at + 1
        for part in range(2):
            closing = self.partner.get(place)
            if closing is None or self.side[place].text != "{":
                raise BrokenError
            inner = _Reader(self.side, self.partner, self.text, self.depth + 1)
            run = inner.read(place + 1, closing)
            if run.last != closing or inner.unsure:
                raise BrokenError
            shift = len(self.operands)
            self.program += [each + shift if isinstance(each, int) else each for each in run.program]
            self.operands += run.operands
            self.is_loose = self.is_loose or run.is_loose
            place = closing + 1
            if part:
                self.program.append("/")
        return place

    def _between(self, at: int, limit: int) -> tuple[int, bool]:
        """Take an operator; the place after it, and whether there is one."""
        sign = self.side[at]
        behind = self.side[at + 1] if at + 1 < limit else None
        if sign.kind == "o":
            if sign.text == "/":
                is_tight = (
                    behind is not None and self.side[at - 1].end == sign.start and behind.start == sign.end
                )
                self.is_loose = self.is_loose or (self.tight not in (None, is_tight))
                self.tight = is_tight
            self._operator(sign.text)
            return at + 1, True
        is_word = sign.kind == "w" and behind is not None and behind.kind in "nf("
        if is_word and (sign.text in "xX" or (sign.text.casefold() in OF and self._is_share_before(at))):
            self._operator("*")
            return at + 1, True
        if sign.kind == "(" and at in self.partner and behind is not None and behind.kind != "w":
            before = self.side[at - 1]
            if before.kind in "n)%" and (before.end == sign.start or before.kind == ")"):
                self.is_loose = self.is_loose or "/" in self.stack
                self._operator("*")
                return at, True
        return at, False

    def _is_share_before(self, at: int) -> bool:
        """Whether a share stands before "of": 20% of 50, 1/2 of 8."""
        last = self.operands[-1]
        return (
            last.is_share
            or (len(self.operands) > 1 and self.stack[-1:] == ["/"])
            or self.side[at - 1].kind == ")"
        )

    def _operator(self, sign: str) -> None:
        weight = _PRECEDENCE[sign]
        while self.stack and self.stack[-1] != "(":
            top = _PRECEDENCE[self.stack[-1]]
            if top < weight or (sign == "^" and self.stack[-1] == "^"):
                break
            self.program.append(self.stack.pop())
        self.stack.append(sign)

    def _close(self) -> None:
        self.closing.pop()
        while self.stack and self.stack[-1] != "(":
            self.program.append(self.stack.pop())
        if self.stack:
            self.stack.pop()
