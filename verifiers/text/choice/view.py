"""A text without what only sets it: marks of emphasis, dollar signs, wrappers of TeX, tags of templates."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from ...language.normalization import INVISIBLE, fold_jamo, fold_width

_SET = re.compile(
    r"\*+|__+|(?<![A-Za-z0-9])_(?=\S)|(?<=\S)_(?![A-Za-z0-9])|`+|\$+|</?(?:[a-z]|[A-Za-z]{2,12})(?:\s[^<>\n]{0,60})?/?>|<\|[^<>|\n]{1,30}\|>"
    r"|\\(?:text|textbf|textit|mathrm|mathbf|mathsf|mbox|bf|rm|boxed|fbox|bm|boldsymbol)\s{0,2}\{|\\[()\[\]]|[{}]"
    rf"|{INVISIBLE.pattern}"
)


class View(NamedTuple):
    """What a reader sees of a text.

    Args:
        text: The text without its setting; as long as it was wherever nothing was taken out.
        cuts: Where in it something was taken out, in order.
        shifts: How many characters were taken out up to there.
    """

    text: str
    cuts: list[int]
    shifts: list[int]

    def original(self, place: int, *, end: bool = False) -> int:
        """The place in the text itself."""
        index = bisect_right(self.cuts, place - 1 if end else place) - 1
        return place + (self.shifts[index] if index >= 0 else 0)


def view_of(text: str) -> View:
    """Take a text's setting out, in linear time.

    >>> view_of("the **B**").text
    'the B'
    """
    text = fold_jamo(fold_width(text))
    pieces, cuts, shifts = [], [], []
    position = taken = length = 0
    for found in _SET.finditer(text):
        pieces.append(text[position : found.start()])
        length += found.start() - position
        taken += found.end() - found.start()
        cuts.append(length)
        shifts.append(taken)
        position = found.end()
    pieces.append(text[position:])
    return View("".join(pieces), cuts, shifts)
