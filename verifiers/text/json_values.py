"""Comparing JSON with an expected value, field by field, under a stated rule."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..language.normalization import nfc

MAX_LIST = 200
"""Items of a list in any order up to which each is tried with each; a longer one is sorted first."""
MAX_FIELDS = 2_000
"""Fields that are reported one by one."""


class FieldFound(NamedTuple):
    """One field of the expected value, or one that is too many.

    Args:
        path: Where it is, as a JSON path.
        equal: Whether the answer has it so.
        said: What is wrong; "" if nothing is.
    """

    path: str
    equal: bool
    said: str = ""


@dataclass(frozen=True)
class Rule:
    """When a value is the expected one.

    Args:
        subset: Whether objects may have further fields.
        tolerance: Of numbers: absolute, and relative to the expected one.
        any_order: Whether the order of lists counts for nothing.
    """

    subset: bool = False
    tolerance: float = 0.0
    any_order: bool = False

    def fields(self, given: Any, wanted: Any, path: str = "$") -> Iterator[FieldFound]:
        """Every field of the expected value, and each one that is too many, in the order of the expected one.

        >>> [each.path for each in Rule().fields({"a": 1, "c": 3}, {"a": 1, "b": 2}) if not each.equal]
        ['$.b', '$.c']
        """
        if isinstance(wanted, dict) and isinstance(given, dict):
            for name, value in wanted.items():
                where = f"{path}.{name}"
                if name not in given:
                    yield FieldFound(where, False, f"{where} is missing")
                else:
                    yield from self.fields(given[name], value, where)
            for name in given if not self.subset else ():
                if name not in wanted:
                    yield FieldFound(f"{path}.{name}", False, f"{path}.{name} is not expected")
            if not wanted and not given:
                yield FieldFound(path, True)
        elif isinstance(wanted, list) and isinstance(given, list) and not self.any_order and wanted:
            for place, value in enumerate(wanted):
                where = f"{path}[{place}]"
                if place >= len(given):
                    yield FieldFound(where, False, f"{where} is missing")
                else:
                    yield from self.fields(given[place], value, where)
            if len(given) > len(wanted):
                said = f"{path} has {len(given)} items, {len(wanted)} are expected"
                yield FieldFound(f"{path}[{len(wanted)}]", False, said)
        else:
            equal = self.same(given, wanted)
            yield FieldFound(path, equal, "" if equal else f"{path} is {_short(given)}, not {_short(wanted)}")

    def same(self, given: Any, wanted: Any) -> bool:
        """Whether a value is the expected one.

        >>> Rule(tolerance=0.01).same({"x": 1.001}, {"x": 1}), Rule().same(True, 1), Rule().same(1.0, 1)
        (True, False, True)
        >>> Rule(any_order=True).same([2, 1], [1, 2]), Rule(subset=True).same({"a": 1, "b": 2}, {"a": 1})
        (True, True)
        """
        if isinstance(wanted, dict):
            return isinstance(given, dict) and self._same_objects(given, wanted)
        if isinstance(wanted, list):
            if not isinstance(given, list) or len(given) != len(wanted):
                return False
            if self.any_order:
                return self._same_bags(given, wanted)
            return all(self.same(one, other) for one, other in zip(given, wanted, strict=True))
        if _is_number(wanted) and _is_number(given):
            return self._same_numbers(given, wanted)
        if isinstance(wanted, str) and isinstance(given, str):
            return nfc(given) == nfc(wanted)
        return type(given) is type(wanted) and bool(given == wanted)

    def _same_objects(self, given: dict[str, Any], wanted: dict[str, Any]) -> bool:
        if not self.subset and given.keys() != wanted.keys():
            return False
        return all(name in given and self.same(given[name], value) for name, value in wanted.items())

    def _same_bags(self, given: Sequence[Any], wanted: Sequence[Any]) -> bool:
        if len(wanted) > MAX_LIST:
            ordered = Rule(self.subset, self.tolerance)
            pairs = zip(sorted(given, key=_order), sorted(wanted, key=_order), strict=True)
            return all(ordered.same(one, other) for one, other in pairs)
        return _matched([[self.same(one, other) for other in wanted] for one in given])

    def _same_numbers(self, given: float, wanted: float) -> bool:
        if not self.tolerance or not (_finite(given) and _finite(wanted)):
            return given == wanted
        return abs(given - wanted) <= max(self.tolerance, self.tolerance * abs(wanted))


def _matched(table: list[list[bool]]) -> bool:
    """Whether every item finds a partner of its own: the first that fits may be another's."""
    partner: dict[int, int] = {}

    def found(item: int, seen: set[int]) -> bool:
        for place, fits in enumerate(table[item]):
            if fits and place not in seen:
                seen.add(place)
                if place not in partner or found(partner[place], seen):
                    partner[place] = item
                    return True
        return False

    return all(found(item, set()) for item in range(len(table)))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _order(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"
