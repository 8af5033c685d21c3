"""One claim, and those that are made in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...language.worked_steps import Spoken
from .judging import Outcome, Roundings, judge
from .runs import Operand, Run
from .signs import meaning, number


@dataclass(slots=True)
class Claim:
    """Two sides that are said to be equal.

    Args:
        start: Where the first begins in the text.
        end: Where the second ends.
        left: The first; None where only the engine reads it.
        right: The second.
        outcome: What is known of it.
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


def from_words(match: re.Match[str], spoken: Spoken, roundings: Roundings) -> Claim | None:
    """A calculation in prose as a claim."""
    operands = []
    for name in "abc":
        digits = match[name].strip()
        plain = re.match(r"[-−]?[\d,]+(?:\.\d+)?", digits)
        value = None if plain is None else number(plain.group().replace(",", "").lstrip("-−"))
        if plain is None or value is None:
            return None
        rest = digits[plain.end() :].strip()
        about = meaning(rest, True) if rest else None
        value *= (about.factor if about else 1) * (-1 if digits[0] in "-−" else 1)
        operands.append(
            Operand(
                value,
                plain.group().replace(",", ""),
                match.start(name),
                match.start(name) + len(plain.group()),
                "",
                about is not None and about.is_share,
            )
        )
    first, second, result = operands
    sign = "*" if spoken.sign == "%" else spoken.sign
    if spoken.sign == "%" and not second.is_share:
        return None
    left = Run(0, 1, match.start("a"), match.end("b"), [first, second], [0, 1, sign])
    right = Run(0, 1, match.start("c"), match.end("c"), [result], [0])
    return Claim(left.start, right.end, left, right, judge(left, right, False, roundings))
