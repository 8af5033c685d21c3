"""Which number of a text stands: the last one that its sentence does not speak against."""

from __future__ import annotations

import re

from ...core.extraction import Extraction
from ...language.answers.leads import after_so
from ...language.stance import is_acted_on, says_unknown, stance
from ..expressions import formula_around, is_list
from .written import AROUND, NUMBER, SAID

_STOP = re.compile(r"[\n。！？]|[.!?](?=\s)")


def last_that_holds(tail: str) -> re.Match[str] | Extraction | None:
    """The last number that its sentence does not speak against; an empty extraction where it does."""
    numbers = list(NUMBER.finditer(tail))
    passed: re.Match[str] | None = None
    around = len(tail)
    remarks = _remarks(tail)
    if any(not _within(number, remarks) for number in numbers):
        numbers = [number for number in numbers if not _within(number, remarks)]
    numbers = [each for each in numbers if not _raises_a_unit(tail, each)]
    if numbers and says_unknown(tail, numbers[-1].start()):
        return Extraction(None, numbers[-1].span(), "last_number", "the text says that there is no answer")
    for number in reversed(numbers):
        if passed is not None and _STOP.search(tail, number.end(), passed.start()):
            break  # what another sentence says is no answer either
        said = stance(tail, *number.span())
        if passed is not None and (number.group() == passed.group() or number.start() >= around):
            continue  # what is denied is denied wherever it stands before, and with its whole formula
        if said.kind in ("denied", "corrected"):
            passed, around = number, formula_around(tail, *number.span())[0]
            continue
        if said.kind == "bare" and (stated := _stated_before(tail, number, numbers)) is not None:
            return stated
        if said.holds or (said.kind == "offered" and _all_offered(tail, *number.span())):
            return number
        return Extraction(None, number.span(), "last_number", f"the last number is {said.kind}")
    if passed is None:
        return None
    return Extraction(None, passed.span(), "last_number", "the last number is denied")


def _stated_before(tail: str, number: re.Match[str], numbers: list[re.Match[str]]) -> re.Match[str] | None:
    """The value that the sentence before states, where this one only does something with its number.

    "The last digit is 3. I have checked 9 cases." says 3, where the language marks the object.
    """
    if not is_acted_on(tail, number.end()):
        return None
    before = [each for each in numbers if each.start() < number.start()]
    stops = list(_STOP.finditer(tail, before[-1].end(), number.start())) if before else []
    if len(stops) != 1 or after_so(tail, stops[0].end(), number.start()) > stops[0].end():
        return None
    return before[-1] if stance(tail, *before[-1].span()).kind == "stated" else None


def _all_offered(tail: str, start: int, end: int) -> bool:
    """Whether the alternatives beside a number are found with it, or it is only a rounding of one."""
    around = formula_around(tail, start, end)
    return around[1] <= start or is_list(tail, *around)


def _raises_a_unit(tail: str, number: re.Match[str]) -> bool:
    """Whether a number is the exponent of a unit that was set as text."""
    before = tail[max(0, number.start() - 3) : number.start()]
    return (
        before.endswith(("}^", "}^{", "}^{-"))
        and _UNIT_AS_TEXT.search(tail, max(0, number.start() - AROUND), number.start()) is not None
    )


_UNIT_AS_TEXT = re.compile(r"\\(?:text|mathrm)\{[^{}]{1,30}\}\^\{?-?\Z")

_REMARK = re.compile(r"[(（](?P<said>[^()（）\n]{1,300})[)）]")


def _remarks(tail: str) -> list[tuple[int, int]]:
    """Brackets that hold words: what stands there only goes on about something."""
    return [remark.span() for remark in _REMARK.finditer(tail) if SAID.search(remark["said"])]


def _within(number: re.Match[str], stretches: list[tuple[int, int]]) -> bool:
    return any(start < number.start() < end for start, end in stretches)
