"""The value in what follows an answer phrase: what an ending, a correction or a remark leaves of it."""

from __future__ import annotations

from typing import NamedTuple

from ...runtime.patterns import lazy
from ..patterns import is_silent
from ..stance import Kind
from .asides import aside, is_contradicted, other_value, reason, remark, restated
from .endings import beside, ending
from .leads import after_so, lead_of, right_after
from .shapes import LOOSE, is_hangul, is_value, skipped

_DENIED_ASIDE = lazy(r"\s{0,4}[(（](?P<said>[^()（）\n]{1,40})[)）]")
_LONGEST = 400
"""Characters of a sentence in which its value is looked for; what is longer is none."""
_SHORT = 2
"""Letters of an ending that may also be the end of a word before it."""


class Value(NamedTuple):
    """What a sentence says that the answer is.

    Args:
        kind: Whether it is said to be so: "stated" and "bare" answer, the others do not.
        start: Where it begins.
        ends: Where it ends, by each reading, the shortest last: 고양이다 is a cat (고양이) or a town (고양).
    """

    kind: Kind
    start: int
    ends: tuple[int, ...]


def value(text: str, start: int, end: int, *, titled: bool = False) -> Value:
    """The value that the rest of a sentence gives after an answer phrase.

    Args:
        text: The text.
        start: Where the sentence goes on after the phrase.
        end: Where it ends, before its stop.
        titled: Whether a title stands before it, so that a word need not end in 다 or 요 to make a sentence.

    >>> value("3이 아니라 4입니다", 0, 11)
    Value(kind='stated', start=7, ends=(8,))
    >>> value("48, which is even", 0, 17), value("3이 아닙니다", 0, 7).kind
    (Value(kind='bare', start=0, ends=(17, 2)), 'denied')
    """
    if end - start <= _LONGEST and is_silent(text, start, end):
        return Value("bare", start, (end,))
    end_of_all = end
    start = after_so(text, start, end)
    end = min(end, start + _LONGEST)
    if (before := lead_of(text, start, end)) is not None:
        kind, after = before
        right = right_after(text, after, end) if kind == "denied" else None
        if right is None and is_value(text, after):
            return Value(kind, after, (end_of_all,))
        if right is not None:
            start = right
    if (again := restated(text, start, end)) is not None:
        start = again
    other = other_value(text, start, end) or _denied_aside(text, start, end)
    if other is not None:
        end = end_of_all = other
    because = reason(text, start, end) or end
    kind, start, ends = _ended(text, start, because, end_of_all, titled=titled)
    if kind not in ("bare", "stated"):
        return Value(kind, start, tuple(ends))
    if is_contradicted(text, start, min(ends)):
        return Value("offered", start, (end_of_all,))
    for cut in (remark(text, start, end), aside(text, start, min(ends))):
        if cut is not None and cut < min(ends):
            ends.append(cut)
    return Value(kind, start, tuple(sorted(ends, reverse=True)))


def _ended(text: str, start: int, end: int, end_of_all: int, *, titled: bool) -> tuple[Kind, int, list[int]]:
    """What the endings of a sentence make of its value, where that begins, and where it may end.

    A correction ("3이 아니라 4") begins anew after it.

    Args:
        text: The text.
        start: Where the value begins.
        end: Where endings are looked for no more.
        end_of_all: Where the value ends that has no ending.
        titled: As `value` has it.
    """
    kind: Kind = "bare"
    ends = [end_of_all]
    place = start
    while (found := ending(text, start, place, end)) is not None:
        kind, said, after = found
        if kind == "corrected":
            rest = skipped(text, after)
            if rest >= end:
                return "denied", start, [said]
            start = place = rest
            kind, ends = "bare", [end_of_all]
            continue
        if kind != "stated":
            return kind, start, [said]
        if text[after:end].strip(LOOSE):  # the sentence goes on
            if beside(text, start, said, after, end):
                return "offered", start, [end_of_all]
            ends.append(said)
            break
        if not is_hangul(text[said - 1]) or (after - said > _SHORT and text[said] != "이"):
            ends = [said] if len(ends) == 1 else [*ends, said]  # it can be nothing else
            break
        if not titled or after - said >= _SHORT:
            ends.append(said)
        place = said
    return kind, start, ends


def _denied_aside(text: str, start: int, end: int) -> int | None:
    """Where a bracket begins that says of another value that it is not the answer: "43 (42가 아님)"."""
    for aside_ in _DENIED_ASIDE.finditer(text, start + 1, end):
        inner = aside_.start("said")
        found = ending(text, inner, inner, aside_.end("said")) if is_value(text, inner) else None
        if found is None or found[0] != "denied":
            continue
        if text[inner : found[1]].strip(LOOSE) != text[start : aside_.start()].strip(LOOSE):
            return aside_.start()
    return None
