"""Stages that train models of steps, of outcomes and of preferences, which `PrmScore` and `OrmScore` load."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError

from ..config import Data, RunConfig
from ..config.trainer_options import trainer_config
from ..environment import barrier, main_first, rank, say
from ..models.model_loading import load_tokenizer
from ..models.model_places import locate
from ..research.rated_rows import held_apart, outcome_rows, pair_rows, step_rows, without_questions
from ..research.rating_exams import outcome_exam, pair_exam, step_exam
from ..research.rating_trainer import (
    SEEN,
    accuracy_of,
    figure_range,
    figures,
    head_model,
    head_trainer,
    outcome_examples,
    pair_examples,
    pair_loss,
    sides,
    step_examples,
)
from ..run.run_inputs import outcome_part, reward_of
from .stage_run import StageRun, stage


@stage("prm")
def train_step_model(run: StageRun) -> dict[str, Any]:
    """Train a token classifier on labelled steps, asked as `PrmScore` with the format ``trl`` asks it.

    ``data`` are lines of `verify-train label`, or of a set that `read_labels` knows.
    """
    config = run.config
    args = trainer_config("prm", config)
    read = functools.partial(step_rows, neutral=config.head.neutral, seed=config.seed)
    rows, held = _split(config, read)
    trainer, count = _trained(run, args, rows, step_examples)
    splits = sorted({row.by for row in rows if row.by})
    split = f', by="{splits[0]}"' if len(splits) == 1 else ""
    metrics = {
        "steps": trainer.state.global_step,
        "rows": count,
        "labels": sum(label is not None for row in rows for label in row.labels),
        "load": f'PrmScore("{run.model_folder}", "trl"{split})',
        **_losses(trainer),
    }
    history = trainer.state.log_history
    del trainer
    if held and rank() == 0:
        metrics["heldout"] = step_exam(run.model_folder, rows, held)
        _say_figures(metrics["heldout"])
    say(str(metrics["load"]))
    return run.finish(metrics, history)


@stage("orm")
def train_outcome_model(run: StageRun) -> dict[str, Any]:
    """Train a sequence classifier on whole solutions that are right or wrong, as `OrmScore` uses it.

    Each solution is a row with its own label, as verifiers give them (Cobbe et al., 2021, arXiv:2110.14168),
    and not one of a pair (`trl.RewardTrainer`). So prompts that are always or never solved teach something as
    well, and the output is a log odds, which makes `OrmScore` a probability.

    See `outcome_rows` for the ``data``.
    """
    config = run.config
    args = trainer_config("orm", config)
    part = _part(config)
    rows, held = _split(
        config, functools.partial(outcome_rows, part=part, of=config.head.of, seed=config.seed)
    )
    trainer, count = _trained(run, args, rows, outcome_examples)
    of = "" if config.head.of == "response" else f', of="{config.head.of}"'
    metrics = {
        "steps": trainer.state.global_step,
        "rows": count,
        "right": sum(row.right for row in rows),
        "load": f'OrmScore("{run.model_folder}"{of})',
        **_losses(trainer),
    }
    history = trainer.state.log_history
    del trainer
    if held and rank() == 0:
        metrics["heldout"] = outcome_exam(run.model_folder, held)
        _say_figures(metrics["heldout"])
    say(str(metrics["load"]))
    return run.finish(metrics, history)


@stage("rm")
def train_reward_model(run: StageRun) -> dict[str, Any]:
    """Train a sequence classifier on preferences (Bradley and Terry), as `OrmScore` uses it.

    The model is saved with ``reward_range``, the 5th and the 95th percentile of its outputs on training rows.
    `OrmScore` is the position between them, and is limited to what training showed.

    ``data`` are pairs, see `pair_rows`; ``heldout`` in the metrics has the accuracy on pairs of other
    questions before and after training.
    """
    config = run.config
    args = trainer_config("rm", config, remove_unused_columns=False)
    rows, held = _split(config, functools.partial(pair_rows, of=config.head.of, seed=config.seed))
    options = {"loss": pair_loss(config.head.center), "laid": sides}
    trainer, examples, tokenizer = _trainer(run, args, rows, pair_examples, **options)
    model = trainer.accelerator.unwrap_model(trainer.model)
    named = config.head, config.model.name, tokenizer
    before = accuracy_of(model, held, *named) if held else None
    run.train(trainer, {"loss": "loss"})
    model.config.reward_range = figure_range(figures(model, examples[:SEEN], tokenizer.pad_token_id or 0))
    _save(run, trainer, tokenizer)
    of = "" if config.head.of == "response" else f', of="{config.head.of}"'
    metrics = {
        "steps": trainer.state.global_step,
        "pairs": len(examples),
        "reward_range": model.config.reward_range,
        "load": f'OrmScore("{run.model_folder}"{of})',
        **_losses(trainer),
    }
    history = trainer.state.log_history
    del trainer, model
    if held and rank() == 0:
        metrics["heldout"] = {**pair_exam(run.model_folder, held), "before": before}
        _say_figures(metrics["heldout"])
    say(str(metrics["load"]))
    return run.finish(metrics, history)


def _split(config: RunConfig, read: Any) -> tuple[list[Any], list[Any]]:
    """Return rows to train on, and rows of other questions."""
    if config.data is None:
        raise ConfigError("the key 'data' is missing: {source: FILE}, such as verify-train label writes")
    rows = read(config.data)
    given: Data | None = config.evaluation.data
    if given is None:
        return held_apart(rows, config.evaluation.holdout, config.seed)
    held = read(given)
    rows = without_questions(rows, {row.question for row in held})
    if not rows:
        raise ConfigError("all questions to train on are held out; give evaluation.data others")
    return rows, held


def _trainer(
    run: StageRun, args: Any, rows: Sequence[Any], examples_of: Any, **options: Any
) -> tuple[Any, list[dict[str, Any]], Any]:
    """Return the trainer before training, its training rows, and the tokenizer."""
    config = run.config
    with main_first():
        place = locate(config.model, Path(config.output_dir), config.seed)
    tokenizer = load_tokenizer(config.model, place)
    model = head_model(run.kind, config, place, tokenizer)  # type: ignore[arg-type]
    examples = examples_of(rows, config.head, config.model.name, tokenizer, model)
    if len(examples) < len(rows):
        say(f"{len(rows) - len(examples)} of {len(rows)} rows are too long, and are left out")
    return head_trainer(model, args, examples, tokenizer, **options), examples, tokenizer


def _trained(run: StageRun, args: Any, rows: Sequence[Any], examples_of: Any) -> tuple[Any, int]:
    """Return the trainer after training, with the model in the run's folder."""
    trainer, examples, tokenizer = _trainer(run, args, rows, examples_of)
    run.train(trainer, {"loss": "loss"})
    _save(run, trainer, tokenizer)
    return trainer, len(examples)


def _save(run: StageRun, trainer: Any, tokenizer: Any) -> None:
    if run.config.model.lora is not None:
        # Whole: what loads models of steps and outcomes takes no adapters.
        merged = trainer.accelerator.unwrap_model(trainer.model).merge_and_unload()
        if rank() == 0:
            merged.save_pretrained(run.model_folder)
            tokenizer.save_pretrained(run.model_folder)
        barrier()
    else:
        run.save(trainer, tokenizer)


def _part(config: RunConfig) -> Any:
    """Return a function that names the part of a scored line that judges correctness."""
    wanted = config.head.outcome
    if wanted is None and config.reward is not None:
        wanted = outcome_part(reward_of(config.reward), None, "reward")

    def part(row: Any) -> str:
        if wanted is not None:
            return wanted
        names = list(row["reward_parts"])
        if len(names) != 1:
            raise ConfigError(
                f"head.outcome: which part tells right from wrong? there are: {', '.join(names)}"
            )
        return str(names[0])

    return part


def _losses(trainer: Any) -> dict[str, Any]:
    losses = [row["loss"] for row in trainer.state.log_history if "loss" in row]
    return {"loss_first": losses[0] if losses else None, "loss_last": losses[-1] if losses else None}


def _say_figures(found: dict[str, Any]) -> None:
    shown = {name: found[name] for name in ("accuracy", "auc") if found.get(name)}
    if found.get("first_error", {}).get("f1"):
        shown["first-error F1"] = found["first_error"]["f1"]
    names = {"any": "any right", "random": "random pick", "picked": "picked right"}
    if found.get("before"):
        shown["accuracy before training"] = found["before"]
    for name, figure in found.get("picks", {}).items():
        if isinstance(figure, list):
            shown[names.get(name, f"picked right by {name}")] = figure
    for name, (middle, low, high) in shown.items():
        say(f"held out: {name} {middle:.3f} ({low:.3f} to {high:.3f})")
