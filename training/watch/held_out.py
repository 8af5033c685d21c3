"""Held-out accuracy from stage to stage of a pipeline: what one stage has brought another may lose."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from reward_verifiers.adapters.audit.chance import CHANCE, share_above
from reward_verifiers.adapters.audit.findings import Alarm

FALLEN = "heldout_fallen"
CURE = "read the held-out prompts of both stages in report.md; lower the later stage's learning rate or steps"
SEEN = 0.01
"""The chance below which a fall is said of in the report, without an alarm."""


def falls(metrics: Mapping[str, Mapping[str, Any]], off: Collection[str] = ()) -> Iterator[tuple[str, Alarm]]:
    """The stages after which fewer of the held-out rows are right than after an earlier one.

    The same rows are compared: of those that one stage answers right and the other wrong, as many would go
    one way as the other where nothing has changed, so the chance is a binomial tail (the sign test;
    McNemar 1947). An alarm where it is below `CHANCE`, a note where it is below `SEEN`.

    Args:
        metrics: Of the stages that are done, in their order.
        off: Names of alarms that are not raised.
    """
    if FALLEN in off:
        return
    best: tuple[str, list[float | None]] | None = None
    for name, found in metrics.items():
        measured = (found.get("end") or {}).get("heldout") or {}
        now = measured.get("outcomes")
        if not now:
            continue
        if best is not None and len(best[1]) == len(now):
            lost, won = _changed(best[1], now)
            chance = share_above(lost, lost + won, 0.5)
            if lost > won and chance < SEEN:
                yield name, _alarm(best, now, lost, won, chance, int(found.get("steps") or 0))
        if best is None or len(best[1]) != len(now) or _mean(now) > _mean(best[1]):
            best = name, now


def _changed(before: Sequence[float | None], now: Sequence[float | None]) -> tuple[int, int]:
    """Rows that went from better to worse, and from worse to better."""
    pairs = [(a, b) for a, b in zip(before, now, strict=True) if a is not None and b is not None]
    return sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)


def _alarm(
    best: tuple[str, list[float | None]],
    now: Sequence[float | None],
    lost: int,
    won: int,
    chance: float,
    step: int,
) -> Alarm:
    before, after = _mean(best[1]), _mean(now)
    return Alarm(
        FALLEN,
        step,
        f"held-out accuracy is {after:.3f}, and was {before:.3f} after stage {best[0]}: of the same "
        f"{len(now)} rows {lost} are answered worse and {won} better (chance {chance:.1g}); {CURE}",
        {"before": before, "now": after, "chance": chance},
        level="alarm" if chance < CHANCE else "note",
        value=after,
        threshold=before,
        cure=CURE,
    )


def _mean(values: Sequence[float | None]) -> float:
    judged = [value for value in values if value is not None]
    return sum(judged) / len(judged) if judged else 0.0
