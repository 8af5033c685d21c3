"""Programs as answers: run in a sandbox, judged by tests that they cannot see."""

from .engine.local_engine import LocalEngine
from .engine.protocol import Call, Cause, Engine, Job, Limits, Report, Run, Script
from .engine.sandbox_fusion import SandboxFusion
from .pass_rate import CodePassRate
from .rows.references import read_tests
from .tests.spec import CallTest, CodeTests, StdioTest

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
