"""IFBench: lists and their marks, nested brackets and quotes, lines, templates, emoji, title case."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from ..language.english_words import MINOR_WORDS
from ..runtime.packages import require
from .kinds import KINDS, REQUIRED, Kind, Outcome, absent, counted
from .lengths import first_of
from .texts import Text

LEVELS = 5
"""Levels of nested brackets."""
QUOTE_LEVELS = 3
TEMPLATE = ("My Answer:", "My Conclusion:", "Future Outlook:")
_SPACE = re.compile(r"\s")
_PAIRS = {")": "(", "]": "[", "}": "{"}
_QUOTED = re.compile(r"[\"“][^\"“”\n]{1,500}[\"”]")
_ITALICS = re.compile(r"<(i|em)>\s*\S[^<]{0,2000}</\1>", re.IGNORECASE)
_STAR = re.compile(r"^[ \t]*\*[ \t]?(?!\*)(?=\S)", re.MULTILINE)
_CLOSERS = "\"'”’)*_.!?…:; \n\ufe0f"


@lru_cache(maxsize=1)
def _emoji() -> Any:
    return require("regex").compile(
        r"(?:\p{Extended_Pictographic}|\p{Emoji_Presentation}|\p{Regional_Indicator})"
        r"(?:\ufe0f|\p{Emoji_Modifier}|\u200d|\p{Extended_Pictographic}|\p{Regional_Indicator})*$"
    )


@KINDS.register
@dataclass(frozen=True, repr=False)
class EmojiEnds(Kind):
    """An emoji stands at the end of every sentence, before its stop or after it."""

    ids: ClassVar[tuple[str, ...]] = ("format:emoji",)

    def judge(self, text: Text) -> Outcome:
        ends = _marked_sentences(text.text)
        other = next((each for each in ends if not _emoji().search(each[-24:].rstrip(_CLOSERS))), None)
        said = f"{len(ends)} sentences" if other is None else f"no emoji after {other[-40:]!r}"
        return Outcome(bool(ends) and other is None, said)


def _marked_sentences(text: str) -> list[str]:
    """Sentences with the emoji that follow their stops."""
    found: list[str] = []
    for line in text.split("\n"):
        for part in re.split(r"(?<=[.!?])[ \t]+", line.strip()):
            if found and part and not any(map(str.isalnum, part)):
                found[-1] += " " + part
            elif part and (lead := _leading_emoji(part)) and found and found[-1][-1:] in ".!?":
                found[-1] += " " + part[:lead].strip()
                found += [part[lead:].strip()] if part[lead:].strip() else []
            elif part:
                found.append(part)
    return [each for each in found if any(map(str.isalnum, each))]


def _leading_emoji(part: str) -> int:
    """How many characters an emoji at the beginning takes."""
    for place, letter in enumerate(part[:24]):
        if letter.isalnum() or letter in "\"'“(*_":
            return place
    return min(len(part), 24)


@KINDS.register
@dataclass(frozen=True, repr=False)
class IndentedLines(Kind):
    """Each line is indented further than the one before.

    The official counting is content with one line.
    """

    ids: ClassVar[tuple[str, ...]] = ("format:line_indent",)

    def judge(self, text: Text) -> Outcome:
        lines = [line for line in text.lines if line.strip()]
        indents = [len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip(" ")) for line in lines]
        good = all(before < after for before, after in itertools.pairwise(indents))
        return Outcome(
            good and (text.official or len(lines) > 1), f"indented by {', '.join(map(str, indents[:20]))}"
        )


@KINDS.register
@dataclass(frozen=True, repr=False)
class SeparatorList(Kind):
    """The response is a list whose items begin with a given mark.

    Args:
        sep: The mark.
    """

    ids: ClassVar[tuple[str, ...]] = ("format:list",)
    sep: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        mark = self.sep.strip()
        items = [line for line in text.lines if line.lstrip().startswith(mark)]
        if text.official:
            count = len(re.findall(re.escape(mark), text.text))
            return counted(count, "at least", 2, f"marks {mark}")
        other = [line for line in text.lines if re.match(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]", line)]
        if other and not mark.startswith(("-", "*", "+", "•")):
            return Outcome(False, f"{other[0].strip()[:40]!r} has another mark")
        return counted(len(items), "at least", 2, f"items that begin with {mark}")


@KINDS.register
@dataclass(frozen=True, repr=False)
class WordsOnLines(Kind):
    """Each word stands on a line of its own."""

    ids: ClassVar[tuple[str, ...]] = ("format:newline",)

    def judge(self, text: Text) -> Outcome:
        lines = [line.strip() for line in text.lines if line.strip()]
        other = next((line for line in lines if len(line.split()) > 1), None)
        return Outcome(
            bool(lines) and other is None, f"{len(lines)} lines" if other is None else f"{other[:40]!r}"
        )


@KINDS.register
@dataclass(frozen=True, repr=False)
class SentencesThenBullets(Kind):
    """At least two sentences that end with a stop, then at least two bullet points denoted by ``*``.

    The official counting wants nothing after these.
    """

    ids: ClassVar[tuple[str, ...]] = ("format:no_bullets_bullets",)

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        first = next((place for place, line in enumerate(text.lines) if _STAR.match(line)), None)
        if first is None:
            return Outcome(False, "no bullet point")
        before = Text("\n".join(text.lines[:first]), text.language, official=text.official)
        sentences = sum(each.rstrip("\"'”’)*_ ").endswith(".") for each in before.sentence_texts)
        bullets = sum(1 for line in text.lines[first:] if _STAR.match(line))
        if text.official and any(line.strip() and not _STAR.match(line) for line in text.lines[first:]):
            return Outcome(False, "something follows the bullet points")
        return Outcome(
            sentences >= 2 and bullets >= 2, f"{sentences} sentences, then {bullets} bullet points"
        )


@KINDS.register
@dataclass(frozen=True, repr=False)
class NoWhitespace(Kind):
    """The response has no white space."""

    ids: ClassVar[tuple[str, ...]] = ("format:no_whitespace",)

    def judge(self, text: Text) -> Outcome:
        inner = Text(text.stripped) if not text.official else text
        return absent(first_of(_SPACE, inner.text), "white space")


@KINDS.register
@dataclass(frozen=True, repr=False)
class OneOfOptions(Kind):
    """The response is one of some options, and nothing more.

    Args:
        options: The options, as the prompt has them: ``yes/no/maybe``, ``a), b), c)``, ``yes or no``.
    """

    ids: ClassVar[tuple[str, ...]] = ("format:options",)
    options: str = REQUIRED

    def unusable(self, language: str, official: bool) -> str:
        return "" if self._given(official) else "there are no options"

    def _given(self, official: bool) -> set[str]:
        found = next(
            (self.options.split(sep) for sep in ("/", " or ", ",") if sep in self.options), [self.options]
        )
        return {(_stripped if official else _option)(each) for each in found} - {""}

    def judge(self, text: Text) -> Outcome:
        options, plain = self._given(text.official), _stripped if text.official else _option
        answer = plain(text.text)
        return Outcome(
            answer in options, f"{answer[:60]!r} is {'' if answer in options else 'none '}of the options"
        )


def _stripped(text: str) -> str:
    return text.strip().lower()


def _option(text: str) -> str:
    return text.strip().strip(".!?\"'“”*_` ").lower()


@KINDS.register
@dataclass(frozen=True, repr=False)
class OutputTemplate(Kind):
    """The response fills the template My Answer: ... My Conclusion: ... Future Outlook: ..."""

    ids: ClassVar[tuple[str, ...]] = ("format:output_template",)

    def judge(self, text: Text) -> Outcome:
        places = [text.text.find(each) for each in TEMPLATE]
        if text.official:
            return Outcome(
                min(places) >= 0, "all of the template" if min(places) >= 0 else "a part is missing"
            )
        if min(places) < 0 or places != sorted(places):
            return Outcome(False, "a part of the template is missing, or comes too early")
        ends = [*places[1:], len(text.text)]
        filled = [
            text.text[start + len(mark) : end]
            for start, mark, end in zip(places, TEMPLATE, ends, strict=True)
        ]
        empty = next(
            (mark for mark, part in zip(TEMPLATE, filled, strict=True) if not any(map(str.isalnum, part))),
            None,
        )
        return Outcome(empty is None, "all of the template" if empty is None else f"nothing follows {empty}")


@KINDS.register
@dataclass(frozen=True, repr=False)
class NestedBrackets(Kind):
    """Brackets of any kind are nested five levels deep."""

    ids: ClassVar[tuple[str, ...]] = ("format:parentheses",)

    def judge(self, text: Text) -> Outcome:
        depth = 0
        stack: list[str] = []
        for place, letter in enumerate(text.text):
            if letter in "([{":
                stack.append(letter)
            elif letter in _PAIRS and stack and stack[-1] == _PAIRS[letter]:
                if not text.official:
                    # Only what is closed counts.
                    depth = max(depth, len(stack))
                stack.pop()
            if text.official:
                depth = max(depth, len(stack))
            if depth >= LEVELS:
                return Outcome(True, f"{depth} levels", (place, place + 1))
        return Outcome(False, f"{depth} of {LEVELS} levels")


@KINDS.register
@dataclass(frozen=True, repr=False)
class ExplainedQuotes(Kind):
    """Every quotation is followed by words that are not quoted."""

    ids: ClassVar[tuple[str, ...]] = ("format:quote_unquote",)

    def judge(self, text: Text) -> Outcome:
        whole = text.text
        found = list(_QUOTED.finditer(whole))
        for place, quote in enumerate(found):
            end = found[place + 1].start() if place + 1 < len(found) else len(whole)
            if not any(map(str.isalnum, whole[quote.end() : end])):
                return Outcome(False, f"nothing explains {quote.group()[:40]!r}", quote.span())
        return Outcome(text.official or bool(found), f"{len(found)} quotations")


@KINDS.register
@dataclass(frozen=True, repr=False)
class NestedQuotes(Kind):
    """Quotations stand within quotations within quotations, with double and single marks in turn."""

    ids: ClassVar[tuple[str, ...]] = ("format:quotes",)

    def judge(self, text: Text) -> Outcome:
        deepest = 0
        stack: list[str] = []
        for place, letter in enumerate(text.text):
            kind = {'"': '"', "“": '"', "”": '"', "'": "'", "‘": "'", "’": "'"}.get(letter)
            if kind is None:
                continue
            around = text.text[max(0, place - 1) : place + 2]
            if (
                kind == "'"
                and not text.official
                and len(around) == 3
                and around[0].isalnum()
                and around[2].isalnum()
            ):
                continue  # an apostrophe
            if stack and stack[-1] == kind:
                stack.pop()
            else:
                stack.append(kind)
                deepest = max(deepest, len(stack))
        return Outcome(deepest >= QUOTE_LEVELS, f"{deepest} of {QUOTE_LEVELS} levels")


@KINDS.register
@dataclass(frozen=True, repr=False)
class SubBullets(Kind):
    """There are bullet points denoted by ``*``, each with at least one point denoted by ``-`` under it."""

    ids: ClassVar[tuple[str, ...]] = ("format:sub-bullets",)

    def judge(self, text: Text) -> Outcome:
        if text.official:
            parts = text.text.split("*")
            # The official counting wants a dash after each star, whatever the star stands for.
            other = next((part for part in parts[1:] if "-" not in part), None)
            return Outcome(other is None, f"{len(parts) - 1} stars")
        under: list[int] = []
        for line in text.lines:
            if _STAR.match(line) or re.match(r"[ \t]*\*[ \t]+\*\*", line):
                under.append(0)
            elif under and re.match(r"[ \t]*-[ \t]+\S", line):
                under[-1] += 1
        said = f"{len(under)} bullet points with {', '.join(map(str, under[:20]))} under them"
        return Outcome(bool(under) and all(under), said)


@KINDS.register
@dataclass(frozen=True, repr=False)
class ThesisInItalics(Kind):
    """Each section begins with a sentence in italics, which HTML marks."""

    ids: ClassVar[tuple[str, ...]] = ("format:thesis",)

    def judge(self, text: Text) -> Outcome:
        found = list(_ITALICS.finditer(text.text))
        if not found:
            return Outcome(False, "no passage in italics by HTML")
        if text.official:
            return Outcome(True, f"{len(found)} passages in italics")
        headings = [place for place, line in enumerate(text.lines) if re.match(r"#{1,6} |<h\d", line.strip())]
        for place in headings:
            after = next((line.strip() for line in text.lines[place + 1 :] if line.strip()), "")
            if not re.match(r"(?:<p>\s*)?<(i|em)>", after, re.IGNORECASE):
                return Outcome(False, f"a section begins with {after[:40]!r}")
        if not headings and not re.match(r"(?:<p>\s*)?<(i|em)>", text.stripped, re.IGNORECASE):
            return Outcome(False, f"it begins with {text.stripped[:40]!r}")
        return Outcome(True, f"{len(found)} passages in italics")


@KINDS.register
@dataclass(frozen=True, repr=False)
class TitleCase(Kind):
    """Every major word begins with a capital letter.

    The official counting wants it of every word.
    """

    ids: ClassVar[tuple[str, ...]] = ("format:title_case",)

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt", "nltk") if official else ()

    def judge(self, text: Text) -> Outcome:
        for word in text.words if not text.official else []:
            small = word.text[0].islower() and word.text[0].isalpha()
            if small and word.text.lower() not in MINOR_WORDS:
                return Outcome(
                    False, f"{word.text[:40]!r} begins with a small letter", (word.start, word.end)
                )
        if text.official:
            words = [word for word in text.tokens if word[0].isalpha()]
            other = next((word for word in words if word[0].islower()), None)
            return Outcome(bool(words) and other is None, "each word" if other is None else f"{other[:40]!r}")
        return Outcome(any(map(str.isalpha, text.text)), f"{len(text.words)} words")
