"""Interface of what runs programs, as the verifier sees it: jobs go in, reports come out.

Only programs and their inputs go in, never an expected output: comparison stays with the caller. The one
exception is a job with a `Script`, whose tests go to a sandbox of their own that the program cannot see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

COMPILE_LEAST, COMPILE_MOST = 10.0, 60.0
"""Seconds of processor time for a compiler, whatever the budget: g++ takes 1.5 s for <bits/stdc++.h>."""


class Cause(StrEnum):
    """Why a run ended."""

    OK = "ok"
    """By itself, with exit status 0 (a program) or with an answer (a call, a test)."""
    RUNTIME_ERROR = "runtime_error"
    """With another exit status, an exception, or a signal."""
    COMPILE_ERROR = "compile_error"
    CPU_TIME = "cpu_time"
    WALL_TIME = "wall_time"
    """It waited for something until its wall-clock limit."""
    OVER_BUDGET = "over_budget"
    """All runs of the program together used up its budget."""
    MEMORY = "memory"
    OUTPUT_LIMIT = "output_limit"
    BROKE_SANDBOX = "broke_sandbox"
    """The sandbox broke, twice, and works without this program."""
    BAD_TESTS = "bad_tests"
    """The tests cannot be run like this; the program is not the cause."""
    NOT_RUN = "not_run"
    """An earlier run made this one pointless."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Resources that each run of a program may use.

    Args:
        cpu_seconds: Processor time. This limit decides, so that a loaded machine does not fail a program.
        memory: Bytes of address space, or of writable memory where a runtime reserves more than it uses.
        output: Bytes of standard output, or of answers; and of standard error.
        wall_seconds: Time on the clock, which ends programs that wait. What the machine keeps a program
            waiting for, because others run, does not count where the kernel says how long that was.
        budget_seconds: Processor time and waiting of all runs together; None for no such limit.
    """

    cpu_seconds: float = 10.0
    memory: int = 1 << 30
    output: int = 1 << 20
    wall_seconds: float = 31.0
    budget_seconds: float | None = None

    @property
    def compile_seconds(self) -> float:
        """Processor time of the compiler: as much as all runs together may use, within bounds.

        It is no part of their budget: what has been compiled before is not compiled again.
        """
        budget = COMPILE_MOST if self.budget_seconds is None else self.budget_seconds
        return min(COMPILE_MOST, max(COMPILE_LEAST, budget))


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of the program's functions; values are encoded by `verifiers.code.jail.codec`.

    Args:
        truth: Answer ``bool(result)``.
    """

    function: str
    arguments: tuple[Any, ...] = ()
    keywords: tuple[tuple[str, Any], ...] = ()
    truth: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """Tests that are themselves code.

    Args:
        tests: Sources; one that raises fails.
        setup: Source that is executed before them.
        names: (name in the tests, name in the program) of each function that they share.
        imports: Modules that the tests use without importing them.
        modules: Names under which the tests import the program.
        objects: (name in the tests, name in the program) of what they look at instead of calling it: classes,
            constants, functions that are values.
        classes: Names there of those that they mean as classes.
        visible: Run program and tests in one process. The tests can then be cheated.
    """

    tests: tuple[str, ...]
    setup: str = ""
    names: tuple[tuple[str, str], ...] = ()
    imports: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    objects: tuple[tuple[str, str], ...] = ()
    classes: tuple[str, ...] = ()
    visible: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Outcome of one input, call or test."""

    cause: Cause
    output: bytes = b""
    errors: bytes = b""
    answer: Any = None
    detail: str = ""
    cpu_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Job:
    """One program and what to run it on: `stdins`, `calls` or `script`.

    Args:
        language: A row of `verifiers.code.engine.program_languages`.
        code: The program.
        limits: For each run.
        stdins: Standard inputs; each gets a fresh process.
        calls: Calls, answered by one process one after the other.
        script: Tests that are code.
        go_on: Called with each run and its position as soon as it ended; after False no further run is
            needed. An engine on another machine may ignore it.
    """

    language: str
    code: str
    limits: Limits = field(default_factory=Limits)
    stdins: tuple[bytes, ...] = ()
    calls: tuple[Call, ...] = ()
    script: Script | None = None
    go_on: Callable[[int, Run], bool] | None = field(default=None, compare=False)

    @property
    def size(self) -> int:
        """Number of runs in a report on this job."""
        return len(self.script.tests) if self.script else len(self.stdins) or len(self.calls)


@dataclass(frozen=True, slots=True)
class Report:
    """Outcome of a job.

    Args:
        runs: One for each input, call or test, in order; empty if there is an error.
        isolation: The tier in which it ran.
        unavailable: Missing package and its install command; nothing is known about the program.
        error: Failure of the machinery, twice; nothing is known about the program.
    """

    runs: tuple[Run, ...] = ()
    isolation: str = ""
    unavailable: str = ""
    error: str = ""


class Engine(Protocol):
    """Runs jobs, here or elsewhere."""

    def run(self, jobs: Sequence[Job]) -> list[Report]:
        """One report per job, in order. Usable from any thread.

        Raises:
            SandboxError: Programs cannot be isolated as they should be.
        """
        ...
