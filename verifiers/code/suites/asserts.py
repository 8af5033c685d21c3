"""Assert tests without showing them to the program.

``assert f(literals) == literal`` becomes a call and an expected value. Other tests are kept as code, which
runs in a sandbox of its own, where the program's functions, classes and objects are stand-ins that ask the
program's sandbox; what a process has once (files, environment, random states, streams, patched modules) is
kept alike. Tests that derive classes from the program's own fit neither way.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...runtime.bounds import from_source

Nodes = Sequence[ast.AST]
"""All of a tree, walked once for all that is asked of it."""
PROGRAM_MODULES = ("solution", "main", "candidate_solution")
"""Names under which tests import the program."""


def used_as_classes(nodes: Nodes, names: Collection[str]) -> set[str]:
    """Those of the names that tests use as classes: what tests make of a class is theirs to use operators on.

    They look at the name itself (``isinstance(x, Node)``, ``Node.count``), at attributes and items of what a
    call of it gave, call that, use it in a ``with``, or combine or compare two such objects. A capital letter
    alone says nothing: the answer of a function that has one must not get to see what it is compared with.
    """
    if not names:
        return set()
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    made_by: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for maker in _makers(node.value, names, {}):
                for target in targets:
                    made_by.setdefault(ast.unparse(target), set()).add(maker)
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in names and id(node) not in called:
            found.add(node.id)
        elif isinstance(node, ast.Attribute | ast.Subscript):
            found |= _makers(node.value, names, made_by)
        elif isinstance(node, ast.Call) and not isinstance(node.func, ast.Call):
            found |= _makers(node.func, names, made_by)
        elif isinstance(node, ast.withitem):
            found |= _makers(node.context_expr, names, made_by)
        for one, other in _sides(node):
            found |= _inside(one, names, made_by) & _inside(other, names, made_by)
    return found


def _makers(node: ast.expr, names: Collection[str], made_by: dict[str, set[str]]) -> set[str]:
    """The candidates whose call an expression is, or the variable that holds what they gave."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
        return {node.func.id}
    return made_by.get(ast.unparse(node), set()) if isinstance(node, ast.Name | ast.Attribute) else set()


def _inside(node: ast.expr, names: Collection[str], made_by: dict[str, set[str]]) -> set[str]:
    return {
        maker
        for each in ast.walk(node)
        if isinstance(each, ast.expr)
        for maker in _makers(each, names, made_by)
    }


def _sides(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.BinOp):
        yield node.left, node.right
    elif isinstance(node, ast.Compare):
        for other in node.comparators:
            yield node.left, other


def looked_at_in(nodes: Nodes) -> set[str]:
    """Names that are used otherwise than by calling them."""
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    found = {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in called
    }
    modules = program_names(nodes)
    return found | {node.attr for node in attributes_of(nodes, modules) if id(node) not in called}


def called_in(nodes: Nodes) -> set[str]:
    """Names that are called."""
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    return {each.id for each in calls if isinstance(each, ast.Name)}


def bases_in(nodes: Nodes) -> set[str]:
    """Classes that tests derive others from."""
    return {
        base.id
        for node in nodes
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        if isinstance(base, ast.Name)
    }


def program_names(nodes: Nodes) -> set[str]:
    """Return the tests' names for the program's module, where they import it whole."""
    return {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name in PROGRAM_MODULES
    }


def attributes_of(nodes: Nodes, modules: set[str]) -> list[ast.Attribute]:
    """Attributes of these names."""
    return [
        node
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules
    ]


BUILT_IN = frozenset(dir(builtins))
_MODULES = frozenset(sys.stdlib_module_names)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_CAPTURES = ("capsys", "monkeypatch")
_PATCHES = "patch"


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
        functions: Functions of the program.
        objects: Objects of the program: classes, constants, functions that are read and not called.
        classes: Those of them that are meant as classes.
        modules: Modules of the standard library, which the tests use without importing them.
        program: Names under which they import the program.
        missing: Modules that they import and that are not of the standard library.
        captures: Fixture or base class of theirs that reaches into the program's process, such as
            `monkeypatch`; "" for none.
        patches: They put something into modules. What the program then finds there is a stand-in, which is
            as good as the thing for most; whether it is here only a solution of the row can show.
    """

    functions: tuple[str, ...]
    objects: tuple[str, ...]
    classes: tuple[str, ...]
    modules: tuple[str, ...]
    program: tuple[str, ...]
    missing: frozenset[str]
    captures: str
    patches: bool = False


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
    """Return the names that tests need from outside.

    Args:
        setup: Source that runs before the tests.
        tests: Sources.
        given: Functions of the program, where the author of the tests says so.
        solution: A reference solution, where there is one: what it defines is meant, even ``sum``.

    Raises:
        SyntaxError: A source is not Python.
    """
    nodes = tuple(ast.walk(from_source("\n".join([setup, *tests]))))
    imported, modules = _imported_from_program(nodes)
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {node.id for node in names if not isinstance(node.ctx, ast.Load)} | _defined(nodes) - imported
    loaded = [node.id for node in names if isinstance(node.ctx, ast.Load) and node.id not in own]
    free = list(dict.fromkeys([*loaded, *sorted(imported)]))
    reference = _tree(solution).body
    functions = {node.name for node in reference if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    functions |= set(given) | imported
    classes = {node.name for node in reference if isinstance(node, ast.ClassDef)} - set(given)
    if not solution and not given:
        # A module cannot be called: ``queue(3)`` is the program's.
        modules_free = _MODULES - called_in(nodes)
        unknown = {name for name in free if name not in BUILT_IN and name not in modules_free}
        # By Python's convention Node is a class; LIMIT is a constant, looked at just as well.
        classes |= {name for name in unknown if name[0].isupper()}
        functions |= unknown - classes
    functions -= classes
    likely = {name for name in functions | classes if name[0].isupper()} & set(free)
    meant = (used_as_classes(nodes, likely) if solution == "" else set()) | (classes if solution else set())
    looked_at = classes | meant | (functions & looked_at_in(nodes))
    mentioned = _mentioned(nodes)
    captures = next((name for name in _CAPTURES if name in mentioned), "")
    return Names(
        tuple(name for name in free if name in functions),
        tuple(name for name in free if name in looked_at),
        tuple(name for name in free if name in meant),
        tuple(name for name in free if name in _MODULES and name not in functions | classes),
        tuple(modules),
        _imported(nodes) - _MODULES - set(PROGRAM_MODULES),
        captures or next(iter(sorted(bases_in(nodes) & (functions | classes))), ""),
        _PATCHES in mentioned,
    )


def packages_of(source: str) -> frozenset[str]:
    """Return a program's imports that neither Python nor the tests bring; none from unreadable code."""
    return _imported(tuple(ast.walk(_tree(source)))) - _MODULES - set(PROGRAM_MODULES)


def functions_of(solution: str) -> set[str]:
    """The functions that a reference solution defines."""
    return {node.name for node in _tree(solution).body if isinstance(node, ast.FunctionDef)}


def runnable(test: str) -> str | None:
    """A test that does something: its own text, with calls of the ``test_`` functions that it only defines.

    Returns:
        None if nothing in it would ever run.
    """
    body = from_source(test).body
    if any(not isinstance(node, _DEFINITIONS) for node in body):
        return test
    found = [
        node.name
        for node in body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test") and not node.args.args
    ]
    return "\n".join([test, *(f"{name}()" for name in found)]) if found else None


def check_body(test: ast.Module) -> list[ast.stmt]:
    """The statements of ``def check(candidate)`` that do something."""
    for node in test.body:
        if isinstance(node, ast.FunctionDef) and node.name == "check":
            return [each for each in node.body if not _is_text(each) and not isinstance(each, ast.Pass)]
    return []


def helpers_used(prompt: str, test: str, entry: str) -> list[str]:
    """Functions that a prompt gives besides the one that it asks for, as far as the tests use them."""
    given = {node.name for node in _tree(prompt).body if isinstance(node, ast.FunctionDef)} - {entry}
    used = {node.id for node in ast.walk(_tree(test)) if isinstance(node, ast.Name)}
    return sorted(given & used)


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


def _imported_from_program(nodes: Nodes) -> tuple[set[str], list[str]]:
    names: set[str] = set()
    modules: list[str] = []
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module in PROGRAM_MODULES:
            names.update(alias.name for alias in node.names if alias.name != "*")
            modules.append(node.module)
    names |= {node.attr for node in attributes_of(nodes, program_names(nodes))}
    for node in nodes:
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names if alias.name in PROGRAM_MODULES]
    return names, modules


def _imported(nodes: Nodes) -> frozenset[str]:
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return frozenset(found)


def _mentioned(nodes: Nodes) -> set[str]:
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return names | {node.arg for node in nodes if isinstance(node, ast.arg)}


def _defined(nodes: Nodes) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs) and node.name:
            found.add(node.name)
    return found


def _tree(source: str) -> ast.Module:
    try:
        return from_source(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
