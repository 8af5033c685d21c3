"""Decimal commas: ``0,5`` may be a number or two, and the other side shows which."""

from __future__ import annotations

from ...runtime.patterns import lazy

_POINT = lazy(r"\d\.\d|(?<![\w.])\.\d")
_COMMA = lazy(r"(?<![\d,.])(\d+),(\d+)(?![\d,.])")
_THOUSANDS = lazy(r"[1-9]\d{0,2},\d{3}")
_SURE = lazy(r"(?<!\d)0,\d{3}|\d,\d+\s*(?:\\[,;: ]\s*)?(?:%|[$€£¥₩])")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def shows_point(text: str) -> bool:
    """Whether a cleaned text writes a decimal with its point.

    >>> shows_point("0.5 cm"), shows_point("x = 5.")
    (True, False)
    """
    return _POINT.search(text) is not None


def is_sure(text: str) -> bool:
    """Whether a comma is followed by what no list ends with, or by three digits that are no thousands.

    >>> is_sure("2,74 $"), is_sure("0,111"), is_sure("0,5")
    (True, True, False)
    """
    return _SURE.search(text) is not None


def with_points(text: str) -> str | None:
    r"""A cleaned text with points for commas that may be decimal ones; None where there is none.

    ``1,234`` has a thousands separator, ``1, 5`` is a list, and ``(0,5)`` is a point, but not where
    semicolons divide it.

    >>> with_points("2,74 $"), with_points("(0,5; 1)"), with_points("(0,5)"), with_points("1,234")
    ('2.74 $', '(0.5; 1)', None, None)
    """
    if "," not in text or ", " in text or _POINT.search(text):
        return None
    commas = list(_COMMA.finditer(text))
    if not commas or len(commas) != text.count(",") or any(_THOUSANDS.fullmatch(each[0]) for each in commas):
        return None
    if ";" not in text and (len(commas) > 1 or _is_inside(text, commas[0].start())):
        return None
    return _COMMA.sub(r"\1.\2", text)


def _is_inside(text: str, place: int) -> bool:
    """Whether a bracket is open at a place."""
    before = text[:place]
    return sum(before.count(sign) for sign in _OPENING) > sum(before.count(sign) for sign in _CLOSING)
