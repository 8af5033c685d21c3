"""Alarms: findings in a run's log history that a person should look at now."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from .findings import (
    CUT_KEY,
    FORMAT_KEY,
    KL_KEY,
    LENGTH_KEY,
    SAME_KEY,
    STRICT_KEY,
    UNSCORED_KEY,
    Alarm,
    Watch,
)

KEYS = ("reward", STRICT_KEY, FORMAT_KEY, LENGTH_KEY, SAME_KEY, UNSCORED_KEY, CUT_KEY)
LARGEST = 1e100
"""No metric of a run is as large; squares of larger ones would overflow."""
CERTAIN = 4.0
"""Standard errors by which windows must differ. The windows compared are the most extreme of many, so that
two or three would be reached by chance in long runs."""
GONE = 0.8
"""The share of its best value that strict accuracy has lost when it is as good as gone; in two windows that
follow one another this takes less certainty (`LIKELY`) than a decline does."""
LIKELY = 3.0
CURES = {
    "hacking": "read the rows that are paid most at the last steps, and correct the recipe",
    "collapse": "go back to a checkpoint before, and lower the learning rate or raise beta",
    "format_drift": "read rows of the last steps; gate accuracy by format",
    "length_drift": "read rows of the last steps; SoftOverlong against endless completions",
    "zero_variance": "easier or harder prompts, or a higher temperature",
    "cut_off": "raise trainer.max_completion_length, or ask for shorter answers (SoftOverlong)",
    "kl_jump": "continue from a checkpoint with the reference model, or start again",
    "unscored": "look at the references (verify-train grpo --dry-run), and leave such rows out",
    "not_finite": "go back to a checkpoint, and lower the learning rate",
}
FEWEST = 4
"""Lines of the history in a window: of fewer, the standard error says nothing."""


@dataclass(frozen=True)
class Level:
    """Mean of a window, the squared deviations from it, and the figures that follow from them.

    Args:
        mean: Mean of the lines.
        squares: The sum of their squared deviations.
        count: Lines.
        error: The mean's standard error; known once the noise of all windows is (`_with_errors`).
    """

    mean: float
    squares: float
    count: int
    error: float = math.inf

    @property
    def spread(self) -> float:
        """Standard deviation of the lines; 0 for a single line."""
        return math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else 0.0

    def above(self, other: Level, certain: float = CERTAIN) -> bool:
        """Return whether this level is higher than another by more than chance."""
        return self.mean - other.mean > certain * math.hypot(self.error, other.error)


@dataclass(frozen=True)
class Window:
    """Consecutive steps, with the level of each metric."""

    step: int
    levels: Mapping[str, Level]

    def get(self, key: str) -> Level | None:
        """Return a metric's level, or None where it was not logged."""
        return self.levels.get(key)


class Watcher:
    """Follows a run's log history, line by line.

    Args:
        watch: The thresholds.
        resumed: The step that the run continues after; 0 for a new run.
    """

    def __init__(self, watch: Watch, resumed: int = 0) -> None:
        self.watch = watch
        self._kl = _KLCourse(resumed)
        self.windows: list[Window] = []
        self._rows: list[Mapping[str, Any]] = []
        # The first window is as short as can be: what a run begins with may be gone after a few steps.
        self._end = 0

    def add(self, row: Mapping[str, Any]) -> Iterator[Alarm]:
        """Yield the alarms that another line of the history raises.

        Args:
            row: ``step``, and metrics of the steps since the line before; lines of evaluation are left out.
        """
        yield from _not_finite(row)
        yield from self._kl.add(row)
        if "reward" not in row:
            return
        if row["reward"] is None or row["reward"] != row["reward"]:
            yield _nothing_judged(row["step"])
        self._rows.append(row)
        if row["step"] < self._end or len(self._rows) < FEWEST:
            return
        self.windows.append(_window(self._rows))
        self._rows, self._end = [], row["step"] + self.watch.every
        seen = _with_errors(self.windows)
        yield from _unscored(self.watch, seen[-1])
        yield from _zero_variance(self.watch, seen)
        yield from _cut_off(self.watch, seen)
        yield from _drift(self.watch, seen)


def _unscored(watch: Watch, now: Window) -> Iterator[Alarm]:
    share = now.get(UNSCORED_KEY)
    if share is not None and share.mean > watch.unscored:
        yield Alarm(
            "unscored",
            now.step,
            f"{share.mean:.0%} of the rows are unscored, so they teach nothing; verify-train grpo "
            "--dry-run names the references that are unusable",
            {"unscored": share.mean},
            value=share.mean,
            threshold=watch.unscored,
            cure=CURES["unscored"],
        )


def _nothing_judged(step: int) -> Alarm:
    return Alarm(
        "unscored",
        step,
        "no row of the batch could be judged, so nothing is learned; verify-train grpo --dry-run names the "
        "references that are unusable",
        cure=CURES["unscored"],
    )


def _not_finite(row: Mapping[str, Any]) -> Iterator[Alarm]:
    for name in ("loss", "grad_norm"):
        value = row.get(name)
        if isinstance(value, float) and not math.isfinite(value):
            yield Alarm(
                "not_finite",
                row.get("step", 0),
                f"{name} is {value}: the weights are likely ruined; go back to a checkpoint, and lower "
                "trainer.learning_rate or trainer.max_grad_norm",
                cure=CURES["not_finite"],
            )


def _zero_variance(watch: Watch, seen: Sequence[Window]) -> Iterator[Alarm]:
    shares = [window.get(SAME_KEY) for window in seen[-2:]]
    if len(shares) < 2 or any(share is None or share.mean < watch.zero_variance for share in shares):
        return
    strict = seen[-1].get(STRICT_KEY)
    if strict is not None and strict.mean > 0.9:
        return  # everything is solved, which is what was wanted
    yield Alarm(
        "zero_variance",
        seen[-1].step,
        f"in {shares[-1].mean:.0%} of the groups all completions were paid the same, so nothing is learned: "  # type: ignore[union-attr]
        "the prompts are too hard or too easy (verify-cli groups completions/train.rank0.jsonl), the policy "
        "has collapsed to one answer, or the temperature is too low",
        {"zero_variance": shares[-1].mean},  # type: ignore[union-attr]
        value=shares[-1].mean,  # type: ignore[union-attr]
        threshold=watch.zero_variance,
        cure=CURES["zero_variance"],
    )


def _cut_off(watch: Watch, seen: Sequence[Window]) -> Iterator[Alarm]:
    shares = [window.get(CUT_KEY) for window in seen[-2:]]
    if len(shares) < 2 or any(share is None or share.mean < watch.cut_off for share in shares):
        return
    strict = seen[-1].get(STRICT_KEY)
    if strict is not None and strict.mean > 0.9:
        return  # what is asked for comes before the end
    share = shares[-1].mean  # type: ignore[union-attr]
    yield Alarm(
        "cut_off",
        seen[-1].step,
        f"{share:.0%} of the completions are truncated, so their answers are not judged; {CURES['cut_off']}",
        {"cut_off": share},
        value=share,
        threshold=watch.cut_off,
        cure=CURES["cut_off"],
    )


class _KLCourse:
    """Check that KL continues from its previous level after a run is resumed.

    The steps before are the measure: a jump is a level that moved more between two lines than ever, and
    stays there.
    """

    BEFORE, AFTER, TIMES = 8, 3, 6.0

    def __init__(self, resumed: int) -> None:
        self._resumed = resumed
        self._before: list[float] = []
        self._after: list[float] = []

    def add(self, row: Mapping[str, Any]) -> Iterator[Alarm]:
        """Yield the alarm that another line raises, if any."""
        value = row.get(KL_KEY)
        if not self._resumed or not isinstance(value, int | float) or not math.isfinite(value):
            return
        if row["step"] <= self._resumed:
            self._before.append(value)
            return
        self._after.append(value)
        if len(self._after) != self.AFTER or len(self._before) < self.BEFORE:
            return
        usual = max(abs(later - earlier) for earlier, later in pairwise(self._before))
        last, now = self._before[-1], min(self._after, key=lambda each: abs(each - self._before[-1]))
        if usual and abs(now - last) > self.TIMES * usual:
            yield Alarm(
                "kl_jump",
                row["step"],
                f"KL was {last:.3g} when the run was interrupted, and is {now:.3g} since: the "
                f"reference model "
                f"or the weights have changed; {CURES['kl_jump']}",
                {"before": last, "now": now},
                value=now,
                threshold=last,
                cure=CURES["kl_jump"],
            )


def _drift(watch: Watch, seen: Sequence[Window]) -> Iterator[Alarm]:
    now = seen[-1]
    reward = now.get("reward")
    if reward is None:
        return
    best = _peak(seen, "reward")
    top = best.levels["reward"]
    fallen = top.above(reward) and top.mean - reward.mean > watch.collapse * abs(top.mean)
    right, strict = best.get(STRICT_KEY), now.get(STRICT_KEY)
    # Schedules and curricula make a reward fall while as much is right as before.
    if fallen and (right is None or strict is None or right.above(strict, LIKELY)):
        yield _collapse("the reward", best.step, top, now.step, reward, watch.collapse)
    for key, name, what in (
        (STRICT_KEY, "hacking", "strict accuracy"),
        (FORMAT_KEY, "format_drift", "the format"),
    ):
        level = now.get(key)
        if level is None:
            continue
        peak = _peak(seen, key)
        before, paid = peak.levels[key], peak.get("reward")
        if paid is None:
            continue
        gone = key == STRICT_KEY and _gone(before, [window.get(key) for window in seen[-2:]])
        fell = before.above(level) and before.mean - level.mean > watch.drop * before.mean
        if gone and not reward.above(paid):
            yield _collapse(what, peak.step, before, now.step, level, GONE)
        elif fell and reward.above(paid):
            yield Alarm(
                name,
                now.step,
                f"the reward rose from {paid.mean:.3f} to {reward.mean:.3f} while {what} fell from "
                f"{before.mean:.3f} (step {peak.step}) to {level.mean:.3f}: something else is being paid; "
                "read completions/train.rank0.jsonl, and correct the recipe",
                {"reward_before": paid.mean, "reward": reward.mean, "before": before.mean, "now": level.mean},
                value=level.mean,
                threshold=(1 - watch.drop) * before.mean,
                cure=CURES[name],
            )
    yield from _length(watch, seen)


def _peak(seen: Sequence[Window], key: str) -> Window:
    """Return the window in which a metric was highest."""
    return max((each for each in seen if each.get(key)), key=lambda each: each.levels[key].mean)


def _gone(before: Level, last: Sequence[Level | None]) -> bool:
    """Return whether the level has nearly vanished in both of the last two windows."""
    return len(last) == 2 and all(
        level is not None and level.mean < (1 - GONE) * before.mean and before.above(level, LIKELY)
        for level in last
    )


def _collapse(what: str, then: int, before: Level, step: int, now: Level, share: float) -> Alarm:
    return Alarm(
        "collapse",
        step,
        f"{what} fell from {before.mean:.3f} (step {then}) to {now.mean:.3f}; go back to a checkpoint "
        "before, and lower trainer.learning_rate or raise trainer.beta",
        {"before": before.mean, "now": now.mean},
        value=now.mean,
        threshold=before.mean - share * abs(before.mean),
        cure=CURES["collapse"],
    )


def _length(watch: Watch, seen: Sequence[Window]) -> Iterator[Alarm]:
    first, now = seen[0], seen[-1]
    lengths, rewards, accuracies = (
        (first.get(key), now.get(key)) for key in (LENGTH_KEY, "reward", STRICT_KEY)
    )
    if None in (*lengths, *rewards, *accuracies):
        return
    (before, length), (paid, reward), (right, strict) = lengths, rewards, accuracies
    factor = max(length.mean, 1e-9) / max(before.mean, 1e-9)  # type: ignore[union-attr]
    changed = max(factor, 1 / factor) > watch.length
    if changed and reward.above(paid) and not strict.above(right):  # type: ignore[union-attr,arg-type]
        yield Alarm(
            "length_drift",
            now.step,
            f"completions went from {before.mean:.0f} to {length.mean:.0f} tokens and the reward from "  # type: ignore[union-attr]
            f"{paid.mean:.3f} to {reward.mean:.3f} while strict accuracy did not rise: length is being paid",  # type: ignore[union-attr]
            {"length_before": before.mean, "length": length.mean},  # type: ignore[union-attr]
            value=length.mean,  # type: ignore[union-attr]
            threshold=before.mean * (watch.length if factor > 1 else 1 / watch.length),  # type: ignore[union-attr]
            cure=CURES["length_drift"],
        )


def _window(rows: Sequence[Mapping[str, Any]]) -> Window:
    levels = {}
    for key in KEYS:
        values = [row[key] for row in rows if isinstance(row.get(key), int | float)]
        values = [float(value) for value in values if abs(value) < LARGEST]
        if values:
            mean = sum(values) / len(values)
            squares = sum((value - mean) ** 2 for value in values)
            levels[key] = Level(mean, squares, len(values))
    return Window(rows[-1]["step"], levels)


def _with_errors(seen: Sequence[Window]) -> list[Window]:
    """Return the windows with standard errors from the noise of all of them.

    The few lines of one window may lie near one another by chance; then its own spread would make it look
    certain, and of many windows some would raise an alarm for nothing.
    """
    spreads = {}
    for key in KEYS:
        levels = [window.levels[key] for window in seen if key in window.levels]
        free = sum(level.count - 1 for level in levels)
        spreads[key] = math.sqrt(sum(level.squares for level in levels) / free) if free else math.inf
    return [
        Window(
            window.step,
            {
                key: replace(level, error=max(level.spread, spreads[key]) / math.sqrt(level.count))
                for key, level in window.levels.items()
            },
        )
        for window in seen
    ]
