"""Scored rows with a column `step` as the history that a run would have logged."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..audited_rows import Rows
from ..log_keys import FORMAT_KEY, LENGTH_KEY, SAME_KEY, STRICT_KEY, UNSCORED_KEY
from ..row_parts import known

FORMAT = "format"


def history(rows: Rows) -> Iterator[dict[str, Any]]:
    """A line for each step, under the keys of a run's log."""
    form = rows.parts.get(FORMAT)
    for step, places in rows.by_step().items():
        line: dict[str, Any] = {"step": int(step)}
        reward = _mean(rows.reward, places)
        line["reward"] = reward
        columns = {STRICT_KEY: rows.measured(), LENGTH_KEY: rows.length}
        if form is not None:
            columns[FORMAT_KEY] = form.scores
        for key, column in columns.items():
            mean = _mean(column, places)
            if mean is not None:
                line[key] = mean
        line[UNSCORED_KEY] = 1 - len(known(rows.reward[place] for place in places)) / len(places)
        same = _same(rows, places)
        if same is not None:
            line[SAME_KEY] = same
        yield line


def _mean(column: Any, places: list[int]) -> float | None:
    values = known(column[place] for place in places)
    return sum(values) / len(values) if values else None


def _same(rows: Rows, places: list[int]) -> float | None:
    """The share of groups whose rows are all paid alike; None where no prompt has two."""
    groups: dict[int, list[float]] = {}
    for place in places:
        if not math.isnan(value := rows.reward[place]):
            groups.setdefault(rows.group[place], []).append(value)
    several = [values for values in groups.values() if len(values) > 1]
    return sum(len(set(values)) == 1 for values in several) / len(several) if several else None
