"""The killable worker: bounded, reusable, usable from anywhere, gone at exit."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.support import FIXTURES, ROOT, python
from tests.timing import HANG, SOAK, children_seconds, timed, until, within
from verifiers import MathEquivalence, Verdict
from verifiers.runtime.pool import Outcome, WorkerPool

ECHO = "verifiers.runtime.worker:echo"


@pytest.fixture
def pool() -> WorkerPool:
    """A pool of two, closed afterwards."""
    made = WorkerPool(2)
    yield made
    made.close()


def _in_thread(work: object) -> Outcome:
    done: list[Outcome] = []
    thread = threading.Thread(target=lambda: done.append(work()))  # type: ignore[operator]
    thread.start()
    thread.join()
    return done[0]


def test_work_that_holds_the_gil_is_ended_from_another_thread(pool: WorkerPool) -> None:
    """9**9**9 never lets an interpreter's other threads run; the deadline holds all the same."""
    before = children_seconds()
    # The clock on the wall ends a task as well, sooner than its own account on a machine that is busy.
    outcome = _in_thread(lambda: pool.run("operator:pow", (9, 9**9), cpu_seconds=0.3, wall_seconds=120))
    assert (outcome.ok, outcome.reason, outcome.by_task) == (False, "cpu_time", True)
    assert children_seconds() - before < 5
    assert pool.run(ECHO, ("next",)).value == "next"


def test_a_sleeper_is_ended_by_the_wall_clock(pool: WorkerPool) -> None:
    """It uses no processor time, so the parent's clock must do it."""
    outcome = pool.run("time:sleep", (60,), wall_seconds=0.2)
    assert (outcome.reason, outcome.by_task) == ("wall_time", True)


def test_a_task_that_gets_no_processor_is_not_ended_for_it(pool: WorkerPool) -> None:
    """It may wait for its turn for as long as nobody would call it stuck: only what it uses counts."""
    assert pool.run("time:sleep", (0.6,), cpu_seconds=0.1).ok


def test_memory_is_limited() -> None:
    """A task that needs too much gets its own reason, and the next one a fresh process."""
    pool = WorkerPool(1, memory=512 << 20)
    assert pool.run("builtins:bytearray", (1 << 30,)).reason == "memory"
    assert pool.run(ECHO, ("next",)).value == "next"
    pool.close()


def test_a_crash_is_blamed_on_the_task_only_after_a_second_try(pool: WorkerPool) -> None:
    """A fresh worker crashes too and a canary lives: the task did it."""
    outcome = pool.run("os:abort", ())
    assert (outcome.reason, outcome.by_task) == ("crash", True)


def test_a_worker_that_dies_before_it_has_the_task_says_nothing_about_it(
    pool: WorkerPool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that is killed while it loads what the task needs."""
    (tmp_path / "ends_its_worker.py").write_text("import os\nos.kill(os.getpid(), 9)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    outcome = pool.run("ends_its_worker:anything", ())
    assert (outcome.ok, outcome.reason, outcome.by_task) == (False, "crash", False)
    assert pool.run(ECHO, ("next",)).value == "next"


def test_an_exception_is_reported(pool: WorkerPool) -> None:
    """With its type and message, and the worker lives on."""
    outcome = pool.run("json:loads", ("{",))
    assert outcome.reason == "exception"
    assert "JSONDecodeError" in outcome.detail


def test_when_no_worker_can_start_nobody_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machinery is broken: a FAULT, not a wrong answer."""
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    pool = WorkerPool(1)
    outcome = pool.run(ECHO, ("x",))
    assert (outcome.ok, outcome.by_task) == (False, False)
    assert "/nonexistent/python" in outcome.detail


class Unsendable:
    """Raises when it is pickled."""

    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    def __reduce__(self) -> Any:
        raise self.error("no")


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "given",
    [lambda: 0, threading.Lock(), _nested(100_000), *map(Unsendable, (ValueError, MemoryError, OSError))],
)
def test_what_cannot_be_sent_is_an_outcome(pool: WorkerPool, given: Any) -> None:
    """Like any other that says nothing of a completion, and the pool works on."""
    outcome = pool.run(ECHO, (given,))
    assert (outcome.ok, outcome.reason, outcome.by_task) == (False, "not_sent", False)
    assert outcome.detail
    assert pool.run(ECHO, (1,)).value == 1


def test_an_answer_that_cannot_be_read_is_an_outcome(pool: WorkerPool) -> None:
    """What nests in an answer is the task's, and the worker is used again."""
    outcome = pool.run("tests.verifiers.runtime.test_worker:nested_answer", (100_000,))
    assert (outcome.ok, outcome.reason, outcome.by_task) == (False, "exception", False)
    assert pool.run(ECHO, (1,)).value == 1


def nested_answer(depth: int) -> Any:
    """Runs in a worker."""
    return _nested(depth)


def test_many_threads_share_a_pool(pool: WorkerPool) -> None:
    """Each gets its own answer, and there are never more processes than the pool's size."""
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda number: pool.run(ECHO, (number,)).value, range(200)))
    assert answers == list(range(200))
    assert len(pool._workers) <= 2


def test_an_event_loop_can_wait_for_it(pool: WorkerPool) -> None:
    """Through a thread, as asyncio does with everything that blocks."""

    async def ask_all() -> list[object]:
        outcomes = await asyncio.gather(
            *(asyncio.to_thread(pool.run, ECHO, (number,)) for number in range(20))
        )
        return [outcome.value for outcome in outcomes]

    assert asyncio.run(ask_all()) == list(range(20))


def test_an_interrupt_loses_no_place_of_the_pool() -> None:
    """Wherever it comes, and while its traceback is kept: the next question finds as many places as before.

    A profile function stands for the signal, at calls and returns of what hands workers out.
    """
    pool = WorkerPool(1)
    handing_out = ("pool.py", "threading.py", "contextlib.py", "thread.py")
    kept: list[BaseException] = []

    def ask(at: int) -> int:
        seen = 0

        def profile(frame: FrameType, event: str, argument: object) -> None:
            nonlocal seen
            seen += frame.f_code.co_filename.endswith(handing_out)
            if seen == at:
                sys.setprofile(None)
                raise KeyboardInterrupt

        sys.setprofile(profile)
        try:
            pool.run("math:factorial", (5,))
        finally:
            sys.setprofile(None)
        return seen

    with contextlib.closing(pool):
        for at in range(1, 100_000, 1 if SOAK else 5):
            try:
                if ask(at) < at:  # what is raised in a weak reference's callback Python loses
                    break
            except KeyboardInterrupt as error:
                kept.append(error)
            until(lambda: pool._slots._value == 1)
        assert len(kept) > 5
        assert pool.run("math:factorial", (5,)).value == 120


LATE = """
import threading, time
from verifiers import verifier

@verifier(isolate=True)
def short(response):
    return len(response) < 3

def late():
    threading.main_thread().join()
    while not threading._SHUTTING_DOWN:
        time.sleep(0.01)
    print([each.score for each in short.verify_batch(["x", "xxx"])])

threading.Thread(target=late).start()
"""


def test_a_thread_that_python_waits_for_may_be_the_first_to_ask() -> None:
    """Though Python is at its end, and the module with the pool is loaded only then."""
    assert python(LATE) == "[1.0, 0.0]\n"


def test_large_messages_pass_both_ways(pool: WorkerPool) -> None:
    """Larger than any pipe buffer."""
    text = "가" * 3_000_000
    assert pool.run(ECHO, (text,)).value == text


def test_the_worker_ignores_what_libraries_print(pool: WorkerPool) -> None:
    """The pipe carries answers only."""
    assert pool.run("builtins:print", ("noise",)).ok
    assert pool.run(ECHO, ("x",)).value == "x"


def test_nothing_in_the_current_folder_shadows_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user's json.py or verifiers.py next to the script stays out of the worker."""
    (tmp_path / "json.py").write_text("raise SystemExit('shadowed')")
    (tmp_path / "verifiers.py").write_text("raise SystemExit('shadowed')")
    monkeypatch.chdir(tmp_path)
    pool = WorkerPool(1)
    assert pool.run(ECHO, ("x",)).value == "x"
    assert pool.run("os:getcwd", ()).reason == "exception"  # its folder is gone, so it can hold nothing
    pool.close()


SCRIPT = (FIXTURES / "scripts" / "workers_and_forks.py").read_text(encoding="utf-8")


def _script(tmp_path: Path, fork: bool) -> list[str]:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.replace("{fork}", str(fork)).replace("{ok}", "{ok}"))
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_script_needs_no_main_guard_and_leaves_no_process(tmp_path: Path) -> None:
    """The child is started by exec, so the script is not imported again; at exit it is gone."""
    lines = _script(tmp_path, fork=False)
    assert lines[0] == "parent True"
    for pid in lines[1].split()[1:]:
        assert not Path(f"/proc/{pid}").exists()


def test_a_forked_process_gets_workers_of_its_own(tmp_path: Path) -> None:
    """As data loaders and trainers fork, with a warm pool in the parent."""
    lines = _script(tmp_path, fork=True)
    assert lines[:2] == ["child True", "parent True"]


def test_a_killed_parent_leaves_no_worker() -> None:
    """The worker sees its pipe close, even after kill -9."""
    code = (
        "import time; from verifiers.runtime.pool import shared_pool as s; p = s(); "
        f"p.run({ECHO!r}, (1,)); print(*[w._process.pid for w in p._workers], flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert parent.stdout is not None
    pids = parent.stdout.readline().split()
    assert pids
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until(lambda: not any(Path(f"/proc/{int(pid)}").exists() for pid in pids))


@pytest.mark.parametrize("where", ["main", "thread", "loop"])
def test_a_hostile_answer_is_bounded_everywhere(where: str) -> None:
    """The field's graders freeze the whole process on this one off the main thread."""
    hostile = r"\boxed{9^{9^{9^{9}}}}"
    judge = MathEquivalence()

    def ask() -> Verdict:
        if where == "main":
            return judge.verify(hostile, "42")
        if where == "thread":
            with ThreadPoolExecutor(1) as threads:
                return threads.submit(judge.verify, hostile, "42").result()
        return asyncio.run(asyncio.to_thread(judge.verify, hostile, "42"))

    judge.verify(hostile.replace("9", "8"), "42")  # loads what it needs
    verdict, seconds = timed(ask)
    assert (verdict.score, verdict.reason) == (0.0, "over_limit")
    assert within(seconds, 0.1)
