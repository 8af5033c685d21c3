"""Test files: for pytest, or with classes of unittest. Each test function or method is one test.

Tests run where no package is installed. What they use of pytest and, in HumanEval+ and MBPP+, of numpy is
little: it is put before them as source, and the import is replaced by it. Whatever the stand-in lacks must be
found before a program is judged: later, the tests of right programs would fail.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from ...errors import ConfigError
from ..suites.spec import parsed

_FOLDER = Path(__file__).parent
_NUMPY = frozenset({"allclose", "isclose", "ndarray", "float64", "float32"})
"""Names that `numpy_stand_in` has, and all that HumanEval+ and MBPP+ use."""


@lru_cache(maxsize=64)
def with_stand_ins(source: str, field: str) -> str:
    """A source with numpy's stand-in for its import, where it uses no more of numpy than that."""
    if "numpy" not in source:
        return source
    tree = parsed(source, field)
    names = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "numpy"
    }
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names
    }
    if not names or not used <= _NUMPY:
        return source
    return "\n".join([stand_in("numpy"), ast.unparse(replaced(tree, {"numpy": "_NumpyStandIn"}))])


def stand_in(package: str) -> str:
    """The source of a stand-in."""
    return _read(f"{package}_stand_in.py")


@cache
def _read(name: str) -> str:
    source = (_FOLDER / name).read_text(encoding="utf-8")
    # Without the docstring and the future import, which would have to be first.
    body = ast.parse(source).body
    return ast.unparse(ast.Module([node for node in body[1:] if not _is_future(node)], type_ignores=[]))


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def replaced(tree: ast.Module, stand_ins: dict[str, str]) -> ast.Module:
    """A tree whose imports of packages are assignments of what stands in for them."""

    class Replace(ast.NodeTransformer):
        def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
            kept = [alias for alias in node.names if alias.name not in stand_ins]
            made: list[ast.stmt] = [
                _assigned(alias.asname or alias.name, ast.Name(stand_ins[alias.name], ast.Load()))
                for alias in node.names
                if alias.name in stand_ins
            ]
            return [*([ast.Import(kept)] if kept else []), *made]

        def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
            if node.module not in stand_ins or node.level:
                return node
            source = ast.Name(stand_ins[node.module], ast.Load())
            return [
                _assigned(alias.asname or alias.name, ast.Attribute(source, alias.name, ast.Load()))
                for alias in node.names
            ]

    changed: ast.Module = ast.fix_missing_locations(Replace().visit(tree))
    return changed


def _assigned(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


HAS = frozenset({"approx", "raises", "mark", "param", "fail", "fixture", "main"})
"""Names that `pytest_stand_in` has."""
_LACKING_KEYWORDS = frozenset({"autouse", "indirect", "params"})
_LACKING_MARKS = frozenset({"usefixtures"})
Function = ast.FunctionDef | ast.AsyncFunctionDef


def refuse_lacking(tree: ast.Module, tests: list[tuple[Function, ast.ClassDef | None]], field: str) -> None:
    """Refuse a file that needs more of pytest than is here.

    Args:
        tree: The file, with its imports of pytest.
        tests: Its tests, each with its class.
        field: Place of it, for the message.

    Raises:
        ConfigError: It does; the message names what is lacking.
    """
    aliases = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "pytest"
    }
    for node in ast.walk(tree):
        lacking = ""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
            lacking = "" if node.attr in HAS else f"pytest.{node.attr}"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "pytest":
            names = [alias.name for alias in node.names if alias.name not in HAS]
            lacking = f"pytest.{names[0]}" if names else ""
        elif isinstance(node, ast.Attribute) and node.attr in _LACKING_MARKS:
            lacking = f"pytest.mark.{node.attr}"
        elif isinstance(node, ast.Call) and _name(node.func) in ("fixture", "parametrize"):
            keywords = [word.arg for word in node.keywords if word.arg in _LACKING_KEYWORDS]
            lacking = f"{_name(node.func)}({keywords[0]}=...)" if keywords else ""
        if lacking:
            raise ConfigError(f"tests: {field}: {lacking} is not here")
    _refuse_fixtures(tree, tests, field)


def _refuse_fixtures(tree: ast.Module, tests: list[tuple[Function, ast.ClassDef | None]], field: str) -> None:
    fixtures = {
        node.name: node
        for node in ast.walk(tree)
        if isinstance(node, Function) and any(_name(each) == "fixture" for each in node.decorator_list)
    }
    known = set(fixtures) | {
        word.value.value
        for node in fixtures.values()
        for each in node.decorator_list
        if isinstance(each, ast.Call)
        for word in each.keywords
        if word.arg == "name" and isinstance(word.value, ast.Constant)
    }
    for node, owner in [*tests, *((fixture, None) for fixture in fixtures.values())]:
        given = _parametrized([*node.decorator_list, *(owner.decorator_list if owner else [])])
        if given is None:
            continue
        needed = [each.arg for each in node.args.args[: len(node.args.args) - len(node.args.defaults)]]
        for name in needed:
            if name not in known | given | {"self", "cls"}:
                raise ConfigError(
                    f"tests: {field}: {node.name} needs the fixture {name!r}, which is not here"
                )


def _parametrized(decorators: list[ast.expr]) -> set[str] | None:
    """The names that decorators give to a test; None where they cannot be read off the source."""
    found: set[str] = set()
    for each in decorators:
        if _name(each) == "fixture":
            continue
        if _name(each) != "parametrize":
            if not (isinstance(each, ast.Attribute | ast.Call) and "mark" in ast.unparse(each)):
                return None  # any decorator may give arguments
            continue
        words = each.args if isinstance(each, ast.Call) else []
        try:
            names = ast.literal_eval(words[0]) if words else None
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            names = None
        if names is None:
            return None
        found |= {name.strip() for name in (names.split(",") if isinstance(names, str) else names)}
    return found


def _name(node: ast.expr) -> str:
    """``parametrize`` of ``@pytest.mark.parametrize(...)``."""
    called = node.func if isinstance(node, ast.Call) else node
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


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
    """Return whether a class is a ``unittest.TestCase``, directly or by another class of the file."""
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
