"""`import verifiers` is cheap, and cheap answers stay cheap."""

from __future__ import annotations

import ast
import json

from tests.support import ROOT, python
from tests.timing import within
from verifiers import core

HEAVY = [
    "torch", "transformers", "sympy", "numpy", "pydantic", "latex2sympy2_extended", "flint", "rich", "yaml",
]  # fmt: skip


def _loaded_after(code: str) -> list[str]:
    report = f"import sys, json; print(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    loaded: list[str] = json.loads(python(f"{code}\n{report}"))
    return loaded


def _seconds() -> float:
    code = "import time; before = time.process_time(); import verifiers; print(time.process_time() - before)"
    return float(python(code))


def test_importing_takes_under_60_ms() -> None:
    """Of processor time; the best of five, since other work on the core or its caches slows it down."""
    assert any(within(_seconds(), 0.06) for _ in range(5))


def test_importing_loads_nothing_heavy() -> None:
    """Verifiers and rewards alike."""
    assert _loaded_after("import verifiers") == []
    assert _loaded_after("import rewards; from rewards import Pay") == []


def test_an_integer_is_verified_without_sympy() -> None:
    """Nor is anything loaded that starts a worker."""
    code = (
        "import sys; from verifiers import MathEquivalence\n"
        "assert MathEquivalence().verify(r'so \\boxed{1,234}', '1234').passed\n"
        "assert not MathEquivalence().verify(r'so \\boxed{1/2}', '1/3').passed\n"
        "assert not {'reward_verifiers.verifiers.runtime.pool', 'subprocess'} & {*sys.modules}"
    )
    assert _loaded_after(code) == []


def test_the_core_knows_its_names_for_type_checkers_too() -> None:
    """They are imported where they are asked for, and each name is what its module has."""
    tree = ast.parse((ROOT / "verifiers/core/__init__.py").read_text(encoding="utf-8"))
    named = {
        alias.asname for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level
        for alias in node.names
    }  # fmt: skip
    assert named == set(core.__all__)
    assert all(getattr(core, name) is not None for name in named)


MOST_MODULES = 59


def test_an_exact_match_loads_few_modules() -> None:
    """Of this library: what a verifier does not use stays where it is."""
    code = (
        "import sys; from reward_verifiers import ExactMatch; "
        "print(sum(each.startswith('reward_verifiers') for each in sys.modules))"
    )
    assert int(python(code)) <= MOST_MODULES
