"""Data of a report from files: every number, figures and charts, and the texts of rows that fit."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError

from .charts import Chart, charts
from .means import Figures
from .report_table import Table
from .row_texts import Blocks
from .run_logs import RunLogs, run_logs
from .run_sides import flips, run_names
from .scored_rows import Columns, Readings, ScoredFiles, outcome_part


def chosen_rows(table: Table, fits: int, first_part: str | None) -> list[bool]:
    """Return a stratified sample of rows with all flagged rows, as far as they fit.

    Strata are source, tenth of the steps, status and reason; each gives in turn the row that comes first by a
    hash of its group. So rare reasons are there in full, and most groups are whole.

    Args:
        table: The numbers of all rows.
        fits: Bytes of rows, as they are in the files, that fit.
        first_part: The part whose reason makes strata.
    """
    order = sorted(range(len(table)), key=_hashes(table).__getitem__)
    chosen = [False] * len(table)
    left = fits
    for place in order:
        if table.flags[place] and table.sizes[place] <= left:
            chosen[place] = True
            left -= table.sizes[place]
    strata: defaultdict[tuple[int, int, int, int], list[int]] = defaultdict(list)
    for place in reversed(order):
        if not chosen[place]:
            strata[_stratum(table, place, first_part)].append(place)
    waiting = list(strata.values())
    while waiting:
        for places in waiting:
            place = places.pop()
            if table.sizes[place] <= left:
                chosen[place] = True
                left -= table.sizes[place]
        waiting = [places for places in waiting if places]
    return chosen


def _hashes(table: Table) -> list[bytes]:
    known = {
        group: blake2b(group.to_bytes(8, "little"), digest_size=8).digest() for group in set(table.groups)
    }
    return [known[group] for group in table.groups]


def _stratum(table: Table, place: int, first_part: str | None) -> tuple[int, int, int, int]:
    step = table.steps[place]
    part = table.parts.get(first_part) if first_part is not None else None
    last = table.steps[len(table) - 1]
    tenth = 0 if math.isnan(step) or math.isnan(last) or last <= 0 else int(10 * min(step / last, 1.0))
    return (
        table.sources[place],
        tenth,
        table.statuses[place],
        0 if part is None else part.reasons[place],
    )


MOST_NAMED = 3
"""Runs that a title names."""
TEXT_BYTES = 30 << 20
"""Bytes of texts, as they stand in a page: browsers open it in a second or two."""


@dataclass(frozen=True)
class Report:
    """Contents of a report.

    Args:
        title: Its heading.
        files: The files that it is made of.
        table: The numbers of all rows.
        figures: Result of `Figures.all`.
        charts: In the order in which they are shown.
        blocks: The texts; None where nobody reads them.
        logs: Logs of a training run.
        problems: Lines that could not be read, the first of them.
        unreadable: Number of unreadable lines.
        compared: Comparison of each run with the first, from `adapters.comparison`.
    """

    title: str
    files: list[str]
    table: Table
    figures: dict[str, Any]
    charts: list[Chart]
    blocks: Blocks | None
    logs: RunLogs | None
    problems: list[str]
    unreadable: int
    compared: list[dict[str, Any]] = field(default_factory=list)


def made_report(
    paths: list[str],
    columns: Columns,
    *,
    outcome: str | None = None,
    limit: int | None = TEXT_BYTES,
    with_texts: bool = True,
    say: Callable[[str], object] = lambda _: None,
) -> Report:
    """Read scored files, or the folder of a training run, twice at most.

    Args:
        paths: The files; or one folder.
        columns: Names of their columns.
        outcome: The part that is the accuracy; None for the one that `outcome_part` finds.
        limit: Bytes of texts in the page; None for no limit.
        with_texts: Whether texts are wanted at all.
        say: Function that shows a line about progress.

    Raises:
        ConfigError: There are no scored rows, no such part, or a file cannot be read.
    """
    logs = None
    if any(Path(path).is_dir() for path in paths):
        if len(paths) > 1:
            raise ConfigError("a report is about scored files, or about the folder of one run")
        logs = run_logs(Path(paths[0]))
    files = (
        ScoredFiles(paths, columns, run_names(paths)) if logs is None else ScoredFiles(logs.files, columns)
    )
    table = Table(columns)
    blocks = Blocks(Readings(), limit) if with_texts else None
    fitting = with_texts
    part: str | None = None
    for place, scored in enumerate(files.rows()):
        if not place:
            part = outcome_part(scored.named, scored.parts, outcome)
        table.add(scored)
        if blocks is not None and fitting:
            fitting = blocks.add(place, scored)
            if not fitting:
                say("the texts do not all fit into the page; a sample of them is taken")
    if blocks is not None and not fitting:
        table.finish()
        blocks = _sampled(files, table, blocks, part)
    elif blocks is not None:
        blocks.close()
    return finished_report(paths, files, table, part, blocks, logs)


def finished_report(
    paths: list[str],
    files: ScoredFiles,
    table: Table,
    part: str | None,
    blocks: Blocks | None,
    logs: RunLogs | None,
) -> Report:
    """Return a report of rows that were read.

    Args:
        paths: As they were named.
        files: They were read from.
        table: Their numbers; more rows may be added to it after this.
        part: The one that is the accuracy.
        blocks: Their texts.
        logs: Logs of a training run.

    Raises:
        ConfigError: There are no rows.
    """
    if not len(table):
        raise ConfigError(f"{', '.join(paths)}: no rows")
    table.finish()
    table.changes = flips(table, table.rewards if part is None else table.parts[part].values)
    figures = Figures(table, part)
    found = figures.all()
    return Report(
        title=_title(paths, table),
        files=files.names,
        table=table,
        figures=found,
        charts=[] if table.several_runs else charts(figures, found, logs),
        blocks=blocks,
        logs=logs,
        problems=list(files.problems),
        unreadable=files.unreadable,
    )


def _title(paths: list[str], table: Table) -> str:
    if table.several_runs:
        names = list(table.run_names)
        return " · ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} runs"
    return Path(paths[0]).name if len(paths) == 1 and paths[0] != "-" else f"{len(paths)} files"


def _sampled(files: ScoredFiles, table: Table, full: Blocks, part: str | None) -> Blocks:
    """Return the texts of a sample, whose size follows from the compression of the first texts."""
    assert full.limit is not None  # noqa: S101
    read = sum(table.sizes[place] for place in full.places)
    # A little less than fits, since rows that are alike no longer stand next to one another.
    fits = int(0.9 * read * full.limit / max(full.bytes_out, 1))
    chosen = chosen_rows(table, fits, part)
    blocks = Blocks(full.readings, None)
    for place, scored in enumerate(files.rows()):
        if chosen[place]:
            blocks.add(place, scored)
    blocks.close()
    return blocks
