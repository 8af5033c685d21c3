"""Readable texts of rows, in blocks that a page unpacks one by one, or that an unnamed file holds.

Verdicts are shown as a file holds them, without what a browser cannot read.
"""

from __future__ import annotations

import base64
import gzip
import os
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ..files.columns import Naming, column_of
from ..files.formats.lines import dumps
from ..files.written import WRITTEN
from .scored_rows import Readings, ScoredRow, number

TEXTS = ("verifier", "status", "reason", "detail", "extracted", "expected")
DEEPEST, MOST_PARTS = 8, 1000
"""Parts within parts, and parts of one verdict, that are shown; a verifier of steps has one for each step."""


def plain_verdict(verdict: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """Return a verdict's own fields, each of its own kind.

    Args:
        verdict: As a file has it, which need not be ours.
        depth: Depth of the part in its verdict.

    >>> plain_verdict({"reason": "equal", "score": float("nan"), "span": [4, "x"], "more": 1})
    {'reason': 'equal', 'score': None}
    """
    found: dict[str, Any] = {}
    for name in TEXTS:
        text = verdict.get(name)
        if type(text) is str:
            found[name] = text
    found["score"] = number(verdict.get("score"))
    if "raw" in verdict and (raw := number(verdict["raw"])) is not None:
        found["raw"] = raw
    span = verdict.get("span")
    if isinstance(span, list) and len(span) == 2 and type(span[0]) is type(span[1]) is int:
        found["span"] = span
    parts = verdict.get("parts")
    if isinstance(parts, list) and depth < DEEPEST:
        shown = [each for each in islice(parts, MOST_PARTS) if isinstance(each, Mapping)]
        found["parts"] = [plain_verdict(each, depth + 1) for each in shown]
        if len(parts) > MOST_PARTS:
            found["more"] = len(parts) - MOST_PARTS
    return found


class Spool:
    """Texts that are appended, and read back by their number; several threads may read."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (as long as this lives)
        weakref.finalize(self, self._file.close)
        self._ends = [0]

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number: int) -> str:
        if not 0 <= number < len(self):
            raise IndexError(number)
        start, end = self._ends[number : number + 2]
        return os.pread(self._file.fileno(), end - start, start).decode("ascii")

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def append(self, text: str) -> None:
        """Add a text of ASCII characters at the end."""
        data = text.encode("ascii")
        self._file.seek(0, os.SEEK_END)
        self._file.write(data)
        self._file.flush()
        self._ends.append(self._ends[-1] + len(data))


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
        readings: Readings of both sides of a verdict.
        limit: Bytes of all blocks as they stand in the page; None for no limit.
        store: Folder that keeps them; None for memory.
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
        self._names: Naming | None = None
        self._hidden: frozenset[str] = frozenset()

    def add(self, place: int, scored: ScoredRow) -> bool:
        """Append the texts of a row.

        Args:
            place: Place of the row in the table.
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
        if reference is not None and _is_short(reference):
            found["r"] = reference
        prompt = _prompt(column_of(row, names.prompt))
        if prompt:
            found["p"] = self._prompts.setdefault(prompt, len(self._prompts))
        found["v"] = [
            [name, self.readings.added(plain_verdict(verdict))] for name, verdict in scored.named.items()
        ]
        if names is not self._names:
            self._names, self._hidden = names, frozenset((*WRITTEN, names.completion, names.prompt, "strict"))
        hidden = self._hidden
        others = {name: _cell(value) for name, value in row.items() if name not in hidden}
        if others:
            found["x"] = others
        return found


def _is_short(reference: Any) -> bool:
    """Return whether a page can put a reference into a case: a character takes six bytes of JSON at most."""
    short = type(reference) is str and 6 * len(reference) + 2 <= MAX_REFERENCE
    return short or len(dumps(reference)) <= MAX_REFERENCE


def _prompt(value: Any) -> str:
    if isinstance(value, list):
        return "\n\n".join(_message(each) for each in value)[:MAX_PROMPT]
    return "" if value is None else str(value)[:MAX_PROMPT]


def _message(value: Any) -> str:
    if isinstance(value, Mapping) and isinstance(value.get("content"), str) and len(value) <= 2:
        return f"{value.get('role', '')}: {value['content']}"
    return _cell(value)


def _cell(value: Any) -> str:
    if type(value) is int:
        return str(value)
    text = value if isinstance(value, str) else dumps(value).decode()
    return text if len(text) <= MAX_CELL else f"{text[:MAX_CELL]} … ({len(text):,} characters)"
