"""The form of a response: lists, marked passages, sections, a title, placeholders, JSON, given answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ..language.instruction_words import CONSTRAINED, KOREAN_SECTION_ORDINAL, SECTION_ORDINAL
from .counted_texts import Piece, Text, is_rule, pieces
from .kinds import KINDS, REQUIRED, Kind, Outcome, counted, exactly, kind

_BULLET = re.compile(r"^[ \t]*(?:[*+\-–][ \t]+|[•‣・][ \t]*)(?=\S)", re.MULTILINE)
_STAR_LINE = re.compile(r"^[^\S\n]*+\*[^\*].*$", re.MULTILINE)
_DASH_LINE = re.compile(r"^[^\S\n]*+-.*$", re.MULTILINE)
_DOT_LINE = re.compile(r"^[^\S\n]*+・[^・].*$", re.MULTILINE)
_NUMBERED = re.compile(r"^[ \t]*\(?(\d{1,3})[.)][ \t]+(?=\S)", re.MULTILINE)
_NUMBERED_OFFICIAL = re.compile(r"^[^\S\n]*+\d+\.\s", re.MULTILINE)
_STARRED = re.compile(r"\*[^\n\*]*\*")
_TWICE_STARRED = re.compile(r"\*\*[^\n\*]*\*\*")
_EMPHASIS = re.compile(r"(?<![\\*\w])(\*{1,3})(?=[^\s*])([^*\n]{0,2000}?[^\s*])\1(?![*A-Za-z0-9])")
_ANGLED = re.compile("《([^《》\n]{1,2000})》")
_NUMERAL = r"(?:\d{1,3}|[IVXLC]{1,7}|[A-Z])"
_TITLES = {"fr": ("##", "##"), "ja": ("『", "』"), "ko": ("<<", ">>")}
MAX_JSON_CHARS = 200_000
"""Longest text that is read as JSON."""


@KINDS.register
@kind("detectable_format:number_bullet_lists")
class BulletList(Kind):
    """The response has so many bullet points.

    The official counting takes every line that begins with a dash (a divider, a negative number) and no line
    that begins with bold text.

    Args:
        num_bullets: Number of bullets.
        relation: Comparison with their count.
    """

    num_bullets: int = REQUIRED
    relation: str = "exactly"

    def judge(self, text: Text) -> Outcome:
        if not text.official:
            found = [
                each for each in pieces(_BULLET, text.text) if not is_rule(_line_at(text.text, each.start))
            ]
            first = (found[0].start, found[0].end) if found else None
            return counted(len(found), self.relation, self.num_bullets, "bullet points", first)
        if text.language == "ja":
            return exactly(_lines_like(text, _DOT_LINE), self.num_bullets, "bullet points")
        count = _lines_like(text, _STAR_LINE) + _lines_like(text, _DASH_LINE)
        return exactly(count, self.num_bullets, "bullet points")


def _lines_like(text: Text, pattern: re.Pattern[str]) -> int:
    return sum(1 for _ in pattern.finditer(text.text))


def _line_at(text: str, start: int) -> str:
    start = text.find("\n", start) if text[start : start + 1] == "\n" else start
    end = text.find("\n", max(start, 0))
    return text[max(start, 0) : end if end >= 0 else len(text)]


@KINDS.register
@kind("detectable_format:number_numbered_lists")
class NumberedList(Kind):
    """The response has so many numbered items.

    Args:
        num_items: Number of items.
        relation: Comparison with their count.
    """

    num_items: int = REQUIRED
    relation: str = "exactly"

    def judge(self, text: Text) -> Outcome:
        pattern = _NUMBERED_OFFICIAL if text.official else _NUMBERED
        return counted(len(pattern.findall(text.text)), self.relation, self.num_items, "numbered items")


@KINDS.register
@kind("detectable_format:constrained_response")
class ConstrainedResponse(Kind):
    """The response is one of a few given answers: "My answer is yes." and its sisters in each language.

    The official counting is content if one of them stands anywhere.

    Args:
        options: Other answers than those.
    """

    options: tuple[str, ...] = ()

    def judge(self, text: Text) -> Outcome:
        options = self.options or CONSTRAINED.get(text.language, CONSTRAINED["en"])
        held = [each for each in options if each in text.stripped]
        if text.official:
            return Outcome(bool(held), f"{len(held)} of the given answers stand in it")
        answer = text.stripped.strip("*_`\"'“” \n")
        return Outcome(
            answer in options, f"{answer[:60]!r} is {'' if answer in options else 'none '}of the answers"
        )


@KINDS.register
@kind("detectable_format:number_highlighted_sections")
class HighlightedSections(Kind):
    """The response has at least so many highlighted passages: ``*so*`` in Markdown, 《so》 in Japanese.

    The official counting takes what stands between any two stars, such as those of two items of a list on
    one line, and bold text as two.

    Args:
        num_highlights: Number of highlights.
        relation: Comparison with their count.
    """

    num_highlights: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        if text.language == "ja":
            found = pieces(_ANGLED, text.text)
        elif text.official:
            stars = [each for each in _STARRED.findall(text.text) if each.strip("*").strip()]
            bold = [each for each in _TWICE_STARRED.findall(text.text) if each[2:-2].strip()]
            return counted(len(stars) + len(bold), self.relation, self.num_highlights, "highlighted passages")
        else:
            found = pieces(_EMPHASIS, text.text)
        first = (found[0].start, found[0].end) if found else None
        return counted(len(found), self.relation, self.num_highlights, "highlighted passages", first)


@KINDS.register
@kind("detectable_format:multiple_sections")
class MultipleSections(Kind):
    """The response has so many sections, each of which begins with a word and its number: Section 1.

    The official counting takes the word with a number anywhere, and more sections than were asked for.

    Args:
        section_spliter: The word, as the sets spell the parameter.
        num_sections: Number of sections.
        relation: Comparison with their count; by default, the right counting asks for exactly that many.
    """

    section_spliter: str = REQUIRED
    num_sections: int = REQUIRED
    relation: str = ""

    def judge(self, text: Text) -> Outcome:
        word = re.escape(self.section_spliter.strip())
        if text.official:
            pattern = rf"\s?{word}\s?\d+\s?"
            if text.language == "ja":
                pattern = rf"{SECTION_ORDINAL}[^\s{SECTION_ORDINAL}]{{1,4}}{word}"
            count = len(re.findall(pattern, text.text))
            return counted(count, "at least", self.num_sections, "sections")
        named = [rf"{word}[ \t:]?[ \t]?{_NUMERAL}"]
        if text.language == "ja":
            named.append(rf"{SECTION_ORDINAL}[ \t]?[^\s{SECTION_ORDINAL}]{{1,4}}?[ \t]?{word}")
        if text.language == "ko":
            named.append(rf"{KOREAN_SECTION_ORDINAL}?[ \t]?{_NUMERAL}[ \t]?{word}")
        marks = rf"^[ \t]*[#*_>\-【\[(《\"“]*[ \t]*(?:{'|'.join(named)})(?![^\W_])"
        found = [
            Piece(each.group(), *each.span())
            for each in re.finditer(marks, text.text, re.MULTILINE | re.IGNORECASE)
        ]
        first = (found[0].start, found[0].end) if found else None
        return counted(len(found), self.relation or "exactly", self.num_sections, "sections", first)


@KINDS.register
@kind("detectable_format:title")
class Title(Kind):
    """The response has a title in double angular brackets, in ``##`` in French, in 『』 in Japanese."""

    def judge(self, text: Text) -> Outcome:
        left, right = _TITLES.get(text.language, ("<<", ">>"))
        place = 0
        for line in text.lines:
            start, end = line.find(left), line.rfind(right)
            inner = line[start : end + len(right)].strip(left[0] + right[0]).strip()
            if start >= 0 and start + len(left) <= end and inner:
                span = (place + start, place + end + len(right))
                return Outcome(True, f"the title {inner[:60]!r}", span)
            place += len(line) + 1
        return Outcome(False, f"no title in {left} {right}")


@KINDS.register
@kind("detectable_content:number_placeholders")
class Placeholders(Kind):
    """The response has at least so many placeholders in square brackets, such as [address].

    The official counting takes any brackets: ``[]``, the text of a link, a box to tick, the number of a
    source.

    Args:
        num_placeholders: Number of placeholders.
        relation: Comparison with their count.
    """

    num_placeholders: int = REQUIRED
    relation: str = "at least"

    def judge(self, text: Text) -> Outcome:
        found = [each for each in bracketed(text) if text.official or _is_placeholder(each, text.text)]
        first = (found[0].start, found[0].end) if found else None
        return counted(len(found), self.relation, self.num_placeholders, "placeholders", first)


def bracketed(text: Text) -> Iterator[Piece]:
    """Yield the texts in square brackets on one line, from left to right."""
    place = 0
    for line in text.lines:
        at = 0
        while (start := line.find("[", at)) >= 0 and (end := line.find("]", start)) >= 0:
            yield Piece(line[start : end + 1], place + start, place + end + 1)
            at = end + 1
        place += len(line) + 1


def _is_placeholder(piece: Piece, text: str) -> bool:
    inner = piece.text[1:-1].strip()
    is_link = text[piece.end : piece.end + 1] in ("(", "[") and bool(text[piece.end : piece.end + 1])
    return any(map(str.isalpha, inner)) and inner not in ("x", "X") and not is_link


@KINDS.register
@kind("detectable_content:postscript")
class Postscript(Kind):
    """The response has a postscript, which begins with a given mark such as P.S.

    The official counting takes the mark anywhere, within a word too.

    Args:
        postscript_marker: The mark.
    """

    postscript_marker: str = REQUIRED

    def judge(self, text: Text) -> Outcome:
        mark = self.postscript_marker.strip()
        # The dots of P.S. and P.P.S may have spaces behind them.
        spaced = re.sub(r"(?<=\\\.)(?=\w)", r"\\s?", re.escape(mark.lower()))
        if text.official:
            official = {"p.p.s": r"p\.\s?p\.\s?s", "p.s.": r"p\.\s?s\."}
            found = re.search(official.get(mark.lower(), re.escape(mark.lower())), text.lower)
            return Outcome(found is not None, f"{mark!r} {'stands in it' if found else 'is missing'}")
        found = re.search(rf"^[ \t]*[*_>\-(]*{spaced}", text.text, re.MULTILINE | re.IGNORECASE)
        if found is None or not any(map(str.isalnum, text.text[found.end() :])):
            return Outcome(False, f"no line begins with {mark!r} and goes on")
        return Outcome(True, f"{mark!r} begins a line", found.span())


@KINDS.register
@kind("detectable_format:json_format")
class JsonFormat(Kind):
    """The whole response is JSON; a fence around it counts for nothing."""

    def judge(self, text: Text) -> Outcome:
        body = text.stripped
        for mark in ("```json", "```Json", "```JSON", "```"):
            body = body.removeprefix(mark)
        body = body.removesuffix("```").strip()
        if len(body) > MAX_JSON_CHARS:
            return Outcome(False, f"longer than {MAX_JSON_CHARS:,} characters")
        try:
            value = json.loads(body)
        except RecursionError:
            return Outcome(False, "the JSON is nested too deeply")
        except ValueError as problem:
            return Outcome(False, f"not JSON: {problem}"[:200])
        if not text.official and not isinstance(value, dict | list):
            # A number or a word alone is JSON, and is nobody's JSON output.
            return Outcome(False, f"a lone {type(value).__name__} is no object and no list")
        return Outcome(True, "JSON")
