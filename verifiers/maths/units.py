"""What may stand behind a number without changing it: units, counters and things counted."""

from __future__ import annotations

import re
from fractions import Fraction

_DIMENSIONS: dict[str, dict[str, str]] = {
    "length": {
        "mm": "1/1000", "cm": "1/100", "m": "1", "km": "1000", "millimeter": "1/1000", "centimeter": "1/100",
        "meter": "1", "metre": "1", "kilometer": "1000", "kilometre": "1000", "밀리미터": "1/1000",
        "센티미터": "1/100", "미터": "1", "킬로미터": "1000",
    },
    "imperial length": {"inch": "1", "ft": "12", "foot": "12", "feet": "12", "yard": "36", "mile": "63360"},
    "mass": {
        "mg": "1/1000", "g": "1", "kg": "1000", "gram": "1", "kilogram": "1000", "그램": "1", "킬로그램": "1000",
    },
    "imperial mass": {"oz": "1", "ounce": "1", "lb": "16", "pound": "16"},
    "volume": {"ml": "1/1000", "l": "1", "liter": "1", "litre": "1", "milliliter": "1/1000", "리터": "1"},
    "time": {
        "second": "1", "sec": "1", "s": "1", "minute": "60", "min": "60", "hour": "3600", "hr": "3600", "h": "3600",
        "day": "86400", "week": "604800", "초": "1", "분": "60", "시간": "3600", "일": "86400", "주": "604800",
    },
    "month": {"month": "1", "year": "12", "달": "1", "개월": "1", "년": "12"},
    "money": {"dollar": "1", "usd": "1", "cent": "1/100", "달러": "1"},
    "euro": {"euro": "1", "유로": "1"}, "won": {"won": "1", "원": "1"}, "yen": {"yen": "1", "엔": "1"},
    "celsius": {"°c": "1"}, "fahrenheit": {"°f": "1"},
}  # fmt: skip
UNITS = {
    name: (dimension, Fraction(factor))
    for dimension, names in _DIMENSIONS.items()
    for name, factor in names.items()
}
"""Unit: (what it measures, how many of the base unit it is)."""
CURRENCIES = {"$": "dollar", "€": "euro", "₩": "won", "¥": "yen", "£": "sterling"}

_COUNTERS = (
    "개 명 번 살 세 시 주 월 달 배 점 권 장 자루 대 마리 그루 송이 병 잔 컵 상자 봉지 켤레 쌍 가지 종류 칸 층 도 회 "
    "차례 페이지 쪽 줄 문제 조각 모 알 채 톤 평 인분 통 판 세트 그릇 포기 다발 묶음 벌 척 사람 학생 번째 위 등 가구 곳"
).split()
_ABBREVIATIONS = {
    "mph",
    "kmh",
    "km/h",
    "kph",
    "sq",
    "cu",
    "gal",
    "qt",
    "pt",
    "yd",
    "in",
    "bps",
    "rpm",
    "hz",
    "kw",
}
# These say something about the number: after them it is another number, or no answer at all.
_CHANGING = set(
    "is are was were be isn not no never nor wrong incorrect false minus plus times divided multiplied by squared "
    "cubed half halves third thirds quarter quarters fifth fifths tenth tenths thousand million billion trillion "
    "hundred dozen lakh crore score root and or to mod more less than fewer least most about approximately "
    "negative positive point over under between either maybe perhaps possibly if but except one two three four "
    "five six seven eight nine ten pi sqrt sin cos tan cot sec csc sinh cosh tanh log ln exp choose factorial "
    "infinity percent degrees radians base".split()
)
_QUOTED = re.compile(r"\\(?:text|mbox|textnormal|textrm|mathrm)\s*\{([^{}\d]*)\}\s*(?:\^\s*\{?[23]\}?)?")
_DEGREE = re.compile(r"\^\\circ\s*(?:\\?(?:text|mathrm)?\s*\{?\s*([CF])\s*\}?)?|degrees?|도")
_HANGUL = re.compile(
    r"(?:제곱|세제곱)?(?:"
    + "|".join(sorted([*_COUNTERS, *(u for u in UNITS if not u.isascii())], key=len, reverse=True))
    + ")"
)
_WORDS = re.compile(r"[a-z]+(?:[ /.-]+[a-z]+)*(?:\s*\^?\s*[23²³])?\.?")
_LONE = {"m", "g", "s", "h", "l"}


def read_unit(text: str) -> str | None:
    """The unit in what follows a number: "" for none, None when it is something else.

    A lone letter is a variable unless it is set as text, and letters that touch the number are a unit
    only if they are a known one: ``3xy`` is a product.

    >>> read_unit(" dollars per day"), read_unit(r"\\text{ cm}"), read_unit(" is wrong"), read_unit("xy")
    ('dollar per day', 'cm', None, None)
    """
    apart = text[:1].isspace()
    text = text.strip()
    if not text:
        return ""
    if text in CURRENCIES:
        return CURRENCIES[text]
    if degree := _DEGREE.fullmatch(text):
        return f"°{degree.group(1).lower()}" if degree.group(1) else ""
    quoted = _QUOTED.fullmatch(text)
    if quoted:
        text = quoted.group(1).strip()
    if _HANGUL.fullmatch(text):
        return text
    folded = text.casefold()
    if not _WORDS.fullmatch(folded):
        return None
    words = re.findall(r"[a-z]+", folded)
    if set(words) & _CHANGING:
        return None
    singular = " ".join(_singular(word) for word in words)
    known = singular in UNITS or words[0] in _ABBREVIATIONS or _singular(words[0]) in UNITS
    if len(folded) == 1:
        return singular if quoted and folded in _LONE else None
    if quoted or known or (apart and len(words[0]) > 2):
        return singular
    return None


def _singular(word: str) -> str:
    if word in ("inches", "boxes"):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
