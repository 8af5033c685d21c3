"""A solution as steps, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..core.component import Component
from ..language.signs import DISPLAYS
from ..language.worked_steps import ABBREVIATIONS, SENTENCE_ENDS, STEP_TITLES
from ..runtime.patterns import lazy

By = Literal["marks", "sentences", "lines", "paragraphs"]
"""Ends of steps, see `Steps`."""


class Step(NamedTuple):
    """A step: ``text[start:end]``, without white space around it."""

    start: int
    end: int


_MARK = lazy(
    rf"[ \t]{{0,8}}(?:[*_#>]{{1,6}}[ \t]{{0,2}})?"
    rf"(?:(?:{'|'.join(STEP_TITLES)})|\(?\d{{1,3}}[.)](?=\s|\Z)|[①-⑳])",
    re.IGNORECASE,
)
"""Beginnings of a step at the start of a line: Step 2, 2., (2), ②."""
_DISPLAYS = "|".join(map(re.escape, {*DISPLAYS, *DISPLAYS.values()}))
_STOP = lazy(rf"\n|[{SENTENCE_ENDS}]|[.!?](?=[\"'”’)*_$\]]{{0,4}}[ \t]+\S)|{_DISPLAYS}|\\(?:begin|end)\s?\{{")
_CLOSING = lazy(r"[\"'”’)*_$\]]{0,4}")
_WORD_BEFORE = lazy(r"([A-Za-z.]{1,12})\Z")
_BLANK = lazy(r"[ \t\r\f\v]*(?:\n|\Z)")
_ENUMERATION = lazy(r"(?:^|\n)[ \t]*\(?\d{1,3}\Z")


@dataclass(frozen=True, repr=False)
class Steps(Component):
    r"""Splits a solution into steps.

    Whether a place ends a step depends on nothing that stands after the next one, so a text that goes on has
    the steps that it had. Displayed formulas are not cut. Linear in the text.

    Args:
        by: ``marks``: a step that is numbered or titled (``2.``, ``Step 2``; in Korean and Chinese, too)
            goes to the next such mark or blank line; elsewhere each line and each sentence is one.
            ``sentences``: the same, but marked steps are cut into their sentences, too. ``lines``: each line.
            ``paragraphs``: what stands between blank lines.

    >>> text = "Step 1: 8+7=15. So far so good.\nStep 2: 40+20=60.\n\n15+60=75. Done."
    >>> [text[step.start : step.end] for step in Steps().split(text)]
    ['Step 1: 8+7=15. So far so good.', 'Step 2: 40+20=60.', '15+60=75.', 'Done.']
    """

    by: By = "marks"

    def split(self, text: str) -> tuple[Step, ...]:
        """The steps of a text, in order; stretches of white space are none."""
        found = []
        for start, end in self._stretches(text):
            piece = text[start:end]
            if said := piece.strip():
                first = start + len(piece) - len(piece.lstrip())
                found.append(Step(first, first + len(said)))
        return tuple(found)

    def _stretches(self, text: str) -> Iterator[tuple[int, int]]:
        start, is_marked, inside = 0, _MARK.match(text) is not None, ""
        for stop in _STOP.finditer(text):
            sign, end = stop.group(), stop.end()
            if sign == "\n":
                is_blank = _BLANK.match(text, end) is not None
                ends = is_blank or (not inside and self._ends_line(is_marked, text, end))
                if is_blank:
                    inside = ""
            elif sign[0] in "\\$":
                inside = self._display(sign, inside)
                continue
            else:
                end = _CLOSING.match(text, end).end()  # type: ignore[union-attr]
                ends = not inside and self._ends_sentence(is_marked, text, stop.start())
            if ends:
                yield start, end
                start = end
                if sign == "\n":
                    is_marked = _MARK.match(text, end) is not None
        yield start, len(text)

    def _display(self, sign: str, inside: str) -> str:
        """Return the closing sign of the displayed formula open after a sign; "" if none is."""
        if inside:
            closes = sign == inside or (inside == "\\end" and sign.startswith("\\end"))
            return "" if closes else inside
        return "\\end" if sign.startswith("\\begin") else DISPLAYS.get(sign, "")

    def _ends_line(self, is_marked: bool, text: str, at: int) -> bool:
        if self.by == "paragraphs":
            return False
        return self.by == "lines" or not is_marked or _MARK.match(text, at) is not None

    def _ends_sentence(self, is_marked: bool, text: str, at: int) -> bool:
        if self.by in ("lines", "paragraphs") or (self.by == "marks" and is_marked):
            return False
        if text[at] != ".":
            return True
        before = text[max(0, at - 13) : at]
        if _ENUMERATION.search(before):
            return False
        word = _WORD_BEFORE.search(before)
        return word is None or not (
            word[1].casefold() in ABBREVIATIONS or (len(word[1]) == 1 and word[1].isupper())
        )
