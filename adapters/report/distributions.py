"""Distributions of rewards and lengths, and their relation."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from .means import FEW, Figures

BARS = 40
"""Bars of a histogram, at most."""
GRID = 24
"""Columns of lengths in the picture of length against reward, and rows of rewards."""
KINDS = ("right", "partly", "wrong", "not_judged")
"""What an outcome is called."""


def outcome_kind(outcome: float) -> str:
    """Return the name of an outcome; NaN stands for none."""
    if math.isnan(outcome):
        return "not_judged"
    return "right" if outcome == 1.0 else "wrong" if outcome == 0.0 else "partly"


class Scale:
    """Equal steps from the least value to the greatest; few different values are a step each.

    Args:
        values: Values on it; NaN is left out.
        steps: At most.
        log: Whether the steps are equal in ratio; for values from 0 up.
    """

    def __init__(self, values: Sequence[float], steps: int, log: bool = False) -> None:
        own = sorted({value for value in values if not math.isnan(value)})
        self.log = log
        self.single = own if len(own) <= min(steps, FEW) else None
        self.places = {value: index for index, value in enumerate(own)} if self.single else {}
        self.low = self._on(own[0]) if own else 0.0
        self.width = (self._on(own[-1]) - self.low) / steps if own else 0.0
        self.steps = steps

    def _on(self, value: float) -> float:
        return math.log(max(value, 1.0)) if self.log else value

    def _off(self, value: float) -> float:
        return math.exp(value) if self.log else value

    def place(self, value: float) -> int:
        """Return the number of the step that a value is in."""
        if self.single:
            return self.places[value]
        return min(int((self._on(value) - self.low) / self.width), self.steps - 1) if self.width else 0

    def ends(self, place: int) -> tuple[float, float]:
        """Return the bounds of a step."""
        if self.single:
            return self.single[place], self.single[place]
        return (
            self._off(self.low + place * self.width),
            self._off(self.low + (place + 1) * self.width),
        )


def by_outcome(figures: Figures, values: Sequence[float], log: bool = False) -> list[dict[str, Any]]:
    """Return a histogram in which each bar is divided by outcome."""
    scale = Scale(values, BARS, log)
    counts: Counter[tuple[int, str]] = Counter()
    for place, value in enumerate(values):
        if not math.isnan(value):
            counts[scale.place(value), outcome_kind(figures.outcome_of(place))] += 1
    found = []
    for (step, kind), count in sorted(counts.items()):
        low, high = scale.ends(step)
        found.append({"low": low, "high": high, "kind": kind, "count": count})
    return found


def length_and_reward(figures: Figures) -> dict[str, list[dict[str, Any]]]:
    """Count completions by length and reward, with the mean reward of each length."""
    table = figures.table
    lengths = Scale(table.lengths, GRID, log=True)
    rewards = Scale(table.rewards, GRID)
    cells: Counter[tuple[int, int]] = Counter()
    columns: dict[int, list[int]] = {}
    for place, reward in enumerate(table.rewards):
        if not math.isnan(reward):
            column = lengths.place(table.lengths[place])
            cells[column, rewards.place(reward)] += 1
            columns.setdefault(column, []).append(place)
    half = _half_step(rewards)
    grid = []
    for (column, row), count in sorted(cells.items()):
        (left, right), (low, high) = lengths.ends(column), rewards.ends(row)
        if low == high:
            low, high = low - half, high + half
        grid.append(
            {"left": left, "right": right + (left == right), "low": low, "high": high, "count": count}
        )
    means = []
    for column, places in sorted(columns.items()):
        left, right = lengths.ends(column)
        means.append({"length": math.sqrt(left * right), **(figures.interval(table.rewards, places) or {})})
    return {"grid": grid, "means": means}


def _half_step(scale: Scale) -> float:
    if not scale.single or len(scale.single) < 2:
        return 0.05
    return min(after - before for before, after in zip(scale.single, scale.single[1:], strict=False)) * 0.4
