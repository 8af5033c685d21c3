"""Objects and classes as they are described to the other side."""

from __future__ import annotations

import enum
import functools
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .rules import FORWARDED

_CORES = (bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset, bytearray)
_ENUMS = (enum.IntFlag, enum.Flag, enum.IntEnum, enum.StrEnum, enum.Enum)
_FUNCTIONS: tuple[type, ...] = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodWrapperType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    functools.partial,
)
_MAX_MEMBERS = 1000


def nature(value: Any) -> str:
    """What a value is to the other side, in one word."""
    kind = type(value)
    if issubclass(kind, type):
        return "class"
    if issubclass(kind, BaseException):
        return "error"
    if kind in _FUNCTIONS:
        return "function"
    if kind is types.GeneratorType:
        return "generator"
    if kind is types.AsyncGeneratorType:
        return "async generator"
    if hasattr(kind, "__await__") and not made_here(kind):
        return "awaitable"
    if hasattr(kind, "__next__") and not made_here(kind) and all(name.startswith("_") for name in dir(kind)):
        return "iterator"
    return "instance"


def made_here(kind: type) -> bool:
    """Whether a class is the program's, or the tests', and not a library's."""
    return kind.__module__ in ("solution", "__main__")


@dataclass(frozen=True)
class Method:
    """A method of the object that was asked."""

    name: str


def describe(kind: type, refer: Callable[[type], Any], pack: Callable[[Any], Any]) -> dict[str, Any]:
    """A class for the other side.

    Args:
        kind: The class.
        refer: Writes a class.
        pack: Writes a value.
    """
    ways = [each.__dict__ for each in kind.__mro__ if each is not object]
    core = next((each for each in _CORES if issubclass(kind, each)), None)
    made: dict[str, Any] = {
        "n": str(kind.__name__),
        "q": str(kind.__qualname__),
        "m": str(kind.__module__),
        "b": [refer(each) for each in kind.__bases__ if made_here(each) or issubclass(each, BaseException)],
        "d": [name for name in sorted(FORWARDED) if any(name in way for way in ways)],
        "h": _hashing(ways),
        "l": [[each.__module__, each.__qualname__] for each in kind.__mro__[:-1] if not made_here(each)],
    }
    if core is not None:
        made["core"] = core.__name__
    if kind in _FUNCTIONS:
        made["f"] = _FUNCTIONS.index(kind)
    if "__dataclass_fields__" in kind.__dict__:
        made["dc"] = [[str(name), str(field.type)] for name, field in kind.__dataclass_fields__.items()]  # type: ignore[attr-defined]
    base = next((each for each in _ENUMS if issubclass(kind, each)), None)
    if base is not None:
        members = list(kind.__members__.items())[:_MAX_MEMBERS]  # type: ignore[attr-defined]
        own = [each.__dict__ for each in kind.__mro__ if made_here(each)]
        made["ed"] = [name for name in sorted(FORWARDED) if any(_written_here(way.get(name)) for way in own)]
        made["enum"] = [base.__name__, [[name, pack(member.value)] for name, member in members]]
    return made


def plain_core(value: Any, kind: type) -> list[Any] | None:
    """In a box, the plain value that an instance of a subclass of a plain type holds."""
    core: Any = next((each for each in _CORES if issubclass(kind, each)), None)
    if core is None or kind is core:
        return None
    if core in (bool, int):
        return [int.__int__(value)]
    if core is str:
        return [str.__str__(value)]
    if core is float:
        return [float.__float__(value)]
    if core is complex:
        return [complex.__add__(value, 0j)]
    return [core(core.items(value) if core is dict else core.__iter__(value))]


def _written_here(method: Any) -> bool:
    """Whether the author of an enumeration wrote a method: some are copied into it."""
    return method is not None and getattr(method, "__module__", "") != "enum"


def _hashing(ways: list[Any]) -> str:
    for way in ways:
        if "__hash__" in way:
            return "none" if way["__hash__"] is None else "own"
    return "id"


def function_kind(index: Any) -> type | None:
    """The type of a function that is described by its place."""
    return _FUNCTIONS[index] if isinstance(index, int) and 0 <= index < len(_FUNCTIONS) else None
