"""``verify-cli publish``: a folder that a static host, or a hub's static Space, serves as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from reward_verifiers.adapters.report.page import page
from reward_verifiers.adapters.report.plain import as_json, as_markdown
from reward_verifiers.adapters.report.report_data import TEXT_BYTES, made_report
from reward_verifiers.verifiers import ConfigError

from ..columns import Options, with_columns
from ..console import ROWS_FAILED, failing_clearly, say
from .groups import Outcome
from .report import charts_or_none, columns_of_rows, compared_runs, is_report

Files = Annotated[list[str], typer.Argument(help="Scored files; or the folder of a training run.")]
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
    files: Files,
    output: Annotated[str, typer.Option("--output", "-o", help="The folder to write.")] = "published",
    outcome: Outcome = None,
    title: Annotated[str | None, typer.Option(help="Its heading (default: the input's name).")] = None,
    private: Annotated[bool, typer.Option("--no-texts", help="Leave out prompts and completions.")] = False,
    force: Annotated[bool, typer.Option(help="Overwrite what an earlier call wrote.")] = False,
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
    """A title as YAML reads it on one line."""
    return "'" + " ".join(title.split()).replace("'", "''") + "'"
