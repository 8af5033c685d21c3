"""What a word ends in when it is read aloud: a vowel, ㄹ, or another consonant."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import NamedTuple

from ..language.normalization import clean, fold_jamo, fold_width
from ..runtime.patterns import lazy
from .hanja_readings import SEVERAL, reading
from .latin_endings import latin_ends_in


class Sound(StrEnum):
    """The last sound of a word, as far as particles depend on it."""

    VOWEL = "vowel"
    RIEUL = "rieul"
    """A closing ㄹ, after which 으로 loses its 으."""
    CONSONANT = "consonant"


class Ending(NamedTuple):
    """The last sound of a word, and whether every reader would read it so."""

    sound: Sound
    sure: bool


_DIGITS = "영일이삼사오육칠팔구"
_PLACES = {1: "십", 2: "백", 3: "천", 4: "만", 8: "억", 12: "조", 16: "경", 20: "해"}
"""Zeros at a number's end, and what the number then ends in when it is read."""
_JAMO_NAMES = {"ㄱ": "기역", "ㄷ": "디귿", "ㄹ": "리을", "ㅅ": "시옷"}
# Read as words, whatever comes before them. Latin units are in `latin`, since m is 미터 only after a number.
_SIGNS = {
    "%": "퍼센트", "‰": "퍼밀", "°": "도", "℃": "도", "℉": "도", "′": "분", "″": "초", "$": "달러", "₩": "원",
    "€": "유로", "£": "파운드", "¥": "엔", "²": "제곱", "³": "세제곱", "+": "플러스", "#": "샵",
    "&": "앤드", "∞": "무한대", "α": "알파", "β": "베타", "γ": "감마", "δ": "델타", "ε": "엡실론", "θ": "세타",
    "ζ": "제타", "η": "에타", "ι": "이오타", "κ": "카파", "λ": "람다", "μ": "뮤", "ν": "뉴", "ξ": "크시", "ο": "오미크론",
    "π": "파이", "ρ": "로", "υ": "입실론", "χ": "카이", "ψ": "프시", "∑": "시그마", "√": "루트", "σ": "시그마",
    "τ": "타우", "φ": "파이", "ω": "오메가", "Δ": "델타", "Σ": "시그마", "Ω": "옴",
}  # fmt: skip
_CURRENCY = "$₩€£¥"
_LETTERLIKE = str.maketrans({"ℓ": "L", "㏄": "cc", "Å": "A"})
_NUMBER = lazy(r"(?<![\d,]),*+(?P<number>(?P<top>\d[\d,]*+)/\d++|(?P<whole>\d[\d,]*+)(?P<point>\.\d++)?)\Z")
_LATIN = lazy(r"(?<![A-Za-z'’])['’]*+(?P<word>[A-Za-z][A-Za-z'’]*+)\Z")
_AREA = lazy(r"m(?:[²³]|\^?[23])\Z")
_SPEED = lazy(r"(?<![A-Za-z])[A-Za-z]{1,2}/(?:h|hr|s|sec|min)\Z")  # km/h: 시속 몇 킬로미터
# A gloss in parentheses is not read: the particle goes with the word before it.
_GLOSS = lazy(r"(?<=[^\s(])\s*\([^()]*\)\Z")
_SILENT = frozenset("\"'“”‘’`´「」『』《》〈〉()[]{}<>.?!…,;:~·*_-–—―ㆍ・†‡※ ")
# A number, a letter or a syllable in brackets is not a gloss, and is read: 문제 (3), f(x), 제시문 (가).
_LABEL = lazy(r"\(\s?(?:\d{1,3}|[A-Za-z가-힣ㄱ-ㅎ])\s?\)\W*\Z")
_MAX_TAIL = 60
"""Characters at the end of a word that are looked at."""


def ending(word: str) -> Ending | None:
    """How a word ends when it is read aloud; None where that cannot be told.

    Closing quotes, brackets and stops are silent, and so is a gloss in parentheses. Numbers are read in
    Sino-Korean, capitals by the names of the letters, other Latin words roughly as loanwords are written
    (and then not `sure`), Chinese characters by their Korean reading.

    >>> ending("책"), ending("2025"), ending("사과(apple)")
    (Ending(sound=..., sure=True), Ending(sound=..., sure=True), Ending(sound=..., sure=True))
    >>> ending("책").sound.value, ending("1,000").sound.value, ending("★")
    ('consonant', 'consonant', None)
    """
    text = fold_jamo(fold_width(clean(word[-4 * _MAX_TAIL :])))[-_MAX_TAIL:]
    shorter = _GLOSS.sub("", text.rstrip("\"'”’」』》〉.?!… "))
    if not _LABEL.search(text) and shorter != text and not all(char in _SILENT for char in shorter):
        text = shorter
    text = text.rstrip("".join(_SILENT)).translate(_LETTERLIKE)
    if not text:
        return None
    if _AREA.search(text):  # m², m2, m^3: 제곱미터
        return Ending(Sound.VOWEL, True)
    if unicodedata.decimal(text[-1], None) is not None:
        return _of_number(text)
    return _of_char(text) or _of_latin(text)


def _of_number(text: str) -> Ending | None:
    found = _NUMBER.search(text)
    if found is None:
        return None
    before = text[: found.start("number")].rstrip()
    if before and before[-1] in _CURRENCY:
        return _of_syllable(_SIGNS[before[-1]])
    if before[-2:].upper() == "MP" and found["number"] in ("3", "4"):  # 엠피스리, 엠피포
        return Ending(Sound.VOWEL, True)
    if found["point"]:
        return _of_syllable(_DIGITS[int(found["point"][-1])])
    # A small number after a Latin letter may be read in English: 아이폰 세븐, 에프원.
    named = before == text[: found.start("number")] and before[-1:].isascii() and before[-1:].isalpha()
    return _of_syllable(_whole(found["top"] or found["whole"]), sure=found["top"] is None and not named)


def _whole(digits: str) -> str:
    """The last syllable of a whole number as it is read."""
    plain = digits.replace(",", "")
    zeros = len(plain) - len(plain.rstrip("0"))
    if zeros == 0 or zeros == len(plain) or plain[0] == "0":
        return _DIGITS[int(plain[-1])]
    return _PLACES[max(place for place in _PLACES if place <= zeros)]


def _of_char(text: str) -> Ending | None:
    char = text[-1]
    if "가" <= char <= "힣":
        return _of_syllable(char)
    if char in _SIGNS:
        return _of_syllable(_SIGNS[char])
    if "ㄱ" <= char <= "ㅎ":
        return _of_syllable(_JAMO_NAMES.get(char, "니은"))  # the other names end in other consonants
    if "ㅏ" <= char <= "ㅣ":
        return Ending(Sound.VOWEL, True)
    if "\u3041" <= char <= "\u30ff":
        return Ending(Sound.CONSONANT if char in "んン" else Sound.VOWEL, True)
    if syllable := reading(char):
        return _of_syllable(syllable, sure=char not in SEVERAL)
    if (value := unicodedata.numeric(char, None)) is not None:  # ③, Ⅲ, ½
        if value == int(value):
            return _of_syllable(_whole(str(int(value))))
        return _of_number(unicodedata.normalize("NFKC", char).replace("\u2044", "/"))
    folded = fold_jamo(unicodedata.normalize("NFKC", char)).rstrip(")")  # ㉠, ㉮, ⓐ, ㎏, ㎡
    if folded and folded != char:
        # ㎏ is a unit, ⓖ a letter in a circle.
        unit = "\u3371" <= char <= "\u33df" or char == "ℓ"
        return ending(f"1{folded}" if unit else folded)
    return None


def _of_latin(text: str) -> Ending | None:
    found = _LATIN.search(text)
    if found is None:
        return None
    if _SPEED.search(text):
        return Ending(Sound.VOWEL, True)
    before = text[: found.start("word")].rstrip("μµ ")
    measured = before[-1:].isdigit() or (before[-1:] == "/" and before[-2:-1].isalpha())
    spoken, sure = latin_ends_in(found["word"], measured=measured)
    return _of_syllable(spoken, sure=sure)


def _of_syllable(text: str, *, sure: bool = True) -> Ending:
    closing = (ord(text[-1]) - ord("가")) % 28
    sound = Sound.RIEUL if closing == 8 else Sound.CONSONANT if closing else Sound.VOWEL
    return Ending(sound, sure)
