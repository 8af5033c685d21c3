"""Whether a row may judge programs: its own solution is run before any other, once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from ...core.verdicts import Status, Verdict
from ...runtime.bounds import Kept
from .prepared import Prepared

_WEIGHT = 2_000
"""Bytes of a verdict that is kept."""
_KEPT = Kept[Verdict](64 << 20)


def on_own_solutions(
    rows: Sequence[Prepared],
    where: Hashable,
    judge: Callable[[Sequence[tuple[Prepared, str]]], Sequence[Verdict]],
) -> dict[str, Verdict]:
    """The verdict on the best of each row's own solutions, by the row's key; nothing of rows that bring none.

    All rows are judged in one batch. What a solution earned is remembered, what broke on the way is not.

    Args:
        rows: Tests, among which the same may be several times.
        where: What the verdicts depend on besides.
        judge: Judges programs.
    """
    wanted = {row.key: row for row in rows if row.tests.references}
    found: dict[str, Verdict] = {}
    for key in wanted:
        known = _KEPT.get((key, where))
        if known is not None:
            found[key] = known
    turn, waiting = 0, [row for key, row in wanted.items() if key not in found]
    while waiting:
        for row, verdict in zip(
            waiting, judge([(row, row.tests.references[turn]) for row in waiting]), strict=True
        ):
            best = found.get(row.key)
            if best is None or best.score is None or (verdict.score or 0.0) > best.score:
                found[row.key] = verdict
            if verdict.status is Status.SCORED:
                _KEPT.put((row.key, where), found[row.key], _WEIGHT)
        turn += 1
        waiting = [row for row in waiting if turn < len(row.tests.references) and found[row.key].score != 1.0]
    return found
