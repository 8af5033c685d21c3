"""Exact numbers: integers, decimals, fractions, mixed numbers, percent, with a unit behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from .limits import MAX_DIGITS, MAX_EXPONENT
from .units import CURRENCIES, UNITS, read_unit

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


@dataclass(frozen=True, slots=True)
class Exact:
    """A rational number as it was written.

    Args:
        value: The number, before any percent sign.
        percent: Whether a percent sign followed.
        unit: The unit that followed, folded; "" for none.
    """

    value: Fraction
    percent: bool = False
    unit: str = ""


def read_number(text: str) -> Exact | None:
    r"""Read a cleaned text as one exact number; None when it is anything else.

    >>> read_number(r"1\frac{1}{2}").value, read_number("1,234.50 dollars").value
    (Fraction(3, 2), Fraction(2469, 2))
    >>> read_number("3n") is None
    True
    """
    match = _NUMBER.fullmatch(text)
    if match is None or max(map(len, re.findall(r"\d+", text)), default=0) > MAX_DIGITS:
        return None
    unit = read_unit(match["unit"])
    if unit is None:
        return None
    unit = unit or CURRENCIES.get(match["currency"], "")
    value = _value(match)
    if value is None:
        return None
    if (match["sign"] == "-") != (match["sign2"] == "-"):
        value = -value
    return Exact(value, bool(match["percent"]), unit)


def same_number(one: Exact, other: Exact) -> bool:
    """Whether two numbers agree under the default policies for percent and units.

    With a percent sign on one side only, 50% agrees with 50 and with 0.5. A unit may be missing on
    either side; two units of one dimension are converted.
    """
    if one.unit and other.unit and one.unit != other.unit:
        measures = UNITS.get(one.unit), UNITS.get(other.unit)
        if measures[0] and measures[1]:
            return (
                measures[0][0] == measures[1][0]
                and one.value * measures[0][1] == other.value * measures[1][1]
            )
        # "dollar per day" may stand for "dollar"; an hour is not an apple.
        if one.unit.split()[0] != other.unit.split()[0] and (measures[0] or measures[1]):
            return False
    if (one.percent and other.unit) or (other.percent and one.unit):
        return False
    if one.value == other.value:
        return True
    if one.percent == other.percent:
        return False
    return one.value == other.value * 100 if one.percent else one.value * 100 == other.value


def same_quantity(one: Exact, other: Exact) -> bool:
    """Whether two numbers are the same without any allowance: a percent sign and a unit belong to them."""
    return _quantity(one) == _quantity(other)


def _quantity(number: Exact) -> tuple[Fraction, str]:
    value = number.value / 100 if number.percent else number.value
    dimension, factor = UNITS.get(number.unit, (number.unit, Fraction(1)))
    return value * factor, dimension


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
