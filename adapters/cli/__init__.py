"""``verify-cli``: rewards at a terminal, a module for each verb and two that they share.

Training prints by `console`, too; otherwise only the console script imports from here.
"""

from __future__ import annotations

from typing import Annotated

import typer

from verifiers import __version__

from .about.doctor import doctor
from .about.listing import list_verifiers
from .console import find_own_modules
from .demo import demo
from .explain import explain
from .kit.cases import run_cases
from .kit.check_verifier import check_verifier
from .kit.scaffold import new
from .recipe import app as recipe
from .references import references
from .sandbox import sandbox
from .score import score
from .scored.audit import audit
from .scored.diff import diff
from .scored.groups import groups
from .scored.prefer import prefer
from .scored.report import report
from .scored.select import select
from .scored.show import show
from .serve import serve
from .settled_command import SettledCommand

app = typer.Typer(
    name="verify-cli",
    help="Verifiers and rewards for reinforcement learning with verifiable rewards.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command(cls=SettledCommand)(score)
app.command(cls=SettledCommand)(explain)
app.command(cls=SettledCommand)(references)
app.add_typer(recipe, name="recipe")
app.command(cls=SettledCommand)(report)
app.command(cls=SettledCommand)(groups)
app.command(cls=SettledCommand)(prefer)
app.command(cls=SettledCommand)(select)
app.command(cls=SettledCommand)(audit)
app.command(cls=SettledCommand)(diff)
app.command(cls=SettledCommand)(show)
app.command()(serve)
app.command()(sandbox)
app.command()(new)
app.command("test")(run_cases)
app.command("check-verifier")(check_verifier)
app.command("list")(list_verifiers)
app.command()(doctor)
app.command()(demo)


def _version(shown: bool) -> None:
    if shown:
        typer.echo(f"verify-cli {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Verifiers and rewards for reinforcement learning with verifiable rewards."""


def main() -> None:
    """Run the command line."""
    find_own_modules()
    app()
