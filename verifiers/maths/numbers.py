"""Exact numbers: integers, decimals, fractions, mixed numbers, percent, with a unit behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from .limits import MAX_DIGITS, MAX_EXPONENT

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
    \s*(?P<percent>%?)\s*(?P<unit>.*)
    """,
    re.VERBOSE | re.DOTALL,
)
_BRACES = re.compile(r"[{}\s]")
# A unit is words, or an abbreviation; never one lone letter, which may be a variable (3n + 2m).
_TEXT_UNIT = re.compile(r"\\(?:text|mbox|textnormal|textrm|mathrm)\s*\{([^{}\d]*)\}\s*(?:\^\s*\{?[23]\}?)?")
_WORD_UNIT = re.compile(r"(?:[가-힣]|[^\W\d_]{2,})(?:[\s./^-]+(?:[^\W\d_]+|(?<=\^)[23]))*\s*[.²³]?")
_DEGREE = re.compile(r"\^\\circ\s*(?:[CF]\b)?|degrees?")
_HANGUL_NUMERAL = re.compile(r"[십백천만억조할푼]")
_CONSTANTS = {"pi", "sqrt", "sin", "cos", "tan", "log", "ln", "exp", "or", "and", "mod", "to", "hundred"}
_CONSTANTS |= {"thousand", "million", "billion", "trillion", "dozen"}

# unit: (what it measures, how many of the base unit)
_UNITS: dict[str, tuple[str, Fraction]] = {
    name: (dimension, Fraction(factor))
    for dimension, names in {
        "length": {"mm": "1/1000", "cm": "1/100", "km": "1000"},
        "mass": {"mg": "1/1000", "g": "1", "kg": "1000"},
        "volume": {"ml": "1/1000", "liter": "1", "liters": "1"},
    }.items()
    for name, factor in names.items()
}


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
    unit = _unit(match["unit"])
    if unit is None:
        return None
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
    if one.unit and other.unit and one.unit in _UNITS and other.unit in _UNITS:
        (dimension, factor), (other_dimension, other_factor) = _UNITS[one.unit], _UNITS[other.unit]
        return dimension == other_dimension and one.value * factor == other.value * other_factor
    if one.value == other.value:
        return True
    if one.percent == other.percent:
        return False
    return one.value == other.value * 100 if one.percent else one.value * 100 == other.value


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


def _unit(text: str) -> str | None:
    """The unit in what follows a number: "" for none, None when it is not a unit."""
    text = text.strip()
    if not text or _DEGREE.fullmatch(text):
        return ""
    if quoted := _TEXT_UNIT.fullmatch(text):
        text = quoted.group(1).strip()
        if _HANGUL_NUMERAL.match(text):
            return None
        return text.casefold()
    if not _WORD_UNIT.fullmatch(text) or _HANGUL_NUMERAL.match(text):
        return None
    words = set(re.findall(r"[^\W\d_]+", text.casefold()))
    return None if words & _CONSTANTS else text.casefold()
