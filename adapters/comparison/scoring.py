"""A side that is scored for the comparison, by a recipe, and kept nowhere."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace

from ..files.chunk_scorer import Scorer
from ..files.engines import FaultLimit, Wait, here_or_beside
from ..files.file_scorer import FileScorer
from ..files.jsonl import Line, Overlong, Source, parse
from ..files.line_groups import whole_groups


def scored_chunks(
    source: Source,
    scorer: Scorer,
    workers: int = 1,
    note: Callable[[str], None] = lambda sentence: None,
    report: Callable[[str], None] = lambda sentence: None,
) -> Iterator[list[Line] | Overlong]:
    """Yield the rows of a source as they are scored, each with the number of its line.

    Args:
        source: The input.
        scorer: Scores a row.
        workers: Processes; 1 scores in this one.
        note: Called with a sentence about the file.
        report: Called with a sentence for each line that cannot be scored.

    Raises:
        ConfigError: The input lacks a column.
        RunError: Scoring had to stop.
        FaultsError: The reward breaks on all of the first rows in one way.
    """
    fitting, limit = FileScorer(scorer, note), FaultLimit(None)
    chunks = _fitted(source.chunks(), fitting)
    if scorer.reward.needs_groups:
        chunks = whole_groups(chunks, scorer.group_field)
    waiting: deque[tuple[list[Line], Wait]] = deque()

    def finish() -> list[Line]:
        lines, wait = waiting.popleft()
        result = wait()
        limit.count(result, len(lines))
        for index, problem in result.problems.items():
            report(f"{lines[index].where}: {problem}")
        read = [line for index, line in enumerate(lines) if index not in result.problems]
        rows = result.output.split(b"\n")[:-1]
        return [replace(line, raw=raw) for line, raw in zip(read, rows, strict=True)]

    with contextlib.closing(here_or_beside(workers)) as engine:
        for chunk in chunks:
            if isinstance(chunk, Overlong):
                report(f"{chunk.file}:{chunk.number}: longer than 16 MB")
                continue
            waiting.append((chunk, engine.submit(fitting, chunk)))
            if engine.full:
                yield finish()
        while waiting:
            yield finish()


def _fitted(chunks: Iterator[list[Line] | Overlong], fitting: FileScorer) -> Iterator[list[Line] | Overlong]:
    """Yield the same chunks, after reading column names from the first line that holds a row."""
    known = False
    for chunk in chunks:
        for line in chunk if isinstance(chunk, list) and not known else ():
            try:
                row = parse(line.raw)
            except ValueError:
                continue
            fitting.fit(row, line.where)
            known = True
            break
        yield chunk
