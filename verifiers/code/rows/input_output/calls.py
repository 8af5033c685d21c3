"""A call as data sets write it: arguments and value together, so that both are read in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....errors import ConfigError
from ..shape import unpacked


def call(given: Any, wanted: Any, field: str) -> dict[str, Any]:
    """The arguments of a call and the value that it must return, as fields of a `CallTest`.

    Where the arguments are a text, each line of it is one of them, and the value is such a text, too: JSON,
    or as Python writes it. Where they are data, a list or a mapping by name, the value is data as well.

    Args:
        given: The arguments.
        wanted: The value.
        field: Where they stand, for messages.

    Raises:
        ConfigError: A text is neither.

    >>> call("1\\n[2]", '"3"', "inputs"), call(["1"], '"3"', "inputs")
    ({'args': [1, [2]], 'expected': '3'}, {'args': ['1'], 'expected': '"3"'})
    """
    if isinstance(given, str):
        expected = unpacked(wanted, f"{field} (a value)")
        return {"args": arguments(given, field), "expected": expected}
    if isinstance(given, Mapping):
        return {"kwargs": dict(given), "expected": wanted}
    return {"args": arguments(given, field), "expected": wanted}


def arguments(given: Any, field: str = "inputs") -> Any:
    """The arguments of a call: a list, or a text with one of them on each line, or one on several."""
    if not isinstance(given, str):
        return _int_keys(list(given) if isinstance(given, tuple) else given)
    try:
        return _int_keys([unpacked(line, field) for line in given.split("\n") if line.strip()])
    except ConfigError:
        if "\n" not in given.strip():
            raise
        return _int_keys([unpacked(given, field)])


def _int_keys(given: Any) -> Any:
    """Arguments whose first, where it is a mapping, has its integer keys back: JSON made them text."""
    first = given[0] if isinstance(given, list) and given else None
    if isinstance(first, Mapping) and all(str(key).removeprefix("-").isdecimal() for key in first):
        return [{int(key): value for key, value in first.items()}, *given[1:]]
    return given
