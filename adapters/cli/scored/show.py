"""``verify-cli show``: scored rows on the terminal, those that somebody asks for."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from adapters.files.jsonl import Source
from verifiers import ConfigError, Status
from verifiers.core import nearest

from ..console import (
    ROWS_FAILED,
    CompletionField,
    PromptField,
    ReferenceField,
    failing_clearly,
    say,
    stdout,
)
from ..results.shown_rows import ShownRows
from .wanted_rows import Wanted, WantedRows, drawn, folded

LIMIT = 20
MOST = 2000
"""Characters of a completion that are shown without --full."""

Files = Annotated[list[str], typer.Argument(help="Scored files of any format; - for standard input.")]


def show(
    files: Files,
    reason: Annotated[
        list[str] | None, typer.Option(help="Rows with this reason; may be given again.", show_default=False)
    ] = None,
    part: Annotated[
        str | None, typer.Option(help="The part that reason, status, min and max are about.")
    ] = None,
    status: Annotated[
        str | None, typer.Option(help="Rows with a verdict that is scored, unscored or a fault.")
    ] = None,
    disagree: Annotated[
        bool, typer.Option("--disagree", help="Rows of which one part says right and another wrong.")
    ] = False,
    least: Annotated[float | None, typer.Option("--min", help="Least reward, or value of --part.")] = None,
    most: Annotated[float | None, typer.Option("--max", help="Greatest reward, or value of --part.")] = None,
    search: Annotated[
        str | None, typer.Option(help="A text in completion, prompt or reference, in any case.")
    ] = None,
    line: Annotated[
        list[int] | None, typer.Option(help="A line; may be given again.", show_default=False)
    ] = None,
    sample: Annotated[int | None, typer.Option(help="So many of these rows, drawn by lot.", min=1)] = None,
    seed: Annotated[int, typer.Option(help="For --sample.")] = 0,
    limit: Annotated[int, typer.Option(help="At most so many rows; 0 for all.", min=0)] = LIMIT,
    full: Annotated[bool, typer.Option("--full", help="Show long completions whole.")] = False,
    completion_field: CompletionField = "completion",
    reference_field: ReferenceField = "answer",
    prompt_field: PromptField = "prompt",
    as_json: Annotated[bool, typer.Option("--json", help="Print each row as a line of JSON.")] = False,
) -> None:
    """Show scored rows: prompt, completion with the evidence marked, reference and verdicts.

    Characters that steer a terminal, or that nobody sees, are shown by their codes.
    """
    with failing_clearly():
        known = [each.value for each in Status]
        if status is not None and status not in known:
            raise ConfigError(f"--status {status!r} is none of {', '.join(known)}{nearest(status, known)}")
        texts = (completion_field, prompt_field, reference_field)
        wanted = Wanted(
            part,
            tuple(reason or ()),
            status,
            least,
            most,
            None if search is None else folded(search),
            frozenset(line or ()),
            disagree,
            texts,
        )
        reading = WantedRows(Source(files), wanted)
        rows = reading.rows()
        if sample is not None:
            rows = drawn(rows, sample, seed)
            limit = 0
        shown = 0
        for each in rows:
            if limit and shown == limit:
                say(f"the first {limit:,} rows are shown; --limit 0 shows all, --sample draws some")
                break
            if as_json:
                found = {"file": each[0].file, "line": each[0].number, "row": each[1]}
                typer.echo(json.dumps(found))
            else:
                ShownRows(stdout(), texts, None if full else MOST).print(*each, first=not shown)
            shown += 1
        if not shown:
            say(reading.nothing())
        if reading.problems:
            say(f"{reading.unreadable:,} lines could not be read: {'; '.join(reading.problems)}")
            raise SystemExit(ROWS_FAILED)
