"""Rows that no process survives: each costs its own reward, not those of the rows beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TypeVar

from ..chunk_scorer import Scored, Scorer
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
) -> list[Result]:
    """Score rows; those that end whatever scores them are cut in halves until one stands alone.

    Args:
        attempt: Scores some of the rows, or says how they ended what scored them.
        broken: What becomes of rows that did, by themselves.
        rows: All of them.
        whole: Whether the rows are compared, and stay together.

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
            if alone == MOST_ENDED and not survived:
                raise RunError(f"scoring ends its process on row after row: {found}")
            return [broken(rows, found)]
        half = len(rows) // 2
        return parts(rows[:half]) + parts(rows[half:])

    return parts(rows)


def score_apart(
    attempt: Callable[[list[bytes], list[str]], Scored | Ended],
    scorer: Callable[[], Scorer],
    lines: list[bytes],
    places: list[str],
) -> Scored:
    """Score a chunk of lines, of which some may end what scores them.

    Args:
        attempt: Scores lines, with what messages call them.
        scorer: Gives the scorer, which is asked for where rows have ended what scores them.
        lines: The chunk.
        places: What messages call the lines.

    Raises:
        RunError: Every row that was tried ends what scores it.
    """
    found = attempt(lines, places)
    if isinstance(found, Scored):
        return found
    first: Ended | None = found

    def again(rows: range) -> Scored | Ended:
        nonlocal first
        known, first = first, None
        return known if known is not None else attempt(_of(lines, rows), _of(places, rows))

    def broken(rows: range, detail: str) -> Scored:
        return scorer().broken(_of(lines, rows), _of(places, rows), detail)

    whole = scorer().reward.needs_groups
    return reduce(Scored.followed_by, apart(again, broken, range(len(lines)), whole=whole))


def _of(items: list[Result], rows: range) -> list[Result]:
    return items[rows.start : rows.stop]
