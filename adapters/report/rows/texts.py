"""What a person reads of rows, in blocks that a page unpacks one by one."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping
from typing import Any

from reward_verifiers.adapters.files.chunk_scorer import WRITTEN, dumps
from reward_verifiers.adapters.files.columns import column_of

from .readings import Readings
from .scored_rows import ScoredRow
from .spool import Spool
from .verdict_trees import plain_verdict

BLOCK_ROWS = 128
"""Rows of a block: so few that fifty blocks are unpacked while a person blinks."""
BLOCK_BYTES = 256 << 10
"""Bytes of a block from which on the next one begins."""
MAX_CELL = 2000
"""Characters of a column that is neither completion nor prompt; longer ones are cut, and say so."""
MAX_REFERENCE = 4000
"""Bytes of a reference that a page can put into a case; its text is shown in any case."""
MAX_PROMPT = 20_000
"""The same for a prompt."""


class Blocks:
    """Texts in compressed blocks.

    Args:
        readings: How the sides of a verdict were read.
        limit: Bytes of all blocks as they stand in the page; None for no limit.
        store: Where they are kept; None for memory.
    """

    def __init__(self, readings: Readings, limit: int | None, store: Spool | None = None) -> None:
        self.readings, self.limit = readings, limit
        self.blocks: list[str] | Spool = [] if store is None else store
        self.places: list[int] = []
        self.starts: list[int] = []
        self.bytes_in = self.bytes_out = 0
        self._held: list[bytes] = []
        self._held_places: list[int] = []
        self._held_bytes = 0
        self._prompts: dict[str, int] = {}

    def add(self, place: int, scored: ScoredRow) -> bool:
        """Append the texts of a row.

        Args:
            place: Of the row in the table.
            scored: The row.

        Returns:
            Whether they still fit. Where they do not nothing more may be added.
        """
        raw = dumps(self._text(scored))
        self._held.append(raw)
        self._held_places.append(place)
        self._held_bytes += len(raw)
        if len(self._held) >= BLOCK_ROWS or self._held_bytes >= BLOCK_BYTES:
            self.close()
        return self.limit is None or self.bytes_out <= self.limit

    def close(self) -> None:
        """End the block that is being filled."""
        if not self._held:
            return
        prompts = b",".join(dumps(prompt) for prompt in self._prompts)
        raw = b'{"prompts":[' + prompts + b'],"rows":[' + b",".join(self._held) + b"]}"
        packed = base64.b64encode(gzip.compress(raw, 6, mtime=0)).decode()
        self.starts.append(len(self.places))
        self.places += self._held_places
        self.blocks.append(packed)
        self.bytes_in += self._held_bytes
        self.bytes_out += len(packed)
        self._held, self._held_places, self._held_bytes, self._prompts = [], [], 0, {}

    def _text(self, scored: ScoredRow) -> dict[str, Any]:
        row = scored.row
        names = scored.names
        given = column_of(row, names.completion)
        split = scored.split
        # Spans count in the text as it came, which for chat messages is that of the assistant's last one.
        text = split.completion if split.content is None else split.content
        found: dict[str, Any] = {"c": text}
        if split.separate_thinking:
            found["t"] = split.thinking
        if isinstance(given, list) and len(given) > 1:
            found["m"] = [_message(each) for each in given[:-1]]
        reference = column_of(row, names.reference)
        if reference is not None and len(dumps(reference)) <= MAX_REFERENCE:
            found["r"] = reference
        prompt = _prompt(column_of(row, names.prompt))
        if prompt:
            found["p"] = self._prompts.setdefault(prompt, len(self._prompts))
        found["v"] = [
            [name, self.readings.added(plain_verdict(verdict))] for name, verdict in scored.named.items()
        ]
        hidden = {*WRITTEN, names.completion, names.prompt, "strict"}
        others = {name: _cell(value) for name, value in row.items() if name not in hidden}
        if others:
            found["x"] = others
        return found


def _prompt(value: Any) -> str:
    if isinstance(value, list):
        return "\n\n".join(_message(each) for each in value)[:MAX_PROMPT]
    return "" if value is None else str(value)[:MAX_PROMPT]


def _message(value: Any) -> str:
    if isinstance(value, Mapping) and isinstance(value.get("content"), str) and len(value) <= 2:
        return f"{value.get('role', '')}: {value['content']}"
    return _cell(value)


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else dumps(value).decode()
    return text if len(text) <= MAX_CELL else f"{text[:MAX_CELL]} … ({len(text):,} characters)"
