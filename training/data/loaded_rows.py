"""The rows of a run's sources, each with its prompt."""

from __future__ import annotations

from collections.abc import Sequence

from ..config import Data
from .row_prompts import Row, completion_of, prompt_rows
from .row_sources import read_rows

COMPLETION = "_completion"
"""The column of rows to learn from that holds what is learned."""


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
