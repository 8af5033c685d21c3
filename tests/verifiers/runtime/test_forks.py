"""Nothing hangs in a forked child, whatever other threads of its parent were in the middle of."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import dataclasses
import gc
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from adapters.hosts.row_calls import Gatherer
from benchmarks import forks as tool
from tests.support import FIXTURES, ROOT
from tests.timing import SOAK
from verifiers import verifier
from verifiers.code.engine.local_engine import LocalEngine
from verifiers.code.engine.protocol import Job, Limits
from verifiers.runtime import forks
from verifiers.runtime.forks import cached_property, forgets, new_lock, new_rlock, whole
from verifiers.runtime.pool import WorkerPool, shared_pool
from verifiers.runtime.worker_process import WorkerProcess

PACKAGES = ("verifiers", "rewards", "adapters", "training")
OWN = {"verifiers/runtime/forks.py", "verifiers/code/jail/bridge/link.py"}
"""Where locks are made, and a program in the sandbox, which cannot import us and has no threads of ours."""
MADE = {"Lock", "RLock", "cached_property"}
LIMIT = 120
"""Seconds on the wall: a hang lasts for ever, and nothing else takes so long on any machine."""


def in_child(work: Callable[[], bool]) -> bool:
    """Whether something is so in a forked child; False if it raises, or does not end."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if work() else 2
        finally:
            os._exit(status)
    ended = threading.Event()
    guard = threading.Timer(LIMIT, lambda: None if ended.is_set() else os.kill(child, 9))
    guard.start()
    try:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        ended.set()
        guard.cancel()


def holding(hold: Callable[[], Any], release: Callable[[], Any]) -> Iterator[None]:
    """Another thread holds something meanwhile."""
    held, over = threading.Event(), threading.Event()

    def run() -> None:
        hold()
        held.set()
        over.wait()
        release()

    thread = threading.Thread(target=run)
    thread.start()
    held.wait()
    yield
    over.set()
    thread.join()


@pytest.mark.slow
def test_children_beside_verifying_threads_judge_and_end() -> None:
    """Forked at random moments, from the first row on; `python -m benchmarks.forks` has 200 of them."""
    found = tool.run(200 if SOAK else 8)
    assert not found["hung"], found["hung"]
    assert not found["wrong"], found["wrong"]


@pytest.mark.parametrize("make", [new_lock, new_rlock])
def test_an_own_lock_is_free_in_a_child(make: Callable[[], Any]) -> None:
    """Whoever held it; the parent's holder holds it still."""
    lock = make()
    for _ in holding(lock.acquire, lock.release):
        assert in_child(lambda: lock.acquire(timeout=1))
        assert not lock.acquire(blocking=False)
    assert lock.acquire(blocking=False)


def test_what_is_to_forget_does_so_in_the_child_alone() -> None:
    """As long as it lives."""

    class Thing:
        told = 0

        def after_fork(self) -> None:
            self.told += 1

    thing, gone = Thing(), Thing()
    forgets(thing)
    forgets(gone)
    del gone
    assert in_child(lambda: thing.told == 1)
    assert thing.told == 0


def test_a_fork_waits_for_what_must_be_whole() -> None:
    """What a thread was in the middle of is done in the child, or not begun; of one's own one is no prisoner."""
    steps: list[int] = []
    begun = threading.Event()

    def two_steps() -> None:
        with whole():
            steps.append(1)
            begun.set()
            threading.Event().wait(0.2)
            steps.append(2)

    thread = threading.Thread(target=two_steps)
    thread.start()
    begun.wait()
    assert in_child(lambda: steps == [1, 2])
    thread.join()
    with whole():
        assert in_child(lambda: True)


def test_a_child_imports_what_a_thread_was_importing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It finds all of the module: neither a lock that nobody gives back, nor one half."""
    (tmp_path / "slowly.py").write_text("import time\nhalf = 1\ntime.sleep(0.3)\nwhole = 2\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    thread = threading.Thread(target=lambda: __import__("slowly"))
    thread.start()
    while "slowly" not in sys.modules:
        threading.Event().wait(0.001)
    assert in_child(lambda: __import__("slowly").whole == 2)
    thread.join()


def test_what_never_ends_is_waited_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that runs a program when it is imported must not hold up each fork beside it."""
    (tmp_path / "program.py").write_text("import over\nover.over.wait()\n")
    (tmp_path / "over.py").write_text("import threading\nover = threading.Event()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(forks, "MOST_WAITING", 0.3)
    waited: list[float] = []
    monkeypatch.setattr(forks, "_endless", set())
    monkeypatch.setattr(forks.time, "sleep", waited.append)
    thread = threading.Thread(target=lambda: __import__("program"))
    thread.start()
    while "program" not in sys.modules or "over" not in sys.modules:
        threading.Event().wait(0.001)
    assert in_child(lambda: True)
    assert waited
    waited.clear()
    assert in_child(lambda: True)
    assert not waited
    __import__("over").over.set()
    thread.join()


def test_calls_under_way_are_the_parents_alone() -> None:
    """A child finds a gatherer and a trainer's batches as new ones, whatever threads of the parent wait for."""
    begun, over = threading.Event(), threading.Event()

    def judge(rows: Sequence[str]) -> list[int]:
        if rows[0] == "waits":
            begun.set()
            over.wait()
        return [len(row) for row in rows]

    gatherer = Gatherer[str, int](judge, together=True)
    thread = threading.Thread(target=gatherer.call, args=(["waits"],))
    thread.start()
    begun.wait()
    assert in_child(lambda: gatherer.call(["ab"]) == [2] and asyncio.run(gatherer.call_async(["abc"])) == [3])
    over.set()
    thread.join()


@pytest.mark.slow
def test_a_child_beside_starting_and_ending_processes_ends() -> None:
    """Workers and launchers that threads start and put away, for as long as it forks: no hook waits."""
    over, engine, job = (
        threading.Event(),
        LocalEngine(size=2),
        Job("python", "print(1)", Limits(), stdins=(b"",)),
    )

    def workers() -> None:
        while not over.is_set():
            WorkerProcess(None).end()

    def launchers() -> None:
        while not over.is_set():
            engine.run([job])
            engine.close()

    threads = [threading.Thread(target=each) for each in (workers, workers, workers, launchers)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(4000 if SOAK else 200):
            assert in_child(lambda: True)
    finally:
        over.set()
        for thread in threads:
            thread.join()


def test_workers_are_the_parents_alone() -> None:
    """The child begins with none, has none of their pipes, and starts its own."""
    with_worker = verifier(isolate=True)(lambda response: response == "x")
    assert with_worker.verify("x").passed
    workers = list(shared_pool()._workers)
    pipes = [worker._output for worker in workers]
    assert workers

    def child() -> bool:
        for pipe in pipes:
            with contextlib.suppress(OSError):
                os.fstat(pipe)
                return False
        return not shared_pool()._workers and with_worker.verify("x").passed and _closed(shared_pool())

    assert in_child(child)
    assert workers == list(shared_pool()._workers)
    assert with_worker.verify("y").score == 0.0


def _closed(pool: WorkerPool) -> bool:
    pool.close()
    return True


SWEEP = (FIXTURES / "scripts" / "locks_over_a_fork.py").read_text(encoding="utf-8")
PYTHONS = (
    "concurrent.futures.thread.",
    "logging.",
    "threading.",
    "reward_verifiers.verifiers.runtime.forks._gate",
)
"""Locks that are held over a fork and given back on both sides: Python's own, and ours."""
NO_VERDICT = {
    "ipaddress._BaseNetwork.broadcast_address": "addresses of networks are no part of a verdict",
    "ipaddress._BaseNetwork.hostmask": "the same",
    "ipaddress.IPv4Interface.hostmask": "the same",
    "ipaddress.IPv6Interface.hostmask": "the same",
    "platform.uname_result.processor": "the name of the processor is no part of a verdict",
}


def test_no_lock_that_judging_loads_survives_a_fork() -> None:
    """Those of libraries included: all that modules and classes hold are held by a thread, and free in a child."""
    done = subprocess.run(
        [sys.executable, "-c", SWEEP.replace("sys.argv[1].split()", repr(PYTHONS))],
        capture_output=True, text=True, check=False, cwd=ROOT, timeout=LIMIT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    count, *left = done.stdout.split()
    assert int(count) > 5
    assert set(left) <= set(NO_VERDICT)


def _made_in(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if not any(name in text for name in MADE):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module in ("functools", "threading"):
            yield from (each.name for each in node.names if each.name in MADE)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("threading", "functools"):
            yield from [node.attr] if node.attr in MADE else []


def test_locks_are_made_in_one_place() -> None:
    """So each is made anew in a child."""
    found = {
        str(path.relative_to(ROOT)): [*_made_in(path)]
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
    }
    assert {name for name, made in found.items() if made} <= OWN | {"verifiers/core/object_reader.py"}


# Values that are kept ------------------------------------------------------------------------------


class Counted:
    """Counts how often its value is worked out."""

    times = 0

    @cached_property
    def value(self) -> int:
        """What it is."""
        self.times += 1
        return self.times


def test_a_kept_value_is_worked_out_once_for_each_object() -> None:
    """It can be set and deleted, as any attribute, and belongs to its object alone."""
    one, other = Counted(), Counted()
    assert (one.value, one.value, other.value) == (1, 1, 1)
    del one.value
    assert one.value == 2
    one.value = 7
    assert one.value == 7
    assert Counted.value.__doc__ == "What it is."
    assert vars(other) == {"times": 1, "value": 1}


def test_an_error_is_not_kept() -> None:
    """What could not be worked out is tried again."""

    class Fails:
        left = 1

        @cached_property
        def value(self) -> str:
            self.left -= 1
            return "x"[self.left + 1 - 1 if self.left < 0 else 5]

    each = Fails()
    with pytest.raises(IndexError):
        _ = each.value
    assert each.value == "x"


def test_threads_that_meet_keep_one_value() -> None:
    """Both may work it out, and both get the same object."""
    together = threading.Barrier(8)

    class Met:
        @cached_property
        def value(self) -> object:
            together.wait()
            return object()

    each, found = Met(), []
    threads = [threading.Thread(target=lambda: found.append(each.value)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, found))) == 1


def test_a_frozen_class_keeps_values_and_one_of_slots_says_that_it_cannot() -> None:
    """The message has the cure."""

    @dataclasses.dataclass(frozen=True)
    class Frozen:
        size: int

        @cached_property
        def double(self) -> int:
            return 2 * self.size

    @dataclasses.dataclass(frozen=True, slots=True)
    class Slotted:
        size: int

        @cached_property
        def double(self) -> int:
            return 2 * self.size

    assert Frozen(2).double == 4
    with pytest.raises(
        TypeError, match="Slotted has no __dict__ in which 'double' could be kept; leave out `slots`"
    ):
        _ = Slotted(2).double


def _children() -> set[str]:
    """The processes that this one has started and not waited for."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # those of others end meanwhile
            if path.read_text(errors="replace").rpartition(")")[2].split()[1] == str(os.getpid()):
                found.add(path.parent.name)
    return found


def test_an_interrupt_during_a_start_leaves_no_process_behind() -> None:
    """At random moments of the start of a worker, and just after it."""
    chance, interrupts = random.Random(3), 0

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before, others = signal.signal(signal.SIGALRM, interrupt), _children()
    watchers, gc.callbacks[:] = list(gc.callbacks), []  # Python loses what is raised in one
    try:
        for _ in range(60):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0001 + 0.006 * chance.random())
                WorkerProcess(None).end()
            except KeyboardInterrupt:
                interrupts += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            assert _children() <= others
    finally:
        signal.signal(signal.SIGALRM, before)
        gc.callbacks[:] = watchers
    assert interrupts > 40
