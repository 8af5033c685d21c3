"""Cutting rows in halves until the one that breaks whatever scores them stands alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..scored_output import RunError

MOST_ENDED = 8
"""Rows that end their process, one after another and none that survives in between, before a run ends."""

Result = TypeVar("Result")


class Ended(str):
    """How rows ended what scored them, more than once."""

    __slots__ = ()


def apart(
    attempt: Callable[[range], Result | Ended],
    broken: Callable[[range, str], Result],
    rows: range,
    *,
    whole: bool = False,
    most: int | None = MOST_ENDED,
) -> list[Result]:
    """Score rows; those that end whatever scores them are cut in halves until one stands alone.

    Args:
        attempt: Scores some of the rows, or says how they ended what scored them.
        broken: What becomes of rows that did, by themselves.
        rows: All of them.
        whole: Whether the rows are compared, and stay together.
        most: Rows that break it one after another, and none that does not, before nothing more is tried; None
            for any number.

    Returns:
        What became of parts of the rows, in order.

    Raises:
        RunError: Every row that was tried ends what scores it.

    >>> seven = lambda rows: Ended("it is gone") if 7 in rows else f"{rows.start} to {rows.stop - 1}"
    >>> apart(seven, lambda rows, how: f"{rows.start}: {how}", range(12))
    ['0 to 5', '6 to 6', '7: it is gone', '8 to 8', '9 to 11']
    """
    alone, survived = 0, False

    def parts(rows: range) -> list[Result]:
        nonlocal alone, survived
        found = attempt(rows)
        if not isinstance(found, Ended):
            survived = True
            return [found]
        if len(rows) == 1 or whole:
            alone += 1
            if alone == most and not survived:
                raise RunError(f"scoring ends its process on row after row: {found}")
            return [broken(rows, found)]
        half = len(rows) // 2
        return parts(rows[:half]) + parts(rows[half:])

    return parts(rows)
