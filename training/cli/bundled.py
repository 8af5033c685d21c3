"""``verify-train configs``, ``algorithms`` and ``demo``: contents of the library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from reward_verifiers.adapters.cli.console import failing_clearly, literal, stdout
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from ..config import config_names, config_path
from ..config.algorithms import ALGORITHMS
from ..config.config_files import read_yaml
from ..demo import run_demo
from .shared_options import Overrides, joined, read_config

LAUNCH = Path(__file__).resolve().parents[1] / "accelerate"


def configs(
    name: Annotated[str | None, typer.Argument(help="Name of one: print the path of its file.")] = None,
) -> None:
    """List the run configurations, and those for accelerate launch; with a name, where its file is."""
    with failing_clearly():
        launchers = sorted(path.stem for path in LAUNCH.glob("*.yaml"))
        if name is not None:
            if name in launchers:
                typer.echo(LAUNCH / f"{name}.yaml")
            elif name in config_names():
                typer.echo(config_path(name))
            else:
                known = [*config_names(), *launchers]
                raise ConfigError(f"there is no configuration {name!r}{nearest(name, known)}")
            return
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
        for each in config_names():
            table.add_row(each, literal(str(read_yaml(config_path(each)).get("description", ""))))
        console = stdout()
        console.print(table)
        console.print(
            f"\naccelerate launch --config_file $(verify-train configs NAME): {', '.join(launchers)}"
        )


def algorithms() -> None:
    """List the names of the papers, and the trainer's options that each stands for."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("algorithm", "trainer options", "source"):
        table.add_column(column, overflow="fold")
    for name, each in ALGORITHMS.items():
        options = ", ".join(f"{key}={value}" for key, value in each.options.items())
        table.add_row(name, literal(options), literal(f"{each.source}. {each.note}".removesuffix(". ")))
    stdout().print(table)


def demo(
    overrides: Overrides = None,
    seed: Annotated[int, typer.Option(help="Random seed of the data, the model and the training.")] = 0,
    output_dir: Annotated[str, typer.Option(help="Folder for all output.")] = "runs/demo",
    example: Annotated[
        str, typer.Option(help="healthy; collapse: a learning rate of 1e-3; hackable: a careless reward.")
    ] = "healthy",
    short: Annotated[bool, typer.Option(help="Fewer steps, in under a minute.")] = False,
) -> None:
    """Train a model of 0.8 million parameters to work out two-digit sums, on a CPU in under three minutes."""
    with failing_clearly():
        read_config("demo_arithmetic", overrides)
        run_demo(output_dir, seed=seed, example=example, short=short, overrides=joined(overrides or ()))
