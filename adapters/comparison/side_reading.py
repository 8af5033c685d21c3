"""Reading both sides: each in a process of its own where that is worth its start."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.pool import WorkerPool, available_cores, in_threads
from reward_verifiers.verifiers.runtime.worker_process import empty_folder

from ..files.columns import Naming, naming
from ..files.jsonl import Line, Overlong, Source, rows_of
from ..files.scored_candidates import check_scored
from ..files.scored_output import RunError
from .sides import Columns, Recorder, Settled, SideNames, Spilled, partitions_for, settled

APART_BYTES = 64 << 20
"""Size of both files from which each is read in a process of its own."""


@dataclass(frozen=True)
class Side:
    """One scoring.

    Args:
        name: Its name in messages and tables.
        chunks: Its scored lines, once.
        total_bytes: Its size in bytes; None if unknown.
        path: The scored file that they come from, where they do; it can be read again.
        names: Names of its columns; None takes those of its first row.
    """

    name: str
    chunks: Iterable[list[Line] | Overlong]
    total_bytes: int | None = None
    path: str | None = None
    names: Naming | None = None


def side_of(path: str, named: Callable[[Source], Naming] | None = None) -> Side:
    """Return a scored file as a side.

    Args:
        path: The file.
        named: Names its columns, if the file does not.

    Raises:
        ConfigError: It cannot be read.
    """
    source = Source([path])
    names = None if named is None else named(source)
    return Side(path, source.chunks(), source.total_bytes, None if path == "-" else path, names)


@dataclass(frozen=True)
class Read:
    """Both sides as records on disk.

    Args:
        settled: Reading of the first.
        heads: The first row of each.
        names: Names behind the numbers of each side's records.
        spilled: The records of each.
        partitions: Partitions of the records.
    """

    settled: Settled
    heads: tuple[Mapping[str, Any], Mapping[str, Any]]
    names: tuple[SideNames, SideNames]
    spilled: tuple[Spilled, Spilled]
    partitions: int


def read(first: Side, second: Side, columns: Columns, opened: ExitStack) -> Read:
    """Read both sides.

    Args:
        first: The earlier side.
        second: The later side.
        columns: Names of the columns.
        opened: Finaliser that removes the records.

    Raises:
        ConfigError: Rows are not scored, or nothing says which belong together.
    """
    rows = [rows_of(side.chunks) for side in (first, second)]
    heads = []
    for side, each in zip((first, second), rows, strict=True):
        head = next(each, None)
        if head is None:
            raise ConfigError(f"{side.name}: no rows")
        line, row = head
        check_scored(row, line.where)
        heads.append(head)
    ours, theirs = (
        (row, line.where, side.names or naming(row, line.where, {}))
        for side, (line, row) in zip((first, second), heads, strict=True)
    )
    how = settled(columns, ours, theirs)
    sizes = [side.total_bytes for side in (first, second)]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    partitions = partitions_for(total)
    folders = [Path(opened.enter_context(empty_folder())) for _ in heads]
    paths = [side.path for side in (first, second) if side.path is not None]
    if len(paths) == 2 and (total or 0) >= APART_BYTES and available_cores() > 1:
        names = _apart(paths, how, folders, partitions)
    else:
        names = [
            _spill(itertools.chain([head], each), own, folder, partitions)
            for head, each, own, folder in zip(heads, rows, how, folders, strict=True)
        ]
    spilled = [Spilled(folder, partitions) for folder in folders]
    return Read(
        how[0], (heads[0][1], heads[1][1]), (names[0], names[1]), (spilled[0], spilled[1]), partitions
    )


def _spill(
    rows: Iterable[tuple[Line, Mapping[str, Any]]], how: Settled, folder: Path, partitions: int
) -> SideNames:
    recorder = Recorder(how)
    Spilled(folder, partitions).take(recorder.records(rows))
    return recorder.names


def _apart(
    paths: Sequence[str], how: Sequence[Settled], folders: Sequence[Path], partitions: int
) -> list[SideNames]:
    with closing(WorkerPool(len(paths), memory=None)) as pool:
        reads = [
            partial(
                pool.run,
                f"{__name__}:spill_in_worker",
                (path, own, str(folder), partitions),
                cpu_seconds=None,
            )
            for path, own, folder in zip(paths, how, folders, strict=True)
        ]
        names = []
        for path, outcome in zip(paths, in_threads(reads, len(paths)), strict=True):
            if not outcome.ok:
                raise RunError(f"{path}: reading it failed: {outcome.detail}")
            if isinstance(outcome.value, str):
                raise ConfigError(outcome.value)
            names.append(SideNames.of(outcome.value))
        return names


def spill_in_worker(path: str, how: Settled, folder: str, partitions: int) -> list[list[str]] | str:
    """Read a file in a worker process, and return the names of its records, or its error."""
    try:
        return _spill(rows_of(Source([path]).chunks()), how, Path(folder), partitions).plain()
    except ConfigError as error:
        return str(error)
