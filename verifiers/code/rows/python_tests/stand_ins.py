"""Small stand-ins for what test files import besides the standard library.

Tests run where no package is installed. What they use of pytest and, in HumanEval+ and MBPP+, of numpy is
little: it is put before them as source, and the import is replaced by it.
"""

from __future__ import annotations

import ast
from functools import cache, lru_cache
from pathlib import Path

from ...suites.spec import parsed

_FOLDER = Path(__file__).parent
_NUMPY = frozenset({"allclose", "isclose", "ndarray", "float64", "float32"})
"""What `numpy_stand_in` has, and all that HumanEval+ and MBPP+ use."""


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
