"""What a class of components is: of this library a name, of others their code, read once for each class."""

from __future__ import annotations

import threading
import weakref
from typing import Any

from .owners import owner_of
from .reading import Reader
from .taken import Taken, digest_of
from .tokens import new_token

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
