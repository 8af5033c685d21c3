"""``verify-cli new``: a package with a verifier of one's own, that installs and whose tests pass."""

from __future__ import annotations

import importlib.machinery
import keyword
import re
import string
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from reward_verifiers.verifiers import ConfigError, verifier_names

from ..console import failing_clearly, literal, stdout

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
    """The words of a name in any of the usual ways to write one.

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
