"""Marks that tell two functions or classes apart that are made of the same code."""

from __future__ import annotations

import os
import types
import weakref
from typing import Any

from .taken import digest_of

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
