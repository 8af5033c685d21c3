"""Killable worker processes, for work that no timer inside a process can bound.

One bigint power holds the GIL for minutes, so neither a thread nor an event loop can stop it, and
signals reach the main thread only. Here a task runs in a child process and the parent keeps the time.

* The child is started by exec of ``python -m ...runtime.worker``, never by a plain fork: that is safe after
   CUDA is initialised and with threads, and a user's script needs no ``__main__`` guard.
* Processor time judges a task: the kernel ends the child when a task has used its share. The wall-clock
  limit is several times larger and enforced by the parent; it ends sleepers.
* A task goes to the child as pickle and its result comes back as JSON (or raw bytes), so that a child
  that was subverted by its input cannot run code in the parent.
"""

from __future__ import annotations

import atexit
import os
import pickle
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ..errors import ConfigError
from .forks import forgets, new_lock
from .process import NOT_SENT, START_SECONDS, DeathError, Outcome, WorkerError, WorkerProcess
from .threads import GivenUpError, given_up, in_threads, slot, using

CPU_SECONDS = 2.0
"""Processor time of a task. Deciding an ordinary pair of formulas takes a few milliseconds; showing that
(x+1)^100 (x-1)^100 is (x^2-1)^100 takes 0.7 s."""
WALL_FACTOR = 5.0
"""Wall-clock limit as a multiple of the processor time, so that load does not decide."""
TASKS_PER_WORKER = 8
"""Tasks of a batch for which a further worker is asked. Its start, with sympy, takes 1.5 s of processor time,
and an ordinary question a tenth of a second."""
MEMORY_BYTES = 2 << 30
"""Address space of a child. Sympy with its parser takes 0.3 GB."""

T = TypeVar("T")


class WorkerPool:
    """A pool of child processes, started when they are needed and kept warm.

    Usable from any thread; after a fork the child process gets an empty pool of its own.

    Args:
        size: Most processes at a time; None for one per core that this process may use.
        memory: Address space of each child, in bytes; None for no limit.
        secrets: Whether children get the variables that hold keys: for recipes, whose judges ask services.
    """

    def __init__(
        self, size: int | None = None, *, memory: int | None = MEMORY_BYTES, secrets: bool = False
    ) -> None:
        if size is not None and size < 1:
            raise ConfigError(f"WorkerPool: size must be at least 1, got {size}")
        self.size = size or available_cores()
        self.memory, self.secrets = memory, secrets
        self._reset()
        _POOLS.append(self)
        forgets(self)

    def run(
        self,
        function: str,
        arguments: tuple[Any, ...],
        *,
        cpu_seconds: float | None = CPU_SECONDS,
        wall_seconds: float | None = None,
        ahead: tuple[str, ...] = (),
        fork: bool = False,
    ) -> Outcome:
        """Run a function in a worker and wait for what becomes of it.

        Args:
            function: Import path, ``"package.module:name"``. It returns JSON data or bytes.
            arguments: Anything that pickles.
            cpu_seconds: Processor time that the task may use; None for no limit.
            wall_seconds: Time that it may take; None for `WALL_FACTOR` times `cpu_seconds`.
            ahead: Modules that the worker imports before its first such task, at no task's cost, besides the
                function's own; those with a function ``warm_up`` are warmed up.
            fork: Run it in a fork of the worker, which must have no threads. Ending such a task costs no new
                worker, and no task finds what another left, in a cache say; where there is no fork, as on
                Windows, it runs in the worker itself.

        Never raises for what the arguments are: what cannot be sent is an outcome like any other.
        """
        try:
            payload = pickle.dumps((function, arguments, cpu_seconds, fork), protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # whatever a ``__reduce__`` raises, and RecursionError for what is nested
            return Outcome(False, None, NOT_SENT, f"{type(error).__name__}: {error}"[:1000], by_task=False)
        if wall_seconds is None and cpu_seconds is not None:
            wall_seconds = WALL_FACTOR * cpu_seconds
        modules = (function.partition(":")[0], *ahead)
        try:
            return self._outcome(payload, wall_seconds, modules)
        except GivenUpError as error:
            return Outcome(False, None, "worker", str(error), by_task=False)

    def run_all(self, tasks: Sequence[Callable[[], T]]) -> list[T]:
        """Make calls that each wait for a worker, several at once, and give what they return, in order.

        Args:
            tasks: Calls of `run`, with what is made of their outcomes.

        Raises:
            BaseException: What a call raises, or an interrupt; the rest is given up at once.
        """
        # A worker that must be started first costs as much as many tasks.
        threads = min(self.size, -(-len(tasks) // TASKS_PER_WORKER))
        if threads < 2:
            return [task() for task in tasks]
        return in_threads(tasks, threads)

    def close(self) -> None:
        """End all idle children and wait for them. The pool stays usable."""
        with self._lock:
            workers = list(self._idle)
            self._idle.clear()
        for worker in workers:
            self._end(worker)

    def stop(self) -> None:
        """End all children at once, busy ones too; the pool starts no others."""
        with self._lock:
            self._stopped = True
            busy = self._workers - set(self._idle)
        for worker in busy:
            worker.kill()  # the thread that waits for it is told, and puts it away
        self.close()

    # ------------------------------------------------------------------------------------------

    def _reset(self) -> None:
        self._lock = new_lock()
        self._stopped = False
        self._idle: list[WorkerProcess] = []
        self._workers: set[WorkerProcess] = set()
        # A task holds one worker, so limiting the tasks limits the workers.
        self._tasks = threading.Semaphore(self.size)

    def _outcome(self, payload: bytes, wall_seconds: float | None, modules: tuple[str, ...]) -> Outcome:
        outcome = self._attempt(payload, wall_seconds, modules)
        if outcome.ok or outcome.reason in ("exception", "cpu_time", "memory"):
            # The child reported it, or the kernel did by its own accounts: nothing to doubt.
            return outcome
        # A crash, or the wall clock on a machine that may be loaded: once more in a fresh worker.
        again = self._attempt(payload, wall_seconds, modules)
        if again.ok or self._canary():
            return again
        return Outcome(False, None, "worker", f"workers break here: {again.detail}", by_task=False)

    def _attempt(self, payload: bytes, wall_seconds: float | None, modules: tuple[str, ...] = ()) -> Outcome:
        with slot(self._tasks):
            try:
                worker = self._take()
            except WorkerError as error:
                return Outcome(False, None, "worker", str(error), by_task=False)
            begun = False
            try:
                with using(worker):
                    for module in modules:
                        if module not in worker.loaded:
                            task = pickle.dumps(
                                ("reward_verifiers.verifiers.runtime.worker:load", (module,), None, False)
                            )
                            worker.ask(task, START_SECONDS)
                            worker.loaded.add(module)
                    begun = True
                    outcome = worker.ask(payload, wall_seconds)
            except DeathError as death:
                self._end(worker)
                # What ends a worker before it has the task says nothing about the task.
                return Outcome(False, None, death.reason, death.detail, by_task=begun)
            except BaseException:
                # KeyboardInterrupt in the middle of a task: its answer must not reach the next one.
                self._end(worker)
                raise
            with self._lock:
                self._idle.append(worker)
            return outcome

    def _take(self) -> WorkerProcess:
        with self._lock:
            if self._stopped or given_up():
                raise GivenUpError("nobody waits for it any more")
            if self._idle:
                return self._idle.pop()
        worker = WorkerProcess(self.memory, secrets=self.secrets)
        with self._lock:
            self._workers.add(worker)
            if self._stopped:
                worker.kill()
        return worker

    def _end(self, worker: WorkerProcess) -> None:
        with self._lock:
            self._workers.discard(worker)
        worker.end()

    def _canary(self) -> bool:
        answer = self._attempt(
            pickle.dumps(("reward_verifiers.verifiers.runtime.worker:echo", ("canary",), None, False)),
            START_SECONDS,
        )
        return answer.ok and answer.value == "canary"

    def after_fork(self) -> None:
        """In a forked child: leave the processes to the parent, and begin with none."""
        self._reset()


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


_POOLS: list[WorkerPool] = []
_shared: WorkerPool | None = None
_shared_lock = new_lock()


def shared_pool() -> WorkerPool:
    """The pool that all verifiers of this process use."""
    global _shared  # noqa: PLW0603  (one pool per process is the point)
    with _shared_lock:
        if _shared is None:
            _shared = WorkerPool()
        return _shared


def _close_all() -> None:
    for pool in _POOLS:
        pool.stop()  # daemon threads may still be waiting for workers, and would start others


atexit.register(_close_all)
