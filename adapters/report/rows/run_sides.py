"""The rows of one run as a side of a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from reward_verifiers.adapters.comparison.reading import Side
from reward_verifiers.adapters.files.jsonl import Line, Overlong, Source, parse

from ...files.columns import Naming
from .runs import run_names
from .scored_rows import RUN


def run_side(paths: list[str], run: str, named: Callable[[Mapping[str, Any], str], Naming]) -> Side:
    """The rows of a run, wherever they stand in some files.

    Args:
        paths: The files, or patterns, as they were named.
        run: The run's name.
        named: What says what the columns of a first row are called.

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
