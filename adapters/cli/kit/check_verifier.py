"""``verify-cli check-verifier``: does a verifier keep the laws?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Annotated, Any

import typer

from reward_verifiers.verifiers import ConfigError

from ..console import DONE, ROWS_FAILED, failing_clearly, literal, stdout


def check_verifier(
    verifier: Annotated[str, typer.Argument(help="A verifier's name, or package.module:Class.")],
    cases: Annotated[
        list[Path] | None, typer.Option(help="Case files of the verifier to try as well.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Time limit for everything.", min=1.0)] = 120.0,
) -> None:
    """Test the laws that every verifier keeps: length and order, determinism, range, pickling, hostile texts.

    Runs in a process of its own that is ended when it takes too long. Exit status 1 if a law is broken.
    """
    with failing_clearly():
        console = stdout()
        broken = 0
        at = ""
        for line in _lines(verifier, cases or [], seconds):
            if "error" in line:
                raise ConfigError(line["error"])
            if "rows" in line:
                source = "of its cases" if line["own"] else "made up here; give its own with --cases"
                console.print(literal(f"{line['rows']} rows, {source}", "dim"))
            elif "law" in line:
                says = line["says"]
                at = line["law"]
            elif "text" in line:
                at = f"hostile texts ({line['text']})"
            elif "done" in line:
                broken += bool(line["problems"])
                mark, style = ("broken", "red") if line["problems"] else ("kept", "green")
                console.print(literal(f"{mark:7}{says}", style), soft_wrap=True)
                for problem in line["problems"]:
                    console.print(literal(f"       {problem}"), soft_wrap=True)
            elif "ended" in line:
                broken += 1
                console.print(literal(f"broken {at}: {line['ended']}", "red"), soft_wrap=True)
        console.print(literal(f"{broken} laws broken" if broken else "all laws kept"))
    raise typer.Exit(ROWS_FAILED if broken else DONE)


def _lines(verifier: str, cases: list[Path], seconds: float) -> Iterator[dict[str, Any]]:
    """What the process with the laws says, and how it ended if not by itself."""
    command = [
        sys.executable,
        "-m",
        "reward_verifiers.adapters.cli.kit.laws",
        verifier,
        *map(os.fspath, cases),
    ]
    with TemporaryFile() as out, TemporaryFile() as problems:
        try:
            done = subprocess.run(
                command, stdout=out, stderr=problems, timeout=seconds, check=False, env=_environment()
            )
            ended = "" if done.returncode == 0 else f"the process ended with status {done.returncode}"
        except subprocess.TimeoutExpired:
            ended = f"it did not end within {seconds:g} s"
        for line in _read(out):
            yield json.loads(line)
        if ended:
            said = _read(problems)
            yield {"ended": f"{ended}: {said[-1]}" if said else ended}


def _read(file: IO[bytes]) -> list[str]:
    file.seek(0)
    return [line for line in file.read().decode("utf-8", "replace").splitlines() if line.strip()]


def _environment() -> dict[str, str]:
    """With everything that can be imported here, so that the process finds the same modules."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(each or os.getcwd() for each in sys.path)}
