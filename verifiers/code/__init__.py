"""Programs as answers: run in a sandbox, judged by tests that they cannot see."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .engine.local_engine import LocalEngine
    from .engine.protocol import Call, Cause, Engine, Job, Limits, Report, Run, Script
    from .engine.sandbox_fusion import SandboxFusion
    from .pass_rate import CodePassRate
    from .rows.code_references import read_tests
    from .suites.spec import CallTest, CodeTests, StdioTest

__all__ = [
    "Call",
    "CallTest",
    "Cause",
    "CodePassRate",
    "CodeTests",
    "Engine",
    "Job",
    "Limits",
    "LocalEngine",
    "Report",
    "Run",
    "SandboxFusion",
    "Script",
    "StdioTest",
    "read_tests",
]

_HOMES = {
    "LocalEngine": "engine.local_engine",
    "Call": "engine.protocol",
    "Cause": "engine.protocol",
    "Engine": "engine.protocol",
    "Job": "engine.protocol",
    "Limits": "engine.protocol",
    "Report": "engine.protocol",
    "Run": "engine.protocol",
    "Script": "engine.protocol",
    "SandboxFusion": "engine.sandbox_fusion",
    "CodePassRate": "pass_rate",
    "read_tests": "rows.references",
    "CallTest": "tests.spec",
    "CodeTests": "tests.spec",
    "StdioTest": "tests.spec",
}


def __getattr__(name: str) -> Any:
    # The rows of known data sets are recognised without an engine, whose modules take as long as the rest.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
