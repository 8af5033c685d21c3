"""The completion is written in the asked language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from ..core.verdicts import Sample, TextPart, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..errors import ConfigError
from ..runtime.packages import require

_LATIN = "A-Za-z\u00c0-\u024f\u1e00-\u1eff"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9d"
SCRIPTS = {
    "ar": "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "de": _LATIN,
    "el": "\u0370-\u03ff\u1f00-\u1fff",
    "en": _LATIN,
    "es": _LATIN,
    "fr": _LATIN,
    "he": "\u0590-\u05ff",
    "hi": "\u0900-\u097f",
    "it": _LATIN,
    "ja": _HAN + _KANA,
    "ko": "\uac00-\ud7a3",
    "pt": _LATIN,
    "ru": "\u0400-\u052f\ua640-\ua69f",
    "th": "\u0e00-\u0e7f",
    "uk": "\u0400-\u052f\ua640-\ua69f",
    "vi": _LATIN,
    "zh": _HAN,
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

_TAGS = (
    "think|thinking|thought|reasoning|answer|solution|final|b|i|u|p|br|hr|em|strong|sub|sup|code|pre|span|div"
    "|li|ul|ol|table|tr|td|th|h[1-6]"
)
_MARKUP = re.compile(
    rf"</?(?:{_TAGS})\s*/?>|<(?=/?[A-Za-z])|\\(?:begin|end)\s*\{{\w+\*?\}}|\\[A-Za-z]+", re.IGNORECASE
)
# Commands in a row, with nothing between them, are words with backslashes before them.
_COMMANDS = re.compile(r"(?:\\[A-Za-z]{2,}[\s,.;\d]*){4,}")
_ADDRESS = re.compile(
    r"https?://\S+|www\.\S+|(?<![\w.+-])[A-Za-z0-9.+-]{1,64}+@[A-Za-z0-9-]{1,255}+\.[A-Za-z.]+"
)
_CODE = re.compile(r"(```|~~~)(.*?)(?:\1|\Z)", re.DOTALL)
# Inline code, mathematics, and quoted or bracketed words.
_ASIDE = re.compile(
    r"`[^`\n]{1,200}`"
    r"|\$\$.{1,1000}?\$\$|\$[^$\n]{1,1000}\$|\\\[(?:[^\\]|\\(?![\[\]]))++\\\]|\\\((?:[^\\]|\\(?![()]))++\\\)"
    r"|\\boxed\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"
    r"|[\"“”‘’'「『《〈(\[][^\"“”‘’'」』》〉)\]\n]{1,80}[\"“”‘’'」』》〉)\]]",
    re.DOTALL,
)
_CODE_SIGNS = frozenset("(){}[]=;:<>+-*/%_#\\|&")
CODE_SHARE = 0.05
"""The share of such signs from which a fenced block is code: prose has hardly any, code 10 % and more."""
# Not letters of a text but signs and laughter: ㄱ, ㅋㅋ, ㅠㅠ.
_JAMO = re.compile("[\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff]")
_KANA_LETTER = re.compile(f"[{_KANA}]")
KANA_SHARE = 0.15
"""The share of kana from which Chinese characters and kana are Japanese; real text has half and more."""
MANY_ADDRESSES = 3
"""How many letters addresses have for each letter of the text, from which they are what the text says."""
_MATHS_SIGN = re.compile(r"[\d=+*/^<>≤≥×÷√]")
# A variable, a unit or an option next to a number is not a word of another language.
_SHORT_LATIN = re.compile(rf"(?<![{_LATIN}])[{_LATIN}]{{1,2}}(?![{_LATIN}])")
# A run that is a word, in any script: mathematics has few of them outside its commands.
_WORDS = re.compile(rf"[{_HAN}{_KANA}]+|[^\W\d_]{{3,}}")
MAX_CHARS = 100_000
"""Characters that are looked at: openings without their ends cost up to 1,000 steps each."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class LanguageConsistency(Verifier):
    """The share of letters that belong to the asked language's script; 0.9 and above is in the language.

    Code, mathematics, tags, addresses, numbers, and what is quoted or in brackets do not count, unless they
    are most of the text. Nor do lone jamo (ㅋㅋ), and Latin runs of one or two letters (x, km) in a
    text of another script. Languages that share a script are not told apart. DeepSeek-R1
    (arXiv:2501.12948, section 2.3.2) adds such a share to its reward, for the chain of thought.

    Args:
        language: An ISO 639-1 code such as ``ko``, or a Unicode script such as ``Hangul`` or ``Tibetan``.
        of: What is looked at: the ``completion``, its ``answer`` part, or its ``thinking``.

    Raises:
        ConfigError: A language whose script is not known here, or an unknown part.

    >>> LanguageConsistency("ko").verify("사과가 세 개이므로 답은 $x = 3$이다.").score
    1.0
    >>> LanguageConsistency("ko").verify("Therefore the answer is 3.").reason
    'other_language'
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "in_language": "at least 0.9 of the letters belong to the language's script",
        "mixed": "at least half of the letters, but less than 0.9",
        "other_language": "less than half of the letters",
        "no_letters": "numbers, mathematics or code only: nothing is in another language",
        "empty": "nothing is there to be in any language",
    }
    needs_reference: ClassVar[bool] = False

    language: str = "ko"
    of: TextPart = "completion"

    def __post_init__(self) -> None:
        super().__post_init__()
        if _letter_of(self.language) is None:
            raise ConfigError(
                "LanguageConsistency: language must be a Unicode script such as 'Tibetan', or one of "
                f"{', '.join(sorted({*SCRIPTS, *FURTHER}))}; got {self.language!r}"
            )

    def check(self, sample: Sample) -> Verdict:
        text = sample.characters(self.of)[:MAX_CHARS]
        text, addresses = _ADDRESS.sub(" ", text), " ".join(_ADDRESS.findall(text))
        said = _COMMANDS.sub(_without_backslashes, _CODE.sub(_prose_of_block, text))
        said = _MARKUP.sub(" ", said)
        letters = self._letters(_ASIDE.sub(" ", said))
        everything = self._letters(f"{said} {addresses}")
        own = _letter_of(self.language)
        assert own is not None  # noqa: S101  (checked when the verifier was made)
        # What is set apart does not count, unless it is most of the text: English in brackets is English.
        foreign = own.sub("", "".join(_WORDS.findall(" ".join(_ASIDE.findall(said)))))
        linked = sum(map(str.isalpha, addresses))
        if len(foreign) > len(letters) or linked > MANY_ADDRESSES * len(letters):
            letters = everything
        if not letters:
            written = any(char.isalnum() for char in _JAMO.sub("", text))
            return self.scored(1.0, "no_letters") if written else self.scored(0.0, "empty")
        count = len(own.findall(letters))
        if self.language == "ja" and len(_KANA_LETTER.findall(letters)) < KANA_SHARE * len(letters):
            count = 0  # Japanese is not written without kana; this is Chinese
        share = count / len(letters)
        reason = "in_language" if share >= 0.9 else "mixed" if share >= 0.5 else "other_language"
        return self.scored(share, reason, f"{count:,} of {len(letters):,} letters")

    def _letters(self, text: str) -> str:
        """The letters that count: without jamo, and without short Latin runs in another script's text."""
        text = _JAMO.sub("", text)
        letters = "".join(filter(str.isalpha, text))
        if _is_latin(self.language):
            return letters
        short = _SHORT_LATIN.findall(text)
        longer = "".join(filter(str.isalpha, _SHORT_LATIN.sub(" ", text)))
        if not longer and len(short) <= len(_MATHS_SIGN.findall(text)):
            return ""  # x = 3, 12 kg
        return longer if len(letters) - len(longer) <= len(longer) / 2 else letters


def _is_latin(language: str) -> bool:
    return SCRIPTS.get(language) == _LATIN or FURTHER.get(language, language) == "Latin"


@lru_cache(maxsize=64)
def _letter_of(language: str) -> Any:
    """A pattern for one letter of the language's script; None for an unknown language."""
    if language in SCRIPTS:
        return re.compile(f"[{SCRIPTS[language]}]")
    script = FURTHER.get(language, language)
    if not re.fullmatch("[A-Za-z_]{4,40}", script) or script.title() in _NO_SCRIPTS:
        return None
    regex = require("regex")
    try:
        return regex.compile(rf"\p{{Script={script}}}")
    except regex.error:
        return None


def _without_backslashes(commands: re.Match[str]) -> str:
    return commands.group().replace("\\", "")


def _prose_of_block(block: re.Match[str]) -> str:
    """The prose of a fenced block: none of it is code's; all of it if it has no more signs than prose has."""
    held = block.group(2)
    signs = sum(1 for char in held if char in _CODE_SIGNS)
    return " " if signs >= CODE_SHARE * len(held.replace(" ", "")) else held
