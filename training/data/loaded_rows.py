"""The rows of a run's sources, each with its prompt."""

from __future__ import annotations

from collections.abc import Sequence

from reward_verifiers.verifiers import ConfigError

from ..config import Data
from .row_prompts import Row, completion_of, prompt_rows
from .row_sources import read_rows

SEEN = ("image", "images", "video", "videos", "audio", "audios")
"""Columns with what a model of text does not see or hear."""
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
        own = _text_only(prompt_rows(read_rows(source, seed), source, chat), source)
        rows += [{**row, COMPLETION: completion_of(row, source)} for row in own] if completions else own
    return rows


def _text_only(rows: list[Row], data: Data) -> list[Row]:
    """Rows whose questions are in text alone.

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
