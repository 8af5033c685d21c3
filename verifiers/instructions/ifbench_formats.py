"""IFBench: lists and their marks, nested brackets and quotes, lines, templates, emoji, title case."""

from __future__ import annotations

import itertools
import re
import string
from functools import lru_cache
from typing import Any

from ..language.english_words import MINOR_WORDS
from ..runtime.packages import require
from .counted_texts import NO_SIGNS, SIGNS, Text, plain_words, punkt_sentences
from .kinds import KINDS, REQUIRED, Kind, Outcome, absent, counted, exactly, kind
from .whole_texts import first_of

LEVELS = 5
"""Levels of nested brackets."""
QUOTE_LEVELS = 3
TEMPLATE = ("My Answer:", "My Conclusion:", "Future Outlook:")
_LETTERED = re.compile(r"\W{0,9}[aA]\W{0,9}[bB]\W{0,9}[cC]")
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
@kind("format:emoji")
class EmojiEnds(Kind):
    """An emoji stands at the end of every sentence, before its stop or after it.

    The official counting asks Punkt for sentences, and takes an emoji that begins the next one.
    """

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        if text.official:
            return _official_emoji([" ".join(plain_words(each)) for each in text.sentence_texts])
        ends = _marked_sentences(text.text)
        other = next((each for each in ends if not _emoji().search(each[-24:].rstrip(_CLOSERS))), None)
        said = f"{len(ends)} sentences" if other is None else f"no emoji after {other[-40:]!r}"
        return Outcome(bool(ends) and other is None, said)


def _official_emoji(sentences: list[str]) -> Outcome:
    """Check that each sentence has an emoji in its last two characters, or the next one begins with one."""
    for place, sentence in enumerate(sentences):
        after = sentences[place + 1][:1] if place + 1 < len(sentences) else ""
        if not sentence or not any(_one_emoji().fullmatch(each) for each in (*sentence[-2:], after)):
            return Outcome(False, f"no emoji after {sentence[-40:]!r}")
    return Outcome(True, f"{len(sentences)} sentences")


@lru_cache(maxsize=1)
def _one_emoji() -> Any:
    return require("regex").compile(r"[\p{Extended_Pictographic}\p{Emoji_Modifier}]")


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
    """Return the number of characters that an emoji at the beginning takes."""
    for place, letter in enumerate(part[:24]):
        if letter.isalnum() or letter in "\"'“(*_":
            return place
    return min(len(part), 24)


@KINDS.register
@kind("format:line_indent")
class IndentedLines(Kind):
    """Each line is indented further than the one before.

    The official counting is content with one line; two blank lines in a row are a line for it, and tabs are
    no indentation.
    """

    def judge(self, text: Text) -> Outcome:
        lines = [line for line in text.lines if line.strip()]
        if text.official:
            lines = [
                line
                for line, after in itertools.pairwise((*text.lines, "-"))
                if line.strip() or not after.strip()
            ]
        else:
            lines = [line.expandtabs(4) for line in lines]
        indents = [len(line) - len(line.lstrip(" ")) for line in lines]
        good = all(before < after for before, after in itertools.pairwise(indents))
        return Outcome(
            good and (text.official or len(lines) > 1), f"indented by {', '.join(map(str, indents[:20]))}"
        )


@KINDS.register
@kind("format:list")
class SeparatorList(Kind):
    """The response is a list whose items begin with a given mark.

    Args:
        sep: The mark.
    """

    sep: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        mark = self.sep.strip()
        items = [line for line in text.lines if line.lstrip().startswith(mark)]
        if text.official:
            return counted(text.text.count(self.sep), "at least", 2, f"marks {mark}")
        other = [line for line in text.lines if re.match(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]", line)]
        if other and not mark.startswith(("-", "*", "+", "•")):
            return Outcome(False, f"{other[0].strip()[:40]!r} has another mark")
        return counted(len(items), "at least", 2, f"items that begin with {mark}")


@KINDS.register
@kind("format:newline")
class WordsOnLines(Kind):
    """Each word stands on a line of its own.

    The official counting compares how many lines and how many words there are.
    """

    def judge(self, text: Text) -> Outcome:
        if text.official:
            # Lines of which nothing is left without their signs are none; blank ones of spaces are.
            bare = [line.translate(NO_SIGNS) for line in text.lines]
            count = sum(1 for line in "\n".join(bare).strip().split("\n") if line)
            return exactly(count, len(text.plain_words), "lines of one word")
        lines = [line.strip() for line in text.lines if line.strip()]
        other = next((line for line in lines if len(line.split()) > 1), None)
        return Outcome(
            bool(lines) and other is None, f"{len(lines)} lines" if other is None else f"{other[:40]!r}"
        )


@KINDS.register
@kind("format:no_bullets_bullets")
class SentencesThenBullets(Kind):
    """At least two sentences that end with a stop, then at least two bullet points denoted by ``*``.

    The official counting wants nothing after these, and no blank line among the sentences.
    """

    def packages(self, language: str, official: bool) -> tuple[str, ...]:
        return ("punkt",) if official else ()

    def judge(self, text: Text) -> Outcome:
        if text.official:
            return self._official(text)
        first = next((place for place, line in enumerate(text.lines) if _STAR.match(line)), None)
        if first is None:
            return Outcome(False, "no bullet point")
        before = Text("\n".join(text.lines[:first]), text.language)
        sentences = sum(each.rstrip("\"'”’)*_ ").endswith(".") for each in before.sentence_texts)
        bullets = sum(1 for line in text.lines[first:] if _STAR.match(line))
        return Outcome(
            sentences >= 2 and bullets >= 2, f"{sentences} sentences, then {bullets} bullet points"
        )

    def _official(self, text: Text) -> Outcome:
        lines = [line.strip() for line in text.lines]
        first = next((place for place, line in enumerate(lines) if line.startswith("*")), len(lines))
        before, points = lines[:first], lines[first:]
        if any(not line for line in before[:-1]) or any(not line.startswith("*") for line in points):
            return Outcome(False, "a line stands where none is expected")
        sentences = sum(len(punkt_sentences(line, text.language)) for line in before)
        return Outcome(
            sentences >= 2 and len(points) >= 2, f"{sentences} sentences, then {len(points)} bullet points"
        )


@KINDS.register
@kind("format:no_whitespace")
class NoWhitespace(Kind):
    """The response has no white space."""

    def judge(self, text: Text) -> Outcome:
        inner = Text(text.stripped) if not text.official else text
        return absent(first_of(_SPACE, inner.text), "white space")


@KINDS.register
@kind("format:options")
class OneOfOptions(Kind):
    """The response is one of some options, and nothing more.

    The official counting wants letters of choices, such as ``a)``, as they stand, white space included.

    Args:
        options: The options, as the prompt has them: ``yes/no/maybe``, ``a), b), c)``, ``yes or no``.
    """

    options: str = REQUIRED

    def unusable(self, language: str, official: bool) -> str:
        return "" if self._given(official) else "there are no options"

    def _given(self, official: bool) -> set[str]:
        marks = ("/", "or" if official else " or ", ",")
        found = next((self.options.split(sep) for sep in marks if sep in self.options), [self.options])
        return {self._read_option(each.strip(), official) for each in found} - {""}

    def _read_option(self, given: str, official: bool) -> str:
        if official:
            return given if _LETTERED.match(self.options) else given.strip(SIGNS + " ").lower()
        return given.strip().strip(".!?\"'“”*_` ").lower()

    def judge(self, text: Text) -> Outcome:
        options, answer = self._given(text.official), self._read_option(text.text, text.official)
        return Outcome(
            answer in options, f"{answer[:60]!r} is {'' if answer in options else 'none '}of the options"
        )


@KINDS.register
@kind("format:output_template")
class OutputTemplate(Kind):
    """The response fills the template My Answer: ... My Conclusion: ... Future Outlook: ..."""

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
@kind("format:parentheses")
class NestedBrackets(Kind):
    """Brackets of any kind are nested five levels deep.

    For the official counting a bracket that closes none of its kind begins everything anew, and it is
    content once one of the levels is closed.
    """

    def judge(self, text: Text) -> Outcome:
        depth = 0
        stack: list[str] = []
        for place, letter in enumerate(text.text):
            if letter in "([{":
                stack.append(letter)
            elif letter in _PAIRS and stack and stack[-1] == _PAIRS[letter]:
                # Only what is closed counts.
                depth = max(depth, len(stack))
                stack.pop()
            elif letter in _PAIRS and text.official:
                stack = []
            if depth >= LEVELS:
                return Outcome(True, f"{depth} levels", (place, place + 1))
        return Outcome(False, f"{depth} of {LEVELS} levels")


@KINDS.register
@kind("format:quote_unquote")
class ExplainedQuotes(Kind):
    """Every quotation is followed by words that are not quoted.

    The official counting wants no two quotation marks side by side, and none at the end.
    """

    def judge(self, text: Text) -> Outcome:
        if text.official:
            bare = "".join(re.sub("[“”]", '"', text.text).replace("'\"'", "").split())
            bare = bare.strip((SIGNS + string.digits).replace('"', ""))
            if '""' in bare or bare.endswith('"'):
                return Outcome(False, "a quotation mark is followed by another one, or by nothing")
            return Outcome(True, f"{bare.count(chr(34))} quotation marks, all with words behind them")
        whole = text.text
        found = list(_QUOTED.finditer(whole))
        for place, quote in enumerate(found):
            end = found[place + 1].start() if place + 1 < len(found) else len(whole)
            if not any(map(str.isalnum, whole[quote.end() : end])):
                return Outcome(False, f"nothing explains {quote.group()[:40]!r}", quote.span())
        return Outcome(text.official or bool(found), f"{len(found)} quotations")


@KINDS.register
@kind("format:quotes")
class NestedQuotes(Kind):
    """Quotations stand within quotations within quotations, with double and single marks in turn.

    For the official counting every apostrophe opens or closes one, curly marks are none, and three levels in
    all must be closed.
    """

    def judge(self, text: Text) -> Outcome:
        if text.official:
            return self._official(text)
        deepest = 0
        stack: list[str] = []
        for place, letter in enumerate(text.text):
            kind = {'"': '"', "“": '"', "”": '"', "'": "'", "‘": "'", "’": "'"}.get(letter)
            if kind is None:
                continue
            around = text.text[max(0, place - 1) : place + 2]
            if kind == "'" and len(around) == 3 and around[0].isalnum() and around[2].isalnum():
                continue  # an apostrophe
            if stack and stack[-1] == kind:
                stack.pop()
            else:
                stack.append(kind)
                deepest = max(deepest, len(stack))
        return Outcome(deepest >= QUOTE_LEVELS, f"{deepest} of {QUOTE_LEVELS} levels")

    def _official(self, text: Text) -> Outcome:
        deepest = closed = 0
        stack: list[str] = []
        for letter in text.text:
            if letter not in "\"'":
                continue
            if stack and stack[-1] == letter:
                stack.pop()
                closed = max(closed, deepest - len(stack))
            else:
                stack.append(letter)
                deepest = max(deepest, len(stack))
        return Outcome(closed >= QUOTE_LEVELS, f"{closed} of {QUOTE_LEVELS} levels are closed")


@KINDS.register
@kind("format:sub-bullets")
class SubBullets(Kind):
    """There are bullet points denoted by ``*``, each with at least one point denoted by ``-`` under it."""

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
@kind("format:thesis")
class ThesisInItalics(Kind):
    """Each section begins with a sentence in italics, which HTML marks.

    The official counting is content with one passage in italics, anywhere, after which something stands.
    """

    def judge(self, text: Text) -> Outcome:
        if text.official:
            start = next((text.text.find(tag) for tag in ("<i>", "<em>") if tag in text.text), len(text.text))
            rest = text.text[start:]
            end = next((rest.find(tag) for tag in ("</i>", "</em>") if tag in rest), 0)
            good = bool(rest[3:end].strip()) and bool(rest[end + 4 :].strip())
            return Outcome(good, "a passage in italics" if good else "no passage in italics before others")
        found = list(_ITALICS.finditer(text.text))
        if not found:
            return Outcome(False, "no passage in italics by HTML")
        headings = [place for place, line in enumerate(text.lines) if re.match(r"#{1,6} |<h\d", line.strip())]
        for place in headings:
            after = next((line.strip() for line in text.lines[place + 1 :] if line.strip()), "")
            if not re.match(r"(?:<p>\s*)?<(i|em)>", after, re.IGNORECASE):
                return Outcome(False, f"a section begins with {after[:40]!r}")
        if not headings and not re.match(r"(?:<p>\s*)?<(i|em)>", text.stripped, re.IGNORECASE):
            return Outcome(False, f"it begins with {text.stripped[:40]!r}")
        return Outcome(True, f"{len(found)} passages in italics")


@KINDS.register
@kind("format:title_case")
class TitleCase(Kind):
    """Every major word begins with a capital letter.

    The official counting wants it of every word but those in mixed case, such as iPhone.
    """

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
            lower = [word for word in text.tokens if word[0].isalpha() and word[0].islower()]
            mixed = [each for each in lower if each[1:] and not each[1:].islower() and not each[1:].isupper()]
            other = next((each for each in lower if each not in mixed), None)
            return Outcome(other is None, "each word" if other is None else f"{other[:40]!r}")
        return Outcome(any(map(str.isalpha, text.text)), f"{len(text.words)} words")
