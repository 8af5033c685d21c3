"""From names to the classes that are registered under them.

A class is registered where it is defined, and nowhere else::

    @VERIFIERS.register
    @dataclass(frozen=True, repr=False)
    class ExactMatch(Verifier): ...

Names must be known before anything is imported (for messages, listings and ``from verifiers import X``), so
the sources of the package are searched for that line once; the module is imported when the name is asked for.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..errors import ConfigError, nearest
from ..runtime.packages import uncollected
from .component import Component

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

K = TypeVar("K", bound=Component)
M = TypeVar("M", bound=type[Component])
_REGISTERED = re.compile(rb"\n@(\w+)\.register\r?\n(?:@.*\n){0,20}class (\w+)")


class Registry(Generic[K]):
    """Components of one kind by their names: those of a package, of other distributions, of this process.

    Args:
        name: Name of the registry in the sources.
        base: Base of all its classes.
        package: The package whose sources are searched.
        entry_points: The entry-point group under which other distributions register theirs; None for none.
    """

    def __init__(self, name: str, base: type[K], package: str, entry_points: str | None = None) -> None:
        self.name = name
        self.base = base
        self.package = package
        self.entry_points = entry_points
        self._classes: dict[str, type[K]] = {}

    def register(self, kind: M) -> M:  # the class itself, whose own arguments type checkers are to see
        """Make a class known by its name; used as a decorator.

        Raises:
            ConfigError: It is not a class of this kind, or the package has another of that name.
        """
        found: Any = kind
        if not (isinstance(found, type) and issubclass(found, self.base)):
            raise ConfigError(f"{self.name} registers classes of {self.base.__name__}, got {kind!r:.80}")
        name = kind.__name__
        # The package's own classes are not asked for here: uncollected one must not search all sources.
        if not self._is_ours(kind) and name in self.homes():
            raise ConfigError(f"this library has a {self.noun} {name!r}; give yours another name")
        self._classes[name] = found
        return kind

    def _is_ours(self, kind: type) -> bool:
        return kind.__module__.startswith(f"{self.package}.")

    @property
    def noun(self) -> str:
        """Word for a member in messages."""
        return self.base.__name__.lower()

    def names(self) -> list[str]:
        """Every name, those of other distributions included; nothing is imported for it."""
        return sorted({*self.homes(), *self._plugins(), *self._classes})

    def homes(self) -> dict[str, str]:
        """The names of the package itself, with the modules that define them."""
        return _registered(self.package).get(self.name, {})

    def get(self, name: str) -> type[K]:
        """The class of that name.

        Raises:
            ConfigError: There is none, or another distribution's cannot be loaded.
        """
        if name not in self._classes and name in self.homes():
            uncollected(importlib.import_module, self.homes()[name])
        found: Any = self._classes.get(name)
        if found is None:
            if name not in self._plugins():
                raise ConfigError(f"there is no {self.noun} {name!r}{nearest(name, self.names())}")
            found = load_plugin(self._plugins()[name])
        if not (isinstance(found, type) and issubclass(found, self.base)):
            raise ConfigError(f"{name!r} is registered but is {found!r}, not a class of {self.base.__name__}")
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._classes or name in self.homes() or name in self._plugins()

    def _plugins(self) -> dict[str, EntryPoint]:
        return {} if self.entry_points is None else _plugins(self.entry_points)


def load_plugin(entry: EntryPoint) -> Any:
    """Load an object that another distribution registered.

    Raises:
        ConfigError: It cannot be loaded.
    """
    try:
        return entry.load()
    except Exception as error:
        raise ConfigError(f"the plug-in {entry.name!r} ({entry.value}) cannot be loaded: {error}") from error


@functools.cache
def _plugins(group: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in _entry_points().select(group=group)}


@functools.cache
def _entry_points() -> Any:  # EntryPoints, which had another name before Python 3.12
    """Those of every distribution, for all registries: the files of hundreds are read for it."""
    from importlib.metadata import entry_points  # it loads mail and sockets

    return entry_points()


@functools.cache
def _registered(package: str) -> dict[str, dict[str, str]]:
    """For each registry, the names that a package's sources register, with their modules."""
    found: dict[str, dict[str, str]] = {}
    for module, source in _sources(_folder(package), package):
        for registry, name in _REGISTERED.findall(source):
            found.setdefault(registry.decode(), {})[name.decode()] = module
    return found


def _folder(package: str) -> Traversable:
    """Return the place of a package's sources: a folder, or an archive."""
    folder = Path(importlib.import_module(package).__path__[0])
    if folder.is_dir():
        return folder
    from importlib.resources import files  # it loads archives of all kinds

    return files(package)


def _sources(folder: Traversable, package: str) -> Iterator[tuple[str, bytes]]:
    for each in os.scandir(folder) if isinstance(folder, Path) else folder.iterdir():
        if each.is_dir() and not each.name.startswith(("_", ".")):
            yield from _sources(folder / each.name, f"{package}.{each.name}")
        elif each.name.endswith(".py"):
            yield f"{package}.{each.name.removesuffix('.py')}", (folder / each.name).read_bytes()
