"""The rows that a person should look at first, and why."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..rows.table import FLIPPED, NOT_STRICT, SAME_TEXT, UNPAID, Table

TEN = 10
"""Rows that are named: what somebody reads before anything else."""


def first_rows(table: Table, right: Sequence[float] | None) -> list[dict[str, object]]:
    """Rows from every cause of doubt in turn, those that cost most first; none of a table without doubts.

    Args:
        table: The rows.
        right: The outcome of each; None where no part says it.

    Returns:
        The ``row`` (its place), and ``why``, which is one of `WHY`; ``wrong_alone`` is wrong where most other
        completions of the prompt are right.
    """
    waiting = {why: _places(table, right, why) for why in WHY}
    named: dict[int, str] = {}
    while waiting and len(named) < TEN:
        for why, places in list(waiting.items()):
            place = next((each for each in places if each not in named), None)
            if place is None:
                del waiting[why]
            elif len(named) < TEN:
                named[place] = why
    order = {why: turn for turn, why in enumerate(WHY)}
    return [
        {"row": place, "why": why}
        for place, why in sorted(named.items(), key=lambda pair: (order[pair[1]], pair[0]))
    ]


WHY = (
    *("lost", "won", "fault", "unscored", "reference_unpaid", "not_strict", "same_text", "wrong_alone"),
    "wrong",
)
"""In the order in which they are looked at."""


def _places(table: Table, right: Sequence[float] | None, why: str) -> Iterator[int]:
    every = range(len(table))
    flags, statuses = table.flags, table.statuses
    bits = {"reference_unpaid": UNPAID, "not_strict": NOT_STRICT, "same_text": SAME_TEXT}
    if why in bits:
        return (place for place in every if flags[place] & bits[why])
    if why in ("lost", "won"):
        later = (place for place in every if flags[place] & FLIPPED and table.runs[place])
        return (place for place in later if (table.changes[place] < 0) == (why == "lost"))
    if why in ("fault", "unscored"):
        return (place for place in every if statuses[place] == (3 if why == "fault" else 2))
    values = table.rewards if right is None else right
    wrong = (place for place in every if values[place] == 0.0)
    return wrong if why == "wrong" else _alone(table, values, wrong)


def _alone(table: Table, values: Sequence[float], wrong: Iterator[int]) -> Iterator[int]:
    """Wrong rows of groups that are right otherwise."""
    best: dict[int, list[float]] = {}
    for group, value in zip(table.groups, values, strict=True):
        if not math.isnan(value):
            counted = best.setdefault(group, [0.0, 0.0])
            counted[0] += value == 1.0
            counted[1] += 1.0
    return (place for place in wrong if best[table.groups[place]][0] > 0.5 * best[table.groups[place]][1])
