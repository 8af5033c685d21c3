"""Which letters of a text are words of a language, of another one, or no words at all. Scripts and shapes, no vocabulary.

What stands between two words of the language, or before the end of a sentence, is a segment. A segment gives
reasons why some of its pieces are no words of another language: each sign of a formula or of code, a word of
the language right after it. The reasons are counted, and that many pieces, the longest, are no running text.
So one more variable, name or formula never makes another piece count: there is no cliff.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from ..runtime.packages import require
from ..runtime.patterns import lazy
from .normalization import fold_width, nfc

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
    """Return whether a language is written in Latin letters.

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


OWN, ASIDE, CALL = "\ue000", "\ue001", "\ue002"
"""What stands in a text for a word of the language, for what is set apart, and for brackets after a name."""
FREE_NAMES = 4
"""Names in a row that need no further reason: two people, or the four words of an institution."""
FREE_SHORTS = 4
"""Pieces of one or two letters that need no further reason: variables, points, units."""
FREE_TERMS = 2
"""Words right in front of a word of the language that are taken for a term: ``git commit``."""
FREE_COMMANDS = 6
"""LaTeX commands in an unbroken row; more are words with backslashes before them."""

_L = f"{LATIN}{GREEK}"
_SIGN = "=+×÷√±≤≥≠≈→⇒∈∪∩∥⊥∠△∑∫∂^*<>"
_TOKEN = lazy(
    rf"(?P<own>{OWN}(?:[ ]*{OWN})*+)"
    # n! and 5! are factorials, and end no sentence.
    rf"|(?P<end>(?:[.?]|(?<!(?<![{_L}])[{_L}\d])!)(?=[\s\"'”’)\]*]|\Z)|[。！？\n])"
    r"|(?P<command>\\[A-Za-z]+)"
    rf"|(?P<sign>(?<=[{_L}])[ ]?[{_SIGN}]|[{_SIGN}](?=[ ]?[{_L}])|(?<=[{_L}])[_/.:@](?=\w)|(?<=\d)[_/](?=[{_L}])"
    rf"|(?<=[{_L}])[{CALL}(\[]|(?<=[\w){CALL}])[:;{{](?=[ \t]*(?:\n|\Z))"
    rf"|(?<=[{_L}])-?\d+(?![{_L}\d])|(?<![\w-])--?(?=[{_L}]{{2}}))"
    r"|(?P<number>\d+)"
    r"|(?P<comma>[,、，;；·])"
    rf"|(?P<latin>[{LATIN}]+)"
    rf"|(?P<other>(?:(?![{LATIN}])[^\W\d_])+)"
)
_PIECE = lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]")
_FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lcm lim liminf limsup ln log"
    " max min mod sec sin sinh sup tan tanh".split()
)
"""The names of functions that LaTeX sets upright (log-like symbols), with lcm and mod."""
_GREEK_LETTERS = lazy(f"[{GREEK}]{{1,2}}")
_SIGNS_OF_MATHEMATICS = lazy("[\u2100-\u214f\U0001d400-\U0001d7ff]")


@dataclass
class Foreign:
    """Letters that are not the language's own.

    Args:
        running: Words of another language.
        names: Names, identifiers and words in formulas.
        terms: Words with a particle, or in front of a word of the language: terms, or words of another language.
        loose: Those among them without a particle, which are less sure to be terms.
    """

    running: int = 0
    names: int = 0
    terms: int = 0
    loose: int = 0


@dataclass
class _Segment:
    reasons: int = 0
    numbers: int = 0
    commas: int = 0
    singles: int = 0
    pairs: list[int] = field(default_factory=list)
    names: list[int] = field(default_factory=list)
    words: list[int] = field(default_factory=list)

    def short(self, letters: int) -> None:
        """Count a piece of one or two letters."""
        if letters == 1:
            self.singles += 1
        else:
            self.pairs.append(letters)

    def close(self, foreign: Foreign, *, embedded: bool) -> None:
        """Count the pieces: the longest are excused."""
        for sizes in (self.pairs, self.names, self.words):
            sizes.sort(reverse=True)
        free = self.reasons + (FREE_TERMS if embedded else 0)
        foreign.names += sum(self.words[: self.reasons])
        loose = sum(self.words[self.reasons : free])
        foreign.terms += loose
        foreign.loose += loose
        foreign.running += sum(self.words[free:])
        # In a sentence of another language a capital begins it, and a piece of two letters is a word: two words
        # without an excuse are one.
        sentence = 2 * max(0, len(self.words) - free)
        more = 2 * self.reasons + self.numbers + self.commas
        foreign.running += max(0, self.singles - FREE_SHORTS - more)
        foreign.running += sum(self.pairs[max(0, FREE_SHORTS - sentence) + more :])
        free = max(0, FREE_NAMES - sentence) + self.reasons + self.commas
        foreign.names += sum(self.names[:free])
        foreign.running += sum(self.names[free:])


def foreign_letters(text: str) -> Foreign:
    r"""Count the letters of a text whose own words, and what is set apart in it, are replaced by `OWN` and `ASIDE`.

    >>> foreign_letters(f"x + y = 3{OWN} then we went home")
    Foreign(running=14, names=0, terms=0, loose=0)
    >>> foreign_letters(f"the loss{OWN}")
    Foreign(running=0, names=0, terms=7, loose=3)
    >>> foreign_letters("total = price")
    Foreign(running=5, names=5, terms=0, loose=0)
    """
    foreign, segment = Foreign(), _Segment()
    commands, before, is_new = 0, 0, True
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if is_new and kind in ("own", "end"):
            commands, before = 0, token.end()
            continue
        is_new = False
        said = token.group()
        commands = 0 if text[before : token.start()].strip() else commands
        before = token.end()
        if kind == "command":
            commands += 1
            segment.reasons += 1
            if commands > FREE_COMMANDS:
                foreign.running += len(said) - 1
            continue
        commands = 0
        if kind == "latin":
            _latin(said, text[token.end() : token.end() + 1] == OWN, segment, foreign)
        elif kind in ("own", "end"):
            segment.close(foreign, embedded=kind == "own")
            segment, is_new = _Segment(), True
        elif kind == "sign":
            segment.reasons += 1
        elif kind == "number":
            segment.numbers += 1
        elif kind == "comma":
            segment.commas += 1
        elif _GREEK_LETTERS.fullmatch(said):
            segment.short(len(said))
        else:
            foreign.running += sum(map(str.isalpha, _SIGNS_OF_MATHEMATICS.sub("", said)))
    segment.close(foreign, embedded=False)
    return foreign


def _latin(word: str, attached: bool, segment: _Segment, foreign: Foreign) -> None:
    """A run of Latin letters, by its shape."""
    if len(word) <= 2:
        segment.short(len(word))
    elif word.lower() in _FUNCTIONS:
        pass
    elif word != word.lower():
        segment.names += map(len, _PIECE.findall(word) if word.isascii() else [word])
    elif attached:
        foreign.terms += len(word)
    else:
        segment.words.append(len(word))


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
        own: Letters of the language's script.
        foreign: Letters of words of other languages, and of anything beyond the usual share of other text.
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
