"""Trainers' arguments other than columns (state, logging), for reward functions of the user's.

TRL's trainers pass ``trainer_state``, ``log_extra(column, values)`` and ``log_metric(name, value)``. A
function that asks for one of these runs outside a trainer as well: the state is None then, and nothing is
logged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

LogExtra = Callable[[str, Sequence[Any]], None]
"""Takes a column's name, and one value for each completion of the batch."""


def _nothing(name: str, value: object) -> None:
    """Log nowhere."""


OUTSIDE: Mapping[str, Any] = {"trainer_state": None, "log_extra": _nothing, "log_metric": _nothing}
"""What there is of it where no trainer is."""


class GatheredColumns:
    """Columns that functions log, each with one value for each completion of the whole batch.

    A function that is asked for some rows only, as in a route, logs these; the other rows have what it logged
    for them elsewhere, or None. A trainer takes each column once.

    Args:
        count: Completions of the batch.

    >>> gathered = GatheredColumns(3)
    >>> gathered("words", [1, 2, 3])
    >>> for_rows({"log_extra": gathered}, [2], 3)["log_extra"]("late", ["x"])
    >>> gathered.flush(print)
    words [1, 2, 3]
    late [None, None, 'x']
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._columns: dict[str, list[Any]] = {}

    def __call__(self, column: str, values: Sequence[Any]) -> None:
        """Keep a column.

        Raises:
            ValueError: It has not one value for each completion.
        """
        _check(column, values, self._count)
        known = self._columns.setdefault(column, [None] * self._count)
        for row, value in enumerate(values):
            if value is not None:
                known[row] = value

    def flush(self, log: LogExtra) -> None:
        """Pass all columns on."""
        for column, values in self._columns.items():
            log(column, values)
        self._columns.clear()


def gathering(given: Mapping[str, Any], count: int) -> tuple[dict[str, Any], Callable[[], None]]:
    """Return arguments that gather columns, and a function that passes these to the trainer afterwards.

    Args:
        given: Other arguments of the trainer.
        count: Completions of the batch.
    """
    log = given.get("log_extra")
    if not callable(log):
        return dict(given), lambda: None
    gathered = GatheredColumns(count)
    return {**given, "log_extra": gathered}, lambda: gathered.flush(log)


def for_rows(given: Mapping[str, Any], rows: Sequence[int], count: int) -> Mapping[str, Any]:
    """Return the same arguments for some rows of a batch.

    Args:
        given: As for the whole batch.
        rows: Their places in it.
        count: Completions of the whole batch.
    """
    log = given.get("log_extra")
    if not callable(log):
        return given

    def spread(column: str, values: Sequence[Any]) -> None:
        _check(column, values, len(rows))
        whole: list[Any] = [None] * count
        for row, value in zip(rows, values, strict=True):
            whole[row] = value
        log(column, whole)

    return {**given, "log_extra": spread}


def _check(column: str, values: Sequence[Any], count: int) -> None:
    if len(values) != count:
        raise ValueError(f"log_extra({column!r}) got {len(values)} values for {count} completions")
