"""Chinese numerals: 三十五, 两千零五, 3万5千, 1.5亿, 三分之二, 百分之五十, 八成, 两个半, 负三."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from ...runtime.patterns import lazy
from ..normalization import clean, fold_width
from ..nouns.chinese import HALVED

SCRIPT = lazy("[一-鿿]")
"""A character without which there is nothing to read here."""
MAX_CHARS = 200
"""Longest text that is read as a numeral."""
_DIGITS = {
    char: value
    for value, chars in enumerate(
        ("零〇", "一壹", "二两兩贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")
    )
    for char in chars
}
_FEW = "".join(_DIGITS)
SMALL = rf"[零〇]?(?:[{_FEW}]?[十拾][{_FEW}]?|[{_FEW}])"
"""A number below a hundred as a pattern: of hours, minutes and days."""
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1_000, "仟": 1_000}
_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_ANY = "".join((*_DIGITS, *_SMALL, *_LARGE))
_TOKEN = lazy(
    rf"\s*(?:(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)|(?P<digit>[{''.join(_DIGITS)}])"
    rf"|(?P<small>[{''.join(_SMALL)}])|(?P<large>[{''.join(_LARGE)}]))"
)
_NEGATIVE = lazy(r"\s*(?:负|負|零下|[-−])\s*")
_BEFORE = lazy(r"(?:约|大约|共|总共|一共)\s*")
ORDINAL = "第"
"""Before a numeral, it makes it a place in a row: it comes back before what follows the numeral."""
_HALF = "半"
_AND_HALF = lazy(rf"(?P<unit>[^\W\d_]{{1,4}})半(?P<what>(?:{'|'.join(HALVED)})?)\Z", re.IGNORECASE)
_QUARTERS, _QUARTER = re.compile(r"\s*刻[钟鐘]"), 15
"""Quarters of an hour: 一刻钟 is 15 minutes."""
# Tenths: 八成 is 80 %, 七折 is a price of 70 %, 七五折 one of 75 %.
_TENTHS = {"成": 10, "折": 10}
_SHARE = lazy(
    rf"(?P<tens>[{''.join(_DIGITS)}]|\d(?:\.\d)?)(?P<ones>[{''.join(_DIGITS)}\d]?)(?P<of>[{''.join(_TENTHS)}])"
    rf"(?P<more>[{''.join(_DIGITS)}{_HALF}]?)\Z"
)
_OVER = lazy(r"\s*分之\s*")
_POINT = lazy(rf"\s*[点點]\s*([{''.join(_DIGITS)}]+)")
_AND = lazy(r"\s*又\s*")
_HUNDRED = Fraction(100)
_YEARS = lazy(rf"[{''.join(_DIGITS)}]{{2,}}")


def readings(text: str) -> Iterator[tuple[Fraction, str]]:
    """The numbers with which a text may begin, longest first, and what follows each; 百分之 comes with a percent sign.

    Args:
        text: A text.

    >>> [(int(value), rest) for value, rest in readings("一百二十个")][:1]
    [(120, '个')]
    >>> next(readings("三分之二")), next(readings("百分之五十"))
    ((Fraction(2, 3), ''), (Fraction(50, 1), '%'))
    """
    text = fold_width(clean(text))
    if len(text) > MAX_CHARS:
        return
    if before := _BEFORE.match(text):
        text = text[before.end() :]
    if text.startswith(ORDINAL):
        for value, rest in reversed(list(_prefixes(text[1:]))):
            yield value, f"{ORDINAL}{rest.strip()}"
        return
    if text.startswith(_HALF):
        yield Fraction(1, 2), text[1:].strip()
    if share := _SHARE.match(text):
        yield _share(share), "%"
        return
    sign = 1
    if negative := _NEGATIVE.match(text):
        text, sign = text[negative.end() :], -1
    for value, rest in reversed(list(_prefixes(text))):
        if over := _OVER.match(rest):
            for top, after in reversed(list(_prefixes(rest[over.end() :]))):
                if value == _HUNDRED:
                    yield from ((sign * each, f"%{left}") for each, left in _decimals(top, after))
                elif value:
                    yield sign * top / value, after.strip()
            continue
        if joined := _AND.match(rest):
            for part, after in _fractions(rest[joined.end() :]):
                yield sign * (value + part), after.strip()
        if half := _AND_HALF.match(rest.strip()):
            yield sign * (value + Fraction(1, 2)), half["unit"] + half["what"]
            continue
        if rest.strip() == _HALF and value == 1:  # 一半
            yield sign * Fraction(1, 2), ""
            continue
        if quarter := _QUARTERS.match(rest):
            yield sign * value * _QUARTER, f"分钟{rest[quarter.end() :]}"
            continue
        for each, after in _decimals(value, rest):
            yield sign * each, after.strip()


def _share(share: re.Match[str]) -> Fraction:
    """So many tenths, in percent."""
    said = ("tens", "ones", "more")
    tens, *below = (
        Fraction(1, 2) * 10 if share[name] == _HALF else Fraction(_DIGITS.get(share[name], share[name] or 0))
        for name in said
    )
    return 100 * (tens + sum(below, Fraction(0)) / 10) / _TENTHS[share["of"]]


def _fractions(text: str) -> Iterator[tuple[Fraction, str]]:
    """The fractions (三分之二) with which a text may begin."""
    for bottom, rest in reversed(list(_prefixes(text))):
        if bottom and (over := _OVER.match(rest)):
            for top, after in reversed(list(_prefixes(rest[over.end() :]))):
                yield top / bottom, after


def _place(text: str, position: int) -> bool:
    """Whether a place follows: 千 after 5 in 3万5千."""
    match = _TOKEN.match(text, position)
    return match is not None and match.lastgroup in ("small", "large")


def _decimals(value: Fraction, rest: str) -> Iterator[tuple[Fraction, str]]:
    """A number with what 点 adds to it, and without."""
    if point := _POINT.match(rest):
        digits = "".join(str(_DIGITS[char]) for char in point[1])
        yield value + Fraction(int(digits), 10 ** len(digits)), rest[point.end() :]
    yield value, rest


def _prefixes(text: str) -> Iterator[tuple[Fraction, str]]:
    """Every beginning that is a numeral, shortest first."""
    if years := _YEARS.match(text):  # 二〇二三
        digits = "".join(str(_DIGITS[char]) for char in years.group())
        yield Fraction(int(digits)), text[years.end() :]
        return
    total, section = Fraction(0), Fraction(0)
    current: Fraction | None = None
    small, large = 10_000, 10**20  # the last places, which only fall
    zero, last = False, 0
    position = 0
    while match := _TOKEN.match(text, position):
        kind, token = match.lastgroup, match.group().strip()
        if kind in ("number", "digit"):
            value = Fraction(token.replace(",", "")) if kind == "number" else Fraction(_DIGITS[token])
            if current is not None or (kind == "number" and last and not value < last):
                return
            if kind == "digit" and value == 0 and (section or total):
                zero = True  # 两千零五
                position = match.end()
                continue
            current = value
            if kind == "number" and last > 10 and value < 10 and not zero and not _place(text, match.end()):
                return  # 3万5 may be 30005 and, as 三万五 is, 35000
            # 一百二 is 120, unless a zero or nothing but ones can follow.
            scale = (
                last // 10
                if last > 10 and not zero and kind == "digit" and not _TOKEN.match(text, match.end())
                else 1
            )
            yield total + section + current * scale, text[match.end() :]
        elif kind == "small":
            if _SMALL[token] >= small or (current is not None and not 0 < current < 10):
                return
            small = last = _SMALL[token]
            section += (Fraction(1) if current is None else current) * small
            current, zero = None, False
            yield total + section, text[match.end() :]
        else:
            section += current or 0
            if _LARGE[token] >= large or (not section and not total):
                return
            large = last = _LARGE[token]
            total += section * large
            section, current, small, zero = Fraction(0), None, 10_000, False
            yield total, text[match.end() :]
        position = match.end()
