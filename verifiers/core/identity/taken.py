"""What is known of an object that was read."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple


class Held(NamedTuple):
    """A function with what is known of it where it is held."""

    function: Any
    token: str
    settings: str


class Identified:
    """Base of what knows its own digest; see `Component`."""

    def taken(self) -> Taken:
        """What is known of it."""
        raise NotImplementedError

    def held_function(self) -> Held | None:
        """The function that it is made of, if it is one of a function."""
        return None


class Taken:
    """What an object was found to be.

    Args:
        digest: Of all that could be read.
        own: It reaches code, files or objects that no version stands for.
        complete: Every name that its code reaches is bound; a function may reach one that its module defines
            further down.
        depends: Distributions that classes name.
        distributions: Modules of installed distributions that it reaches, by their top-level name.
        unknown: What could not be read, each with the way to it.
        tokens: Marks of the very functions and classes, in order: see `Component.__eq__`.
    """

    __slots__ = ("complete", "depends", "digest", "distributions", "own", "tokens", "unknown")

    def __init__(self, digest: bytes, findings: Findings) -> None:
        self.digest = digest.hex()
        self.own = findings.own
        self.complete = findings.complete
        self.depends = frozenset(findings.depends)
        self.distributions = frozenset(findings.distributions)
        self.unknown = tuple(findings.unknown)
        self.tokens = tuple(findings.tokens)


class Findings:
    """What is met while an object is read; see `Taken`."""

    def __init__(self) -> None:
        self.own = False
        self.complete = True
        self.depends: set[str] = set()
        self.distributions: set[str] = set()
        self.unknown: list[str] = []
        self.tokens: list[str] = []

    def add(self, taken: Taken) -> None:
        """Take over what was met on the way to something that was read before."""
        self.own |= taken.own
        self.complete &= taken.complete
        self.depends |= taken.depends
        self.distributions |= taken.distributions
        self.unknown += taken.unknown
        self.tokens += taken.tokens


def digest_of(*parts: str | bytes) -> bytes:
    """A digest of some parts, which are told apart."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.digest()
