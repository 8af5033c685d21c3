"""Plain numbers, which most answers are, by one pattern: whole, decimal, mixed, percent, with a unit.

The grammar reads whatever is more than that.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from ...language.english_numerals import read_words
from ...language.korean_numerals import readings
from ...units.quantities import CURRENCIES, UNITS, measure, read_unit
from ..formulas.formula_tree import Apply, Node, Number
from ..formulas.shapes import Value
from ..text.limits import MAX_DIGITS, MAX_EXPONENT

_INTEGER = r"(?:(?!0)\d{1,3}(?:(?:,\d{3})+|(?:[ ]\d{3})+)|\d+)(?!\d)"
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
# 1000,99 and 1.234,56: a comma after four digits, or after points, is not a thousands separator.
_CONTINENTAL = re.compile(r"(-?(?:\d{4,}|\d{1,3}(?:\.\d{3})+)),(\d{1,2})")
_HANGUL = re.compile("[가-힣]")
_SIZES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_LARGE = re.compile(
    rf"([$€£¥₩]?)\s*(-?\d[\d,]{{0,20}}(?:\.\d{{1,9}})?)\s*(?:\\text\s*\{{\s*)?({'|'.join(_SIZES)})\}}?(\s.*)?",
    re.IGNORECASE,
)
_SPELLED = re.compile(
    r"(?:[Oo]ne|[Tt]w|[Tt]h[ir]|[Ff][oi]|[Ss][ie]|[Ee]i|[Ee]l|[Nn]in|[Tt]en|[Zz]er|an? [hqtf])"
)
_SHARE = {
    "half": 2, "third": 3, "fourth": 4, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
_SHARES = re.compile(rf"(\d{{1,9}})[\s-]+({'|'.join(_SHARE)})s?", re.IGNORECASE)
_TEXT = re.compile(r"\\text\s*\{\s*([^{}\d]*?)\s*\}")
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*([a-z]{1,12}|[가-힣]{1,5})", re.IGNORECASE)
_COMPOUND = re.compile(
    r"(?:\d{1,9}(?:\.\d{1,9})?\s*(?:[a-z]{1,12}|[가-힣]{1,5})[\s,]*(?:and\s+)?){2,4}", re.IGNORECASE
)
_BRACES = re.compile(r"[{}\s]")


@lru_cache(maxsize=4096)
def read_number(text: str) -> Value | None:
    r"""Read a cleaned text as one exact number; None when it is anything else.

    >>> read_number(r"1\frac{1}{2}"), read_number("12 dollars").unit
    (Value(node=Number(value=Fraction(3, 2)), unit=''), 'dollar')
    >>> read_number("3n") is None
    True
    """
    if "," in text and (continental := _CONTINENTAL.fullmatch(text)):
        text = f"{continental[1].replace('.', '')}.{continental[2]}"
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > MAX_DIGITS:
        return _other_number(text)
    unit = read_unit(match["unit"]) if match["unit"] else ""
    value = _value(match) if unit is not None else None
    if unit is None or value is None or (match["percent"] and unit):
        return _other_number(text)
    if (match["sign"] == "-") != (match["sign2"] == "-"):
        value = -value
    return with_unit(
        Number(value), "percent" if match["percent"] else unit or CURRENCIES.get(match["currency"], "")
    )


def _other_number(text: str) -> Value | None:
    """A Korean numeral, or a quantity in several units."""
    if not text.isascii() and _HANGUL.search(text):
        for number, rest in readings(text):
            unit = read_unit(" " + rest)
            if unit is not None:
                return with_unit(Number(number), unit)
    if (large := _LARGE.fullmatch(text)) is not None:
        unit = read_unit(large[4] or "")
        number = Fraction(large[2].replace(",", "")) * _SIZES[large[3].lower()]
        if unit is not None:
            return with_unit(Number(number), unit or CURRENCIES.get(large[1], ""))
    if text[:1].isalpha() and _SPELLED.match(text):
        words = re.sub(r"\\text\s*\{([^{}]*)\}", r"\1", text)
        return None if (spelled := read_words(words)) is None else Value(Number(spelled))
    if (shares := _SHARES.fullmatch(text)) is not None:
        return Value(Number(Fraction(int(shares[1]), _SHARE[shares[2].lower()])))
    if "\\text" in text:
        text = _TEXT.sub(r"\1", text).strip()
    return _compound(text) if text[:1].isdigit() and _COMPOUND.fullmatch(text) else None


def _compound(text: str) -> Value | None:
    """``3 hours 30 minutes``, ``3시간 30분``: in the last of its units."""
    parts: list[tuple[Fraction, str, tuple[object, Fraction]]] = []
    for number, name in _PART.findall(text):
        unit = read_unit(" " + name)
        unit = unit or (name if name in UNITS else None)  # 1m 20cm
        size = measure(unit) if unit else None
        if (
            unit is None
            or size is None
            or (parts and (size[0] != parts[0][2][0] or size[1] >= parts[-1][2][1]))
        ):
            return None
        parts.append((Fraction(number), unit, size))
    smallest = parts[-1][2][1]
    return Value(
        Number(sum((number * size[1] / smallest for number, _, size in parts), Fraction(0))), parts[-1][1]
    )


def with_unit(node: Node, unit: str) -> Value:
    """A value with what followed it; percent and degrees are part of the value."""
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
    digits = match["digits"].replace(",", "").replace(" ", "").rstrip(".")
    value = Fraction(int(digits)) if digits.isdecimal() else Fraction(digits)
    exponent = match["e"] or match["ten"] or match["digit"] or match["paren"]
    if exponent:
        if abs(int(exponent)) > MAX_EXPONENT:
            return None
        value *= Fraction(10) ** int(exponent)
    return value
