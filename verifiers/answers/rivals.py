"""What stands beside an answer in the same role: alternatives, lists, the same said of something else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ..language.compared_words import EASTERN, IDEOGRAPHS, SYLLABLES
from ..language.languages import LANGUAGES
from ..language.numerals.english import is_grammatical
from ..language.patterns import ahead, fragments, prose, spoken
from ..runtime.patterns import lazy

Shape = Literal["number", "name", "eastern", "word"]
"""What items of one list have in common."""
MOST_ITEMS = 24
"""Items of a list that are looked at."""
_LONGEST = 48
"""Characters of an item, and of what stands between two."""
_MOST_WORDS = 5
_LEAD = r"(?:\b(?:the|a|an|in|on|by|at|to|of|from|it is|it's)\s)?[\"“‘'*_(]{0,4}"
_TRAIL = r"[\"”’'*_)]{0,4}"
_CAPITAL, _INNER = "A-ZÀ-ÞŁŚŠŽ", r"[\w'’.&-]{0,29}"
_BETWEEN = "(?:(?:of|of the|de|da|di|la|le|von|van|&)[ ])?"
_PROPER = rf"[{_CAPITAL}]{_INNER}(?:[ ]{_BETWEEN}[{_CAPITAL}0-9]{_INNER}){{0,5}}"
_ITEM: dict[Shape, str] = {
    "number": r"[-−]?[$€£₩]?(?:[A-Z][a-z]{2,8}\.? (?:\d{1,2},? )?)?\d++(?:[.,]\d++)*+",
    "name": _PROPER,
    "eastern": rf"[{SYLLABLES}{IDEOGRAPHS}A-Za-z]{{1,12}}",
    "word": r"(?:(?!or\b|and\b)[a-z][\w'’-]*+[ ](?!or\b|and\b)){0,2}[a-z][\w'’-]*+",
}


@dataclass(frozen=True)
class Listing:
    """The items that stand beside an answer, and how they are joined.

    Args:
        items: Their texts.
        alternatives: Whether one of several is offered ("or", "/").
        commas: Whether nothing but commas joins them: in a running sentence that is no list, but says more of
            one thing ("Graz, Austria") or when and where ("In 1962, Ada Holm ...").
        start: Where the first one begins, the answer included.
        end: Where the last one ends.
    """

    items: tuple[str, ...]
    alternatives: bool
    commas: bool
    start: int
    end: int


@cache
def _joints() -> tuple[str, str]:
    """Between alternatives, and between parts of one list."""
    either, both = (
        "|".join(
            f"{language.edges[0]}{each}{language.edges[1]}" if language.blank.startswith(r"\s{1") else each
            for language in LANGUAGES
            for each in fragments(language, field)
        )
        for field in ("or_", "and_")
    )
    return either, both


@cache
def _joint(shape: Shape) -> str:
    either, both = _joints()
    # Between numbers these are signs of a calculation.
    signs = "" if shape == "number" else "+→="
    return (
        rf"(?:(?P<either>\s{{0,2}}[,;(]?\s{{0,2}}(?:{either})\s{{0,2}}|\s?/\s?|\s?\bvs\.?\s)|(?P<both>\s{{0,2}}[,;]?\s{{0,2}}(?:{both}|&)\s{{0,2}})"
        r"|(?P<line>[.,;]?\s?\n\s{0,4}(?:[-*•]|\d{1,2}[.)])?\s{0,3})"
        rf"|(?P<comma>\s?(?:[,;、，；|•·{signs}]|->|…|\.{{2,3}})\s{{0,2}}(?:\d{{1,2}}[.)]\s)?)|(?P<dash>\s[-–—]\s))"
    )


@cache
def _behind(shape: Shape) -> re.Pattern[str]:
    return re.compile(
        rf"{_TRAIL}{_joint(shape)}{_LEAD}(?P<item>{_ITEM[shape]})", re.IGNORECASE if shape == "eastern" else 0
    )


@cache
def _ahead(shape: Shape) -> re.Pattern[str]:
    edge = r"(?<![^\W_])" if shape != "eastern" else ""
    return re.compile(rf"{edge}(?P<item>{_ITEM[shape]}){_TRAIL}{_joint(shape)}{_LEAD}\Z")


_EXTENDED = lazy(rf"(?:[ -]{_PROPER})")
_BEGINS = lazy(rf"(?<![^\W_]){_PROPER}[ -]\Z")


def shape_of(text: str, start: int) -> Shape:
    """What items beside the one that begins here would look like."""
    first = text[start]
    if first.isdigit():
        return "number"
    if EASTERN.match(first):
        return "eastern"
    return "name" if first.isupper() else "word"


def listing(text: str, start: int, end: int, shape: Shape | None = None) -> Listing:
    """What stands in one list with ``text[start:end]``.

    >>> listing("It is Rome, Paris or Oslo.", 6, 10).items, listing("Rome, which is old", 0, 4).items
    (('Paris', 'Oslo'), ())
    """
    shape = shape or shape_of(text, start)
    if shape == "name":
        if (more := _EXTENDED.match(text, end)) is not None:
            end = more.end()
        if (less := _BEGINS.search(text, max(0, start - _LONGEST), start)) is not None:
            start = less.start()
    items: list[str] = []
    kinds: set[str] = set()
    place = end
    while len(items) < MOST_ITEMS:
        found = _behind(shape).match(text, place, place + 2 * _LONGEST)
        if found is None or not _is_item(text, found, shape):
            break
        items.append(found["item"].rstrip("."))
        kinds.add(_joined_by(found))
        place = found.end()
    last, place = place, start
    before: list[str] = []
    while len(items) + len(before) < MOST_ITEMS:
        low = max(0, place - 2 * _LONGEST)
        found = _ahead(shape).search(text[low:place])
        if found is None or not _is_item(text[low:place], found, shape):
            break
        before.append(found["item"])
        kinds.add(_joined_by(found))
        place = low + found.start("item")
    if kinds == {"dash"} and len(items) + len(before) == 1:
        return Listing((), False, False, start, end)  # one dash says more of the same
    words_before = text[max(0, place - _LONGEST) : place]
    if any(ahead(language, "either").search(words_before) for language in spoken(words_before)):
        kinds.add("either")
    return Listing((*reversed(before), *items), "either" in kinds, kinds <= {"comma", "dash"}, place, last)


def _joined_by(found: re.Match[str]) -> str:
    return next(name for name in ("either", "both", "line", "comma", "dash") if found[name] is not None)


def _is_item(text: str, found: re.Match[str], shape: Shape) -> bool:
    """Whether what stands beside an answer may be another one, and no sentence that goes on."""
    item = found["item"]
    if _joined_by(found) == "line":
        after = text.find("\n", found.end("item"))
        rest = text[found.end("item") : after if after >= 0 else len(text)]
        if len(rest.split()) > 2 or len(item.split()) > _MOST_WORDS:
            return False
    if shape != "word":
        return True
    said = item.split()
    ends = re.match(r"\s?(?:[.,;!?\n|/•·→]|\Z|(?:or|and)\b)", text[found.end("item") :]) is not None
    return len(item) > 2 and not is_grammatical(said) and (ends or found.re.pattern.endswith(r"\Z"))


_SENTENCE = lazy(
    r"(?:[^.!?;\n。！？；]|(?<=(?<![A-Za-z])[A-Z])[.]|(?<=Dr|Mr|Ms|St|Jr|Sr)[.]|(?<=Mrs)[.]|[.](?!\s|\Z))++"
)
_BULLET = lazy(r"\s{0,4}(?:[-*•]|\d{1,2}[.)]|[(]?[a-zA-Z][)])\s{1,3}|\s++")
_MOST_SENTENCES = 400


def said_of_others(
    text: str,
    start: int,
    end: int,
    is_accepted: Callable[[str], bool],
    folded: Callable[[str], tuple[str, ...]],
    shape: Shape | None = None,
) -> bool:
    """Whether another sentence says the same of something else, as in "It is Rome. It is Oslo".

    Args:
        text: The text.
        start: Where the answer begins.
        end: Where it ends.
        is_accepted: Whether a value is an accepted answer.
        folded: The words of a text, as they are compared.
        shape: What another value would look like; what this one looks like if None.
    """
    sentences = [found.span() for found in _SENTENCE.finditer(text)][:_MOST_SENTENCES]
    own = next(((low, high) for low, high in sentences if low <= start < high), None)
    if own is None:
        return False
    shape = shape or shape_of(text, start)
    frame, rest = folded(text[own[0] : start]), folded(text[end : own[1]])
    if len(rest) > 2 and len(frame) < 2:
        return False
    for low, high in sentences:
        if (low, high) == own:
            continue
        said = text[low:high]
        begins = _BULLET.match(said)
        value = said[begins.end() :] if begins else said
        if frame:
            if folded(said)[: len(frame)] != frame:
                continue
            value = _after(said, len(frame), folded)
        value = value.strip(" \"“”'*_")
        found = re.match(
            rf"(?:(?:the|an?|in)\s)?{_ITEM[shape]}", value, re.IGNORECASE if shape == "eastern" else 0
        )
        if found is None or len(folded(value)) > _MOST_WORDS or is_accepted(value):
            continue
        if any(prose(language).search(value) for language in spoken(value)):
            continue
        return True
    return False


def _after(said: str, count: int, folded: Callable[[str], tuple[str, ...]]) -> str:
    """What follows the first words of a sentence."""
    for found in re.finditer(r"\s++", said):
        if len(folded(said[: found.start()])) >= count:
            return said[found.end() :]
    return ""
