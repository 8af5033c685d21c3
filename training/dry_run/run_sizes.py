"""What a step is made of, and whether prompts and completions fit into the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..data import Row, prompt_tokens
from ..run.run_inputs import Prepared
from .reference_checks import SOLUTIONS

WORKED = (*SOLUTIONS, "rationale", "reasoning", "answer")
"""Columns that may hold what a right completion is like."""


def batch_lines(args: Any, rows: int, prompt_tokens: int) -> Iterator[tuple[str, str]]:
    """What a step is made of, for a table.

    Args:
        args: The trainer's options.
        rows: Of training.
        prompt_tokens: The longest prompt.
    """
    processes = args.world_size
    step = args.per_device_train_batch_size * processes * args.gradient_accumulation_steps
    prompts = step // args.num_generations
    iterations = getattr(args, "num_iterations", 1)
    steps = (
        args.max_steps
        if args.max_steps > 0
        else int(args.num_train_epochs * rows * iterations // max(prompts, 1))
    )
    yield (
        "completions of a step",
        (
            f"{step:,} = {args.per_device_train_batch_size} per device x "
            f"{args.gradient_accumulation_steps} accumulated x {processes} "
            f"process{'es' if processes > 1 else ''}"
        ),
    )
    yield "prompts of a step", f"{prompts:,}, with {args.num_generations} completions each"
    yield "steps", f"{steps:,}, {steps * prompts / max(rows * iterations, 1):.2f} times through {rows:,} rows"
    yield "completions in all", f"{steps * step // iterations:,}"
    most = steps * step // iterations * args.max_completion_length
    yield "tokens to generate", f"at most {most:,} ({args.max_completion_length} each)"
    yield "longest prompt", f"{prompt_tokens:,} tokens"


def prompt_lengths(prepared: Prepared, limit: int = 1000) -> list[int]:
    """The tokens of the first prompts."""
    return [prompt_tokens(row["prompt"], prepared.tokenizer) for row in prepared.train[:limit]]


def cut_off(prepared: Prepared, prompts: Sequence[int], completion_tokens: int) -> Iterator[str]:
    """What would be cut off: completions behind long prompts, and right answers that are longer than allowed.

    Args:
        prepared: The rows.
        prompts: The tokens of the first prompts.
        completion_tokens: The most tokens of a completion.
    """
    limit = getattr(model_shape(prepared), "max_position_embeddings", None)
    over = [each for each in prompts if isinstance(limit, int) and each + completion_tokens > limit]
    if over:
        yield (
            f"{len(over):,} of {len(prompts):,} prompts (the longest has {max(over):,} tokens) and "
            f"trainer.max_completion_length ({completion_tokens:,}) do not fit into the model's {limit:,} "
            "positions: completions would be cut off there"
        )
    lengths = [
        len(prepared.tokenizer(text, add_special_tokens=False)["input_ids"])
        for text in map(_solution, prepared.train[: len(prompts)])
        if text
    ]
    longer = [each for each in lengths if each > completion_tokens]
    if longer:
        yield (
            f"{len(longer):,} of {len(lengths):,} solutions in the rows are longer than "
            f"trainer.max_completion_length ({completion_tokens:,}), the longest {max(longer):,} tokens: a "
            "completion that works like them would be cut off"
        )


def _solution(row: Row) -> str:
    """A worked solution or a right text of a row; empty for none."""
    return next((row[name] for name in WORKED if isinstance(row.get(name), str)), "")


def model_shape(prepared: Prepared) -> Any:
    """The model's configuration; None where it cannot be read."""
    from transformers import AutoConfig

    if not Path(prepared.place).is_dir() and ":" in prepared.place:
        return None
    try:
        return AutoConfig.from_pretrained(prepared.place).get_text_config()
    except (OSError, ValueError):
        return None
