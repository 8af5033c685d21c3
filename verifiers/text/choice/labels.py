"""What a label is: C, (c), ③, Ⅱ, or its Korean and Chinese sisters."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...language.choice_words import (
    DESCRIBED,
    HANGUL,
    JAMO,
    NOUN_AFTER,
    NOUN_BEFORE,
    ORDERS,
    ORDINAL_BEFORE,
    ORDINAL_NOUN,
    ORDINALS,
    PLACES,
    ROMAN,
    SIGNS,
    STEMS,
    SYLLABLE_ALONE,
    SYLLABLES,
    VERBLESS,
)
from ...language.stance import ending
from ...runtime.patterns import lazy


class Label(NamedTuple):
    """One label in a text.

    Args:
        kind: "letter", "number", "roman", or one of `verifiers.language.choice_words.ORDERS`.
        name: The label itself: letters in upper case, numbers in digits.
        start: Where it begins, with its bracket and the noun before it.
        end: Where it ends, with its bracket and the noun after it.
        shape: How it is written: "sign" (③), "bracket" ((B), '②'), "noun" (option B), "item" (B. or 3) before
            a text), "bare", or "text", an option's own text instead of its label.
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
    """Whether a sign before a letter or digit makes one thing with it: A4, 3.5, x=3."""
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
    """Whether a label stands before a text, as in a list of options, and nothing is said of it."""
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
