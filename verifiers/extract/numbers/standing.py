"""Which number of a text stands: the last one that its sentence does not speak against."""

from __future__ import annotations

import re

from ...core.extraction import Extraction
from ...language.stance import says_unknown, stance
from ..expressions import formula_around, is_list
from .written import AROUND, NUMBER, SAID

_STOP = re.compile(r"[\n。！？]|[.!?](?=\s)")


def last_that_holds(tail: str) -> re.Match[str] | Extraction | None:
    """The last number that its sentence does not speak against; an empty extraction where it does."""
    numbers = list(NUMBER.finditer(tail))
    passed: re.Match[str] | None = None
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
        if passed is not None and number.group() == passed.group():
            continue  # what is denied is denied wherever it stands before
        if said.kind in ("denied", "corrected"):
            passed = number
            continue
        if said.holds or (said.kind == "offered" and _all_offered(tail, *number.span())):
            return number
        return Extraction(None, number.span(), "last_number", f"the last number is {said.kind}")
    if passed is None:
        return None
    return Extraction(None, passed.span(), "last_number", "the last number is denied")


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
