"""Texts on which a pattern that is not linear shows it, made from the pattern: heads that nearly match, and what repeats."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

BLANKS = (" ", "\n", "\t", "\xa0", "\u3000")
CLOSING = (")", "]", "}", "$", "*", '"', "”", "」", ".")
_POOL = "a1 A가一\n\t.,:;=-+*/\\${}()[]<>|_^'\"\u3000\xa0éx0Bㄱㅏ①\x01"
"""Signs of each kind, tried as members of a class."""
MANY = 40
"""From how many repetitions on a repeat counts as a loop."""


class Shape(NamedTuple):
    """What a pattern's tree gives.

    Args:
        heads: Texts that lead to each of its loops.
        bodies: What each loop repeats.
        signs: Signs of every class, and of the words.
    """

    heads: tuple[str, ...]
    bodies: tuple[str, ...]
    signs: tuple[str, ...]


@functools.cache
def _members(items: tuple[Any, ...], ignore_case: bool) -> tuple[str, ...]:
    """Some signs of a class."""
    own = [chr(value) for code, value in items if code is codes.LITERAL]
    ranges = [value for code, value in items if code is codes.RANGE]
    compiled = re.compile(_written(items), re.IGNORECASE if ignore_case else 0)
    pool = [*own[:40], *(chr(low) for low, _ in ranges), *_POOL]
    return tuple(dict.fromkeys(each for each in pool if compiled.fullmatch(each)))


def _written(items: tuple[Any, ...]) -> str:
    """A class as a pattern of its own."""
    categories = {
        codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_NOT_DIGIT: r"\D", codes.CATEGORY_SPACE: r"\s",
        codes.CATEGORY_NOT_SPACE: r"\S", codes.CATEGORY_WORD: r"\w", codes.CATEGORY_NOT_WORD: r"\W",
    }  # fmt: skip
    parts = []
    for code, value in items:
        if code is codes.NEGATE:
            parts.insert(0, "^")
        elif code is codes.LITERAL:
            parts.append(re.escape(chr(value)))
        elif code is codes.RANGE:
            parts.append(f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}")
        else:
            parts.append(categories[value])
    return f"[{''.join(parts)}]"


class _Reader:
    """Walks a tree: each node gives the shortest text for it, and one with all that is optional."""

    def __init__(self, ignore_case: bool, groups: dict[int, str]) -> None:
        self.ignore_case = ignore_case
        self.groups = groups
        self.heads: dict[str, None] = {}
        self.bodies: dict[str, None] = {}
        self.signs: dict[str, None] = {}
        self.depth = 0
        """In how many loops the node is."""

    def sequence(self, nodes: Iterable[tuple[Any, Any]], before: str) -> str:
        """The shortest text for a sequence; notes the loops in it, with what stands before them."""
        text = before
        for code, value in nodes:
            text += self.node(code, value, text)
        return text[len(before) :]

    def node(self, code: Any, value: Any, before: str) -> str:
        """The shortest text for a node."""
        if code is codes.LITERAL:
            if self.depth:
                self.signs[chr(value)] = None
            return chr(value)
        if code is codes.NOT_LITERAL:
            return self.one_of(((codes.NEGATE, None), (codes.LITERAL, value)))
        if code is codes.IN:
            return self.one_of(tuple(value))
        if code is codes.ANY:
            return self.one_of(((codes.NEGATE, None), (codes.LITERAL, 10)))
        if code is codes.BRANCH:
            found = [self.sequence(each, before) for each in value[1]]
            return min(found, key=len) if "" not in found else ""
        if code is codes.SUBPATTERN:
            text = self.sequence(value[3], before)
            if value[0] is not None:
                self.groups[value[0]] = text
            return text
        if code is codes.ATOMIC_GROUP:
            return self.sequence(value, before)
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            return self.repeat(*value, before)
        if code is codes.GROUPREF:
            return self.groups.get(value, "")
        if code is codes.ASSERT and value[0] > 0:
            self.sequence(value[1], before)
        if code is codes.ASSERT and value[0] < 0 and not before:
            return self.sequence(value[1], before)
        if code is codes.ASSERT_NOT:
            self.sequence(value[1], before)
        if code is codes.GROUPREF_EXISTS:
            return self.sequence(value[1], before)
        return ""

    def one_of(self, items: tuple[Any, ...]) -> str:
        """A class: its first sign."""
        members = _members(items, self.ignore_case)
        for each in members[:4]:
            self.signs[each] = None
        return members[0] if members else ""

    def repeat(self, least: int, most: Any, body: Any, before: str) -> str:
        """A repeat: a loop if it goes on for long."""
        loop = most >= MANY
        self.depth += loop
        text = self.sequence(body, before)
        self.depth -= loop
        if loop:
            self.heads[before] = None
            if text:
                self.bodies[text] = None
                self.heads[before + text] = None
        return text * min(least, 50)


@functools.lru_cache(2000)
def shape(pattern: str, flags: int) -> Shape:
    """What a pattern's tree gives."""
    tree = parser.parse(pattern, flags & ~re.DEBUG)
    reader = _Reader(bool(flags & re.IGNORECASE), {})
    whole = reader.sequence(tree, "")
    heads = dict.fromkeys(["", *reader.heads, whole])
    bodies = dict.fromkeys([*reader.bodies, whole])
    return Shape(tuple(heads), tuple(each for each in bodies if each), tuple(reader.signs))


def loops(pattern: str, flags: int) -> bool:
    """Whether a pattern has a loop at all."""
    return len(shape(pattern, flags).heads) > 2
