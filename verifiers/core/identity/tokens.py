"""Marks that tell two functions or classes apart that are made of the same code."""

from __future__ import annotations

import os
import types
import weakref
from typing import Any

_MARKED: weakref.WeakKeyDictionary[types.FunctionType, str] = weakref.WeakKeyDictionary()


def new_token() -> str:
    """A mark that no other process gives either."""
    return os.urandom(8).hex()


def token_of(value: Any) -> str:
    """The mark of a function; a method, a partial or an object that is called gets a new one each time."""
    if not isinstance(value, types.FunctionType):
        return new_token()
    return _MARKED.setdefault(value, new_token())
