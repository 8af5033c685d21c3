"""``verify-train search``: answers that are searched for, under a budget of tokens."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated, cast, get_args

import typer
from rich.table import Table

from reward_verifiers.adapters.cli.console import failing_clearly, literal, stdout
from reward_verifiers.rewards import Reward, load_recipe
from reward_verifiers.verifiers import ConfigError, Verifier
from reward_verifiers.verifiers.process.steps import By as Ends
from reward_verifiers.verifiers.process.steps import Steps

from ..config import RunConfig
from ..environment import begin
from ..run.run_inputs import (
    Prepared,
    backend_of,
    check_columns,
    outcome_part,
    prepare,
    sampling_of,
    with_references,
)
from ..search.model_generator import Writer, rendering
from ..search.plan import Method, Plan
from ..search.reward_judge import RewardJudge, blind, check_sighted
from ..search.search_rows import Task, search_rows, summary
from ..watch.messages import say
from .shared_options import Config, Overrides, check_parent, read_stage

_SIZES = Plan()


Output = Annotated[
    str, typer.Option("--output", "-o", help="Candidates as scored JSON lines; a killed search continues.")
]
How = Annotated[str, typer.Option("--method", help=f"{', '.join(get_args(Method))}.")]
By = Annotated[
    str | None,
    typer.Option(help="What scores the search: a preset, recipe or verifier; by default the reward."),
]
Budget = Annotated[int, typer.Option(help="Tokens for each prompt; 0 for what the sizes can need.", min=0)]
Completions = Annotated[int, typer.Option(help="Completions, or rounds of a revision.", min=1)]
Width = Annotated[int, typer.Option(help="Beams that are kept.", min=1)]
Branch = Annotated[int, typer.Option(help="Next steps of a beam or a leaf.", min=1)]
Depth = Annotated[int, typer.Option(help="Steps of a path, at most.", min=1)]
Iterations = Annotated[int, typer.Option(help="Completions that a tree search judges.", min=1)]
Exploration = Annotated[float, typer.Option(help="c of UCT.", min=0)]
StepEnds = Annotated[str, typer.Option("--steps", help=f"What ends a step: {', '.join(get_args(Ends))}.")]
StepTokens = Annotated[int, typer.Option(help="Tokens of a step, at most.", min=1)]
Feedback = Annotated[bool, typer.Option(help="Tell a revision what its last completion lost points for.")]
Ask = Annotated[str, typer.Option(help="What a revision is asked.")]
Columns = Annotated[
    list[str] | None, typer.Option("--column", help="A column that the search may see besides the prompt.")
]
Oracle = Annotated[bool, typer.Option("--oracle", help="Let the search see the reference: an upper limit.")]
Heldout = Annotated[bool, typer.Option(help="The held-out prompts instead of those to train on.")]
Server = Annotated[str | None, typer.Option(help="Base URL of an OpenAI-compatible server.")]
OfStage = Annotated[str, typer.Option(help="With stages: the kind whose data and model are taken.")]


def search(
    config: Config,
    output: Output,
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
        own = read_stage(config, overrides, stage)
        begin(own.threads)
        check_parent(output)
        if server is not None:
            own = own.model_copy(update={"sample": own.sample.model_copy(update={"server": server})})
        prepared = prepare(own, needs_reward=True)
        assert prepared.reward is not None  # noqa: S101  (prepare has asked for it)
        rows = prepared.heldout if heldout else prepared.train
        if not rows:
            raise ConfigError("there are no held-out rows: set evaluation.data or evaluation.holdout")
        outcome = outcome_part(prepared.reward, None, "reward")
        judge = prepared.reward if by is None else load_recipe(by)
        if plan.judges:
            check_sighted(judge, column or [], rows, oracle=oracle)
            rows = with_references([judge], rows) if oracle else rows
            check_columns(judge, rows)
        task = _task(own, prepared, plan, judge, tuple(column or ()), oracle, outcome)
        search_rows(task, rows, Path(output), say)
        _show(Path(output), plan, outcome, oracle)


def _task(
    config: RunConfig,
    prepared: Prepared,
    plan: Plan,
    judge: Reward,
    columns: tuple[str, ...],
    oracle: bool,
    outcome: str,
) -> Task:
    """All that is done with a row; whatever loads a model comes last."""
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
    """The verifier that finds answers for a vote: that of the outcome, where it has an extractor."""
    part = dict(reward.parts())[outcome]
    return next((each for each in part.verifiers() if hasattr(each, "extract")), None)


def _show(path: Path, plan: Plan, outcome: str, oracle: bool) -> None:
    found = summary(path, outcome)
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_row("method", plan.method + " with the reference (oracle)" * oracle)
    table.add_row("rows", f"{found['rows']:,}, {found['chosen']:,} with a choice")
    for name, key in ((f"chosen: {outcome}", "accuracy"), ("best candidate", "best_candidate")):
        if found[key] is not None:
            table.add_row(literal(name), f"{found[key]:.4f}")
    table.add_row("tokens a prompt", f"{found['tokens']:.1f}")
    stdout().print(table)
