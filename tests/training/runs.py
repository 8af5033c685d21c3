"""Runs of seconds: the demonstration's task with a smaller model."""

from __future__ import annotations

import copy
import json
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import yaml

from tests import forks
from tests.timing import HANG
from training.config import RunConfig

BASE: dict[str, Any] = {
    "threads": 1,
    "model": {"name": "training.arithmetic:model", "options": {"hidden": 32, "layers": 2}},
    "data": {
        "source": "training.arithmetic:problems",
        "options": {"train": 64, "held": 8},
        "format": "text",
    },
    # An untrained model writes digits here and there, so there is something to learn.
    "reward": {
        "sum": [
            {"Keywords": {"words": ["1", "2", "3"], "mode": "any"}, "name": "digits"},
            {"Length": {"maximum": 6}, "name": "length", "weight": 0.5},
        ]
    },
    "evaluation": {"at": []},
    "trainer": {
        "max_steps": 4,
        "per_device_train_batch_size": 8,
        "num_generations": 4,
        "max_completion_length": 8,
        "learning_rate": 1e-3,
        "lr_scheduler_type": "constant",
        "save_strategy": "no",
    },
}


def settings(folder: Path, **changes: Any) -> dict[str, Any]:
    """The base with changes; those to ``trainer``, ``data`` and ``model`` are merged into it."""
    data = copy.deepcopy(BASE)
    data["output_dir"] = str(folder)
    if "stages" in changes:
        del data["trainer"]  # each stage has its own
    for key, value in changes.items():
        if key in ("trainer", "data", "model", "evaluation") and isinstance(value, dict):
            data[key] = {**data[key], **value}
        else:
            data[key] = value
    return data


def config(folder: Path, **changes: Any) -> RunConfig:
    """A run's configuration."""
    return RunConfig.model_validate(settings(folder, **changes))


def write(path: Path, **changes: Any) -> Path:
    """The same as a file."""
    path.write_text(yaml.safe_dump(settings(path.parent / "out", **changes)))
    return path


def jsonl(path: Path, rows: Iterable[Any]) -> str:
    """Write a JSONL file, and return its place."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def source(folder: Path, rows: Iterable[Any], **more: Any) -> dict[str, Any]:
    """Rows as the data of a run."""
    return {"source": jsonl(folder / "rows.jsonl", rows), "options": {}, **more}


def plain_template(folder: Path) -> str:
    """A chat template that writes what the messages say, and a sign where an answer begins."""
    path = folder / "plain.jinja"
    path.write_text("{% for m in messages %}{{ m['content'] }}{% endfor %}=")
    return str(path)


RATING = {"max_steps": 30, "per_device_train_batch_size": 16, "learning_rate": 1e-3, "save_strategy": "no",
          "logging_steps": 5, "lr_scheduler_type": "constant"}  # fmt: skip


def rating(folder: Path, kind: str, rows: Iterable[Any], **changes: Any) -> dict[str, Any]:
    """A run of seconds of a model that rates."""
    model = {**BASE["model"], "chat_template": plain_template(folder)}
    data = {"source": jsonl(folder / "rows.jsonl", rows)}
    return {"output_dir": str(folder / kind), "threads": 1, "model": model, "data": data, "trainer": RATING,
            **changes}  # fmt: skip


def lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def kept_by(folder: Path, mode: str = "train") -> list[dict[str, Any]]:
    """The completions that a run has kept."""
    return lines(folder / "completions" / f"{mode}.rank0.jsonl")


def logged_by(folder: Path) -> list[dict[str, Any]]:
    """The log history of a run's steps."""
    return [row for row in lines(folder / "history.jsonl") if "reward" in row]


def kill_when(ready: Callable[[], bool], *program: object, cwd: Path) -> None:
    """Start a program that trains, and kill it when something is there."""
    with forks.start(*program, loaded=forks.TRAINING, cwd=cwd) as process:  # type: ignore[arg-type]
        deadline = time.monotonic() + 2 * HANG
        while not ready():
            assert process.poll() is None, process.said(2).decode()
            assert time.monotonic() < deadline
            time.sleep(0.005)
        process.kill()
        assert process.wait() == -signal.SIGKILL


def weights(folder: Path) -> dict[str, Any]:
    """The tensors of a saved model."""
    from safetensors.torch import load_file

    [file] = folder.glob("*.safetensors")
    found: dict[str, Any] = load_file(file)
    return found


def same_weights(one: Path, other: Path) -> bool:
    """Whether two models are equal to the bit."""
    first, second = weights(one), weights(other)
    return first.keys() == second.keys() and all((first[name] == second[name]).all() for name in first)
