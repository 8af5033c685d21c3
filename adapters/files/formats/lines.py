"""A line: the JSON object of one row with its place, or the reason that there is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from reward_verifiers.verifiers.runtime.records import dataclass

from .strict_json import read

MAX_LINE = 16 << 20
"""Bytes of the longest line that is read as a row."""
CHUNK_ROWS = 256
"""Rows that are scored at a time. Fewer cost more in passing them around, more make progress jerky."""
CHUNK_BYTES = 4 << 20
"""Bytes that are scored at a time, so that memory stays small with long rows too."""
PIECE = 1 << 20
"""Bytes that are read at a time where a line has no end in sight."""
_MARK = b"\0"
"""What no JSON begins with: what a reader found instead of a row follows it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row as JSON on one line, without its line break.

    Args:
        file: The file's name.
        number: Number of the line, of the item in an array, or of the row in a table, from 1.
        raw: Original bytes, for a file of JSON Lines.
        part: Which of the completions in its row it holds, from 0; None for a row with one.
    """

    file: str
    number: int
    raw: bytes
    part: int | None = None

    @property
    def where(self) -> str:
        """Place in messages: file and line, and part where there is one."""
        return f"{self.file}:{self.number}" + ("" if self.part is None else f"[{self.part}]")

    @property
    def rejected(self) -> bytes:
        """Bytes that are kept of a line that cannot be scored."""
        return self.raw.removeprefix(_MARK)


@dataclass(frozen=True, slots=True)
class Overlong:
    """A line above `MAX_LINE`: it can be copied piece by piece, before the next line is read."""

    file: str
    number: int
    copy_to: Callable[[Callable[[bytes], object]], None]


def unreadable(problem: str, found: object) -> bytes:
    """Return the line of a row that a reader could not make; `parse` refuses it for this reason.

    Args:
        problem: The problem.
        found: Content of the line, for the file of rejected lines.
    """
    return _MARK + dumps({"problem": problem, "row": found})


def parse(raw: bytes) -> dict[str, Any]:
    """Return the row of a line.

    Raises:
        ValueError: It is not one; the message says why.
    """
    if raw.startswith(_MARK):
        raise ValueError(_problem(raw))
    row = read(raw)
    if not isinstance(row, dict):
        raise ValueError(f"not a JSON object but {_kind(row)}")
    return row


def _problem(raw: bytes) -> str:
    try:
        return str(json.loads(raw[1:])["problem"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return "not JSON: it begins with a null byte"


def _kind(value: object) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


_READABLE, _ESCAPED = json.JSONEncoder(ensure_ascii=False), json.JSONEncoder()
STRICT = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
"""Refuses NaN and infinities, which JSON does not have."""


def dumps(value: Any, encoder: json.JSONEncoder = _READABLE) -> bytes:
    """Return JSON on one line, readable where UTF-8 allows.

    Args:
        value: Data.
        encoder: Encoder for values that JSON lacks.
    """
    try:
        return encoder.encode(value).encode()
    except UnicodeEncodeError:  # a lone surrogate: it has no UTF-8, but JSON can escape it
        return _ESCAPED.encode(value).encode()


def chunked(lines: Iterable[Line | Overlong]) -> Iterator[list[Line] | Overlong]:
    """Yield lines in chunks of `CHUNK_ROWS` and `CHUNK_BYTES`, with overlong lines between them."""
    chunk: list[Line] = []
    size = 0
    for line in lines:
        if isinstance(line, Overlong):
            if chunk:
                yield chunk
                chunk, size = [], 0
            yield line
            continue
        chunk.append(line)
        size += len(line.raw)
        if len(chunk) >= CHUNK_ROWS or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


class Rest:
    """The rest of a line that is too long to hold.

    Args:
        first: Beginning that was read already.
        stream: Stream of the rest.
    """

    def __init__(self, first: bytes, stream: BinaryIO) -> None:
        self._piece, self._stream = first, stream

    def copy_to(self, write: Callable[[bytes], object]) -> None:
        """Copy the rest of the line and a line break; nothing is left then."""
        while self._piece:
            piece = self._piece
            done = piece.endswith(b"\n")
            self._piece = b"" if done else self._stream.readline(PIECE)
            if not self._piece and not done:
                piece += b"\n"
            write(piece)
