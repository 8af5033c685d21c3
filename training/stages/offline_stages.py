"""Stages that learn from rows that are there: supervised fine-tuning, and DPO (arXiv:2305.18290) on pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import require

from ..config.trainer_options import trainer_config
from ..data import COMPLETION, Row
from ..models.model_loading import init_options
from ..run.run_inputs import Prepared, prepare
from .stage_run import StageRun, peft_config, stage
from .trl_trainers import made


@stage("sft")
def train_supervised(run: StageRun) -> dict[str, Any]:
    """Train on prompts and completions; the loss is on the completions alone.

    ``data.completion`` or a column ``completion`` says what is to be learned.
    """
    args = trainer_config("sft", run.config, model_init_kwargs=init_options(run.config.model))
    prepared = prepare(run.config, needs_reward=False, completions=True)
    rows = [_example(row) for row in prepared.train]
    trainer, history = _trained(run, "SFTTrainer", args, prepared, rows, {"loss": "loss"})
    metrics: dict[str, Any] = {
        "steps": trainer.state.global_step,
        "rows": len(rows),
        "loss_first": history[0]["loss"] if history else None,
        "loss_last": history[-1]["loss"] if history else None,
    }
    metrics |= run.measure_end(prepared, trainer)
    return run.finish(metrics, trainer.state.log_history, prepared)


@stage("dpo")
def train_preference(run: StageRun) -> dict[str, Any]:
    """Train on rows with ``prompt``, ``chosen`` and ``rejected``, such as a select stage makes."""
    args = trainer_config("dpo", run.config, model_init_kwargs=init_options(run.config.model))
    prepared = prepare(run.config, needs_reward=False)
    pairs = [_pair(row, number) for number, row in enumerate(prepared.train)]
    shown = {"loss": "loss", "margin": "rewards/margins"}
    trainer, history = _trained(run, "DPOTrainer", args, prepared, pairs, shown)
    metrics: dict[str, Any] = {
        "steps": trainer.state.global_step,
        "pairs": len(pairs),
        "margin_last": history[-1].get("rewards/margins") if history else None,
    }
    metrics |= run.measure_end(prepared, trainer)
    return run.finish(metrics, trainer.state.log_history, prepared)


def _trained(
    run: StageRun,
    kind: str,
    args: Any,
    prepared: Prepared,
    rows: Sequence[dict[str, Any]],
    shown: Mapping[str, str],
) -> tuple[Any, list[dict[str, Any]]]:
    """Train one of TRL's trainers; return it, its model saved, with its log lines that have a loss."""
    trainer = made(
        getattr(require("trl", extra="train"), kind),
        model=prepared.place,
        args=args,
        train_dataset=require("datasets", extra="train").Dataset.from_list(rows),
        processing_class=prepared.tokenizer,
        peft_config=peft_config(run.config),
    )
    run.train(trainer, shown)
    run.save(trainer, prepared.tokenizer)
    return trainer, [row for row in trainer.state.log_history if "loss" in row]


def _example(row: Row) -> dict[str, Any]:
    prompt, completion = row["prompt"], row[COMPLETION]
    if isinstance(prompt, str):
        return {"prompt": prompt, "completion": completion}
    return {"prompt": prompt, "completion": [{"role": "assistant", "content": completion}]}


def _pair(row: dict[str, Any], number: int) -> dict[str, Any]:
    for name in ("chosen", "rejected"):
        if name not in row:
            raise ConfigError(
                f"row {number} of the data has no column {name!r}{nearest(name, row)}; pairs come from a "
                "select stage with select.purpose=dpo, or from: verify-cli select --for dpo"
            )
    prompt = row["prompt"]
    return {
        "prompt": prompt,
        "chosen": _told(prompt, row["chosen"]),
        "rejected": _told(prompt, row["rejected"]),
    }


def _told(prompt: Any, completion: Any) -> Any:
    """Return the completion in the prompt's form."""
    if isinstance(prompt, str):
        return completion if isinstance(completion, str) else completion[-1]["content"]
    if isinstance(completion, str):
        return [{"role": "assistant", "content": completion}]
    return completion
