"""Instructions of M-IFEval that belong to Japanese: scripts, readings, numerals, how sentences end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from ..language.instruction_words import JAPANESE_STOPS, NOUN
from ..language.running.scripts import HAN
from .kinds import KINDS, REQUIRED, Kind, Outcome, absent, counted
from .lengths import first_of
from .texts import Text

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
_STOPS = re.compile(f"[{JAPANESE_STOPS}]+")
_CLOSERS = "\u300d\u300f\uff09)*_\u3011 \t"


def _sentences(text: Text) -> list[str]:
    """Between stops; for the right counting a line that is one of its own ends a sentence, too."""
    pattern = _STOPS if text.official else re.compile(f"[{JAPANESE_STOPS}!?]+|\n")
    parts = [each.strip() for each in pattern.split(text.text)]
    if not text.official:
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
        return counted(len(_A_KANJI.findall(text.text)), self.relation, self.kanji_limit, "kanji")


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
class HiraganaOnly(_Without):
    """Of the Japanese scripts the response has hiragana only."""

    ids: ClassVar[tuple[str, ...]] = ("letters:hiragana_only",)
    forbidden: ClassVar[re.Pattern[str]] = _NO_HIRAGANA
    what: ClassVar[str] = "other letter"


@KINDS.register
@dataclass(frozen=True, repr=False)
class KatakanaOnly(_Without):
    """The response has letters of katakana only."""

    ids: ClassVar[tuple[str, ...]] = ("letters:katakana_only",)
    forbidden: ClassVar[re.Pattern[str]] = _NO_KATAKANA
    what: ClassVar[str] = "other letter"


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
        ends = [Text(each[-80:]).japanese for each in _sentences(text)]
        count = sum(1 for words in ends if words and words[-1][1].startswith(NOUN))
        return counted(count, "at least", self.count, "sentences that end with a noun")
