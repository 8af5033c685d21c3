"""Reads calculations in the signs of running text: operators by their precedence, from left to right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..formulas.formula_tree import Number
from ..language.numerals.english_numerals import is_numeral
from ..language.signs import DISPLAYS
from ..language.worked_steps import BETWEEN, COMPUTING, MULTIPLES, OF, SHORT_OF, UNITS_OR_WORDS
from ..reading.plain_numbers import read_number
from ..units.quantities import understood
from ..units.table import by_symbol
from .calculation_signs import Operand, Run, Sign, meaning, number

MAX_DEPTH = 12
"""Fractions in fractions; deeper ones are left out."""
MAX_SEVERAL = 40
"""Characters of a number that goes on after words."""
MAX_WORDS = 6
"""Words after a number, as its unit and what it counts, before a sign goes on with the calculation."""
_COMPARING = "than"
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "u": 3, "^": 4}
_SIMPLE_NAMES = frozenset("aI")
_PARTING = frozenset([*'\n;"“”—<>|：，。、！？', *DISPLAYS])
"""Signs that part a calculation from what stands directly before it."""
_MOST_WORDS_BEFORE, _NEAR_OF = 8, 3
"""Words before a number in which a sign is looked for; and between a number and what there are so many of."""
_MOST_INDENT = 40
"""Spaces before a line's dash."""


def unsure_before(side: Sequence[Sign], at: int, is_number: bool) -> bool:
    """Return whether a run may include what precedes it: a sign, or words after a sign or a number."""
    if not at:
        return False
    before = side[at - 1]
    if before.kind in "oc~%)nf":
        return True
    glued = before.end == side[at].start
    if before.kind == "b":
        return glued and before.text not in _PARTING
    if before.kind != "w":
        return False
    place = at - 1
    while place >= 0 and at - place <= _MOST_WORDS_BEFORE and side[place].kind == "w":
        place -= 1
    words = at - 1 - place
    if place >= 0 and side[place].kind == "o":
        return True  # Ann's 6 + Jan's 18 = 24
    if place >= 0 and side[place].kind in "n%)":
        is_second = before.text.casefold() == "and" and meaning(side[place + 1].text).unit
        if is_second or (is_number and place and side[place - 1].kind == "o"):
            return True  # 1 hour and 15 minutes; 48 halves / 2 halves with 1 egg
    if before.text.casefold() in OF:
        return (place >= 0 and side[place].kind in "n%)" and words <= _NEAR_OF) or (
            at > 1 and takes_part(side[at - 2])
        )
    return glued or takes_part(before)


def is_letter(sign: Sign) -> bool:
    """Return whether a word is one letter of ASCII."""
    return len(sign.text) == 1 and sign.text.isascii()


def takes_part(sign: Sign) -> bool:
    """Return whether a word beside a calculation may be a part of it: twice, minus, x, half."""
    if sign.kind != "w":
        return False
    if is_letter(sign):
        return sign.text not in _SIMPLE_NAMES
    words = sign.text.casefold().split() or [""]
    last = words[-1].rstrip(".")
    return (last in COMPUTING and last not in ("and", "to", "the", "by", "or")) or is_numeral(last)


def is_item(side: Sequence[Sign], text: str) -> bool:
    """Return whether a line begins with a dash and a space."""
    dash = side[0]
    line = text.rfind("\n", max(0, dash.start - _MOST_INDENT), dash.start) + 1
    is_first = (line > 0 or dash.start <= _MOST_INDENT) and not text[line : dash.start].strip()
    return dash.kind == "o" and is_first and text[dash.end : dash.end + 1] == " "


class BrokenError(Exception):
    """The text that was begun is no calculation."""


def runs(side: Sequence[Sign], text: str) -> list[Run]:
    """The calculations and numbers in the signs between two equality signs, in order; linear in them."""
    partner = _partners(side)
    found: list[Run] = []
    at = 0
    while at < len(side):
        run = _run(side, partner, text, at)
        if run is not None:
            run.unsure_before = unsure_before(side, at, run.number is not None)
            run.is_item = at == 0 and is_item(side, text)
            found.append(run)
        at = at + 1 if run is None else max(run.last, at + 1)
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
    first = _run(head, _partners(head), text, 0) if side[0].kind in "nfo(" else None
    shift = stops[-1]
    found = runs(side[shift:], text)
    last = found[-1] if found and found[-1].last == len(side) - shift else None
    if last is not None:
        last.first, last.last = last.first + shift, last.last + shift
    return first, last


def _run(side: Sequence[Sign], partner: Mapping[int, int], text: str, at: int) -> Run | None:
    if not _may_begin(side, at, partner):
        return None
    try:
        return _Reader(side, partner, text).read(at)
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


class _Reader:
    """Reads one run: operators by their precedence, from left to right."""

    def __init__(self, side: Sequence[Sign], partner: Mapping[int, int], text: str, depth: int = 0) -> None:
        self.side, self.partner, self.text, self.depth = side, partner, text, depth
        self.is_loose = self.unsure = False
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
        operand = Operand(value, sign.text, sign.start, sign.end, sign.money)
        # 1 100 * 2: an item's number, or 1,100.
        self.is_loose = self.is_loose or " " in self.text[sign.start : sign.end]
        self.program.append(len(self.operands))
        self.operands.append(operand)
        return self.mixed(at, operand) or self.several(at, operand) or self.words(at + 1, operand)

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
            self.is_loose = self.is_loose or self._is_lost_caret(at)
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

    def _is_lost_caret(self, at: int) -> bool:
        """Return whether a minus may be in an exponent of ten that lost its caret in copying: 1 x 10-6."""
        side = self.side
        if side[at].text != "-" or at < 2 or at + 1 >= len(side) or side[at - 1].text != "10":
            return False
        before, ten, minus, behind = side[at - 2 : at + 2]
        is_times = before.text in ("x", "X", "*")
        is_apart = before.end < ten.start or self.text[before.start] != "*"
        return (
            is_times
            and is_apart
            and behind.kind == "n"
            and ten.end == minus.start
            and minus.end == behind.start
        )

    def _is_share_before(self, at: int) -> bool:
        """Return whether a share stands before "of": 20% of 50, 1/2 of 8."""
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

    # what belongs to a number: the rest of a mixed one, a unit, what it counts

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

    def several(self, at: int, operand: Operand) -> int | None:
        """A number that goes on after a word, 2 hours 30 minutes; the place after it."""
        side, last = self.side, at
        while last + 2 < len(side) and last - at < MAX_WORDS:
            if (side[last + 1].kind, side[last + 2].kind) != ("w", "n") or side[last + 1].text in "xX":
                break
            last += 2
        for end in range(last, at, -2):
            if end + 1 < len(side) and side[end + 1].kind == "w":
                said = self.text[side[at].start : side[end + 1].end]
                value = read_number(said) if len(said) <= MAX_SEVERAL else None
                if value is not None and isinstance(value.node, Number):
                    unit = understood(value.unit) if value.unit else None
                    operand.value = value.node.value
                    operand.digits = " ".join(each.text for each in side[at : end + 2]).replace(".", ",")
                    operand.unit = operand.unit or (value.unit if unit and unit.measures else "")
                    operand.is_measured, operand.word = True, side[at + 1].text
                    return self.words(end + 2, operand, int(bool(unit)))
        if last > at and not meaning(side[at + 1].text).is_thing and meaning(side[at + 1].text).factor != 1:
            self.unsure = True  # 2 million 500: nobody knows where it ends
        return None

    def words(self, at: int, operand: Operand, skipped: int = 0) -> int:
        """Take the unit of a number, past words of it that are taken already; the place after it."""
        side, place = self.side, at
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
            if sign.kind == "o" and sign.text == "^" and skipped and (behind := self._power(place + 1)):
                operand.unit = operand.letter = ""
                place = behind
                continue
            if is_over and (skipped or operand.is_measured or operand.unit):
                operand.unit += f"/{side[place + 1].text}"
            if is_over:  # $4/week
                operand.is_measured = True
                place += 2
                skipped = max(skipped, 1)
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
        """Return whether a unit stands below the stroke: $4/week."""
        return place < len(self.side) and self.side[place].kind == "w" and not is_letter(self.side[place])

    def _power(self, place: int) -> int:
        """The place after the power of a unit that stands here: cm^3, cm^{3}; 0 where none does."""
        kinds = "".join([each.kind for each in self.side[place : place + 3]])
        return place + 1 if kinds.startswith("n") else place + 3 if kinds == "(n)" else 0

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
        if word in UNITS_OR_WORDS and behind is not None and behind.kind == "w":
            operand.is_measured = True
            return True
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
        operand.unit, operand.is_share = operand.unit or about.unit, operand.is_share or about.is_share
        operand.is_measured, operand.word = True, sign.text
        return True
