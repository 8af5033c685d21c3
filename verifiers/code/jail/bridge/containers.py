"""Containers that both sides may hold: one list is one list, whoever changes it.

A container that somebody besides the message holds is numbered when it crosses. From then on each side says
with every message what it has changed in those that it knows, until one side holds it no more. Literals and
results that nobody else holds are copied and forgotten.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SAFE = 1 << 53
"""Integers below it are themselves in any JSON."""
_TEXTS, _INTEGERS, _FLOATS = frozenset({str, bool, type(None)}), frozenset({int}), frozenset({float})
MAX_SHARED = 300
"""Containers that are kept alike; further ones are copied. Each is looked at with every message."""
MAX_LASTING = 5000
"""Items of a container that is kept alike for longer than the call that it crossed for."""


def _plain_kinds() -> dict[type, str]:
    from collections import Counter, OrderedDict, defaultdict, deque

    return {
        list: "l",
        dict: "d",
        set: "s",
        bytearray: "b",
        deque: "q",
        Counter: "C",
        OrderedDict: "O",
        defaultdict: "D",
    }


KINDS = _plain_kinds()
_BY_LETTER = {letter: kind for kind, letter in KINDS.items()}
_PAIRS = ("d", "C", "O", "D")


def content(value: Any, letter: str) -> list[Any]:
    """Return a container's content as a flat list: keys and values in turn for a mapping."""
    kind: Any = _BY_LETTER[letter]
    if letter in _PAIRS:
        flat = [None] * (2 * dict.__len__(value))
        flat[::2] = kind.keys(value)
        flat[1::2] = kind.values(value)
        return flat
    return [bytes(value).hex()] if letter == "b" else list(kind.__iter__(value))


def array_letter(value: Any, kind: type) -> str:
    """The kind of an array of numpy; "" for anything else of numpy."""
    return "A" if kind.__name__ == "ndarray" and not value.dtype.names else ""


def addition(value: Any, letter: str) -> Any:
    """Return the attribute of a container besides its items."""
    if letter == "D":
        return value.default_factory
    return value.maxlen if letter == "q" else None


def empty(letter: str, more: Any) -> Any:
    """A container without items."""
    if letter == "D":
        return _BY_LETTER["D"](more)
    if letter == "q":
        return _BY_LETTER["q"]((), more)
    return _BY_LETTER[letter]()


def fill(value: Any, items: list[Any]) -> None:
    """Make a container hold these items and no others."""
    if hasattr(value, "dtype"):
        value[...] = items[0]
    elif isinstance(value, dict):
        value.clear()
        for key, item in zip(items[::2], items[1::2], strict=True):
            value[key] = item
    elif isinstance(value, set):
        members = set(items)
        value.clear()
        value.update(members)
    elif isinstance(value, list):
        value[:] = items
    elif isinstance(value, bytearray):
        value[:] = bytes.fromhex(items[0])
    else:
        value.clear()
        value.extend(items)


def filled(letter: str, items: list[Any]) -> Any:
    """A container of its own that holds these items."""
    if letter == "A":
        return items[0].copy()
    value = empty(letter, None)
    fill(value, items)
    return value


@dataclass
class Shared:
    """A container that both sides know.

    Args:
        value: Here.
        letter: Its kind.
        said: Its content as the other side knows it.
        messages: Number of messages sent since.
    """

    value: Any
    letter: str
    said: list[Any] | None = None
    messages: int = 0


class Registry:
    """The containers that both sides know.

    Args:
        first: The number of the first that is numbered here; they go up by two, so that the sides never meet.
    """

    def __init__(self, first: int) -> None:
        self._next = first
        self.known: dict[int, Shared] = {}
        self._numbers: dict[int, int] = {}

    def number(self, value: Any) -> int | None:
        """The number of a container that both sides know."""
        return self._numbers.get(id(value))

    def add(self, value: Any, letter: str) -> int | None:
        """Number a container; None where there are too many."""
        if len(self.known) >= MAX_SHARED:
            return None
        self._next += 2
        self.learn(self._next, value, letter)
        return self._next

    def learn(self, number: int, value: Any, letter: str) -> None:
        """Know a container by its number."""
        self.known[number] = Shared(value, letter)
        self._numbers[id(value)] = number

    def forget(self, numbers: list[int]) -> None:
        """Hold these no more."""
        for number in numbers:
            entry = self.known.pop(number, None)
            if entry is not None:
                self._numbers.pop(id(entry.value), None)

    def let_go(self) -> list[int]:
        """Forget those that nobody else holds here, and large ones that have been here for a while."""
        found = []
        for number, entry in self.known.items():
            entry.messages += 1
            alone = sys.getrefcount(entry.value) <= _HELD_BY_US
            size = entry.value.size if entry.letter == "A" else len(entry.value)
            if alone or (entry.messages > 1 and size > MAX_LASTING):
                found.append(number)
        self.forget(found)
        return found

    def clear(self) -> None:
        """Forget all."""
        self.known.clear()
        self._numbers.clear()


def _held_by_entry() -> int:
    entry = {0: Shared([], "l")}
    return max(sys.getrefcount(each.value) for each in entry.values())


_HELD_BY_US = _held_by_entry()


class Holders:
    """Finds out whether anybody besides a container and our copy of its items holds an item."""

    def __init__(self) -> None:
        self._base = 0
        probe: list[Any] = [[]]
        while self.each(list(probe), lambda _, held: held)[0]:
            self._base += 1

    def each(self, items: list[Any], write: Callable[[Any, bool], Any]) -> list[Any]:
        """`write` each item, with whether it is held elsewhere.

        Args:
            items: A copy of what is in a container that still exists.
            write: Gets an item and whether it is held elsewhere.
        """
        base = self._base
        return [write(item, sys.getrefcount(item) > base) for item in items]


def as_it_is(items: list[Any]) -> bool:
    """Return whether JSON holds all these unchanged; looked up at once, as lists of numbers may be long."""
    kinds: set[type] = set(map(type, items))
    if kinds == _INTEGERS:
        return bool(min(items) > -SAFE) and bool(max(items) < SAFE)
    return kinds <= _TEXTS or (kinds == _FLOATS and all(map(math.isfinite, items)))
