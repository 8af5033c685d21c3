"""Choice of an option in a text: after a mark, in a sentence about a label, as a line of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from ..language import choice_words as words
from ..language.sentences.judgement import replaced
from ..language.sentences.marks import marks
from ..language.sentences.retractions import hesitates
from ..language.sentences.words_before import governed, turned_to
from ..language.stance import stance
from ..runtime.patterns import lazy
from . import option_phrases
from .label_judging import (
    Said,
    adjoin,
    concludes,
    denied_at_the_end,
    denied_in_line,
    is_answer,
    judged,
    lone_text,
    said_before,
    strength,
)
from .offered_options import NO_OPTIONS, Options
from .option_labels import (
    LONGEST_SENTENCE,
    STOP,
    Group,
    Label,
    group_at,
    is_item,
    label_at,
    line_start,
    next_name,
    sentence_start,
    skip,
)

_LONGEST = 300
"""Characters of a line that are looked through."""
_ENUMERATED = 40_000
"""Characters in which the next item of an enumeration may begin."""
_BULLET = lazy(r"[ \t>•\-]*")
_PLACE = lazy(r"(?<=[\s,;/|.)])(?=\S)")


def is_copied(text: str, group: Group, *, anywhere: bool = False) -> bool:
    """Return whether the list of options goes on after a label, with the next one written like the first.

    Args:
        text: A text without its setting.
        group: Possible first labels of the list.
        anywhere: Whether the next label may begin any later line, as in an enumeration.
    """
    first = group.labels[0]
    following = next_name(first)
    if len(group.labels) > 1 or following is None or first.shape == "text":
        return False
    line_end = text.find("\n", group.end)
    line_end = line_end if line_end >= 0 else len(text)
    names = {each.name for each in _in_line(text, first, group.end, min(line_end, group.end + _LONGEST))}
    if first.name in names:
        return False  # the options are gone through
    if following in names or len(names) > 1:
        return True
    alone = not text[group.end : line_end].strip(" .)")
    at, limit = line_end, min(len(text), line_end + (_ENUMERATED if anywhere else _LONGEST))
    while 0 <= at < limit:
        bullet = _BULLET.match(text, at + 1)
        at = bullet.end() if bullet else at + 1
        label = label_at(text, at)
        if label is not None and label.kind == first.kind and is_item(text, label):
            stop = text.find("\n", label.end)
            column = not text[label.end : stop if stop >= 0 else len(text)].strip(" .)")
            return label.name == following and column == alone
        if not anywhere:
            return False
        at = text.find("\n", at)
    return False


def _in_line(text: str, first: Label, start: int, end: int) -> Iterator[Label]:
    """Labels in a line that stand before a text, as the first does."""
    for place in _PLACE.finditer(text, start, end):
        label = label_at(text, place.end())
        if (
            label is not None
            and label.kind == first.kind
            and label.shape == first.shape
            and is_item(text, label)
            and not (hesitates(text, start, label.start) or replaced(text, first.start, first.end))
            and stance(text, label.start, label.end).kind not in ("denied", "corrected")
        ):
            yield label


def follows_label(text: str, line: int) -> bool:
    """Return whether the line before holds only a label, too: a column of labels chooses none."""
    end = len(text[:line].rstrip())
    leading = _LEADING_SIGNS.match(text, text.rfind("\n", 0, end) + 1)
    group = group_at(text, leading.end() if leading else 0)
    return group is not None and group.end <= end and not text[group.end : end].strip(" .)*")


_MOST = 60
"""Groups of labels that are looked at, from the end; a text of nothing else chooses nothing."""
_TOGETHER = 8
"""Characters between two options that are named together."""
_MOST_MARKS = 24
"""Marks that are looked at, from the end, until one of them names a label."""
_OPENING = lazy(r"[\s:=→>]*[\"'“‘「『(\[]?")
_LEADING_SIGNS = lazy(r"[\s>:#•\-–]*")
_BLANK = lazy(r"\s*")
_LINE_ENDS = lazy(rf"{words.ONLY}\s?(?:[(\[][^()\[\]\n]{{1,30}}[)\]])?[\s.!。)]*\Z")

Strength = Literal["clear", "mark", "said", "noun", "refused", "undone"]


class Chosen(NamedTuple):
    """Choice at a place in a text.

    Args:
        start: Its start.
        group: The labels; None where the place is marked as the answer and names no label.
        strength: "clear": under a title that says "final". "mark": as the answer, or as what is chosen.
            "said": in a sentence without such a word, or
            as an option that is put first. "noun": as what something is. "refused": as the answer, and
            denied, doubted or asked about.
            "undone": chosen beside another label that is chosen.
        end: End of the marked text, if it names no label.
    """

    start: int
    group: Group | None
    strength: Strength = "mark"
    end: int = 0


def chosen(text: str, options: Options = NO_OPTIONS) -> Chosen | None:
    """Return the choice of a text; None without one.

    The last mark decides ("Answer: 3", "the answer is (C)", "I choose D", "B is the correct answer");
    without one an option that is put first, and without that the last sentence that says which one it is.

    Args:
        text: A text without its setting, as `view_of` gives it.
        options: Options of the question, if known.
    """
    return _Reader(text, options).chosen()


def answered(text: str, options: Options = NO_OPTIONS) -> Chosen | None:
    """Read an answer by itself: a label and its judgement, or a sentence as `chosen` reads it."""
    reader = _Reader(text, options)
    found = reader.behind(0, titled=True, decides=True, scan=True)
    return found if found and found.group else reader.chosen()


class _Reader(NamedTuple):
    text: str
    options: Options

    def chosen(self) -> Chosen | None:
        marked = list(self.marks())
        held = [each for each in (*marked, *self.last_line()) if each.strength in ("mark", "clear")]
        last = max(held, key=lambda each: each.start, default=None)
        if (
            last is not None
            and last.group is not None
            and any(each.group is not None and adjoin(self.text, each.group, last.start) for each in held)
        ):
            return Chosen(last.start, None, "undone", last.group.end)
        if any(each.strength == "clear" for each in held):
            return last
        groups = list(self.options.named_in(self.text, 0, len(self.text)))[-_MOST:]
        for group in reversed(groups):
            if last is not None and group.start <= last.start:
                return last
            if is_answer(self.text, group):
                if self.is_said_of_two(group, groups):
                    return Chosen(group.start, None, "undone", group.end)
                near = [each for each in groups if 0 <= group.start - each.end <= _TOGETHER] + [group]
                several = any(self.options.texts_beside(self.text, each) for each in near)
                return Chosen(group.start, group._replace(offered=group.offered or several))
        if first := last or self.first_line():
            return first
        return self.last_said(groups) or (marked[-1] if marked else None)

    def is_said_of_two(self, group: Group, groups: list[Group]) -> bool:
        """Return whether the sentence before calls another label the answer, too."""
        other = said_before(self.text, group, groups)
        return other is not None and is_answer(self.text, other)

    def last_said(self, groups: list[Group]) -> Chosen | None:
        """The last conclusion that says which one it is; None where what follows says that nobody knows."""
        named = None
        for group in reversed(groups):
            if not concludes(self.text, group.start):
                continue
            said = strength(self.text, self.options, group)
            if said == "said":
                named = Chosen(group.start, group, "said")
                break
            if said == "noun" and named is None:
                named = Chosen(group.start, group, "noun")
        return None if named is None or option_phrases.UNKNOWN.search(self.text, named.start) else named

    # Marks ------------------------------------------------------------------------------------

    def marks(self) -> Iterator[Chosen]:
        """Yield the choices after the last mark that names a label, and after later marks that name none."""
        for number, mark in enumerate(marks(self.text)):
            before = self.text[sentence_start(self.text, mark.start) : mark.start]
            before = before[
                max((turn.end() for turn in option_phrases.AGAINST.finditer(before)), default=0) :
            ]
            standing = "" if mark.titled else governed(self.text, mark.start)
            if option_phrases.HYPOTHETICAL.search(before) or standing == "supposed":
                continue
            line = self.text[line_start(self.text, mark.start) : mark.start]
            title = mark.titled and option_phrases.TITLE_LINE.match(line) is not None
            if standing:
                yield self.turned_to(mark.end) or Chosen(mark.start, None, "refused", mark.end)
                continue
            found = self.behind(mark.end, titled=mark.titled, decides=title, scan=True)
            if found is not None:
                yield found._replace(strength="clear") if mark.clear and found.group else found
            if number >= _MOST_MARKS or (found is not None and found.strength == "mark"):
                break
        for choosing in list(option_phrases.CHOOSE.finditer(self.text))[-_MOST_MARKS:]:
            before = self.text[sentence_start(self.text, choosing.start()) : choosing.start()]
            if option_phrases.HYPOTHETICAL.search(before) or option_phrases.NOT_CHOSEN.search(before):
                continue
            if choosing["verb"] and (
                option_phrases.CHOOSER.search(before) is None or option_phrases.OTHERS_CHOOSE.search(before)
            ):
                continue
            found = self.behind(choosing.end(), titled=False, decides=False, scan=False)
            if found is not None:
                yield found

    def turned_to(self, start: int) -> Chosen | None:
        """The label to which a sentence turns from another: "I thought it was A, but it is B"."""
        turned = turned_to(self.text, start)
        groups = [] if turned is None else list(self.options.named_in(self.text, *turned))
        if len(groups) != 1 or judged(self.text, groups[0], marked=False).verdict not in ("chosen", "bare"):
            return None
        return Chosen(groups[0].start, groups[0])

    def group_at(self, place: int) -> Group | None:
        """The labels, or the option by its own text, that a place begins with, past an opening quote."""
        group = None
        for at in (place, skip(_OPENING, self.text, place)):
            group = group_at(self.text, at)
            if group is None or not self.options.allows(group):
                group = self.options.text_at(self.text, at)
            if group is not None:
                break
        return group

    def behind(self, start: int, *, titled: bool, decides: bool, scan: bool) -> Chosen | None:
        """Read the choice after a mark.

        Args:
            start: End of the mark.
            titled: Whether it is a title, which any text may follow.
            decides: Whether it decides even where it names no label.
            scan: Whether the rest of the sentence may name the label.
        """
        text, at = self.text, start
        if points := option_phrases.POINTS_ON.match(text, at):
            at, titled = points.end(), True  # and the answer is below
        at = skip(_BLANK, text, at) if titled else at
        below = self.no_label(at)
        nothing = below if decides or below is None else below._replace(strength="refused")
        at = skip(option_phrases.BEFORE, text, at)
        if hedge := option_phrases.EITHER.match(text, at):
            group = self.group_at(hedge.end())
            if group is None or len(group.labels) == 1:
                return nothing
            return Chosen(start, group._replace(offered=True))
        if denied := option_phrases.PRE_NOT.match(text, at):
            wrong = self.group_at(denied.end())
            but = option_phrases.BUT.match(text, wrong.end) if wrong else None
            if but is None:
                return nothing
            at = but.end()
        group = self.group_at(at)
        if group is not None and self.options.texts_beside(text, group):
            return Chosen(start, group._replace(offered=True))
        if group is None:
            return (self.later(at) if scan else None) or (nothing if decides else None)
        found = judged(text, group, titled=titled)
        if found.verdict in ("chosen", "bare") and not denied_at_the_end(text, group):
            therefore = self.later(group.end) if scan and option_phrases.BECAUSE.search(found.words) else None
            several = is_copied(text, group) or self.options.texts_beside(text, group)
            return therefore or Chosen(start, group._replace(offered=several))
        if found.verdict == "offered":
            return Chosen(start, group._replace(offered=True))
        return (self.later(max(group.end, found.end), found) if scan else None) or nothing

    def no_label(self, start: int) -> Chosen | None:
        """A title with a text in which no option is named."""
        stop = self.text.find("\n", start)
        end = min(stop if stop >= 0 else len(self.text), start + LONGEST_SENTENCE)
        return Chosen(start, None, end=end) if self.text[start:end].strip() else None

    def later(self, start: int, after: Said | None = None) -> Chosen | None:
        """The label that the rest of a sentence ends with: "it looks like A, but it is B"."""
        stop = STOP.search(self.text, start, start + LONGEST_SENTENCE)
        end = stop.start() if stop else min(len(self.text), start + LONGEST_SENTENCE)
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

    # Lines ------------------------------------------------------------------------------------

    def first_line(self) -> Chosen | None:
        """An option that is put first and explained afterwards: "B) Osmosis"."""
        start = skip(_LEADING_SIGNS, self.text, 0)
        group = self.group_at(start)
        if group is None or len(group.labels) > 1 or group.labels[0].shape in ("bare", "text"):
            return None
        lone = lone_text(self.text, group.end)
        ends = lone is not None and not self.text[lone:].strip()  # "A. Wrong", and more follows
        if judged(self.text, group, titled=True, texts=ends).verdict not in ("chosen", "bare"):
            return None
        if denied_in_line(self.text, group):
            return None
        if option_phrases.DESCRIBED.match(self.text, group.end) or is_copied(self.text, group, anywhere=True):
            return None
        return Chosen(start, group, "said")

    def last_line(self) -> list[Chosen]:
        """A last line that is nothing but labels, or concludes with them."""
        end = len(self.text.rstrip())
        start = line_start(self.text, end)
        start = skip(option_phrases.CONNECTORS, self.text, skip(_LEADING_SIGNS, self.text, start))
        group = self.group_at(start)
        if group is None or not _LINE_ENDS.match(self.text, group.end):
            return []
        verdict = judged(self.text, group).verdict
        if verdict in ("refused", "corrected") or follows_label(self.text, line_start(self.text, start)):
            return []
        return [Chosen(start, group._replace(offered=verdict == "offered"))]
