"""Reading classes of components and their fields.

A class of this library is a name, those of others are their code, read once for each. Annotations of fields
may say that a text names files or code.
"""

from __future__ import annotations

import threading
import typing
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .digests import Taken, digest_of, new_token
from .object_reader import Reader
from .owners import Names, files_digest, load, owner_of


def names_code(text: str, named: frozenset[str]) -> bool:
    """Whether a text in a field is the path of an object: the URL of a server is none."""
    return "code" in named and ":" in text and "://" not in text


def field_digest(value: Any, named: frozenset[str], reader: Reader, name: str) -> bytes:
    """The digest of a field's value.

    Args:
        value: What it holds.
        named: What a text in it names, by its annotation.
        reader: Who reads.
        name: Its name, for messages.
    """
    if isinstance(value, str) and value and named:
        if "files" in named and (found := files_digest(value)):
            reader.own = True
            return digest_of("files", value, found)
        if names_code(value, named):
            reader.own = True
            return digest_of("code", value, reader.read(load(value), f"`{value}`"))
    return _value(value, reader, name)


def _value(value: Any, reader: Reader, name: str) -> bytes:
    if isinstance(value, Path):
        reader.own = True
        return digest_of("path", str(value), files_digest(value))
    if isinstance(value, int | float) and type(value) in (int, float):
        # 1 and 1.0 in a field are one number, as in the comparison of the fields themselves.
        whole = isinstance(value, float) and value.is_integer()
        return digest_of("number", repr(int(value) if whole else value))
    if type(value) in (tuple, list):
        return digest_of("items", *[_value(each, reader, name) for each in value])
    if isinstance(value, Mapping) and type(value) is dict:
        pairs = [_value(each, reader, name) for pair in value.items() for each in pair]
        return digest_of("mapping", *pairs)
    return reader.read(value, f"the field `{name}`")


def what_is_named(hint: Any) -> frozenset[str]:
    """What a text in a field of that type names: "files", "code", or nothing."""
    found = {each.what for each in getattr(hint, "__metadata__", ()) if isinstance(each, Names)}
    for part in typing.get_args(hint):
        found |= what_is_named(part) if not isinstance(part, str) else set()
    return frozenset(found)


def shown_name(value: Any) -> str:
    """How a field is shown that holds what is no data."""
    return getattr(value, "__qualname__", None) or type(value).__qualname__


def same_values(value: Any, default: Any) -> bool:
    """Whether a value is the default; an array, say, whose comparison is another array, is not."""
    try:
        return bool(value == default)
    except Exception:
        return False


_LOCAL = threading.local()
_KNOWN: weakref.WeakKeyDictionary[type, Taken] = weakref.WeakKeyDictionary()


def class_read(kind: type, reader: Reader) -> bytes:
    """The digest of a class that is not this library's; what it reaches is added to what the reader knows."""
    known = _KNOWN.get(kind)
    if kind in _reading():
        return digest_of("circle", kind.__name__)  # a method uses an object of the class
    if known is None or not known.complete:
        own = Reader()
        if owner_of(kind.__module__) == "installed":
            own.distributions.add(kind.__module__.partition(".")[0])
            own.own = True
        _reading().add(kind)
        try:
            known = Taken(own.class_body(kind), own)
        finally:
            _reading().discard(kind)
        _KNOWN[kind] = known
    reader.add(known)
    reader.tokens.append(token_of_class(kind))
    return digest_of("class", known.digest)


def _reading() -> set[type]:
    """The classes that this thread is in the middle of reading."""
    found: set[type] = _LOCAL.__dict__.setdefault("kinds", set())
    return found


def token_of_class(kind: Any) -> str:
    """A mark of this very class, which goes with it to other processes."""
    token = vars(kind).get("_token_")
    if token is None:
        token = new_token()
        kind._token_ = token
    return str(token)
