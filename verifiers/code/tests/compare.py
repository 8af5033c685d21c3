"""Comparing what a program answered with what it should answer: the part that must not be fooled.

Everything here runs in the calling process on bytes and JSON data. Answers of a program are walked alongside
the expected value: no method of theirs is called and no hash table is built from keys that a program chose.
Only single numbers, keys and short texts are decoded, within the limits below.
"""

from __future__ import annotations

import cmath
import json
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Number
from typing import Any

from ..jail.codec import decode, encode

_SHOWN = 60
_SHOWN_SIZE = 2000
_SHORT = 200
"""Characters of a decimal or a fraction that is read; no test expects a longer one."""
_MAX_KEY_DEPTH = 20
_MAX_FROZEN = 1000
"""Members of a frozen set inside a set that an answer may have: below it, colliding hashes cost nothing."""


def same_value(
    answer: Any, expected: Any, *, json_types: bool, tolerance: float, exact_integers: bool = True
) -> bool:
    """Whether a function answered what it should. Never raises, whatever the answer.

    Types count: "1" is not 1, and a tuple is not a list; 1 and 1.0 are one number.

    Args:
        answer: As `jail.codec.encode` wrote it, or as a program forged it.
        expected: A value that `encode` accepts.
        json_types: `expected` was written as JSON, which has no tuples and no keys but strings: a tuple is
            as good as a list, and a key of 1 as good as "1". True is not 1 then; in Python, whose rules hold
            otherwise, it is.
        tolerance: By which an answer may differ, absolute or relative, where a float or a complex number is
            expected.
        exact_integers: Whether an expected integer is meant exactly all the same.

    >>> same_value({"t": [1, 2]}, [1, 2], json_types=True, tolerance=0)
    True
    >>> same_value(True, 1, json_types=True, tolerance=0)
    False
    """
    try:
        return _Comparison(json_types, tolerance, exact_integers).same(answer, expected)
    except Exception:
        # Forged data may fail in any way that an operation on it can; an honest answer fails in none.
        return False


@dataclass(frozen=True)
class _Comparison:
    """The rules of one comparison; see `same_value`."""

    json_types: bool
    tolerance: float
    exact_integers: bool

    def same(self, answer: Any, expected: Any) -> bool:
        if expected is None or isinstance(expected, str):
            return type(answer) is type(expected) and bool(answer == expected)
        if isinstance(expected, Number):
            if self.json_types and isinstance(expected, bool) != isinstance(answer, bool):
                return False
            return self._number(answer, expected)
        if isinstance(expected, list | tuple):
            items = self._sequence(answer, expected)
            return (
                items is not None
                and len(items) == len(expected)
                and all(self.same(one, other) for one, other in zip(items, expected, strict=True))
            )
        if isinstance(expected, dict):
            return self._dictionary(answer, expected)
        if isinstance(expected, set | frozenset):
            return _same_set(answer, expected)
        return bool(answer == encode(expected))

    def _number(self, answer: Any, expected: Any) -> bool:
        """Python's rule over all its kinds of numbers, so that 0 is 0j and 0.5 is a fraction's half."""
        if isinstance(answer, dict):
            if answer == encode(expected):
                return True  # not a number is itself here; and a long fraction is not reduced
            answer = _tagged_number(answer, plain=self.json_types)
        if isinstance(answer, Number) and answer == expected:
            return True
        exact = Decimal | Fraction | int if self.exact_integers else Decimal | Fraction
        near = int | float | complex if isinstance(expected, complex) else int | float
        if not isinstance(answer, near) or isinstance(expected, exact):
            return False
        return cmath.isclose(answer, expected, rel_tol=self.tolerance, abs_tol=self.tolerance)

    def _sequence(self, answer: Any, expected: list[Any] | tuple[Any, ...]) -> list[Any] | None:
        tuples = answer.get("t") if isinstance(answer, dict) else None
        if self.json_types:
            items = answer if tuples is None else tuples
        else:
            items = tuples if isinstance(expected, tuple) else answer
        return items if isinstance(items, list) else None

    def _dictionary(self, answer: Any, expected: dict[Any, Any]) -> bool:
        pairs = answer.get("d") if isinstance(answer, dict) else None
        if not isinstance(pairs, list) or len(pairs) != len(expected):
            return False
        as_text = self.json_types and all(isinstance(key, str) for key in expected)
        met = set()
        for given, item in pairs:
            key = _json_key(given) if as_text else _hashable(given)
            if key is None or key[0] not in expected or not self.same(item, expected[key[0]]):
                return False
            met.add(key[0])  # members of `expected` only
        return len(met) == len(expected)


def shown(answer: Any) -> str:
    """An answer for a person, as Python would write it."""
    if isinstance(answer, dict) and "g" in answer:
        return f"a generator of {shown(answer['g'])}"
    try:
        return _cut(repr(decode(answer)) if _size(answer) < _SHOWN_SIZE else json.dumps(answer))
    except Exception:  # it may be forged
        return "something that cannot be shown"


def _tagged_number(answer: dict[str, Any], *, plain: bool) -> Any:
    """The number that an answer is written as; None for what is none, or is not `plain`, as JSON's are."""
    if isinstance(answer.get("i"), str):
        return int(answer["i"], 16)
    if isinstance(answer.get("f"), str):
        return float(answer["f"])
    if plain:
        return None
    # Reading a fraction reduces it, which takes long for long ones.
    if answer.get("o") in ("Decimal", "Fraction") and _size(answer) < _SHORT:
        return decode(answer)
    return complex(*map(float, answer["c"])) if "c" in answer else None


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
    tag, body = next(iter(item.items()))
    if tag == "t" or (tag == "z" and len(body) <= _MAX_FROZEN):
        inner = [_hashable(each, depth + 1) for each in body] if depth < _MAX_KEY_DEPTH else [None]
        values = [box[0] for box in inner if box is not None]
        if len(values) < len(inner):
            return None
        return (tuple(values),) if tag == "t" else (frozenset(values),)
    if tag in ("i", "f", "b", "T", "c", "r") or (tag == "o" and _size(item) < _SHORT):
        return (decode(item),)
    return None


def _size(answer: Any) -> int:
    return len(json.dumps(answer))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
