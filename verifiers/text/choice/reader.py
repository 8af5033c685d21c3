"""Where a text chooses an option: behind a mark, in a sentence about a label, as a line of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from ...language.stance import stance
from . import patterns
from .judging import Said, judged
from .labels import Group, group_at
from .lists import follows_label, is_copied
from .options import NO_OPTIONS, Options

HEAD = 4_000
"""Characters at the beginning of a text in which a choice is looked for."""
TAIL = 40_000
"""The same at its end. What stands between them is working."""
_LONGEST_SENTENCE = 300
_MOST = 120
"""Marks, and groups of labels, that are looked at from the end; a text of nothing else chooses nothing."""
_STOP = re.compile(r"[.!?](?=[\s\"'”’)]|\Z)|[。！？;；\n]")
_OPENING = re.compile(r"[\s:=→>]*[\"'“‘「『(\[]?")
_QUOTE = re.compile(r"[\"“”「」『』]|(?<![A-Za-z])['‘]|['’](?![A-Za-z])")
_CLOSING = re.compile(r"[\"'”’」』)\]]{0,2}")
_LEADING = re.compile(r"[\s>:#•\-–]*")
_BLANK = re.compile(r"\s*")
_LINE_ENDS = re.compile(r"\s?(?:[(\[][^()\[\]\n]{1,30}[)\]])?[\s.!。)]*\Z")

Strength = Literal["mark", "said", "noun", "refused"]


class Chosen(NamedTuple):
    """What a place in a text says.

    Args:
        start: Where it begins.
        group: The labels; None where the place is marked as the answer and names no label.
        strength: "mark": as the answer, or as what is chosen. "said": in a sentence without such a word, or
            as an option that is put first. "noun": as what something is. "refused": as the answer, and
            denied, doubted or asked about.
        end: Where what a mark marks ends, if it names no label.
    """

    start: int
    group: Group | None
    strength: Strength = "mark"
    end: int = 0


def chosen(text: str, options: Options = NO_OPTIONS) -> Chosen | None:
    """What a text chooses; None where it chooses nothing.

    The last mark decides ("Answer: 3", "the answer is (C)", "I choose D", "B is the correct answer");
    without one an option that is put first, and without that the last sentence that says which one it is.

    Args:
        text: A text without its setting, as `view_of` gives it.
        options: What the question offers, where it is known.
    """
    return _Reader(text, options).chosen()


def answered(text: str, options: Options = NO_OPTIONS) -> Chosen | None:
    """What an answer by itself says: a label and what is said of it, or a sentence as `chosen` reads it."""
    reader = _Reader(text, options)
    found = reader.behind(0, titled=True, scan=True)
    return found if found and found.group else reader.chosen()


class _Reader(NamedTuple):
    text: str
    options: Options

    def chosen(self) -> Chosen | None:
        length = len(self.text)
        stretches = [(0, length)] if length <= HEAD + TAIL else [(0, HEAD), (length - TAIL, length)]
        sentences = [each for low, high in stretches for each in self.sentences(low, high)]
        strong = [each for low, high in stretches for each in self.marks(low, high)]
        strong += [each for each in sentences if each.strength == "mark"]
        strong += self.last_line()
        if held := [each for each in strong if each.strength == "mark"]:
            return max(held, key=lambda each: each.start)
        if first := self.first_line():
            return first
        for strength in ("said", "noun"):
            weak = [each for each in sentences if each.strength == strength and self.concludes(each.start)]
            if weak:
                return None if patterns.UNKNOWN.search(self.text, weak[-1].start) else weak[-1]
        return strong[-1] if strong else None

    # Marks ------------------------------------------------------------------------------------

    def marks(self, low: int, high: int) -> Iterator[Chosen]:
        """What stands behind the marks of a stretch, as far as it is a choice, or a title that names none."""
        for mark in list(patterns.MARK.finditer(self.text, low, high))[-_MOST:]:
            before = self.text[self.sentence_start(mark.start()) : mark.start()]
            if patterns.HYPOTHETICAL.search(before):
                continue
            if mark["choose"] and patterns.NOT_CHOSEN.search(before):
                continue
            found = self.behind(mark.end(), titled=mark["title"] is not None, scan=not mark["choose"])
            if found is not None:
                yield found

    def group_at(self, place: int) -> Group | None:
        """The labels, or the option by its own text, that a place begins with, past an opening quote."""
        group = None
        for at in (place, _skip(_OPENING, self.text, place)):
            group = group_at(self.text, at)
            if group is None or not self.options.allows(group):
                group = self.options.text_at(self.text, at)
            if group is not None:
                break
        return group

    def behind(self, start: int, *, titled: bool, scan: bool) -> Chosen | None:
        """What follows a mark.

        Args:
            start: Where the mark ends.
            titled: Whether it is a title, which any text may follow, and which decides without a label, too.
            scan: Whether the rest of the sentence may name the label.
        """
        text, at = self.text, start
        if points := patterns.POINTS_ON.match(text, at):
            at, titled = points.end(), True
        at = _skip(_BLANK, text, at) if titled else at
        nothing = self.no_label(at) if titled else None
        at = _skip(patterns.BEFORE, text, at)
        if hedge := patterns.EITHER.match(text, at):
            group = self.group_at(hedge.end())
            return Chosen(start, group._replace(offered=True)) if group else nothing
        if denied := patterns.PRE_NOT.match(text, at):
            wrong = self.group_at(denied.end())
            but = patterns.BUT.match(text, wrong.end) if wrong else None
            if but is None:
                return nothing
            at = but.end()
        group = self.group_at(at)
        if group is None:
            return (self.later(at) if scan else None) or nothing
        found = judged(text, group, titled=titled)
        if found.verdict in ("chosen", "bare"):
            return Chosen(start, group._replace(offered=is_copied(text, group)))
        if found.verdict == "offered":
            return Chosen(start, group._replace(offered=True))
        refused = self.no_label(group.start)
        return (
            (self.later(group.end, found) if scan else None)
            or nothing
            or (refused._replace(strength="refused") if refused else None)
        )

    def no_label(self, start: int) -> Chosen | None:
        """A title with a text in which no option is named."""
        stop = self.text.find("\n", start)
        end = min(stop if stop >= 0 else len(self.text), start + _LONGEST_SENTENCE)
        return Chosen(start, None, end=end) if self.text[start:end].strip() else None

    def later(self, start: int, after: Said | None = None) -> Chosen | None:
        """The label that the rest of a sentence ends with: "it looks like A, but it is B"."""
        stop = _STOP.search(self.text, start, start + _LONGEST_SENTENCE)
        end = stop.start() if stop else min(len(self.text), start + _LONGEST_SENTENCE)
        last = None
        for group in self.options.named_in(self.text, start, end):
            found = judged(self.text, group, marked=False)
            if found.verdict == "chosen" or (
                found.verdict == "bare" and after is not None and after.verdict == "corrected"
            ):
                last = Chosen(group.start, group)
            elif found.verdict == "offered":
                return None
        return last

    # Sentences --------------------------------------------------------------------------------

    def sentences(self, low: int, high: int) -> Iterator[Chosen]:
        """The labels of a stretch of prose of which something is said."""
        for group in list(self.options.named_in(self.text, low, high))[-_MOST:]:
            strength = self.strength(group)
            if strength is not None:
                yield Chosen(group.start, group, strength)

    def strength(self, group: Group) -> Strength | None:
        """How a sentence says that a label is the one; None where it does not."""
        text = self.text
        before = text[self.sentence_start(group.start) : group.start]
        found = judged(text, group, marked=False)
        if self.quoted(group) or found.verdict == "offered":
            return None
        said = found.verdict in ("chosen", "bare")
        if said and patterns.ANSWER.search(found.words):
            return None if patterns.HYPOTHETICAL.search(before) else "mark"
        line = self.line_start(group.start)
        if patterns.CASES.search(before) or patterns.SPEAKER.match(text, line, group.start):
            return None
        if not said:
            if self.named(group):
                return "noun"
            stated = patterns.TEXT_STATED.match(text, group.end) and self.holds(group)
            return "said" if stated and patterns.TOPIC.search(before) else None
        if patterns.TOPIC.search(before) or patterns.CONNECTORS.fullmatch(before):
            return "said"
        judging = found.words and patterns.JUDGED.search(found.words)
        return "said" if judging and not patterns.DESCRIBED.match(found.words) else None

    def named(self, group: Group) -> bool:
        """Whether a label is said to be a thing, and what it is said to be holds no other label."""
        found = patterns.NOMINAL.match(self.text, _skip(_CLOSING, self.text, group.end))
        if found is None or patterns.NOT_NOMINAL.search(found["noun"]) or not self.holds(group):
            return False
        inside = self.options.named_in(self.text, found.start("noun"), found.end("noun"))
        return next(iter(inside), None) is None

    def holds(self, group: Group) -> bool:
        """Whether nothing speaks against a label."""
        return stance(self.text, group.start, group.end).holds

    def concludes(self, place: int) -> bool:
        """Whether a sentence is the first, in the last line, or begins as a conclusion does."""
        start = self.sentence_start(place)
        if not self.text[:start].strip() or start >= self.line_start(len(self.text.rstrip())):
            return True
        return patterns.CONNECTORS.match(self.text, start, place) is not None

    def quoted(self, group: Group) -> bool:
        """Whether a label stands inside of a longer quotation, which is what another says."""
        line = self.line_start(group.start)
        before = [found.end() for found in _QUOTE.finditer(self.text, line, group.start)]
        return len(before) % 2 == 1 and before[-1] < group.start - 1

    # Lines ------------------------------------------------------------------------------------

    def first_line(self) -> Chosen | None:
        """An option that is put first and explained afterwards: "B) Osmosis"."""
        start = _skip(_LEADING, self.text, 0)
        group = self.group_at(start)
        if group is None or len(group.labels) > 1 or group.labels[0].shape in ("bare", "text"):
            return None
        if judged(self.text, group, titled=True).verdict not in ("chosen", "bare"):
            return None
        if patterns.DESCRIBED.match(self.text, group.end) or is_copied(self.text, group, anywhere=True):
            return None
        return Chosen(start, group, "said")

    def last_line(self) -> list[Chosen]:
        """A last line that is nothing but labels, or concludes with them."""
        end = len(self.text.rstrip())
        start = self.line_start(end)
        start = _skip(patterns.CONNECTORS, self.text, _skip(_LEADING, self.text, start))
        group = self.group_at(start)
        if group is None or not _LINE_ENDS.match(self.text, group.end):
            return []
        verdict = judged(self.text, group).verdict
        if verdict in ("refused", "corrected") or follows_label(self.text, self.line_start(start)):
            return []
        return [Chosen(start, group._replace(offered=verdict == "offered"))]

    # Places -----------------------------------------------------------------------------------

    def sentence_start(self, place: int) -> int:
        start = max(0, place - _LONGEST_SENTENCE)
        for stop in _STOP.finditer(self.text, start, place):
            start = stop.end()
        return start

    def line_start(self, place: int) -> int:
        return max(self.text.rfind("\n", 0, place) + 1, place - _LONGEST_SENTENCE)


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
