"""What a step is made of, and whether prompts and completions fit into the model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..data import prompt_tokens
from ..run.run_inputs import Prepared


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


def longest_prompt(prepared: Prepared, limit: int = 1000) -> int:
    """The tokens of the longest among the first prompts."""
    counts = (prompt_tokens(row["prompt"], prepared.tokenizer) for row in prepared.train[:limit])
    return max(counts, default=0)


def too_long(prepared: Prepared, prompt_tokens: int, completion_tokens: int) -> str:
    """A warning where prompt and completion do not fit into the model; else nothing."""
    limit = getattr(model_shape(prepared), "max_position_embeddings", None)
    if not isinstance(limit, int) or prompt_tokens + completion_tokens <= limit:
        return ""
    return (
        f"the longest prompt ({prompt_tokens}) and trainer.max_completion_length ({completion_tokens}) do "
        f"not fit into the model's {limit} positions"
    )


def model_shape(prepared: Prepared) -> Any:
    """The model's configuration; None where it cannot be read."""
    from transformers import AutoConfig

    if not Path(prepared.place).is_dir() and ":" in prepared.place:
        return None
    try:
        return AutoConfig.from_pretrained(prepared.place).get_text_config()
    except (OSError, ValueError):
        return None
