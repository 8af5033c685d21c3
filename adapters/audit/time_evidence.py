"""Changes while a model trains: the alarms of a run, and drifts that a history does not show.

Scored rows with a column `step` are a history, as a run would have logged it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from .alarms import CURES, Watcher
from .audited_rows import Rows
from .chance import CHANCE, Change, change_over, tail
from .findings import (
    FORMAT_KEY,
    LENGTH_KEY,
    LIMITS,
    SAME_KEY,
    STRICT_KEY,
    UNSCORED_KEY,
    Finding,
    Limits,
    Thresholds,
)
from .row_traits import SCRIPTS, known

FORMAT = "format"


def history(rows: Rows) -> Iterator[dict[str, Any]]:
    """Yield a line for each step, under the keys of a run's log."""
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
    """Return the share of groups whose rows are all rewarded alike; None where no prompt has two."""
    groups: dict[int, list[float]] = {}
    for place in places:
        if not math.isnan(value := rows.reward[place]):
            groups.setdefault(rows.group[place], []).append(value)
    several = [values for values in groups.values() if len(values) > 1]
    return sum(len(set(values)) == 1 for values in several) / len(several) if several else None


SURE = 4.0
"""Standard errors by which a change must be more than scatter."""
FLAT = 3.0
"""Standard errors within which what is flat may yet have risen."""
RISE = 0.1
"""The share of its range that a reward must have risen by."""
ALARMS = ("hacking", "collapse")
"""What is an alarm in a file, too; the other alarms of a run are warnings there."""


def alarms(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Yield the alarms that a run with these rows would have raised, each kind once."""
    watcher, seen = Watcher(Thresholds()), set()
    for line in history(rows):
        for raised in watcher.add(line):
            if raised.name in seen:
                continue
            seen.add(raised.name)
            figure = next((value for key, value in raised.values.items() if key in ("now", "length")), None)
            value = next(iter(raised.values.values()), 0.0) if figure is None else figure
            yield Finding(
                raised.name,
                "alarm" if raised.name in ALARMS else "warning",
                f"at step {raised.step}: {raised.message}",
                value,
                SURE,
                tail(SURE),
                CURES[raised.name],
            )


def flat_accuracy(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find a reward that rises while correctness stays flat from the first step on."""
    strict = rows.measured()
    paid, right = (change_over(rows.means_by_step(name)) for name in ("reward", "right"))
    if paid is None or right is None or not _rises(paid, rows.reward):
        return
    error = _error(right)
    most = right.after - right.before + FLAT * error
    if most >= limits.flat * (paid.after - paid.before):
        return
    last = max(rows.by_step().values(), key=lambda places: rows.step[places[0]])
    wrong = [place + 1 for place in last if strict[place] == 0.0 and rows.reward[place] > paid.after * 0.9]
    yield Finding(
        "hacking",
        "warning",
        f"the reward rose from {paid.before:.3f} to {paid.after:.3f} while the outcome went from "
        f"{right.before:.3f} to {right.after:.3f}, so something else earns reward",
        round(most, 4),
        round(limits.flat * (paid.after - paid.before), 4),
        paid.chance,
        "pay the format only together with a right answer (`accuracy.when(format)`), or less",
        wrong[:20],
    )


def drifts(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find drifts of language and repetition."""
    for name in SCRIPTS:
        change = change_over(rows.means_by_step(name))
        if change is None or change.after - change.before < limits.script or change.z < SURE:
            continue
        yield Finding(
            "language_drift",
            "warning",
            f"the share of {name} among the letters went from {change.before:.0%} to {change.after:.0%}",
            round(change.after - change.before, 4),
            limits.script,
            change.chance,
            "pay LanguageConsistency beside the answer, or sample in the language that is asked for",
            _last_with(rows, name),
        )
    change = change_over(rows.means_by_step("repeated"))
    if change is not None and change.after - change.before > limits.repeated and change.z > SURE:
        yield Finding(
            "repetition_drift",
            "warning",
            f"the share of repeated text went from {change.before:.0%} to {change.after:.0%}",
            round(change.after - change.before, 4),
            limits.repeated,
            change.chance,
            "pay a repetition penalty, and lower the learning rate",
        )


def tags_over_time(rows: Rows, limits: Limits = LIMITS) -> Iterator[Finding]:
    """Find a growing number of tags."""
    change = change_over(rows.means_by_step("tags"))
    if change is None or change.z < SURE or change.after < max(limits.tags, 2 * change.before):
        return
    yield Finding(
        "tag_stuffing",
        "warning",
        f"completions went from {change.before:.1f} tags to {change.after:.1f}",
        round(change.after, 2),
        round(max(limits.tags, 2 * change.before), 2),
        change.chance,
        "use TagFormat, which refuses a repeated tag, in place of a count of tags",
    )


def _rises(change: Change, column: Sequence[float]) -> bool:
    values = known(column)
    span = max(values) - min(values)
    return change.z > SURE and change.after - change.before > RISE * span and change.chance < CHANCE


def _error(change: Change) -> float:
    return abs(change.after - change.before) / abs(change.z) if change.z else 0.0


def _last_with(rows: Rows, script: str) -> list[int]:
    column = rows.scripts[script]
    found = [place + 1 for place in range(rows.count) if column[place] > 0.5]
    return found[-20:]
