"""``verify-train demo``: GRPO on a CPU in three minutes."""

from __future__ import annotations

from typing import Annotated

import typer

from reward_verifiers.adapters.cli.console import failing_clearly

from ..demo import run_demo
from .shared_options import Overrides, joined, read_config


def demo(
    overrides: Overrides = None,
    seed: Annotated[int, typer.Option(help="Of the data, the model and the training.")] = 0,
    output_dir: Annotated[str, typer.Option(help="Where everything goes.")] = "runs/demo",
    example: Annotated[
        str, typer.Option(help="healthy; collapse: a learning rate of 1e-3; hackable: a careless reward.")
    ] = "healthy",
    short: Annotated[bool, typer.Option(help="Fewer steps, in under a minute.")] = False,
) -> None:
    """Train a model of 0.8 million parameters to work out two-digit sums, on a CPU in under three minutes."""
    with failing_clearly():
        read_config("demo_arithmetic", overrides)
        run_demo(output_dir, seed=seed, example=example, short=short, overrides=joined(overrides or ()))
