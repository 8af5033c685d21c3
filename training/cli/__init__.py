"""``verify-train``: training with verifiable rewards, from a laptop's CPU to many GPUs."""

from __future__ import annotations

from typing import Annotated

import typer

from verifiers import __version__

from ..environment import settle

# Before anything below can import torch.
settle()

from .configs import algorithms, configs  # noqa: E402
from .demo import demo  # noqa: E402
from .evaluate import evaluate  # noqa: E402
from .sample import sample  # noqa: E402
from .train import dpo, grpo, pipeline, rloo, select, sft  # noqa: E402

app = typer.Typer(
    name="verify-train",
    help="Training with verifiable rewards: GRPO, and the stages around it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
# Overrides may be written --trainer.max_steps=10, which are no options that typer knows.
_LOOSE = {"ignore_unknown_options": True}
for _verb in (grpo, rloo, sft, dpo, select, pipeline):
    app.command(context_settings=_LOOSE)(_verb)
app.command(context_settings=_LOOSE)(sample)
app.command("eval", context_settings=_LOOSE)(evaluate)
app.command(context_settings=_LOOSE)(demo)
app.command()(configs)
app.command()(algorithms)


def _version(shown: bool) -> None:
    if shown:
        typer.echo(f"verify-train {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Training with verifiable rewards: GRPO, and the stages around it."""


def main() -> None:
    """Run the command line."""
    app()
