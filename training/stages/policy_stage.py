"""GRPO and RLOO: a policy learns from its completions' rewards, along a curriculum if configured."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reward_verifiers.adapters.audit.findings import AUDIT_SECONDS_KEY, LENGTH_KEY, STRICT_KEY
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from ..agent_tools import GivenTools, check_tools, given_tools, with_rows
from ..config import Curriculum, RunConfig
from ..config.algorithms import advantage_of, on_policy_note
from ..config.trainer_options import trainer_config
from ..data import Row
from ..environment import rank, say, world_size
from ..generation import Sampling
from ..models.model_loading import init_options, reader
from ..run.accuracy_measures import accuracy_line, answer, exam, summary
from ..run.run_folder import RATES, checkpoint_state, resume_notes, write_json
from ..run.run_inputs import Prepared, local_backend, prepare, unwatched_opinion
from ..run.sampled_rows import Recorder
from ..watch.row_alarms import RowAlarms
from ..watch.trainer_callbacks import FollowKL, for_trainer
from .policy_rewards import RunRewards
from .stage_run import StageRun, peft_config
from .step_rewards import step_paying
from .trl_trainers import check_additions, dataset_of, policy_trainer


def ordered(config: RunConfig, prepared: Prepared, args: Any) -> list[Row]:
    """Return the rows in the order of training, as often as they are needed.

    The trainer's own shuffling is switched off in `args`. The order depends on the seed alone, so a resumed
    run continues with the same prompts.

    Raises:
        ConfigError: No pass rates, or nothing is left between the bounds.
    """
    curriculum = config.curriculum
    assert curriculum is not None  # noqa: S101  (the caller has looked)
    rows = prepared.train
    if curriculum.measure and any(curriculum.column not in row for row in rows):
        rows = _measured(config, prepared, curriculum)
    draws = _draws(args, len(rows))
    args.shuffle_dataset = False
    return schedule(rows, curriculum, draws, config.seed, config.round)


def schedule(
    rows: Sequence[Row], curriculum: Curriculum, draws: int, seed: int, number: int = 0
) -> list[Row]:
    """Draw rows from the window that is open at each point of training.

    Args:
        rows: With their pass rates.
        curriculum: Settings of the window.
        draws: Prompts that training needs.
        seed: Random seed of the draws.
        number: Number of the round, which has an order of its own.

    Raises:
        ConfigError: A row has no pass rate, or none lies between the bounds.
    """
    rates = [_rate(row, curriculum.column, number) for number, row in enumerate(rows)]
    within = [index for index, rate in enumerate(rates) if curriculum.minimum <= rate <= curriculum.maximum]
    if not within:
        raise ConfigError(
            f"curriculum: no prompt has a pass rate from {curriculum.minimum} to {curriculum.maximum}; they "
            f"lie from {min(rates):.2f} to {max(rates):.2f}"
        )
    rng = random.Random(f"{seed} curriculum {number or ''}".rstrip())  # noqa: S311
    within.sort(key=lambda index: (-rates[index], rng.random()))
    found: list[Row] = []
    deck: list[int] = []
    for draw in range(draws):
        done = draw / max(draws, 1)
        share = curriculum.start + (1 - curriculum.start) * min(done / curriculum.until, 1.0)
        window = within[: max(1, round(share * len(within)))]
        if not deck:
            # Each prompt of the window once before any comes again.
            deck = rng.sample(window, len(window))
        found.append(rows[deck.pop()])
    return found


def _rate(row: Row, column: str, number: int) -> float:
    if column not in row:
        raise ConfigError(
            f"curriculum.column: row {number} has no column {column!r}{nearest(column, row)}; "
            "curriculum.measure=8 samples 8 completions of each prompt first"
        )
    value = row[column]
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
        raise ConfigError(
            f"curriculum.column: {column} of row {number} is not a share from 0 to 1: {value!r:.40}"
        )
    return float(value)


def _draws(args: Any, rows: int) -> int:
    """Return the number of prompts that the whole training needs."""
    per_step = args.per_device_train_batch_size * args.world_size * args.gradient_accumulation_steps
    prompts = per_step / args.num_generations / max(args.num_iterations, 1)
    wanted = args.max_steps * prompts if args.max_steps > 0 else args.num_train_epochs * rows
    # Whole generations: the trainer leaves an incomplete one out.
    together = max(1, args.generation_batch_size // args.num_generations)
    return int(max(1, math.ceil(wanted / together)) * together)


def _measured(config: RunConfig, prepared: Prepared, curriculum: Curriculum) -> list[Row]:
    """Return rows with the model's own pass rates, which are measured once and kept."""
    path = Path(config.output_dir) / RATES
    if path.is_file():
        rates = json.loads(path.read_text())
    else:
        assert prepared.strict is not None  # noqa: S101  (policies have a reward)
        backend = local_backend(config, prepared)
        tokens = config.sample.max_tokens or config.trainer.get("max_completion_length") or 512
        sampling = Sampling(k=curriculum.measure, max_tokens=int(tokens), seed=config.seed)
        rates = [
            summary([each], prepared.outcome).accuracy
            for each in answer(backend, prepared.train, prepared.strict, sampling)
        ]
        write_json(path, rates)
    return [
        {**row, curriculum.column: rate}
        for row, rate in zip(prepared.train, rates, strict=True)
        if rate is not None
    ]


ENDS = 5
"""Lines of the log history that the first and the last reward are the mean of."""


def train_policy(kind: str, config: RunConfig) -> dict[str, Any]:
    """Train by GRPO or RLOO.

    Returns:
        The metrics, as in ``metrics.json``.

    Raises:
        ConfigError: Something is missing or contradicts something else.
    """
    run = StageRun(kind, config)
    if (done := run.done()) is not None:
        return done
    prepared = prepare(config, needs_reward=True)
    run.check_rewards(prepared)
    _tell(config, prepared)
    given = given_tools(config)
    check_tools(kind, config, given, prepared.tokenizer, [*prepared.train, *prepared.heldout])
    args = policy_arguments(kind, config)
    train = prepared.train if config.curriculum is None else ordered(config, prepared, args)
    evaluated = _evaluated(prepared, args)
    rows = [*train, *evaluated]
    own = _own_parts(run, config, prepared, args, rows, is_messages=given.calls)
    args.reward_weights = own.rewards.weights
    steps = None
    if config.steps is not None:
        steps = config.steps, step_paying(config.steps, train, args.num_generations)
    trainer = policy_trainer(
        kind,
        recorder=own.recorder,
        rewards=own.rewards,
        dynamic=config.dynamic_sampling,
        group_size=config.group_size,
        steps=steps,
        advantage=advantage_of(config.algorithm),
        number=config.round,
        **_tool_options(given, rows),
        model=prepared.place,
        args=args,
        train_dataset=dataset_of(train),
        eval_dataset=dataset_of(evaluated, len(train)) if evaluated else None,
        processing_class=prepared.tokenizer,
        peft_config=peft_config(config),
        callbacks=own.callbacks,
    )
    _attach(own, run, trainer)
    start = _exam_at_start(run, config, prepared, trainer)
    run.train(trainer, _shown(own.rewards))
    run.save(trainer, prepared.tokenizer)
    metrics = _metrics(trainer, own.alarms, start)
    metrics |= run.measure_end(prepared, trainer)
    if "end" in config.evaluation.at and evaluated and world_size() > 1:
        metrics["end_evaluation"] = trainer.evaluate()
    return run.finish(metrics, trainer.state.log_history, prepared)


def check_policy(kind: str, config: RunConfig, prepared: Prepared, args: Any) -> None:
    """Refuse impossible settings as the run would, without loading a model.

    Raises:
        ConfigError: Something contradicts something else.
    """
    assert prepared.reward is not None  # noqa: S101  (prepare has asked for it)
    given = given_tools(config)
    check_tools(kind, config, given, prepared.tokenizer, [*prepared.train, *prepared.heldout])
    if config.curriculum is not None and not config.curriculum.measure:
        ordered(config, prepared, args)
    rows = [*prepared.train, *_evaluated(prepared, args)]
    strict = prepared.strict if config.evaluation.reward is not None else None
    rewards = RunRewards(
        prepared.reward,
        strict,
        rows,
        outcome=None if strict is None else prepared.outcome,
        num_generations=args.num_generations,
        weighted=_weighted(args),
    )
    if config.steps is not None:
        step_paying(config.steps, prepared.train, args.num_generations)
    additions = config.dynamic_sampling, config.group_size, config.steps, advantage_of(config.algorithm)
    check_additions(kind, args, rewards, *additions)


def _weighted(args: Any) -> bool:
    """Return whether the trainer normalises every part by itself."""
    return getattr(args, "multi_objective_aggregation", "") == "normalize_then_sum"


def _evaluated(prepared: Prepared, args: Any) -> list[dict[str, Any]]:
    """Return the rows that the trainer itself evaluates.

    It does so by the reward that pays, too; where it does not, held-out rows need not have what this reads.

    Raises:
        ConfigError: It is to, and there are none.
    """
    if args.eval_strategy == "no":
        return prepared.heldout if world_size() > 1 else []
    if not prepared.heldout:
        raise ConfigError(
            "trainer.eval_strategy: there are no rows to evaluate with; set evaluation.data or "
            "evaluation.holdout"
        )
    return prepared.heldout


def _tell(config: RunConfig, prepared: Prepared) -> None:
    """Print notes that a person should read before hours of training."""
    assert prepared.reward is not None  # noqa: S101  (prepare has asked for it)
    if prepared.too_long:
        say(prepared.told())
    if opinion := unwatched_opinion(config, prepared.reward):
        say(opinion)


@dataclass(frozen=True)
class _OwnParts:
    """A run's additions to the trainer; each knows where a checkpoint left it."""

    rewards: RunRewards
    recorder: Recorder | None
    alarms: Any
    audit: Any | None
    follow: Any | None

    @property
    def callbacks(self) -> list[Any]:
        return [each for each in (self.alarms, self.audit, self.follow) if each is not None]


def _own_parts(
    run: StageRun,
    config: RunConfig,
    prepared: Prepared,
    args: Any,
    rows: Sequence[dict[str, Any]],
    *,
    is_messages: bool,
) -> _OwnParts:
    assert prepared.reward is not None  # noqa: S101  (prepare has asked for it)
    judged_strictly = config.evaluation.reward is not None
    measured = prepared.outcome if judged_strictly else None
    recorder = Recorder(run.folder, rank()) if config.save_completions else None
    audit = for_trainer(RowAlarms, config.watch, measured) if config.watch.completions else None
    rewards = RunRewards(
        prepared.reward,
        prepared.strict if judged_strictly else None,
        rows,
        outcome=measured,
        num_generations=args.num_generations,
        weighted=_weighted(args),
        recorder=recorder,
        read=None if is_messages else reader(config.model, prepared.tokenizer),
        audit=audit,
    )
    alarms = run.alarms() if audit is None else run.alarms(lambda: audit.found)
    follow = None if config.kl is None else for_trainer(FollowKL, config.kl)
    return _OwnParts(rewards, recorder, alarms, audit, follow)


def _tool_options(given: GivenTools, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the trainer's options for tools; none without tools, as some trainers do not know them."""
    options = {
        "tools": list(given.tools),
        "environment_factory": with_rows(given.environments, rows),
        "rollout_func": given.rollout,
    }
    return {name: value for name, value in options.items() if value}


def _attach(own: _OwnParts, run: StageRun, trainer: Any) -> None:
    """Give the parts their places in the trainer, and their state at the checkpoint."""
    # Reporters come before callbacks of ours, and are to see what is raised.
    handler = trainer.callback_handler
    handler.callbacks.remove(own.alarms)
    handler.callbacks.insert(0, own.alarms)
    if own.recorder is not None:
        own.recorder.rewind(run.resumed_step)
    if own.audit is not None and run.checkpoint is not None:
        kept = Recorder(run.folder, rank()).path("train")
        own.audit.restore(checkpoint_state(run.checkpoint), kept)
    if own.follow is not None:
        own.follow.trainer = trainer
        own.follow.restore({} if run.checkpoint is None else checkpoint_state(run.checkpoint))


def policy_arguments(kind: str, config: RunConfig) -> Any:
    """Return the options object of the stage's trainer.

    Raises:
        ConfigError: An option is unknown, does not fit, or contradicts another.
    """
    args = trainer_config(
        kind,
        config,
        model_init_kwargs=init_options(config.model),
        trust_remote_code=config.model.trust_remote_code,
        # Every step is a line of the history: alarms need it, and it costs nothing.
        logging_steps=config.trainer.get("logging_steps", 1),
        # Log histories hold NaN where nothing was judged; it must not become a mean of older values.
        logging_nan_inf_filter=False,
        # The trainer evaluates whole groups, and says so only after training.
        **_whole_groups(config),
        **(
            {"chat_template_kwargs": config.model.chat_template_kwargs}
            if config.model.chat_template_kwargs
            else {}
        ),
        # The trainer leaves whatever it does not know out of the data; rows are looked up by number.
        remove_unused_columns=False,
    )
    if config.kl is not None:
        if args.beta == 0.0:
            raise ConfigError(
                "kl: an adaptive beta needs a reference model, which trl loads only if trainer.beta "
                "is above 0 at the start; set trainer.beta, such as 0.001"
            )
        if getattr(args, "use_liger_kernel", False):
            raise ConfigError(
                "kl: Liger's loss keeps its own beta; leave out trainer.use_liger_kernel, or kl"
            )
    for note in (*resume_notes(args), *on_policy_note(config.algorithm, args)):
        say(f"note: {note}")
    return args


def _whole_groups(config: RunConfig) -> dict[str, int]:
    """Return a default batch size for evaluation that holds whole groups."""
    if "per_device_eval_batch_size" in config.trainer:
        return {}
    group = int(config.trainer.get("num_generations_eval") or config.trainer.get("num_generations") or 8)
    return {"per_device_eval_batch_size": group * -(-8 // group)}


def _exam_at_start(run: StageRun, config: RunConfig, prepared: Prepared, trainer: Any) -> dict[str, Any]:
    """Measure once before the first step; a resumed run reads the recorded figures."""
    path = run.folder / "start.json"
    if run.checkpoint is not None and path.is_file():
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    if run.checkpoint is not None or "start" not in config.evaluation.at:
        return {}
    found = exam(config, prepared, trainer.accelerator.unwrap_model(trainer.model))
    if found:
        say(accuracy_line("start", found))
        write_json(path, found)
    return found


def _shown(rewards: RunRewards) -> dict[str, str]:
    shown = {"reward": "reward"}
    if rewards.strict is not None:
        shown["strict"] = STRICT_KEY
    return {**shown, "tokens": LENGTH_KEY}


def _metrics(trainer: Any, alarms: Any, start: Mapping[str, Any]) -> dict[str, Any]:
    history = [row for row in trainer.state.log_history if row.get("reward") is not None]
    # A generation may serve several steps: those without one are lines without a reward.
    steps = [row["step_time"] for row in trainer.state.log_history if row.get("step_time")]
    audited = [row[AUDIT_SECONDS_KEY] for row in history if row.get(AUDIT_SECONDS_KEY) is not None]
    paying = [row["reward_seconds"] for row in history if row.get("reward_seconds") is not None]
    tokens = [row["num_tokens"] for row in history if row.get("num_tokens")]
    return {
        "steps": trainer.state.global_step,
        "max_steps": trainer.state.max_steps,
        "reward_first": _mean(history[:ENDS]),
        "reward_last": _mean(history[-ENDS:]),
        "alarms": [alert.to_dict() for alert in alarms.raised],
        "stopped": trainer.state.global_step < trainer.state.max_steps,
        "tokens": tokens[-1] if tokens else None,
        "step_seconds": sum(steps) / len(steps) if steps else None,
        "reward_share": sum(paying) / sum(steps) if steps else None,
        "audit_share": sum(audited) / sum(steps) if steps else None,
        **({"start": start} if start else {}),
    }


def _mean(rows: Sequence[Mapping[str, Any]]) -> float | None:
    values = [float(row["reward"]) for row in rows]
    return sum(values) / len(values) if values else None
