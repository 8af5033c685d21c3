"""The stages as verbs: ``grpo``, ``sft``, ``dpo``, ``select``, ``prm``, ``orm``, ``rm`` and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from reward_verifiers.adapters.cli.console import DONE, ROWS_FAILED, failing_clearly
from reward_verifiers.verifiers import ConfigError

from ..config import RunConfig, stages_of
from ..environment import rank
from ..stages import STAGES, run_pipeline
from ..watch.run_page import write_report
from .dry_run_report import print_dry_run
from .pipeline_dry_run import print_pipeline
from .shared_options import Config, Overrides, read_config, stage_of

STOPPED = 3
"""Exit status of a run that an alarm has stopped."""

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Check data and reward; exit 1 when a reference is unusable.")
]
Completions = Annotated[
    str | None, typer.Option(help="With --dry-run: JSON lines with completions to score.")
]
Sampled = Annotated[
    int, typer.Option("--sample", help="With --dry-run: this many completions from the model.", min=0)
]
Rows = Annotated[int, typer.Option(help="With --dry-run: rows whose references are checked.", min=1)]


def grpo(
    config: Config,
    overrides: Overrides = None,
    dry_run: DryRun = False,
    completions: Completions = None,
    sample: Sampled = 0,
    rows: Rows = 1000,
) -> None:
    """Train by group relative policy optimisation (GRPO, Dr. GRPO, GSPO, DAPO ...)."""
    _policy("grpo", config, overrides, dry_run, completions, sample, rows)


def rloo(
    config: Config,
    overrides: Overrides = None,
    dry_run: DryRun = False,
    completions: Completions = None,
    sample: Sampled = 0,
    rows: Rows = 1000,
) -> None:
    """Train by REINFORCE with a leave-one-out baseline."""
    _policy("rloo", config, overrides, dry_run, completions, sample, rows)


def sft(config: Config, overrides: Overrides = None) -> None:
    """Train on prompts and completions: a cold start, or distillation."""
    _run("sft", config, overrides)


def dpo(config: Config, overrides: Overrides = None) -> None:
    """Train on pairs of a right and a wrong completion."""
    _run("dpo", config, overrides)


def prm(config: Config, overrides: Overrides = None) -> None:
    """Train a model of steps on labels, such as verify-train label writes."""
    _run("prm", config, overrides)


def orm(config: Config, overrides: Overrides = None) -> None:
    """Train a model of outcomes on solutions that are right or wrong."""
    _run("orm", config, overrides)


def rm(config: Config, overrides: Overrides = None) -> None:
    """Train a reward model on pairs, such as verify-train critique writes."""
    _run("rm", config, overrides)


def select(config: Config, overrides: Overrides = None) -> None:
    """Sample K completions of each prompt, verify them, keep the right ones (or pairs) as training data."""
    _run("select", config, overrides)


def pipeline(
    config: Config,
    overrides: Overrides = None,
    until: Annotated[str | None, typer.Option(help="The last stage to run.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show stages and what they need; exit 1 when some is not there.")
    ] = False,
) -> None:
    """Run the stages of a configuration in order; an interrupted pipeline continues where it stopped."""
    if dry_run:
        with failing_clearly():
            there = print_pipeline(read_config(config, overrides), until)
        raise typer.Exit(DONE if there else ROWS_FAILED)
    with failing_clearly():
        run = read_config(config, overrides)
        found = run_pipeline(run, until)
    _leave(list(found.values()))


def _policy(
    kind: str,
    config: str,
    overrides: Sequence[str] | None,
    dry_run: bool,
    completions: str | None,
    sample: int,
    rows: int,
) -> None:
    if not dry_run:
        with failing_clearly():
            if completions is not None or sample:
                raise ConfigError("--completions and --sample belong to --dry-run; add it, or leave them out")
        _run(kind, config, overrides)
        return
    with failing_clearly():
        whole = read_config(config, overrides)
        own = stage_of(whole, kind)
        usable = print_dry_run(kind, whole, own, completions, sample, rows)
    raise typer.Exit(DONE if usable else ROWS_FAILED)


def _run(kind: str, name: str, overrides: Sequence[str] | None) -> None:
    with failing_clearly():
        config: RunConfig = read_config(name, overrides)
        stage_of(config, kind)
        if config.stages:
            # By its name: one of them may be called like their kind, and not be the last.
            last = [stage for stage, (each, _) in stages_of(config).items() if each == kind][-1]
            found = list(run_pipeline(config, last).values())
        else:
            metrics = STAGES[kind](config)
            if rank() == 0:
                write_report(config, {kind: (kind, config)}, {kind: metrics})
            found = [metrics]
    _leave(found)


def _leave(metrics: Sequence[dict[str, object]]) -> None:
    stopped = any(each.get("stopped") and each.get("alarms") for each in metrics)
    raise typer.Exit(STOPPED if stopped else DONE)
