"""Holding rows out, so that what is measured was never trained on."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Sequence
from typing import Any

from reward_verifiers.verifiers import ConfigError

from .row_prompts import QUESTION, Row

_log = logging.getLogger(__name__)


def hold_out(rows: Sequence[Row], count: int, seed: int) -> tuple[list[Row], list[Row]]:
    """Rows for training, and `count` rows to measure with; equal prompts are on the same side.

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
    """The rows whose question is not held out, whatever system prompt and examples come before it.

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
