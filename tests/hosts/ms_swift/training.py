"""Runs of ``swift rlhf --rlhf_type grpo`` on the CPU, with replies that are set beforehand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LONGEST = 600
"""Seconds that a run may take."""


@dataclass(frozen=True)
class Run:
    """What a run left.

    Args:
        status: Its exit status.
        said: What it printed.
        steps: What it logged at each step.
        rows: The completions that it saved, with their columns.
    """

    status: int
    said: str
    steps: list[dict[str, Any]]
    rows: list[dict[str, Any]]


def run(
    folder: Path,
    model: Path,
    script: Mapping[str, Sequence[str]],
    answers: Mapping[str, str],
    options: Sequence[str],
    *,
    processes: int = 1,
    rows_each: int = 12,
) -> Run:
    """Train two steps.

    Args:
        folder: For what is read and written.
        model: The model's folder.
        script: The replies to each prompt, as many as a group has.
        answers: The reference of each prompt.
        options: Reward functions, their weights and plug-ins.
        processes: How many train together.
        rows_each: Completions that each of them has at a step.
    """
    data = [
        {"messages": [{"role": "user", "content": prompt}], "answer": answers[prompt]} for prompt in script
    ]
    (folder / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in data), encoding="utf-8")
    (folder / "script.json").write_text(json.dumps(script), encoding="utf-8")
    given = {
        "model": model, "model_type": "qwen2", "template": "qwen2_5", "dataset": folder / "data.jsonl",
        "tuner_type": "full", "torch_dtype": "float32", "num_generations": 4,
        "per_device_train_batch_size": rows_each, "gradient_accumulation_steps": 1, "max_steps": 2,
        "max_completion_length": 8, "use_vllm": "false", "logging_steps": 1, "save_strategy": "no",
        "report_to": "none", "output_dir": folder / "out", "add_version": "false", "split_dataset_ratio": 0,
        "dataloader_num_workers": 0, "use_cpu": "true", "load_from_cache_file": "false",
        "log_completions": "true", "learning_rate": "1e-3",
    }  # fmt: skip
    plugged = [each for name, value in given.items() for each in (f"--{name}", str(value))]
    command = [
        str(Path(sys.executable).with_name("swift")), "rlhf", "--rlhf_type", "grpo", *plugged, *options,
    ]  # fmt: skip
    quiet = {"USE_HF": "1", "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    more = {"SCRIPTED_REPLIES": str(folder / "script.json"), "HOME": str(folder)}
    if processes > 1:
        more |= {"NPROC_PER_NODE": str(processes)}
    done = subprocess.run(
        command, check=False, timeout=LONGEST, env={**os.environ, **quiet, **more}, cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    steps = [line for line in _lines(folder / "out" / "logging.jsonl") if "reward" in line]
    return Run(done.returncode, done.stdout, steps, _rows(_lines(folder / "out" / "completions.jsonl")))


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _rows(tables: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A row for each completion of the tables that ms-swift saves at every step."""
    found = []
    for table in tables:
        found += [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]
    return found
