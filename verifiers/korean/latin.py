"""How a Latin word ends when a Korean reads it: letters by their names, words as loanwords."""

from __future__ import annotations

import re

_LETTERS = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "이 비 시 디 이 프 지 치 이 이 이 엘 엠 엔 오 피 큐 르 스 티 유 이 유 스 이 트".split(),
        strict=True,
    )
)
"""Letter: the last syllable of its name (에이, 비, 시 ...)."""
_UNITS = {
    "g": "그램", "kg": "킬로그램", "mg": "밀리그램", "t": "톤", "m": "미터", "cm": "센티미터", "mm": "밀리미터",
    "km": "킬로미터", "nm": "나노미터", "μm": "마이크로미터", "L": "리터", "l": "리터", "mL": "밀리리터",
    "ml": "밀리리터", "dL": "데시리터", "cc": "시시", "h": "시간", "hr": "시간", "min": "분", "s": "초", "sec": "초",
    "ms": "밀리초", "Hz": "헤르츠", "kHz": "킬로헤르츠", "MHz": "메가헤르츠", "GHz": "기가헤르츠", "W": "와트",
    "kW": "킬로와트", "MW": "메가와트", "Wh": "와트시", "kWh": "킬로와트시", "V": "볼트", "A": "암페어",
    "mA": "밀리암페어", "mAh": "밀리암페어시", "J": "줄", "kJ": "킬로줄", "N": "뉴턴", "Pa": "파스칼",
    "hPa": "헥토파스칼", "cal": "칼로리", "kcal": "킬로칼로리", "dB": "데시벨", "ha": "헥타르", "KB": "킬로바이트",
    "MB": "메가바이트", "GB": "기가바이트", "TB": "테라바이트", "px": "픽셀", "pt": "포인트", "mol": "몰",
    "C": "도", "F": "도", "ft": "피트", "in": "인치", "yd": "야드", "mi": "마일", "oz": "온스", "lb": "파운드",
    "rpm": "엠", "bps": "스", "ppm": "엠", "mph": "마일", "pH": "치",
}  # fmt: skip
# Capitals that are read as a word, whose end differs from that of the last letter's name; and words whose
# Korean form the rules below miss.
_WORDS = {
    "KOSDAQ": "닥", "NASDAQ": "닥", "OPEC": "펙", "TOEIC": "익", "RAM": "램", "ROM": "롬", "LAN": "랜", "WAN": "완",
    "JPEG": "펙", "MPEG": "펙", "ASEAN": "안", "NATO": "토", "PIN": "핀", "SIM": "심", "CAD": "드", "IBK": "이",
    "web": "웹", "lab": "랩", "job": "잡", "club": "클럽", "bag": "백", "set": "세트", "bit": "비트", "hit": "히트",
    "type": "타입", "latex": "텍", "tex": "텍", "one": "원", "cut": "컷", "kit": "키트", "nut": "너트", "debut": "뷔",
    "design": "인", "unit": "유닛", "sofa": "파", "tape": "테이프", "bluetooth": "스", "iphone": "폰", "rouge": "주",
}  # fmt: skip
_VOWELS = "aeiou"
# Spelling at the end of a word, and the last syllable of its loanword (외래어 표기법): the first that fits.
_ENDINGS = [
    (re.compile(pattern), spoken)
    for pattern, spoken in (
        (r"le$|l$", "ㄹ"),
        (r"[aeiouy]$|[aeo]w$|r$|gh$|ah$", ""),
        (r"ng$|n$|m$|gn$", "ㄴ"),
        (r"ck$|ic$|ac$|[aeiou]c$", "ㄱ"),
        (r"ook$", "ㄱ"),
        # A short vowel before a closing p, t or k: 인터넷, 앱. Two vowels, or a consonant between: 보트, 테스트.
        (r"(?:^|[^aeiou])[aeiou][ptk]$", "ㅂ"),
    )
]
_MUTE_E = re.compile(r"[^aeiou]e$")
_BEFORE_MUTE_E = {"n": "ㄴ", "m": "ㄴ"}


def latin_ends_in(word: str, *, measured: bool = False) -> tuple[str, bool]:
    """A syllable that ends as the word does when it is read aloud, and whether every reader agrees.

    Args:
        word: Latin letters.
        measured: A number stands before it, so that m is 미터 and not 엠.

    >>> latin_ends_in("API"), latin_ends_in("apple"), latin_ends_in("cm", measured=True)
    (('이', True), ('을', False), ('센티미터', True))
    """
    if measured and word in _UNITS:
        return _UNITS[word], True
    word = word.replace("’", "'").removesuffix("'")
    known = _WORDS.get(word) or _WORDS.get(word.lower())
    if known and (word in _WORDS or not word.isupper()):
        return known, True
    if word[-1].isupper() or not re.search("[aeiouy]", word.lower()):
        last = word[-1].upper()
        return _LETTERS[last], last != "R"  # 아르 or 알
    return _loanword(word.lower()), False


def _loanword(word: str) -> str:
    if len(word) > 2 and _MUTE_E.search(word) and not word.endswith("le"):
        closing = _BEFORE_MUTE_E.get(word[-2], "")
    else:
        closing = next((spoken for pattern, spoken in _ENDINGS if pattern.search(word)), "")
    return {"": "이", "ㄹ": "을", "ㄴ": "은", "ㄱ": "윽", "ㅂ": "읍"}[closing]
