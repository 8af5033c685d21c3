"""Python values as JSON with tags, so that they cross the wall without pickle.

Every JSON object is a tag: ``{"t": [1, 2]}`` is a tuple, ``{"d": [[1, "a"]]}`` a dictionary. What a program
answers is untrusted: only a sandboxed tester decodes it whole, the calling process walks it alongside the
expected value and decodes single numbers and short texts (`verifiers.code.suites.run_verdicts`).
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

MAX_DEPTH = 200
"""Nesting of a value. Python's own JSON reader gives up at about a thousand."""
MAX_ITEMS = 100_000
"""Items that are taken out of a generator."""
_SAFE = 1 << 53
VIEWS = ("dict_keys", "dict_values", "dict_items")
_EXACT: dict[type, str] = {tuple: "t", set: "s", frozenset: "z"}


class UnreadableError(Exception):
    """A value that cannot cross."""


class TooDeepError(UnreadableError):
    """A value that is nested too deeply to cross."""


def encode(value: Any, depth: int = 0) -> Any:
    """A value as JSON data.

    Subclasses cross as the plain values that they hold, whatever methods they override.

    Raises:
        UnreadableError: It holds something that cannot cross, or is nested too deeply.
    """
    kind: type = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int:
        return value if -_SAFE < value < _SAFE else {"i": hex(value)}
    if kind is float:
        return value if math.isfinite(value) else {"f": repr(value)}
    if depth >= MAX_DEPTH:
        raise TooDeepError(f"nested more than {MAX_DEPTH} deep")
    deeper = depth + 1
    if kind is list:
        return [encode(item, deeper) for item in value]
    if kind in _EXACT:
        return {_EXACT[kind]: [encode(item, deeper) for item in value]}
    if kind is dict:
        return {"d": [[encode(key, deeper), encode(item, deeper)] for key, item in value.items()]}
    return _encode_other(value, kind, deeper)


def _encode_other(value: Any, kind: type, deeper: int) -> Any:
    name = kind.__name__
    if kind is complex:
        return {"c": [repr(value.real), repr(value.imag)]}
    if kind in (bytes, bytearray):
        return {"b": bytes(value).hex()}
    if kind is range:
        return {"r": [hex(value.start), hex(value.stop), hex(value.step)]}
    if kind is type and getattr(builtins, str(value.__name__), None) is value:
        return {"T": value.__name__}  # type: ignore[union-attr]
    if kind.__module__ == "builtins" and name in VIEWS:
        return {"v": name, "of": [encode(item, deeper) for item in value]}
    if kind.__module__ == "collections" and name == "deque":
        return {"q": [encode(item, deeper) for item in value]}
    if kind.__module__ in ("decimal", "fractions", "datetime"):
        return _encode_standard(value, name)
    if kind.__module__ == "numpy" and hasattr(kind, "tolist"):
        return encode(value.tolist(), deeper)
    for base, plain in ((dict, dict), (tuple, tuple), (list, list), (set, set), (frozenset, frozenset)):
        if issubclass(kind, base):
            return encode(plain(base.items(value) if base is dict else base.__iter__(value)), deeper)
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, int):
        return encode(int.__int__(value), deeper)
    if issubclass(kind, float):
        return encode(float.__float__(value), deeper)
    if hasattr(kind, "__next__"):
        return {"g": [encode(item, deeper) for item in islice(value, MAX_ITEMS)]}
    raise UnreadableError(f"a value of type {name}")


def _encode_standard(value: Any, name: str) -> Any:
    if name == "Decimal":
        return {"o": name, "is": [str(value)]}
    if name == "Fraction":
        return {"o": name, "is": [hex(value.numerator), hex(value.denominator)]}
    if name == "timedelta":
        return {"o": name, "is": [value.days, value.seconds, value.microseconds]}
    if name in ("date", "time", "datetime"):
        return {"o": name, "is": [value.isoformat()]}
    raise UnreadableError(f"a value of type {name}")


def decode(data: Any) -> Any:
    """The value that `encode` wrote.

    Raises:
        ValueError, TypeError, KeyError, RecursionError, OverflowError: `encode` did not write it.
    """
    if isinstance(data, list):
        return [decode(item) for item in data]
    if not isinstance(data, dict):
        return data
    if not data:
        raise ValueError("a value without a tag")  # StopIteration would end a loop of the tests
    tag = next(iter(data))
    body = data[tag]
    if tag in _DECODERS:
        return _DECODERS[tag](body)
    if tag == "v":
        return view(body, [decode(item) for item in data["of"]])
    if tag == "o":
        return _standard(body, data["is"])
    raise ValueError(f"unknown tag {tag!r:.20}")


def view(name: str, items: list[Any]) -> Any:
    """A view of a dictionary that holds these items."""
    if name == "dict_keys":
        return dict.fromkeys(items).keys()
    return dict(items).items() if name == "dict_items" else dict(enumerate(items)).values()


def _standard(name: str, parts: list[Any]) -> Any:
    # These are rare, so they are not imported before they are needed.
    import datetime
    import decimal
    import fractions

    if name == "Decimal":
        return decimal.Decimal(parts[0])
    if name == "Fraction":
        return fractions.Fraction(int(parts[0], 16), int(parts[1], 16))
    if name == "timedelta":
        return datetime.timedelta(*parts)
    if name in ("date", "time", "datetime"):
        return getattr(datetime, name).fromisoformat(parts[0])
    raise ValueError(f"unknown type {name!r:.20}")


def _items(body: Any) -> Iterator[Any]:
    return (decode(item) for item in body)


def _deque(body: Any) -> Any:
    from collections import deque

    return deque(_items(body))


def _type(name: str) -> Any:
    found = getattr(builtins, name)
    # Some builtins are classes of other modules, such as __loader__.
    if type(found) is not type or getattr(builtins, found.__name__, None) is not found:
        raise ValueError(f"{name!r:.20} is not a type")
    return found


_DECODERS: dict[str, Any] = {
    "i": lambda body: int(body, 16),
    "f": float,
    "t": lambda body: tuple(_items(body)),
    "s": lambda body: set(_items(body)),
    "z": lambda body: frozenset(_items(body)),
    "d": lambda body: {decode(key): decode(item) for key, item in body},
    "c": lambda body: complex(float(body[0]), float(body[1])),
    "b": bytes.fromhex,
    "r": lambda body: range(*(int(part, 16) for part in body)),
    "T": _type,
    "q": _deque,
    "g": lambda body: iter([decode(item) for item in body]),
}
