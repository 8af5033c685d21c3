"""Limits and names of the bridge: what may cross it, and which questions a handle answers."""

from __future__ import annotations

import re
import sys
import types
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
    """Whether Python gives a meaning to a name."""
    return _SPECIAL.fullmatch(name) is not None


def is_public(name: str) -> bool:
    """Whether a program may ask an object of the tests for an attribute: none that leads to their code."""
    return not name.startswith("_") and not _INSIDES.match(name)


def by_path(module: str, name: str) -> Any:
    """What a loaded module calls so; None if it calls nothing so."""
    found: Any = sys.modules.get(module)
    for part in name.split(".") if name else ():
        found = getattr(found, part, None)
    return found
