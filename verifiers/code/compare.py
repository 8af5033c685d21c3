"""Comparing what a program said with what it should say: the part that must not be fooled.

Everything here runs in the calling process on bytes and JSON data. Answers of a program are walked beside
the expected value and never turned into objects, so no method of theirs is called and no hash table is
built from keys that a program chose.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any

from .jail.codec import decode

MODES = ("trailing", "exact", "tokens", "floats", "unordered_lines")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_INTEGER = re.compile(r"[+-]?\d+")
_SHOWN = 60
_MAX_FROZEN = 1000
"""Members of a frozen set inside a set that an answer may have: below it, colliding hashes cost nothing."""
_MAX_DIGITS = 4000
"""Longer numbers are compared as text; Python refuses to read them."""


def same_output(output: bytes, expected: str, mode: str, tolerance: float) -> bool:
    """Whether a program printed what it should.

    Args:
        output: Standard output.
        expected: What it should be.
        mode: "exact"; "trailing" (white space at the ends of lines and of the text does not count);
            "tokens" (no white space counts but as a separator); "floats" (tokens, and those that are
            expected as decimal fractions may differ by `tolerance`, absolute or relative); or
            "unordered_lines" (lines in any order, each as often).
        tolerance: For "floats".

    >>> same_output(b"1 2 \\n", "1 2", "trailing", 0)
    True
    >>> same_output(b"0.33333334\\n", "0.333333333", "floats", 1e-6)
    True
    """
    if mode == "exact":
        return output == expected.encode("utf-8", "surrogatepass")
    text = output.decode("utf-8", "surrogateescape")
    if mode == "trailing":
        return _lines(text) == _lines(expected)
    if mode == "unordered_lines":
        return Counter(filter(None, _lines(text))) == Counter(filter(None, _lines(expected)))
    said, wanted = text.split(), expected.split()
    if mode == "tokens" or len(said) != len(wanted):
        return said == wanted
    return all(_same_number(one, other, tolerance) for one, other in zip(said, wanted, strict=True))


def difference(output: bytes, expected: str) -> str:
    """The first line in which an output differs, for a person."""
    said, wanted = _lines(output.decode("utf-8", "backslashreplace")), _lines(expected)
    if not said:
        return f"expected {_short(wanted[0] if wanted else '')}, got no output"
    for number, (one, other) in enumerate(zip(said, wanted, strict=False), 1):
        if one != other:
            return f"line {number}: expected {_short(other)}, got {_short(one)}"
    if len(said) != len(wanted):
        return f"expected {len(wanted)} lines, got {len(said)}"
    return f"expected {_short(expected)}, got {_short(output.decode('utf-8', 'backslashreplace'))}"


def same_value(answer: Any, expected: Any, *, json_types: bool, tolerance: float) -> bool:
    """Whether a function answered what it should.

    Types count: "1" is not 1, and a tuple is not a list; 1 and 1.0 are one number.

    Args:
        answer: As `jail.codec.encode` wrote it, or somebody who forges it.
        expected: A value.
        json_types: `expected` was written as JSON, which has no tuples and no keys but strings: a tuple is
            as good as a list, and a key of 1 as good as "1". True is not 1 then; in Python, whose rules hold
            otherwise, it is.
        tolerance: By which an answer may differ, absolute or relative, where a float is expected.

    >>> same_value({"t": [1, 2]}, [1, 2], json_types=True, tolerance=0)
    True
    >>> same_value(True, 1, json_types=True, tolerance=0)
    False
    """
    if expected is None or isinstance(expected, str):
        return type(answer) is type(expected) and bool(answer == expected)
    if isinstance(expected, int | float):
        if json_types and isinstance(expected, bool) != isinstance(answer, bool):
            return False
        return _equal_number(answer, expected, tolerance)

    def inside(one: Any, other: Any) -> bool:
        return same_value(one, other, json_types=json_types, tolerance=tolerance)

    if isinstance(expected, list | tuple):
        items = _sequence(answer, expected, json_types=json_types)
        return (
            items is not None
            and len(items) == len(expected)
            and all(inside(one, other) for one, other in zip(items, expected, strict=True))
        )
    if isinstance(expected, dict):
        return _same_dictionary(answer, expected, inside, json_types=json_types)
    if isinstance(expected, set | frozenset):
        return _same_set(answer, expected)
    # Complex numbers, bytes, ranges and the like: written by the test's author, so reading them is cheap.
    try:
        value = decode(answer) if isinstance(answer, dict) and next(iter(answer)) in "cbroT" else None
        return type(value) is type(expected) and bool(value == expected)
    except (ValueError, TypeError, KeyError, OverflowError, StopIteration, AttributeError, RecursionError):
        return False


def shown(answer: Any) -> str:
    """An answer for a person."""
    if isinstance(answer, dict) and len(answer) == 1 and next(iter(answer)) in ("t", "s", "z", "g"):
        answer = next(iter(answer.values()))
    try:
        return _short(json.dumps(answer, ensure_ascii=False))
    except (ValueError, RecursionError):
        return "something deeply nested"


def _equal_number(answer: Any, expected: float, tolerance: float) -> bool:
    if isinstance(answer, dict):
        answer = _tagged_number(answer)
    if not isinstance(answer, int | float):
        return False
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(answer, float) and math.isnan(answer)
    if answer == expected:
        return True
    if isinstance(expected, int):
        return False
    try:
        return math.isclose(answer, expected, rel_tol=tolerance, abs_tol=tolerance)
    except OverflowError:
        return False


def _tagged_number(answer: dict[str, Any]) -> Any:
    try:
        if "i" in answer:
            return int(answer["i"], 16)
        return float(answer["f"])
    except (KeyError, ValueError, TypeError):
        return None


def _sequence(answer: Any, expected: list[Any] | tuple[Any, ...], *, json_types: bool) -> list[Any] | None:
    tuples = answer.get("t") if isinstance(answer, dict) else None
    if json_types:
        items = answer if tuples is None else tuples
    else:
        items = tuples if isinstance(expected, tuple) else answer
    return items if isinstance(items, list) else None


def _same_dictionary(answer: Any, expected: dict[Any, Any], inside: Any, *, json_types: bool) -> bool:
    pairs = answer.get("d") if isinstance(answer, dict) else None
    if not isinstance(pairs, list) or len(pairs) != len(expected):
        return False
    met = set()
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:
            return False
        key = _json_key(pair[0]) if json_types else _hashable(pair[0])
        if key is None or key[0] not in expected or not inside(pair[1], expected[key[0]]):
            return False
        met.add(key[0])  # members of `expected` only
    return len(met) == len(expected)


def _json_key(key: Any) -> tuple[Any] | None:
    """A key as JSON would write it, in a box; None if it cannot be one."""
    if isinstance(key, str):
        return (key,)
    if key is None or isinstance(key, bool | int | float):
        return (json.dumps(key),)
    return None


def _same_set(answer: Any, expected: set[Any] | frozenset[Any]) -> bool:
    items = answer.get("s", answer.get("z")) if isinstance(answer, dict) else None
    if not isinstance(items, list) or len(items) != len(expected):
        return False
    met = set()
    for item in items:
        value = _hashable(item)
        if value is None or value[0] not in expected:
            return False
        met.add(value[0])
    return len(met) == len(expected)


def _hashable(item: Any, depth: int = 0) -> tuple[Any] | None:
    """A member of a set or a key, in a box; None for what cannot be one."""
    if not isinstance(item, dict):
        return None if isinstance(item, list) else (item,)
    tag, body = next(iter(item.items()), ("", None))
    if (
        tag in ("t", "z")
        and isinstance(body, list)
        and depth < 50
        and (tag == "t" or len(body) <= _MAX_FROZEN)
    ):
        inner = [_hashable(each, depth + 1) for each in body]
        if None in inner:
            return None
        values = [box[0] for box in inner if box is not None]
        return (tuple(values),) if tag == "t" else (frozenset(values),)
    try:
        return (decode(item),) if tag in ("i", "f", "c", "b", "r", "T", "o") else None
    except (ValueError, TypeError, KeyError, OverflowError, AttributeError):
        return None


def _same_number(said: str, wanted: str, tolerance: float) -> bool:
    if said == wanted:
        return True
    if max(len(said), len(wanted)) > _MAX_DIGITS or not (
        _NUMBER.fullmatch(said) and _NUMBER.fullmatch(wanted)
    ):
        return False
    if _INTEGER.fullmatch(wanted):
        # An integer is meant exactly: a relative tolerance would pass 10^18 + 1 for 10^18.
        if _INTEGER.fullmatch(said):
            return int(said) == int(wanted)
        return float(said).is_integer() and int(float(said)) == int(wanted)
    return math.isclose(float(said), float(wanted), rel_tol=tolerance, abs_tol=tolerance)


def _lines(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
