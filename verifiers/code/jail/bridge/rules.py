"""Rules for crossing the bridge, and descriptions of objects and classes for the other side.

Its limits and names, and which questions a handle answers.
"""

from __future__ import annotations

import enum
import functools
import re
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MAX_OBJECTS = 10_000
"""Objects that one side holds for the other at a time."""
MAX_CLASSES = 1_000
MAX_NESTING = 100
"""Calls back and forth inside one another."""
MAX_REPLY = 64 << 20
"""Bytes of one message."""
MAX_STEPS = 2_000_000
"""Messages for one test; its time ends nearly every test before."""


class TestsError(BaseException):
    """The other side is gone, or a test cannot go on. No test may catch it."""

    __test__ = False  # pytest takes it for a test by its name


class UnfitError(Exception):
    """A value, or a message of the other side, that cannot be taken."""


COMPARISONS = {"__lt__": "lt", "__le__": "le", "__gt__": "gt", "__ge__": "ge"}
_OPERATORS = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or".split()
BINARY = frozenset(
    f"__{way}{name}__" for name in _OPERATORS for way in ("", "r", "i") if name != "divmod" or way != "i"
)
UNARY = frozenset(f"__{name}__" for name in "neg pos abs invert".split())
CONVERSIONS = frozenset(
    f"__{name}__"
    for name in "int float complex index round trunc floor ceil bool len bytes dir str repr format".split()
)
CONTAINERS = frozenset(f"__{name}__" for name in "getitem setitem delitem iter next reversed missing".split())
CONTEXTS = frozenset(f"__{name}__" for name in "enter exit aenter aexit".split())
CALLS = frozenset(f"__{name}__" for name in "call await aiter anext array".split())
FORWARDED = (
    BINARY | UNARY | CONVERSIONS | CONTAINERS | CONTEXTS | CALLS | COMPARISONS.keys()
    | {"__contains__", "__eq__", "__ne__", "__hash__"}
)  # fmt: skip
"""Special methods that a stand-in has where its object has them. Nothing else is asked by a special name:
libraries take such answers for facts about memory (``__array_interface__``) or let them decide
(``__array_function__``, ``__instancecheck__``)."""
READABLE = frozenset(
    f"__{name}__"
    for name in """
    name qualname doc module dict annotations wrapped defaults kwdefaults code slots version all
    match_args self func isabstractmethod type_params orig_class origin args members
    """.split()
)
"""Special attributes that only describe."""
PREDICATES = frozenset(
    name
    for kind in (str, bytes, set, float)
    for name in dir(kind)
    if name.startswith("is") or name in ("startswith", "endswith")
)
"""Methods with which plain data says yes or no to what a test expects: only plain data is believed."""

TYPES = {kind: name for name, kind in vars(types).items() if isinstance(kind, type) and name.endswith("Type")}
"""Types of Python's own that have no name among the built-in ones, such as that of None."""
_SPECIAL = re.compile(r"__\w+__")
_INSIDES = re.compile(r"(tb|f|gi|cr|ag|co|func)_")
CLOSED_KINDS = (types.ModuleType, types.FrameType, types.TracebackType, types.CodeType)
"""Objects of the tests that lead to everything else."""


def is_special(name: str) -> bool:
    """Return whether Python gives a meaning to a name."""
    return _SPECIAL.fullmatch(name) is not None


def is_public(name: str) -> bool:
    """Return whether a program may ask a tests' object for an attribute: none that leads to their code."""
    return not name.startswith("_") and not _INSIDES.match(name)


def by_path(module: str, name: str) -> Any:
    """Return the object of a name in a loaded module; None if there is none."""
    found: Any = sys.modules.get(module)
    for part in name.split(".") if name else ():
        found = getattr(found, part, None)
    return found


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
    """Return the nature of a value for the other side, in one word."""
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
    """Return whether a class is the program's or the tests', and not a library's."""
    return kind.__module__ in ("solution", "__main__")


@dataclass(frozen=True)
class Method:
    """A method of the object that was asked."""

    name: str


def describe(kind: type, refer: Callable[[type], Any], pack: Callable[[Any], Any]) -> dict[str, Any]:
    """A class for the other side."""
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
    """Return whether the author of an enumeration wrote a method: some are copied into it."""
    return method is not None and getattr(method, "__module__", "") != "enum"


def _hashing(ways: list[Any]) -> str:
    for way in ways:
        if "__hash__" in way:
            return "none" if way["__hash__"] is None else "own"
    return "id"


def function_kind(index: Any) -> type | None:
    """The type of a function that is described by its place."""
    return _FUNCTIONS[index] if isinstance(index, int) and 0 <= index < len(_FUNCTIONS) else None
