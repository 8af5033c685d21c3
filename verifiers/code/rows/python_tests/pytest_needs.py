"""What a test file needs of pytest, and whether the stand-in has it.

Whatever it lacks must be found before a program is judged: later, the tests of right programs would fail.
"""

from __future__ import annotations

import ast

from ....errors import ConfigError

HAS = frozenset({"approx", "raises", "mark", "param", "fail", "fixture", "main"})
"""What `pytest_stand_in` has."""
_LACKING_KEYWORDS = frozenset({"autouse", "indirect", "params"})
_LACKING_MARKS = frozenset({"usefixtures"})
Function = ast.FunctionDef | ast.AsyncFunctionDef


def refuse_lacking(tree: ast.Module, tests: list[tuple[Function, ast.ClassDef | None]], field: str) -> None:
    """Refuse a file that needs more of pytest than is here.

    Args:
        tree: The file, with its imports of pytest.
        tests: Its tests, each with its class.
        field: Where it stands, for the message.

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
