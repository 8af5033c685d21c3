"""Rows to train on and to measure with: where they come from, and how each becomes a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from ..config import Data
from .held_out import hold_out, without
from .prompts import Row, completion_of, prompt_rows, same_kind
from .sources import check_source, read_rows

__all__ = [
    "COMPLETION",
    "Row",
    "check_source",
    "completion_of",
    "hold_out",
    "load_rows",
    "prompt_rows",
    "read_rows",
    "same_kind",
    "without",
]


COMPLETION = "_completion"
"""The column of rows to learn from that holds what is learnt."""


def load_rows(
    data: Data | Sequence[Data], chat: bool, seed: int = 0, *, completions: bool = False
) -> list[Row]:
    """The rows of one or several sources, each with its ``prompt``.

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
        own = prompt_rows(read_rows(source, seed), source, chat)
        rows += [{**row, COMPLETION: completion_of(row, source)} for row in own] if completions else own
    return rows
