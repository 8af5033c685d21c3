"""Every compiled pattern of the packages, found by importing them and reading how they are used."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import importlib
import inspect
import itertools
import pkgutil
import re
import textwrap
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

import regex

from verifiers.language.languages import LANGUAGES

PACKAGES = ("verifiers", "rewards", "adapters", "training")
COMPILED = (re.Pattern, regex.Pattern)
_CACHED = type(functools.cache(int))
USES = {
    **dict.fromkeys(("search", "finditer", "findall", "sub", "subn", "split"), "search"),
    "match": "match",
    "fullmatch": "fullmatch",
}
"""What a method of a pattern comes to: a search starts anew at each place."""
ALL_USES = frozenset(USES.values())


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


@functools.cache
def modules() -> tuple[types.ModuleType, ...]:
    """Every module of the packages that can be imported here."""
    found = []
    for package in PACKAGES:
        root = importlib.import_module(package)
        found.append(root)
        for each in pkgutil.walk_packages(root.__path__, f"{package}."):
            if each.name.endswith("__main__"):
                continue
            with contextlib.suppress(ImportError):  # an extra that is not installed
                found.append(importlib.import_module(each.name))
    return tuple(found)


def _inside(value: Any, name: str, seen: set[int], own: str) -> Iterator[tuple[str, Any]]:
    """The patterns and the makers of patterns in a value, each with its place."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, COMPILED) or _makes_patterns(value):
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
    elif type(value).__module__.split(".")[0] in PACKAGES:
        yield from ((f".{key}", inner) for key, inner in getattr(value, "__dict__", {}).items())


def _makes_patterns(value: Any) -> bool:
    """Whether a value is a function that keeps patterns which it makes on request."""
    return isinstance(value, _CACHED) and "Pattern[" in str(value.__annotations__.get("return", ""))


@functools.cache
def fields() -> tuple[str, ...]:
    """The fields of a language that hold fragments of patterns."""
    values = {each.name: getattr(LANGUAGES[0], each.name) for each in dataclasses.fields(LANGUAGES[0])}
    return tuple(
        name
        for name, value in values.items()
        if isinstance(value, tuple) and name not in ("edges", "keywords")
    )


ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "language": LANGUAGES,
    "fields": (("denied",), ("stated", "supposed", "asked", "compared", "corrected")),
    "script": tuple(each.script for each in LANGUAGES),
    "name": ("answer", ("think", "answer")),
    "tags": (("think", "answer"),),
    "ignore_case": (False, True),
    "texts": ((("A", "Paris is large"), ("B", "Rome")),),
}
"""What a maker of patterns is called with, by the names of its parameters."""


def _made(name: str, maker: Any, named: set[str]) -> Iterator[tuple[str, Any]]:
    """The patterns that a maker makes of every combination of arguments; of fields, those that are named."""
    names = list(inspect.signature(maker).parameters)
    for chosen in itertools.product(
        *(sorted(named) if each == "field" else ARGUMENTS[each] for each in names)
    ):
        shown = ", ".join(each.name if each in LANGUAGES else repr(each) for each in chosen)
        yield from _inside(maker(*chosen), f"{name}({shown})", set(), maker.__module__)


_STRINGS = frozenset({"split", "sub", "subn"})
"""Methods that a variable may have without being a pattern."""


class _Uses(ast.NodeVisitor):
    """How the patterns of a module are used in it: by the identity of the pattern, or of what makes it."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module
        self.known: dict[int, set[str]] = {}
        self.others: set[str] = set()
        """Uses of patterns in variables."""
        self.handed: set[int] = set()
        """Patterns that are handed on to a variable, so that any of these uses may be theirs."""
        self.makers: set[int] = set()

    def _value(self, node: ast.expr) -> Any:
        """What an expression of names stands for, in the module's own namespace; None if it is not known."""
        if isinstance(node, ast.Name):
            return vars(self.module).get(node.id)
        if isinstance(node, ast.Attribute):
            return getattr(self._value(node.value), node.attr, None)
        return None

    def _source(self, node: ast.expr) -> Any:
        """The pattern that an expression is, or what makes it; None for anything else."""
        value = self._value(node.func if isinstance(node, ast.Call) else node)
        return value if isinstance(value, COMPILED) or _makes_patterns(value) else None

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """A method of a pattern."""
        if node.attr not in USES:
            self.generic_visit(node)
        elif (source := self._source(node.value)) is not None:
            self.known.setdefault(id(source), set()).add(USES[node.attr])
            if isinstance(node.value, ast.Call):
                self.makers.add(id(source))
                for each in node.value.args:
                    self.visit(each)
        else:
            if node.attr not in _STRINGS:
                self.others.add(USES[node.attr])
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """A pattern that is handed to a function: what that one does with it."""
        for place, each in enumerate(node.args):
            source = self._source(each)
            uses = () if source is None else _uses_of_parameter(self._functions(node.func), place)
            if uses:
                self.known.setdefault(id(source), set()).update(uses)
            else:
                self.visit(each)
        for keyword in node.keywords:
            self.visit(keyword.value)
        if (source := self._source(node)) is not None:
            self.makers.add(id(source))
        self.visit(node.func)

    def _functions(self, node: ast.expr) -> list[types.FunctionType]:
        """The functions that a call may be of: by name, or by the name of a method in this module."""
        if isinstance(value := self._value(node), types.FunctionType):
            return [value]
        if not isinstance(node, ast.Attribute):
            return []
        classes = [each for each in vars(self.module).values() if isinstance(each, type)]
        methods = [vars(each).get(node.attr) for each in classes if each.__module__ == self.module.__name__]
        return [each for each in methods if isinstance(each, types.FunctionType)]

    def visit_Name(self, node: ast.Name) -> None:
        """A pattern by itself."""
        if isinstance(node.ctx, ast.Load) and (source := self._source(node)) is not None:
            self.handed.add(id(source))


def _uses_of_parameter(functions: list[types.FunctionType], place: int) -> set[str]:
    """What functions do with what they are handed in a place."""
    found: set[str] = set()
    for function in functions:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        names = [each.arg for each in tree.args.args if each.arg != "self"]  # type: ignore[attr-defined]
        name = names[place] if place < len(names) else ""
        found |= {
            USES[node.attr]
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if node.value.id == name and node.attr in USES
        }
    return found


class _Read(NamedTuple):
    known: dict[int, set[str]]
    handed: set[int]
    others: dict[str, set[str]]
    fields: dict[int, set[str]]
    """Of each maker, the fields that are named in the modules which call it."""


@functools.cache
def _uses() -> _Read:
    read = _Read({}, set(), {}, {})
    for module in modules():
        tree = ast.parse(inspect.getsource(module))
        reader = _Uses(module)
        reader.visit(tree)
        for key, uses in reader.known.items():
            read.known.setdefault(key, set()).update(uses)
        read.handed.update(reader.handed)
        read.others[module.__name__] = reader.others
        named = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)} & set(fields())
        for maker in reader.makers:
            read.fields.setdefault(maker, set()).update(named)
    return read


def _within(module: types.ModuleType) -> Iterator[Found]:
    """The patterns that functions hand to `re` as text, where the module's own names give that text."""
    functions = (
        each for each in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(each, _FUNCTION)
    )
    for function in functions:
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
    read = _uses()
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
                uses = set(read.known.get(id(held), ()))
                if id(held) in read.handed or not uses:
                    uses |= read.others[module.__name__] or ALL_USES
                for place, pattern in made:
                    key_of = (pattern.pattern, pattern.flags)
                    first = found.get(key_of, Found(place, pattern, frozenset()))
                    found[key_of] = first._replace(uses=first.uses | uses)
    return tuple(found.values())
