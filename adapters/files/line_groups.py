"""Lines in whole groups: the completions of one prompt, which follow one another in a file."""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
from collections.abc import Iterator
from typing import IO, Any

from verifiers import ConfigError

from .columns import column_of
from .jsonl import Line, Overlong, parse

MAX_GROUP = 65_536
"""Rows of one group. More means that the column does not tell prompts apart."""


def group_key(row: dict[str, Any], field: str) -> bytes:
    """What the rows of one group have in common, in a few bytes."""
    text = json.dumps(column_of(row, field), sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).digest()


def whole_groups(chunks: Iterator[list[Line] | Overlong], field: str) -> Iterator[list[Line] | Overlong]:
    """The same lines in chunks that end where a group ends.

    Args:
        chunks: Lines as they come.
        field: The column that the rows of a group have in common.

    Raises:
        ConfigError: A group is too large to be one, or comes back after others.
    """
    check = Groups(field)
    held: list[Line] = []
    for chunk in chunks:
        if isinstance(chunk, Overlong):
            yield chunk
            continue
        start = 0
        for position, line in enumerate(chunk):
            try:
                row = parse(line.raw)
            except ValueError:
                continue  # stays with the group around it; scoring will reject it
            if check.starts(row, line) and (held or position > start):
                yield held + chunk[start:position]
                held, start = [], position
        held += chunk[start:]
        if len(held) > MAX_GROUP:
            raise ConfigError(
                f"{held[0].file}:{held[0].number}: more than {MAX_GROUP:,} rows with one {field!r}; "
                "choose the column that tells prompts apart with --group-field"
            )
    if held:
        yield held


def gathered(chunks: Iterator[list[Line] | Overlong], field: str) -> Iterator[list[Line] | Overlong]:
    """The same lines, those of one group together, in the order of the groups' first lines.

    They wait in a temporary file; memory holds some bytes for each.

    Args:
        chunks: Lines as they come.
        field: The column that the rows of a group have in common.
    """
    places: dict[bytes, list[tuple[str, int, int]]] = {}
    key = b""
    with tempfile.TemporaryFile() as held:
        end = 0
        for chunk in chunks:
            if isinstance(chunk, Overlong):
                yield chunk
                continue
            for line in chunk:
                with contextlib.suppress(ValueError):  # what is no row stays with the row before it
                    key = group_key(parse(line.raw), field)
                places.setdefault(key, []).append((line.file, line.number, end))
                end += held.write(len(line.raw).to_bytes(8, "little") + line.raw)
        for group in places.values():
            yield [_read_back(held, *place) for place in group]


def _read_back(held: IO[bytes], file: str, number: int, at: int) -> Line:
    held.seek(at)
    return Line(file, number, held.read(int.from_bytes(held.read(8), "little")))


class Groups:
    """Tells where groups start, and that none comes back.

    Args:
        field: The column that the rows of a group have in common.
    """

    def __init__(self, field: str) -> None:
        self.field = field
        self._last: bytes | None = None
        self._seen: set[bytes] = set()

    def starts(self, row: dict[str, Any], line: Line) -> bool:
        """Whether a row starts a group.

        Raises:
            ConfigError: Its group has been here before.
        """
        key = group_key(row, self.field)
        if key == self._last:
            return False
        if key in self._seen:
            raise ConfigError(
                f"{line.file}:{line.number}: the rows of one {self.field!r} must follow one another, and "
                "these were here before; sort the file by that column (groups and select have --sort), or "
                "choose another with --group-field"
            )
        self._seen.add(key)
        self._last = key
        return True
