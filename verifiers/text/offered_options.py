"""The options that a question offers, and where a text names one by its own words, whatever sets them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from ..language import choice_words as words
from ..language.choice_words import FIRST, HANGUL
from ..language.normalization import INVISIBLE, fold_jamo, fold_width, nfc
from ..language.signs import TEXT_COMMAND
from ..runtime.patterns import lazy
from .option_labels import ITEM_AHEAD, Choice, Group, Label, group_at, groups_in, is_item, label_at, next_name

_SET = lazy(
    r"\*+|__+|(?<![A-Za-z0-9])_(?=\S)|(?<=\S)_(?![A-Za-z0-9])|`+|\$+|</?(?:[a-z]|[A-Za-z]{2,12})(?:\s[^<>\n]{0,60})?/?>|<\|[^<>|\n]{1,30}\|>"
    rf"|{TEXT_COMMAND}\{{|\\(?:bf|boxed|fbox|bm|boldsymbol)\s{{0,2}}\{{"
    r"|\\[()\[\]]|\\(?:q?quad\b|(?=[ ,;:!~]))|[{}]"
    rf"|{INVISIBLE.pattern}"
)


class View(NamedTuple):
    """A text as a reader sees it.

    Args:
        text: The text without its setting; as long as it was wherever nothing was taken out.
        cuts: Positions of the removed parts, in order.
        shifts: Number of characters removed up to there.
    """

    text: str
    cuts: list[int]
    shifts: list[int]

    def original(self, place: int, *, end: bool = False) -> int:
        """The place in the text itself."""
        index = bisect_right(self.cuts, place - 1 if end else place) - 1
        return place + (self.shifts[index] if index >= 0 else 0)


HEAD = 2_000
"""Characters at the beginning of a text in which a choice is looked for."""
TAIL = 10_000
"""The same at its end. What stands between them is working."""


def view_of(text: str) -> View:
    """Take a text's setting out, and what stands far from both of its ends.

    >>> view_of("the **B**").text
    'the B'
    """
    skipped = max(0, len(text) - HEAD - TAIL)
    if skipped:
        text = text[:HEAD] + "\n" + text[HEAD + skipped :]
    text = fold_jamo(fold_width(text))
    pieces, cuts, shifts = [], [], []
    position = taken = length = 0
    for found in _SET.finditer(text):
        pieces.append(text[position : found.start()])
        length += found.start() - position
        taken += found.end() - found.start()
        cuts.append(length)
        shifts.append(taken)
        position = found.end()
    pieces.append(text[position:])
    if skipped:
        cuts, shifts = _with_gap(cuts, shifts, skipped - 1)
    return View("".join(pieces), cuts, shifts)


def _with_gap(cuts: list[int], shifts: list[int], by: int) -> tuple[list[int], list[int]]:
    """The cuts of a text of which the part after `HEAD` and one line break was taken out, too."""
    before = [(cut, shift) for cut, shift in zip(cuts, shifts, strict=True) if cut + shift <= HEAD]
    behind = [(cut, shift + by) for cut, shift in zip(cuts, shifts, strict=True) if cut + shift > HEAD]
    taken = before[-1][1] if before else 0
    pairs = [*before, (HEAD - taken + 1, taken + by), *behind]
    return [cut for cut, _ in pairs], [shift for _, shift in pairs]


LONGEST_QUESTION = 20_000
"""Characters at the end of a question in which its options are looked for."""
_LONGEST_TEXT = 200
_MOST_OPTIONS = 60
_PLACE = lazy(rf"(?:(?:(?<=\n)|\A)[ \t>•\-]*|(?<=[\s,;/|])){ITEM_AHEAD}")
_DELIMITER = lazy(r"\s?(?:[.)．:：、]|[-–—](?=\s))?\s*")
_QUOTED = lazy(r"[\"'“‘「].*[\"'”’」]", re.DOTALL)


class Options(NamedTuple):
    """Options of a question.

    Args:
        kind: The kind of its labels; "" where it offers none.
        texts: Each label with its option's text.
    """

    kind: str = ""
    texts: tuple[tuple[str, str], ...] = ()

    def allows(self, group: Group) -> bool:
        """Return whether the question offers these labels, or no options at all."""
        names = {name for name, _ in self.texts}
        return not self.kind or (
            group.labels[0].kind == self.kind and all(each.name in names for each in group.labels)
        )

    def text_at(self, text: str, place: int) -> Group | None:
        """The option whose own text stands at a place in full."""
        pattern = _pattern(self.texts)
        found = pattern.match(text, place) if pattern else None
        return self._group(found) if found else None

    def texts_beside(self, text: str, group: Group) -> bool:
        """Return whether another option directly follows one named by its text, with nothing else between.

        >>> options = options_of((("A", "Mars"), ("B", "Venus")))
        >>> words = "Mars and Venus"
        >>> options.texts_beside(words, options.text_at(words, 0))
        True
        """
        joined = _JOINED.match(text, group.end)
        if group.labels[0].shape != "text" or joined is None:
            return False
        other = self.text_at(text, joined.end()) or group_at(text, joined.end())
        return (
            other is not None
            and self.allows(other)
            and all(each.name != group.labels[0].name for each in other.labels)
        )

    def named_in(self, text: str, start: int, end: int) -> Iterator[Group]:
        """The labels, and options by their own texts, that stand in a stretch of prose."""
        pattern = _pattern(self.texts)
        by_text = iter([self._group(each) for each in pattern.finditer(text, start, end)] if pattern else [])
        pending = next(by_text, None)
        for group in groups_in(text, start, end):
            while pending is not None and pending.start < group.start:
                yield pending
                pending = next(by_text, None)
            if self.allows(group):
                yield group
        if pending is not None:
            yield pending
            yield from by_text

    def _group(self, found: re.Match[str]) -> Group:
        folded = _folded(found.group())
        name = next(name for name, text in self.texts if text == folded)
        group = Group((Label(self.kind, name, *found.span(), "text"),))
        bracket = _BRACKET.match(found.string, found.end())
        other = label_at(found.string, bracket.end()) if bracket else None
        contradicted = other is not None and other.kind == self.kind and other.name != name
        return group._replace(offered=True) if contradicted else group


_JOINED = lazy(
    rf"[*_\"'”’」]{{0,4}}(?:\s{{0,2}}[,，、;；/·|&+]\s{{0,2}}(?:(?:{words.AND}|{words.OR})\s{{1,2}})?"
    rf"|\s{{0,2}}(?:{words.AND}|{words.OR})\s{{0,2}}|\s{{1,4}})[*_\"'“‘「]{{0,4}}",
    re.IGNORECASE,
)
"""Between two options that are named together."""
_BRACKET = lazy(r"[*_]{0,2}\s{0,2}(?=[(\[（])")
"""Between an option's text and a label after it."""
NO_OPTIONS = Options()


def options_of(texts: tuple[tuple[str, str], ...]) -> Options:
    """Options from pairs of a label and a text."""
    first = label_at(texts[0][0], 0) if texts else None
    return Options(first.kind, tuple((name, _folded(text)) for name, text in texts)) if first else NO_OPTIONS


@lru_cache(maxsize=256)
def offered(question: str, wanted: frozenset[Choice]) -> tuple[tuple[str, str], ...]:
    """The last list of options in a question that has the labels of a reference; () where there is none.

    >>> offered("Pick one. A. red B. blue", frozenset({Choice("letter", frozenset("B"))}))
    (('A', 'red'), ('B', 'blue'))
    """
    text = view_of(nfc(question[-LONGEST_QUESTION:])).text
    fitting = [run for run in _runs(text) if any(_holds(run, each) for each in wanted)]
    if not fitting:
        return ()
    run = max(fitting, key=lambda labels: labels[-1].start)
    pairs = []
    for label, following in zip(run, [*run[1:], None], strict=True):
        start = _DELIMITER.match(text, label.end)
        begin = start.end() if start else label.end
        line = text.find("\n", begin)
        end = min(line if line >= 0 else len(text), following.start if following else len(text))
        pairs.append((label.name, text[begin:end].strip()))
    if any(_QUOTED.fullmatch(each) for _, each in pairs):
        return ()  # what people say, and no options
    return tuple(pairs)


def _runs(text: str) -> Iterable[list[Label]]:
    """Lists of labels in their order, each before a text."""
    opened: dict[tuple[str, str], list[Label]] = {}
    closed: list[list[Label]] = []
    for place in _PLACE.finditer(text):
        label = label_at(text, place.end())
        if label is None or not is_item(text, label):
            continue
        key = (label.kind, label.shape)
        run = opened.get(key)
        if run and label.name == next_name(run[-1]) and len(run) < _MOST_OPTIONS:
            run.append(label)
        elif label.name in FIRST:
            if run:
                closed.append(run)
            opened[key] = [label]
    return [run for run in (*closed, *opened.values()) if len(run) > 1]


def _holds(run: list[Label], wanted: Choice) -> bool:
    return run[0].kind == wanted.kind and wanted.labels <= {each.name for each in run}


def _folded(text: str) -> str:
    return " ".join(text.split()).strip(" .。'\"“”‘’").casefold()


@lru_cache(maxsize=256)
def _pattern(texts: tuple[tuple[str, str], ...]) -> re.Pattern[str] | None:
    """Matches an option's text as a whole; one that two options have names neither."""
    known = [text for _, text in texts]
    single = sorted(
        {text for text in known if 0 < len(text) <= _LONGEST_TEXT and known.count(text) == 1},
        key=len,
        reverse=True,
    )
    if not single:
        return None
    spelled = "|".join(r"\s+".join(map(re.escape, text.split())) for text in single)
    return re.compile(rf"(?<![A-Za-z0-9{HANGUL}])(?:{spelled})(?![A-Za-z0-9])", re.IGNORECASE)
