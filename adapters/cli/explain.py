"""``verify-cli explain``: why one completion is paid what it is paid."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.tree import Tree

from adapters.jsonl import Overlong, Source, parse
from adapters.scorer import WRITTEN, Scorer
from rewards import Batch, Payment, Reward, load_recipe
from verifiers import ConfigError, Verdict, Verifier, split_completion

from ._console import DEFAULT_RECIPE, failing_clearly, literal, stdout

_SHOWN = 300


def explain(
    file: Annotated[str | None, typer.Argument(help="A JSONL file; or give --completion.")] = None,
    row: Annotated[int, typer.Option(help="Line number in the file.", min=1)] = 1,
    completion: Annotated[str | None, typer.Option(help="A completion as text.")] = None,
    reference: Annotated[str | None, typer.Option(help="The reference for --completion.")] = None,
    recipe: Annotated[str, typer.Option("--recipe", "-r", help="A verifier's name, or a recipe file.")] = (
        DEFAULT_RECIPE
    ),
    completion_field: Annotated[str, typer.Option(help="The column with the completions.")] = "completion",
    reference_field: Annotated[str, typer.Option(help="The column with the references.")] = "answer",
) -> None:
    """Explain one row: what was extracted, every verdict, and why."""
    with failing_clearly():
        reward = load_recipe(recipe)
        if (file is None) == (completion is None):
            raise ConfigError("explain takes either a FILE (with --row) or --completion with --reference")
        if file is not None:
            scorer = Scorer(reward, completion_field, reference_field)
            data = _row(file, row, scorer)
            columns = {name: [value] for name, value in data.items() if name not in WRITTEN}
            if reference_field in columns:
                columns["answer"] = columns[reference_field]
            text = data[completion_field]
        else:
            columns = {"answer": [reference]}
            text = completion
        [payment] = reward.pay(Batch([text], columns))
        _print(reward, payment, text)


def _row(file: str, number: int, scorer: Scorer) -> dict[str, Any]:
    last = 0
    for chunk in Source([file]).chunks():
        for line in [chunk] if isinstance(chunk, Overlong) else chunk:
            last = line.number
            if line.number != number:
                continue
            if isinstance(line, Overlong):
                raise ConfigError(f"{file}:{number}: longer than 16 MB")
            try:
                data = parse(line.raw)
            except ValueError as error:
                raise ConfigError(f"{file}:{number}: {error}") from None
            scorer.check_columns(data, f"{file}:{number}")
            return data
    raise ConfigError(f"{file}: has no row on line {number}; its last row is on line {last}")


def _print(reward: Reward, payment: Payment, completion: object) -> None:
    console = stdout()
    split = split_completion(completion)
    if split is not None:
        thinking = f"{len(split.thinking):,} characters of thinking, " if split.thinking else ""
        ended = " (thinking never ended)" if split.open_thinking else ""
        console.print(
            literal(f"completion: {thinking}{len(split.answer):,} characters of answer{ended}", "dim")
        )
        console.print(literal(_tail(split.answer or split.thinking)))
    kinds = {verifier._name(): verifier for verifier in reward.verifiers()}
    tree = Tree(_line(payment))
    _grow(tree, payment, kinds)
    console.print(tree)
    console.print(literal(f"signature: {reward.signature()}", "dim"))


def _grow(tree: Tree, payment: Payment, kinds: dict[str, Verifier]) -> None:
    if payment.verdict is not None:
        _describe(tree, payment.verdict, kinds.get(payment.verdict.verifier))
    for part in payment.parts:
        _grow(tree.add(_line(part)), part, kinds)


def _line(payment: Payment) -> Any:
    value = "none" if payment.value is None else f"{payment.value:g}"
    return literal(f"{payment.name}: {value}", "bold")


def _describe(tree: Tree, verdict: Verdict, verifier: Verifier | None) -> None:
    meaning = type(verifier).all_reasons().get(verdict.reason, "") if verifier else ""
    tree.add(literal(f"{verdict.status.value}: {verdict.reason}" + (f" ({meaning})" if meaning else "")))
    for name, text in (
        ("extracted", verdict.extracted),
        ("expected", verdict.expected),
        ("detail", verdict.detail),
    ):
        if text:
            tree.add(literal(f"{name}: {_tail(text)}"))
    for part in verdict.parts:
        _describe(tree.add(literal(str(part))), part, None)


def _tail(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _SHOWN else "… " + text[-_SHOWN:]
