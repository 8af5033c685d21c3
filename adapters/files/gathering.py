"""Bringing the rows of a group together, wherever they stand in the input: on disk, in constant memory."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from reward_verifiers.verifiers.runtime.worker_process import empty_folder

from .formats.lines import CHUNK_BYTES, CHUNK_ROWS, Line, Overlong, parse
from .line_groups import group_key

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -16000;
CREATE TABLE keys (key BLOB PRIMARY KEY, place INTEGER) WITHOUT ROWID;
CREATE TABLE lines (place INTEGER, seen INTEGER, file INTEGER, number INTEGER, part INTEGER, start INTEGER,
                    PRIMARY KEY (place, seen)) WITHOUT ROWID;
"""
_AT_ONCE = 4096
"""Lines whose places are written at a time."""


def gathered(chunks: Iterator[list[Line] | Overlong], field: str) -> Iterator[list[Line] | Overlong]:
    """Yield the same lines with each group together, in the order of the groups' first lines.

    They wait in a temporary file, and their places in a database beside it, so that memory does not grow with
    the input; room of their size is needed where temporary files are (``TMPDIR``).

    Args:
        chunks: Lines as they come.
        field: The column that the rows of a group have in common.
    """
    with empty_folder() as folder:
        places = sqlite3.connect(Path(folder, "places"), isolation_level=None)
        with Path(folder, "lines").open("w+b") as spill, contextlib.closing(places):
            places.executescript(_TABLES)
            places.execute("BEGIN")
            names: list[str] = []
            yield from _written(chunks, field, spill, places, names)
            places.execute("COMMIT")
            yield from _read_back(spill, places, names)


def _written(
    chunks: Iterator[list[Line] | Overlong],
    field: str,
    spill: IO[bytes],
    places: sqlite3.Connection,
    names: list[str],
) -> Iterator[Overlong]:
    """Write lines and their groups; overlong ones belong to none, and are passed on."""
    waiting: list[tuple[int, int, int, int, int | None, int]] = []
    place = end = seen = 0
    key = b""
    for chunk in chunks:
        if isinstance(chunk, Overlong):
            yield chunk
            continue
        for line in chunk:
            with contextlib.suppress(ValueError):  # what is no row stays with the row before it
                key = group_key(parse(line.raw), field)
            found = places.execute("SELECT place FROM keys WHERE key = ?", (key,)).fetchone()
            place = seen if found is None else found[0]
            if found is None:
                places.execute("INSERT INTO keys VALUES (?, ?)", (key, place))
            if not names or names[-1] != line.file:
                names.append(line.file)
            waiting.append((place, seen, len(names) - 1, line.number, line.part, end))
            end += spill.write(len(line.raw).to_bytes(8, "little") + line.raw)
            seen += 1
            if len(waiting) == _AT_ONCE:
                places.executemany("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?)", waiting)
                waiting.clear()
    places.executemany("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?)", waiting)


def _read_back(spill: IO[bytes], places: sqlite3.Connection, names: list[str]) -> Iterator[list[Line]]:
    """Yield the lines group by group; a chunk ends where a group does, unless that alone is larger."""
    spill.flush()
    held: list[Line] = []
    size, last = 0, -1
    for place, file, number, part, start in places.execute(
        "SELECT place, file, number, part, start FROM lines ORDER BY place, seen"
    ):
        full = len(held) >= CHUNK_ROWS or size >= CHUNK_BYTES
        if held and ((full and place != last) or len(held) >= 4 * CHUNK_ROWS):
            yield held
            held, size = [], 0
        spill.seek(start)
        raw = spill.read(int.from_bytes(spill.read(8), "little"))
        held.append(Line(names[file], number, raw, part))
        size, last = size + len(raw), place
    if held:
        yield held
