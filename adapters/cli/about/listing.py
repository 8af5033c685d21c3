"""``verify-cli list``: every verifier with its fields and reasons."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer
from rich.table import Table

from verifiers.core import EXTRACTORS, VERIFIERS, Component, Verifier, arguments_of, find_class, sentence_of

from ..console import failing_clearly, literal, stdout


def list_verifiers(
    name: Annotated[str | None, typer.Argument(help="One verifier; all of them without it.")] = None,
) -> None:
    """List the verifiers, or show one with its fields and the reasons that it gives."""
    with failing_clearly():
        if name is None:
            table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
            table.add_column("verifier", no_wrap=True)
            table.add_column("what it judges")
            for each in VERIFIERS.names():
                table.add_row(each, literal(sentence_of(VERIFIERS.get(each))))
            stdout().print(table)
            stdout().print("verify-cli list NAME shows fields and reasons", style="dim")
            return
        kind = find_class(name, VERIFIERS, EXTRACTORS)
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
