"""A call of a tool, and JSON as calls are read from: strict, and of bounded depth."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NamedTuple

MAX_CHARS = 200_000
"""Longest text that is searched for calls."""
MAX_CALLS = 50
"""Most calls of a completion or a reference: pairing them takes the cube of their number."""
MAX_DEPTH = 32
"""Nesting of arguments; real ones have three or four levels."""
MAX_NAME = 256
"""Longest name of a tool."""


class Call(NamedTuple):
    """A call.

    Args:
        name: Name of the tool.
        arguments: By name; JSON values, or `Untyped` ones of forms that do not write types.
    """

    name: str
    arguments: dict[str, Any]

    def __str__(self) -> str:
        said = ", ".join(f"{name}={shown(value)}" for name, value in self.arguments.items())
        return f"{self.name}({said})"


class Untyped(str):
    """An argument as text, in a form that leaves its type to the tool's schema."""

    __slots__ = ()


class CallError(Exception):
    """Something that should be a call and is none; the message says why.

    Args:
        detail: A sentence.
        reason: The code for a verdict.
    """

    def __init__(self, detail: str, reason: str = "malformed_call") -> None:
        super().__init__(detail)
        self.reason = reason


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise CallError(f"the key {twice!r:.80} stands twice")
    return found


def _constant(name: str) -> Any:
    raise CallError(f"{name} is not JSON")


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
"""Refuses what other readers of JSON disagree about: a key that stands twice, NaN and Infinity."""


def strict_json(text: str) -> Any:
    """A JSON text's value.

    Raises:
        CallError: It is not JSON, or one of the things that `DECODER` refuses.
    """
    value, end = json_at(text, len(text) - len(text.lstrip()))
    if text[end:].strip():
        raise CallError("there is something after the JSON")
    return value


def json_at(text: str, start: int) -> tuple[Any, int]:
    """The JSON value that begins at a place, and where it ends.

    Raises:
        CallError: There is none.
    """
    try:
        value, end = DECODER.raw_decode(text, start)
    except RecursionError:
        raise CallError("nested too deeply") from None
    except ValueError as error:
        raise CallError(f"not JSON: {error}"[:200]) from None
    check_depth(value)
    return value, end


def check_depth(value: Any) -> None:
    """Refuse values that are nested deeper than `MAX_DEPTH`.

    Raises:
        CallError: It is.
    """
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    raise CallError(f"nested more than {MAX_DEPTH} levels deep")


def call_of(
    value: Any, keys: tuple[str, ...] = ("arguments",), *, as_text: bool = False, wrapped: bool = False
) -> Call:
    """A call from its JSON object.

    Args:
        value: The object: a name, and the arguments under one of `keys`.
        keys: Possible names of the arguments.
        as_text: Whether the arguments may be JSON text, as OpenAI has them.
        wrapped: Whether both may stand in an object ``function``.

    Raises:
        CallError: It is not of this form.

    >>> str(call_of({"name": "add", "arguments": {"a": 1}}))
    'add(a=1)'
    """
    if wrapped and isinstance(value, dict) and "function" in value:
        value = value["function"]
    if not isinstance(value, dict):
        raise CallError(f"a call is an object with a name and {keys[0]}, got {shown(value)}")
    there = [key for key in keys if key in value]
    if not there:
        raise CallError(f"the call has no {' or '.join(map(repr, keys))}")
    if len(there) > 1:
        raise CallError(f"the call has {there[0]!r} and {there[1]!r}")
    arguments = value[there[0]]
    if as_text and isinstance(arguments, str):
        arguments = strict_json(arguments) if arguments.strip() else {}
    if not isinstance(arguments, dict) or not all(isinstance(key, str) for key in arguments):
        raise CallError(f"{there[0]} must be an object, got {shown(arguments)}")
    check_depth(arguments)
    return Call(checked_name(value.get("name")), arguments)


def checked_name(name: Any) -> str:
    """The name of a tool.

    Raises:
        CallError: It is none.
    """
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME:
        raise CallError(f"a tool's name is a text of at most {MAX_NAME} characters, got {shown(name)}")
    return name


def shown(value: Any) -> str:
    """A value for a message."""
    return f"{value!r:.80}"
