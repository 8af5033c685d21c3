"""How a Latin word ends when a Korean reads it: letters by their names, words as loanwords."""

from __future__ import annotations

import re

from ..runtime.patterns import lazy

_LETTERS = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "이 비 시 디 이 프 지 치 이 이 이 엘 엠 엔 오 피 큐 르 스 티 유 이 유 스 이 트".split(),
        strict=True,
    )
)
"""Letter: the last syllable of its name (에이, 비, 시 ...)."""
_UNITS = {
    "g": "그램", "kg": "킬로그램", "mg": "밀리그램", "t": "톤", "m": "미터", "cm": "센티미터", "dm": "데시미터",
    "mm": "밀리미터", "km": "킬로미터", "nm": "나노미터", "L": "리터", "l": "리터", "mL": "밀리리터", "ml": "밀리리터",
    "dL": "데시리터", "dl": "데시리터", "cL": "센티리터", "cl": "센티리터", "kL": "킬로리터", "kl": "킬로리터",
    "h": "시간", "hr": "시간", "hrs": "시간", "min": "분", "sec": "초", "mA": "밀리암페어", "mAh": "밀리암페어시",
    "J": "줄", "kJ": "킬로줄", "Pa": "파스칼", "hPa": "헥토파스칼", "kPa": "킬로파스칼", "MPa": "메가파스칼",
    "GPa": "기가파스칼", "cal": "칼로리", "kcal": "킬로칼로리", "dB": "데시벨", "ha": "헥타르", "px": "픽셀", "mol": "몰",
    "F": "패럿", "nF": "나노패럿", "Bq": "베크렐", "rad": "라디안", "in": "인치", "yd": "야드", "mi": "마일",
    "oz": "온스", "mph": "마일",
}  # fmt: skip
# Words whose Korean form the rules below miss; capitals that are read as a word and end in another sound than
# the name of their last letter.
_WORDS = {
    "KOSDAQ": "닥", "NASDAQ": "닥", "OPEC": "펙", "APEC": "펙", "TOEIC": "익", "TOPIK": "픽", "JPEG": "펙", "MPEG": "펙",
    "POP": "팝", "TOP": "톱", "WEB": "웹", "APP": "앱", "web": "웹", "lab": "랩", "job": "잡", "club": "클럽", "tab": "탭",
    "pub": "펍", "bag": "백", "set": "세트", "bit": "비트", "hit": "히트", "type": "타입", "latex": "텍", "tex": "텍",
    "kit": "키트", "nut": "너트", "debut": "뷔", "app": "앱", "group": "룹", "ok": "이", "york": "욕", "ballet": "레",
    "buffet": "페",
}  # fmt: skip
# Spelling at the end of a word, and the last syllable of its loanword (외래어 표기법): the first that fits.
_ENDINGS = [
    (re.compile(pattern), spoken)
    for pattern, spoken in (
        (r"le$|l$", "ㄹ"),
        (r"ng$|n$|m$", "ㄴ"),
        (r"ck$|[aeiou]c$|ook$", "ㄱ"),
        # A short vowel before a closing p, t or k: 인터넷, 앱. Two vowels, or a consonant between: 보트, 테스트.
        (r"(?:^|[^aeiou])[aeiou][ptk]$", "ㅂ"),
    )
]
_MUTE_E = lazy(r"[^aeiou]e$")
_BEFORE_MUTE_E = {"n": "ㄴ", "m": "ㄴ"}


def latin_ends_in(word: str, *, measured: bool = False) -> tuple[str, bool]:
    """A syllable that ends as the word does when it is read aloud, and whether every reader agrees.

    Args:
        word: Latin letters.
        measured: A number comes before it, so that m is 미터 and not 엠.

    >>> latin_ends_in("LG"), latin_ends_in("apple"), latin_ends_in("cm", measured=True)
    (('지', True), ('을', False), ('센티미터', True))
    """
    if measured and word in _UNITS:
        return _UNITS[word], True
    word = word.replace("’", "'").removesuffix("'")
    known = _WORDS.get(word) or _WORDS.get(word.lower())
    if known and (word in _WORDS or not word.isupper()):
        return known, True
    if word.isupper() and len(word) > 2 and known is None and re.search("[AEIOUY]", word[:-1]):
        return _LETTERS[word[-1]], False  # by its letters, or as a word
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
