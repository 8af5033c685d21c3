"""Logs in a training run's folder, as a report reads them, even of a killed run."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError

from ..audit.findings import SAME_KEY, STRICT_KEY
from .scored_rows import number

PANELS: Mapping[str, Mapping[str, str]] = {
    "reward": {"reward": "reward", "strict": STRICT_KEY},
    "kl": {"KL": "kl", "beta": "beta"},
    "entropy": {"entropy": "entropy"},
    "loss": {"loss": "loss"},
    "clipped": {"clipped": "completions/clipped_ratio", "zero variance": SAME_KEY},
    "gradient": {"gradient": "grad_norm"},
}
"""What the trainer logged, by what a chart calls it; the first is drawn with the deviation of rewards."""
MOST_POINTS = 400
"""Points of a line; of longer histories several lines make one point."""


@dataclass(frozen=True)
class RunLogs:
    """Logs of a stage of a training run.

    Args:
        folder: Its folder.
        files: Its kept completions.
        history: Log of its trainer, line by line.
        alarms: The alarms by step, each with name, step, level and message.
        metrics: Figures before and after: ``metrics.json``; of a run that has not ended, those so far.
        notes: Notes of the report about the source.
    """

    folder: Path
    files: list[str]
    history: list[dict[str, Any]]
    alarms: list[dict[str, Any]]
    metrics: dict[str, Any]
    notes: list[str] = field(default_factory=list)

    def panels(self) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        """Yield the logged metrics that change, as curves; the reward's band is one standard deviation."""
        policy = any("reward" in row for row in self.history)
        for name, keys in PANELS.items():
            # A policy's loss says nothing: its mean is near 0 by construction.
            if policy and name == "loss":
                continue
            points = [point for label, key in keys.items() for point in self._line(label, key)]
            if any(before["mean"] != after["mean"] for before, after in pairwise(points)):
                yield name, points

    def _line(self, label: str, key: str) -> Iterator[dict[str, Any]]:
        rows = [
            (step, value, row)
            for row in self.history
            if (step := number(row.get("step"))) is not None and (value := number(row.get(key))) is not None
        ]
        each = -(-len(rows) // MOST_POINTS)
        for start in range(0, len(rows), max(each, 1)):
            some = rows[start : start + each]
            mean = math.fsum(value for _, value, _ in some) / len(some)
            point = {"step": some[0][0], "name": label, "mean": mean}
            spreads = [spread for *_, row in some if (spread := number(row.get(f"{key}_std"))) is not None]
            if len(spreads) == len(some):
                spread = math.fsum(spreads) / len(spreads)
                point |= {"low": mean - spread, "high": mean + spread}
            yield point


def run_logs(folder: Path) -> RunLogs:
    """Return the stage that a report is about: the last one with completions or a history.

    Args:
        folder: Output of ``verify-train``: a stage's folder, or one with several.

    Raises:
        ConfigError: The folder holds no run.
    """
    stages = [folder, *sorted(folder.glob("[0-9]*-*"), key=_order)]
    with_rows = [stage for stage in stages if _completions(stage)]
    with_logs = [stage for stage in stages if (stage / "history.jsonl").is_file()]
    if not with_rows:
        hint = "; none of its stages kept completions" if with_logs else ""
        raise ConfigError(
            f"{folder}: holds no completions of a run (completions/train.rank0.jsonl){hint}; name scored "
            "files, or a folder that verify-train wrote"
        )
    stage = with_rows[-1]
    notes = []
    if len(with_rows) > 1 or stage != folder:
        notes.append(f"stage: {stage.name}")
    history = _lines(stage / "history.jsonl")
    if not history:
        history, said = _of_checkpoint(stage)
        notes += said
    metrics = _json(stage / "metrics.json") or _so_far(stage)
    if not (stage / "metrics.json").is_file():
        notes.append("the run has not ended")
    if (files := _completions(stage)) and (stage / "completions" / "eval.rank0.jsonl").is_file():
        notes.append("completions of evaluation have reports of their own: completions/eval.rank0.jsonl")
    alarms = [each for each in _lines(stage / "alarms.jsonl") if number(each.get("step")) is not None]
    shown = [
        {
            "step": each["step"],
            "name": str(each.get("name")),
            "message": str(each.get("message")),
            "level": "warning" if each.get("level") == "warning" else "alarm",
        }
        for each in sorted(alarms, key=lambda each: float(each["step"]))
    ]
    return RunLogs(stage, files, history, shown, metrics, notes)


def _so_far(stage: Path) -> dict[str, Any]:
    """Return the progress of a run that has not ended, and its initial accuracy."""
    start = _json(stage / "start.json")
    return {**_json(stage / "progress.json"), **({"start": start} if start else {})}


def _completions(stage: Path) -> list[str]:
    files: Sequence[Path] = sorted((stage / "completions").glob("train.rank*.jsonl"))
    return [str(path) for path in files if path.stat().st_size]


def _order(path: Path) -> tuple[int, str]:
    digits = path.name.partition("-")[0]
    return (int(digits) if digits.isdecimal() else 0, path.name)


def _of_checkpoint(stage: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the history in the last checkpoint, for a run that has not ended."""
    # Runs of earlier versions have theirs beside the run's own files.
    found = [*stage.glob("trainer/checkpoint-*"), *stage.glob("checkpoint-*")]
    for path in sorted(found, key=lambda path: -_number(path)):
        history = _json(path / "trainer_state.json").get("log_history")
        if isinstance(history, list):
            return [row for row in history if isinstance(row, dict)], [f"the log is that of {path.name}"]
    return [], []


def _number(path: Path) -> int:
    digits = path.name.rpartition("-")[2]
    return int(digits) if digits.isdecimal() else 0


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _lines(path: Path) -> list[dict[str, Any]]:
    """Return the readable lines; a kill may have torn the last one."""
    try:
        raw = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    found = []
    for line in raw.split("\n"):
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            found.append(row)
    return found
