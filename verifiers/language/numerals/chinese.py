"""Chinese numerals: 三十五, 两千零五, 3万, 1.5亿, 三分之二, 百分之五十, 负三."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from ..normalization import clean, fold_width

SCRIPT = re.compile("[一-鿿]")
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
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1_000, "仟": 1_000}
_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_ANY = "".join((*_DIGITS, *_SMALL, *_LARGE))
_TOKEN = re.compile(
    rf"\s*(?:(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)|(?P<digit>[{''.join(_DIGITS)}])"
    rf"|(?P<small>[{''.join(_SMALL)}])|(?P<large>[{''.join(_LARGE)}]))"
)
_NEGATIVE = re.compile(r"\s*(?:负|負|零下|[-−])\s*")
_BEFORE = re.compile(r"(?:约|大约|共|总共|一共|第)\s*")
_OVER = re.compile(r"\s*分之\s*")
_POINT = re.compile(rf"\s*[点點]\s*([{''.join(_DIGITS)}]+)")
_AND = re.compile(r"\s*又\s*")
_HUNDRED = Fraction(100)
_YEARS = re.compile(rf"[{''.join(_DIGITS)}]{{2,}}")


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
        for each, after in _decimals(value, rest):
            yield sign * each, after.strip()


def _fractions(text: str) -> Iterator[tuple[Fraction, str]]:
    """The fractions (三分之二) with which a text may begin."""
    for bottom, rest in reversed(list(_prefixes(text))):
        if bottom and (over := _OVER.match(rest)):
            for top, after in reversed(list(_prefixes(rest[over.end() :]))):
                yield top / bottom, after


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
            if current is not None or (kind == "number" and (total or section)):
                return
            if kind == "digit" and value == 0 and (section or total):
                zero = True  # 两千零五
                position = match.end()
                continue
            current = value
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
