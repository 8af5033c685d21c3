"""Rows by run: the run of each row, counterparts in two runs, and flips between them."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..comparison.side_reading import Side
from ..files.columns import Naming
from ..files.jsonl import Line, Overlong, Source, parse
from .report_table import FLIPPED, Table
from .scored_rows import RUN


def run_names(paths: Sequence[str]) -> dict[str, str]:
    """Return the run of each file: a path, or a pattern of files, is one; a single run has no name.

    Args:
        paths: As they were named; a path that is named again is another run.

    Raises:
        ConfigError: A path is no file.

    >>> run_names(["one.jsonl"])
    {}
    """
    if len(paths) < 2:
        return {}
    short = [Path(path).stem if path != "-" else "standard input" for path in paths]
    names = short if len(set(short)) == len(short) else list(paths)
    found: dict[str, str] = {}
    for path, name in zip(paths, names, strict=True):
        found |= dict.fromkeys((each.name for each in Source([path]).inputs), name)
    return found


def flips(table: Table, values: Sequence[float]) -> array[float]:
    """Return each row's difference from its counterpart in the first run, and the first run's from the last.

    Args:
        table: The rows; those that differ are flagged.
        values: The outcome of each.

    Returns:
        Differences, later less earlier; NaN for a row without a counterpart that was judged.
    """
    last = len(table.run_names) - 1
    found = array("d", [math.nan]) * len(table)
    if last < 1:
        return found
    known: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for place, pair in enumerate(table.pairs):
        known[pair][table.runs[place]] = values[place]
    for place, pair in enumerate(table.pairs):
        run, own = table.runs[place], known[pair]
        before, after = (own.get(0), own.get(last)) if run == 0 else (own.get(0), values[place])
        if before is not None and after is not None and not math.isnan(after - before):
            found[place] = after - before
            if after != before:
                table.flags[place] |= FLIPPED
    return found


def missing_pairs(table: Table) -> Mapping[str, int]:
    """Return, by run, the rows that have no counterpart in the first one."""
    first = {pair for pair, run in zip(table.pairs, table.runs, strict=True) if run == 0}
    found = dict.fromkeys(table.run_names, 0)
    names = list(found)
    for pair, run in zip(table.pairs, table.runs, strict=True):
        found[names[run]] += run > 0 and pair not in first
    return found


def run_side(paths: list[str], run: str, named: Callable[[Mapping[str, Any], str], Naming]) -> Side:
    """Return the rows of a run from among some files.

    Args:
        paths: The files, or patterns, as they were named.
        run: The run's name.
        named: Names the columns of a first row.

    Raises:
        ConfigError: A path is no file.
    """
    names = run_names(paths)
    own = [path for path in paths if run in {names.get(each.name, run) for each in Source([path]).inputs}]
    source = Source(own or paths)
    for line in source.look():
        try:
            row = parse(line.raw)
        except ValueError:
            continue
        if _run(line, row, names) == run:
            return Side(run, _of_run(source, run, names), source.total_bytes, None, named(row, line.where))
    return Side(run, _of_run(source, run, names), source.total_bytes)


def _run(line: Line, row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    own = row.get(RUN)
    return str(own) if isinstance(own, str | int) else names.get(line.file, "")


def _of_run(source: Source, run: str, names: Mapping[str, str]) -> Iterator[list[Line] | Overlong]:
    for chunk in source.chunks():
        if isinstance(chunk, Overlong):
            continue  # the report has counted it
        kept = []
        for line in chunk:
            try:
                row = parse(line.raw)
            except ValueError:
                continue
            if _run(line, row, names) == run:
                kept.append(line)
        if kept:
            yield kept
