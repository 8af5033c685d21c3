"""Runs of seconds: the demonstration's task with a smaller model."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import yaml

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


def lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def weights(folder: Path) -> dict[str, Any]:
    """The tensors of a saved model."""
    from safetensors.torch import load_file

    [file] = folder.glob("*.safetensors")
    found: dict[str, Any] = load_file(file)
    return found
