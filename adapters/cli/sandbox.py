"""``verify-cli sandbox``: how programs are isolated here, and what hostile ones achieve."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from reward_verifiers.adapters.files.scored_output import RunError
from reward_verifiers.verifiers import CodePassRate, ConfigError, SandboxError
from reward_verifiers.verifiers.code.engine.isolation_tiers import CHOICES, TIERS, choose, tier
from reward_verifiers.verifiers.code.engine.languages import LANGUAGES, toolchain

from .about.attacked_host import MODES, Assault, assault, host
from .console import DONE, ROWS_FAILED, failing_clearly, literal, stderr, stdout


def sandbox(
    attacks: Annotated[
        Path | None, typer.Option(help="Also run every program of this folder and report what it achieved.")
    ] = None,
    isolation: Annotated[str, typer.Option(help=f"One of: {', '.join(CHOICES)}.")] = "auto",
    timeout: Annotated[float, typer.Option(help="Processor seconds of each test of an attack.")] = 1.0,
) -> None:
    """Show which isolation works here and what stops each canary; run attacks on request.

    Exit status 1 if programs cannot be isolated, or an attack succeeds.
    """
    with failing_clearly():
        console = stdout()
        for name in TIERS:
            found = tier(name) if isolation in ("auto", name) else None
            if found is None:
                continue
            facts = found.facts
            said = f"works; Landlock ABI {facts.get('landlock')}, programs run as user {facts.get('uid')}"
            console.print(literal(f"{name}: {found.failed or said}", "red" if found.failed else "bold"))
            table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 2))
            for what, by in found.stopped.items():
                table.add_row(literal(f"cannot {what}"), literal(by, "dim"))
            console.print(table)
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 2))
        for language in LANGUAGES:
            chain = toolchain(language)
            version = (chain.version.splitlines() or [chain.executable])[0]
            table.add_row(literal(language), literal(chain.missing or version, "dim"))
        console.print("languages", style="bold")
        console.print(table)
        try:
            chosen = choose(isolation)
        except SandboxError as error:
            raise RunError(str(error)) from None
        console.print(literal(f"isolation={isolation!r} gives {chosen!r}", "bold"))
        repelled = attacks is None or _attacked(
            attacks, CodePassRate(isolation=isolation, timeout=timeout, memory=256)
        )
    raise typer.Exit(DONE if repelled else ROWS_FAILED)


def _attacked(folder: Path, verifier: CodePassRate) -> bool:
    """Run every attack in every mode; whether none of them achieved anything."""
    programs = sorted(folder.glob("*.py"))
    if not programs:
        raise ConfigError(f"{folder} holds no attacks: programs named *.py")
    failed: list[Assault] = []
    with host() as attacked:
        verifier.verify(
            "```python\nprint(1)\n```", {"stdio": [{"output": "1"}]}
        )  # launchers are there from now on
        for number, program in enumerate(programs, 1):
            stderr().print(literal(f"{number}/{len(programs)} {program.stem}", "dim"))
            failed += [each for each in assault(program, verifier, attacked) if not each.repelled]
    for each in failed:
        paid = each.verdict.score if each.verdict.score is not None else each.verdict.status
        harm = "; ".join(each.harm) or ("nothing" if each.healthy else "the next program was not paid")
        stdout().print(literal(f"{each.name} ({each.mode}): paid {paid}, harmed: {harm}", "red"))
    count = len(programs) * len(MODES)
    said = f"{count - len(failed)} of {count} attacks repelled: nothing paid, harmed or left behind"
    stdout().print(literal(said, "bold"))
    return not failed
