"""``verify-train sample``, ``eval`` and ``rank``: a model's completions, accuracy and likelihoods."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from reward_verifiers.adapters.cli.console import failing_clearly, literal, stdout
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core import nearest

from ..data import Row
from ..environment import say
from ..generation import TransformersBackend
from ..generation.likelihood import Likelihood, likelihoods
from ..models.model_loading import load_model
from ..run.accuracy_measures import answer, measure, measuring_sampling, pass_and_majority
from ..run.run_inputs import backend_of, prepare, sampling_of
from ..run.sampled_rows import json_line, sample_rows
from .shared_options import Config, Heldout, OfStage, Overrides, Server, begun, rows_of

WINDOW = 64
"""Rows whose candidates are measured together, and then written."""


def rank(
    config: Config,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Rows as JSON Lines, with the column ranked.")
    ],
    overrides: Overrides = None,
    candidates: Annotated[
        str, typer.Option(help="The column with a row's candidates, a list of texts.")
    ] = "candidates",
    gold: Annotated[
        str | None, typer.Option(help="Column with the right candidate, to count how often it comes first.")
    ] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="Rank candidates by themselves, without the prompt.")
    ] = False,
    stage: OfStage = "grpo",
) -> None:
    """Rank each row's candidates by the model's perplexity, the likeliest first."""
    with failing_clearly():
        own = begun(config, overrides, stage, output=output)
        prepared = prepare(own, needs_reward=False)
        rows = [*prepared.train, *prepared.heldout]
        given = [_candidates(row, candidates, number) for number, row in enumerate(rows)]
        backend = TransformersBackend(
            load_model(own.model, prepared.place),
            prepared.tokenizer,
            own.sample.batch_size,
            own.model.chat_template_kwargs,
        )
        found = _ranked_rows(backend, rows, given, alone)
        places = _written(found, output, gold)
        _print_ranks(places, given, gold)


def _candidates(row: Mapping[str, Any], column: str, number: int) -> list[str]:
    """Return a row's candidates.

    Raises:
        ConfigError: It has none, or they are no texts.
    """
    if column not in row:
        raise ConfigError(
            f"row {number} has no column {column!r}{nearest(column, row)}; name it with --candidates"
        )
    found = row[column]
    if not isinstance(found, list) or not found or not all(isinstance(each, str) for each in found):
        raise ConfigError(f"row {number}: {column} must be a list of texts, got {found!r:.80}")
    return found


def _ranked_rows(
    backend: TransformersBackend, rows: Sequence[Row], given: Sequence[list[str]], alone: bool
) -> Iterator[Row]:
    for start in range(0, len(rows), WINDOW):
        part = range(start, min(start + WINDOW, len(rows)))
        prompts = {at: [] if alone else backend.encode(rows[at]["prompt"], at) for at in part}
        texts = [(prompts[at], text) for at in part for text in given[at]]
        measured = likelihoods(backend.model, backend.tokenizer, texts, batch_size=backend.batch_size)
        for at in part:
            own = [(text, next(measured)) for text in given[at]]
            # Of equals the first; what could not be measured comes last.
            own.sort(key=lambda each: (each[1] is None, each[1].perplexity if each[1] else 0.0))
            yield {**rows[at], "ranked": [_entry(text, each) for text, each in own]}


def _entry(text: str, found: Likelihood | None) -> dict[str, Any]:
    if found is None:
        return {"text": text, "perplexity": None, "log_likelihood": None, "tokens": None}
    return {
        "text": text,
        "perplexity": found.perplexity,
        "log_likelihood": found.total,
        "tokens": found.tokens,
    }


def _written(rows: Iterable[Row], output: str, gold: str | None) -> list[int | None]:
    """Write rows; of each the place of the right candidate, None where it has none."""
    places: list[int | None] = []
    with open(output, "w", encoding="utf-8", errors="backslashreplace") as file:
        for row in rows:
            file.write(json_line(row))
            texts = [each["text"] for each in row["ranked"] if each["perplexity"] is not None]
            right = None if gold is None else row.get(gold)
            places.append(texts.index(right) if right in texts else None)
    return places


def _print_ranks(places: Sequence[int | None], given: Sequence[list[str]], gold: str | None) -> None:
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_row("rows", f"{len(given):,}", "")
    table.add_row("candidates", f"{sum(map(len, given)):,}", "")
    if gold is not None:
        known = [at for at, place in enumerate(places) if place is not None]
        first = sum(places[at] == 0 for at in known)
        chance = statistics.fmean(1 / len(given[at]) for at in known) if known else 0.0
        table.add_row("right one first", f"{first:,} of {len(known):,}", f"by chance {chance:.1%}")
        if len(known) < len(given):
            table.add_row(
                "left out",
                f"{len(given) - len(known):,}",
                literal(f"rows whose {gold} is no measured candidate"),
            )
    stdout().print(table)


def sample(
    config: Config,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Scored JSON Lines; an interrupted run continues.")
    ],
    overrides: Overrides = None,
    k: Annotated[int | None, typer.Option(help="Number of completions per prompt.", min=1)] = None,
    heldout: Heldout = False,
    server: Server = None,
    stage: OfStage = "grpo",
) -> None:
    """Sample K completions of each prompt and score them, as lines for verify-cli groups and select."""
    with failing_clearly():
        own = begun(config, overrides, stage, server, output)
        prepared = prepare(own, needs_reward=True)
        rows = rows_of(prepared, heldout)
        found = sample_rows(backend_of(own, prepared), rows, prepared, sampling_of(own, k), Path(output), say)
        for _ in found:
            pass


def evaluate(
    config: Config,
    overrides: Overrides = None,
    model: Annotated[
        str | None,
        typer.Option(help="Model to measure (default: the run's saved model, else its base model)."),
    ] = None,
    k: Annotated[
        int,
        typer.Option(help="Number of samples besides the greedy answer, for pass@k and majority@k.", min=0),
    ] = 0,
    output: Annotated[str | None, typer.Option("--output", "-o", help="The figures as JSON.")] = None,
    server: Server = None,
    stage: OfStage = "grpo",
) -> None:
    """Measure a model on the held-out rows: greedy accuracy, and with --k pass@k and majority@k."""
    with failing_clearly():
        own = begun(config, overrides, stage, server, output, model, left=True)
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
        _print_accuracy(found, prepared.outcome)


def _print_accuracy(found: dict[str, Any], outcome: str) -> None:
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
