"""Instructions of M-IFEval that belong to Japanese: scripts, readings, numerals, how sentences end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from ..language.instruction_words import JAPANESE_STOPS, NOUN
from ..language.running.scripts import HAN
from .kinds import KINDS, REQUIRED, Kind, Outcome, absent, counted
from .lengths import first_of
from .texts import Piece, Text

_HIRAGANA = "\u3041-\u3096"
_KATAKANA = "\u30a1-\u30fa"
_A_KANJI = re.compile(f"[{HAN}]")
_A_HIRAGANA = re.compile(f"[{_HIRAGANA}]")
_A_KATAKANA = re.compile(f"[{_KATAKANA}\uff66-\uff9d]")
_IDEOGRAPHS = f"{chr(0x4E00)}-{chr(0x9FFF)}"
"""Without the sign that repeats one, and without the circle that stands for a name."""
_NO_HIRAGANA = re.compile(f"[{_KATAKANA}{_IDEOGRAPHS}]")
_NO_KATAKANA = re.compile(f"[{_HIRAGANA}{_IDEOGRAPHS}A-Za-z]")
_DIGIT = re.compile("[0-9\uff10-\uff19]")
_UNREAD = re.compile(f"(?<![{HAN}])[{HAN}]++(?!\uff08[{_HIRAGANA}\u30fc]++\uff09)")
_OFFICIAL_KANJI = f"[{chr(0x4E00)}-{chr(0x9FAF)}]"
_KANJI_RUN = re.compile(f"{_OFFICIAL_KANJI}++")
_READ_RUN = re.compile(f"(?<!{_OFFICIAL_KANJI}){_OFFICIAL_KANJI}++\uff08[\u3041-\u3093]++\uff09")
_SPOKEN = re.compile("\u300c[^\n\u300d]{0,2000}\u300d|\u300e[^\n\u300f]{0,2000}\u300f")
"""What stands in Japanese quotation marks, which is no sentence of the response."""
_STOPS = re.compile(f"[{JAPANESE_STOPS}]+")
_CLOSERS = "\u300d\u300f\uff09)*_\u3011 \t"


def _sentences(text: Text) -> list[str]:
    """Between stops; for the right counting a line that is one of its own ends a sentence, too."""
    said = _SPOKEN.sub("", text.text)
    if text.official:
        parts = [each.strip() for each in _STOPS.split(said)]
    else:
        parts = [each.strip() for each in re.split(f"[{JAPANESE_STOPS}!?]+|\n", said)]
        parts = [each.rstrip(_CLOSERS) for each in parts if not each.startswith("#")]
    return [each for each in parts if each]


@KINDS.register
@dataclass(frozen=True, repr=False)
class KanjiCount(Kind):
    """The response has so many Chinese characters.

    Args:
        kanji_limit: How many.
        relation: How their count compares.
    """

    ids: ClassVar[tuple[str, ...]] = ("letters:kanji",)
    kanji_limit: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        pattern = _OFFICIAL_KANJI if text.official else _A_KANJI
        return counted(len(re.findall(pattern, text.text)), self.relation, self.kanji_limit, "kanji")


@dataclass(frozen=True, repr=False)
class _OneScript(Kind):
    """Of Japanese letters the response has those of one script; the official counting allows no others."""

    forbidden: ClassVar[re.Pattern[str]] = _DIGIT
    script: ClassVar[re.Pattern[str]] = _DIGIT

    def judge(self, text: Text) -> Outcome:
        if not text.official:
            return absent(first_of(self.forbidden, text.text), "other letter")
        other = next(
            (at for at, letter in enumerate(text.text) if letter.isalpha() and not self.script.match(letter)),
            None,
        )
        return absent(None if other is None else Piece(text.text[other], other, other + 1), "other letter")


@dataclass(frozen=True, repr=False)
class _Without(Kind):
    """The response has no character of a class."""

    forbidden: ClassVar[re.Pattern[str]] = _DIGIT
    what: ClassVar[str] = "digit"

    def judge(self, text: Text) -> Outcome:
        return absent(first_of(self.forbidden, text.text), self.what)


@KINDS.register
@dataclass(frozen=True, repr=False)
class NoHiragana(_Without):
    """The response has no hiragana."""

    ids: ClassVar[tuple[str, ...]] = ("letters:no_hiragana",)
    forbidden: ClassVar[re.Pattern[str]] = _A_HIRAGANA
    what: ClassVar[str] = "hiragana"


@KINDS.register
@dataclass(frozen=True, repr=False)
class NoKatakana(_Without):
    """The response has no katakana."""

    ids: ClassVar[tuple[str, ...]] = ("letters:no_katakana",)
    forbidden: ClassVar[re.Pattern[str]] = _A_KATAKANA
    what: ClassVar[str] = "katakana"


@KINDS.register
@dataclass(frozen=True, repr=False)
class HiraganaOnly(_OneScript):
    """Of the Japanese scripts the response has hiragana only."""

    ids: ClassVar[tuple[str, ...]] = ("letters:hiragana_only",)
    forbidden: ClassVar[re.Pattern[str]] = _NO_HIRAGANA
    script: ClassVar[re.Pattern[str]] = re.compile("[\u3041-\u3093\u30fc]")


@KINDS.register
@dataclass(frozen=True, repr=False)
class KatakanaOnly(_OneScript):
    """The response has letters of katakana only."""

    ids: ClassVar[tuple[str, ...]] = ("letters:katakana_only",)
    forbidden: ClassVar[re.Pattern[str]] = _NO_KATAKANA
    script: ClassVar[re.Pattern[str]] = re.compile("[\u30a1-\u30f3\u30fc\uff66-\uff9f]")


@KINDS.register
@dataclass(frozen=True, repr=False)
class KanjiNumerals(_Without):
    """Numbers are written in Chinese characters: the response has no digit."""

    ids: ClassVar[tuple[str, ...]] = ("letters:kansuuji",)
    forbidden: ClassVar[re.Pattern[str]] = _DIGIT
    what: ClassVar[str] = "digit"


@KINDS.register
@dataclass(frozen=True, repr=False)
class Furigana(Kind):
    """Every run of Chinese characters is followed by its reading in full-width brackets."""

    ids: ClassVar[tuple[str, ...]] = ("letters:furigana",)

    def judge(self, text: Text) -> Outcome:
        if text.official:
            runs, read = len(_KANJI_RUN.findall(text.text)), len(_READ_RUN.findall(text.text))
            return Outcome(runs == read, f"{read} of {runs} runs of kanji have their reading")
        return absent(first_of(_UNREAD, text.text), "kanji without its reading")


@KINDS.register
@dataclass(frozen=True, repr=False)
class UnifiedEnding(Kind):
    """Every sentence ends alike.

    Args:
        ending: How.
    """

    ids: ClassVar[tuple[str, ...]] = ("startend:sentence_unified_end",)
    ending: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        found = _sentences(text)
        other = next((each for each in found if not each.endswith(self.ending)), None)
        said = f"all of {len(found)} sentences" if other is None else f"{other[-40:]!r} ends otherwise"
        return Outcome(bool(found) and other is None, said)


@KINDS.register
@dataclass(frozen=True, repr=False)
class NominalEnding(Kind):
    """At least so many sentences end with a noun, by the analyser Janome.

    Args:
        count: How many.
    """

    ids: ClassVar[tuple[str, ...]] = ("detectable_format:nominal_ending",)
    count: int = REQUIRED

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("janome",)

    def judge(self, text: Text) -> Outcome:
        if text.official:
            words = Text(_SPOKEN.sub("", text.text)).japanese
            stops = [
                place for place, (word, _) in enumerate(words) if place and word in tuple(JAPANESE_STOPS)
            ]
            count = sum(words[place - 1][1].startswith(NOUN) for place in stops)
        else:
            ends = [Text(each[-80:]).japanese for each in _sentences(text)]
            count = sum(1 for words in ends if words and words[-1][1].startswith(NOUN))
        return counted(count, "at least", self.count, "sentences that end with a noun")
