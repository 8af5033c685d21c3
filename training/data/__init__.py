"""Rows to train on and to measure with: where they come from, and how each becomes a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from ..config import Data
from .prompts import Row, completion_of, prompt_rows
from .sources import read_rows
from .split import hold_out

__all__ = ["Row", "completion_of", "hold_out", "load_rows", "prompt_rows", "read_rows"]


def load_rows(data: Data | Sequence[Data], chat: bool, seed: int = 0) -> list[Row]:
    """The rows of one or several sources, each with its ``prompt``.

    Args:
        data: One source, or several.
        chat: Whether the tokenizer has a chat template.
        seed: For generated rows.

    Raises:
        ConfigError: A source cannot be read, or a column is missing.
    """
    sources = [data] if isinstance(data, Data) else list(data)
    return [row for source in sources for row in prompt_rows(read_rows(source, seed), source, chat)]
