"""Labels (C, (c), ③, Ⅱ, or their Korean and Chinese counterparts) and groups of labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..language.choice_words import (
    AND,
    DESCRIBED,
    HANGUL,
    JAMO,
    NO_LABEL_AFTER,
    NOUN_AFTER,
    NOUN_BEFORE,
    OR,
    ORDERS,
    ORDINAL_BEFORE,
    ORDINAL_NOUN,
    ORDINALS,
    PLACES,
    ROMAN,
    SEPARATORS,
    SIGNS,
    STEMS,
    SYLLABLE_ALONE,
    SYLLABLES,
    VERBLESS,
)
from ..language.stance import ending
from ..runtime.patterns import lazy


class Label(NamedTuple):
    """One label in a text.

    Args:
        kind: "letter", "number", "roman", or one of `verifiers.language.choice_words.ORDERS`.
        name: The label itself: letters in upper case, numbers in digits.
        start: Its start, with its bracket and the noun before it.
        end: Its end, with its bracket and the noun after it.
        shape: Its form: "sign" (③), "bracket" ((B), '②'), "noun" (option B), "item" (B. or 3) before a text),
            "bare", or "text", an option's own text instead of its label.
    """

    kind: str
    name: str
    start: int
    end: int
    shape: str


SIGN = "".join(SIGNS)
_NAMES = (
    rf"(?P<roman>(?-i:{'|'.join(name for name in reversed(ROMAN) if len(name) > 1)})(?![A-Za-z]))"
    rf"|(?P<letter>[A-Za-z](?![A-Za-z]|\.[a-z]\.))|(?P<number>\d{{1,2}}(?!\d))|(?P<syllable>[{SYLLABLES}])"
    rf"|(?P<jamo>[{JAMO}])|(?P<stem>[{STEMS}])"
)
_NAME = lazy(_NAMES)
BRACKETED = lazy(rf"[(（\[<{{【「『〈《‘“'\"]\s?(?:(?P<sign>[{SIGN}])|{_NAMES})\s?[)）\]>}}】」』〉》’”'\"]")
_SHORT = rf"[A-Za-z]|\d{{1,2}}|[{SYLLABLES}{JAMO}{STEMS}]|[IVX]{{1,4}}"
ITEM_AHEAD = rf"(?=[{SIGN}]|[(\[<【]?\s?(?:{_SHORT})(?:{NOUN_AFTER})?\s?[.)\]>】:、\n-])"
"""Looks ahead for what may be a label before a text."""
_NOUN_BEFORE = lazy(rf"(?:{NOUN_BEFORE})\s*", re.IGNORECASE)
_NOUN_AFTER = lazy(rf"\s?(?:{NOUN_AFTER})", re.IGNORECASE)
_HANGUL = lazy(f"[{HANGUL}]")
_ITEM = lazy(r"[.．)）:：、](?![\d/\\])|\s[-–—]\s")
_GLUED = lazy(r"[A-Za-z0-9_'’^+=%/\\°]|\.\d|,\d{3}|-[A-Za-z\d]")
_ORDINAL = lazy(
    rf"(?:{ORDINAL_BEFORE})?(?P<ordinal>{'|'.join(ORDINALS)}|\d)(?:{ORDINAL_NOUN})(?![A-Za-z])", re.IGNORECASE
)
_PLACE = lazy(rf"\s?(?:(?:{NOUN_AFTER})\s?)?(?:{PLACES})")
_COUNTED = lazy(rf"\s?(?:{NOUN_AFTER})\s?(?:{PLACES})")
_SYLLABLE_ALONE = lazy(SYLLABLE_ALONE)


def label_at(text: str, start: int) -> Label | None:
    """The label that begins at a place, with the nouns that stand at it; None where none does.

    >>> label_at("(B) Osmosis", 0)
    Label(kind='letter', name='B', start=0, end=3, shape='bracket')
    """
    at = start
    noun = _NOUN_BEFORE.match(text, at)
    if noun:
        at = noun.end()
    found = _ordinal(text, at) or _signed(text, at) or _named(text, at)
    if found is None:
        return None
    kind, name, end, shape = found
    place = _COUNTED if shape in ("sign", "bracket") else _PLACE
    if shape != "ordinal" and place.match(text, end):
        return None
    after = _NOUN_AFTER.match(text, end)
    if after:
        end = after.end()
    if noun or (after and shape in ("bare", "item")) or shape == "ordinal":
        shape = "noun"
    return Label(kind, name, start, end, shape)


def _ordinal(text: str, at: int) -> tuple[str, str, int, str] | None:
    found = _ORDINAL.match(text, at)
    if found is None:
        return None
    word = found["ordinal"].casefold()
    return "number", ORDINALS.get(word, word), found.end(), "ordinal"


def _signed(text: str, at: int) -> tuple[str, str, int, str] | None:
    sign = SIGNS.get(text[at : at + 1])
    if sign:
        return *sign, at + 1, "sign"
    found = BRACKETED.match(text, at)
    if found is None:
        return None
    kind, name = SIGNS[found["sign"]] if found["sign"] else _kind_and_name(found)
    return kind, name, found.end(), "bracket"


def _named(text: str, at: int) -> tuple[str, str, int, str] | None:
    found = _NAME.match(text, at)
    if found is None or (at and glued_before(text, at)):
        return None
    kind, name = _kind_and_name(found)
    end = found.end()
    item = _ITEM.match(text, end)
    if kind == "syllable" and not item and not _SYLLABLE_ALONE.match(text, end):
        return None
    if _GLUED.match(text, end):
        return None
    return kind, name, end, "item" if item else "bare"


def glued_before(text: str, at: int) -> bool:
    """Return whether a sign binds to the letter or digit after it: A4, 3.5, x=3."""
    before = text[at - 1]
    if before.isspace():
        return False
    if before in "-−.+=^/\\%$€£¥" or (before.isascii() and before.isalnum()) or before in "_'’":
        return True
    return not text[at].isascii() and _HANGUL.match(before) is not None


def _kind_and_name(found: re.Match[str]) -> tuple[str, str]:
    kind = next(each for each in (*ORDERS, "number") if each != "mark" and found[each])
    name = found[kind]
    if kind == "number":
        return kind, str(int(name))
    return kind, name.upper()


_DESCRIBED = lazy(DESCRIBED)
_VERBLESS = lazy(VERBLESS, re.IGNORECASE)
_DELIMITED = lazy(r"\s?[:.)\-–—]|\s*(?:\n|\Z)")


def is_item(text: str, label: Label) -> bool:
    """Return whether a label precedes a text, as in a list of options, with no statement about it."""
    if label.shape == "bare":
        return text[label.end : label.end + 1] in ("\n", "")
    if label.shape == "noun":
        return _DELIMITED.match(text, label.end) is not None
    if _DESCRIBED.match(text, label.end):
        return False
    # After a blank a verdict needs its verb: the text of an option may be "no", "maybe" or "wrong".
    return ending(text, label.end) is None or _VERBLESS.match(text, label.end) is not None


def next_name(label: Label) -> str | None:
    """The label after this one; None after the last."""
    if label.kind == "number":
        return str(int(label.name) + 1)
    order = ORDERS[label.kind]
    place = order.index(label.name) + 1
    return order[place] if place < len(order) else None


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
        """Start of the first label."""
        return self.labels[0].start

    @property
    def end(self) -> int:
        """End of the last label."""
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
        start: Start of the first.
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
    """Return whether a possible label is part of prose: the article A, the pronoun I, vitamin C, 3 apples."""
    if label.shape in ("sign", "bracket", "noun"):
        return False
    return (label.kind == "number" and label.shape == "bare") or _NO_LABEL_AFTER.search(
        text, max(0, label.start - 20), label.start
    ) is not None


LONGEST_SENTENCE = 300
"""Characters that a sentence is looked through for."""
STOP = lazy(r"[.!?](?=[\s\"'”’)]|\Z)|[。！？;；\n]")
"""What ends a sentence."""


def sentence_start(text: str, place: int) -> int:
    """Return the start of the sentence around `place`."""
    start = max(0, place - LONGEST_SENTENCE)
    for stop in STOP.finditer(text, start, place):
        start = stop.end()
    return start


def line_start(text: str, place: int) -> int:
    """Return the start of the line around `place`, looking back a bounded stretch."""
    return max(text.rfind("\n", 0, place) + 1, place - LONGEST_SENTENCE)


def skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    """The place after what a pattern matches, or the place itself."""
    found = pattern.match(text, at)
    return found.end() if found else at
