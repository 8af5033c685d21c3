"""``verify-train label``: which steps of solutions are right, by what comes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, cast, get_args

import typer
from rich.table import Table

from reward_verifiers.adapters.cli.console import failing_clearly, literal, stdout
from reward_verifiers.rewards import Reward, load_recipe
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.process.steps import By as Ends
from reward_verifiers.verifiers.process.steps import Steps

from ..config import Data, RunConfig
from ..data import Row
from ..data.row_sources import read_rows
from ..environment import begin
from ..generation import Backend
from ..process.formats import FormatName, written_as
from ..process.label_rows import check_solutions, counted, label_rows, labeller_of
from ..process.rollouts import Order
from ..run.run_inputs import Prepared, backend_of, check_columns, prepare, sampling_of, with_references
from ..run.sampled_rows import json_line, sample_rows
from ..watch.messages import say
from .shared_options import Config, Overrides, check_parent, read_stage

Output = Annotated[
    str,
    typer.Option("--output", "-o", help="Labels as JSON lines (TRL's stepwise); a killed run continues."),
]
Solutions = Annotated[
    str | None,
    typer.Option(help="Lines with prompt and completion; by default sample.k completions are sampled."),
]
Rollouts = Annotated[int, typer.Option(help="Completions from each step.", min=1)]
StepEnds = Annotated[str, typer.Option("--steps", help=f"What ends a step: {', '.join(get_args(Ends))}.")]
Until = Annotated[
    bool, typer.Option("--until-first-error", help="Nothing after a step from which nothing ends right.")
]
Bisect = Annotated[bool, typer.Option("--bisect", help="Search for the first error by halves.")]
Consensus = Annotated[
    str | None, typer.Option(help="A verifier or recipe that judges steps: labels that it shares are kept.")
]
Copies = Annotated[
    list[str] | None,
    typer.Option("--format", help=f"Also write a copy: {', '.join(get_args(FormatName))}; repeatable."),
]
Heldout = Annotated[bool, typer.Option(help="Sample for the held-out prompts instead of those to train on.")]
Server = Annotated[str | None, typer.Option(help="Base URL of an OpenAI-compatible server.")]
OfStage = Annotated[str, typer.Option(help="With stages: the kind whose data and model are taken.")]


def label(
    config: Config,
    output: Output,
    overrides: Overrides = None,
    solutions: Solutions = None,
    rollouts: Rollouts = 8,
    steps: StepEnds = "marks",
    until_first_error: Until = False,
    bisect: Bisect = False,
    consensus: Consensus = None,
    format_: Copies = None,
    heldout: Heldout = False,
    server: Server = None,
    stage: OfStage = "grpo",
) -> None:
    """Label the steps of solutions by completions from each of them (Math-Shepherd)."""
    with failing_clearly():
        if until_first_error and bisect:
            raise ConfigError("label: --until-first-error and --bisect are two ways; choose one")
        copies = [_format(each) for each in format_ or ()]
        order: Order = "bisect" if bisect else "until_first_error" if until_first_error else "every"
        splits = Steps(cast(Ends, steps))
        second = None if consensus is None else load_recipe(consensus)
        own = read_stage(config, overrides, stage)
        begin(own.threads)
        check_parent(output)
        if server is not None:
            own = own.model_copy(update={"sample": own.sample.model_copy(update={"server": server})})
        prepared = prepare(own, needs_reward=True)
        sampling_of(own, rollouts)  # what is wrong with it shows before a model is loaded
        rows = None if solutions is None else _solutions(prepared, second, solutions)
        backend = backend_of(own, prepared)
        path = Path(output)
        if rows is None:
            rows = _sampled(own, prepared, backend, path, heldout)
            check_columns_of(second, rows)
        labeller = labeller_of(own, prepared, backend, rollouts, splits, order, second)
        label_rows(labeller, rows, path, say)
        for each in copies:
            _copy(path, each)
        _show(path)


def _solutions(prepared: Prepared, second: Reward | None, path: str) -> list[Row]:
    """The solutions of a file, with what the rewards read."""
    rows = read_rows(Data(source=path, format="as_is"))
    check_solutions(rows, path)
    if not prepared.chat and not all(isinstance(row["prompt"], str) for row in rows):
        raise ConfigError(
            f"the prompts of {path} are chat messages, and this model's tokenizer has no chat template; "
            "set model.chat_template to a file with one"
        )
    rows = with_references([prepared.reward, second], rows)
    for reward in (prepared.reward, second):
        check_columns_of(reward, rows)
    return rows


def check_columns_of(reward: Reward | None, rows: list[Row]) -> None:
    """As `check_columns`; of no reward nothing."""
    if reward is not None:
        check_columns(reward, rows)


def _sampled(
    config: RunConfig, prepared: Prepared, backend: Backend, output: Path, heldout: bool
) -> list[Row]:
    """Completions of the configuration's prompts, which are kept beside the labels."""
    rows = prepared.heldout if heldout else prepared.train
    if not rows:
        raise ConfigError("there are no held-out rows: set evaluation.data or evaluation.holdout")
    path = output.with_suffix(".solutions.jsonl")
    for _ in sample_rows(backend, rows, prepared, sampling_of(config), path, say):
        pass
    return read_rows(Data(source=str(path), format="as_is"))


def _format(name: str) -> FormatName:
    if name not in get_args(FormatName):
        raise ConfigError(f"label: --format must be {', '.join(get_args(FormatName))}, got {name!r}")
    return cast(FormatName, name)


def _copy(path: Path, name: FormatName) -> None:
    """The labels in another format, beside them."""
    target = path.with_suffix(f".{name}.jsonl")
    left = 0
    with open(path, encoding="utf-8") as source, open(target, "wb") as file:
        for line in source:
            made = written_as(name, json.loads(line))
            if made is None:
                left += 1
            else:
                file.write(json_line(made).encode("utf-8", "backslashreplace"))
    say(f"{target}" + (f": {left} rows say nothing there, and are left out" if left else ""))


def _show(path: Path) -> None:
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for name, count in counted(path).items():
        table.add_row(literal(name), f"{count:,}")
    stdout().print(table)
