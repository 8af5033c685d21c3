"""Whether a calculation in running text begins where it seems to."""

from __future__ import annotations

from collections.abc import Sequence

from ...language.numerals.english import is_numeral
from ...language.worked_steps import COMPUTING, OF
from .signs import Sign, meaning

_SIMPLE_NAMES = frozenset("aI")


def unsure_before(side: Sequence[Sign], at: int, is_number: bool) -> bool:
    """Whether what stands before a run may belong to it: a sign, or words after a sign or another number."""
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


_PARTING = frozenset('\n;"“”—<>|：，。、！？')
"""Signs that part a calculation from what stands directly before it."""
_MOST_WORDS_BEFORE, _NEAR_OF = 8, 3
"""Words before a number in which a sign is looked for; and between a number and what there are so many of."""


def is_letter(sign: Sign) -> bool:
    """Whether a word is one letter of ASCII."""
    return len(sign.text) == 1 and sign.text.isascii()


def takes_part(sign: Sign) -> bool:
    """Whether a word beside a calculation may be a part of it: twice, minus, x, half."""
    if sign.kind != "w":
        return False
    if is_letter(sign):
        return sign.text not in _SIMPLE_NAMES
    words = sign.text.casefold().split() or [""]
    last = words[-1].rstrip(".")
    return (last in COMPUTING and last not in ("and", "to", "the", "by", "or")) or is_numeral(last)


def is_item(side: Sequence[Sign], text: str) -> bool:
    """Whether a line begins with a dash and a space."""
    dash = side[0]
    line = text.rfind("\n", max(0, dash.start - _MOST_INDENT), dash.start) + 1
    is_first = (line > 0 or dash.start <= _MOST_INDENT) and not text[line : dash.start].strip()
    return dash.kind == "o" and is_first and text[dash.end : dash.end + 1] == " "


_MOST_INDENT = 40
"""Spaces before a line's dash."""
