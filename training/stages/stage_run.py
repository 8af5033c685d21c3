"""A stage's folder, checkpoint and clock, shared by the stages that train."""

from __future__ import annotations

import functools
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from reward_verifiers.adapters.audit.findings import Finding
from reward_verifiers.verifiers import ConfigError

from ..config import RunConfig
from ..config.trainer_options import lora_config
from ..environment import barrier, begin, main_first, peak_memory, rank, say, world_size
from ..run.accuracy_measures import accuracy_line, exam
from ..run.model_card import CARD, CURVES, model_card, publish
from ..run.run_folder import (
    PROGRESS,
    keep_reference,
    last_checkpoint,
    length_note,
    open_folder,
    read_metrics,
    restore_reference,
    seconds_spent,
    write_json,
)
from ..run.run_inputs import Prepared
from ..watch.run_page import draw_curves
from ..watch.trainer_callbacks import Alarms, LiveFiles, Progress, for_trainer, write_history
from .step_rewards import step_reward

Train = Callable[[RunConfig], dict[str, Any]]


class StageRun:
    """A stage's folder and clock, from its checkpoint to its metrics.

    Raises:
        ConfigError: The folder holds a run with other settings.
    """

    def __init__(self, kind: str, config: RunConfig) -> None:
        if config.steps is not None and kind != "grpo":
            raise ConfigError(f"steps: {kind} has no advantages of tokens; only grpo can reward steps")
        self.kind, self.config = kind, config
        self.folder = Path(config.output_dir)
        self.started = time.monotonic()
        spent = seconds_spent(self.folder)
        begin(config.threads)
        with main_first():
            if rank() == 0:
                open_folder(config, kind)
        self.checkpoint = last_checkpoint(self.folder)
        if self.checkpoint is not None:
            self.started -= spent  # an interrupted run took what its parts took
        self.model_folder = self.folder / "model"
        self._alarms: Alarms | None = None

    def done(self) -> dict[str, Any] | None:
        """Return, and print, the metrics of a run that came to its end; None for one that did not."""
        if not (self.folder / "metrics.json").is_file():
            return None
        say(f"{self.folder}: this run is finished; resume=never starts it again, more steps continue it")
        if rank() == 0:
            publish(self.config, self.model_folder, say)
        return read_metrics(self.config)

    def check_rewards(self, prepared: Prepared) -> None:
        """Refuse to continue with another reward than the one that the run began with.

        Raises:
            ConfigError: The recipe's file has changed.
        """
        described = {
            name: None if each is None else each.describe()
            for name, each in (("reward", prepared.reward), ("evaluation.reward", prepared.strict))
        }
        if self.config.steps is not None:
            described["steps.by"] = step_reward(self.config.steps).describe()
        path = self.folder / "rewards.json"
        if self.checkpoint is not None and path.is_file():
            before = json.loads(path.read_text(encoding="utf-8"))
            changed = next((name for name in described if before.get(name) != described[name]), None)
            if changed is not None:
                raise ConfigError(
                    f"{self.folder}: the run began with another {changed}: {before.get(changed)!s:.120}; it "
                    f"is now {described[changed]!s:.120}. Choose another output_dir, or set resume=never"
                )
        elif rank() == 0:
            write_json(path, described)

    @property
    def resumed_step(self) -> int:
        """The step after which a resumed run continues; 0 for a new one."""
        return int(self.checkpoint.name.rpartition("-")[2]) if self.checkpoint else 0

    def train(self, trainer: Any, shown: Mapping[str, str]) -> None:
        """Train from the checkpoint or from the start, with our own progress in place of TRL's."""
        from transformers import PrinterCallback
        from transformers.trainer_callback import ProgressCallback

        for callback in (PrinterCallback, ProgressCallback):
            trainer.remove_callback(callback)
        trainer.add_callback(for_trainer(Progress, shown, say))
        # The last one: what the others add to a line of the history is to be in the file.
        raised = self._alarms.raised if self._alarms is not None else []
        trainer.add_callback(for_trainer(LiveFiles, self.folder, self.kind, raised, self.started, say))
        keep_reference(trainer, say)
        if self.checkpoint is None:
            trainer.train()
            return
        restore_reference(trainer, self.checkpoint, say)
        say(f"continuing from {self.checkpoint}")
        steps = _planned_steps(trainer)
        if note := length_note(self.checkpoint, steps):
            say(note)
        if steps is None or self.resumed_step < steps:
            trainer.train(resume_from_checkpoint=str(self.checkpoint))
            return
        # Asked to continue from its last step, transformers would take one more.
        from transformers import TrainerState

        trainer._load_from_checkpoint(str(self.checkpoint))
        trainer.state = TrainerState.load_from_json(str(self.checkpoint / "trainer_state.json"))
        trainer.state.max_steps = steps  # the checkpoint may be one of a run that was to be longer

    def save(self, trainer: Any, tokenizer: Any) -> None:
        """Save the model (or its adapter) and the tokenizer in ``model``."""
        trainer.save_model(str(self.model_folder))
        if rank() == 0:
            tokenizer.save_pretrained(str(self.model_folder))
        barrier()

    def measure_end(self, prepared: Prepared, trainer: Any) -> dict[str, Any]:
        """Return the final exam for the metrics; empty where none is wanted or possible."""
        if "end" not in self.config.evaluation.at:
            return {}
        found = exam(self.config, prepared, trainer.accelerator.unwrap_model(trainer.model))
        if found:
            say(accuracy_line("end", found))
        return {"end": found} if found else {}

    def finish(
        self,
        metrics: Mapping[str, Any],
        history: Sequence[Mapping[str, Any]],
        prepared: Prepared | None = None,
    ) -> dict[str, Any]:
        """Write the log history, the model's card, and last the metrics, which mark the run as done."""
        all_metrics = {
            "kind": self.kind,
            **metrics,
            "seconds": round(time.monotonic() - self.started, 1),
            **peak_memory(),
            "processes": world_size(),
            "versions": versions(),
        }
        if rank() == 0:
            write_history(self.folder, history)
            if self.model_folder.is_dir():
                pushed = bool(self.config.trainer.get("push_to_hub"))
                curves = pushed and draw_curves({self.kind: history}, self.model_folder / CURVES)
                card = model_card(self.kind, self.config, prepared, all_metrics, curves)
                (self.model_folder / CARD).write_text(card, encoding="utf-8", errors="backslashreplace")
            write_json(self.folder / "metrics.json", all_metrics)
            (self.folder / PROGRESS).unlink(missing_ok=True)
            say(f"{self.kind} is done: {self.folder}")
            publish(self.config, self.model_folder, say)
        barrier()
        return all_metrics

    def alarms(self, found: Callable[[], Mapping[str, Finding]] = dict) -> Alarms:
        """Return the callback that raises alarms."""
        self._alarms = for_trainer(Alarms, self.config.watch, self.folder, self.resumed_step, found)
        return self._alarms


def stage(kind: str) -> Callable[[Callable[[StageRun], dict[str, Any]]], Train]:
    """Make a stage's work into a function of its configuration.

    The function returns the metrics, as in ``metrics.json``, of a finished run without running it again. It
    raises `ConfigError` where something is missing or contradicts something else.
    """

    def made(train: Callable[[StageRun], dict[str, Any]]) -> Train:
        @functools.wraps(train)
        def begun(config: RunConfig) -> dict[str, Any]:
            run = StageRun(kind, config)
            done = run.done()
            return train(run) if done is None else done

        return begun

    return made


def _planned_steps(trainer: Any) -> int | None:
    """Return the number of steps planned for a run; None where its rows cannot be counted."""
    from transformers.trainer_utils import has_length

    args = trainer.args
    if args.max_steps > 0:
        return int(args.max_steps)
    loader = trainer.get_train_dataloader()
    if not has_length(loader):
        return None
    per_epoch = max(1, math.ceil(len(loader) / args.gradient_accumulation_steps))
    steps: int = math.ceil(args.num_train_epochs * per_epoch)
    return steps


def versions() -> dict[str, str]:
    """Return the versions of the packages that a run's figures depend on."""
    found = {}
    for name in ("reward-verifiers", "torch", "transformers", "trl", "peft", "vllm"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def peft_config(config: RunConfig) -> Any:
    """Return the LoRA configuration, if one is wanted."""
    return None if config.model.lora is None else lora_config(config.model.lora)
