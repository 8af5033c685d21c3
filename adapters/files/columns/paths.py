"""Columns of a row by name, also inside of others: ``output.answer``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

MAX_NAMES = 500
"""Names that a hint chooses among."""
SOURCES = ("source", "data_source", "dataset", "subset", "category", "type")
"""Columns that say where a row is from; the first that the first row has is taken."""
_NONE = object()


def has_column(row: Mapping[str, Any], name: str) -> bool:
    """Whether a row has a column.

    >>> has_column({"output": {"answer": "3"}}, "output.answer")
    True
    """
    return _found(row, name) is not _NONE


def column_of(row: Mapping[str, Any], name: str) -> Any:
    """The value of a column; None where there is none. A column whose own name has a dot comes first.

    >>> column_of({"output": {"answer": "3"}}, "output.answer"), column_of({"a.b": 1, "a": {"b": 2}}, "a.b")
    ('3', 1)
    """
    found = _found(row, name)
    return None if found is _NONE else found


def column_names(row: Mapping[str, Any]) -> list[str]:
    """The names by which a row's columns can be asked for.

    >>> column_names({"id": 1, "output": {"answer": "3"}})
    ['id', 'output', 'output.answer']
    """
    names: list[str] = []
    for name in _names(row, ""):
        names.append(name)
        if len(names) == MAX_NAMES:
            break
    return names


def _names(row: Mapping[str, Any], before: str) -> Iterator[str]:
    for name, value in row.items():
        yield f"{before}{name}"
        if isinstance(value, Mapping) and before.count(".") < 4:
            yield from _names(value, f"{before}{name}.")


def _found(row: Any, name: str) -> Any:
    if name in row:
        return row[name]
    place = name.find(".")
    while place >= 0:
        inner = row.get(name[:place])
        if isinstance(inner, Mapping) and (found := _found(inner, name[place + 1 :])) is not _NONE:
            return found
        place = name.find(".", place + 1)
    return _NONE
