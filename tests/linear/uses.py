"""The modules of the packages, and how each pattern is used in them."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import importlib
import inspect
import pkgutil
import re
import textwrap
import types
from typing import Any, NamedTuple

import regex

from verifiers.language.spoken_languages import LANGUAGES
from verifiers.runtime.patterns import LazyPattern

PACKAGES = tuple(f"reward_verifiers.{name}" for name in ("verifiers", "rewards", "adapters", "training"))
COMPILED = (re.Pattern, regex.Pattern, LazyPattern)
_CACHED = type(functools.cache(int))
USES = {
    **dict.fromkeys(("search", "finditer", "findall", "sub", "subn", "split"), "search"),
    "match": "match",
    "fullmatch": "fullmatch",
}
"""What a method of a pattern comes to: a search starts anew at each place."""
ALL_USES = frozenset(USES.values())


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


@functools.cache
def tree_of(module: types.ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def makes_patterns(value: Any) -> bool:
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


_STRINGS = frozenset({"split", "sub", "subn"})
"""Methods that a variable may have without being a pattern."""


class Uses(ast.NodeVisitor):
    """How the patterns of a module are used in it: by the identity of the pattern, or of what makes it."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module
        self.known: dict[int, set[str]] = {}
        self.others: set[str] = set()
        """Uses of patterns in variables."""
        self.handed: set[int] = set()
        """Patterns that are handed on to a variable, so that any of these uses may be theirs."""
        self.makers: set[int] = set()
        self.each: dict[str, Any] = {}
        """What makes the patterns that a loop's variable goes through."""

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
        if value is None and isinstance(node, ast.Name):
            value = self.each.get(node.id)
        return value if isinstance(value, COMPILED) or makes_patterns(value) else None

    def _goes_through(self, target: ast.expr, source: ast.expr) -> None:
        """In a loop through the patterns that a function makes, the variable stands for these."""
        maker = self._source(source) if isinstance(source, ast.Call) else None
        if maker is None or not isinstance(target, ast.Name):
            self.visit(source)
            return
        self.makers.add(id(maker))
        self.each[target.id] = maker

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """A function's variables are its own."""
        outer, self.each = self.each, {}
        self.generic_visit(node)
        self.each = outer

    def visit_For(self, node: ast.For) -> None:
        """A loop over patterns."""
        self._goes_through(node.target, node.iter)
        for each in (*node.body, *node.orelse):
            self.visit(each)

    def _visit_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> None:
        for part in node.generators:
            self._goes_through(part.target, part.iter)
            for each in part.ifs:
                self.visit(each)
        self.visit(node.elt)

    visit_ListComp = visit_SetComp = visit_GeneratorExp = _visit_comprehension

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


class Read(NamedTuple):
    known: dict[int, set[str]]
    handed: set[int]
    others: dict[str, set[str]]
    fields: dict[int, set[str]]
    """Of each maker, the fields that are named in the modules which call it."""


@functools.cache
def uses() -> Read:
    read = Read({}, set(), {}, {})
    for module in modules():
        tree = tree_of(module)
        reader = Uses(module)
        reader.visit(tree)
        for key, uses in reader.known.items():
            read.known.setdefault(key, set()).update(uses)
        read.handed.update(reader.handed)
        read.others[module.__name__] = reader.others
        constants = ast.walk(tree) if reader.makers else ()
        named = {each.value for each in constants if isinstance(each, ast.Constant)} & set(fields())
        for maker in reader.makers:
            read.fields.setdefault(maker, set()).update(named)
    return read
