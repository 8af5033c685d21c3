"""Where in a text equality signs are looked for, and where a formula begins and ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .signs import Sign

MAX_FORMULA = 400
"""Characters of a side that is given to the engine."""
_CONTINUED = re.compile(r"=[ \t]*\n|\n[ \t]*(?:&[ \t]*)?(?==)")
_EQUAL = re.compile(r"[=≈≒≃]|\\approx|\\simeq")


def stretches(text: str) -> Iterator[tuple[int, int]]:
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


def formula(text: str, side: Sequence[Sign], last: bool) -> tuple[int, int] | None:
    """Where the formula stands with which a side ends or begins; None where that is not sure."""
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
