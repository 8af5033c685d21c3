"""Findings about an object that was read, and what its code reaches by its instructions.

With marks that tell two functions or classes apart that are made of the same code.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import os
import types
import weakref
from collections.abc import Iterator
from typing import Any, NamedTuple


class Held(NamedTuple):
    """A function with what is known of it where it is held."""

    function: Any
    token: str
    settings: str


class Identified:
    """Base of what knows its own digest; see `Component`."""

    def taken(self) -> Taken:
        """Return the findings about it."""
        raise NotImplementedError

    def held_function(self) -> Held | None:
        """The function that it is made of, if it is one of a function."""
        return None


class Taken:
    """Findings about an object.

    Args:
        digest: Digest of all that could be read.
        own: It reaches code, files or objects that no version stands for.
        complete: Every name that its code reaches is bound; a function may reach one that its module defines
            further down.
        depends: Distributions that classes name.
        distributions: Modules of installed distributions that it reaches, by their top-level name.
        unknown: Unreadable parts, each with the way to it.
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
    """Findings collected while an object is read; see `Taken`."""

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


def closure(function: types.FunctionType) -> Iterator[tuple[str, types.CellType]]:
    """The names that a function closes over, with what they hold."""
    return zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)


@functools.lru_cache(maxsize=4096)
def names_reached(code: types.CodeType) -> tuple[str, ...]:
    """The globals that code reads, that of the functions inside it included."""
    found = {str(each.argval): None for each in dis.get_instructions(code)
             if each.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")}  # fmt: skip
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= dict.fromkeys(names_reached(inner))
    return tuple(found)


@functools.lru_cache(maxsize=4096)
def imports_of(code: types.CodeType) -> tuple[str, ...]:
    """The modules that code imports when it runs."""
    found = {str(each.argval): None for each in dis.get_instructions(code) if each.opname == "IMPORT_NAME"}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= dict.fromkeys(imports_of(inner))
    return tuple(found)


@functools.lru_cache(maxsize=4096)
def names_used(code: types.CodeType) -> tuple[str, ...]:
    """The names that code uses of anything, that of the functions inside it included."""
    found = dict.fromkeys(code.co_names)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= dict.fromkeys(names_used(inner))
    return tuple(found)


_MARKED: weakref.WeakKeyDictionary[types.FunctionType, str] = weakref.WeakKeyDictionary()


def new_token() -> str:
    """A mark that no other process gives either."""
    return os.urandom(8).hex()


def token_of(value: Any) -> str:
    """The mark of a function; a method, a partial or an object that is called gets a new one each time.

    What a module defines at its top is marked by its place, since one file may be loaded twice.
    """
    if not isinstance(value, types.FunctionType):
        return new_token()
    return _place(value) or _MARKED.setdefault(value, new_token())


def _place(function: types.FunctionType) -> str:
    """A mark of the file and the name under which a module defines a function; empty for any other."""
    code, module = function.__code__, function.__globals__
    file = module.get("__file__")
    if module.get("__spec__") is None or code.co_filename != file or "<" in code.co_qualname:
        return ""
    return digest_of(os.path.realpath(file), code.co_qualname).hex()
