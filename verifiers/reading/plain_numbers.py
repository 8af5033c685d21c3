"""Plain numbers, which most answers are, by one pattern: whole, decimal, mixed, percent, with a unit.

The grammar reads whatever is more than that. Decimals may be roundings: of the text's own fraction, or in a
reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from ..formulas.answer_shapes import Value
from ..formulas.cost_limits import MAX_DIGITS, MAX_EXPONENT
from ..formulas.formula_tree import Apply, Node, Number
from ..language.numerals import chinese_numerals, english_numerals, korean_numerals
from ..language.numerals.english_numerals import NUMBERED, share, size
from ..runtime.patterns import lazy
from ..units.behind_numbers import DEGREE, MULTIPLE, PERCENT, read_unit
from ..units.expressions import Lead, lead, led, total
from ..units.quantities import is_sure, measure, without_remark

_INTEGER = r"(?:(?!0)\d{1,3}(?:(?:,\d{3})+|(?:[ ]\d{3})+|(?:'\d{3})+)|\d+)(?!\d)"
_GROUP = r"\s*+(?:\{\s*+(-?\d++)\s*+\}|(\d))"
_NUMBER = lazy(
    rf"""
    (?P<sign>[-+]?)\s*+(?P<currency>[$€£¥₩₹₽₺฿₫₪]?)\s*+(?P<sign2>-?)
    (?:
        (?:(?P<whole>\d++)\s*+)?\\frac(?P<top>{_GROUP})(?P<bottom>{_GROUP})
      | (?:(?P<mixed>\d++)\s++)?(?P<over>{_INTEGER})\s*+/\s*+(?P<under>{_INTEGER})
      | (?P<digits>{_INTEGER}(?:\.\d*)?|\.\d+)
        (?:[eE](?P<e>[-+]?\d{{1,6}})
          |\s*+(?:\\times|\\cdot|\*|[xX]|\\text\{{\s*+x\s*+\}})\s*+10\s*+\^\s*+(?:\{{\s*+(?P<ten>[-+]?\d{{1,6}})\s*\}}|(?P<digit>[-+]?\d{{1,6}})|\((?P<paren>[-+]?\d{{1,6}})\)))?
    )
    (?P<percent>\s*%)?(?P<unit>.*)
    """,
    re.VERBOSE | re.DOTALL,
)
# 1000,99, 1.234,56 and 1 234,5: a comma after four digits, or after points or blanks, separates no thousands;
# several points between groups of three do.
_CONTINENTAL = lazy(r"(-?(?:\d{4,}|(?!0)\d{1,3}(?:\.\d{3})+|(?!0)\d{1,3}(?: \d{3})+)),(\d{1,2})(?!\d)")
_POINTED = lazy(r"(-?(?!0)\d{1,3}(?:\.\d{3}){2,})(?![\d.,])")
_SIZED = lazy(
    r"(?P<sign>-?)(?P<currency>[$€£¥₩₹₽₺฿₫₪]?)\s*(?P<digits>\d[\d,]{0,20}(?:\.\d{1,9})?)[\s-]*(?P<word>[a-z]+)(?P<rest>.*)",
    re.IGNORECASE,
)
_LETTER = lazy(r"(\d)\s*([a-zA-Z])\Z")
_TEXT = lazy(r"\\text\s*\{([^{}]*)\}")
_MONEY = {"k": 10**3, "K": 10**3, "M": 10**6, "mn": 10**6, "B": 10**9, "bn": 10**9}
"""Letters directly after an amount of money: $1.5M."""
_SPELLED = lazy(
    r"(?:[Oo]ne|[Tt]w|[Tt]h[ir]|[Ff][oi]|[Ss][ie]|[Ee]i|[Ee]l|[Nn]in|[Tt]en|[Zz]er|[Aa]n? [a-z]"
    r"|[Mm]inus |[Nn]egative |[Hh]alf an? )"
)
_AND_PART = lazy(r"\d[\d,]{0,20} (?:[A-Za-z.]{1,20} ){0,3}and (?:an?|one|two|three|[a-z]{3,5}) [a-z]")
"""A number in digits with a part in words after it: 3 hours and a half."""
_SHORT = 18
"""Digits of a whole number that is read in one step."""
_SEPARATORS = str.maketrans("", "", ", '")
_BRACES = lazy(r"[{}\s]")


@lru_cache(maxsize=4096)
def read_number(text: str) -> Value | None:
    r"""Read a cleaned text as one exact number; None when it is anything else.

    >>> read_number(r"1\frac{1}{2}"), read_number("12 dollars").unit
    (Value(node=Number(value=Fraction(3, 2)), unit=''), 'dollar')
    >>> read_number("3n") is None
    True
    """
    if len(text) <= _SHORT and text.isascii() and text.isdigit():  # as most are
        return Value(Number(Fraction(int(text))))
    if "," in text and (continental := _CONTINENTAL.match(text)):
        whole = continental[1].replace(".", "").replace(" ", "")
        text = f"{whole}.{continental[2]}{text[continental.end() :]}"
    elif text.count(".") > 1 and (pointed := _POINTED.match(text)):
        text = pointed[1].replace(".", "") + text[pointed.end() :]
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > MAX_DIGITS:
        return _other_number(text)
    rest = match["unit"]
    unit = read_unit(rest, one=match["digits"] == "1") if rest else ""
    value = _value(match) if unit is not None else None
    if unit is None or value is None or (match["percent"] and unit):
        return _other_number(text)
    if (match["sign"] == "-") != (match["sign2"] == "-"):
        value = -value
    return with_unit(Number(value), PERCENT if match["percent"] else unit or match["currency"])


def _other_number(text: str) -> Value | None:
    """A number in words or partly in words, of a numbered thing, or a quantity in several units."""
    if (numbered := NUMBERED.fullmatch(text)) is not None:
        return Value(Number(Fraction(numbered["number"])))
    plain = _TEXT.sub(r"\1", text) if "\\text" in text else text
    if not plain.isascii() and (found := _elsewhere(plain)) is not None:
        return found
    if (_SPELLED.match(plain) or _AND_PART.match(plain)) and (spelled := _spelled(plain)) is not None:
        return spelled
    if plain[:1].isupper() and (before := lead(plain.strip())) is not None:
        return _led(before)
    if (sized := _SIZED.fullmatch(plain)) is not None and (found := _sized(sized)) is not None:
        return found
    if (several := total(text)) is not None:
        return Value(Number(several[0]), several[1])
    return None


def _spelled(text: str) -> Value | None:
    """``twelve``, ``twelve eggs``, ``a dozen``, ``half an hour``."""
    for number, rest in english_numerals.readings(text):
        unit = read_unit(f" {rest}" if rest else "", one=number == 1 or number.denominator > 1)
        if unit is None or without_remark(unit) != unit:
            continue
        if (
            rest
            and number == 1
            and text[:2].casefold() in ("a ", "an")
            and not unit.startswith(MULTIPLE)
            and measure(unit) is None
        ):
            continue  # a circle is no number
        return with_unit(Number(number), unit)
    return None


def _led(before: Lead) -> Value | None:
    """A number with what stands before it and belongs to its unit."""
    inner = read_number(_LETTER.sub(r"\1 \\text{\2}", before.rest))  # 5m is no product there
    unit = None if inner is None else led(before, inner.unit)
    return None if inner is None or unit is None else Value(inner.node, unit)


def _sized(match: re.Match[str]) -> Value | None:
    """``2.5 million dollars``, ``5 sixths``."""
    value = Fraction(match["sign"] + match["digits"].replace(",", ""))
    many = size(match["word"])
    if match["currency"] and match.end("digits") == match.start("word"):
        many = _MONEY.get(match["word"], many)
    if many is not None:
        unit = read_unit(match["rest"])
        return None if unit is None else with_unit(Number(value * many), unit or match["currency"])
    below = share(match["word"])
    return Value(Number(value / below)) if below is not None and not match["rest"].strip() else None


def _elsewhere(text: str) -> Value | None:
    """A quantity in Korean or Chinese."""
    if (before := lead(text)) is not None and (found := _led(before)) is not None:
        return found
    in_digits = korean_numerals.in_digits(text)
    for script, numerals in (
        (korean_numerals.SCRIPT, korean_numerals.quantities),
        (chinese_numerals.SCRIPT, chinese_numerals.readings),
    ):
        if script.search(text):
            for number, rest in numerals(text):
                unit = read_unit(" " + rest)
                # After a numeral in words only a counter or a unit is sure.
                if unit is not None and (not unit or in_digits or is_sure(rest, unit)):
                    return with_unit(Number(number), unit)
    return None


def with_unit(node: Node, unit: str) -> Value:
    """A value with what followed it; percent and degrees are part of the value."""
    if unit in (PERCENT, DEGREE):
        return Value(Apply("percent" if unit == PERCENT else "degrees", (node,)))
    return Value(node, unit)


def _value(match: re.Match[str]) -> Fraction | None:
    if match["top"] is not None:
        top, bottom = (int(_BRACES.sub("", match[name])) for name in ("top", "bottom"))
        whole = int(match["whole"] or 0)
        if bottom == 0 or (match["whole"] and (top < 0 or bottom < 0)):
            return None
        return whole + Fraction(top, bottom)
    if match["over"] is not None:
        bottom = int(match["under"].translate(_SEPARATORS))
        if bottom == 0:
            return None
        return int(match["mixed"] or 0) + Fraction(int(match["over"].translate(_SEPARATORS)), bottom)
    digits = match["digits"].translate(_SEPARATORS).rstrip(".")
    value = Fraction(int(digits)) if digits.isdecimal() else Fraction(digits)
    exponent = match["e"] or match["ten"] or match["digit"] or match["paren"]
    if exponent:
        if abs(int(exponent)) > MAX_EXPONENT:
            return None
        value *= Fraction(10) ** int(exponent)
    return value


_FRACTION = lazy(r"(?<![\d./])(\d{1,9})\s?/\s?(\d{1,9})(?![\d./])|\\[dt]?frac\{(\d{1,9})\}\{(\d{1,9})\}")
_DECIMAL = lazy(r"(?P<whole>\d{1,9})(?:\.(?P<places>\d{1,9}))?\s?(?P<percent>\\?%)?")
_LEAST = 2
"""Digits from which a decimal is taken for a rounding."""
_NEAR = 800
"""Characters before the conclusion in which the fraction is looked for."""


def rounded_fraction(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span of the last fraction that rounds to the decimal ``text[start:end]``; None without one.

    >>> text = "P = 21/45 = 7/15, which is about 46.67%"
    >>> text[slice(*rounded_fraction(text, 33, 39))]
    '7/15'
    """
    decimal = _DECIMAL.fullmatch(text[start:end].strip())
    if decimal is None or len((decimal["whole"] + (decimal["places"] or "")).lstrip("0")) < _LEAST:
        return None
    found = None
    for fraction in _FRACTION.finditer(text, max(0, start - _NEAR), start):
        top, bottom = (int(each) for each in fraction.groups() if each is not None)
        if bottom and _rounds(Fraction(top, bottom), decimal):
            found = fraction.span()
    return found


def _rounds(value: Fraction, decimal: re.Match[str]) -> bool:
    places = len(decimal["places"] or "")
    written = Fraction(int(decimal["whole"] + (decimal["places"] or "")), 10**places)
    if decimal["percent"]:
        value *= 100
    return value != written and 2 * abs(value - written) <= Fraction(1, 10**places)


_EXACTLY = lazy(
    r"(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d*)\.(\d+)(?![\d.])"
    r"(?:\s*+(?:\\times|\\cdot|\*|x)\s*+10\s*+\^\s*+(?:\{\s*+)?\(?([-+]?\d{1,3})(?!\d)|[eE]([-+]?\d{1,3})(?!\d))?"
)
_DIGITS, _PLACES = 3, 2
"""Significant digits that a decimal has at least, and digits after its point, if it may be a rounding."""


def written_decimals(text: str) -> Iterator[tuple[Fraction, Fraction]]:
    """The decimals of a text that have enough digits, with half a unit of their last place.

    >>> dict(written_decimals("6.67 and 2.5"))
    {Fraction(667, 100): Fraction(1, 200)}
    """
    for match in _EXACTLY.finditer(text):
        before, behind = match[1].replace(",", ""), match[2]
        if len(behind) < _PLACES or len((before + behind).lstrip("0")) < _DIGITS:
            continue
        place = Fraction(10) ** (int(match[3] or match[4] or 0) - len(behind))
        yield int(before + behind) * place, place / 2
