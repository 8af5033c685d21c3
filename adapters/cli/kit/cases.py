"""``verify-cli test``: run case files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reward_verifiers.adapters.cases.case_rows import case_files, read_cases
from reward_verifiers.adapters.cases.case_runs import importing_from, judge_of, run_case
from reward_verifiers.verifiers import ConfigError

from ..console import DONE, ROWS_FAILED, failing_clearly, literal, stdout

_SHOWN = 50


def run_cases(
    path: Annotated[Path, typer.Argument(help="A case file, or a folder of them.")],
    verifier: Annotated[
        str | None,
        typer.Option(help="The verifier for rows that name none: a name or package.module:name."),
    ] = None,
    recipe: Annotated[
        str | None, typer.Option("--recipe", "-r", help="A recipe or preset to test instead.")
    ] = None,
) -> None:
    """Run case files: every row against the verifier or reward that it is about.

    Without --verifier or --recipe a file is judged by the verifier that it is named after, and a row by its
    'spec'. Modules of the current folder can be named. Exit status 1 if a row differs.
    """
    with failing_clearly(), importing_from(Path.cwd()):
        if verifier is not None and recipe is not None:
            raise ConfigError("give --verifier or --recipe, not both")
        named = verifier or recipe
        judge = None if named is None else judge_of(named)
        console = stdout()
        failed = total = 0
        for file in case_files(path):
            for case in read_cases(file):
                outcome = run_case(case, judge)
                total += 1
                failed += not outcome.passed
                if not outcome.passed and failed <= _SHOWN:
                    console.print(literal(outcome.describe()), soft_wrap=True)
        if not total:
            raise ConfigError(f"{path} holds no case")
        if failed > _SHOWN:
            console.print(literal(f"... and {failed - _SHOWN} more"))
        said = f"{total} cases, {failed} differ" if failed else f"{total} cases, all as expected"
        console.print(literal(said, "red" if failed else "green"))
    raise typer.Exit(ROWS_FAILED if failed else DONE)
