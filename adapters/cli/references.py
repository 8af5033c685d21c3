"""``verify-cli references``: the usability of a file's references, before anything is scored."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from reward_verifiers.rewards import load_recipe
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, taken_for_reference

from ..files.columns import column_names, has_column, word
from ..files.columns import reference_column as found_field
from ..files.jsonl import Overlong, Source, parse
from ..files.recipe_files import recipe_beside
from ..files.reference_table import SHOWN, ReferenceTable
from ..known_sets.recognition import Reading
from .column_options import Options, asked, first_row, take, with_columns
from .console import (
    DEFAULT_RECIPE,
    DONE,
    ROWS_FAILED,
    Recipe,
    failing_clearly,
    literal,
    say,
    stdout,
)
from .taking import known_reading

Files = Annotated[
    list[str],
    typer.Argument(help="Rows in any format that score reads; - for standard input."),
]

_OF_COMPLETIONS = ("completion_tokens", "completion_ids", "prompt", "prompts")


@with_columns
def references(
    options: Options,
    files: Files,
    recipe: Recipe = DEFAULT_RECIPE,
    show_all: Annotated[bool, typer.Option("--all", help="Show all lines of each reason.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check the references of a file: readable, compared as text only, or unusable.

    A row with an unusable reference is never scored; any other row always is. Exit status: 0 all are usable,
    1 some are not, 2 wrong usage or no rows.
    """
    with failing_clearly():
        source = Source(files)
        reading: Reading | None = None
        for line, row in first_row(source):
            asked(options, row, line.where)
            take(options, word(row))
            if "recipe" in word(row) and not options.chosen("recipe"):
                options.values["recipe"] = recipe_beside(line.file, word(row)["recipe"])
        recipe, reference_field = options["recipe"], options["reference_field"]
        if not (options.chosen("recipe") or options.chosen("reference_field")):
            reading = known_reading(source, say)
        reward = load_recipe(recipe) if reading is None else reading.reward()
        table = ReferenceTable(reward, reference_field, None if show_all else SHOWN)
        if not any(each.needs_reference or each.runs_programs for each in reward.verifiers()):
            raise ConfigError(f"{recipe}: no part of it reads a reference")
        known = False
        for chunk in source.chunks():
            if isinstance(chunk, Overlong):
                table.add_unread(f"{chunk.file}:{chunk.number}", "longer than 16 MB")
                continue
            rows: list[tuple[str, dict[str, Any]]] = []
            for line in chunk:
                where = line.where
                try:
                    row = parse(line.raw)
                    row = row if reading is None else reading.read(row)
                except ValueError as error:
                    table.add_unread(where, str(error))
                    continue
                if not known:
                    _fit(table, row, where)
                known = True
                rows.append((where, row))
            table.add_rows(rows)
        if not table.rows:
            raise ConfigError(f"{', '.join(files)}: no rows")
        console = stdout()
        if as_json:
            typer.echo(json.dumps(table.to_dict(), ensure_ascii=False).encode("utf-8", "replace").decode())
        else:
            console.print(literal(f"{table.rows:,} references, by {reward.describe()}", "bold"))
            for text, style in table.lines():
                console.print(literal(text, style), soft_wrap=True)
    raise typer.Exit(ROWS_FAILED if table.unusable else DONE)


def _fit(table: ReferenceTable, row: dict[str, Any], where: str) -> None:
    """Find the references, and refuse a file whose first row lacks a column, besides those of completions."""
    if table.column == REFERENCE:
        found = found_field(row, where)
        if found not in (None, REFERENCE):
            say(f"{where}: {taken_for_reference(found)}; choose another with --reference-field")
            table.column = found
    for name in table.reward.columns():
        column = table.column if name == REFERENCE else name
        if not has_column(row, column) and name not in _OF_COMPLETIONS:
            hint = " (choose it with --reference-field)" if name == REFERENCE else ""
            raise ConfigError(f"{where} has no column {column!r}{nearest(column, column_names(row))}{hint}")
