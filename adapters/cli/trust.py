"""``verify-cli trust``: how often a reward is wrong, from rollouts, agreement and a few labels."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from reward_verifiers.adapters.certify.trust.trusting import ASKED, Trust, rollouts_of
from reward_verifiers.adapters.certify.trust.trusting import trust as trusted
from reward_verifiers.rewards import load_recipe

from .console import failing_clearly, literal, stdout


def trust(
    files: Annotated[list[str], typer.Argument(help="Files of rollouts: completions with references.")],
    recipe: Annotated[
        str | None,
        typer.Option("--recipe", "-r", help="The reward (default: a scored file's own, or one that fits)."),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(help="A column with labels of some rows (true, false); null elsewhere."),
    ] = None,
    group_field: Annotated[
        str | None,
        typer.Option(help="The column that the completions of one question share (default: the question)."),
    ] = None,
    completion_field: Annotated[str | None, typer.Option(help="The column with the completions.")] = None,
    reference_field: Annotated[str | None, typer.Option(help="The column with the references.")] = None,
    ask: Annotated[int, typer.Option(help="Number of rows to ask labels for.", min=0)] = ASKED,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Estimate how often a reward accepts wrong rows and rejects right ones, and which references are wrong.

    Label the rows that it names in a column, and call it again with --labels: the intervals rest on these.
    """
    with failing_clearly():
        reward = None if recipe is None else load_recipe(recipe)
        rollouts = rollouts_of(files, reward, labels, group_field, completion_field, reference_field)
        found = trusted(rollouts, ask)
        if as_json:
            typer.echo(json.dumps(found.to_dict(), ensure_ascii=True, default=str))
        else:
            _print(found)


def _print(found: Trust) -> None:
    console = stdout()
    console.print(literal(f"{found.rows:,} rows, {found.paid:,} paid, {found.labels:,} labelled", "bold"))
    for name, rate in (("paid and wrong", found.wrong_payments), ("refused and right", found.wrong_refusals)):
        console.print(
            literal(f"{name:18} {rate.value:6.1%} of all rows, from {rate.low:.1%} to {rate.high:.1%}")
        )
    if not found.labels:
        console.print(
            literal("without labels this is what verifiers that may err together agree on", "yellow")
        )
    for name, share in found.witnesses.items():
        console.print(literal(f"  {name:18} agrees in {share:.1%}", "dim"))
    if found.gradient is not None:
        agreement, turned = found.gradient["agreement"], found.gradient["turned"]
        console.print(
            literal(f"GRPO: advantages agree by {agreement:.2f}; {turned:.1%} of them have the other sign")
        )
    for each in found.wrong_references[:10]:
        others = f"{each.said_by} of {each.rows} say {each.answer!r:.40}"
        console.print(literal(f"likely wrong  row {each.row + 1}: {each.reference!r:.40}, but {others}"))
    if found.ask:
        rows = ", ".join(str(place + 1) for place in found.ask)
        console.print(literal(f"label these rows next: {rows}"), soft_wrap=True)
