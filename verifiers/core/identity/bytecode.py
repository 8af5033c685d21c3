"""What code reaches, by its instructions."""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Iterator


def closure(function: types.FunctionType) -> Iterator[tuple[str, types.CellType]]:
    """The names that a function closes over, with what they hold."""
    return zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)


@functools.lru_cache(maxsize=4096)
def names_reached(code: types.CodeType) -> tuple[str, ...]:
    """The globals that code reads, that of the functions inside it included."""
    found = {str(each.argval): None for each in dis.get_instructions(code)
             if each.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")}  # fmt: skip
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= dict.fromkeys(names_reached(inner))
    return tuple(found)


@functools.lru_cache(maxsize=4096)
def imports_of(code: types.CodeType) -> tuple[str, ...]:
    """The modules that code imports when it runs."""
    found = {str(each.argval): None for each in dis.get_instructions(code) if each.opname == "IMPORT_NAME"}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= dict.fromkeys(imports_of(inner))
    return tuple(found)


@functools.lru_cache(maxsize=4096)
def names_used(code: types.CodeType) -> tuple[str, ...]:
    """The names that code uses of anything, that of the functions inside it included."""
    found = dict.fromkeys(code.co_names)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            found |= dict.fromkeys(names_used(inner))
    return tuple(found)
