"""A text without what only sets it: marks of emphasis, dollar signs, wrappers of TeX, tags of templates."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from ...language.normalization import INVISIBLE, fold_jamo, fold_width
from ...language.signs import TEXT_COMMAND
from ...runtime.patterns import lazy

_SET = lazy(
    r"\*+|__+|(?<![A-Za-z0-9])_(?=\S)|(?<=\S)_(?![A-Za-z0-9])|`+|\$+|</?(?:[a-z]|[A-Za-z]{2,12})(?:\s[^<>\n]{0,60})?/?>|<\|[^<>|\n]{1,30}\|>"
    rf"|{TEXT_COMMAND}\{{|\\(?:bf|boxed|fbox|bm|boldsymbol)\s{{0,2}}\{{"
    r"|\\[()\[\]]|\\(?:q?quad\b|(?=[ ,;:!~]))|[{}]"
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


HEAD = 2_000
"""Characters at the beginning of a text in which a choice is looked for."""
TAIL = 10_000
"""The same at its end. What stands between them is working."""


def view_of(text: str) -> View:
    """Take a text's setting out, and what stands far from both of its ends.

    >>> view_of("the **B**").text
    'the B'
    """
    skipped = max(0, len(text) - HEAD - TAIL)
    if skipped:
        text = text[:HEAD] + "\n" + text[HEAD + skipped :]
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
    if skipped:
        cuts, shifts = _with_gap(cuts, shifts, skipped - 1)
    return View("".join(pieces), cuts, shifts)


def _with_gap(cuts: list[int], shifts: list[int], by: int) -> tuple[list[int], list[int]]:
    """The cuts of a text of which the part after `HEAD` and one line break was taken out, too."""
    before = [(cut, shift) for cut, shift in zip(cuts, shifts, strict=True) if cut + shift <= HEAD]
    behind = [(cut, shift + by) for cut, shift in zip(cuts, shifts, strict=True) if cut + shift > HEAD]
    taken = before[-1][1] if before else 0
    pairs = [*before, (HEAD - taken + 1, taken + by), *behind]
    return [cut for cut, _ in pairs], [shift for _, shift in pairs]
