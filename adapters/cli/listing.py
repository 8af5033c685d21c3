"""``verify-cli list`` and ``completion``: every verifier, its fields and reasons; shell completion."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, Literal

import typer
from rich.table import Table
from typer import completion as scripts

from reward_verifiers.rewards.tree.reward import NODES, REWARDS
from reward_verifiers.rewards.tree.schedules import SCHEDULES
from reward_verifiers.rewards.tree.splits import SPLITTERS
from reward_verifiers.verifiers.core import (
    EXTRACTORS,
    VERIFIERS,
    Component,
    Registry,
    Verifier,
    arguments_of,
    find_class,
    sentence_of,
)

from .console import failing_clearly, literal, stdout

_LISTED: dict[str, tuple[str, Registry[Any]]] = {
    "verifier": ("what it judges", VERIFIERS),
    "extractor": ("where it looks for the answer", EXTRACTORS),
    "reward": ("what it pays, in a recipe by its name", REWARDS),
    "node": ("what it makes of rewards, in a recipe by a key of its own", NODES),
    "schedule": ("how it moves over training", SCHEDULES),
    "splitter": ("how it takes an answer apart", SPLITTERS),
}
"""What can be named, by what it is called."""


def list_verifiers(
    name: Annotated[str | None, typer.Argument(help="Name of one (default: list all).")] = None,
) -> None:
    """List verifiers, extractors, rewards and schedules, or show one with its fields and reasons."""
    with failing_clearly():
        if name is None:
            for noun, (said, registry) in _LISTED.items():
                table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
                table.add_column(noun, no_wrap=True)
                table.add_column(said)
                for each in registry.names():
                    table.add_row(each, literal(sentence_of(registry.get(each))))
                stdout().print(table)
                stdout().print()
            stdout().print("verify-cli list NAME shows fields and reasons", style="dim")
            return
        kind = find_class(name, *(registry for _, registry in _LISTED.values()))
        _show(name, kind)


def _show(name: str, kind: type[Component]) -> None:
    console = stdout()
    console.print(literal(f"{name}: {sentence_of(kind)}", "bold"))
    table = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
    explained = arguments_of(kind)
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]  # components are dataclasses
        default = "required" if field.default is dataclasses.MISSING else repr(field.default)
        table.add_row(
            literal(f"{field.name}: {field.type}"), literal(default), literal(explained.get(field.name, ""))
        )
    console.print("fields", style="dim")
    console.print(table)
    if issubclass(kind, Verifier):
        reasons = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
        for reason, meaning in kind.all_reasons().items():
            reasons.add_row(reason, literal(meaning))
        console.print("reasons", style="dim")
        console.print(reasons)


PROGRAM = "verify-cli"


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(help="The shell.")],
) -> None:
    """Print a script for Tab completion; `verify-cli --install-completion` puts it where this shell reads it.

    For example: source <(verify-cli completion bash), or verify-cli completion fish | source.
    """
    variable = f"_{PROGRAM}_COMPLETE".replace("-", "_").upper()
    typer.echo(scripts.get_completion_script(prog_name=PROGRAM, complete_var=variable, shell=shell))  # type: ignore[attr-defined]
