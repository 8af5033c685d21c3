"""``verify-train sample``: completions of a model, scored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reward_verifiers.adapters.cli.console import failing_clearly
from reward_verifiers.verifiers import ConfigError

from ..environment import begin
from ..run.run_inputs import backend_of, prepare, sampling_of
from ..run.sampled_rows import sample_rows
from ..watch.messages import say
from .shared_options import Config, Overrides, check_parent, read_stage


def sample(
    config: Config,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Scored JSON lines; an interrupted run continues.")
    ],
    overrides: Overrides = None,
    k: Annotated[int | None, typer.Option(help="Completions of each prompt.", min=1)] = None,
    heldout: Annotated[bool, typer.Option(help="The held-out prompts instead of those to train on.")] = False,
    server: Annotated[str | None, typer.Option(help="Base URL of an OpenAI-compatible server.")] = None,
    stage: Annotated[
        str, typer.Option(help="With stages: the kind whose data and model are taken.")
    ] = "grpo",
) -> None:
    """Sample K completions of each prompt and score them, as lines for verify-cli groups and select."""
    with failing_clearly():
        own = read_stage(config, overrides, stage)
        begin(own.threads)
        check_parent(output)
        if server is not None:
            own = own.model_copy(update={"sample": own.sample.model_copy(update={"server": server})})
        prepared = prepare(own, needs_reward=True)
        rows = prepared.heldout if heldout else prepared.train
        if not rows:
            raise ConfigError("there are no held-out rows: set evaluation.data or evaluation.holdout")
        found = sample_rows(backend_of(own, prepared), rows, prepared, sampling_of(own, k), Path(output), say)
        for _ in found:
            pass
