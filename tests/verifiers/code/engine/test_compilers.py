"""Compilers run within the verifier's limits, and a program is only blamed for what it did."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from tests.support import first_of_each
from verifiers import CodePassRate
from verifiers.code.engine import local_engine, program_languages, protocol
from verifiers.code.engine.builds import Built
from verifiers.code.engine.launcher_process import Launcher, LauncherError
from verifiers.code.engine.local_engine import LocalEngine
from verifiers.code.engine.program_languages import LANGUAGES, toolchain
from verifiers.code.engine.protocol import Cause, Job, Limits, Run
from verifiers.code.jail.resources import descendants
from verifiers.core.verdicts import Sample

ENDLESS = """#![allow(long_running_const_eval)]
const X: u64 = { let mut i: u64 = 0; loop { i += 1; if i == 1 << 40 { break; } } i };
fn main() { println!("{}", X); }"""
DOUBLE = '#include <stdio.h>\nint main(void) { int n; scanf("%d", &n); printf("%d\\n", n * 2); return 0; }'
TESTS = {"stdio": [{"input": "21\n", "output": "42\n"}]}


def _present(name: str) -> None:
    if missing := toolchain(name).missing:
        pytest.skip(missing)


@pytest.fixture
def engine() -> Iterator[LocalEngine]:
    """One of its own."""
    made = LocalEngine(size=1)
    yield made
    made.close()


def test_a_compiler_has_what_all_tests_together_have() -> None:
    """Within bounds: a plain program takes some seconds, and none takes a minute."""
    for budget, expected in ((None, 60.0), (1.0, 10.0), (20.0, 20.0), (300.0, 60.0)):
        assert Limits(budget_seconds=budget).compile_seconds == expected
    for timeout, expected in ((0.5, 10.0), (2.0, 20.0), (10.0, 60.0)):
        [job] = CodePassRate("c", timeout=timeout)._asked(_sample()).plan.jobs
        assert job.limits.compile_seconds == expected


@pytest.mark.slow
def test_a_constant_that_is_worked_out_for_ever_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the verdict says that it was the compiler's."""
    _present("rust")
    monkeypatch.setattr(protocol, "COMPILE_LEAST", 2.0)
    verdict = CodePassRate("rust", budget=2.0).verify(
        f"```rust\n{ENDLESS}\n```", {"stdio": [{"output": "1"}]}
    )
    assert (verdict.score, verdict.reason) == (0.0, "compile_error"), verdict.detail
    assert "the compiler used up its 2 s of processor time" in verdict.detail


def test_a_compiler_that_somebody_else_ends_is_asked_again() -> None:
    """Nothing of it is remembered: the second attempt is what counts."""
    _present("c")
    killed: list[int] = []
    for attempt in range(100):  # a compiler may be done before a busy machine has looked for it
        program = f"```c\n{DOUBLE}// killed {attempt}\n```"
        with _killing("cc1", killed, most=1):
            verdict = CodePassRate("c").verify(program, TESTS)
        assert verdict.score == 1.0, verdict.detail
        assert CodePassRate("c").verify(program, TESTS).score == 1.0
        if killed:
            break
    assert killed, "nothing was there to be killed"


def test_where_nothing_compiles_no_program_is_to_blame(
    engine: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler that is installed and does not work: a fault, with its own words."""
    _present("c")
    broken = replace(LANGUAGES["c"], build=(("{tool}", "--no-such-option", "main.c"),))
    monkeypatch.setitem(program_languages.LANGUAGES, "c", broken)
    [report] = engine.run([Job("c", DOUBLE, Limits(), stdins=(b"21\n",))])
    assert "does not even compile a plain program here" in report.error
    assert "no-such-option" in report.error


def test_a_program_that_does_not_compile_is_compiled_once(
    engine: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its fault is remembered, after a plain program has shown that the compiler works."""
    _present("c")
    seen: list[str] = []
    real = local_engine.build

    def noted(launcher: Launcher, language: str, code: str, folder: str, limits: Limits) -> Built:
        seen.append(code)
        return real(launcher, language, code, folder, limits)

    monkeypatch.setattr(local_engine, "build", noted)
    for _ in range(2):
        [report] = engine.run([Job("c", "int main(", Limits(), stdins=(b"",))])
        assert report.runs[0].cause is Cause.COMPILE_ERROR
    assert seen == ["int main(", LANGUAGES["c"].plain]


def test_trouble_of_the_host_is_not_remembered(engine: LocalEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    _present("c")
    real, tried = local_engine.build, []

    def troubled(launcher: Launcher, language: str, code: str, folder: str, limits: Limits) -> Built:
        tried.append(code)
        if len(tried) == 1:
            raise LauncherError("the compiler was ended, and not by its limits")
        return real(launcher, language, code, folder, limits)

    monkeypatch.setattr(local_engine, "build", troubled)
    [report] = engine.run([Job("c", DOUBLE, Limits(), stdins=(b"21\n",))])
    assert (report.runs[0].cause, report.runs[0].output, len(tried)) == (Cause.OK, b"42\n", 2)


@pytest.mark.parametrize("name", first_of_each(name for name, row in LANGUAGES.items() if row.build))
def test_every_compiler_has_a_plain_program(engine: LocalEngine, name: str) -> None:
    """And takes it, in the least time that any has."""
    _present(name)
    limits = Limits(memory=16 << 20, budget_seconds=1.0)
    [report] = engine.run([Job(name, LANGUAGES[name].plain, limits, stdins=(b"",))])
    assert report.runs, report.error
    assert report.runs[0].cause is not Cause.COMPILE_ERROR, report.runs[0]


def test_what_is_kept_of_builds_is_bounded() -> None:
    """Programs that do not compile count, too, with what their compilers said."""
    failed = Built(failed=Run(Cause.COMPILE_ERROR, errors=b"x" * 5000))
    assert failed.weight > 5000
    assert Built(b"x" * 9000).weight > 9000


def _sample() -> Sample:
    return Sample("", "", reference=TESTS)


@contextmanager
def _killing(name: str, killed: list[int], most: int) -> Iterator[None]:
    """End descendants of this process that have a name, as a host that is out of memory does."""
    over = threading.Event()

    def look() -> None:
        while not over.is_set() and len(killed) < most:
            for pid in descendants(os.getpid()):
                try:
                    with open(f"/proc/{pid}/comm") as file:
                        if file.read().strip() == name:
                            os.kill(pid, signal.SIGKILL)
                            killed.append(pid)
                            break
                except OSError:
                    continue
            time.sleep(0.001)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
