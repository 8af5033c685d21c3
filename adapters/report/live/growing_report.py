"""A report that is brought up to date: rows that were read stay, what its files have gained is added."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from reward_verifiers.verifiers import ConfigError

from ..report_data import Report, finished_report
from ..rows.outcomes import outcome_part
from ..rows.readings import Readings
from ..rows.runs import run_names
from ..rows.scored_rows import Columns, ScoredFiles, ScoredRow
from ..rows.spool import Spool
from ..rows.table import Table
from ..rows.texts import Blocks
from ..run_logs import RunLogs, run_logs
from .growing_files import GrowingFile, grows


class GrowingReport:
    """Follows scored files, or the folder of a run.

    Args:
        paths: The files; or one folder.
        columns: What their columns are called.
        outcome: The part that is the accuracy; None to find it.
    """

    def __init__(self, paths: list[str], columns: Columns, outcome: str | None = None) -> None:
        self.paths, self.columns, self.outcome = paths, columns, outcome
        self._folder = Path(paths[0]) if len(paths) == 1 and Path(paths[0]).is_dir() else None
        self._seen: tuple[object, ...] | None = None
        self._logs: RunLogs | None = None
        self._runs = {} if self._folder is not None else run_names(paths)
        self._begin([])

    def _begin(self, paths: list[str]) -> None:
        self._files = ScoredFiles(list(paths), self.columns, self._runs)
        self._growing = {path: GrowingFile(path) for path in paths}
        self._table = Table(self.columns)
        self._blocks = Blocks(Readings(), None, Spool())
        self._part: str | None = None

    def refreshed(self) -> Report | None:
        """The report as it is now; None where nothing has changed since it was last asked for.

        Raises:
            ConfigError: There are no scored rows yet, or a file cannot be read.
        """
        seen = self._state()
        if seen == self._seen:
            return None
        try:
            report = self._read()
        except ConfigError:
            self._begin([])  # what was read of the first row's chunk is to be read again
            raise
        self._seen = seen
        return report

    def _read(self) -> Report:
        self._logs = None if self._folder is None else run_logs(self._folder)
        paths = self.paths if self._logs is None else self._logs.files
        anew = not set(self._growing) <= set(paths) or any(file.replaced() for file in self._growing.values())
        if anew or not all(map(grows, paths)):
            self._begin(paths)
        for path in paths:
            if path not in self._growing:
                self._growing[path] = GrowingFile(path)
                self._files.paths.append(path)
        for row in self._new_rows(paths):
            if not len(self._table):
                self._part = outcome_part(row.named, row.parts, self.outcome)
            place = len(self._table)
            self._table.add(row)
            self._blocks.add(place, row)
        self._blocks.close()
        return finished_report(self.paths, self._files, self._table, self._part, self._blocks, self._logs)

    def _new_rows(self, paths: list[str]) -> Iterator[ScoredRow]:
        if all(map(grows, paths)):
            for file in self._growing.values():
                yield from self._files.taken(file.chunks())
        else:
            yield from self._files.rows()

    def _state(self) -> tuple[object, ...]:
        """What tells whether a file has changed."""
        paths = [Path(path) for path in self.paths]
        if self._folder is not None:
            names = ("completions/train.rank*.jsonl", "history.jsonl", "alarms.jsonl", "*.json")
            stages = [self._folder, *self._folder.glob("[0-9]*-*")]
            paths = sorted(path for stage in stages for name in names for path in stage.glob(name))
        return tuple(_stamp(path) for path in paths)


def _stamp(path: Path) -> object:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return str(path), found.st_ino, found.st_size, found.st_mtime_ns
