"""What a data set's rows look like, and how their columns are taken apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import ConfigError
from ...runtime.bounds import ExpansionError, from_json, from_literal
from ..suites.spec import CodeTests, validated

Row = Mapping[str, Any]
SOLUTIONS = ("canonical_solution", "gold_standard_solution", "solution", "solutions", "accepted_solutions")
"""Columns of any data set that hold solutions; ``code`` is one in some of them, and a model's in others."""


@dataclass(frozen=True)
class Shape:
    """A data set's rows.

    Args:
        name: The key under which the answer column may hold such a row.
        source: The data set's card, or the official grader.
        needs: Sets of columns; a row that has all of one of them is of this shape.
        reads: The columns that say something about tests; they decide verdicts.
        read: Turns a row into tests.
        fits: What else tells it from other shapes with these columns.
        solutions: The columns in which the row may bring solutions of its own.
        passes_over: Columns that look as if they were about tests, and are not: the module says why.
    """

    name: str
    source: str
    needs: tuple[frozenset[str], ...]
    reads: frozenset[str]
    read: Callable[[Row], CodeTests]
    fits: Callable[[Row], bool] = lambda row: True
    passes_over: frozenset[str] = frozenset()
    solutions: tuple[str, ...] = SOLUTIONS

    def recognises(self, row: Row) -> bool:
        """Whether a row is of this shape, by its columns."""
        return any(needed <= row.keys() for needed in self.needs) and self.fits(row)


def columns(*names: str) -> frozenset[str]:
    """A set of column names."""
    return frozenset(names)


def tests_of(fields: dict[str, Any], column: str) -> CodeTests:
    """Tests of these fields.

    Raises:
        ConfigError: A field is wrong, or there is no test in the column.
    """
    tests = validated(fields)
    if not tests.count:
        raise ConfigError(f"tests: {column} is empty")
    return tests


def text(row: Row, key: str, name: str) -> str:
    """A column that holds a text, and not an empty one.

    Raises:
        ConfigError: It holds something else.
    """
    value = row.get(key)
    if not isinstance(value, str) or not value:
        raise ConfigError(f"tests: {name}.{key} is a text, got {value!r:.60}")
    return value


def optional_text(row: Row, key: str, name: str) -> str:
    """A column that holds a text, an empty one, or nothing.

    Raises:
        ConfigError: It holds something else.
    """
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"tests: {name}.{key} is a text, got {value!r:.60}")
    return value or ""


def listed(value: Any, field: str, kind: str = "a list") -> list[Any]:
    """A column that holds a list.

    Raises:
        ConfigError: It holds something else.
    """
    if not isinstance(value, list | tuple):
        raise ConfigError(f"tests: {field} is {kind}, got {value!r:.60}")
    return list(value)


def unpacked(value: Any, field: str) -> Any:
    """A column that holds data, or a text of it: JSON, or as Python writes it.

    Raises:
        ConfigError: The text is neither.
    """
    if not isinstance(value, str):
        return value
    try:
        return from_json(value)
    except ExpansionError as error:
        raise ConfigError(f"tests: {field}: {error}") from None
    except (ValueError, RecursionError) as error:
        problem = str(error)
    try:
        return from_literal(value)
    except ExpansionError as error:
        raise ConfigError(f"tests: {field}: {error}") from None
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise ConfigError(f"tests: {field} is not JSON: {problem}") from None


def mapping(value: Any, field: str) -> Row:
    """A column that holds an object, or a text of it.

    Raises:
        ConfigError: It holds something else.
    """
    data = unpacked(value, field)
    if not isinstance(data, Mapping):
        raise ConfigError(f"tests: {field} is a JSON object, got {value!r:.60}")
    return data


def only(row: Row, known: frozenset[str], field: str) -> None:
    """Refuse keys that nobody would read.

    Raises:
        ConfigError: There is one; the message names it.
    """
    for key in row:
        if key not in known and row[key] is not None:
            raise ConfigError(f"tests: {field}.{key} would be ignored; known: {', '.join(sorted(known))}")
