"""What a run has logged, in its folder at every logging step: whatever ends it, nothing is lost."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.adapters.audit.findings import Alarm

from ..run.run_folder import PROGRESS, write_json

ENDS = 5
"""Lines of the log history that the first and the last reward are the mean of."""


def history_bytes(history: Sequence[Mapping[str, Any]]) -> bytes:
    """A log history as the lines of ``history.jsonl``."""
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
        kind: Of the stage.
        raised: The alarms so far.
        started: When it began, by the monotonic clock.
        say: Where a line about a full disk goes.
    """

    def __init__(
        self, folder: Path, kind: str, raised: Sequence[Alarm], started: float, say: Callable[[str], object]
    ) -> None:
        self.folder, self.kind, self.raised, self.started, self.say = folder, kind, raised, started, say
        self._written = 0
        self._paid: list[float] = []
        self._broken = False

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Begin with what a checkpoint knows; a new run with nothing."""
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
