"""The rows of a run's sources with their prompts; some are held out, and those with long prompts left out."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Sequence
from typing import Any

from reward_verifiers.verifiers import ConfigError

from ..config import Data
from .row_prompts import QUESTION, Row, completion_of, prompt_rows
from .row_sources import read_rows

SEEN = ("image", "images", "video", "videos", "audio", "audios")
"""Columns with what a model of text does not see or hear."""
COMPLETION = "_completion"
"""The column of rows to learn from that holds what is learned."""


def load_rows(
    data: Data | Sequence[Data], chat: bool, seed: int = 0, *, completions: bool = False
) -> list[Row]:
    """Load the rows of one or several sources, each with its ``prompt``.

    Args:
        data: One source, or several.
        chat: Whether the tokenizer has a chat template.
        seed: For generated rows.
        completions: Add what a supervised stage learns, as the column `COMPLETION`.

    Raises:
        ConfigError: A source cannot be read, or a column is missing.
    """
    sources = [data] if isinstance(data, Data) else list(data)
    rows: list[Row] = []
    for source in sources:
        own = _text_only(prompt_rows(read_rows(source, seed), source, chat), source)
        rows += [{**row, COMPLETION: completion_of(row, source)} for row in own] if completions else own
    return rows


def _text_only(rows: list[Row], data: Data) -> list[Row]:
    """Return rows whose questions are in text alone.

    Raises:
        ConfigError: One has a picture, or sound, that nobody has said can be left out.
    """
    for number, row in enumerate(rows):
        name = next((each for each in SEEN if row.get(each) not in (None, "", [])), None)
        if name is not None and name not in data.ignore:
            raise ConfigError(
                f"row {number} of {data.source} has a column {name!r}, and models are trained on text alone "
                "here: the question would come without it. If it can be answered so, set "
                f"data.ignore=[{name}]; else leave such rows out"
            )
        prompt = row["prompt"] if isinstance(row["prompt"], list) else []
        kinds = {part.get("type") for each in prompt for part in _parts(each) if isinstance(part, dict)}
        if kinds - {"text", None}:
            raise ConfigError(
                f"row {number} of {data.source}: a message has a part of type "
                f"{', '.join(sorted(map(str, kinds - {'text', None})))}, and models are trained on text alone"
            )
    if not data.ignore:
        return rows
    return [{name: value for name, value in row.items() if name not in data.ignore} for row in rows]


def _parts(message: object) -> list[object]:
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, list) else []


def prompt_tokens(prompt: Any, tokenizer: Any) -> int:
    """Count the tokens of a prompt: a text, or chat messages with the template's additions."""
    if isinstance(prompt, str):
        return len(tokenizer(prompt)["input_ids"])
    text = tokenizer.apply_chat_template(prompt, add_generation_prompt=True, tokenize=False)
    return len(tokenizer(text, add_special_tokens=False)["input_ids"])


def with_short_prompts(rows: Sequence[Row], tokenizer: Any, most: int | None) -> list[Row]:
    """Return the rows whose prompts have at most so many tokens, cutting none: half a question is another.

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


_log = logging.getLogger(__name__)


def hold_out(rows: Sequence[Row], count: int, seed: int) -> tuple[list[Row], list[Row]]:
    """Split rows into those for training and `count` to measure with; equal prompts stay together.

    Raises:
        ConfigError: There are not more than `count` rows.

    >>> rows = [{"prompt": text} for text in "abcab"]
    >>> kept, held = hold_out(rows, 1, seed=0)
    >>> {row["prompt"] for row in kept} & {row["prompt"] for row in held}
    set()
    """
    if count == 0:
        return list(rows), []
    keys = [_key(row["prompt"]) for row in rows]
    different = list(dict.fromkeys(keys))
    if count >= len(different):
        raise ConfigError(
            f"evaluation.holdout: {count} prompts cannot be held out of {len(different)} different ones"
        )
    held = set(random.Random(seed).sample(different, count))  # noqa: S311
    first = dict(zip(reversed(keys), reversed(rows), strict=True))
    return (
        [row for key, row in zip(keys, rows, strict=True) if key not in held],
        [first[key] for key in different if key in held],
    )


def without(rows: Sequence[Row], heldout: Sequence[Row]) -> list[Row]:
    """Return the rows whose question is not held out, whatever system prompt and examples precede it.

    Raises:
        ConfigError: None is left.
    """
    held = {_question(row) for row in heldout}
    kept = [row for row in rows if _question(row) not in held]
    if rows and not kept:
        raise ConfigError(
            f"all {len(rows)} rows to train on have prompts that are held out; give evaluation.data others"
        )
    if len(kept) < len(rows):
        _log.warning(
            "%d of %d rows to train on have prompts that are held out, and are left out",
            len(rows) - len(kept),
            len(rows),
        )
    return kept


def _question(row: Row) -> str:
    prompt = row["prompt"]
    return str(row.get(QUESTION, prompt)) if isinstance(prompt, str) else _key(prompt[-1:])


def _key(prompt: Any) -> str:
    return prompt if isinstance(prompt, str) else json.dumps(prompt, sort_keys=True, default=str)
