"""``verify-cli diff``: two scorings of the same rows, and what flipped between them."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated

import typer

from reward_verifiers.adapters.comparison.comparing import NAMED_ROWS, compare
from reward_verifiers.adapters.comparison.reading import Side, side_of
from reward_verifiers.adapters.comparison.scoring import scored_chunks
from reward_verifiers.adapters.comparison.sides import POSITION, Columns
from reward_verifiers.adapters.files.jsonl import Source
from reward_verifiers.rewards import load_recipe
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.pool import available_cores

from ..columns import Options, naming_of, with_columns
from ..console import (
    ROWS_FAILED,
    FailOn,
    failing_clearly,
    say,
)
from ..results.conditions import diff_figures, failures, read_conditions
from ..results.diff_tables import print_diff
from ..score import PARALLEL_BYTES
from ..taking import scorer_for
from .groups import Outcome

Files = Annotated[
    list[str], typer.Argument(help="Two scored files, before and after; or one file, with --recipe.")
]
Recipes = Annotated[
    list[str] | None,
    typer.Option(
        "--recipe",
        "-r",
        help="Score FILE by this recipe. Given twice, compare both; once, compare with FILE's verdicts.",
        show_default=False,
    ),
]
Key = Annotated[
    str | None,
    typer.Option(
        help=f"The column that matches rows, or {POSITION} for line numbers (default: id, else the prompt).",
        show_default=False,
    ),
]
By = Annotated[
    str | None,
    typer.Option("--by", help="The column of sources (default: source, dataset ...).", show_default=False),
]


@with_columns
def diff(
    options: Options,
    files: Files,
    recipe: Recipes = None,
    key: Key = None,
    by: By = None,
    outcome: Outcome = None,
    rows: Annotated[int, typer.Option(help="Rows to list for each kind of change.", min=0)] = NAMED_ROWS,
    fail_on: FailOn = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Compare two scorings of the same rows: what changed and why, with intervals and an exact test.

    Rows are matched by their key and completion, wherever they stand. Where completions differ, as those of
    two checkpoints do, prompts are compared. Exit status: 0, 1 where a condition of --fail-on holds, 2 wrong
    usage or rows that do not match.
    """
    with failing_clearly():
        conditions = read_conditions(fail_on)
        # Of one file that is scored twice every line is its own counterpart.
        own = POSITION if key is None and recipe else key
        columns = Columns(own, by)
        sides = _sides(files, recipe or [], options)
        found = compare(*sides, columns, outcome, rows)
        if as_json:
            typer.echo(json.dumps(found, ensure_ascii=True, indent=1))
        else:
            print_diff(found)
        figures = diff_figures(found)
        for condition in conditions:
            condition.check(figures, "outcome")
        failed = failures(conditions, figures)
        for said in failed:
            say(f"failed: {said}")
    if failed:
        raise typer.Exit(ROWS_FAILED)


def _sides(files: list[str], recipes: list[str], options: Options) -> tuple[Side, Side]:
    if (len(files), len(recipes)) not in ((2, 0), (1, 1), (1, 2)):
        raise ConfigError(
            "diff takes two scored files, or one FILE with one --recipe (compared with what the file holds) "
            f"or two; got {len(files)} files and {len(recipes)} recipes"
        )
    if not recipes:
        if files[0] == files[1] == "-":
            raise ConfigError("only one side can come from standard input")
        ours, theirs = (side_of(each, partial(naming_of, options=options)) for each in files)
        return ours, theirs
    if files[0] == "-":
        raise ConfigError("with --recipe the file is read twice, so not from a pipe; name a file")
    scored = [_scored(files[0], each, options) for each in recipes]
    own = partial(naming_of, options=options)
    return (side_of(files[0], own), scored[0]) if len(scored) == 1 else (scored[0], scored[1])


def _scored(path: str, recipe: str, options: Options) -> Side:
    source = Source([path])
    scorer = scorer_for(source, options, load_recipe(recipe))
    small = source.total_bytes is not None and source.total_bytes < PARALLEL_BYTES
    chunks = scored_chunks(
        source, scorer, 1 if small else available_cores(), say, lambda said: say(f"rejected: {said}")
    )
    return Side(recipe, chunks, source.total_bytes)
