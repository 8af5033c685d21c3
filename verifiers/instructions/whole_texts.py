"""How a response begins and ends, what it repeats, and signs that stand nowhere in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from ..language.instruction_words import JAPANESE_COMMA, JAPANESE_STOP
from .kinds import KINDS, REQUIRED, Kind, Outcome, absent
from .lengths import first_of
from .texts import Text, split_at

_SIX_STARS = re.compile(r"\*{6}")
_QUOTES = {"fr": ('"«', '"»'), "ja": ("「", "」")}
_MORE_QUOTES = '"“”«»„'
_COMMAS = re.compile("[,\uff0c\u3001\u060c\uff64]")


@KINDS.register
@dataclass(frozen=True, repr=False)
class RepeatPrompt(Kind):
    """The response first repeats the request, word for word, and then answers it.

    The official counting ignores case and is content with the repetition alone.

    Args:
        prompt_to_repeat: The request.
    """

    ids: ClassVar[tuple[str, ...]] = ("combination:repeat_prompt",)
    prompt_to_repeat: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        wanted = self.prompt_to_repeat.strip()
        if text.official:
            # The Japanese grader minds the case.
            fold = str if text.language == "ja" else str.lower
            repeated = fold(text.stripped).startswith(fold(wanted))
            return Outcome(
                repeated, "the request is repeated" if repeated else "it does not begin with the request"
            )
        words, said = wanted.split(), text.text.split()
        lead = said[0].lstrip("\"'“*_>") if said else ""
        same = [lead, *said[1 : len(words)]]
        if len(same) != len(words) or [*same[:-1], same[-1][: len(words[-1])]] != words:
            wrong = next(
                (place for place, (a, b) in enumerate(zip(same, words, strict=False)) if a != b), len(same)
            )
            return Outcome(False, f"it departs from the request at its word {wrong + 1}")
        rest = text.text.split(maxsplit=len(words))[len(words) :]
        if not any(map(str.isalnum, "".join(rest))):
            return Outcome(False, "the request is repeated and nothing follows")
        return Outcome(True, "the request is repeated and an answer follows")


@KINDS.register
@dataclass(frozen=True, repr=False)
class TwoResponses(Kind):
    """Two different responses, parted by six asterisks."""

    ids: ClassVar[tuple[str, ...]] = ("combination:two_responses",)

    def judge(self, text: Text) -> Outcome:
        found = split_at(_SIX_STARS, text.text)
        filled = [each.text.strip() for each in found if each.text.strip()]
        if any(not each.text.strip() for each in found[1:-1]):
            return Outcome(False, "nothing stands between two separators")
        if len(filled) != 2:
            return Outcome(False, f"{len(filled)} of 2 responses")
        first, second = filled
        if not text.official:
            first, second = " ".join(first.split()).lower(), " ".join(second.split()).lower()
        return Outcome(first != second, "2 responses" if first != second else "both responses are the same")


@KINDS.register
@dataclass(frozen=True, repr=False)
class EndPhrase(Kind):
    """The response ends with a given phrase, and with nothing after it.

    Args:
        end_phrase: The phrase.
    """

    ids: ClassVar[tuple[str, ...]] = ("startend:end_checker",)
    end_phrase: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        end, wanted = text.stripped.strip('"').lower(), self.end_phrase.strip().lower()
        if text.official and text.language == "ja":
            end, wanted = text.stripped.strip("\u300d\u300f"), self.end_phrase.strip().strip("\u300d\u300f")
        elif text.official and text.language == "es":
            end, wanted = end.rstrip("."), wanted.rstrip(".")
        elif not text.official:
            end = text.stripped.strip("\"'“”*_` \n").lower()
            # A stop that closes the sentence is no further word.
            end = end if wanted[-1:] in ".!?" else end.rstrip(".")
        good = end.endswith(wanted)
        if good and not text.official and wanted[0].isalnum() and end[: -len(wanted)][-1:].isalnum():
            good = ord(wanted[0]) >= 0x0E00
        return Outcome(good, f"it ends with {text.stripped[-60:]!r}")


@KINDS.register
@dataclass(frozen=True, repr=False)
class Quotation(Kind):
    """The whole response stands in quotation marks: double ones, 「」 in Japanese.

    The official counting takes straight ones only, and guillemets in French.
    """

    ids: ClassVar[tuple[str, ...]] = ("startend:quotation",)

    def judge(self, text: Text) -> Outcome:
        left, right = _QUOTES.get(text.language, ('"', '"'))
        if not text.official and text.language != "ja":
            left = right = _MORE_QUOTES
        body = text.stripped
        good = len(body) > 1 and body[0] in left and body[-1] in right
        if good and not text.official and not body[1:-1].strip():
            return Outcome(False, "nothing stands in the quotation marks")
        return Outcome(good, f"it begins with {body[:1]!r} and ends with {body[-1:]!r}")


@KINDS.register
@dataclass(frozen=True, repr=False)
class NoComma(Kind):
    """The response has no comma.

    The official counting knows the ASCII comma, and in Japanese the ideographic one.
    """

    ids: ClassVar[tuple[str, ...]] = ("punctuation:no_comma",)

    def judge(self, text: Text) -> Outcome:
        if text.official:
            pattern = re.compile(JAPANESE_COMMA if text.language == "ja" else ",")
            return absent(first_of(pattern, text.text), "comma")
        return absent(first_of(_COMMAS, text.text), "comma")


@KINDS.register
@dataclass(frozen=True, repr=False)
class NoPeriod(Kind):
    """The response has no ideographic full stop."""

    ids: ClassVar[tuple[str, ...]] = ("punctuation:no_period",)

    def judge(self, text: Text) -> Outcome:
        pattern = JAPANESE_STOP if text.official else f"[{JAPANESE_STOP}\uff61]"
        return absent(first_of(re.compile(pattern), text.text), "full stop")
