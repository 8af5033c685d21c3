"""Every compiled pattern of the packages, found by importing them and reading how they are used."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import inspect
import itertools
import re
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from verifiers.language.language_patterns import fragments
from verifiers.language.recognised import tables
from verifiers.language.spoken_languages import LANGUAGES, Language
from verifiers.language.spoken_languages.word_table import Table

from .uses import ALL_USES, COMPILED, PACKAGES, USES, makes_patterns, modules, tree_of, uses


class Found(NamedTuple):
    """A pattern.

    Args:
        name: Where it was found.
        pattern: It.
        uses: How it is used: `search`, `match`, `fullmatch`.
    """

    name: str
    pattern: Any
    uses: frozenset[str]


def _inside(value: Any, name: str, seen: set[int], own: str) -> Iterator[tuple[str, Any]]:
    """The patterns and the makers of patterns in a value, each with its place."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, COMPILED) or makes_patterns(value):
        seen.discard(id(value))  # its name in each place is worth knowing
        yield name, value
        return
    for part, inner in _parts(value, own):
        yield from _inside(inner, f"{name}{part}", seen, own)


def _parts(value: Any, own: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"[{key!r}]", inner
            if isinstance(key, COMPILED):
                yield ".keys", key
    elif isinstance(value, (tuple, list, set, frozenset)):
        for number, inner in enumerate(value):
            yield f"[{number}]", inner
    elif isinstance(value, type):
        if value.__module__ == own:
            for key, inner in vars(value).items():
                yield f".{key}", inner
    elif isinstance(value, types.FunctionType):
        if value.__module__ == own:
            for number, inner in enumerate(value.__defaults__ or ()):
                yield f".default{number}", inner
            for key, inner in (value.__kwdefaults__ or {}).items():
                yield f".default.{key}", inner
            for number, cell in enumerate(value.__closure__ or ()):
                with contextlib.suppress(ValueError):
                    yield f".cell{number}", cell.cell_contents
    elif isinstance(value, (staticmethod, classmethod)):
        yield "", value.__func__
    elif isinstance(value, property):
        yield "", value.fget
    elif isinstance(value, functools.partial):
        yield ".args", (value.func, *value.args, value.keywords)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            with contextlib.suppress(AttributeError):
                yield f".{field.name}", getattr(value, field.name)
    elif type(value).__module__.startswith(PACKAGES):
        yield from ((f".{key}", inner) for key, inner in getattr(value, "__dict__", {}).items())


ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "language": LANGUAGES,
    "table": tables(),
    "fields": (("denied",), ("stated", "supposed", "asked", "compared", "corrected")),
    "script": tuple(each.script for each in LANGUAGES),
    "fragment": tuple(each for language in LANGUAGES for each in fragments(language, "disowned")),
    "name": ("answer", ("think", "answer")),
    "tags": (("think", "answer"),),
    "ignore_case": (False, True),
    "word": ("c++", "a b"),
    "shape": ("number", "name", "eastern", "word"),
    "texts": ((("A", "Paris is large"), ("B", "Rome")),),
}
"""What a maker of patterns is called with, by the names of its parameters."""


def _made(name: str, maker: Any, named: set[str]) -> Iterator[tuple[str, Any]]:
    """The patterns that a maker makes of every combination of arguments; of fields, those that are named."""
    names = list(inspect.signature(maker).parameters)
    for chosen in itertools.product(
        *(sorted(named) if each == "field" else ARGUMENTS[each] for each in names)
    ):
        shown = ", ".join(each.name if isinstance(each, (Language, Table)) else repr(each) for each in chosen)
        yield from _inside(maker(*chosen), f"{name}({shown})", set(), maker.__module__)


def _within(module: types.ModuleType) -> Iterator[Found]:
    """The patterns that functions hand to `re` as text, where the module's own names give that text."""
    if not any(value is re for value in vars(module).values()):
        return  # most modules; to walk their trees took a third of the time
    for function in [each for each in ast.walk(tree_of(module)) if isinstance(each, _FUNCTION)]:
        for number, (text, use) in enumerate(
            filter(None, (_handed(each, module) for each in ast.walk(function)))
        ):
            with contextlib.suppress(NameError, AttributeError):  # made of what only the call knows
                pattern = re.compile(eval(ast.unparse(text), vars(module)))
                yield Found(f"{module.__name__}.{function.name}(): {number}", pattern, frozenset({use}))


_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def _handed(node: ast.AST, module: types.ModuleType) -> tuple[ast.expr, str] | None:
    """What ``re.sub(...)`` or ``re.compile(...).match`` is given for a pattern, and its use; else None."""
    method = ""
    if isinstance(node, ast.Attribute) and node.attr in USES and isinstance(node.value, ast.Call):
        node, method = node.value, node.attr
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
        return None
    owner, name = node.func.value, node.func.attr
    if not (isinstance(owner, ast.Name) and vars(module).get(owner.id) is re):
        return None
    if name == "compile":
        return (node.args[0], USES[method]) if method else None
    return (node.args[0], USES[name]) if name in USES and not method else None


@functools.cache
def patterns() -> tuple[Found, ...]:
    """Every pattern, once, with how it is used."""
    read = uses()
    found: dict[tuple[Any, int], Found] = {}
    for each in itertools.chain.from_iterable(map(_within, modules())):
        key = (each.pattern.pattern, each.pattern.flags)
        first = found.get(key, each)
        found[key] = first._replace(uses=first.uses | each.uses)
    for module in modules():
        for key, value in vars(module).items():
            if key.startswith("__"):
                continue
            for name, held in _inside(value, f"{module.__name__}.{key}", set(), module.__name__):
                made = (
                    _made(name, held, read.fields.get(id(held), set()))
                    if not isinstance(held, COMPILED)
                    else [(name, held)]
                )
                ways = set(read.known.get(id(held), ()))
                if id(held) in read.handed or not ways:
                    ways |= read.others[module.__name__] or ALL_USES
                for place, pattern in made:
                    key_of = (pattern.pattern, pattern.flags)
                    first = found.get(key_of, Found(place, pattern, frozenset()))
                    found[key_of] = first._replace(uses=first.uses | ways)
    return tuple(found.values())
