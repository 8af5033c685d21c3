"""``verify-cli diff``: two scorings of the same rows, and the flips between them, as tables."""

from __future__ import annotations

import json
from functools import partial
from typing import Annotated, Any

import typer
from rich.table import Table

from reward_verifiers import rewards
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.packages import deferred
from reward_verifiers.verifiers.runtime.pool import available_cores

from ...comparison.comparing import NAMED_ROWS, compare
from ...comparison.side_reading import Side, side_of
from ...comparison.sides import POSITION, Columns
from ...files.jsonl import Source
from ..column_options import Options, naming_of, with_columns
from ..conditions import diff_figures, failures, read_conditions
from ..console import (
    ROWS_FAILED,
    FailOn,
    failing_clearly,
    literal,
    say,
    stdout,
)
from .groups import Outcome

# What scores, for a diff by a recipe.
_SCORE, _TAKING = (deferred(f"reward_verifiers.adapters.cli.{each}") for each in ("score", "taking"))
_SCORING = deferred("reward_verifiers.adapters.comparison.scoring")
SHOWN_REASONS = 20


def print_diff(found: dict[str, Any]) -> None:
    """Print the result of `compare` for a person."""
    console = stdout()
    console.print(literal(_matched(found), "dim"))
    for warning in _warnings(found):
        console.print(literal(warning, "yellow"))
    console.print()
    table = _table("", "before", "after", "change", "95 %", "p", "rose/fell")
    for name, part in found["parts"].items():
        table.add_row(literal(name), *_figures(part), f"{part['rose']:,}/{part['fell']:,}")
    console.print(table)
    console.print(literal(_method(found), "dim"))
    outcome = found["outcome"]
    if found["sources"]:
        table = _table(found["source_column"], "before", "after", "change", "95 %", "p", "righted/lost")
        for each in found["sources"]:
            part = each.get("outcome") or each.get("reward", {})
            flips = [part.get(name, 0) for name in ("wrong_to_right", "right_to_wrong")]
            table.add_row(literal(each["source"]), *_figures(part), "/".join(f"{count:,}" for count in flips))
        console.print()
        console.print(table)
    _print_reasons(found)
    if found["flipped"]:
        console.print()
        for each in found["flipped"]:
            flip = each["flip"].replace("_", " ")
            places = (
                f"{each['first']} -> {each['second']}" if each["first"] != each["second"] else each["first"]
            )
            console.print(literal(f"{flip}: {places}: {each['reasons'][0]} -> {each['reasons'][1]}"))
        total = sum(found["parts"][outcome][name] for name in found["parts"][outcome] if "_to_" in name)
        if total > len(found["flipped"]):
            console.print(
                literal(
                    f"{len(found['flipped']):,} of {total:,} flips of {outcome}; --rows N names more", "dim"
                )
            )


def _print_reasons(found: dict[str, Any]) -> None:
    table = _table("part", "before", "after", "rows")
    more = 0
    for name, part in found["parts"].items():
        for change in part.get("changes", ()):
            if table.row_count == SHOWN_REASONS:
                more += 1
                continue
            states = [
                f"{state}: {reason}"
                for state, reason in zip(change["states"], change["reasons"], strict=True)
            ]
            table.add_row(literal(name), *map(literal, states), f"{change['rows']:,}")
        before, after = part.get("reasons", ({}, {}))
        if found["pairs"] < sum(before.values()):  # other completions, of which none is another's counterpart
            for reason in list({**before, **after})[:SHOWN_REASONS]:
                was, now = before.get(reason, 0), after.get(reason, 0)
                if was != now:
                    table.add_row(literal(name), literal(f"{reason}: {was:,}"), f"{now:,}", f"{now - was:+,}")
    if table.row_count:
        stdout().print()
        stdout().print(table)
        if more:
            stdout().print(literal(f"{more:,} more; --json has them", "dim"))


def _matched(found: dict[str, Any]) -> str:
    rows = found["rows"]
    by = (
        f"{found['pairs']:,} pairs of rows"
        if found["compared_by"] == "row"
        else "prompts, by the means of their rows"
    )
    sides = f"{found['first']}: {rows[0]:,} rows, {found['second']}: {rows[1]:,} rows"
    return f"{sides}; compared: {by} (key: {found['key']})"


def _warnings(found: dict[str, Any]) -> list[str]:
    said = [
        f"{count:,} rows are only in {name}"
        for count, name in zip(found["only"], (found["first"], found["second"]), strict=True)
        if count
    ]
    if found["other_completions"]:
        said.append(f"{found['other_completions']:,} rows have another completion: each prompt counts once")
    if found["other_references"]:
        said.append(f"{found['other_references']:,} rows have another reference")
    if found["other_prompts"]:
        said.append(f"{found['other_prompts']:,} rows have another prompt")
    said += [
        f"{part['left_out']:,} rows have no value of {name} in both: they are left out of it"
        for name, part in found["parts"].items()
        if part["left_out"]
    ]
    if found["outcome"] is None:
        said.append("which part says whether an answer is right cannot be told; name it with --outcome")
    return said


def _method(found: dict[str, Any]) -> str:
    figures = [part for part in found["parts"].values() if part.get("prompts")]
    prompts = max((part["prompts"] for part in figures), default=0)
    counted = (
        f"{prompts:,} groups of prompts"
        if any(each["grouped"] for each in figures)
        else f"{prompts:,} prompts"
    )
    exact = ", exact" if all(part["exact"] for part in figures) else ""
    return f"intervals: 95 %, bootstrap over {counted}; p: sign-flip test by prompt{exact}"


def _figures(part: dict[str, Any]) -> list[str]:
    if not part.get("pairs"):
        return ["-"] * 5
    low, high = part["low"], part["high"]
    return [
        f"{part['before']:.3f}",
        f"{part['after']:.3f}",
        f"{part['difference']:+.4f}",
        "-" if low is None else f"{low:+.3f} to {high:+.3f}",
        f"{part['p']:.2g}",
    ]


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    texts = ("", "part", "before", "after") if headings[0] == "part" else headings[:1]
    for heading in headings:
        table.add_column(literal(heading), justify="left" if heading in texts else "right", no_wrap=True)
    return table


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
    typer.Option(
        "--by", help="The column with the sources (default: source, dataset ...).", show_default=False
    ),
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

    Rows match by key and completion, in any order. If completions differ, as those of two checkpoints do,
    prompts are compared. Exit status: 0, 1 if a condition of --fail-on holds, 2 wrong usage or rows that do
    not match.
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
            "diff takes two scored files, or one FILE with "
            f"one --recipe (compared with the file's own verdicts) or two; got {len(files)} files and "
            f"{len(recipes)} recipes"
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
    scorer = _TAKING.scorer_for(source, options, rewards.load_recipe(recipe))
    small = source.total_bytes is not None and source.total_bytes < _SCORE.PARALLEL_BYTES
    chunks = _SCORING.scored_chunks(
        source, scorer, 1 if small else available_cores(), say, lambda said: say(f"rejected: {said}")
    )
    return Side(recipe, chunks, source.total_bytes)
