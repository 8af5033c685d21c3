"""The table under a scoring, and its figures where people look at their runs, by trackers' own clients."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.errors import close_match

from ..files.tallies import Tally
from .console import literal

_TOP = 4


def print_summary(
    console: Console, tallies: Mapping[str, Tally], *, rows: int, rejected: int, seconds: float
) -> None:
    """Print means, pass rates, unscored rows with their reasons, and the speed."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("", no_wrap=True)
    for heading in ("rows", "mean", "passed", "unscored", "fault"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("top reasons", overflow="fold")
    for name, tally in tallies.items():
        unscored = tally.rows - tally.scored - tally.faults
        reasons = "  ".join(f"{reason} {count:,}" for reason, count in _top(tally))
        table.add_row(
            literal(name),
            f"{tally.rows:,}",
            f"{tally.total / tally.scored:.4f}" if tally.scored else "-",
            _share(tally.passed, tally.scored) if tally.judged and name != "reward" else "",
            _share(unscored, tally.rows),
            _share(tally.faults, tally.rows),
            literal(reasons),
        )
    if tallies:
        console.print(table)
        console.print(literal(_intervals(tallies), "dim"))
    speed = f"{rows / seconds:,.0f} rows/s" if seconds > 0 else ""
    skipped = f", {rejected:,} rejected" if rejected else ""
    console.print(f"{rows:,} rows{skipped} in {seconds:.1f} s ({speed})", style="dim")


def _top(tally: Tally) -> list[tuple[str, int]]:
    return sorted(tally.reasons.items(), key=lambda pair: (-pair[1], pair[0]))[:_TOP]


def _intervals(tallies: Mapping[str, Tally]) -> str:
    """Return the interval of each mean, and the number of prompts and rows behind it."""
    reward = tallies["reward"]
    rows, prompts = reward.alone[0], len(reward.prompts)
    counted = f"{rows:,} rows" if not prompts else f"{prompts:,} prompts"
    if reward.prompts.grouped:
        counted = f"prompts, in {prompts:,} groups"
    elif rows and prompts:
        counted += f" and {rows:,} rows without one"
    found = ((name, tally.interval()) for name, tally in tallies.items())
    ends = [
        f"{name} {each.low:.4f} to {each.high:.4f}"
        for name, each in found
        if each is not None and each.low is not None and each.high is not None
    ]
    return f"95 % over {counted}: {'; '.join(ends) or 'no intervals of so few'}"


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else "-"


PROJECT = "verify-cli"
"""The project, or experiment, that runs go to where nobody names another."""
CLIENTS: Mapping[str, tuple[str, ...]] = {
    "wandb": ("wandb",),
    "mlflow": ("mlflow",),
    "trackio": ("trackio",),
    # What torch brings needs the package tensorboard beside it; the other one is a client by itself.
    "tensorboard": ("torch.utils.tensorboard", "tensorboardX"),
}
"""The modules of each tracker; the first that can be imported is used."""


def client(tracker: str) -> Any:
    """Return the module of a tracker.

    Raises:
        ConfigError: There is no such tracker, or none of its modules is installed.
    """
    if tracker not in CLIENTS:
        raise ConfigError(f"--log {tracker!r} is none of {', '.join(CLIENTS)}{close_match(tracker, CLIENTS)}")
    for name in CLIENTS[tracker]:
        try:
            return import_module(name)
        except ImportError:
            continue
    package = CLIENTS[tracker][-1]
    raise ConfigError(f"--log {tracker}: {package} is not installed; run: pip install {package}")


def log_run(
    tracker: str, project: str, name: str, about: Mapping[str, str], figures: Mapping[str, float]
) -> None:
    """Log one scoring as a run of its own.

    Args:
        tracker: One of `CLIENTS`. Where it keeps runs, and whether it asks a server, is up to its own
            settings, such as ``WANDB_MODE=offline`` or ``MLFLOW_TRACKING_URI``.
        project: The project, experiment or folder.
        name: The run's.
        about: The scored data and the reward.
        figures: By their names.

    Raises:
        ConfigError: There is no such tracker, or its client is not installed.
    """
    plain = {re.sub(r"[^\w./ -]", "_", each): value for each, value in figures.items()}
    _LOGS[tracker](client(tracker), project, name, about, plain)


def _wandb(
    wandb: Any, project: str, name: str, about: Mapping[str, str], figures: Mapping[str, float]
) -> None:
    run = wandb.init(project=project, name=name, config=dict(about), job_type="score")
    run.log(dict(figures))
    run.finish()


def _trackio(
    trackio: Any, project: str, name: str, about: Mapping[str, str], figures: Mapping[str, float]
) -> None:
    trackio.init(project=project, name=name, config=dict(about))
    trackio.log(dict(figures))
    trackio.finish()


def _mlflow(
    mlflow: Any, project: str, name: str, about: Mapping[str, str], figures: Mapping[str, float]
) -> None:
    mlflow.set_experiment(project)
    with mlflow.start_run(run_name=name):
        mlflow.log_params(dict(about))
        mlflow.log_metrics(dict(figures))


def _tensorboard(
    tensorboard: Any, project: str, name: str, about: Mapping[str, str], figures: Mapping[str, float]
) -> None:
    folder = Path("runs") / project / name
    with tensorboard.SummaryWriter(str(folder)) as writer:
        for key, text in about.items():
            writer.add_text(key, text)
        for key, value in figures.items():
            writer.add_scalar(key, value, 0)


_LOGS: Mapping[str, Callable[[Any, str, str, Mapping[str, str], Mapping[str, float]], None]] = {
    "wandb": _wandb,
    "mlflow": _mlflow,
    "trackio": _trackio,
    "tensorboard": _tensorboard,
}
