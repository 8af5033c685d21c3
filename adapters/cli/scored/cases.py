"""``verify-cli cases``: case rows from a person's or a column's labels of scored rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from ...files.chunk_scorer import dumps
from ...files.columns import Naming, column_of, has_column
from ...files.jsonl import Line, Source, parse, rows_of
from ...files.recipe_files import part_specs
from ...files.scored_candidates import check_scored
from ...files.scored_output import Output
from ...report.scored_rows import judged, outcome_part
from ..column_options import Options, common_naming, with_columns
from ..console import DONE, ROWS_FAILED, failing_clearly, say
from .groups import Outcome

LABEL = "label"
CASCADE = "Cascade"
SAID = {"right": 1.0, "wrong": 0.0, "true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0, "yes": 1.0, "no": 0.0}
"""What labels say; others, such as ``unsure``, make no case."""

Files = Annotated[list[str], typer.Argument(help="Scored files; - for standard input.")]
Labels = Annotated[
    str | None,
    typer.Option(
        help="The labels exported from a page as JSON Lines, or the column with the labels (default: label)."
    ),
]


@with_columns
def cases(
    options: Options,
    files: Files,
    output: Annotated[str, typer.Option("--output", "-o", help="Case rows; - for standard output.")] = "-",
    labels: Labels = None,
    disputed: Annotated[
        bool,
        typer.Option(
            "--disputed", help="Keep only rows whose verdict contradicts the label: the verifier's mistakes."
        ),
    ] = False,
    proposed: Annotated[
        bool,
        typer.Option(
            "--proposed", help="Turn decisions of a Cascade's second verifier into cases for its first."
        ),
    ] = False,
    outcome: Outcome = None,
    force: Annotated[bool, typer.Option(help="Overwrite OUTPUT.")] = False,
) -> None:
    """Turn labelled rows into case rows for `verify-cli test`.

    A label is right or wrong (true or false, 1 or 0), in a column or in what a page exported. With --proposed
    a judge's decisions become cases for the rules that left them open: read them before you keep them. Exit
    status: 0, or 1 if a label is unreadable or belongs to no row.
    """
    with failing_clearly():
        source, names = common_naming(files, options)
        known = _exported(labels) if labels is not None and Path(labels).is_file() else None
        column = LABEL if labels is None or known is not None else labels
        target = Output(output, force=force)
        target.check_apart_from(source.paths)
        if proposed:
            made = list(_proposals(source, names))
        else:
            made = list(_cases(source, names, column, known, outcome, disputed))
        target.open()
        try:
            for _, case in made:
                target.write(dumps(case) + b"\n")
        finally:
            target.close()
        lost = 0 if known is None else len(known)
        say(f"{len(made):,} cases{_told(lost)}")
        if not made and proposed:
            say("no verdict is a Cascade's that asked its second verifier")
        elif not made and known is None:
            say(f"no {column!r} says right or wrong: label rows in the page that verify-cli report writes")
    raise typer.Exit(ROWS_FAILED if lost else DONE)


def _told(lost: int) -> str:
    return f"; {lost:,} labels say neither right nor wrong, or have no row" if lost else ""


def _cases(
    source: Source,
    names: Naming,
    column: str,
    known: dict[tuple[str, int], Mapping[str, Any]] | None,
    outcome: str | None,
    disputed: bool,
) -> Iterator[tuple[Line, dict[str, Any]]]:
    specs: dict[str, Any] | None = None
    part: str | None = None
    for line, row in rows_of(source.chunks()):
        if specs is None:
            try:
                named, values = judged(row)
            except ValueError as error:
                raise ConfigError(f"{line.where}: {error}") from None
            part = outcome_part(named, values, outcome) or next(iter(named), None)
            specs = part_specs(line.file, names.said.get("recipe"))
            if known is None and not has_column(row, column) and column != LABEL:
                raise ConfigError(f"{line.where} has no column {column!r}{nearest(column, list(row))}")
        found = _label(line, row, column, known)
        score = None if found is None else SAID.get(str(found.get(LABEL)).casefold())
        if found is None or score is None:
            continue
        if known is not None:
            del known[_place(line)]
        named, values = judged(row)
        if disputed and values.get(part or "") == score:
            continue
        yield line, _case(line, row, names, found, score, (specs, named, part))


def _proposals(source: Source, names: Naming) -> Iterator[tuple[Line, dict[str, Any]]]:
    """Yield rows on which a `Cascade` asked its second verifier, as cases of its first one."""
    specs: dict[str, Any] | None = None
    for line, row in rows_of(source.chunks()):
        check_scored(row, line.where)
        specs = part_specs(line.file, names.said.get("recipe")) if specs is None else specs
        for part, verdict in zip(row["verdict_parts"], row["verdicts"], strict=True):
            asked = verdict.get("verifier") == CASCADE and verdict.get("reason") == "asked"
            if not asked or verdict["score"] not in (0.0, 1.0):
                continue
            first, then = (str(each.get("verifier")) for each in verdict["parts"][:2])
            given = specs.get(part)
            own = given.get(CASCADE) if isinstance(given, dict) else None
            spec = own.get("first", first) if isinstance(own, dict) else first
            found = {"note": f"proposed by {then}"}
            yield line, _case(line, row, names, found, verdict["score"], ({part: spec}, {}, part))


def _case(
    line: Line,
    row: Mapping[str, Any],
    names: Naming,
    found: Mapping[str, Any],
    score: float,
    judges: tuple[Mapping[str, Any], Mapping[str, Mapping[str, Any]], str | None],
) -> dict[str, Any]:
    specs, named, part = judges
    verifier = named[part].get("verifier") if part is not None and part in named else None
    case = {
        "id": f"{Path(line.file).name}:{line.number}",
        "completion": column_of(row, names.completion),
        "reference": column_of(row, names.reference),
        "score": score,
        "spec": specs.get(part or "", verifier),
    }
    prompt = column_of(row, names.prompt)
    if found.get("note"):
        case["note"] = str(found["note"])
    return case if prompt is None else {**case, "fields": {"prompt": prompt}}


def _label(
    line: Line, row: Mapping[str, Any], column: str, known: Mapping[tuple[str, int], Mapping[str, Any]] | None
) -> Mapping[str, Any] | None:
    if known is not None:
        return known.get(_place(line))
    value = column_of(row, column)
    if value is None or value == "":
        return None
    # A number that a table read as a float, and the truth values of JSON, say what 1 and 0 do.
    plain = f"{value:g}" if isinstance(value, float) else str(value)
    return {LABEL: plain, "note": row.get("note")}


def _place(line: Line) -> tuple[str, int]:
    return Path(line.file).name, line.number


def _exported(path: str) -> dict[tuple[str, int], Mapping[str, Any]]:
    """Return the labels of a file that a page exported, by the places of their rows.

    Raises:
        ConfigError: A line is no label.
    """
    found: dict[tuple[str, int], Mapping[str, Any]] = {}
    for number, raw in enumerate(Path(path).read_bytes().splitlines(), 1):
        if not raw.strip():
            continue
        try:
            row = parse(raw)
            found[Path(str(row["file"])).name, int(row["line"])] = row
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(f"{path}:{number}: is no label that a page exported: {error}") from None
    return found
