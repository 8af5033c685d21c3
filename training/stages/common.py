"""What the stages that train have in common."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..callbacks import Alarms, Progress
from ..config import RunConfig
from ..environment import begin, peak_memory, rank, world_size
from ..generation import Sampling
from ..measure import Measured, measure
from ..options import lora_config
from ..prepare import Prepared
from ..resume import checkpoint_state, open_folder, write_json
from ..sampling import local_backend

SHOWN_SAMPLES = 8


def say(line: str) -> None:
    """A line for a person, once for all processes."""
    if rank() == 0:
        print(line, file=sys.stderr, flush=True)


class StageRun:
    """A stage's folder and clock, from its checkpoint to its metrics.

    Args:
        kind: Of the stage.
        config: Its configuration.

    Raises:
        ConfigError: The folder holds a run with other settings.
    """

    def __init__(self, kind: str, config: RunConfig) -> None:
        self.kind, self.config = kind, config
        self.started = time.monotonic()
        begin(config.threads)
        self.folder = Path(config.output_dir)
        self.checkpoint = open_folder(config, kind)
        self.model_folder = self.folder / "model"

    @property
    def done(self) -> dict[str, Any] | None:
        """The metrics of a run that came to its end; None for one that did not."""
        path = self.folder / "metrics.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None

    @property
    def resumed_step(self) -> int:
        """The step that a resumed run continues after; 0 for a new one."""
        return int(self.checkpoint.name.rpartition("-")[2]) if self.checkpoint else 0

    def checkpoint_state(self) -> dict[str, Any]:
        """What the checkpoint says; nothing without one."""
        return checkpoint_state(self.checkpoint) if self.checkpoint else {}

    def train(self, trainer: Any, shown: Mapping[str, str]) -> None:
        """Train from the checkpoint or from the start, with our own progress in place of TRL's."""
        from transformers import PrinterCallback
        from transformers.trainer_callback import ProgressCallback

        for callback in (PrinterCallback, ProgressCallback):
            trainer.remove_callback(callback)
        trainer.add_callback(Progress(shown, say))
        if self.checkpoint is not None:
            say(f"going on from {self.checkpoint}")
        trainer.train(resume_from_checkpoint=str(self.checkpoint) if self.checkpoint else None)

    def save(self, trainer: Any, tokenizer: Any) -> None:
        """The model (or its adapter) and the tokenizer, in ``model``."""
        trainer.save_model(str(self.model_folder))
        if rank() == 0:
            tokenizer.save_pretrained(str(self.model_folder))

    def finish(self, metrics: Mapping[str, Any], history: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Write the log history, and last the metrics: they say that the run is done."""
        all_metrics = {
            "kind": self.kind,
            **metrics,
            "seconds": round(time.monotonic() - self.started, 1),
            **peak_memory(),
            "processes": world_size(),
            "versions": versions(),
        }
        if rank() == 0:
            lines = "".join(json.dumps(row, default=str) + "\n" for row in history)
            (self.folder / "history.jsonl").write_text(lines, encoding="utf-8")
            write_json(self.folder / "metrics.json", all_metrics)
        return all_metrics

    def alarms(self) -> Alarms:
        """The callback that raises alarms."""
        return Alarms(self.config.watch, self.folder, self.resumed_step)


def versions() -> dict[str, str]:
    """Of what a run's figures depend on."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in ("reward-verifiers", "torch", "transformers", "trl", "peft", "vllm"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def peft_config(config: RunConfig) -> Any:
    """The LoRA configuration, if one is wanted."""
    return None if config.model.lora is None else lora_config(config.model.lora)


def measuring_sampling(config: RunConfig) -> Sampling:
    """Greedy, as long as the trainer's completions."""
    tokens = config.evaluation.max_tokens or config.trainer.get("max_completion_length") or 512
    return Sampling(k=1, temperature=0.0, max_tokens=int(tokens), seed=config.seed)


def exam(config: RunConfig, prepared: Prepared, model: Any) -> dict[str, Any]:
    """Greedy accuracy on held-out rows, and on rows of training; with samples.

    Empty where there is nothing to measure with, and where several processes share a model: then the
    trainer's own evaluation is what there is.
    """
    if prepared.strict is None or world_size() > 1 or not (prepared.heldout or config.evaluation.seen):
        return {}
    backend = local_backend(config, prepared, model)
    sampling = measuring_sampling(config)
    found: dict[str, Any] = {}
    seen = prepared.train[: config.evaluation.seen]
    # Supervised rows may hold no answers to compare with.
    seen = [
        row
        for row in seen
        if all(name in row for name in prepared.strict.columns() if name != "completion_tokens")
    ]
    for name, rows in (("heldout", prepared.heldout), ("seen", seen)):
        if rows:
            measured = measure(backend, rows, prepared.strict, prepared.outcome, sampling)
            found[name] = {**measured.to_dict(), "samples": samples(measured)}
    return found


def samples(measured: Measured) -> list[dict[str, Any]]:
    """The first few completions, for a report."""
    return [
        {
            "prompt": each.row["prompt"],
            "answer": each.row.get("answer"),
            "completion": each.completions[0].text,
            "reward": each.payments[0].value,
        }
        for each in measured.answered[:SHOWN_SAMPLES]
    ]


def accuracy_line(name: str, found: Mapping[str, Any]) -> str:
    """What an exam found, on a line."""
    shown = []
    for part, measured in found.items():
        if measured["accuracy"] is None:
            shown.append(f"{part}: no row could be judged")
        else:
            shown.append(f"{part} {measured['accuracy']:.3f} ± {measured['error']:.3f} (n={measured['n']})")
    return f"{name}: greedy accuracy {', '.join(shown)}"
