"""How long prompts are in tokens, and leaving out those that are too long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reward_verifiers.verifiers import ConfigError

from .row_prompts import Row


def prompt_tokens(prompt: Any, tokenizer: Any) -> int:
    """The tokens of a prompt: a text, or chat messages with what the template adds.

    Args:
        prompt: As a row has it.
        tokenizer: The model's.
    """
    if isinstance(prompt, str):
        return len(tokenizer(prompt)["input_ids"])
    text = tokenizer.apply_chat_template(prompt, add_generation_prompt=True, tokenize=False)
    return len(tokenizer(text, add_special_tokens=False)["input_ids"])


def with_short_prompts(rows: Sequence[Row], tokenizer: Any, most: int | None) -> list[Row]:
    """The rows whose prompts have at most so many tokens. None is cut off: half a question is another one.

    Args:
        rows: With their prompts.
        tokenizer: The model's.
        most: Tokens; None for no limit.

    Raises:
        ConfigError: All of them are longer.
    """
    if most is None:
        return list(rows)
    counts = [prompt_tokens(row["prompt"], tokenizer) for row in rows]
    kept = [row for row, count in zip(rows, counts, strict=True) if count <= most]
    if rows and not kept:
        raise ConfigError(
            f"trainer.max_prompt_length: {most}: all {len(rows):,} prompts are longer, the shortest has "
            f"{min(counts):,} tokens"
        )
    return kept
