"""Assert tests without showing them to the program.

``assert f(literals) == literal`` becomes a call and an expected value. Other tests are kept as code, which
runs in a sandbox of its own, where the program's functions are stand-ins that call the program's sandbox.
What needs the program's own classes fits neither.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

_BUILT_IN = frozenset(dir(builtins))
_MODULES = frozenset(sys.stdlib_module_names)


@dataclass(frozen=True)
class StaticCall:
    """``assert function(*arguments, **keywords) == expected``.

    Args:
        truth: Only whether the answer is true is asked: ``assert f(x)``, ``assert not f(x)``.
    """

    function: str
    arguments: tuple[Any, ...]
    keywords: tuple[tuple[str, Any], ...]
    expected: Any
    truth: bool = False


@dataclass(frozen=True)
class Names:
    """Names that tests use and do not define.

    Args:
        functions: Of the program.
        classes: Of the program; tests that use them cannot be kept apart from it.
        modules: Of the standard library, which the tests use without importing them.
    """

    functions: tuple[str, ...]
    classes: tuple[str, ...]
    modules: tuple[str, ...]


def static_calls(asserts: Sequence[ast.stmt], name: str | None = None) -> list[StaticCall] | None:
    """The asserts as calls, or None if one of them is not of that form.

    Args:
        asserts: Statements.
        name: The function that they call; None for any.
    """
    found = []
    for statement in asserts:
        if not isinstance(statement, ast.Assert):
            return None
        if isinstance(statement.test, ast.Constant) and statement.test.value:
            continue  # assert True
        call = _static_call(statement.test)
        if call is None or (name is not None and call.function != name):
            return None
        found.append(call)
    return found or None


def names_used(setup: str, tests: Sequence[str], given: Collection[str], solution: str = "") -> Names:
    """What tests need from outside.

    Args:
        setup: Source that runs before the tests.
        tests: Sources.
        given: Functions of the program, where the author of the tests says so.
        solution: A reference solution, where there is one: what it defines is meant, even ``sum``.

    Raises:
        SyntaxError: A source is not Python.
    """
    tree = ast.parse("\n".join([setup, *tests]))
    stored = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    } | _defined(tree)
    used = [
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    ]
    free = list(dict.fromkeys(name for name in used if name not in stored))
    reference = _tree(solution)
    functions = {
        node.name for node in reference.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    classes = {node.name for node in reference.body if isinstance(node, ast.ClassDef)}
    functions |= set(given)
    classes -= set(given)
    if not solution and not given:
        unknown = [name for name in free if name not in _BUILT_IN and name not in _MODULES]
        # By Python's convention a name like Node is a class.
        classes = {name for name in unknown if name[0].isupper() and not name.isupper()}
        functions = set(unknown) - classes
    modules = [name for name in free if name in _MODULES and name not in functions | classes]
    return Names(
        tuple(name for name in free if name in functions),
        tuple(name for name in free if name in classes),
        tuple(modules),
    )


def check_body(test: str) -> list[ast.stmt] | None:
    """The statements of ``def check(candidate)``, without its docstring."""
    for node in _tree(test).body:
        if isinstance(node, ast.FunctionDef) and node.name == "check":
            return [statement for statement in node.body if not _is_text(statement)]
    return None


def _static_call(test: ast.expr) -> StaticCall | None:
    expected: Any = True
    truth = False
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        if not isinstance(test.ops[0], ast.Eq | ast.Is):
            return None
        call, right = test.left, test.comparators[0]
        if isinstance(right, ast.Call):
            call, right = right, call
        if isinstance(test.ops[0], ast.Is) and not (isinstance(right, ast.Constant) and right.value is None):
            return None
        values = _literals([right])
        if values is None:
            return None
        expected = values[0]
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        call, expected, truth = test.operand, False, True
    else:
        call, truth = test, True
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    arguments = _literals(call.args)
    keywords = _literals([keyword.value for keyword in call.keywords])
    if arguments is None or keywords is None or any(keyword.arg is None for keyword in call.keywords):
        return None
    named = zip([str(keyword.arg) for keyword in call.keywords], keywords, strict=True)
    return StaticCall(call.func.id, tuple(arguments), tuple(named), expected, truth)


def _literals(nodes: Sequence[ast.expr]) -> list[Any] | None:
    try:
        return [ast.literal_eval(node) for node in nodes]
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _defined(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return found


def _tree(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
