r"""Formulas read aloud in Korean and Chinese, as signs: 루트 2, 2의 10제곱, 3 대 4, 根号3."""

from __future__ import annotations

import re
from fractions import Fraction

from ...runtime.patterns import lazy
from . import chinese_numerals

_OPERAND = r"((?<![\d.])\d++(?:\.\d++)?|[a-zA-Z]|\([^()]{1,20}\)|\{[^{}]{1,20}\})"
_ROOT = lazy(rf"(?:루트|근호|根号下?|根號)\s*{_OPERAND}")
_ROOT_IN_WORDS = lazy(r"根[号號]下?([一二两三四五六七八九十百千万]{1,9})(?![一-鿿])")
_POWERS = {"세제곱": 3, "네제곱": 4, "제곱": 2, "平方": 2, "立方": 3}
_POWER = lazy(
    rf"{_OPERAND}\s*(?:의|的)\s*(?:(\d{{1,3}}|[a-z])\s*(?:제곱|승|次方)|(세제곱|네제곱|제곱|平方|立方))(?![가-힣一-鿿])"
)
_PI = lazy(r"(?<=[\d)}])\s?파이(?![가-힣])")
_RATIO = lazy(r"\d+(?:\.\d+)?(?:\s*(?:대|比)\s*\d+(?:\.\d+)?){1,4}")
_TO = lazy(r"(?:(?<!\s)\s++)?(?:대|比)\s*+")
_MAX_EXPONENT = 1_000
_ALOUD = lazy(
    r"파이|根|근호|루트|[의的]\s*+(?:\d{1,3}\s*+|[a-z]\s*+)?(?:[세네]?제곱|승|次方|平方|立方)|\d\s*+[대比]\s*+\d"
)
"""In every text in which a formula is read aloud: one look tells that most have none."""


def in_signs(text: str) -> str:
    r"""A text in which formulas that were read aloud are written.

    >>> in_signs("루트 2"), in_signs("2의 10제곱"), in_signs("3 대 4"), in_signs("3대")
    ('\\sqrt{2}', '2^{10}', '3:4', '3대')
    """
    if not may_be_aloud(text):
        return text
    text = _PI.sub(r"\\pi", text)
    text = _ROOT_IN_WORDS.sub(_root_in_words, text)
    text = _ROOT.sub(lambda root: rf"\sqrt{{{root[1].strip('(){}')}}}", text)
    text = _POWER.sub(lambda power: f"{power[1]}^{{{power[2] or _POWERS[power[3]]}}}", text)
    return _TO.sub(":", text) if _RATIO.fullmatch(text.strip()) else text


def may_be_aloud(text: str) -> bool:
    """Return, in one look, whether a text or a part of it may hold a formula read aloud.

    >>> may_be_aloud("루트 2"), may_be_aloud("모두 36개")
    (True, False)
    """
    return not text.isascii() and _ALOUD.search(text) is not None


def _root_in_words(root: re.Match[str]) -> str:
    number = next((found for found, rest in chinese_numerals.readings(root[1]) if not rest), None)
    return root[0] if number is None else rf"\sqrt{{{number}}}"


def value(text: str) -> Fraction | None:
    """The number of a power or ratio that was read aloud; None where there is none, or it is no fraction.

    >>> value("2의 10제곱"), value("3 대 4"), value("루트 2")
    (Fraction(1024, 1), Fraction(3, 4), None)
    """
    signs = in_signs(text.strip())
    if match := re.fullmatch(r"(\d{1,9})\^\{(\d{1,4})\}", signs):
        return Fraction(int(match[1])) ** int(match[2]) if int(match[2]) <= _MAX_EXPONENT else None
    ratio = re.fullmatch(r"(\d{1,30}(?:\.\d{1,30})?):(\d{1,30}(?:\.\d{1,30})?)", signs)
    if signs == text.strip() or ratio is None or not Fraction(ratio[2]):
        return None
    return Fraction(ratio[1]) / Fraction(ratio[2])
