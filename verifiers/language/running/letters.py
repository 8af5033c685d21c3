"""How many letters of a text's running words belong to a language, and how many to others."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ...runtime.patterns import lazy
from ..normalization import fold_width, nfc
from .scripts import HAN, KANA_LETTER, LATIN, LONE_JAMO, SCRIPTS, is_latin, words_of
from .segments import ASIDE, CALL, OWN, Foreign, foreign_letters

NAMES_SHARE = 2
"""How many letters of names, identifiers and words in formulas a text has for each of its own, before they count."""
SHORT_TEXT = 20
"""For so many of its first letters a text has one letter of names more: three names in one sentence."""
FEW_TERMS = 8
"""The same for words with a particle, or between words of the language: one for two letters, and so many more."""
SHORT_ASIDES = 10
"""The same for what is quoted, in backticks, or a gloss in brackets: one, and four for each of the first letters."""
ADDRESSES_SHARE = 3
"""The same for addresses."""
LETTERS_A_SIGN = 12
"""How many letters each sign of a fenced block makes code: prose has hardly any sign, code one for six letters or so."""
LONG_ASIDE = 40
"""Letters of one quotation or gloss that do not count: a sentence of eight words."""
LONG_HAN_ASIDE = 8
"""The same where it is written in Chinese characters or kana."""
KANA_SHARE = 0.15
"""The share of kana from which Chinese characters and kana are Japanese; real text has half and more."""

_TAGS = (
    "think|thinking|thought|reasoning|answer|solution|final|b|i|u|p|br|hr|em|strong|sub|sup|code|pre|span|div"
    "|li|ul|ol|table|tr|td|th|h[1-6]"
)
_MARKUP = lazy(rf"</?(?:{_TAGS})\s*/?>|\\(?:begin|end)\s*\{{\w+\*?\}}|\\[()\[\]]", re.IGNORECASE)
_OTHER_TAG = lazy(r"</?([A-Za-z]\w{0,40})\s?/?>|</?([A-Za-z][^<>\n]{0,60})>|<\|\w{1,40}\|>")
_COMMAND = lazy(r"\\[A-Za-z]+")
_STARS = lazy(r"\*\*|__|(?<![\w)*])\*(?=\S)|(?<=\S)\*(?![\w(*])")
_ADDRESS = lazy(r"https?://\S+|www\.\S+|(?<![\w.+-])[A-Za-z0-9.+-]{1,64}+@[A-Za-z0-9-]{1,255}+\.[A-Za-z.]+")
_FENCE = lazy(r"(```|~~~)(.*?)(?:\1|\Z)", re.DOTALL)
_SIGNS_OF_CODE = lazy(r"[(){}\[\]=;:<>+\-*/%_#\\|&]")
# Quotations, inline code, and a gloss in brackets after the word that it explains.
_ASIDE = lazy(
    r"`([^`\n]{1,200})`|[\"“”]([^\"“”\n]{1,400})[\"“”]|(?<![A-Za-z])['‘]([^'‘’\n]{1,400})['’](?![A-Za-z])"
    r"|「([^「」\n]{1,400})」|『([^『』\n]{1,400})』|《([^《》\n]{1,400})》|〈([^〈〉\n]{1,400})〉"
    r"|(?P<gloss>(?<=\w)[ ]?[(（]([^()（）\n]{1,400})[)）])"
)
_CJK = lazy(f"[{HAN}{KANA_LETTER.pattern[1:-1]}]")
_LATIN_END = lazy(f"[{LATIN}]")


class Letters(NamedTuple):
    """Letters of running words.

    Args:
        own: Of the language's script.
        foreign: Of words of other languages, and of what is more than a text in the language has beside its words.
    """

    own: int
    foreign: int


def running_letters(text: str, language: str) -> Letters:
    r"""Count the letters of a text's running words.

    Formulas, identifiers, names, units, addresses, code, quotations and glosses do not count, with delimiters
    or without them, as far as there are not more of them than a text in the language has. Lone jamo never do.

    Args:
        text: Any text.
        language: A language that `words_of` knows.

    >>> running_letters("Let f(x) = x^2. So it is 4.", "en"), running_letters("Hola \u043c\u0438\u0440", "en")
    (Letters(own=9, foreign=0), Letters(own=4, foreign=3))
    """
    counter = _Counter(language)
    text = LONE_JAMO.sub(" ", fold_width(nfc(text)))
    linked = 0
    for address in _ADDRESS.findall(text):
        linked += sum(map(str.isalpha, address))
    counter.read(_FENCE.sub(counter.block, _ADDRESS.sub(" ", text)))
    own, foreign = counter.own, counter.foreign
    if language == "ja" and counter.kana < KANA_SHARE * own:
        own, foreign.running = (
            0,
            foreign.running + own,
        )  # Japanese is not written without kana; this is Chinese
    beyond = max(0, foreign.names - NAMES_SHARE * own - min(own, SHORT_TEXT))
    beyond += min(foreign.terms, max(0, foreign.terms + foreign.loose // 2 - own // 2 - min(own, FEW_TERMS)))
    beyond += max(0, counter.asides - own - 3 * min(own, SHORT_ASIDES))
    if not counter.latin:
        beyond += max(0, linked - ADDRESSES_SHARE * own)
    return Letters(own, foreign.running + beyond)


class _Counter:
    """Counts what it is given to read.

    Args:
        language: The language whose words are its own.
    """

    def __init__(self, language: str) -> None:
        self.words: Any = words_of(language)
        self.latin = is_latin(language)
        self.readings: re.Pattern[str] | None = None
        if language in SCRIPTS and language not in ("zh", "ja"):
            self.readings = re.compile(
                rf"(?<![{HAN}])[{HAN}]{{1,{LONG_HAN_ASIDE}}}(?=[ ]?[(（]{self.words.pattern}[)）])"
            )
        self.own = self.kana = self.asides = 0
        self.foreign = Foreign()

    def block(self, fence: re.Match[str]) -> str:
        """Count a fenced block: each of its signs makes letters code."""
        held = fence.group(2)
        code = LETTERS_A_SIGN * len(_SIGNS_OF_CODE.findall(held))
        inner = _Counter.__new__(_Counter)
        inner.__dict__.update(self.__dict__, own=0, kana=0, asides=0, foreign=Foreign())
        inner.read(held)
        if self.latin:
            inner.own = max(0, inner.own - code)
        for name in ("running", "terms", "loose", "names"):
            letters = getattr(inner.foreign, name)
            setattr(self.foreign, name, getattr(self.foreign, name) + max(0, letters - code))
            code = max(0, code - letters)
        self.asides += max(0, inner.asides - code)
        self.own += inner.own
        self.kana += inner.kana
        return "\n"

    def read(self, text: str) -> None:
        """Count a text without fenced blocks."""
        text = _OTHER_TAG.sub(self._tag, _MARKUP.sub(" ", text))
        if self.latin:
            text = _COMMAND.sub(" ", text)
        if self.readings is not None:
            text = self.readings.sub(self._read_aloud, text)
        text = self.words.sub(self._own, _ASIDE.sub(self._aside, _STARS.sub("", text)))
        found = foreign_letters(text)
        self.foreign.running += found.running
        self.foreign.names += found.names
        self.foreign.terms += found.terms
        self.foreign.loose += found.loose

    def _tag(self, tag: re.Match[str]) -> str:
        """A tag of one word may be any template's; of several words it is text between signs."""
        if tag[1] and not self.latin:
            self.foreign.terms += sum(map(str.isalpha, tag[1]))
        return f" {tag[2]} " if tag[2] else " "

    def _read_aloud(self, source: re.Match[str]) -> str:
        """Chinese characters in front of their reading in brackets."""
        self.asides += len(source.group())
        return ASIDE

    def _own(self, word: Any) -> str:
        said = word.group()
        letters = sum(map(str.isalpha, said))
        if not self.latin or letters > 1:
            self.own += letters
            self.kana += len(KANA_LETTER.findall(said))
        return OWN

    def _aside(self, aside: re.Match[str]) -> str:
        held = next(group for group in aside.groups()[::-1] if group is not None)
        rest = self.words.sub(self._own, _COMMAND.sub(" ", held))
        letters = [char for char in rest if char.isalpha()]
        dense = sum(1 for char in letters if _CJK.match(char))
        long = max(0, dense - LONG_HAN_ASIDE) + max(0, len(letters) - dense - LONG_ASIDE)
        self.foreign.running += long
        self.asides += len(letters) - long
        if aside["gloss"] is None:
            return ASIDE
        glued = aside.group()[0] != " " and _LATIN_END.match(aside.string[aside.start() - 1])
        return CALL if glued else ASIDE
