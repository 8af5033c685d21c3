"""Scoring files in order, over all cores and in bounded memory, with continuation after a kill."""

from __future__ import annotations

import contextlib
import json
from collections import deque
from collections.abc import Callable, Iterator

from reward_verifiers.verifiers import ConfigError

from .chunk_scorer import Scorer
from .engines import Engine, FaultLimit, Wait, here_or_beside
from .file_scorer import FileScorer
from .gathering import gathered
from .jsonl import Line, Overlong, Source, parse
from .line_groups import whole_groups
from .scored_output import Output
from .tallies import Tally, tally
from .written import without_written

TOO_LONG = "longer than 16 MB"
Report = Callable[[str], None]
"""Called with a sentence for each line that is rejected."""


def run(
    source: Source,
    scorer: Scorer,
    output: Output,
    *,
    workers: int = 1,
    engine: Callable[[], Engine] | None = None,
    report: Report = lambda sentence: None,
    progress: Callable[[int], None] = lambda rows: None,
    max_faults: int | None = None,
    note: Callable[[str], None] = lambda sentence: None,
    gather: bool = False,
) -> tuple[dict[str, Tally], int]:
    """Score all rows of the source.

    Args:
        source: The input.
        scorer: Scores a row.
        output: Destination of the rows.
        workers: Processes; 1 scores in this one.
        engine: Starts what scores chunks elsewhere, once there is something to score.
        report: Called with one sentence for each rejected line.
        progress: Called with the number of lines that are done.
        max_faults: Rows that may break; by default any number, unless all of the first chunk do in one way.
        note: Called with a sentence about the file.
        gather: Bring the rows of a group together first, on disk; else they must follow one another.

    Returns:
        The summary's tallies, and how many lines were rejected.

    Raises:
        ConfigError: The input lacks a column, or is not what a run to resume was made from.
        RunError: The run had to stop.
        FaultsError: Too many rows broke.
    """
    if output.resuming and scorer.reward.needs_groups:
        raise ConfigError(
            "a reward that compares the completions of a prompt cannot be resumed in the middle of one; "
            "use --force"
        )
    file_scorer = FileScorer(scorer, note)
    chunks = _checked(source, file_scorer)
    first = next(chunks, None)  # what is wrong with its columns is told before anything is written
    output.open()
    pending = _chain(first, chunks)
    if gather:
        pending = gathered(pending, scorer.group_field)
    if scorer.reward.needs_groups:
        pending = whole_groups(pending, scorer.group_field, together=gather)
    done = _Done(output, report, progress, FaultLimit(max_faults))
    if output.resuming:
        pending = _skip_done(pending, file_scorer, done)
    with contextlib.closing(engine() if engine is not None else here_or_beside(workers)) as scoring:
        _score_all(pending, file_scorer, scoring, done)
    return done.tallies, done.rejected


class _Done:
    """The results so far, written in the order of the lines.

    Args:
        output: Destination of the rows.
        report: As in `run`.
        progress: As in `run`.
        limit: Ends a run on which too many rows break.
    """

    def __init__(
        self, output: Output, report: Report, progress: Callable[[int], None], limit: FaultLimit
    ) -> None:
        self.output, self._report, self._progress, self._limit = output, report, progress, limit
        self.tallies: dict[str, Tally] = {}
        self.rejected = 0

    def reject(self, line: Line | Overlong, problem: str) -> None:
        """Record a line that is no row, with the reason."""
        self.rejected += 1
        if isinstance(line, Line):
            self._report(f"{line.where}: {problem}")
            self.output.reject(line.rejected + b"\n")
        else:
            self._report(f"{line.file}:{line.number}: {problem}")
            line.copy_to(self.output.reject)

    def take(self, lines: list[Line], wait: Wait) -> None:
        """Write the result of a chunk."""
        result = wait()
        self._limit.count(result, len(lines))
        self.output.write(result.output)
        for index, problem in result.problems.items():
            self.reject(lines[index], problem)
        for name, counted in result.tallies.items():
            self.tallies.setdefault(name, Tally()).merge(counted)
        self._progress(len(lines))


def _score_all(
    pending: Iterator[list[Line] | Overlong], file_scorer: FileScorer, scoring: Engine, done: _Done
) -> None:
    waiting: deque[tuple[list[Line], Wait]] = deque()
    for chunk in pending:
        if isinstance(chunk, Overlong):
            while waiting:
                done.take(*waiting.popleft())
            done.reject(chunk, TOO_LONG)
            continue
        waiting.append((chunk, scoring.submit(file_scorer, chunk)))
        if scoring.full:
            done.take(*waiting.popleft())
    while waiting:
        done.take(*waiting.popleft())


def _checked(source: Source, file_scorer: FileScorer) -> Iterator[list[Line] | Overlong]:
    """Yield the source's chunks, after checking the columns by the first line that holds a row."""
    known = False
    for chunk in source.chunks():
        for line in chunk if isinstance(chunk, list) and not known else ():
            try:
                row = parse(line.raw)
            except ValueError:
                continue
            file_scorer.fit(row, line.where)
            known = True
            break
        yield chunk


def _chain(
    first: list[Line] | Overlong | None, rest: Iterator[list[Line] | Overlong]
) -> Iterator[list[Line] | Overlong]:
    if first is not None:
        yield first
        yield from rest


def _skip_done(
    chunks: Iterator[list[Line] | Overlong], file_scorer: FileScorer, done: _Done
) -> Iterator[list[Line] | Overlong]:
    """Drop the rows that the run to continue has written, and reject again those that it rejected."""
    output = done.output
    earlier_rows = output.rows_so_far()
    written = next(earlier_rows, None)
    for chunk in chunks:
        if written is None:
            yield chunk
            continue
        if isinstance(chunk, Overlong):
            done.reject(chunk, TOO_LONG)
            continue
        for position, line in enumerate(chunk):
            if written is None:
                yield chunk[position:]
                break
            try:
                row = file_scorer.scorer.read(line.raw)
            except ValueError as error:
                done.reject(line, str(error))
                continue
            _check_same(row, written, file_scorer.scorer.signature, line, output)
            earlier = json.loads(written)
            statuses = {verdict["status"] for verdict in earlier["verdicts"]}
            status = "fault" if "fault" in statuses else "unscored"
            judged = zip(earlier["verdict_parts"], earlier["verdicts"], strict=True)
            prompt = file_scorer.scorer.prompt_of(row)
            tally(done.tallies, status, earlier["reward"], judged, earlier["reward_parts"], prompt)
            written = next(earlier_rows, None)
    if written is not None:
        raise ConfigError(f"{output.path}: has more rows than the input; it was not made from it")


def _check_same(row: dict[str, object], written: bytes, signature: str, line: Line, output: Output) -> None:
    try:
        earlier = json.loads(written)
        was = earlier["signature"]
        if not all(isinstance(verdict["reason"], str) for verdict in earlier["verdicts"]):
            raise TypeError
        _ = earlier["reward"], earlier["reward_parts"].items()
        if len(earlier["verdict_parts"]) != len(earlier["verdicts"]):
            raise TypeError
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ConfigError(
            f"{output.path}: holds a line that is not a scored row; nothing was changed"
        ) from None
    if was != signature:
        raise ConfigError(
            f"{output.path}: was scored by {was!r}, and this run would score by {signature!r}; "
            "use the same recipe, code and versions, or another output file"
        )
    before, now = without_written(earlier), without_written(row)
    # Compared as text as well, since NaN differs from itself.
    if before != now and json.dumps(before) != json.dumps(now):
        raise ConfigError(f"{output.path}: does not agree with {line.where}; was the input changed?")
