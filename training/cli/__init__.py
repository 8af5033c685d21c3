"""``verify-train``: training with verifiable rewards, from a laptop's CPU to many GPUs.

Modules of verbs, the options that they share, and how a dry run is shown. Nothing imports from here but the
console script and `training.grpo`.
"""

from __future__ import annotations

from typing import Annotated

import typer

from reward_verifiers.verifiers import __version__

from ..environment import settle
from .bundled import algorithms, configs, demo
from .model_verbs import evaluate, rank, sample
from .research_verbs import critique, label, search
from .stage_verbs import STAGE_VERBS, grpo, pipeline, rloo

app = typer.Typer(
    name="verify-train",
    help="Training with verifiable rewards: GRPO, and the stages around it.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
# Overrides may be written --trainer.max_steps=10, which are not options that typer knows.
_LOOSE = {"ignore_unknown_options": True}
for _verb in (grpo, rloo, *STAGE_VERBS, pipeline):
    app.command(context_settings=_LOOSE)(_verb)
app.command(context_settings=_LOOSE)(sample)
app.command(context_settings=_LOOSE)(search)
app.command(context_settings=_LOOSE)(label)
app.command(context_settings=_LOOSE)(critique)
app.command(context_settings=_LOOSE)(rank)
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
    settle()  # before a verb loads torch: no module of ours does so when it is imported


def main() -> None:
    """Run the command line."""
    app()
