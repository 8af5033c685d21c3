"""``verify-cli show``: scored rows on the terminal, those that somebody asks for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

import typer

from verifiers import ConfigError, Status
from verifiers.core import nearest

from ..columns import Options, common_naming, with_columns
from ..console import (
    ROWS_FAILED,
    failing_clearly,
    say,
    stdout,
)
from ..results.shown_rows import ShownRows
from .wanted_rows import Row, Wanted, WantedRows, drawn, folded

LIMIT = 20
MOST = 2000
"""Characters of a completion that are shown without --full."""

Files = Annotated[list[str], typer.Argument(help="Scored files of any format; - for standard input.")]
Reasons = Annotated[
    list[str] | None, typer.Option(help="Rows with this reason; may be given again.", show_default=False)
]
PartOption = Annotated[str | None, typer.Option(help="The part that reason, status, min and max are about.")]
StatusOption = Annotated[
    str | None, typer.Option(help="Rows with a verdict that is scored, unscored or a fault.")
]
DisagreeOption = Annotated[
    bool, typer.Option("--disagree", help="Rows of which one part says right and another wrong.")
]
Least = Annotated[float | None, typer.Option("--min", help="Least reward, or value of --part.")]
Greatest = Annotated[float | None, typer.Option("--max", help="Greatest reward, or value of --part.")]
SearchOption = Annotated[
    str | None, typer.Option(help="A text in completion, prompt or reference, in any case.")
]
Lines = Annotated[list[int] | None, typer.Option(help="A line; may be given again.", show_default=False)]
SampleOption = Annotated[int | None, typer.Option(help="So many of these rows, drawn by lot.", min=1)]


@with_columns
def show(
    options: Options,
    files: Files,
    reason: Reasons = None,
    part: PartOption = None,
    status: StatusOption = None,
    disagree: DisagreeOption = False,
    least: Least = None,
    most: Greatest = None,
    search: SearchOption = None,
    line: Lines = None,
    sample: SampleOption = None,
    seed: Annotated[int, typer.Option(help="For --sample.")] = 0,
    limit: Annotated[int, typer.Option(help="At most so many rows; 0 for all.", min=0)] = LIMIT,
    full: Annotated[bool, typer.Option("--full", help="Show long completions whole.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print each row as a line of JSON.")] = False,
) -> None:
    """Show scored rows: prompt, completion with the evidence marked, reference and verdicts.

    Characters that steer a terminal, or that nobody sees, are shown by their codes.
    """
    with failing_clearly():
        known = [each.value for each in Status]
        if status is not None and status not in known:
            raise ConfigError(f"--status {status!r} is none of {', '.join(known)}{nearest(status, known)}")
        source, names = common_naming(files, options)
        texts = (names.completion, names.prompt, names.reference)
        text = None if search is None else folded(search)
        lines, reasons = frozenset(line or ()), tuple(reason or ())
        wanted = Wanted(part, reasons, status, least, most, text, lines, disagree, texts)
        reading = WantedRows(source, wanted)
        rows = reading.rows()
        if sample is not None:
            rows = drawn(rows, sample, seed)
            limit = 0
        if not _print(rows, limit, None if as_json else ShownRows(stdout(), texts, None if full else MOST)):
            say(reading.nothing())
        if reading.problems:
            say(f"{reading.unreadable:,} lines could not be read: {'; '.join(reading.problems)}")
            raise SystemExit(ROWS_FAILED)


def _print(rows: Iterator[Row], limit: int, shower: ShownRows | None) -> int:
    """Print rows, as JSON without what shows them; says how many these are."""
    shown = 0
    for line, row in rows:
        if limit and shown == limit:
            say(f"the first {limit:,} rows are shown; --limit 0 shows all, --sample draws some")
            break
        if shower is None:
            typer.echo(json.dumps({"file": line.file, "line": line.number, "row": row}))
        else:
            shower.print(line, row, first=not shown)
        shown += 1
    return shown
