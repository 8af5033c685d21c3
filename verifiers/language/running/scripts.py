"""Languages and the characters that they are written with."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from ...runtime.packages import require
from ...runtime.patterns import lazy

LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9d"
HANGUL_AND_JAMO = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff"
UNSPACED = "\u0e00-\u0e7f\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
"""Thai, kana and Han, which are written without spaces."""
GREEK = "\u0370-\u03ff\u1f00-\u1fff"
SCRIPTS = {
    "ar": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "de": LATIN,
    "el": GREEK,
    "en": LATIN,
    "es": LATIN,
    "fr": LATIN,
    "he": "\u0590-\u05ff",
    "hi": "\u0900-\u097f",
    "it": LATIN,
    "ja": HAN + KANA,
    "ko": "\uac00-\ud7a3",
    "pt": LATIN,
    "ru": "\u0400-\u052f\ua640-\ua69f",
    "th": "\u0e00-\u0e7f",
    "uk": "\u0400-\u052f\ua640-\ua69f",
    "vi": LATIN,
    "zh": HAN,
}
"""Language: the characters that it is written with, as a regular expression's class."""
FURTHER = {
    "am": "Ethiopic", "bg": "Cyrillic", "bn": "Bengali", "fa": "Arabic", "gu": "Gujarati", "hy": "Armenian",
    "id": "Latin", "ka": "Georgian", "km": "Khmer", "kn": "Kannada", "lo": "Lao", "ml": "Malayalam",
    "mn": "Cyrillic", "my": "Myanmar", "nl": "Latin", "pa": "Gurmukhi", "pl": "Latin", "si": "Sinhala",
    "sr": "Cyrillic", "sv": "Latin", "ta": "Tamil", "te": "Telugu", "tr": "Latin", "ur": "Arabic",
}  # fmt: skip
"""Language: the Unicode script that it is written with."""
_NO_SCRIPTS = frozenset({"Common", "Zyyy", "Inherited", "Zinh", "Qaai", "Unknown", "Zzzz"})
KANA_LETTER = lazy(f"[{KANA}]")
LONE_JAMO = lazy("[\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff]")
"""Not letters of a text but signs and laughter."""


def is_latin(language: str) -> bool:
    """Whether a language is written in Latin letters.

    >>> is_latin("en"), is_latin("ko")
    (True, False)
    """
    return SCRIPTS.get(language) == LATIN or FURTHER.get(language, language) == "Latin"


@lru_cache(maxsize=64)
def words_of(language: str) -> Any:
    """A pattern for a run of the language's letters; None for an unknown language.

    Args:
        language: An ISO 639-1 code, or a Unicode script.
    """
    if language in SCRIPTS:
        return re.compile(f"[{SCRIPTS[language]}]+")
    script = FURTHER.get(language, language)
    if not re.fullmatch("[A-Za-z_]{4,40}", script) or script.title() in _NO_SCRIPTS:
        return None
    regex = require("regex")
    try:
        return regex.compile(rf"\p{{Script={script}}}+")
    except regex.error:
        return None
