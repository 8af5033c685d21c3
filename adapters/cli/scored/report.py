"""``verify-cli report`` and ``publish``: one page about scored files or a training run; a folder to serve."""

from __future__ import annotations

import re
import sys
import webbrowser
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from reward_verifiers.verifiers import ConfigError, MissingDependencyError
from reward_verifiers.verifiers.runtime.packages import missing_module

from ...comparison.comparing import compare
from ...comparison.side_reading import side_of
from ...comparison.sides import Columns as Compared
from ...files.columns import Naming, naming
from ...report.live_report import GrowingReport, serve_page
from ...report.page import chart_library, page
from ...report.plain import as_json, as_markdown, as_png
from ...report.report_data import MOST_NAMED, TEXT_BYTES, Report, made_report
from ...report.run_sides import run_side
from ...report.scored_rows import Columns
from ..column_options import Options, asked, naming_of, with_columns
from ..console import ROWS_FAILED, failing_clearly, say
from .groups import Outcome

Found = list[dict[str, Any]]
FLIPPED_ROWS = 100
"""Rows on the page of each kind of flip."""
MARK = b'<meta name="generator" content="verify-cli report">'
"""What every page has: one that was not named is written again without asking."""


class Form(StrEnum):
    """Output formats of a report."""

    html = "html"
    md = "md"
    json = "json"
    png = "png"


Files = Annotated[
    list[str], typer.Argument(help="Scored files of JSON Lines; or the folder of a training run.")
]
Against = Annotated[
    str | None,
    typer.Option(help="An older scored file of the same rows or prompts, to compare with."),
]
SourceField = Annotated[
    str | None, typer.Option(help="The column with the sources (default: source, dataset ...).")
]


@with_columns
def report(
    options: Options,
    files: Files,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="The file to write; - for standard output.")
    ] = None,
    form: Annotated[
        Form | None, typer.Option("--format", help="html, md, json or png (default: by the file's name).")
    ] = None,
    outcome: Outcome = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Include the texts of all rows, however large the page gets.")
    ] = False,
    against: Against = None,
    source_field: SourceField = None,
    pool: Annotated[
        bool, typer.Option("--pool", help="Treat all files and runs as samples of one model.")
    ] = False,
    opened: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    force: Annotated[bool, typer.Option(help="Overwrite OUTPUT.")] = False,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Serve the page on this machine, and follow the files as they grow."),
    ] = False,
    port: Annotated[int, typer.Option(help="Port for --watch; 0 for any free one.", min=0, max=65535)] = 0,
) -> None:
    """Write one page about scored completions: figures, charts, and every completion with its evidence.

    Several files, or a column `run`, are several runs, which the page compares: what flipped comes first.
    The page is one file that needs no network. It has the numbers and reasons of all rows, and texts up to
    about 30 MB. With --watch it is served until Ctrl-C, with all texts.
    """
    with failing_clearly():
        columns = columns_of_rows(options, source_field, pool)
        if watch:
            if against is not None:
                raise ConfigError("--against needs files that no longer grow; leave out --watch")
            _watch(files, columns, outcome, output, form, port)
            return
        if "-" in files:
            raise ConfigError("a report reads its files twice, so not from a pipe; name a file")
        output, wanted = _target(files, output, form, force)
        changed = [] if against is None else _changed(against, files, columns, outcome, options)
        library = charts_or_none() if wanted is Form.html else ""
        limit, texts = None if everything else TEXT_BYTES, wanted is Form.html
        made = made_report(files, columns, outcome=outcome, limit=limit, with_texts=texts, say=say)
        if made.table.several_runs and not changed:
            changed = compared_runs(made, files, columns, outcome, options)
        _write(replace(made, compared=changed), wanted, library, output)
        if output != "-":
            typer.echo(output)
            if opened:
                webbrowser.open(Path(output).resolve().as_uri())
        if made.unreadable:
            say(f"{made.unreadable:,} lines could not be read: {'; '.join(made.problems)}")
            raise SystemExit(ROWS_FAILED)


def _target(files: list[str], output: str | None, form: Form | None, force: bool) -> tuple[str, Form]:
    """Return the output file and its form.

    Raises:
        ConfigError: It cannot be written, or is somebody else's.
    """
    path = usual_output(files, form) if output is None else output
    wanted = form or _form(path)
    _check_output(path, files, force or (output is None and is_report(Path(path))))
    return path, wanted


def _changed(before: str, files: list[str], columns: Columns, outcome: str | None, options: Options) -> Found:
    if len(files) > 1 or Path(files[0]).is_dir():
        raise ConfigError("--against compares one scored file with another; name one file")
    ours, theirs = (side_of(each, partial(naming_of, options=options)) for each in (before, files[0]))
    return [compare(ours, theirs, Compared(source=columns.source), outcome, FLIPPED_ROWS)]


def compared_runs(
    made: Report, files: list[str], columns: Columns, outcome: str | None, options: Options
) -> Found:
    """Compare the first run with each of the others; empty where numpy is missing."""
    first, *others = made.table.run_names
    found = []
    for other in others:
        sides = [run_side(files, name, partial(_naming, options=options)) for name in (first, other)]
        try:
            compared = compare(sides[0], sides[1], Compared(source=columns.source), outcome, FLIPPED_ROWS)
        except MissingDependencyError as error:
            say(f"runs stand side by side, without intervals of their differences: {error}")
            return []
        except ConfigError as error:
            say(f"{first} and {other} are not compared: {error}")
            continue
        found.append({**compared, "run": other})
    return found


def columns_of_rows(options: Options, source: str | None, pool: bool) -> Columns:
    """Return the columns and runs that a verb's options name."""
    return Columns(partial(_naming, options=options), source, pool)


def _naming(row: Mapping[str, Any], where: str, options: Options) -> Naming:
    return naming(row, where, asked(options, row, where))


def _watch(
    files: list[str], columns: Columns, outcome: str | None, output: str | None, form: Form | None, port: int
) -> None:
    if output is not None or form is not None:
        raise ConfigError("--watch serves the page and writes no file; leave out -o and --format")
    if "-" in files:
        raise ConfigError("--watch follows files as they grow, so it cannot read standard input; name a file")
    for path in files:
        if not Path(path).exists():
            raise ConfigError(f"{path}: no such file")
    if len(files) > 1 and any(Path(path).is_dir() for path in files):
        raise ConfigError("a report is about scored files, or about the folder of one run")
    serve_page(
        GrowingReport(files, columns, outcome),
        chart_library(),
        port,
        say=say,
        ready=lambda url: say(f"the report of {', '.join(files)} is on {url} until Ctrl-C"),
    )


def charts_or_none() -> str:
    """Return the chart library; without it a page has everything but charts."""
    try:
        return chart_library()
    except ModuleNotFoundError as error:
        said = missing_module(error.name)
        if said is None:
            raise
        say(f"the page has no charts: {said}")
        return ""


def usual_output(files: list[str], form: Form | None) -> str:
    """Return the default output file: in the current folder, named after the input files.

    >>> usual_output(["runs/a.jsonl"], None), usual_output(["a.jsonl", "runs/b.jsonl"], Form.md)
    ('a.html', 'a-b.md')
    """
    names = [Path(each).name.removesuffix(".gz").removesuffix(".zst") for each in files]
    stems = [Path(re.sub(r"[*?\[\]]", "", name)).stem or "report" for name in names]
    return f"{'-'.join(stems) if len(stems) <= MOST_NAMED else 'report'}.{(form or Form.html).value}"


def is_report(path: Path) -> bool:
    """Return whether a file is a page that this verb wrote."""
    try:
        with path.open("rb") as file:
            return MARK in file.read(4096)
    except OSError:
        return False


def _form(output: str) -> Form:
    kind = Path(output).suffix.lower().lstrip(".").replace("htm", "html").replace("htmll", "html")
    if kind in Form.__members__:
        return Form(kind)
    if output == "-":
        return Form.md
    raise ConfigError(f"{output}: name a file that ends with .html, .md, .json or .png, or say --format")


def _check_output(output: str, files: list[str], force: bool) -> None:
    target = Path(output)
    if output == "-" or target.is_char_device():
        return
    if not target.parent.is_dir():
        raise ConfigError(f"{output}: the folder {target.parent} does not exist; create it first")
    if target.is_dir():
        raise ConfigError(f"{output}: is a folder; name a file in it")
    if target.exists() and any(target.samefile(each) for each in files if Path(each).exists()):
        raise ConfigError(f"{output}: is both an input and the file to write; choose another -o")
    if target.exists() and not force:
        raise ConfigError(f"{output}: already exists; --force overwrites it")


def _write(made: Report, form: Form, library: str, output: str) -> None:
    pieces = (
        (piece.encode("utf-8", "backslashreplace") for piece in page(made, library))
        if form is Form.html
        else iter([{Form.md: as_markdown, Form.json: as_json, Form.png: as_png}[form](made)])
    )
    if output == "-":
        for piece in pieces:
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    # What was there is replaced only by something whole.
    part = Path(f"{output}.part")
    try:
        with open(part, "wb") as file:
            for piece in pieces:
                file.write(piece)
        part.replace(output)
    except OSError as error:
        raise ConfigError(f"{output}: cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


Published = Annotated[list[str], typer.Argument(help="Scored files; or the folder of a training run.")]
_CARD = """---
title: {title}
emoji: \N{BAR CHART}
colorFrom: blue
colorTo: green
sdk: static
app_file: index.html
pinned: false
---

"""
"""What a hub reads of a static Space; other hosts show it as text."""


@with_columns
def publish(
    options: Options,
    files: Published,
    output: Annotated[str, typer.Option("--output", "-o", help="The folder to write.")] = "published",
    outcome: Outcome = None,
    title: Annotated[
        str | None, typer.Option(help="Heading of the page (default: the input's name).")
    ] = None,
    private: Annotated[bool, typer.Option("--no-texts", help="Leave out prompts and completions.")] = False,
    force: Annotated[bool, typer.Option(help="Overwrite the output of an earlier call.")] = False,
) -> None:
    """Write a folder with the page of a report, its figures and a card; nothing is uploaded.

    Any static host serves it; to push it to a Space: hf upload NAME published --repo-type space.
    """
    with failing_clearly():
        folder = Path(output)
        if folder.exists() and not folder.is_dir():
            raise ConfigError(f"{output}: is a file; name a folder")
        if folder.is_dir() and any(folder.iterdir()) and not (force and is_report(folder / "index.html")):
            raise ConfigError(
                f"{output}: has files in it; name another folder (--force writes over an earlier publication)"
            )
        columns = columns_of_rows(options, None, False)
        library = charts_or_none()
        made = made_report(files, columns, outcome=outcome, limit=TEXT_BYTES, with_texts=not private, say=say)
        made = replace(
            made, title=title or made.title, compared=compared_runs(made, files, columns, outcome, options)
        )
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "index.html", "wb") as file:
            for piece in page(made, library):
                file.write(piece.encode("utf-8", "backslashreplace"))
        (folder / "report.json").write_bytes(as_json(made))
        card = _CARD.format(title=_quoted(made.title)).encode("utf-8", "backslashreplace")
        (folder / "README.md").write_bytes(card + as_markdown(made))
        (folder / ".nojekyll").touch()
        typer.echo(output)
        if made.unreadable:
            say(f"{made.unreadable:,} lines could not be read: {'; '.join(made.problems)}")
            raise SystemExit(ROWS_FAILED)


def _quoted(title: str) -> str:
    """Return a title as a YAML string on one line."""
    return "'" + " ".join(title.split()).replace("'", "''") + "'"
