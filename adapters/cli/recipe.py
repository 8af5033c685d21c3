"""``verify-cli recipe``: presets, checks, and the schema of recipe files."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.table import Table

from reward_verifiers.rewards import Reward, preset_names
from reward_verifiers.rewards.recipe import preset_path, read_recipe
from reward_verifiers.rewards.recipe.schema import recipe_schema
from reward_verifiers.rewards.tree.payment import SET_UP

from .console import USAGE, failing_clearly, literal, say, stdout

app = typer.Typer(no_args_is_help=True, help="Recipes: rewards as files.")

Recipe = Annotated[str, typer.Argument(help="A preset, a recipe file, or a verifier's name.")]


@app.command("list")
def list_presets() -> None:
    """List the presets."""
    with failing_clearly():
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        table.add_column("preset", no_wrap=True)
        table.add_column("what it pays")
        for name in preset_names():
            table.add_row(name, literal(read_recipe(name)[1]))
        stdout().print(table)


@app.command()
def show(name: Annotated[str, typer.Argument(help="A preset.")]) -> None:
    """Print a preset's file, for you to change and keep."""
    with failing_clearly():
        typer.echo(preset_path(name).read_text(encoding="utf-8"), nl=False)


def lacking(reward: Reward) -> list[str]:
    """Return the missing needs of parts that can judge nothing, such as a package or a judge.

    A probe says so. Verifiers that ask a server or load a model are not tried: that could take minutes.
    """
    found = []
    for verifier in reward.verifiers():
        if getattr(verifier, "url", None) or getattr(verifier, "model", None):
            continue
        verdict = verifier.verify("1", "1" if verifier.needs_reference else None)
        if verdict.reason in SET_UP:
            meant = verifier.reasons.get(verdict.reason, verdict.reason.replace("_", " "))
            found.append(f"{verdict.verifier} can judge nothing, as {meant}: {verdict.detail}")
    return found


@app.command()
def check(recipe: Recipe) -> None:
    """Check a recipe and print its reward, parts and columns.

    Exit status: 0, or 2 if it cannot be read or can judge nothing here.
    """
    with failing_clearly():
        reward, description = read_recipe(recipe)
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
        if description:
            table.add_row("pays", literal(description))
        table.add_row("reward", literal(reward.describe()))
        table.add_row("parts", literal(", ".join(reward.part_names())))
        groups = ["the prompts' groups"] if reward.needs_groups else []
        table.add_row("columns", literal(", ".join(["completion", *reward.columns(), *groups])))
        start, end = reward.schedules(0.0), reward.schedules(1.0)
        for name in start:
            table.add_row("schedule", literal(f"{name}: {start[name]:g} to {end[name]:g}"))
        table.add_row("signature", literal(reward.signature()))
        stdout().print(table)
        missing = lacking(reward)
        for said in missing:
            say(f"error: {said}")
    if missing:
        raise typer.Exit(USAGE)


@app.command()
def schema() -> None:
    """Print the JSON Schema of recipe files.

    An editor with a YAML language server reads it from the first line of a recipe:
    # yaml-language-server: $schema=recipe.schema.json
    """
    with failing_clearly():
        typer.echo(json.dumps(recipe_schema(), indent=2, ensure_ascii=False))
