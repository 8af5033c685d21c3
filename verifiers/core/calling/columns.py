"""Columns and values as users have them: lists, Series, arrays of NumPy, Arrow and torch, a Dataset's.

None of these packages is imported: they are known by what they can do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...errors import ConfigError

_PLAIN = (str, int, float, bool, type(None), list, tuple, dict)


def as_column(values: object, name: str) -> Sequence[object]:
    """A column as a sequence that is read by its positions.

    Args:
        values: Whatever holds one value for each completion.
        name: What messages call it.

    Raises:
        ConfigError: It is one value, or no column at all.

    >>> as_column(("a", "b"), "answer")
    ('a', 'b')
    >>> as_column("42", "answer")
    Traceback (most recent call last):
    ...
    reward_verifiers.verifiers.errors.ConfigError: answer is one string, '42', where a list with one
    value for each ...
    """
    if type(values) in (list, tuple):
        return values  # type: ignore[return-value]
    found = column_or_none(values)
    if found is None:
        kind = "string" if isinstance(values, str) else type(values).__name__
        raise ConfigError(
            f"{name} is one {kind}, {values!r:.60}, where a list with one value for each completion is wanted"
        )
    return found


def column_or_none(values: Any) -> Sequence[object] | None:
    """The same; None for what is no column."""
    if isinstance(values, str | bytes | bytearray | Mapping | type):
        return None
    for name in ("to_pylist", "tolist"):  # Arrow's; NumPy's, torch's and that of a Series
        convert = getattr(values, name, None)
        if callable(convert) and not isinstance(values, list | tuple):
            listed = convert()
            return listed if isinstance(listed, list) else None
    if isinstance(values, Sequence):
        return values
    if hasattr(values, "__len__") and hasattr(values, "__getitem__") and isinstance(values, Iterable):
        return list(values)
    return None


def plain_value(value: Any) -> Any:
    """A scalar of NumPy, torch or Arrow as Python's own, and an array as a list; anything else as it is."""
    if type(value) in _PLAIN:
        return value
    if hasattr(value, "dtype") and callable(getattr(value, "tolist", None)):
        return value.tolist()
    convert = getattr(value, "as_py", None)
    return convert() if callable(convert) else value


class Row(Mapping[str, object]):
    """One row of a table of columns, without copying it."""

    __slots__ = ("_columns", "_row")

    def __init__(self, columns: Mapping[str, Sequence[object]], row: int) -> None:
        self._columns, self._row = columns, row

    def __getitem__(self, name: str) -> object:
        return self._columns[name][self._row]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)
