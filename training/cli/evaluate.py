"""``verify-train eval``: how much a model gets right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from reward_verifiers.adapters.cli.console import failing_clearly, literal, stdout
from reward_verifiers.verifiers import ConfigError

from ..environment import begin
from ..run.accuracy_measures import answer, measure, pass_and_majority
from ..run.greedy_exams import measuring_sampling
from ..run.run_inputs import prepare
from ..run.sampled_rows import backend_of, sampling_of
from .shared_options import Config, Overrides, check_parent, read_stage


def evaluate(
    config: Config,
    overrides: Overrides = None,
    model: Annotated[
        str | None,
        typer.Option(help="By default the model that the run has saved, else the one that it begins with."),
    ] = None,
    k: Annotated[
        int, typer.Option(help="Besides greedy: this many samples, for pass@k and majority@k.", min=0)
    ] = 0,
    output: Annotated[str | None, typer.Option("--output", "-o", help="The figures as JSON.")] = None,
    server: Annotated[str | None, typer.Option(help="Base URL of an OpenAI-compatible server.")] = None,
    stage: Annotated[
        str, typer.Option(help="With stages: the kind whose data and model are taken.")
    ] = "grpo",
) -> None:
    """Measure a model on the held-out rows: greedy accuracy, and with --k pass@k and majority@k."""
    with failing_clearly():
        own = read_stage(config, overrides, stage, model, left=True)
        begin(own.threads)
        check_parent(output)
        if server is not None:
            own = own.model_copy(update={"sample": own.sample.model_copy(update={"server": server})})
        prepared = prepare(own, needs_reward=False)
        if not prepared.heldout or prepared.strict is None:
            raise ConfigError(
                "there is nothing to measure with: set evaluation.data (or evaluation.holdout) and reward"
            )
        backend = backend_of(own, prepared)
        greedy = measure(
            backend, prepared.heldout, prepared.strict, prepared.outcome, measuring_sampling(own)
        )
        measured = own.sample.server_model or own.model.name if own.sample.server else own.model.name
        found: dict[str, Any] = {
            "model": measured,
            "server": own.sample.server,
            "outcome": prepared.outcome,
            "greedy": greedy.to_dict(),
        }
        if k:
            sampled = list(answer(backend, prepared.heldout, prepared.strict, sampling_of(own, k)))
            found["sampled"] = pass_and_majority(sampled, prepared.outcome, k)
        if output is not None:
            Path(output).write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        _show(found, prepared.outcome)


def _show(found: dict[str, Any], outcome: str) -> None:
    greedy = found["greedy"]
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_row("model", literal(found["model"]))
    table.add_row(
        "rows",
        f"{greedy['n']:,}" + (f", {greedy['unscored']} unscored" if greedy["unscored"] else ""),
    )
    if greedy["accuracy"] is not None:
        table.add_row(literal(f"greedy {outcome}"), f"{greedy['accuracy']:.4f} ± {greedy['error']:.4f}")
    for name, value in greedy["parts"].items():
        if name != outcome:
            table.add_row(literal(name), f"{value:.4f}")
    table.add_row("tokens", f"{greedy['tokens']:.1f}, {greedy['finished']:.1%} ended by themselves")
    for name, value in found.get("sampled", {}).items():
        table.add_row(name, f"{value:.4f}")
    stdout().print(table)
