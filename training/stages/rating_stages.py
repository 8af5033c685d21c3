"""Stages that train models of steps and of outcomes, which `PrmScore` and `OrmScore` load."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verifiers import ConfigError
from verifiers.metrics.local_models import chosen_device
from verifiers.process.models.formats import FORMATS
from verifiers.process.models.outcome_model import OutcomeModel
from verifiers.process.models.step_model import OverLimitError, StepModel

from ..config import Data, RunConfig
from ..config.trainer_options import trainer_config
from ..environment import barrier, main_first, rank
from ..models.model_loading import load_tokenizer
from ..models.model_places import locate
from ..process.rated_rows import Outcome, held_apart, outcome_rows, step_rows, without_questions
from ..process.rating_measures import auc, best_threshold, picked, picks, share, step_figures
from ..process.rating_trainer import head_model, head_trainer, outcome_examples, step_examples
from ..process.step_labels import StepLabels
from ..run.reward_recipes import outcome_part, reward_of
from ..watch.messages import say
from .stage_run import StageRun

MEASURED_AT_ONCE = 8
CHOSEN_ON = 1000
"""Rows of training that a threshold is chosen on, at most."""


def train_step_model(config: RunConfig) -> dict[str, Any]:
    """Train a token classifier on labelled steps, asked as `PrmScore` with the format ``trl`` asks it.

    Args:
        config: The run; ``data`` are lines of `verify-train label`, or of a set that `read_labels` knows.

    Returns:
        The metrics, as in ``metrics.json``.

    Raises:
        ConfigError: Something is missing or contradicts something else.
    """
    run = StageRun("prm", config)
    if (done := run.done()) is not None:
        return done
    args = trainer_config("prm", config)
    read = functools.partial(step_rows, neutral=config.head.neutral, seed=config.seed)
    rows, held = _split(config, read)
    trainer, count = _trained(run, config, args, rows, step_examples)
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
        metrics["heldout"] = _step_exam(run.model_folder, rows, held)
        _say_figures(metrics["heldout"])
    say(str(metrics["load"]))
    return run.finish(metrics, history)


def train_outcome_model(config: RunConfig) -> dict[str, Any]:
    """Train a sequence classifier on whole solutions that are right or wrong, as `OrmScore` asks it.

    Each solution is a row of its own with a label of its own, as verifiers give them (Cobbe et al., 2021,
    arXiv:2110.14168), rather than one of a pair (`trl.RewardTrainer`): prompts that are always or never
    solved teach something, too, and the figure is a log odds, so that `OrmScore` is a probability.

    Args:
        config: The run; see `outcome_rows` for the ``data``.

    Returns:
        The metrics, as in ``metrics.json``.

    Raises:
        ConfigError: Something is missing or contradicts something else.
    """
    run = StageRun("orm", config)
    if (done := run.done()) is not None:
        return done
    args = trainer_config("orm", config)
    part = _part(config)
    rows, held = _split(
        config, functools.partial(outcome_rows, part=part, of=config.head.of, seed=config.seed)
    )
    trainer, count = _trained(run, config, args, rows, outcome_examples)
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
        metrics["heldout"] = _outcome_exam(run.model_folder, held)
        _say_figures(metrics["heldout"])
    say(str(metrics["load"]))
    return run.finish(metrics, history)


def _split(config: RunConfig, read: Any) -> tuple[list[Any], list[Any]]:
    """Rows to train on, and rows of other questions."""
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


def _trained(
    run: StageRun, config: RunConfig, args: Any, rows: Sequence[Any], examples_of: Any
) -> tuple[Any, int]:
    """The trainer after training, with the model in the run's folder."""
    with main_first():
        place = locate(config.model, Path(config.output_dir), config.seed)
    tokenizer = load_tokenizer(config.model, place)
    model = head_model(run.kind, config, place, tokenizer)  # type: ignore[arg-type]
    examples = examples_of(rows, config.head, config.model.name, tokenizer, model)
    if len(examples) < len(rows):
        say(f"{len(rows) - len(examples)} of {len(rows)} rows are too long, and are left out")
    trainer = head_trainer(model, args, examples, tokenizer)
    run.train(trainer, {"loss": "loss"})
    if config.model.lora is not None:
        # Whole: what loads models of steps and outcomes takes no adapters.
        merged = trainer.accelerator.unwrap_model(trainer.model).merge_and_unload()
        if rank() == 0:
            merged.save_pretrained(run.model_folder)
            tokenizer.save_pretrained(run.model_folder)
        barrier()
    else:
        run.save(trainer, tokenizer)
    return trainer, len(examples)


def _part(config: RunConfig) -> Any:
    """Which part of a scored line says whether it is right."""
    wanted = config.head.outcome
    if wanted is None and config.reward is not None:
        wanted = outcome_part(reward_of(config.reward), None, "reward")

    def part(row: Any) -> str:
        if wanted is not None:
            return wanted
        names = list(row["reward_parts"])
        if len(names) != 1:
            raise ConfigError(f"head.outcome: which part says what is right? there are: {', '.join(names)}")
        return str(names[0])

    return part


def step_scores(folder: Path, rows: Sequence[StepLabels]) -> list[list[float] | None]:
    """What a saved model of steps says of rows, as `PrmScore` would; None where a row is too long for it."""
    device = chosen_device(None)
    model = StepModel(str(folder), FORMATS["trl"], device, "float32")
    asked = [(row.question.strip(), row.steps) for row in rows]
    found = model.scores(asked, MEASURED_AT_ONCE)
    return [None if isinstance(each, OverLimitError) else each for each in found]


def outcome_scores(folder: Path, rows: Sequence[Outcome]) -> list[float | None]:
    """What a saved model of outcomes says of rows: a log odds; None where a row is too long for it."""
    model = OutcomeModel(str(folder), chosen_device(None), "float32")
    found = model.figures([(row.question.strip(), row.text) for row in rows], MEASURED_AT_ONCE)
    return [None if isinstance(each, OverLimitError) else each for each in found]


def _step_exam(folder: Path, rows: Sequence[StepLabels], held: Sequence[StepLabels]) -> dict[str, Any]:
    seen = rows[:CHOSEN_ON]
    threshold = best_threshold(seen, step_scores(folder, seen))
    scores = step_scores(folder, held)
    return {
        **step_figures(held, scores),
        "at_threshold": step_figures(held, scores, threshold),
        "picks": picks(held, scores),
    }


def _outcome_exam(folder: Path, held: Sequence[Outcome]) -> dict[str, Any]:
    scores = outcome_scores(folder, held)
    known = [(row, score) for row, score in zip(held, scores, strict=True) if score is not None]
    groups: dict[Any, list[tuple[float | None, bool]]] = {}
    for row, score in zip(held, scores, strict=True):
        groups.setdefault(row.question, []).append((score, row.right))
    several = {question: group for question, group in groups.items() if len(group) > 1}
    return {
        "rows": len(held),
        "unread": len(held) - len(known),
        "accuracy": share([(row.question, (score >= 0) == row.right) for row, score in known]),
        "auc": auc([(row.question, row.right, score) for row, score in known]),
        "picks": {"questions": len(several), **picked(several)} if several else {},
    }


def _losses(trainer: Any) -> dict[str, Any]:
    losses = [row["loss"] for row in trainer.state.log_history if "loss" in row]
    return {"loss_first": losses[0] if losses else None, "loss_last": losses[-1] if losses else None}


def _say_figures(found: dict[str, Any]) -> None:
    shown = {name: found[name] for name in ("accuracy", "auc") if found.get(name)}
    if found.get("first_error", {}).get("f1"):
        shown["first-error F1"] = found["first_error"]["f1"]
    names = {"any": "any right", "random": "random pick", "picked": "picked right"}
    for name, figure in found["picks"].items():
        if isinstance(figure, list):
            shown[names.get(name, f"picked right by {name}")] = figure
    for name, (middle, low, high) in shown.items():
        say(f"held out: {name} {middle:.3f} ({low:.3f} to {high:.3f})")
