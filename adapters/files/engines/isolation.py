"""Rows that no process survives: each costs its own reward, not those of the rows beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TypeVar

from ..chunk_scorer import Scored, Scorer
from .apart import MOST_ENDED, Ended, apart

Item = TypeVar("Item")


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


def _of(items: list[Item], rows: range) -> list[Item]:
    return items[rows.start : rows.stop]


__all__ = ["MOST_ENDED", "Ended", "apart", "score_apart"]
