"""Whose code a module is: this library's, Python's, an installed distribution's, or the user's own."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

Owner = Literal["library", "standard", "installed", "own"]

LIBRARY = "reward-verifiers"
_ROOT = Path(__file__).resolve().parents[3]
_PACKAGES = {"reward_verifiers", "verifiers", "rewards", "adapters", "training"}
_INSTALLED = {"site-packages", "dist-packages"}
_SCRIPTS = {"__main__", "__mp_main__"}
SERVICES = frozenset(
    "socket socketserver http.client urllib.request ftplib smtplib imaplib poplib xmlrpc.client requests "
    "urllib3 httpx aiohttp websockets grpc openai anthropic litellm cohere mistralai together boto3".split()
)
"""Modules by which code asks another machine: Python's own, and the clients that judges are written with."""


def owner_of(module: str) -> Owner:
    """Whose code a module is. What is in no file, as in a notebook, is the user's own."""
    return _owner_of(module, str(file_of(module) or ""))


@functools.lru_cache(maxsize=4096)
def _owner_of(module: str, file: str) -> Owner:
    top = module.partition(".")[0]
    if top in _SCRIPTS:
        return "own"
    if top in _PACKAGES and file and Path(file).resolve().is_relative_to(_ROOT):
        return "library"
    if _INSTALLED & set(Path(file).parts):
        return "installed"
    if top in sys.stdlib_module_names:
        return "standard"
    return "own"


def file_of(module: str) -> Path | None:
    """The source, or compiled, file of a module, which is not imported for it."""
    loaded = sys.modules.get(module)
    if loaded is not None:
        file = getattr(loaded, "__file__", None)
        return Path(file) if isinstance(file, str) else None
    top, *below = module.split(".")
    if top == "reward_verifiers" and below:  # which is loaded, and knows where its parts are
        top = f"{top}.{below.pop(0)}"
    try:
        spec = importlib.util.find_spec(top)  # a top-level name is found without importing anything
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None:
        return None
    if not below:
        return Path(spec.origin) if spec.has_location and spec.origin else None
    for folder in spec.submodule_search_locations or ():
        base = Path(folder, *below)
        for found in (base.with_suffix(".py"), base / "__init__.py"):
            if found.is_file():
                return found
    return None


@functools.cache
def version_of(distribution: str) -> str:
    """The installed version of a distribution, or "absent"."""
    from importlib.metadata import PackageNotFoundError, version  # it loads mail and sockets

    try:
        return version(distribution)
    except PackageNotFoundError:
        return "absent"


def library_version() -> str:
    """The version of this library, installed or not."""
    found = version_of(LIBRARY)
    return found if found != "absent" else str(sys.modules["reward_verifiers.verifiers"].__version__)


def installed_as(module: str) -> str:
    """The distribution and version that a module comes from, as signatures show them: ``numpy:2.1.0``."""
    return _installed_as(module.partition(".")[0])


@functools.cache
def _installed_as(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, packages_distributions, version

    try:
        return f"{package}:{version(package)}"
    except PackageNotFoundError:
        [name, *_] = packages_distributions().get(package) or [package]
        return f"{name}:{version_of(name)}"


def sources_of(module: str) -> dict[str, str]:
    """A digest of the source of a module, and of each module of the user's own that it imports, by name.

    The text counts and not what is loaded: which of a module's names are reached cannot be told, and what
    they hold may change while it is used.
    """
    found: dict[str, str] = {}
    _collect(module, found)
    return found


def _collect(module: str, found: dict[str, str]) -> None:
    if module in found:
        return
    file = file_of(module)
    if file is None or owner_of(module) != "own":
        return
    try:
        source = file.read_bytes()
    except OSError:
        return
    found[module] = hashlib.blake2b(source, digest_size=16).hexdigest()
    if file.suffix == ".py":
        for name in _imported(module, source, is_package=file.name == "__init__.py"):
            _collect(name, found)


def _imported(module: str, source: bytes, *, is_package: bool) -> Iterator[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _prefixes(alias.name)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from _prefixes(base)
            for alias in node.names:
                yield f"{base}.{alias.name}" if base else alias.name


def _prefixes(name: str) -> Iterator[str]:
    parts = name.split(".") if name else []
    for end in range(1, len(parts) + 1):
        yield ".".join(parts[:end])
