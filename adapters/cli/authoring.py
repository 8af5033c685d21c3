"""``verify-cli new``, ``test`` and ``check-verifier``, for people who write verifiers.

A new package installs and its tests pass; case files are run; the laws are tried on a verifier.
"""

from __future__ import annotations

import importlib.machinery
import json
import keyword
import os
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Annotated, Any

import typer

from reward_verifiers.verifiers import ConfigError, verifier_names

from ..cases.case_rows import case_files, importing_from, judge_of, read_cases, run_case
from .console import DONE, ROWS_FAILED, failing_clearly, literal, stdout

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+")


def new(
    name: Annotated[str, typer.Argument(help="Name of the verifier, such as SqlEquivalence.")],
    folder: Annotated[
        Path | None, typer.Option(help="Where to put the package; the name in snake_case by default.")
    ] = None,
) -> None:
    """Write a package with a verifier, its cases and its tests."""
    with failing_clearly():
        words = _words(name)
        made = folder or Path("-".join(words))
        if made.exists() and any(made.iterdir() if made.is_dir() else [made]):
            raise ConfigError(f"{made} exists; give another place with --folder")
        texts = {
            "package": "_".join(words),
            "project": "-".join(words),
            "verifier": "".join(word.capitalize() if word.islower() else word for word in words_of(name)),
        }
        if texts["verifier"] in verifier_names():
            raise ConfigError(f"there is a verifier {texts['verifier']} already; give yours another name")
        _check_free(texts["package"])
        written = sorted(_write(files(__package__) / "template", made, texts))
        console = stdout()
        for each in written:
            console.print(literal(str(each)))
        console.print(literal(f"\nNow:\n  cd {made}\n  pip install -e .\n  verify-cli test cases\n  pytest"))


def words_of(name: str) -> list[str]:
    """Split a name in any usual spelling into words.

    >>> words_of("SQLResult"), words_of("sql-result"), words_of("even")
    (['SQL', 'Result'], ['sql', 'result'], ['even'])
    """
    return _WORD.findall(name)


def _words(name: str) -> list[str]:
    words = [word.lower() for word in words_of(name)]
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", name) or not words or keyword.iskeyword("_".join(words)):
        raise ConfigError(
            f"a verifier's name is made of letters and digits, such as SqlEquivalence; got {name!r}"
        )
    return words


def _check_free(package: str) -> None:
    """Refuse a package that another one shadows, or that would shadow another one.

    Raises:
        ConfigError: The standard library, or what is installed, has a module of that name.
    """
    cure = f"give yours another name, such as My{package.title().replace('_', '')}"
    if package in sys.stdlib_module_names:
        raise ConfigError(f"Python's standard library has a module {package!r}; {cure}")
    # What can be imported from here only because it lies here is no package that is installed.
    here = {str(Path.cwd()), ""}
    found = importlib.machinery.PathFinder.find_spec(package, [each for each in sys.path if each not in here])
    if found is not None:
        raise ConfigError(f"there is an installed package {package!r} already; {cure}")


def _write(source: Traversable, target: Path, texts: dict[str, str]) -> list[Path]:
    """Copy a folder of templates; ``$package`` and the like are replaced in names and contents."""
    written = []
    for each in source.iterdir():
        place = target / string.Template(each.name.removesuffix(".tmpl")).substitute(texts)
        if each.is_dir():
            if each.name != "__pycache__":
                written += _write(each, place, texts)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(
            string.Template(each.read_text(encoding="utf-8")).substitute(texts), encoding="utf-8"
        )
        written.append(place)
    return written


_SHOWN = 50


def run_cases(
    path: Annotated[Path, typer.Argument(help="A case file, or a folder of them.")],
    verifier: Annotated[
        str | None,
        typer.Option(help="The verifier for rows without one: a name or package.module:name."),
    ] = None,
    recipe: Annotated[
        str | None, typer.Option("--recipe", "-r", help="A recipe or preset to test instead.")
    ] = None,
) -> None:
    """Run case files: every row against its verifier or reward.

    Without --verifier or --recipe, the file's name or a row's 'spec' names the verifier. Modules of the
    current folder can be named. Exit status 1 if a row differs.
    """
    with failing_clearly(), importing_from(Path.cwd()):
        if verifier is not None and recipe is not None:
            raise ConfigError("give --verifier or --recipe, not both")
        named = verifier or recipe
        judge = None if named is None else judge_of(named)
        console = stdout()
        failed = total = 0
        for file in case_files(path):
            for case in read_cases(file):
                outcome = run_case(case, judge)
                total += 1
                failed += not outcome.passed
                if not outcome.passed and failed <= _SHOWN:
                    console.print(literal(outcome.describe()), soft_wrap=True)
        if not total:
            raise ConfigError(f"{path} holds no case")
        if failed > _SHOWN:
            console.print(literal(f"... and {failed - _SHOWN} more"))
        said = f"{total} cases, {failed} differ" if failed else f"{total} cases, all as expected"
        console.print(literal(said, "red" if failed else "green"))
    raise typer.Exit(ROWS_FAILED if failed else DONE)


def check_verifier(
    verifier: Annotated[str, typer.Argument(help="A verifier's name, or package.module:Class.")],
    cases: Annotated[
        list[Path] | None, typer.Option(help="Case files of the verifier to try as well.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Time limit for everything.", min=1.0)] = 120.0,
) -> None:
    """Test the laws that every verifier keeps: length and order, determinism, range, pickling, hostile texts.

    It runs in its own process, which is killed if it takes too long. Exit status 1 if a law is broken.
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
    """Yield the messages of the process with the laws, and how it ended if not by itself."""
    command = [
        sys.executable,
        "-m",
        "reward_verifiers.adapters.cli.verifier_laws",
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
    """Return an environment with this process's import paths, so that the child finds the same modules."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(each or os.getcwd() for each in sys.path)}
