"""Test files: for pytest, or with classes of unittest. Each test function or method is one test."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache

from ....errors import ConfigError
from ...suites.spec import parsed
from .pytest_needs import Function, refuse_lacking
from .stand_ins import replaced, stand_in, with_stand_ins

PROGRAM = "solution"
"""The module as which KodCode's tests import the program."""
_NOT_RUN = frozenset({"skip", "skipif", "xfail", "skipIf", "skipUnless", "expectedFailure"})


@dataclass(frozen=True)
class TestFile:
    """A test file, taken apart.

    Args:
        setup: Everything but the calls of its tests.
        tests: A source for each test, which calls it.
    """

    __test__ = False  # pytest takes it for a test by its name

    setup: str
    tests: tuple[str, ...]


@lru_cache(maxsize=64)
def collected(source: str, field: str) -> TestFile:
    """The tests of a file, as pytest and unittest would find them.

    Tests that are marked as skipped or expected to fail say nothing about a program, and are left out.

    Raises:
        ConfigError: It is not Python, has no tests, or needs fixtures that are not here.
    """
    tree = parsed(with_stand_ins(source, field), field)
    tree.body = [node for node in tree.body if not _is_main_guard(node)]
    tree = _by_name(tree)
    tests: list[str] = []
    found: list[tuple[Function, ast.ClassDef | None]] = []
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, Function):
            if node.name.startswith("test") and _is_run(node):
                found.append((node, None))
                tests.append(f"_pytest_function({node.name})")
        elif isinstance(node, ast.ClassDef) and (_is_case(node, classes) or node.name.startswith("Test")):
            if not _is_run(node):
                continue
            for name, method in _methods(node, classes).items():
                if name.startswith("test") and _is_run(method):
                    found.append((method, node))
                    tests.append(f"_pytest_method({node.name}, {name!r})")
    if not tests:
        raise ConfigError(f"tests: {field}: there is no test function and no test class in it")
    refuse_lacking(tree, found, field)
    tree = replaced(tree, {"pytest": "_PytestStandIn"})
    return TestFile("\n".join([stand_in("pytest"), ast.unparse(tree)]), tuple(tests))


def _is_main_guard(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Compare)
        and isinstance(node.test.left, ast.Name)
        and node.test.left.id == "__name__"
    )


def _by_name(tree: ast.Module) -> ast.Module:
    """``import solution`` and ``solution.f`` as ``from solution import f`` and ``f``."""
    aliases = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == PROGRAM
    }
    if not aliases:
        return tree
    used: dict[str, None] = {}

    class Names(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            if isinstance(node.value, ast.Name) and node.value.id in aliases:
                used[node.attr] = None
                return ast.Name(node.attr, node.ctx)
            return self.generic_visit(node)

        def visit_Import(self, node: ast.Import) -> ast.AST | None:
            node.names = [alias for alias in node.names if alias.name != PROGRAM]
            return node if node.names else None

    tree = Names().visit(tree)
    if used:
        tree.body.insert(0, ast.ImportFrom(PROGRAM, [ast.alias(name) for name in used], 0))
    return ast.fix_missing_locations(tree)


def _is_case(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> bool:
    """Whether a class is a ``unittest.TestCase``, directly or by way of another class of the file."""
    for base in node.bases:
        name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
        if name.endswith("TestCase"):
            return True
        if name in classes and name != node.name and _is_case(classes[name], _without(classes, node.name)):
            return True
    return False


def _methods(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> dict[str, Function]:
    """The methods of a class and of its bases in the file."""
    found: dict[str, Function] = {}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes and base.id != node.name:
            found.update(_methods(classes[base.id], _without(classes, node.name)))
    for item in node.body:
        if isinstance(item, Function):
            found[item.name] = item
    return found


def _without(classes: dict[str, ast.ClassDef], name: str) -> dict[str, ast.ClassDef]:
    return {key: node for key, node in classes.items() if key != name}


def _is_run(node: Function | ast.ClassDef) -> bool:
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if (called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")) in _NOT_RUN:
            return False
    return True
