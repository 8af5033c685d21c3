"""A curriculum: the window of prompts that are trained on opens from the easy ones to all."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from ..config import Curriculum, RunConfig
from ..data import Row
from ..generation import Sampling
from ..run.accuracy_measures import answer, summary
from ..run.run_folder import RATES, write_json
from ..run.run_inputs import Prepared, local_backend


def ordered(config: RunConfig, prepared: Prepared, args: Any) -> list[Row]:
    """The rows in the order in which they are trained on, as often as they are needed.

    The trainer's own shuffling is switched off in `args`. The order depends on the seed alone, so a resumed
    run continues with the same prompts.

    Args:
        config: The run.
        prepared: Its rows.
        args: The trainer's options.

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
    """Rows drawn from the window that is open at each point of training.

    Args:
        rows: With their pass rates.
        curriculum: How the window opens.
        draws: Prompts that training needs.
        seed: Of the draws.
        number: Of the round, which has an order of its own.

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
    """Prompts that the whole training needs."""
    per_step = args.per_device_train_batch_size * args.world_size * args.gradient_accumulation_steps
    prompts = per_step / args.num_generations / max(args.num_iterations, 1)
    wanted = args.max_steps * prompts if args.max_steps > 0 else args.num_train_epochs * rows
    # Whole generations: the trainer leaves an incomplete one out.
    together = max(1, args.generation_batch_size // args.num_generations)
    return int(max(1, math.ceil(wanted / together)) * together)


def _measured(config: RunConfig, prepared: Prepared, curriculum: Curriculum) -> list[Row]:
    """Rows with the model's own pass rates, which are measured once and kept."""
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
