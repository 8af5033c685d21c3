"""``verify-cli``: rewards at a terminal, a module for each verb, which `verbs` lists.

Training prints by `console`, too; otherwise only the console script imports from here.
"""

from __future__ import annotations

from typing import Annotated

import typer

from reward_verifiers.verifiers import __version__

from .console import find_own_modules
from .verbs import Verbs

app = typer.Typer(
    name="verify-cli",
    cls=Verbs,
    help="Verifiers and rewards for reinforcement learning with verifiable rewards.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


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
