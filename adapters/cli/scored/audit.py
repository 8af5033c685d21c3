"""``verify-cli audit``: findings in scored files that a person should look at before training goes on."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.table import Table

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from ...audit.audited_rows import Rows
from ...audit.auditing import audit as audited
from ...audit.findings import LEVELS, Finding
from ..column_options import Options, common_naming, with_columns
from ..console import ROWS_FAILED, failing_clearly, literal, stdout

COLOURS = {"alarm": "bold red", "warning": "yellow", "note": "dim"}

Files = Annotated[list[str], typer.Argument(help="Scored files of JSON Lines; - for standard input.")]
Outcome = Annotated[
    str | None,
    typer.Option(help="The part that tells right from wrong (default: the first that needs a reference)."),
]
Strict = Annotated[
    str | None,
    typer.Option(help="The strict measure beside the reward (default: a part or column `strict`)."),
]
Labels = Annotated[
    str | None,
    typer.Option(help="A column with labels: print the outcome's agreement with them instead."),
]
FailOn = Annotated[
    str | None, typer.Option(help="End with status 1 from this level: note, warning or alarm.")
]


@with_columns
def audit(
    options: Options,
    files: Files,
    outcome: Outcome = None,
    strict: Strict = None,
    labels: Labels = None,
    fail_on: FailOn = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Look for hacking, drift, collapse and broken verifiers in scored rows.

    Time is the column `step`, groups are rows with the same prompt. Exit status: 0, or 1 with --fail-on.
    """
    with failing_clearly():
        if fail_on is not None and fail_on not in LEVELS:
            raise ConfigError(
                f"--fail-on {fail_on!r} is not one of {', '.join(LEVELS)}{nearest(fail_on, LEVELS)}"
            )
        source, names = common_naming(files, options)
        rows = Rows(outcome, strict, names.completion, names.group, labels).read(source)
        if not rows.count:
            raise ConfigError(f"{', '.join(files)}: no rows")
        if labels is not None:
            _print_labels(rows, as_json)
            return
        findings = audited(rows)
        if as_json:
            typer.echo(json.dumps([each.to_dict() for each in findings], ensure_ascii=False, indent=1))
        else:
            _print(rows, findings)
    if fail_on is not None and any(LEVELS.index(each.level) >= LEVELS.index(fail_on) for each in findings):
        raise typer.Exit(ROWS_FAILED)


def _print(rows: Rows, findings: list[Finding]) -> None:
    console = stdout()
    steps = f", {len(rows.by_step()):,} steps" if rows.by_step() else ", no column `step`: nothing over time"
    console.print(literal(f"{rows.count:,} rows, {len(set(rows.group)):,} prompts{steps}", "dim"))
    if not findings:
        console.print("nothing found")
    for each in findings:
        console.print()
        head = literal(f"{each.level} ", COLOURS[each.level])
        console.print(head + literal(each.name, "bold") + literal(f" ({each.part})" if each.part else ""))
        console.print(literal(f"  {each.message}"))
        chance = "" if each.chance is None else f"; by chance in {each.chance:.1g} of healthy files"
        console.print(literal(f"  {each.value:g}, threshold {each.threshold:g}{chance}", "dim"))
        console.print(literal(f"  {each.cure}"))
        if each.rows:
            console.print(literal(f"  rows {', '.join(f'{row:,}' for row in each.rows[:8])}", "dim"))


def _print_labels(rows: Rows, as_json: bool) -> None:
    figures: dict[str, Any] = rows.confusion.figures()
    if as_json:
        typer.echo(json.dumps(figures, ensure_ascii=False, indent=1))
        return
    console = stdout()
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_row("rows", f"{figures['rows']:,}", f"{figures['unjudged']:,} without a verdict")
    for name in ("agreement", "precision", "recall", "kappa"):
        if figures[name] is not None:
            value, low, high = figures[name]
            table.add_row(name, f"{value:.4f}", f"95 % interval {low:.4f} to {high:.4f}")
    table.add_row("wrong paid", f"{figures['wrong_paid']:,}", _rows(figures, "wrong_paid"))
    table.add_row("right refused", f"{figures['right_refused']:,}", _rows(figures, "right_refused"))
    for each in figures["reasons"][:10]:
        table.add_row(f"  {each['mistake'].replace('_', ' ')}", f"{each['rows']:,}", each["reason"])
    console.print(table)


def _rows(figures: dict[str, Any], kind: str) -> str:
    named = figures["first_rows"].get(kind, [])
    return f"rows {', '.join(map(str, named[:8]))}" if named else ""
