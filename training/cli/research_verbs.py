"""``verify-train search``, ``label`` and ``critique``: answers searched, steps labelled, answers revised."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Annotated, cast, get_args

import typer
from rich.table import Table

from reward_verifiers.adapters.cli.console import failing_clearly, literal, stdout
from reward_verifiers.rewards import Reward, load_recipe
from reward_verifiers.rewards.select.preferences import served_judge
from reward_verifiers.verifiers import ConfigError, Verifier
from reward_verifiers.verifiers.process.steps import By as Ends
from reward_verifiers.verifiers.process.steps import Steps

from ..config import Data, RunConfig
from ..data import Row
from ..data.row_sources import read_rows
from ..environment import say
from ..generation import Backend
from ..research.critique_rows import CritiquePlan, critique_rows, read_constitution, training_rows
from ..research.label_formats import FormatName, written_as
from ..research.label_rows import check_solutions, counted, label_rows, labeller_of
from ..research.model_generator import Writer, rendering
from ..research.reward_judge import RewardJudge, blind, check_sighted
from ..research.rollouts import Order
from ..research.search_methods import Method, Plan
from ..research.search_rows import Task, search_rows, summary
from ..run.run_inputs import (
    Prepared,
    backend_of,
    check_columns,
    outcome_part,
    prepare,
    sampling_of,
    with_references,
)
from ..run.sampled_rows import json_line, sample_rows
from .shared_options import Config, Heldout, OfStage, Overrides, Server, begun, rows_of

_SIZES = Plan()


Candidates = Annotated[
    str, typer.Option("--output", "-o", help="Candidates as scored JSON Lines; a killed search continues.")
]
How = Annotated[str, typer.Option("--method", help=f"{', '.join(get_args(Method))}.")]
By = Annotated[
    str | None,
    typer.Option(help="Preset, recipe or verifier that guides the search (default: the reward)."),
]
Budget = Annotated[int, typer.Option(help="Tokens per prompt; 0 for as many as the sizes can need.", min=0)]
Completions = Annotated[int, typer.Option(help="Number of completions, or of rounds of revision.", min=1)]
Width = Annotated[int, typer.Option(help="Number of beams to keep.", min=1)]
Branch = Annotated[int, typer.Option(help="Number of next steps per beam or leaf.", min=1)]
Depth = Annotated[int, typer.Option(help="Largest number of steps in a path.", min=1)]
Iterations = Annotated[int, typer.Option(help="Number of completions that a tree search judges.", min=1)]
Exploration = Annotated[float, typer.Option(help="Exploration constant c of UCT.", min=0)]
StepEnds = Annotated[str, typer.Option("--steps", help=f"End of a step: {', '.join(get_args(Ends))}.")]
StepTokens = Annotated[int, typer.Option(help="Largest number of tokens in a step.", min=1)]
Feedback = Annotated[bool, typer.Option(help="Tell each revision why its last completion lost points.")]
Ask = Annotated[str, typer.Option(help="Prompt for a revision.")]
Columns = Annotated[
    list[str] | None, typer.Option("--column", help="Column that the search may see besides the prompt.")
]
Oracle = Annotated[
    bool, typer.Option("--oracle", help="Let the search see the reference, to measure an upper limit.")
]


def search(
    config: Config,
    output: Candidates,
    overrides: Overrides = None,
    method: How = _SIZES.method,
    by: By = None,
    budget: Budget = 0,
    n: Completions = _SIZES.n,
    width: Width = _SIZES.width,
    branch: Branch = _SIZES.branch,
    depth: Depth = _SIZES.depth,
    iterations: Iterations = _SIZES.iterations,
    exploration: Exploration = _SIZES.exploration,
    steps: StepEnds = _SIZES.steps,
    step_tokens: StepTokens = _SIZES.step_tokens,
    feedback: Feedback = True,
    ask: Ask = _SIZES.ask,
    column: Columns = None,
    oracle: Oracle = False,
    heldout: Heldout = False,
    server: Server = None,
    stage: OfStage = "grpo",
) -> None:
    """Search for an answer to each prompt: best-of-N, votes, revision, beam search, tree search."""
    with failing_clearly():
        plan = Plan(
            cast(Method, method), n, width, branch, depth, iterations, exploration, step_tokens,
            cast(Ends, steps), feedback, ask, budget,
        )  # fmt: skip
        own = begun(config, overrides, stage, server, output)
        prepared = prepare(own, needs_reward=True)
        assert prepared.reward is not None  # noqa: S101  (prepare has asked for it)
        rows = rows_of(prepared, heldout)
        outcome = outcome_part(prepared.reward, None, "reward")
        judge = prepared.reward if by is None else load_recipe(by)
        if plan.judges:
            check_sighted(judge, column or [], rows, oracle=oracle)
            rows = with_references([judge], rows) if oracle else rows
            check_columns(judge, rows)
        task = _task(own, prepared, plan, judge, tuple(column or ()), oracle, outcome)
        search_rows(task, rows, Path(output), say)
        _print_search(Path(output), plan, outcome, oracle)


def _task(
    config: RunConfig,
    prepared: Prepared,
    plan: Plan,
    judge: Reward,
    columns: tuple[str, ...],
    oracle: bool,
    outcome: str,
) -> Task:
    """Return the work on a row; whatever loads a model comes last."""
    reward = prepared.reward
    assert reward is not None  # noqa: S101  (prepare has asked for it)
    sampling = sampling_of(config, 1)
    if sampling.temperature == 0 and ((plan.method != "revise" and plan.n > 1) or plan.prefixes):
        raise ConfigError(
            f"search: {plan.method} chooses among different completions, and temperature 0 gives equal ones; "
            "set sample.temperature above 0"
        )
    tokenizer = prepared.tokenizer
    seen_by = f"{judge.signature()} seeing {', '.join(('prompt', *columns))}" if plan.judges else "nothing"
    writer = Writer(
        backend_of(config, prepared),
        sampling,
        Steps(plan.steps),
        rendering(tokenizer, config.model.chat_template_kwargs),
        lambda text: len(tokenizer(text=text, add_special_tokens=False)["input_ids"]),
        plan.ask,
    )
    return Task(
        plan=plan,
        writer=writer,
        most=sampling.max_tokens,
        seed=config.seed,
        judge=functools.partial(RewardJudge, judge) if plan.judges else None,
        seen=functools.partial(blind, columns=columns, oracle=oracle),
        voter=_voter(reward, outcome),
        reward=reward,
        name=f"{prepared.name} {plan} {sampling} scored by {seen_by}{' with the reference' * oracle}, "
        f"paid by {reward.signature()}",
    )


def _voter(reward: Reward, outcome: str) -> Verifier | None:
    """Return the verifier that finds answers for a vote: the outcome's, where it has an extractor."""
    part = dict(reward.parts())[outcome]
    return next((each for each in part.verifiers() if hasattr(each, "extract")), None)


def _print_search(path: Path, plan: Plan, outcome: str, oracle: bool) -> None:
    found = summary(path, outcome)
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_row("method", plan.method + " with the reference (oracle)" * oracle)
    table.add_row("rows", f"{found['rows']:,}, {found['chosen']:,} with a choice")
    for name, key in ((f"chosen: {outcome}", "accuracy"), ("best candidate", "best_candidate")):
        if found[key] is not None:
            table.add_row(literal(name), f"{found[key]:.4f}")
    table.add_row("tokens a prompt", f"{found['tokens']:.1f}")
    stdout().print(table)


OTHERS = ("first", "tie", "unjudged")
"""What a judge may say of a row, besides that the revision is better."""


def critique(
    config: Config,
    constitution: Annotated[str, typer.Option(help="A file of principles, YAML or JSON.")],
    output: Annotated[str, typer.Option("--output", "-o", help="A folder; a killed run continues.")],
    overrides: Overrides = None,
    rounds: Annotated[
        int, typer.Option(help="Number of critiques and revisions per answer.", min=1, max=16)
    ] = 1,
    judge: Annotated[
        str | None,
        typer.Option(help="Recipe with one served Judge, which compares first answer and revision."),
    ] = None,
    server: Server = None,
    stage: OfStage = "grpo",
) -> None:
    """Let the model criticise and rewrite its answers by a constitution, for SFT and for preferences.

    Writes OUTPUT/critiques.jsonl with every text, OUTPUT/sft.jsonl (prompt, completion) and
    OUTPUT/pairs.jsonl (prompt, chosen, rejected, margin).
    """
    with failing_clearly():
        principles = read_constitution(constitution)
        own = begun(config, overrides, stage, server)
        decides = None if judge is None else served_judge(load_recipe(judge))
        prepared = prepare(own, needs_reward=False)
        plan = CritiquePlan(principles, rounds, sampling_of(own, 1), decides, prepared.name)
        folder = Path(output)
        folder.mkdir(parents=True, exist_ok=True)
        backend = backend_of(own, prepared)
        lines = critique_rows(backend, prepared.train, plan, folder / "critiques.jsonl", say)
        learned, pairs = training_rows(lines)
        for name, rows in (("sft.jsonl", learned), ("pairs.jsonl", pairs)):
            text = "".join(map(json_line, rows))
            (folder / name).write_bytes(text.encode("utf-8", "backslashreplace"))
        counts = ((which, sum(line["better"] == which for line in lines)) for which in OTHERS)
        others = ", ".join(f"{count} {which}" for which, count in counts if count)
        say(
            f"{len(learned)} rows for sft and {len(pairs)} pairs from {len(lines)} prompts"
            + (f" ({others})" if others else "")
        )


Labels = Annotated[
    str,
    typer.Option(
        "--output", "-o", help="Labels as JSON Lines (TRL's stepwise form); a killed run continues."
    ),
]
Solutions = Annotated[
    str | None,
    typer.Option(help="Rows with prompt and completion (default: sample sample.k completions)."),
]
Rollouts = Annotated[int, typer.Option(help="Number of completions from each step.", min=1)]
Until = Annotated[
    bool,
    typer.Option("--until-first-error", help="Stop at the first step from which no completion ends right."),
]
Bisect = Annotated[bool, typer.Option("--bisect", help="Find the first error by bisection.")]
Consensus = Annotated[
    str | None,
    typer.Option(help="Verifier or recipe that judges steps; keep only labels on which it agrees."),
]
Copies = Annotated[
    list[str] | None,
    typer.Option("--format", help=f"Also write a copy: {', '.join(get_args(FormatName))}; repeatable."),
]
HeldoutPrompts = Annotated[
    bool, typer.Option(help="Sample for the held-out prompts instead of the training prompts.")
]


def label(
    config: Config,
    output: Labels,
    overrides: Overrides = None,
    solutions: Solutions = None,
    rollouts: Rollouts = 8,
    steps: StepEnds = "marks",
    until_first_error: Until = False,
    bisect: Bisect = False,
    consensus: Consensus = None,
    format_: Copies = None,
    heldout: HeldoutPrompts = False,
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
        own = begun(config, overrides, stage, server, output)
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
        _print_counts(path)


def _solutions(prepared: Prepared, second: Reward | None, path: str) -> list[Row]:
    """Return the solutions of a file, with the columns that the rewards read."""
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
    """Check columns as `check_columns` does, if there is a reward."""
    if reward is not None:
        check_columns(reward, rows)


def _sampled(
    config: RunConfig, prepared: Prepared, backend: Backend, output: Path, heldout: bool
) -> list[Row]:
    """Return completions of the configuration's prompts, which are kept beside the labels."""
    rows = rows_of(prepared, heldout)
    path = output.with_suffix(".solutions.jsonl")
    for _ in sample_rows(backend, rows, prepared, sampling_of(config), path, say):
        pass
    return read_rows(Data(source=str(path), format="as_is"))


def _format(name: str) -> FormatName:
    if name not in get_args(FormatName):
        raise ConfigError(f"label: --format must be {', '.join(get_args(FormatName))}, got {name!r}")
    return cast(FormatName, name)


def _copy(path: Path, name: FormatName) -> None:
    """Write the labels in another format, beside them."""
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


def _print_counts(path: Path) -> None:
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for name, count in counted(path).items():
        table.add_row(literal(name), f"{count:,}")
    stdout().print(table)
