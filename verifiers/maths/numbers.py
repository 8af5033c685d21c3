"""Plain numbers, which most answers are, by one pattern: whole, decimal, mixed, percent, with a unit behind.

Whatever is more than that the grammar reads.
"""

from __future__ import annotations

import re
from fractions import Fraction

from .limits import MAX_DIGITS, MAX_EXPONENT
from .shapes import Value
from .tree import Apply, Node, Number
from .units import CURRENCIES, read_unit

_INTEGER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:[ ]\d{3})+|\d+)(?!\d)"
_GROUP = r"\s*(?:\{\s*(-?\d+)\s*\}|(\d))"
_NUMBER = re.compile(
    rf"""
    (?P<sign>[-+]?)\s*(?P<currency>[$€£¥₩]?)\s*(?P<sign2>-?)
    (?:
        (?:(?P<whole>\d+)\s*)?\\frac(?P<top>{_GROUP})(?P<bottom>{_GROUP})
      | (?:(?P<mixed>\d+)\s+)?(?P<over>{_INTEGER})\s*/\s*(?P<under>{_INTEGER})
      | (?P<digits>{_INTEGER}(?:\.\d*)?|\.\d+)
        (?:[eE](?P<e>[-+]?\d{{1,6}})
          |\s*(?:\\times|\\cdot|\*|x)\s*10\s*\^\s*(?:\{{\s*(?P<ten>[-+]?\d{{1,6}})\s*\}}|(?P<digit>\d)(?!\d)|\((?P<paren>[-+]?\d{{1,6}})\)))?
    )
    (?P<percent>\s*%)?(?P<unit>.*)
    """,
    re.VERBOSE | re.DOTALL,
)
_BRACES = re.compile(r"[{}\s]")


def read_number(text: str) -> Value | None:
    r"""Read a cleaned text as one exact number; None when it is anything else.

    >>> read_number(r"1\frac{1}{2}"), read_number("1,234.50 dollars")
    (Value(node=Number(value=Fraction(3, 2)), unit=''), Value(node=Number(value=Fraction(2469, 2)), unit='dollar'))
    >>> read_number("3n") is None
    True
    """
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > MAX_DIGITS:
        return None
    unit = read_unit(match["unit"]) if match["unit"] else ""
    value = _value(match) if unit is not None else None
    if unit is None or value is None or (match["percent"] and unit):
        return None
    if (match["sign"] == "-") != (match["sign2"] == "-"):
        value = -value
    return with_unit(Number(value), "percent" if match["percent"] else unit or CURRENCIES.get(match["currency"], ""))


def with_unit(node: Node, unit: str) -> Value:
    """A value with what stood behind it; percent and degrees are part of the value."""
    if unit in ("percent", "degree"):
        return Value(Apply("percent" if unit == "percent" else "degrees", (node,)))
    return Value(node, unit)


def _value(match: re.Match[str]) -> Fraction | None:
    if match["top"] is not None:
        top, bottom = (int(_BRACES.sub("", match[name])) for name in ("top", "bottom"))
        whole = int(match["whole"] or 0)
        if bottom == 0 or (match["whole"] and (top < 0 or bottom < 0)):
            return None
        return whole + Fraction(top, bottom)
    if match["over"] is not None:
        bottom = int(match["under"].replace(",", "").replace(" ", ""))
        if bottom == 0:
            return None
        return int(match["mixed"] or 0) + Fraction(
            int(match["over"].replace(",", "").replace(" ", "")), bottom
        )
    value = Fraction(match["digits"].replace(",", "").replace(" ", "").rstrip("."))
    exponent = match["e"] or match["ten"] or match["digit"] or match["paren"]
    if exponent:
        if abs(int(exponent)) > MAX_EXPONENT:
            return None
        value *= Fraction(10) ** int(exponent)
    return value
