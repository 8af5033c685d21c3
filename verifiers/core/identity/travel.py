"""How what no import path names goes to another process: as what it is, by cloudpickle.

The worker has no notebook, no closure and not the script that started it, so what is defined there travels by
value. Only a worker unpickles what was written here; nothing that comes back from one is ever unpickled.

Code takes its place along: cloudpickle replaces the name of the file from 3.1.3 on, and a fault has to lead
to the line where it arose.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import io
import linecache
import os
import pickle
import sys
import threading
from collections.abc import Iterator
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from ...errors import ConfigError

MAIN = ("__main__", "__mp_main__")
_LOCAL = threading.local()
_KEPT = 32
"""Different payloads that a worker keeps unpacked."""


def found_by_name(value: Any, module: str, name: str) -> bool:
    """Whether another process finds this very object by importing it."""
    if module not in sys.modules or not importable(module):
        return False
    found: Any = sys.modules[module]
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is value


@functools.lru_cache(maxsize=1024)
def importable(module: str) -> bool:
    """Whether another process can import a module: not the script that runs, nor what was made in it."""
    if module in MAIN:
        return False
    if getattr(sys.modules.get(module), "__file__", None):
        return True
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def packed(value: Any, what: str, reaches: tuple[str, ...] = ()) -> bytes:
    """An object by value.

    Args:
        value: A function, a class, or what holds some.
        what: What it is, for the message.
        reaches: What is known to be in the way, for the message.

    Raises:
        ConfigError: It holds what cannot travel: an open file, a socket, a lock.
    """
    import cloudpickle

    stream = io.BytesIO()
    outer = packing()
    _LOCAL.packing = True
    try:
        with _by_value(cloudpickle, sys.modules.values()):
            _pickler(cloudpickle)(stream).dump(value)
    except Exception as error:
        named = f"; {'; '.join(reaches)}" if reaches else ""
        raise ConfigError(
            f"{what} cannot go to another process ({error}){named}; open files, connections and locks inside "
            "the function, at its first call, or pass a path"
        ) from error
    finally:
        _LOCAL.packing = outer
    return stream.getvalue()


def packing() -> bool:
    """Whether this thread is in the middle of `packed`: what it meets goes into the same payload."""
    return bool(getattr(_LOCAL, "packing", False))


def unpacked(payload: bytes) -> Any:
    """What `packed` wrote; a worker unpacks it once."""
    return _unpacked(payload)


@functools.lru_cache(maxsize=_KEPT)
def _unpacked(payload: bytes) -> Any:
    return pickle.loads(payload)  # noqa: S301  (written by our parent)


class _Place(NamedTuple):
    """Where code was written.

    Args:
        file: As tracebacks name it.
        name: Of the function.
        qualified: The same with what it stands in.
        line: The first one.
        source: All lines of a file that only this process can read, such as a cell of a notebook.
    """

    file: str
    name: str
    qualified: str
    line: int
    source: list[str]


def _place_of(code: CodeType) -> _Place:
    file = code.co_filename
    source = [] if os.path.isabs(file) and os.path.isfile(file) else linecache.getlines(file)
    return _Place(file, code.co_name, code.co_qualname, code.co_firstlineno, source)


def _placed(place: _Place, make: Any, parts: tuple[Any, ...]) -> CodeType:
    """Code that travelled, at the place where it was written."""
    if place.source:
        size = sum(map(len, place.source))
        linecache.cache[place.file] = (size, None, place.source, place.file)
    made: CodeType = make(*parts)
    return made.replace(
        co_filename=place.file,
        co_name=place.name,
        co_qualname=place.qualified,
        co_firstlineno=place.line,
    )


def _pickler(cloudpickle: ModuleType) -> Any:
    class Pickler(cloudpickle.Pickler):  # type: ignore[misc, name-defined]
        def reducer_override(self, obj: Any) -> Any:
            if isinstance(obj, CodeType):  # each function's, and that of each function inside it
                return _placed, (_place_of(obj), *self.dispatch_table[CodeType](obj))
            if isinstance(obj, io.IOBase) and not isinstance(obj, io.BytesIO | io.StringIO):
                # cloudpickle would send what the file holds now, and the child would read a copy.
                raise pickle.PicklingError("an open file")
            return super().reducer_override(obj)

    return Pickler


@contextlib.contextmanager
def _by_value(cloudpickle: ModuleType, modules: Any) -> Iterator[None]:
    """Take along what stands in modules that were made while the program ran, and that no file holds."""
    made = [
        module
        for module in list(modules)
        if isinstance(module, ModuleType)
        and getattr(module, "__spec__", None) is None
        and getattr(module, "__file__", None) is None
        and module.__name__ not in MAIN
        and sys.modules.get(module.__name__) is module
    ]
    known = cloudpickle.list_registry_pickle_by_value()
    # By name: one module may be loaded under two (pyexpat.model, xml.parsers.expat.model).
    new = {module.__name__: module for module in made if module.__name__ not in known}.values()
    for module in new:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in new:
            cloudpickle.unregister_pickle_by_value(module)
