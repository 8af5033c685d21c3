"""JSON as files and requests may hold it: UTF-8, each key once, and a sentence for every violation."""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

MAX_DEPTH = 930
"""Objects and arrays within one another in a row. Python 3.11's reader takes about 990 less the calls that it
stands in, so without a number of our own a row would be read in one place and refused in another."""
_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+"|(?P<digits>-?\d{1000,}+)(?![.eE])', re.DOTALL)
"""Texts, which are passed over, and integers that may be too long."""


class _TwiceError(ValueError):
    """A key occurs twice in an object."""


class _Marked(dict[str, Any]):
    """An object in which a key occurs twice."""

    key: str


def read(raw: bytes, most: int = MAX_DEPTH) -> Any:
    """Return the value that bytes hold.

    Args:
        raw: One JSON value in UTF-8, with or without its byte order mark.
        most: Objects and arrays within one another.

    Raises:
        ValueError: They hold none; the message goes on from "it is", and says where.

    >>> read(b'{"a": 1}')
    {'a': 1}
    >>> read(b'{"rows": [{"a": 1}, {"a": 1, "a": 2}]}')
    Traceback (most recent call last):
    ...
    ValueError: not to be understood: the key 'a' stands twice in rows[1]
    """
    text = _text(raw)
    try:
        value = _ONCE.decode(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at {_at(text, error.pos)}") from None
    except _TwiceError as error:
        raise ValueError(f"not to be understood: {_place_of_twice(text) or error}") from None
    except RecursionError:
        raise ValueError(_TOO_DEEP.format(most)) from None
    except ValueError as error:  # an integer of more digits than Python converts
        raise ValueError(f"not readable JSON: {_long_integer(text) or error}") from None
    if text.count("[") + text.count("{") > most and _is_deeper(value, most):
        raise ValueError(_TOO_DEEP.format(most))
    return value


_TOO_DEEP = "not readable JSON: nested too deeply (at most {} objects and arrays within one another)"


def _text(raw: bytes) -> str:
    marked = len(codecs.BOM_UTF8) if raw.startswith(codecs.BOM_UTF8) else 0
    try:
        text = raw[marked:].decode()
    except UnicodeDecodeError as error:
        wide = _wide(raw)
        said = f"it is {wide}" if wide else f"{error.reason} at byte {marked + error.start}"
        raise ValueError(f"not UTF-8: {said}") from None
    if "\0" in text[:4] and (wide := _wide(raw)):
        raise ValueError(f"not UTF-8: it is {wide}")
    return text


def _wide(raw: bytes) -> str:
    """Return "UTF-16" or "UTF-32" where the first bytes show it, else ""."""
    found = json.detect_encoding(raw)
    return "" if found.startswith("utf-8") else found.upper().rstrip("LEB").rstrip("-")


def _at(text: str, position: int) -> str:
    """Return a character's column, and its line where there are several.

    >>> _at('{"a"', 4), _at("[1,\\n2,]", 6)
    ('column 5', 'line 2, column 3')
    """
    column = position - text.rfind("\n", 0, position)
    line = text.count("\n", 0, position) + 1
    return f"column {column}" if line == 1 else f"line {line}, column {column}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _TwiceError(f"the key {_repeated(pairs)!r:.80} stands twice")
    return made


def _marked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    marked = _Marked(made)
    marked.key = _repeated(pairs)
    return marked


def _repeated(pairs: list[tuple[str, Any]]) -> str:
    seen: set[str] = set()
    return next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]


def _place_of_twice(text: str) -> str:
    """Return which key occurs twice in which object; "" where a later value replaced that object."""
    try:
        top = _MARKING.decode(text)
    except (ValueError, RecursionError):
        return ""
    held: list[tuple[str, Any]] = [("", top)]
    while held:
        path, value = held.pop()
        if isinstance(value, _Marked):
            return f"the key {value.key!r:.80} stands twice" + (f" in {path:.200}" if path else "")
        held += ((f"{path}{step}".lstrip("."), each) for step, each in _steps(value))
    return ""


def _steps(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from ((f".{name:.40}", each) for name, each in value.items())
    elif isinstance(value, list):
        yield from ((f"[{place}]", each) for place, each in enumerate(value))


def _long_integer(text: str) -> str:
    """Return where there is an integer with more digits than Python converts."""
    most = sys.get_int_max_str_digits()
    for found in _TOKENS.finditer(text):
        digits = found["digits"]
        if digits is not None and len(digits.lstrip("-")) > most:
            count = len(digits.lstrip("-"))
            return f"an integer of {count:,} digits at {_at(text, found.start())}; at most {most:,} are read"
    return ""


def _is_deeper(value: Any, most: int) -> bool:
    """Return whether a value nests objects and arrays more deeply."""
    level = [value]
    for _ in range(most):
        level = [each for held in level for _, each in _steps(held)]
        if not level:
            return False
    return any(isinstance(each, dict | list) for each in level)


_ONCE = json.JSONDecoder(object_pairs_hook=_once)
_MARKING = json.JSONDecoder(object_pairs_hook=_marked)
