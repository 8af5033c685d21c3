"""``verify-cli explain``: the reasons for one completion's reward."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.tree import Tree

from reward_verifiers.rewards import Batch, Payment, load_recipe
from reward_verifiers.verifiers import ConfigError, Verifier, split_completion

from ..files.chunk_scorer import Scorer
from ..files.columns import column_of
from ..files.file_scorer import fitted
from ..files.jsonl import Line, Overlong, Source, parse
from ..files.line_groups import whole_groups
from .column_options import Options, with_columns
from .console import (
    DEFAULT_RECIPE,
    ProgressOption,
    RecipeOrAuto,
    check_progress,
    failing_clearly,
    literal,
    say,
    stdout,
)
from .taking import chosen_reward, scorer_for
from .verdict_trees import describe, tail


@with_columns
def explain(
    options: Options,
    file: Annotated[str | None, typer.Argument(help="A file of rows; or give --completion.")] = None,
    row: Annotated[
        int | None,
        typer.Option(
            help="Line number in the file, or number of the array's item (default: the first row).",
            min=1,
            show_default=False,
        ),
    ] = None,
    completion: Annotated[str | None, typer.Option(help="A completion as text.")] = None,
    reference: Annotated[str | None, typer.Option(help="The reference for --completion.")] = None,
    prompt: Annotated[str | None, typer.Option(help="The question that --completion answers.")] = None,
    tokens: Annotated[int | None, typer.Option(help="Length of --completion in tokens.", min=0)] = None,
    recipe: RecipeOrAuto = DEFAULT_RECIPE,
    progress: ProgressOption = 1.0,
    witness: Annotated[
        bool, typer.Option("--witness", help="Print a proof of each verdict, one JSON object per line.")
    ] = False,
) -> None:
    """Explain one row: what was extracted, every verdict, and why."""
    with failing_clearly():
        reward = chosen_reward(options)
        if (file is None) == (completion is None):
            raise ConfigError("explain takes either a FILE (with --row) or --completion with --reference")
        if file is not None and not (reference is None and prompt is None and tokens is None):
            raise ConfigError(
                f"--reference, --prompt and --tokens belong to --completion; {file!r} was taken for a FILE "
                "of rows (a completion as text is given with --completion)"
            )
        check_progress(progress)
        if file is not None:
            source = Source([file])
            scorer = scorer_for(source, options, reward, progress=progress)
            payment, text, fields = _one_of(file, source, row, scorer)
        else:
            reward = load_recipe(DEFAULT_RECIPE) if reward is None else reward
            scorer = Scorer(reward, progress=progress)
            columns: dict[str, list[object]] = {"answer": [reference]}
            if prompt is not None:
                columns["prompt"] = [prompt]
            if tokens is not None:
                columns["completion_tokens"] = [tokens]
            [payment] = Batch([completion], columns, progress, group_size=1).pay(reward)
            text = completion
            fields = {} if prompt is None else {"prompt": prompt}
        if witness:
            _witnesses(scorer, payment, fields)
        else:
            _print(scorer, payment, text)


def _one_of(
    file: str, source: Source, number: int | None, scorer: Scorer
) -> tuple[Payment, object, dict[str, Any]]:
    """Return payment, completion and columns of a row, scored with its group where that matters."""
    last = 0
    chunks = source.chunks()
    for chunk in whole_groups(chunks, scorer.group_field) if scorer.reward.needs_groups else chunks:
        if isinstance(chunk, Overlong):
            last = chunk.number
            if last == number:
                raise ConfigError(f"{file}:{number}: longer than 16 MB")
            continue
        number = chunk[0].number if number is None else number
        last = chunk[-1].number
        if number not in [line.number for line in chunk]:
            continue
        lines = [line for line in chunk if scorer.reward.needs_groups or line.number == number]
        scorer = fitted(scorer, _parsed(file, lines[0]), f"{file}:{lines[0].number}", say)
        rows = [(line.number, _read(file, line, scorer)) for line in lines]
        wanted = [each for each, _ in rows].index(number)
        places = [f"{file}:{each}" for each, _ in rows]
        payment = scorer.batch([row for _, row in rows], places.__getitem__).pay(scorer.reward)[wanted]
        chosen = rows[wanted][1]
        return payment, column_of(chosen, scorer.completion_field), chosen
    raise ConfigError(f"{file}: has no row on line {number}; its last row is on line {last}")


def _parsed(file: str, line: Line) -> dict[str, Any]:
    try:
        return parse(line.raw)
    except ValueError as error:
        raise ConfigError(f"{file}:{line.number}: {error}") from None


def _read(file: str, line: Line, scorer: Scorer) -> dict[str, Any]:
    row = _parsed(file, line)
    scorer.check_columns(row, f"{file}:{line.number}")
    return row


def _print(scorer: Scorer, payment: Payment, completion: object) -> None:
    console = stdout()
    split = split_completion(completion)
    if split is not None:
        thinking = f"{len(split.thinking):,} characters of thinking, " if split.thinking else ""
        ended = " (thinking never ended)" if split.open_thinking else ""
        console.print(
            literal(f"completion: {thinking}{len(split.response):,} characters of response{ended}", "dim")
        )
        console.print(literal(tail(split.response or split.thinking)))
    source = "" if split is None else split.completion if split.content is None else split.content
    # A part is explained by the verifier that it is a part of.
    kinds = {
        name: verifier
        for verifier in scorer.reward.verifiers()
        for name in (*verifier.part_names(), verifier._name())
    }
    tree = Tree(_line(payment))
    _grow(tree, payment, kinds, set(), source)
    console.print(tree)
    console.print(literal(f"signature: {scorer.signature}", "dim"))


def _witnesses(scorer: Scorer, payment: Payment, fields: dict[str, Any]) -> None:
    """Print the witnesses of a payment's verdicts, as `benchmarks/witness_check.py` reads them."""
    kinds = {verifier._name(): verifier for verifier in scorer.reward.verifiers()}
    waiting = [payment]
    for each in waiting:  # which grows on the way
        waiting.extend(each.parts)
        verdict = each.verdict
        if verdict is not None and verdict.verifier in kinds:
            found = kinds[verdict.verifier].witness(verdict, fields)
            if found is not None:
                typer.echo(json.dumps(found, ensure_ascii=False))


def _grow(tree: Tree, payment: Payment, kinds: dict[str, Verifier], told: set[int], source: str) -> None:
    """Add the parts below a payment; consecutive steps are on the payment's own line."""
    shown, _ = payment.step()
    if shown.verdict is not None and id(shown.verdict) not in told:
        told.add(id(shown.verdict))
        describe(tree, shown.verdict, kinds.get(shown.verdict.verifier), source)
    for part in shown.parts:
        _grow(tree.add(_line(part)), part, kinds, told, source)


def _line(payment: Payment) -> Any:
    shown, steps = payment.step()
    line = f"{payment.name}: {payment.shown_value(shown, steps)}"
    if shown.note:
        line += f"  ({shown.note})"
    return literal(line, "bold")
