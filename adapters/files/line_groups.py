"""Lines in whole groups: the completions of one prompt, which are adjacent in a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from reward_verifiers.verifiers import ConfigError

from .columns import column_of
from .formats.lines import Line, Overlong, parse

MAX_GROUP = 65_536
"""Rows of one group. More means that the column does not tell prompts apart."""


Parsed = tuple[Line, dict[str, Any] | None]
"""A line with its row."""


_SORTED = json.JSONEncoder(sort_keys=True)


def group_key(row: Mapping[str, Any], field: str) -> bytes:
    """Return a few bytes that the rows of one group share."""
    return hashlib.blake2b(_SORTED.encode(column_of(row, field)).encode(), digest_size=12).digest()


def whole_groups(
    chunks: Iterator[list[Line] | Overlong], field: str, *, together: bool = False
) -> Iterator[list[Line] | Overlong]:
    """Yield the same lines in chunks that end where a group ends.

    Args:
        chunks: Lines as they come.
        field: The column that the rows of a group have in common.
        together: Whether they were gathered, so that no group can come back; else every group is remembered,
            in some bytes.

    Raises:
        ConfigError: A group is too large to be one, or comes back after others.
    """
    for chunk in _grouped(chunks, field, together, keep=False):
        yield chunk if isinstance(chunk, Overlong) else [line for line, _ in chunk]


def parsed_groups(
    chunks: Iterator[list[Line] | Overlong], field: str, *, together: bool = False
) -> Iterator[list[Parsed] | Overlong]:
    """Yield `whole_groups` with each line's row, already parsed; None for a line that is no row."""
    return _grouped(chunks, field, together, keep=True)


def _grouped(
    chunks: Iterator[list[Line] | Overlong], field: str, together: bool, *, keep: bool
) -> Iterator[list[Parsed] | Overlong]:
    check = Groups(field, together=together)
    held: list[Parsed] = []
    for chunk in chunks:
        if isinstance(chunk, Overlong):
            yield chunk
            continue
        for line in chunk:
            row: dict[str, Any] | None
            try:
                row = parse(line.raw)
            except ValueError:
                row = None  # stays with the group around it; scoring will reject it
            if row is not None and check.starts(row, line) and held:
                yield held
                held = []
            held.append((line, row if keep else None))
        if len(held) > MAX_GROUP:
            raise ConfigError(
                f"{held[0][0].where}: more than {MAX_GROUP:,} rows with one {field!r}; "
                "choose the column that tells prompts apart with --group-field"
            )
    if held:
        yield held


class Groups:
    """Finds where groups start, and checks that none comes back.

    Args:
        field: The column that the rows of a group have in common.
        together: Whether that is known already.
    """

    def __init__(self, field: str, *, together: bool = False) -> None:
        self.field, self.together = field, together
        self._text: str | None = None
        self._last: bytes | None = None
        self._seen: set[bytes] = set()

    def starts(self, row: dict[str, Any], line: Line) -> bool:
        """Return whether a row starts a group.

        Raises:
            ConfigError: Its group has been here before.
        """
        value = row.get(self.field)
        if type(value) is str:
            if value == self._text:
                return False
            self._text = value
        else:
            self._text = None
        key = group_key(row, self.field)
        if key == self._last:
            return False
        if key in self._seen:
            raise ConfigError(
                f"{line.where}: the rows of one {self.field!r} must follow one another, and "
                "these were here before; bring them together (score has --group-by, groups and "
                "select have --sort), or choose another with --group-field"
            )
        if not self.together:
            self._seen.add(key)
        self._last = key
        return True
