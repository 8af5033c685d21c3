"""Imports run one way: verifiers <- rewards <- adapters <- training."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.support import ROOT

LAYERS = ["verifiers", "rewards", "adapters", "training"]
HEAVY = {"torch", "transformers", "trl", "datasets", "bert_score", "sympy", "latex2sympy2_extended", "numpy"}
# They run in a worker process or load on request, so a module of theirs may import at its top.
HEAVY_ALLOWED = {
    "verifiers/maths/decide/symbolic.py": {"sympy", "latex2sympy2_extended"},
}

# What runs inside the sandbox.
EXECUTES = {"verifiers/code/jail/guest.py", "verifiers/code/jail/tester.py"}


def _modules() -> list[Path]:
    return [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]


def _absolute_imports(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_imports_upwards(path: Path) -> None:
    """A lower layer that reached back could not be used, or understood, by itself."""
    layer = path.relative_to(ROOT).parts[0]
    above = set(LAYERS[LAYERS.index(layer) + 1 :])
    imported = _absolute_imports(ast.parse(path.read_text(encoding="utf-8")))
    assert not imported & above
    assert layer not in imported or layer == "adapters", "inside a package imports are relative"


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_loads_heavy_packages_at_its_top(path: Path) -> None:
    """They load where they are used."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = ast.Module([node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)], [])
    allowed = HEAVY_ALLOWED.get(str(path.relative_to(ROOT)), set())
    assert not (_absolute_imports(top) & HEAVY) - allowed


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_model_text_is_never_evaluated(path: Path) -> None:
    """No eval, exec, parse_expr or sympify, and no SIGALRM, anywhere."""
    if str(path.relative_to(ROOT)) in EXECUTES:
        return
    banned = {"eval", "exec", "parse_expr", "sympify", "SIGALRM", "alarm"}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names |= {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert not names & banned
