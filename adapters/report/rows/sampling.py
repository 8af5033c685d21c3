"""Which rows keep their texts where not all of them fit into a page."""

from __future__ import annotations

import math
from collections import defaultdict
from hashlib import blake2b

from .table import Table


def chosen_rows(table: Table, fits: int, first_part: str | None) -> list[bool]:
    """A stratified sample of rows that holds all that are flagged, as far as these fit.

    Strata are source, tenth of the steps, status and reason; each gives in turn the row that comes first by a
    hash of its group. So rare reasons are there in full, and most groups are whole.

    Args:
        table: The numbers of all rows.
        fits: Bytes of rows, as they are in the files, that fit.
        first_part: The part whose reason makes strata.
    """
    order = sorted(range(len(table)), key=_hashes(table).__getitem__)
    chosen = [False] * len(table)
    left = fits
    for place in order:
        if table.flags[place] and table.sizes[place] <= left:
            chosen[place] = True
            left -= table.sizes[place]
    strata: defaultdict[tuple[int, int, int, int], list[int]] = defaultdict(list)
    for place in reversed(order):
        if not chosen[place]:
            strata[_stratum(table, place, first_part)].append(place)
    waiting = list(strata.values())
    while waiting:
        for places in waiting:
            place = places.pop()
            if table.sizes[place] <= left:
                chosen[place] = True
                left -= table.sizes[place]
        waiting = [places for places in waiting if places]
    return chosen


def _hashes(table: Table) -> list[bytes]:
    known = {
        group: blake2b(group.to_bytes(8, "little"), digest_size=8).digest() for group in set(table.groups)
    }
    return [known[group] for group in table.groups]


def _stratum(table: Table, place: int, first_part: str | None) -> tuple[int, int, int, int]:
    step = table.steps[place]
    part = table.parts.get(first_part) if first_part is not None else None
    last = table.steps[len(table) - 1]
    tenth = 0 if math.isnan(step) or math.isnan(last) or last <= 0 else int(10 * min(step / last, 1.0))
    return (
        table.sources[place],
        tenth,
        table.statuses[place],
        0 if part is None else part.reasons[place],
    )
