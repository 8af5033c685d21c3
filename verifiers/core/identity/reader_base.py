"""The part of reading that all kinds of objects share: limits, circles, and what is met on the way."""

from __future__ import annotations

import enum
from typing import Any

from .owners import owner_of
from .taken import Findings, digest_of

MOST_OBJECTS = 200_000
"""Objects that a verifier's code may reach: a word list has fewer, the state of a large model more."""
MOST_BYTES = 256 << 20
"""Bytes that it may reach, in texts and arrays."""
NAMED = 8
"""Things that a message names."""

_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented), range)


class ReaderBase(Findings):
    """Reads objects; what it meets on the way is kept.

    Args:
        code_only: Leave out what may change while it is used: lists, mappings, sets, objects.
    """

    def __init__(self, *, code_only: bool = False) -> None:
        super().__init__()
        self.code_only = code_only
        self._done: dict[int, tuple[bytes, list[str], Any]] = {}
        self._open: dict[int, int] = {}
        self._way: list[str] = []
        self._objects = self._bytes = 0

    def read(self, value: Any, way: str = "") -> bytes:
        """The digest of a value.

        Args:
            value: Anything.
            way: How it was reached, for messages: "the global `client`".
        """
        if isinstance(value, _PLAIN):
            return self._plain(value)
        known = self._done.get(id(value))
        if known is not None:
            self.tokens += known[1]
            return known[0]
        if id(value) in self._open:  # a circle: how far up it closes says it all
            return digest_of("circle", str(len(self._open) - self._open[id(value)]))
        self._open[id(value)] = len(self._open)
        met = len(self.tokens)
        if way:
            self._way.append(way)
        try:
            self._objects += 1
            if self._objects > MOST_OBJECTS or self._bytes > MOST_BYTES:
                found = self._unread(value, "holds more than can be read")
            else:
                found = self._read(value)
        except RecursionError:
            found = self._unread(value, "is nested too deeply to be read")
        finally:
            del self._open[id(value)]
            if way:
                self._way.pop()
        # One mark for all that it holds: a value that is met twice says the same as two equal ones.
        if len(self.tokens) > met + 1:
            self.tokens[met:] = [digest_of(*self.tokens[met:]).hex()]
        self._done[id(value)] = found, self.tokens[met:], value
        return found

    def _plain(self, value: Any) -> bytes:
        if type(value) not in _PLAIN:  # a subclass of str, say an enum's member
            if isinstance(value, enum.Enum):
                return digest_of("member", value.name, self.read(type(value)))
            return digest_of("like", self.read(type(value)), repr(value))
        if isinstance(value, str | bytes):
            self._bytes += len(value)
        return digest_of(type(value).__name__, repr(value))

    def _read(self, value: Any) -> bytes:
        raise NotImplementedError

    def _not_own(self, module: str) -> str | None:
        """What stands for a module that is not the user's own; None if it is."""
        owner = owner_of(module)
        if owner == "own":
            return None
        if owner == "installed":
            self.distributions.add(module.partition(".")[0])
        return owner

    def _unread(self, value: Any, why: str) -> bytes:
        kind = type(value)
        name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
        way = next((each for each in reversed(self._way)), "an object")
        if len(self.unknown) < NAMED:
            self.unknown.append(f"{way} ({name}) {why}")
        return digest_of("unknown", name)
