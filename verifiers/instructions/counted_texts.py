"""A response as instructions count it: its words, sentences, lines and paragraphs, by either way of counting.

The official graders take their tokenisers from packages (nltk, Punkt, langdetect, Janome); these come with
the extra `instructions` and are loaded when the first instruction asks for them.
"""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..language.instruction_words import ABBREVIATIONS
from ..runtime.forks import cached_property
from ..runtime.packages import require

EXTRA = "instructions"
MAX_CHARS = 100_000
"""Characters of a response that are judged: no instruction asks for more, and some splitters are slow."""
MAX_ANALYSED = 30_000
"""Characters that a language detector or a morphological analyser reads."""
PUNKT = {"en": "english", "fr": "french", "es": "spanish", "ja": "english", "ko": "english"}
"""The model of Punkt that the official counting takes for each language."""

SIGNS = string.punctuation
"""Marks of punctuation as the graders of IFBench know them."""
NO_SIGNS = str.maketrans("", "", SIGNS)
_WORD = re.compile(r"[^\W_]+(?:['’\-‐‑.,:/@&+·][^\W_]+)*")
_OFFICIAL_WORD = re.compile(r"\w+")
_ITEM = re.compile(r"[ \t]*(?:[-*+•‣◦・]|\(?(?:\d{1,3}|[A-Za-z])[.)])[ \t]+")
_HEADING = re.compile(r"[ \t]*(?:#{1,6}(?:[ \t]|$)|(?:\*\*|__)[^*_]{1,200}(?:\*\*|__):?[ \t]*$)")
_RULE = re.compile(r"[ \t]*(?:[-*_=~][ \t]*){3,}$")
_STOP = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s|$)|(?<![\u3002！？])[\u3002！？]++[\"'”’」』）)\]*_]*+"
)
_LAST = re.compile(r"([^\W\d_](?:[^\s]{0,24}[^\W_])?)$")


class Piece(NamedTuple):
    """A piece of a text, with its place.

    Args:
        text: The piece.
        start: Its start.
        end: Its end.
    """

    text: str
    start: int
    end: int


class Text:
    """A response, taken apart when somebody asks.

    Args:
        text: The written text.
        language: The language of the instructions, by its ISO 639-1 code.
        official: Whether it is counted as the official graders do.
        prompt: The question; "" if the row has none.

    >>> text = Text("Mr. Smith's 3.5 tons of well-made steel. Ready?")
    >>> [word.text for word in text.words][:4], len(text.sentences)
    (['Mr', "Smith's", '3.5', 'tons'], 2)
    """

    def __init__(self, text: str, language: str = "en", *, official: bool = False, prompt: str = "") -> None:
        self.text = text
        self.language = language
        self.official = official
        self.prompt = prompt

    @cached_property
    def lower(self) -> str:
        """The text in lower case."""
        return self.text.lower()

    @cached_property
    def stripped(self) -> str:
        """The text without white space at its ends."""
        return self.text.strip()

    @cached_property
    def words(self) -> list[Piece]:
        r"""Words: every run of ``\w`` by the official counting; else with what joins them (don't, 3.5)."""
        return pieces(_OFFICIAL_WORD if self.official else _WORD, self.text)

    @cached_property
    def word_texts(self) -> list[str]:
        """The texts of `words`."""
        return [word.text for word in self.words]

    @cached_property
    def plain_words(self) -> list[str]:
        """Words between blanks once all signs of ASCII are out, as the graders of IFBench have words.

        >>> Text("Don't stop - it's fine.").plain_words
        ['Dont', 'stop', 'its', 'fine']
        """
        return plain_words(self.text)

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, empty ones included."""
        return self.text.split("\n")

    @cached_property
    def sentences(self) -> list[Piece]:
        """Sentences: Punkt's by the official counting; else by stops, an item of a list being one."""
        if self.official:
            return punkt_sentences(self.text, self.language)
        return list(_sentences(self.text))

    @cached_property
    def sentence_texts(self) -> list[str]:
        """The texts of `sentences`."""
        return [sentence.text for sentence in self.sentences]

    @cached_property
    def paragraphs(self) -> list[Piece]:
        """Pieces between blank lines that hold more than white space."""
        return [each for each in split_at(re.compile(r"\n[ \t]*\n"), self.text) if each.text.strip()]

    @cached_property
    def tokens(self) -> list[str]:
        """Words and signs as nltk's tokeniser of words has them, sentence by sentence."""
        return [
            token
            for sentence in punkt_sentences(self.text, self.language)
            for token in nltk_tokens(sentence.text)
        ]

    @cached_property
    def detected(self) -> str | None:
        """The language as langdetect sees it; None if it cannot tell."""
        return detect(self.text)

    @cached_property
    def detected_in_lower_case(self) -> str | None:
        """The language of the text in lower case, as langdetect sees it."""
        return detect(self.lower)

    @cached_property
    def japanese(self) -> list[tuple[str, str]]:
        """Words as Janome cuts them, each with its part of speech."""
        return japanese_words(self.text)


def plain_words(text: str) -> list[str]:
    """Return the words between blanks once all signs of ASCII are out."""
    return text.translate(NO_SIGNS).split()


def pieces(pattern: re.Pattern[str], text: str) -> list[Piece]:
    """Return the matches of a pattern, with their places."""
    return [Piece(found.group(), found.start(), found.end()) for found in pattern.finditer(text)]


def split_at(pattern: re.Pattern[str], text: str) -> list[Piece]:
    """Return the texts between the matches of a pattern, with their places."""
    found, start = [], 0
    for between in pattern.finditer(text):
        found.append(Piece(text[start : between.start()], start, between.start()))
        start = between.end()
    return [*found, Piece(text[start:], start, len(text))]


def item_mark(line: str) -> str:
    """The mark of a list's item at the beginning of a line; "" without one."""
    found = _ITEM.match(line)
    return "" if found is None or _RULE.match(line) else found.group()


def is_heading(line: str) -> bool:
    """Return whether a line is a heading in Markdown, or a line of bold text alone."""
    return _HEADING.match(line) is not None


def is_rule(line: str) -> bool:
    """Return whether a line is a divider such as ``***`` or ``---``."""
    return _RULE.match(line) is not None


def _sentences(text: str) -> Iterator[Piece]:
    """The sentences of each block; a heading and a divider are none."""
    for start, end in _blocks(text):
        place = start
        for stop in _STOP.finditer(text, start, end):
            if not _ends(text, start, stop, end):
                continue
            yield from _piece(text, place, stop.end())
            place = stop.end()
        yield from _piece(text, place, end)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Spans of running text: lines up to a blank one, an item of a list, a heading or a divider."""
    begin: int | None = None
    place = 0
    for line in text.split("\n"):
        end = place + len(line)
        mark = item_mark(line)
        apart = not line.strip() or is_rule(line) or is_heading(line)
        if (apart or mark) and begin is not None:
            yield begin, place - 1
            begin = None
        if not apart and begin is None:
            begin = place + len(mark)
        place = end + 1
    if begin is not None:
        yield begin, len(text)


def _ends(text: str, start: int, stop: re.Match[str], end: int) -> bool:
    """Return whether a stop ends a sentence: no abbreviation or initial before it, no small letter after."""
    rest = text[stop.end() : min(end, stop.end() + 80)].lstrip(" \t\n*_\"'“‘«([")
    if not stop.group().startswith("."):
        return not rest[:1].islower() or stop.group()[0] in "。！？"
    if stop.group().startswith("..") and rest[:1].islower():
        return False
    before = _LAST.search(text[max(start, stop.start() - 24) : stop.start()])
    word = before.group(1).lower() if before else ""
    if word in ABBREVIATIONS and not (word in _MAY_END and rest[:1].isupper() and stop.end() >= end):
        return not rest
    if len(word) == 1 and word.isalpha() and word not in "i" and rest[:1].isupper():
        return False
    return not rest[:1].islower()


_MAY_END = frozenset(("etc", "co", "inc", "ltd", "jr", "a.m", "p.m"))


def _piece(text: str, start: int, end: int) -> Iterator[Piece]:
    part = text[start:end]
    if any(map(str.isalnum, part)):
        left = len(part) - len(part.lstrip())
        yield Piece(part.strip(), start + left, start + len(part.rstrip()))


@functools.cache
def _punkt(language: str) -> Any:
    return require("punkt", extra=EXTRA).tokenizer_for(PUNKT.get(language, "english"))


def punkt_sentences(text: str, language: str) -> list[Piece]:
    """Sentences as the Punkt model of a language splits them.

    Raises:
        MissingDependencyError: The extra `instructions` is not installed.
    """
    return [Piece(text[start:end], start, end) for start, end in _punkt(language).span_tokenize(text)]


@functools.cache
def _treebank() -> Any:
    return require("nltk.tokenize.destructive", extra=EXTRA).NLTKWordTokenizer()


def nltk_tokens(sentence: str) -> list[str]:
    """Words and signs of a sentence, as nltk's tokeniser of words has them."""
    return list(_treebank().tokenize(sentence))


@functools.cache
def _langdetect() -> Any:
    module = require("langdetect", extra=EXTRA)
    # Without a seed it answers differently from call to call.
    module.DetectorFactory.seed = 0
    return module


def detect(text: str) -> str | None:
    """The language of a text by langdetect, always the same for one text; None if it cannot tell."""
    module = _langdetect()
    try:
        return str(module.detect(text[:MAX_ANALYSED]))
    except module.lang_detect_exception.LangDetectException:
        return None


@functools.cache
def _janome() -> Any:
    return require("janome.tokenizer", extra=EXTRA).Tokenizer()


@functools.lru_cache(maxsize=512)
def _japanese_words(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((token.surface, token.part_of_speech) for token in _janome().tokenize(text))


def japanese_words(text: str) -> list[tuple[str, str]]:
    """Words of a Japanese text as Janome cuts them, each with its part of speech."""
    return list(_japanese_words(text[:MAX_ANALYSED]))
