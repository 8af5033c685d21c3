"""Numbers inside a formula: whole, decimal, mixed and repeating."""

from __future__ import annotations

from fractions import Fraction

from ..formulas.formula_tree import Apply, Node, Number, Sum
from ..formulas.limits import MAX_DIGITS, UnreadableError
from .text.token_cursor import Cursor

_LONGEST_PERIOD = 18
"""Digits of a period that dots may stand for: 1/19 has as many."""


def number(digits: str) -> Number:
    """A decimal number as the fraction that was written.

    Raises:
        UnreadableError: It has more than `MAX_DIGITS` digits.
    """
    if len(digits) > MAX_DIGITS:
        raise UnreadableError("a number of too many digits")
    return Number(Fraction(int(digits)) if digits.isdecimal() else Fraction(digits.rstrip(".") or "0"))


def read(cursor: Cursor, token: str) -> Number:
    r"""The number that begins with a token: ``2``, ``2\frac12``, ``0.1\overline{6}``, ``0.333...``."""
    value = number(token)
    after = cursor.peek()
    if after is None:
        return value
    if "." in token and (after in ("\\overline", "\\dot", "\\bar") or (after == "(" and _block(cursor, 1))):
        return _repeating(token, cursor)
    if "." in token and after == "\\dots":
        return _ellipsis(token, cursor)
    if "." not in token:
        part = _fraction(cursor)
        if part is not None:
            return Number(value.value + part)
    return value


def _fraction(cursor: Cursor) -> Fraction | None:
    """The proper fraction after a whole number, which makes it a mixed one."""
    words = cursor.words[cursor.position : cursor.position + 7]
    forms: list[tuple[str, str, int]] = []
    if words[:2] == ["\\frac", "{"] and words[3:5] == ["}", "{"] and words[6:7] == ["}"]:
        forms.append((words[2], words[5], 7))
    elif words[:1] == ["\\frac"] and len(words) > 1 and words[1].isdecimal() and len(words[1]) == 2:
        forms.append((words[1][0], words[1][1], 2))
    elif len(words) > 2 and words[1] == "/" and words[3:4] not in (["^"], ["."], ["!"]):
        forms.append((words[0], words[2], 3))
    for top, bottom, length in forms:
        if top.isdecimal() and bottom.isdecimal() and 0 < int(top) < int(bottom):
            cursor.position += length
            return Fraction(int(top), int(bottom))
    return None


def _block(cursor: Cursor, ahead: int) -> str:
    """The digits in a bracket that closes after them; "" for anything else."""
    digits = cursor.peek(ahead) or ""
    return digits if digits.isdecimal() and cursor.peek(ahead + 1) in (")", "}") else ""


def _repeating(token: str, cursor: Cursor) -> Number:
    r"""``0.1\overline{6}``, ``0.1(6)``, ``0.\dot{1}42\dot{8}``; dots are above the first and last digit."""
    command = cursor.take()
    block = _marked(cursor, command)
    if command == "\\dot":
        between = cursor.peek() or ""
        ahead = 1 if between.isdecimal() else 0
        if cursor.peek(ahead) == "\\dot":
            cursor.position += ahead
            cursor.take()
            block += (between if ahead else "") + _marked(cursor, command)
    if (cursor.peek() or "").replace(".", "").isdecimal():
        raise UnreadableError("digits after a period that has no end")
    return _with_tail(token, block)


def _marked(cursor: Cursor, command: str) -> str:
    """The digits under a mark, or in the bracket that was just opened."""
    if cursor.peek() == "{" or command == "(":
        digits = _block(cursor, 0 if command == "(" else 1)
        cursor.position += 2 if command == "(" else 3
    else:
        digits = cursor.take()
    if not digits.isdecimal():
        raise UnreadableError("an overline above something other than digits")
    return digits


def _ellipsis(token: str, cursor: Cursor) -> Number:
    """``0.1666...``: what comes twice in a row, or more often, is repeated forever."""
    whole, _, digits = token.partition(".")
    for period in range(1, min(_LONGEST_PERIOD, len(digits) // 2) + 1):
        repeated = 0
        for place in range(len(digits) - 1, period - 1, -1):
            if digits[place] != digits[place - period]:
                break
            repeated += 1
        if repeated >= period:
            start = len(digits) - repeated - period
            cursor.take()
            return _with_tail(f"{whole}.{digits[:start]}", digits[start : start + period])
    raise UnreadableError("digits followed by dots, without a period that repeats")


def _with_tail(token: str, block: str) -> Number:
    after = len(token.partition(".")[2])
    tail = Fraction(int(block), (10 ** len(block) - 1) * 10**after)
    return Number(number(token).value + tail)


_SIXTIETHS = (60, 3600)


def with_minutes(cursor: Cursor, degrees: Node) -> Node:
    """Degrees with the minutes and seconds of arc that follow: ``41^\\circ 30' 36''``."""
    terms = [degrees]
    for parts in _SIXTIETHS:
        words = cursor.words[cursor.position :]
        marks = _marks(words)
        if not marks or not words[0].isdecimal() or (marks == 1) != (parts == _SIXTIETHS[0]):
            break
        terms.append(Apply("degrees", (Number(Fraction(int(words[0]), parts)),)))
        cursor.position += 1 + marks
    return degrees if len(terms) == 1 else Sum(tuple(terms))


def _marks(words: list[str]) -> int:
    """How many strokes follow a number at once: one for minutes, two for seconds."""
    count = 0
    while words[1 + count : 2 + count] == ["'"]:
        count += 1
    return count
