"""``verify-cli list``: every verifier with its fields and reasons."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer
from rich.table import Table

from verifiers import Verifier, verifier_names
from verifiers.core.component import Component
from verifiers.core.docstrings import arguments, sentence
from verifiers.core.registry import get_class

from .console import failing_clearly, literal, stdout


def list_verifiers(
    name: Annotated[str | None, typer.Argument(help="One verifier; all of them without it.")] = None,
) -> None:
    """List the verifiers, or show one with its fields and the reasons that it gives."""
    with failing_clearly():
        if name is None:
            table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
            table.add_column("verifier", no_wrap=True)
            table.add_column("what it judges")
            for each in verifier_names():
                table.add_row(each, literal(sentence(get_class(each))))
            stdout().print(table)
            stdout().print("verify-cli list NAME shows fields and reasons", style="dim")
            return
        kind = get_class(name)
        _show(name, kind)


def _show(name: str, kind: type[Component]) -> None:
    console = stdout()
    console.print(literal(f"{name}: {sentence(kind)}", "bold"))
    table = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
    explained = arguments(kind)
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
