"""The calculations that a text claims: where they stand, what they say, and what is known of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...language.answers.retractions import hesitates, retraction
from ...language.patterns import anywhere, spoken
from ...language.stance import stance
from ...language.worked_steps import OPTION_TITLES, SPOKEN_SIGNS, spoken_calculations
from .judging import Roundings, are_settled, judge, judge_formulas
from .reader import first_and_last
from .runs import Operand, Run
from .signs import Sign, scan
from .spoken import Claim, from_words
from .stretches import formula, stretches

MAX_CLAIMS = 2_000
"""Equality signs of one text that are looked at."""
MAX_ASKED = 48
"""Formulas of one text about which the engine is asked, at up to some 10 milliseconds each."""
MAX_SIDE = 300
"""Signs between two equality signs; what is longer is no calculation that people write."""
_ANNOTATION = re.compile(r"<<([^<>\n]{1,200})>>")
_NOT_HELD = frozenset({"denied", "corrected", "doubted", "asked", "supposed"})
_ASKED = re.compile(r"[^.!?。\n]{0,60}[?？]")
_PARTS = re.compile(r"\n|[.,:;] ")
_TAKEN_BACK = 160
"""Characters after a claim in which it may be taken back."""
_CLAUSE = 60
"""Characters before a claim in which a word may turn it round."""


class TooManyError(Exception):
    """More equality signs than are looked at."""


@dataclass(slots=True)
class Claims:
    """All claims of a text in order, and names that a value is given to without anything being worked out."""

    found: list[Claim] = field(default_factory=list)
    given: list[tuple[int, Operand]] = field(default_factory=list)


class _Finder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.claims = Claims()
        self.roundings = Roundings()
        self.asked = 0
        self.signs = 0

    def read(self) -> Claims:
        text = self.text
        if text.count("=") > 2 * MAX_CLAIMS:
            raise TooManyError
        annotated = _ANNOTATION.search(text) is not None
        plain = _ANNOTATION.sub(lambda part: " " * len(part.group()), text) if annotated else text
        for start, end in stretches(plain):
            self._stretch(plain, start, end)
        if annotated:
            plain_claims = self.claims.found
            said = {_said(claim) for claim in plain_claims}
            self.claims.found = []
            for part in _ANNOTATION.finditer(text):
                self._stretch(text, *part.span(1))
            annotations = self.claims.found  # what an annotation repeats is claimed once
            self.claims.found = plain_claims + [each for each in annotations if _said(each) not in said]
        if SPOKEN_SIGNS.search(text):
            self._spoken(plain)
        self.claims.found.sort(key=lambda claim: claim.start)
        self._take_back()
        return self.claims

    def _stretch(self, text: str, start: int, end: int) -> None:
        signs = scan(text, start, end)
        sides: list[list[Sign]] = [[]]
        about: list[bool] = []
        for sign in signs:
            if sign.kind in "=~":
                while sides[-1] and sides[-1][-1].kind == "b" and sides[-1][-1].text in ("\n", "\\\\"):
                    sides[-1].pop()
                sides.append([])
                about.append(sign.kind == "~")
            elif sides[-1] or sign.kind != "b" or sign.text != "\n":
                sides[-1].append(sign)
        self.signs += len(about)
        if self.signs > MAX_CLAIMS:
            raise TooManyError
        if about:
            self._chain(text, sides, about)

    def _chain(self, text: str, sides: Sequence[Sequence[Sign]], about: Sequence[bool]) -> None:
        read = [first_and_last(side, text) if 0 < len(side) <= MAX_SIDE else (None, None) for side in sides]
        left: Run | None = None
        left_side = 0
        for place, is_about in enumerate(about):
            side, behind = sides[place], sides[place + 1]
            own = read[place][1]
            if not self._is_name(side) or place == 0:
                left, left_side = own, place
            right = read[place + 1][0]
            if right is not None and left is None and self._is_name(side):
                if not right.is_worked_out and right.number is not None:
                    self.claims.given.append((right.start, right.number))
                continue
            if own is not None and own.unsure_before and self._is_behind_comma(text, own):
                own.unsure_before = False
            is_whole = own is not None and own.first == 0
            if left is not None and _is_informula(sides[left_side], left):
                left = None
            if left is None or right is None or not are_settled(left, right):
                if not self._is_name(behind) or left is None:
                    self._ask(text, side, behind, is_about)
                continue
            claims = self.claims.found
            before = claims[-1] if claims and is_whole and place and claims[-1].right is own else None
            outcome = judge(left, right, is_about, self.roundings, before is not None)
            if outcome == "false" and self._runs_on(left, right):
                outcome = (
                    "right"
                    if right.operands[0].value == left.operands[0].value or left.is_worked_out
                    else "unknown"
                )
            if outcome == "false" and len(about) > place + 1 and self._is_unsure_list(behind, right):
                outcome = "unknown"
            if (
                outcome == "none"
                and left_side == place
                and right.number is not None
                and left.number is not None
            ):
                continue
            claims.append(Claim(left.start, right.end, left, right, outcome, is_next=before is not None))

    def _is_behind_comma(self, text: str, run: Run) -> bool:
        """Whether a comma before a run only parts it from a claim that holds: 8+7=15,40+20=60."""
        claims = self.claims.found
        return (
            bool(claims)
            and claims[-1].outcome == "right"
            and claims[-1].end + 1 == run.start
            and text[run.start - 1] == ","
        )

    def _is_name(self, side: Sequence[Sign]) -> bool:
        """Whether a side is words, or an unknown: a name of the value."""
        return bool(side) and all(sign.kind == "w" or (sign.kind == "c" and len(side) == 1) for sign in side)

    def _runs_on(self, left: Run, right: Run) -> bool:
        """Whether a running total is written: 3 + 4 = 7 * 2 = 14."""
        first = Run(0, 1, 0, 0, right.operands[:1], [0])
        return (
            right.is_worked_out
            and right.program[:1] == [0]
            and judge(left, first, False, Roundings()) == "right"
        )

    def _is_unsure_list(self, side: Sequence[Sign], right: Run) -> bool:
        """Whether a comma without a space may end a number: 8+7=15,100+20=120."""
        first = right.operands[0]
        return "," in self.text[first.start : first.start + len(first.digits) + 2] and right.is_worked_out

    def _ask(self, text: str, side: Sequence[Sign], behind: Sequence[Sign], is_about: bool) -> None:
        """Ask the engine about sides with more than numbers, where it is sure where they begin and end."""
        left, right = formula(text, side, last=True), formula(text, behind, last=False)
        if not left or not right or is_about or self.asked >= MAX_ASKED:
            return
        self.asked += 1
        outcome = judge_formulas(text[slice(*left)], text[slice(*right)])
        given, result = first_and_last(side, text)[1], first_and_last(behind, text)[0]
        self.claims.found.append(Claim(left[0], right[1], given, result, outcome))

    def _spoken(self, text: str) -> None:
        for calculation in spoken_calculations():
            for match in calculation.pattern.finditer(text):
                claim = from_words(match, calculation, self.roundings)
                if claim is not None:
                    self.claims.found.append(claim)
                    self.signs += 1
                    if self.signs > MAX_CLAIMS:
                        raise TooManyError

    def _take_back(self) -> None:
        """Mark what is false and not held: denied, asked, supposed, or corrected further down."""
        right: dict[tuple[object, ...], int] = {}
        for claim in self.claims.found:
            if claim.outcome == "right" and claim.left is not None:
                right[_key(claim.left)] = claim.start
        for claim in self.claims.found:
            if claim.outcome == "false":
                later = -1 if claim.left is None else right.get(_key(claim.left), -1)
                again = later > claim.start and hesitates(
                    self.text, claim.end, min(later, claim.end + _TAKEN_BACK)
                )
                claim.taken_back = again or not self._is_held(claim)

    def _is_held(self, claim: Claim) -> bool:
        text = self.text
        place, end = claim.start, claim.end
        if claim.right is not None:
            place, end = claim.right.start, claim.right.operands[-1].end
        before = text[max(0, claim.start - _CLAUSE) : claim.start]
        before = before[max((stop.end() for stop in _PARTS.finditer(before)), default=0) :]
        if OPTION_TITLES.search(text, max(0, claim.start - _CLAUSE), claim.start):
            return False
        if any(anywhere(each, "opposing").search(before) for each in spoken(before) if each.opposing):
            return False
        if stance(text, claim.start, end).kind in _NOT_HELD or stance(text, place, end).kind in _NOT_HELD:
            return False
        if _ASKED.match(text, end, end + 80):
            return False
        window = text[: claim.end + _TAKEN_BACK]
        return retraction(window, place, end) is None


def _is_informula(side: Sequence[Sign], run: Run) -> bool:
    """Whether a run is only the end of a formula that is more than numbers."""
    return run.first > 0 and side[run.first - 1].kind == "c"


def _said(claim: Claim) -> tuple[object, ...]:
    left, right = claim.left, claim.right
    return () if left is None or right is None else (_key(left), _key(right))


def _key(run: Run) -> tuple[object, ...]:
    return (*(operand.value for operand in run.operands), *run.program)


def claims(text: str) -> Claims:
    """The claims of a text.

    Raises:
        TooManyError: It has more equality signs than are looked at.

    >>> [claim.outcome for claim in claims("8+7=16, 40+20=59, 59+16=75").found]
    ['false', 'false', 'right']
    """
    return _Finder(text).read()
