"""Checking a component's fields against their annotations, as far as data can be wrong about them."""

from __future__ import annotations

import functools
import types
import typing
from typing import Any


@functools.cache
def field_types(kind: Any) -> dict[str, Any]:
    """The annotations of a class, resolved; empty where they cannot be."""
    try:
        return typing.get_type_hints(kind)
    except NameError:  # names that a third party imports for type checkers only
        return {}


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a type. What is not checked passes, such as literals and generics."""
    parts = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if origin is tuple and parts[1:] == (Ellipsis,):
        return isinstance(value, tuple) and all(fits(item, parts[0]) for item in value)
    if origin is not None or hint is Any:
        return True
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, hint) if isinstance(hint, type) else True


def type_name(hint: Any) -> str:
    """A type as a message names it."""
    return hint.__name__ if isinstance(hint, type) else str(hint).replace("verifiers.core.extraction.", "")
