"""``verify-cli completion``: what a shell reads to complete verbs and options by Tab."""

from __future__ import annotations

from typing import Annotated, Literal

import typer
from typer import completion as scripts

PROGRAM = "verify-cli"


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(help="The shell.")],
) -> None:
    """Print a script for Tab completion; `verify-cli --install-completion` puts it where this shell reads it.

    For example: source <(verify-cli completion bash), or verify-cli completion fish | source.
    """
    variable = f"_{PROGRAM}_COMPLETE".replace("-", "_").upper()
    typer.echo(scripts.get_completion_script(prog_name=PROGRAM, complete_var=variable, shell=shell))  # type: ignore[attr-defined]
