"""How labels are named together, and where they stand in prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...language.choice_words import (
    AND,
    HANGUL,
    JAMO,
    NO_LABEL_AFTER,
    NOUN_BEFORE,
    OR,
    ROMAN,
    SEPARATORS,
    STEMS,
    SYLLABLES,
)
from ...runtime.patterns import lazy
from .labels import BRACKETED, SIGN, Label, glued_before, label_at

MAX_LABELS = 100
"""Labels that an answer may list; more of them name no option."""
_COPIED_RUN = 4
"""Signs in a row from the first, with nothing between them, that are a copied list: ①②③④."""


class Choice(NamedTuple):
    """The options that a text names.

    Args:
        kind: "letter", "number", "roman", or one of `verifiers.language.choice_words.ORDERS`.
        labels: Letters in upper case, numbers in digits.
        offered: They are offered, and none of them is chosen: "A or B", "one of ②, ③".
    """

    kind: str
    labels: frozenset[str]
    offered: bool = False


class Group(NamedTuple):
    """Labels that are named together."""

    labels: tuple[Label, ...]
    offered: bool = False

    @property
    def start(self) -> int:
        """Where the first begins."""
        return self.labels[0].start

    @property
    def end(self) -> int:
        """Where the last ends."""
        return self.labels[-1].end

    @property
    def choice(self) -> Choice:
        """The options without their places."""
        return Choice(self.labels[0].kind, frozenset(each.name for each in self.labels), self.offered)


_RUN = lazy(r"[A-J]{2,}(?![A-Za-z0-9_])")
_SEPARATOR = lazy(
    rf"\s*(?:[{SEPARATORS}]|(?P<word>{AND})|(?P<or>{OR})|(?P<range>[~∼〜～]|\sto\s))\s*"
    rf"(?:(?:{AND})|(?P<or_too>{OR}))?\s*(?:maybe\s+|perhaps\s+)?",
    re.IGNORECASE,
)
_NO_LABEL_AFTER = lazy(NO_LABEL_AFTER, re.IGNORECASE)


def group_at(text: str, start: int, *, together: bool = True) -> Group | None:
    """The labels that are named together from a place on; None where no label begins.

    Args:
        text: Any text, without marks of emphasis.
        start: Where the first begins.
        together: Whether letters may be written together, as in "BD". Capitals in prose are words.

    >>> group_at("A and C", 0).choice == Choice("letter", frozenset("AC"))
    True
    """
    if together and (run := _run_at(text, start)):
        return run
    first = label_at(text, start)
    if first is None:
        return None
    labels, offered = [first], False
    while True:
        last = labels[-1]
        separator = None
        following = label_at(text, last.end) if last.shape == "sign" or last.kind == "jamo" else None
        if following is None or following.shape not in ("sign", "bare"):
            separator = _SEPARATOR.match(text, last.end)
            following = label_at(text, separator.end()) if separator else None
        if following is None or not _one_kind(last, following):
            break
        if len(labels) == MAX_LABELS:
            return Group((*labels, following), offered=True)
        if any(following.name == each.name for each in labels):
            if last.kind in ("jamo", "syllable"):
                return None  # laughter
            break
        offered |= separator is not None and bool(
            separator["or"] or separator["or_too"] or separator["range"]
        )
        labels.append(following)
    if any(each.kind == "roman" for each in labels):
        labels = [each._replace(kind="roman") for each in labels]
    return Group(tuple(labels), offered or _is_copied_run(labels))


def _run_at(text: str, start: int) -> Group | None:
    found = _RUN.match(text, start)
    if found is None or (start and glued_before(text, start)) or len(set(found.group())) < len(found.group()):
        return None
    return Group(
        tuple(
            Label("letter", name, start + place, start + place + 1, "bare")
            for place, name in enumerate(found.group())
        )
    )


def _one_kind(one: Label, other: Label) -> bool:
    kinds = {one.kind, other.kind}
    if kinds == {"letter", "roman"}:
        return all(each.kind == "roman" or each.name in ROMAN for each in (one, other))
    return len(kinds) == 1


def _is_copied_run(labels: list[Label]) -> bool:
    """①②③④ with nothing between them: the list of options, and no choice of all of them."""
    return len(labels) >= _COPIED_RUN and all(
        each.shape == "sign"
        and each.kind == "number"
        and each.name == str(place)
        and each.start == labels[0].start + place - 1
        for place, each in enumerate(labels, 1)
    )


_MENTION = lazy(
    rf"[{SIGN}]|(?<![A-Za-z0-9_])(?:{NOUN_BEFORE})\s*|(?-i:[A-Z])(?![A-Za-z0-9_])|\d{{1,2}}(?!\d)"
    rf"|[(（\[<「『‘“'\"](?=\s?[A-Za-z0-9{SYLLABLES}{JAMO}{SIGN}])|(?<![{HANGUL}{JAMO}])[{JAMO}{STEMS}]",
    re.IGNORECASE,
)


def groups_in(text: str, start: int, end: int) -> Iterator[Group]:
    """The labels that stand in a stretch of prose, group by group."""
    at = start
    while (found := _MENTION.search(text, at, end)) is not None:
        group = group_at(text, found.start(), together=False)
        if group is None or (len(group.labels) == 1 and _is_word(text, group.labels[0])):
            inside = BRACKETED.match(text, found.start())
            at = inside.end() if inside else found.start() + 1
            continue
        yield group
        at = max(group.end, found.start() + 1)


def _is_word(text: str, label: Label) -> bool:
    """Whether what could be a label is a part of prose: the article A, the pronoun I, vitamin C, 3 apples."""
    if label.shape in ("sign", "bracket", "noun"):
        return False
    return (label.kind == "number" and label.shape == "bare") or _NO_LABEL_AFTER.search(
        text, max(0, label.start - 20), label.start
    ) is not None
