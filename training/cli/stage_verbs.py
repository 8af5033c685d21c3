"""The stages as verbs: ``grpo``, ``sft``, ``dpo``, ``select``, ``prm``, ``orm``, ``rm`` and others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from reward_verifiers.adapters.cli.console import DONE, ROWS_FAILED, failing_clearly, stdout
from reward_verifiers.verifiers import ConfigError

from ..config import RunConfig, stages_of
from ..environment import rank
from ..run.pipeline_needs import needs_of, running
from ..run.run_inputs import reward_of
from ..stages import STAGES, run_pipeline
from ..stages.pipeline import check_stages, stages_until
from ..watch.run_page import write_report
from .dry_run_report import print_dry_run
from .shared_options import Config, Overrides, read_config, stage_of


def print_pipeline(config: RunConfig, until: str | None = None) -> bool:
    """Print the stages and their needs; return whether all of these are met.

    Raises:
        ConfigError: There are no stages, or one of them has a mistake.
    """
    stages = stages_until(stages_of(config), until)
    check_stages(stages)
    console = stdout()
    for number, (name, (kind, own)) in enumerate(stages.items(), 1):
        console.print(f"{number} {name} ({kind}): {'; '.join(_told(kind, own, stages))}", markup=False)
    needs = needs_of(stages)
    console.print("" if needs else "\nnothing is needed from elsewhere")
    there = True
    with running(config.services):
        for need in needs:
            try:
                need.check()
            except ConfigError as error:
                there = False
                console.print(f"missing  {error}", markup=False)
            else:
                console.print(f"there    {need.kind} {need.name}", markup=False)
    return there


def _told(kind: str, own: RunConfig, stages: Mapping[str, tuple[str, RunConfig]]) -> list[str]:
    """Return the model, the data and the reward of a stage in words."""
    left = {Path(each.output_dir) / "model": name for name, (_, each) in stages.items()}
    model = left.get(Path(own.model.name))
    told = [f"model {own.model.name}" if model is None else f"model of {model}"]
    sources = own.data if isinstance(own.data, list) else [own.data]
    named = [
        " ".join(
            [each.source, *([each.name] if each.name else []), *([each.split] if _is_split(each) else [])]
        )
        for each in sources
        if each is not None
    ]
    told += [f"data {', '.join(named)}"] if named else []
    paying = kind in ("grpo", "rloo", "select") and own.reward is not None
    parts = reward_of(own.reward).part_names() if paying else ()
    return told + ([f"pays {', '.join(parts)}"] if parts else [])


def _is_split(data: object) -> bool:
    return getattr(data, "split", "train") != "train"


STOPPED = 3
"""Exit status of a run that an alarm has stopped."""

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Check data and reward; exit 1 if a reference is unusable.")
]
Completions = Annotated[
    str | None, typer.Option(help="With --dry-run: JSON Lines with completions to score.")
]
Sampled = Annotated[
    int, typer.Option("--sample", help="With --dry-run: sample this many completions from the model.", min=0)
]
Rows = Annotated[
    int, typer.Option(help="With --dry-run: number of rows whose references are checked.", min=1)
]


def _policy_verb(kind: str, told: str) -> Callable[..., None]:
    """Return the verb of a stage whose policy learns from rewards, which a dry run can look at beforehand."""

    def verb(
        config: Config,
        overrides: Overrides = None,
        dry_run: DryRun = False,
        completions: Completions = None,
        sample: Sampled = 0,
        rows: Rows = 1000,
    ) -> None:
        if not dry_run:
            with failing_clearly():
                if completions is not None or sample:
                    raise ConfigError(
                        "--completions and --sample belong to --dry-run; add it, or leave them out"
                    )
            _run(kind, config, overrides)
            return
        with failing_clearly():
            whole = read_config(config, overrides)
            usable = print_dry_run(kind, whole, stage_of(whole, kind), completions, sample, rows)
        raise typer.Exit(DONE if usable else ROWS_FAILED)

    verb.__name__, verb.__doc__ = kind, told
    return verb


grpo = _policy_verb("grpo", "Train by group relative policy optimisation (GRPO, Dr. GRPO, GSPO, DAPO ...).")
rloo = _policy_verb("rloo", "Train by REINFORCE with a leave-one-out baseline.")


def _verb(kind: str, told: str) -> Callable[..., None]:
    """Return the verb of a stage that has no options of its own."""

    def verb(config: Config, overrides: Overrides = None) -> None:
        _run(kind, config, overrides)

    verb.__name__, verb.__doc__ = kind, told
    return verb


STAGE_VERBS = (
    _verb("sft", "Train on prompts and completions: a cold start, or distillation."),
    _verb("dpo", "Train on pairs of a right and a wrong completion."),
    _verb(
        "select",
        "Sample K completions of each prompt, verify them, keep the right ones (or pairs) as training data.",
    ),
    _verb("prm", "Train a model of steps on labels, such as verify-train label writes."),
    _verb("orm", "Train a model of outcomes on solutions that are right or wrong."),
    _verb("rm", "Train a reward model on pairs, such as verify-train critique writes."),
)


def pipeline(
    config: Config,
    overrides: Overrides = None,
    until: Annotated[str | None, typer.Option(help="The last stage to run.")] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Show the stages and what they need; exit 1 if something is missing."),
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
