"""``verify-cli score``: score JSONL completions."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from reward_verifiers.rewards import Reward, VerdictCache
from reward_verifiers.rewards.tree.payment import UNOPENED_ROWS, UNOPENED_SHARE
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.packages import deferred, require
from reward_verifiers.verifiers.runtime.pool import available_cores

from ..files.chunk_scorer import Scorer
from ..files.engines import Engine
from ..files.file_runner import run
from ..files.jsonl import Source
from ..files.scored_output import Output
from ..files.tallies import Tally, judged_nothing
from .column_options import Options, with_columns
from .conditions import Figure, check_for, read_conditions, score_failures, score_figures
from .console import (
    DEFAULT_RECIPE,
    DONE,
    FAULTED,
    ROWS_FAILED,
    USAGE,
    FailOn,
    ProgressOption,
    RecipeOrAuto,
    check_progress,
    failing_clearly,
    say,
    stderr,
    stdout,
)
from .score_summary import PROJECT, client, log_run, print_summary
from .taking import chosen_reward, scorer_for

PARALLEL_BYTES = 4 << 20
"""Inputs below this are scored in one process: starting others would take longer."""
_CLUSTER = deferred("reward_verifiers.adapters.cluster.ray_engine")  # loaded where a cluster is asked for
REPORTED = 100
"""Rejected lines that are named one by one on standard error; the rest are counted."""

MORE = "More"
"""The head of options that few people need."""

Files = Annotated[
    list[str],
    typer.Argument(
        help="JSON Lines, JSON arrays, CSV, TSV (plain, gzip, zstd), Parquet, Arrow, folders and names of "
        "datasets; - for standard input."
    ),
]
GroupBy = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=MORE,
        help="Gather rows with the same value in this column first, for rewards that compare them.",
        show_default=False,
    ),
]
InputFormat = Annotated[
    Literal["auto", "json", "csv", "tsv"],
    typer.Option(rich_help_panel=MORE, help="Format of text input without a telling name, as in a pipe."),
]
Out = Annotated[str | None, typer.Option("--output", "-o", help="Scored rows; - for standard output.")]
Cache = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=MORE, help="Folder that keeps slow verdicts, for scoring again with other recipes."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        rich_help_panel=MORE,
        help="Number of processes, or of actors with Ray (default: all cores; one process for small files).",
        show_default=False,
    ),
]
Engines = Annotated[
    Literal["local", "ray"],
    typer.Option(rich_help_panel=MORE, help="Score on this machine, or on a Ray cluster."),
]
Address = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=MORE,
        help="Address of the Ray cluster (default: RAY_ADDRESS, else a Ray of its own).",
        show_default=False,
    ),
]
MaxFaults = Annotated[
    int | None,
    typer.Option(
        rich_help_panel=MORE,
        help="Number of faults after which the run ends with status 3 (default: no limit, "
        "unless all of the first rows fail in the same way).",
        min=0,
        show_default=False,
    ),
]


Log = Annotated[
    list[str] | None,
    typer.Option(
        rich_help_panel=MORE,
        help="Log the figures to wandb, mlflow, trackio or tensorboard; repeatable.",
        show_default=False,
    ),
]


@with_columns
def score(
    options: Options,
    files: Files,
    recipe: RecipeOrAuto = DEFAULT_RECIPE,
    output: Out = None,
    workers: Workers = None,
    group_by: GroupBy = None,
    input_format: InputFormat = "auto",
    progress: ProgressOption = 1.0,
    cache: Cache = None,
    resume: Annotated[bool, typer.Option(help="Continue OUTPUT where a killed run stopped.")] = False,
    force: Annotated[bool, typer.Option(help="Overwrite OUTPUT.")] = False,
    max_faults: MaxFaults = None,
    fail_on: FailOn = None,
    engine: Engines = "local",
    address: Address = None,
    log: Log = None,
    log_project: Annotated[
        str, typer.Option(rich_help_panel=MORE, help="The project, experiment or folder for --log.")
    ] = PROJECT,
) -> None:
    """Score completions: each row with its reward and verdicts, and a summary.

    Unreadable lines are reported by number and copied to OUTPUT's .rejected.jsonl. Exit status: 0 done, 1
    some lines could not be read or a condition of --fail-on holds, 2 wrong usage or no rows, 3 the reward
    failed on too many rows or scored none, 130 interrupted: --resume goes on.
    """
    with failing_clearly():
        check_progress(progress)
        conditions = read_conditions(fail_on)
        for tracker in log or ():
            client(tracker)  # told before anything is scored
        reward = chosen_reward(options)
        cluster = _cluster(engine, address, workers)
        _ = None if cache is None else VerdictCache(cache)  # what cannot be kept is told before the first row
        source = Source(files, None if input_format == "auto" else input_format)
        target = Output(output, resume=resume, force=force)
        target.check_apart_from(source.paths)
        _check_reference(options, reward)
        scorer = scorer_for(source, options, reward, output, progress=progress, cache=cache)
        check_for(conditions, scorer.reward)
        tallies, rejected = _scored(
            source, scorer, target, workers, cluster, max_faults, group_by is not None
        )
        rows = tallies["reward"].rows if tallies else 0
        failed = score_failures(conditions, tallies, rejected) if rows else []
        _tell(tallies, rejected, target, failed)
        if rows:
            failed += _logged(
                log or [], log_project, output or files[0], scorer, score_figures(tallies, rejected)
            )
        if nothing := judged_nothing(tallies):
            say(f"error: {nothing}")
        if not rows and not rejected:
            say(f"error: {', '.join(files)}: no rows")
    if rows and (tallies["reward"].faults == rows or nothing):
        raise typer.Exit(FAULTED)
    if not rows and not rejected:
        raise typer.Exit(USAGE)
    raise typer.Exit(ROWS_FAILED if rejected or failed else DONE)


def _check_reference(options: Options, reward: Reward | None) -> None:
    """Refuse a named column of references that no part reads.

    Raises:
        ConfigError: A column of references is named, and nobody reads it.
    """
    if reward is not None and options.given("reference_field") and not reward.reads_references():
        named = options["reference_field"]
        raise ConfigError(
            f"--reference-field {named!r} would be ignored: no part of {reward.describe()} reads references; "
            "leave it out, or choose another --recipe"
        )


def _scored(
    source: Source,
    scorer: Scorer,
    target: Output,
    workers: int | None,
    engine: Callable[[], Engine] | None,
    max_faults: int | None,
    gather: bool,
) -> tuple[dict[str, Tally], int]:
    """Score all rows, with a bar, and print the summary: as `run`."""
    started = time.perf_counter()
    reporter = _Reporter()
    bar = _Bar(source)
    try:
        with bar:
            tallies, rejected = run(
                source,
                scorer,
                target,
                workers=_processes(workers, source),
                engine=engine,
                report=reporter,
                progress=bar.advance,
                max_faults=max_faults,
                note=say,
                gather=gather,
            )
    finally:
        target.close()
        reporter.finish()
    rows = tallies["reward"].rows if tallies else 0
    console = stderr() if target.path == "-" else stdout()
    if not rows and not rejected:
        return tallies, rejected  # whoever asked says that there are none
    print_summary(console, tallies, rows=rows, rejected=rejected, seconds=time.perf_counter() - started)
    return tallies, rejected


def _processes(workers: int | None, source: Source) -> int:
    """Return the number of processes that score.

    Raises:
        ConfigError: Fewer than one is asked for.
    """
    if workers is not None and workers < 1:
        raise ConfigError(f"--workers must be at least 1, got {workers}")
    small = source.total_bytes is not None and source.total_bytes < PARALLEL_BYTES
    return workers if workers is not None else 1 if small else available_cores()


def _cluster(engine: str, address: str | None, actors: int | None) -> Callable[[], Engine] | None:
    """Return the function that starts the engine asked for; None for this machine's.

    Raises:
        ConfigError: An address without a cluster.
        MissingDependencyError: Ray is not installed.
    """
    if engine == "ray":
        require("ray", extra="ray")  # told before files are opened
        return lambda: _CLUSTER.RayEngine(address, actors)
    if address is not None:
        raise ConfigError(f"--address {address} is of a Ray cluster: add --engine ray")
    return None


def _logged(
    trackers: list[str], project: str, file: str, scorer: Scorer, figures: Mapping[str, Figure]
) -> list[str]:
    """Log the figures, and return the messages of trackers that failed."""
    about = {"file": file, "recipe": scorer.recipe, "signature": scorer.signature}
    plain = {name: each.value for name, each in figures.items() if each.value is not None}
    failed = []
    for tracker in trackers:
        try:
            log_run(tracker, project, Path(file).stem if file != "-" else "scored", about, plain)
        except Exception as error:  # clients raise whatever they like; the rows are written
            failed.append(f"--log {tracker}: {type(error).__name__}: {error}")
            say(f"error: {failed[-1]} (the scored rows are complete)")
    return failed


def _tell(tallies: Mapping[str, Tally], rejected: int, target: Output, failed: list[str]) -> None:
    """Print notes that have no room in a summary."""
    if rejected and target.rejected_path is not None:
        say(f"{rejected:,} lines could not be scored; they are in {target.rejected_path}")
    for name, tally in tallies.items():
        if tally.fault:
            say(f"fault: {name} broke on {tally.faults:,} of {tally.rows:,} rows, first: {tally.fault}")
        if tally.unopened > UNOPENED_SHARE * tally.rows and tally.rows >= UNOPENED_ROWS:
            say(f"hint: {name}: {tally.unopened:,} of {tally.rows:,} rows: {tally.tag}")
    for said in failed:
        say(f"failed: {said}")


class _Reporter:
    """Names rejected lines on standard error, and stops before it floods the terminal."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, sentence: str) -> None:
        self._count += 1
        if self._count <= REPORTED:
            say(f"rejected: {sentence}")

    def finish(self) -> None:
        if self._count > REPORTED:
            say(f"rejected: {self._count - REPORTED:,} more lines")


class _Bar:
    """A progress bar on a terminal, nothing in a pipe."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._rows = 0
        console = stderr()
        rows = TextColumn("{task.fields[rows]:,} rows")
        columns = (TextColumn("scoring"), BarColumn(), TaskProgressColumn(), rows, TimeRemainingColumn())
        self._progress = Progress(*columns, console=console, transient=True) if console.is_terminal else None
        self._task: Any = None

    def __enter__(self) -> None:
        if self._progress is not None:
            self._progress.start()
            self._task = self._progress.add_task("score", total=self._source.total_bytes, rows=0)

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def advance(self, rows: int) -> None:
        self._rows += rows
        if self._progress is not None:
            self._progress.update(self._task, completed=self._source.position(), rows=self._rows)
