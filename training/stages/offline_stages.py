"""Stages that learn from rows that are there: supervised fine-tuning, and DPO (arXiv:2305.18290) on pairs."""

from __future__ import annotations

from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import require

from ..config import RunConfig
from ..config.trainer_options import trainer_config
from ..data import COMPLETION, Row
from ..models.model_loading import init_options
from ..run.run_inputs import prepare
from .stage_run import StageRun, peft_config
from .trl_trainers import made


def train_supervised(config: RunConfig) -> dict[str, Any]:
    """Train on prompts and completions; the loss is on the completions alone.

    Args:
        config: The run; ``data.completion`` or a column ``completion`` says what is to be learned.

    Returns:
        The metrics, as in ``metrics.json``.

    Raises:
        ConfigError: Something is missing or contradicts something else.
    """
    run = StageRun("sft", config)
    if (done := run.done()) is not None:
        return done
    args = trainer_config("sft", config, model_init_kwargs=init_options(config.model))
    prepared = prepare(config, needs_reward=False, completions=True)
    rows = [_example(row) for row in prepared.train]
    trl = require("trl", extra="train")
    datasets = require("datasets", extra="train")
    trainer = made(
        trl.SFTTrainer,
        model=prepared.place,
        args=args,
        train_dataset=datasets.Dataset.from_list(rows),
        processing_class=prepared.tokenizer,
        peft_config=peft_config(config),
    )
    run.train(trainer, {"loss": "loss"})
    run.save(trainer, prepared.tokenizer)
    history = [row for row in trainer.state.log_history if "loss" in row]
    metrics: dict[str, Any] = {
        "steps": trainer.state.global_step,
        "rows": len(rows),
        "loss_first": history[0]["loss"] if history else None,
        "loss_last": history[-1]["loss"] if history else None,
    }
    metrics |= run.measure_end(prepared, trainer)
    return run.finish(metrics, trainer.state.log_history, prepared)


def _example(row: Row) -> dict[str, Any]:
    prompt, completion = row["prompt"], row[COMPLETION]
    if isinstance(prompt, str):
        return {"prompt": prompt, "completion": completion}
    return {"prompt": prompt, "completion": [{"role": "assistant", "content": completion}]}


def train_preference(config: RunConfig) -> dict[str, Any]:
    """Train on rows with ``prompt``, ``chosen`` and ``rejected``, such as a select stage makes.

    Args:
        config: The run.

    Returns:
        The metrics, as in ``metrics.json``.

    Raises:
        ConfigError: Something is missing or contradicts something else.
    """
    run = StageRun("dpo", config)
    if (done := run.done()) is not None:
        return done
    args = trainer_config("dpo", config, model_init_kwargs=init_options(config.model))
    prepared = prepare(config, needs_reward=False)
    trl = require("trl", extra="train")
    datasets = require("datasets", extra="train")
    pairs = [_pair(row, number) for number, row in enumerate(prepared.train)]
    trainer = made(
        trl.DPOTrainer,
        model=prepared.place,
        args=args,
        train_dataset=datasets.Dataset.from_list(pairs),
        processing_class=prepared.tokenizer,
        peft_config=peft_config(config),
    )
    run.train(trainer, {"loss": "loss", "margin": "rewards/margins"})
    run.save(trainer, prepared.tokenizer)
    history = [row for row in trainer.state.log_history if "loss" in row]
    metrics: dict[str, Any] = {
        "steps": trainer.state.global_step,
        "pairs": len(pairs),
        "margin_last": history[-1].get("rewards/margins") if history else None,
    }
    metrics |= run.measure_end(prepared, trainer)
    return run.finish(metrics, trainer.state.log_history, prepared)


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
    """The completion in the prompt's form."""
    if isinstance(prompt, str):
        return completion if isinstance(completion, str) else completion[-1]["content"]
    if isinstance(completion, str):
        return [{"role": "assistant", "content": completion}]
    return completion
