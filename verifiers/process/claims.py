"""The calculations that a text claims: where they stand, what they say, and what is known of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..language.language_patterns import anywhere, spoken
from ..language.sentences.retractions import hesitates, retraction
from ..language.signs import ABOUT
from ..language.stance import stance
from ..language.worked_steps import (
    ABBREVIATIONS,
    JOINING,
    NUMBERED,
    OPTION_TITLES,
    SPOKEN_SIGNS,
    Spoken,
    is_linked,
    spoken_calculations,
)
from ..runtime.patterns import lazy
from ..units.table import table
from .calculation_reader import first_and_last
from .calculation_signs import UNSEEN, Operand, Run, Sign, any_of, scan
from .claim_judging import Outcome, Roundings, are_settled, is_kind, judge, judge_formulas

MAX_CLAIMS = 2_000
"""Equality signs of one text that are looked at."""
MAX_ASKED = 48
"""Formulas of one text about which the engine is asked, at up to some 10 milliseconds each."""
MAX_SIDE = 300
"""Signs between two equality signs; what is longer is no calculation that people write."""
_ANNOTATION = lazy(r"<<([^<>\n]{1,200})>>")
_NOT_HELD = frozenset({"denied", "corrected", "doubted", "asked", "supposed"})
_ASKED = lazy(r"[^.!?。\n]{0,60}[?？]")
_PARTS = lazy(r"\n|[.,:;] ")
_TAKEN_BACK = 160
"""Characters after a claim in which it may be taken back."""
_CLAUSE = 60
"""Characters before a claim in which a word may turn it round."""
_GOES_ON = 20
"""Sides in which a chain may show that a word behind a number counts."""
MAX_FORMULA = 400
"""Characters of a side that is given to the engine."""
_CONTINUED = lazy(r"=[ \t]*\n|\n[ \t]*(?:&[ \t]*)?(?==)")
_EQUAL = lazy(f"=|{any_of(ABOUT)}")


@dataclass(slots=True)
class Claim:
    """Two sides that are said to be equal.

    Args:
        start: Start of the first in the text.
        end: End of the second.
        left: The first; None where only the engine reads it.
        right: The second.
        outcome: Knowledge about it.
        taken_back: Whether a false one is corrected further down, or was never held.
        is_next: Whether its left side is the right side of the claim before it.
    """

    start: int
    end: int
    left: Run | None
    right: Run | None
    outcome: Outcome
    taken_back: bool = False
    is_next: bool = False


class TooManyError(Exception):
    """More equality signs than are looked at."""


@dataclass(slots=True)
class Claims:
    """All claims of a text in order, and names that a value is given to without anything being worked out."""

    found: list[Claim] = field(default_factory=list)
    given: list[tuple[int, Operand]] = field(default_factory=list)


class _Titles:
    """Names that a number is a part of: Day 3 = 5 + 6 = 11.

    Args:
        text: Text that contains them.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: set[str] = set()

    def look(self, side: Sequence[Sign], run: Run) -> None:
        """Note that a calculation is unsure whose first number may be a name from before: Week 1 + 5."""
        before = side[run.first - 1] if run.first else None
        if before is not None and before.kind == "w" and before.text.casefold() in self.words:
            run.unsure_before = True

    def is_one(self, side: Sequence[Sign], run: Run, behind: Sequence[Run]) -> bool:
        """Return whether the left side only names the calculation on the right.

        Args:
            side: Its signs.
            run: The number in it, or the range: Days 1-3.
            behind: Continuation of the chain.
        """
        if run.number is None and not _is_range(run):
            return False
        if self._is_name(side, run.first):
            self.words.add(side[run.first - 1].text.casefold())
            return True
        word = run.operands[0].word
        return not run.first and not word.isascii() and not self._is_counted(run.operands[0], behind)

    def _is_name(self, side: Sequence[Sign], at: int) -> bool:
        """Return whether a word before a sign makes a name of both."""
        before = side[at - 1] if at else None
        if before is None:
            return False
        earlier = side[at - 2] if at > 1 else None
        if before.text == "." and earlier is not None and earlier.text.casefold() in ABBREVIATIONS:
            return True
        if before.kind != "w":
            return False
        if earlier is not None and earlier.kind == "n" and before.text.casefold() in JOINING:
            return self._is_name(side, at - 2)
        return not is_linked(self.text, before.start, before.end)

    def _is_counted(self, operand: Operand, behind: Sequence[Run]) -> bool:
        """Return whether the word after a number counts or measures, as it does further on or always."""
        if any(each.word == operand.word for run in behind for each in run.operands):
            return True
        if operand.word in NUMBERED or (operand.unit and is_kind(operand.unit, "time")):
            return False
        return bool(operand.unit) or table().counters.get(operand.word, "rank") not in _NUMBERING


_NUMBERING = ("time", "rank", "floor")
"""Groups of counters that number things as well."""


def _is_range(run: Run) -> bool:
    first, *last = run.operands
    return run.program == [0, 1, "-"] and all(
        first.digits.isdecimal() and each.digits.isdecimal() and first.value < each.value for each in last
    )


class _Finder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.claims = Claims()
        self.roundings = Roundings()
        self.titles = _Titles(text)
        self.asked = 0
        self.signs = 0

    def read(self) -> Claims:
        text = self.text
        if text.count("=") > 2 * MAX_CLAIMS:
            raise TooManyError
        annotated = _ANNOTATION.search(text) is not None
        plain = _ANNOTATION.sub(lambda part: UNSEEN * len(part.group()), text) if annotated else text
        for start, end in _stretches(plain):
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
        self._settle(sides, read)
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
                if left is not None and right is None:
                    self.titles.is_one(sides[left_side], left, ())
                if not self._is_name(behind) or left is None:
                    self._ask(text, side, behind, is_about)
                continue
            if left.is_worked_out:
                self.titles.look(sides[left_side], left)
            self.titles.look(behind, right)
            claims = self.claims.found
            before = claims[-1] if claims and is_whole and place and claims[-1].right is own else None
            outcome = judge(left, right, is_about, self.roundings, before is not None)
            if outcome == "false" and self._runs_on(left, right):
                outcome = (
                    "right"
                    if right.operands[0].value == left.operands[0].value or left.is_worked_out
                    else "unknown"
                )
            is_open = outcome == "none" or (outcome == "false" and right.is_worked_out)
            if is_open and self.titles.is_one(
                sides[left_side],
                left,
                [run for pair in read[place + 1 : place + _GOES_ON] for run in pair if run is not None],
            ):
                if right.number is not None:
                    self.claims.given.append((right.start, right.number))
                left = None
                continue
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

    def _settle(self, sides: Sequence[Sequence[Sign]], read: Sequence[tuple[Run | None, Run | None]]) -> None:
        """Take single letters for units where sides that a chain goes through have others of their kind."""
        chain: list[Run] = []
        for side, (first, last) in zip(sides, read, strict=True):
            if first is None or first.last != len(side):
                are_settled(*chain, *([first] if first else []))
                chain = [] if last is None else [last]
            else:
                chain.append(first)
        are_settled(*chain)

    def _is_behind_comma(self, text: str, run: Run) -> bool:
        """Return whether a comma before a run only parts it from a claim that holds: 8+7=15,40+20=60."""
        claims = self.claims.found
        return (
            bool(claims)
            and claims[-1].outcome == "right"
            and claims[-1].end + 1 == run.start
            and text[run.start - 1] == ","
        )

    def _is_name(self, side: Sequence[Sign]) -> bool:
        """Return whether a side is words, or an unknown: a name of the value."""
        return bool(side) and all(sign.kind == "w" or (sign.kind == "c" and len(side) == 1) for sign in side)

    def _runs_on(self, left: Run, right: Run) -> bool:
        """Return whether the two sides are a running total: 3 + 4 = 7 * 2 = 14."""
        first = Run(0, 1, 0, 0, right.operands[:1], [0])
        return (
            right.is_worked_out
            and right.program[:1] == [0]
            and judge(left, first, False, Roundings()) == "right"
        )

    def _is_unsure_list(self, side: Sequence[Sign], right: Run) -> bool:
        """Return whether a comma without a space may end a number: 8+7=15,100+20=120."""
        first = right.operands[0]
        return "," in self.text[first.start : first.start + len(first.digits) + 2] and right.is_worked_out

    def _ask(self, text: str, side: Sequence[Sign], behind: Sequence[Sign], is_about: bool) -> None:
        """Ask the engine about sides with more than numbers, where it is sure where they begin and end."""
        left, right = _formula(text, side, last=True), _formula(text, behind, last=False)
        if not left or not right or is_about or self.asked >= MAX_ASKED:
            return
        self.asked += 1
        outcome = judge_formulas(text[slice(*left)], text[slice(*right)])
        given, result = first_and_last(side, text)[1], first_and_last(behind, text)[0]
        self.claims.found.append(Claim(left[0], right[1], given, result, outcome))

    def _spoken(self, text: str) -> None:
        for calculation in spoken_calculations():
            for match in calculation.pattern.finditer(text):
                claim = _from_words(text, match, calculation, self.roundings)
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
    """Return whether a run is only the end of a formula that is more than numbers."""
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


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Lines with an equality sign; with the next one where a formula goes on in it."""
    start = 0
    length = len(text)
    while start < length:
        end = text.find("\n", start)
        end = length if end < 0 else end
        while end < length and (_CONTINUED.match(text, end) or _ends_open(text, start, end)):
            following = text.find("\n", end + 1)
            end = length if following < 0 else following
        if _EQUAL.search(text, start, end):
            yield start, end
        start = end + 1


def _ends_open(text: str, start: int, end: int) -> bool:
    tail = text[max(start, end - 8) : end].rstrip()
    return tail.endswith("=") and tail != "=" and not tail.endswith("==")


def _formula(text: str, side: Sequence[Sign], last: bool) -> tuple[int, int] | None:
    """Return the span of the formula at a side's end or beginning; None if that is not sure."""
    ordered = list(reversed(side)) if last else list(side)
    taken: list[Sign] = []
    for sign in ordered:
        if sign.kind == "b" and sign.text not in "|'":
            break
        if sign.kind == "w" and len(sign.text) > 2 and text[sign.start] != "\\":
            return None
        taken.append(sign)
    if not taken or not any(sign.kind in "nwcf" for sign in taken):
        return None
    start, end = min(sign.start for sign in taken), max(sign.end for sign in taken)
    balanced = sum(sign.kind == "(" for sign in taken) == sum(sign.kind == ")" for sign in taken)
    return (start, end) if balanced and end - start <= MAX_FORMULA else None


def _from_words(text: str, match: re.Match[str], spoken: Spoken, roundings: Roundings) -> Claim | None:
    """A calculation in prose as a claim."""
    operands = []
    for name in "abc":
        run = first_and_last(scan(text, *match.span(name)), text)[0]
        if run is None or run.number is None:
            return None
        operands.append(run.number)
    first, second, result = operands
    sign = "*" if spoken.sign == "%" else spoken.sign
    if spoken.sign == "%" and not second.is_share:
        return None
    left = Run(0, 1, match.start("a"), match.end("b"), [first, second], [0, 1, sign])
    right = Run(0, 1, match.start("c"), match.end("c"), [result], [0])
    return Claim(left.start, right.end, left, right, judge(left, right, False, roundings))
