"""Callbacks that watch a trainer: progress, alarms, an adaptive beta, and a lasting log."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from reward_verifiers.adapters.audit.alarms import Watcher
from reward_verifiers.adapters.audit.findings import LEVEL_KEY, RAISED_KEY, Alarm, Finding

from ..config import AdaptiveKL, Watch
from ..environment import rank
from ..run.run_folder import PROGRESS, write_json
from ..run.sampled_rows import rewind

T = TypeVar("T")


def for_trainer(kind: type[T], *arguments: Any) -> T:
    """Return one of the classes below as a callback of transformers' trainer.

    Its own callback class, which this mixes in, is loaded with torch: so nothing here inherits from it.

    Args:
        kind: The class; one with a ``state`` is kept in checkpoints.
        *arguments: Its arguments.
    """
    from transformers import TrainerCallback
    from transformers.trainer_callback import ExportableState

    kept = (ExportableState,) if hasattr(kind, "state") else ()
    made: T = type(kind.__name__, (kind, TrainerCallback, *kept), {})(*arguments)
    return made


class Alarms:
    """Raises each kind of alarm once, in ``alarms.jsonl``, on standard error and in the log.

    It looks at the trainer's own log history, which a checkpoint keeps: a resumed run sees what an
    uninterrupted one would, and all processes see the same.

    Args:
        watch: Conditions and effects of alarms.
        folder: The run's.
        resumed: The step that the run continues after; 0 for a new run.
        found: Latest findings of the audit of completions, by name.
    """

    def __init__(
        self,
        watch: Watch,
        folder: Path,
        resumed: int = 0,
        found: Callable[[], Mapping[str, Finding]] = dict,
    ) -> None:
        self.watch, self.path, self.found = watch, folder / "alarms.jsonl", found
        if rank() == 0:
            rewind(self.path, resumed + 1 if resumed else 0)
        lines = (
            self.path.read_text(encoding="utf-8").splitlines() if rank() == 0 and self.path.exists() else []
        )
        self.raised: list[Alarm] = [Alarm(**json.loads(line)) for line in lines]
        self._watcher, self._read = Watcher(watch, resumed), 0

    def on_log(
        self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any
    ) -> None:
        """Check the lines that the history has gained; after a resumption, all of it."""
        rows, self._read = state.log_history[self._read :], len(state.log_history)
        for row in rows:
            for alert in (*self._watcher.add(row), *row_alarms(row, self.found())):
                if alert.name in self.watch.off or any(each.name == alert.name for each in self.raised):
                    continue
                self.raised.append(alert)
                if state.is_world_process_zero:
                    self._tell(alert)
                if row is state.log_history[-1]:
                    # Whoever reports the line after this, such as W&B's callback, reports the alarm.
                    row[RAISED_KEY.format(name=alert.name)] = 1.0
                    if logs is not None:
                        logs[RAISED_KEY.format(name=alert.name)] = 1.0
                if self.watch.on_alarm == "stop" and alert.level == "alarm":
                    control.should_training_stop = True

    def _tell(self, alert: Alarm) -> None:
        line = f"{alert.level} {alert.name} at step {alert.step}: {alert.message}"
        print(line, file=sys.stderr, flush=True)
        with open(self.path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(json.dumps(alert.to_dict(), ensure_ascii=False) + "\n")


def row_alarms(row: Mapping[str, Any], found: Mapping[str, Finding]) -> Iterator[Alarm]:
    """Yield the alarms that a line of the log has from the audit of completions.

    Args:
        row: The line.
        found: Findings of this process; another one may have more.
    """
    for key, level in row.items():
        parts = key.split("/")
        if len(parts) != 3 or LEVEL_KEY.format(name=parts[1]) != key or not isinstance(level, int | float):
            continue
        name, step = parts[1], int(row.get("step", 0))
        finding = found.get(name)
        if finding is None:
            said = "found in completions of another process; read completions/train.rank*.jsonl"
            yield Alarm(name, step, said, level="alarm" if level > 2 else "warning")
            continue
        yield Alarm(
            name,
            step,
            f"{finding.message}; {finding.cure}",
            {"value": finding.value},
            level="alarm" if level > 2 else "warning",
            value=finding.value,
            threshold=finding.threshold,
            cure=finding.cure,
            part=finding.part,
            rows=finding.rows,
        )


class FollowKL:
    """Moves a trainer's ``beta`` so that KL stays near a target (Ziegler et al., arXiv:1909.08593).

    Where KL is above ``high * target`` beta grows by `factor`; below ``low * target`` it shrinks by it. It
    is looked at whenever the trainer logs; checkpoints keep it.

    Args:
        options: Target, factor and bounds.
        trainer: Trainer whose ``beta`` it sets before training starts.
    """

    def __init__(self, options: AdaptiveKL, trainer: Any = None) -> None:
        self.options, self.trainer = options, trainer

    def on_log(
        self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any
    ) -> None:
        """Move beta after the KL of the last steps is known."""
        kl = (logs or {}).get("kl")
        if kl is None:
            return
        before = self.trainer.beta
        self.trainer.beta = next_beta(self.options, kl, before)
        # The last line of the history is this one: what it was measured under.
        state.log_history[-1]["beta"] = before

    def state(self) -> dict[str, Any]:
        """Return the state for the checkpoint."""
        # The trainer asks while it is being made, when there is no beta yet.
        return {"args": {}, "attributes": {"beta": getattr(self.trainer, "beta", None)}}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Take beta from a checkpoint's ``trainer_state.json``."""
        found = saved.get("stateful_callbacks", {}).get(type(self).__name__)
        if found and found["attributes"]["beta"] is not None:
            self.trainer.beta = found["attributes"]["beta"]


def next_beta(options: AdaptiveKL, kl: float, beta: float) -> float:
    """Return the next beta.

    >>> round(next_beta(AdaptiveKL(target=0.1), kl=0.2, beta=0.04), 4)
    0.06
    >>> next_beta(AdaptiveKL(target=0.1), kl=0.1, beta=0.04)
    0.04
    """
    if not math.isfinite(kl) or kl <= 0:
        return beta  # before the first update the two are the same: that says nothing
    if kl > options.high * options.target:
        beta *= options.factor
    elif kl < options.low * options.target:
        beta /= options.factor
    return min(max(beta, options.minimum), options.maximum)


class Progress:
    """One line that moves at a terminal, and a line now and then elsewhere.

    Args:
        shown: The metrics' keys in the logs, by what the line calls them.
        say: Function that shows lines.
    """

    def __init__(self, shown: Mapping[str, str], say: Callable[[str], object]) -> None:
        self.shown, self.say = dict(shown), say
        self._bar: Any = None
        self._next = 0
        self._task: Any = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Start the bar."""
        if not state.is_world_process_zero:
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        console = Console(stderr=True)
        if console.is_terminal:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
            )
            self._bar = Bar(*columns, TextColumn("{task.fields[values]}"), console=console)
            self._task = self._bar.add_task("steps", total=state.max_steps, values="")
            self._bar.start()

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Move the bar."""
        if self._bar is not None:
            self._bar.update(self._task, completed=state.global_step)

    def on_log(
        self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any
    ) -> None:
        """Show the values; without a terminal at every tenth of the run."""
        values = [
            f"{name} {value:.3f}"
            for name, key in self.shown.items()
            if (value := (logs or {}).get(key)) is not None
        ]
        if not values or not state.is_world_process_zero:
            return
        if self._bar is not None:
            self._bar.update(self._task, values="  ".join(values))
        elif state.global_step >= self._next or state.global_step == state.max_steps:
            self._next = state.global_step + max(1, state.max_steps // 10)
            self.say(f"step {state.global_step}/{state.max_steps}  {'  '.join(values)}")

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Leave the bar as it is."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


ENDS = 5
"""Lines of the log history that the first and the last reward are the mean of."""


def history_bytes(history: Sequence[Mapping[str, Any]]) -> bytes:
    """Return a log history as the lines of ``history.jsonl``."""
    return "".join(json.dumps(row, default=str) + "\n" for row in history).encode("utf-8", "backslashreplace")


def write_history(folder: Path, history: Sequence[Mapping[str, Any]]) -> None:
    """Write ``history.jsonl``, whole or not at all."""
    part = folder / f"history.jsonl.part-{os.getpid()}"
    part.write_bytes(history_bytes(history))
    part.replace(folder / "history.jsonl")


class LiveFiles:
    """Keeps ``history.jsonl`` and ``progress.json`` as a run goes: lines are appended, figures replaced.

    A resumed run begins with the history of its checkpoint: steps that it takes once more are there once.

    Args:
        folder: The run's.
        kind: Kind of the stage.
        raised: The alarms so far.
        started: When it began, by the monotonic clock.
        say: Function that shows a line about a full disk.
    """

    def __init__(
        self, folder: Path, kind: str, raised: Sequence[Alarm], started: float, say: Callable[[str], object]
    ) -> None:
        self.folder, self.kind, self.raised, self.started, self.say = folder, kind, raised, started, say
        self._written = 0
        self._paid: list[float] = []
        self._broken = False

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Begin with the history of a checkpoint, or an empty one for a new run."""
        self._written, self._paid = len(state.log_history), _rewards(state.log_history)
        if state.is_world_process_zero:
            self._try(lambda: write_history(self.folder, state.log_history))
            self._try(lambda: self._write_progress(state))

    def on_log(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Append the lines that the history has gained."""
        rows, self._written = state.log_history[self._written :], len(state.log_history)
        rewards = _rewards(rows)
        self._paid += rewards
        if len(self._paid) > 2 * ENDS:
            self._paid = self._paid[:ENDS] + self._paid[-ENDS:]
        if state.is_world_process_zero:
            self._try(lambda: self._append(rows))
            self._try(lambda: self._write_progress(state))

    def _append(self, rows: Sequence[Mapping[str, Any]]) -> None:
        with open(self.folder / "history.jsonl", "ab") as file:
            file.write(history_bytes(rows))

    def _write_progress(self, state: Any) -> None:
        figures = {
            "kind": self.kind,
            "steps": state.global_step,
            "max_steps": state.max_steps,
            "reward_first": _mean(self._paid[:ENDS]),
            "reward_last": _mean(self._paid[-ENDS:]),
            "alarms": [each.to_dict() for each in self.raised],
            "seconds": round(time.monotonic() - self.started, 1),
            "last": dict(state.log_history[-1]) if state.log_history else {},
        }
        write_json(self.folder / PROGRESS, figures)

    def _try(self, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            # A full disk must not end a run that costs money; it is said once.
            if not self._broken:
                self.say(f"the log can no longer be kept in {self.folder}: {error}")
            self._broken = True


def _rewards(rows: Sequence[Mapping[str, Any]]) -> list[float]:
    return [float(row["reward"]) for row in rows if isinstance(row.get("reward"), int | float)]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
