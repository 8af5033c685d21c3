"""Killable worker processes, for work that no timer inside a process can bound; threads that wait for them.

One bigint power holds the GIL for minutes, so neither a thread nor an event loop can stop it, and signals
reach the main thread only. Here a task runs in a child process and the parent keeps the time. A thread cannot
be ended either, but what it waits for can: at Ctrl-C, or when Python ends, its calls are given up.

* The child is started by exec of ``python -m ...runtime.worker``, never by a plain fork: that is safe after
  CUDA is initialised and with threads, and a user's script needs no ``__main__`` guard.
* Processor time judges a task: the kernel ends the child when a task has used its share. The wall-clock
  limit is several times larger and enforced by the parent; it ends sleepers.
* A task goes to the child as pickle and its result comes back as JSON (or raw bytes), so that a child
  that was subverted by its input cannot run code in the parent.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import pickle
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from ..errors import ConfigError, VerifierError
from .forks import forgets, new_lock
from .worker_process import NOT_SENT, START_SECONDS, DeathError, Outcome, WorkerError, WorkerProcess

T = TypeVar("T")
_LOCAL = threading.local()
_LOOK_SECONDS = 0.2
"""Interval at which a thread that waits for its turn looks whether anybody still waits for it."""


class GivenUpError(VerifierError, RuntimeError):
    """Nobody wants the work of a thread any more."""


class Killable(Protocol):
    """Something that threads wait for."""

    def kill(self) -> None:
        """Have it end at once, so that whoever waits for it is told. From any thread, at any time."""
        ...


class Batch:
    """Calls that are made together.

    Args:
        waited_for: Whether Python waits for them when it ends: not if a daemon thread asked.
    """

    def __init__(self, waited_for: bool) -> None:
        self.waited_for, self.given_up = waited_for, False
        self._used: set[Killable] = set()
        self._threads: list[_thread.LockType] = []

    def start(self, work: Callable[[], None], count: int) -> int:
        """Do some work in so many threads; return how many could be started.

        What a thread and its caller share is locks of C alone: an interrupt of the caller inside a condition
        or an executor, which are Python, would leave them locked for ever.
        """

        def run(ended: _thread.LockType) -> None:
            try:
                work()
            finally:
                ended.release()

        for _ in range(count):
            ended = _thread.allocate_lock()
            ended.acquire()
            try:
                _thread.start_new_thread(run, (ended,))
            except RuntimeError:  # there are too many, or Python ends
                break
            self._threads.append(ended)
        return len(self._threads)

    def wait(self) -> None:
        """Wait until its threads have ended."""
        for ended in self._threads:
            with ended:
                pass

    def kill(self) -> None:
        """Give up the calls."""
        self.given_up = True
        for each in list(self._used):
            each.kill()

    @contextlib.contextmanager
    def using(self, process: Killable) -> Iterator[None]:
        """A thread waits for this meanwhile."""
        self._used.add(process)
        try:
            if self.given_up:
                process.kill()
            yield
        finally:
            self._used.discard(process)


_running: set[Batch] = set()
_over = threading.Event()


def current() -> Batch | None:
    """The batch that this thread works for."""
    found: Batch | None = getattr(_LOCAL, "batch", None)
    return found


def given_up() -> bool:
    """Return whether nobody waits any more for the work of this thread."""
    batch = current()
    return batch is not None and batch.given_up


@contextlib.contextmanager
def using(process: Killable) -> Iterator[None]:
    """This thread waits for a process meanwhile, which is ended where the thread's batch is given up."""
    batch = current()
    with contextlib.nullcontext() if batch is None else batch.using(process):
        yield


@contextlib.contextmanager
def slot(free: threading.Semaphore) -> Iterator[None]:
    """One of so many places for what is done at the same time, as soon as there is one.

    Raises:
        GivenUpError: Nobody waits any more for what this thread does.
    """
    has_place = False
    while not has_place:
        if given_up():
            raise GivenUpError("nobody waits for it any more")
        has_place = free.acquire(timeout=_LOOK_SECONDS)
    try:
        yield
    finally:
        free.release()


def in_threads(calls: Sequence[Callable[[], T]], count: int) -> list[T]:
    """Make calls in so many threads, and give what they return, in order.

    Args:
        calls: Functions to call. A call that waits for a process announces it by `using`, and returns when
            that ends.
        count: Threads.

    Raises:
        BaseException: A call raised it, or this thread was interrupted; the other calls are dropped.
    """
    outer = current()
    batch = Batch(not threading.current_thread().daemon if outer is None else outer.waited_for)
    numbers = iter(range(len(calls)))  # shared: the next one is one step of C
    found: dict[int, T] = {}
    raised: list[BaseException] = []

    def drop() -> None:
        list(numbers)
        batch.kill()

    def work() -> None:
        _LOCAL.batch = batch
        try:
            for number in numbers:
                found[number] = calls[number]()
        except BaseException as error:  # the caller raises it
            raised.append(error)
            drop()

    _running.add(batch)
    if _over.is_set() and not batch.waited_for:
        batch.kill()
    try:
        with contextlib.nullcontext() if outer is None else outer.using(batch):
            if not batch.start(work, min(count, len(calls))):
                work()
            batch.wait()
    except BaseException:
        drop()
        raise
    finally:
        _LOCAL.batch = outer
        batch.wait()
        _running.discard(batch)
    while raised:
        raise raised.pop(0)  # with nothing left behind that refers to its own frame
    return [found[number] for number in range(len(calls))]


def _ending() -> None:
    """Before Python waits for threads: those that work for daemon threads would go on to their last call."""
    _over.set()
    for step in (Batch.kill, Batch.wait):  # all are dropped first: each may hold what another waits for
        for batch in list(_running):
            if not batch.waited_for:
                step(batch)


try:  # Python's own end of threads comes later
    getattr(threading, "_register_atexit", atexit.register)(_ending)
except RuntimeError:  # it has begun: a thread that Python waits for is the first to need this module
    _over.set()


CPU_SECONDS = 2.0
"""Processor time of a task. Deciding an ordinary pair of formulas takes a few milliseconds; showing that
(x+1)^100 (x-1)^100 is (x^2-1)^100 takes 0.7 s."""
STUCK_SECONDS = 120.0
"""Wall-clock limit of a task that waits for nothing. Processor time decides about answers: so many seconds
pass only where something is stuck, or hundreds of processes share a core."""
SLEEP_FACTOR = 5.0
"""The same of a task that may sleep, such as a user's verifier, as a multiple of its processor time."""
TASKS_PER_WORKER = 8
"""Tasks of a batch for which a further worker is asked. Its start, with sympy, takes 1.5 s of processor time,
and an ordinary question a tenth of a second."""
MEMORY_BYTES = 2 << 30
"""Address space of a child. Sympy with its parser takes 0.3 GB."""


K = TypeVar("K")
P = TypeVar("P", bound="ChildProcess")


class ChildProcess(Killable, Protocol):
    """A process that is kept for further work."""

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        ...

    def end(self) -> None:
        """End it, and wait for it."""
        ...


class Supervisor(Generic[K, P]):
    """Child processes, started when they are needed and kept warm; each works for one thread at a time.

    Usable from any thread; after a fork the child process begins with none.

    Args:
        size: Most processes at a time.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._reset()
        _SUPERVISORS.append(self)
        forgets(self)

    def close(self) -> None:
        """End all idle children and wait for them. Others are started when they are needed."""
        with self._lock:
            idle = [process for _, process in self._idle]
            self._idle.clear()
        for process in idle:
            self._end(process)

    def stop(self) -> None:
        """End all children at once, busy ones too; no others are started."""
        with self._lock:
            self._stopped = True
            busy = self._workers - {process for _, process in self._idle}
        for process in busy:
            process.kill()  # the thread that waits for it is told, and puts it away
        self.close()

    def after_fork(self) -> None:
        """In a forked child: leave the processes to the parent, and begin with none."""
        self._reset()

    def _start(self, kind: K) -> P:
        """A new process of a kind."""
        raise NotImplementedError

    @contextlib.contextmanager
    def _held(self, kind: K, *, fresh: bool = False) -> Iterator[P]:
        """A process of our own for a while, a new one on request. It is kept only if nothing went wrong."""
        with slot(self._slots), self._lent(kind, fresh=fresh) as process:
            yield process

    @contextlib.contextmanager
    def _spare(self, kind: K) -> Iterator[P | None]:
        """A process that nobody uses now; None if all are in use."""
        if not self._slots.acquire(blocking=False):
            yield None
            return
        try:
            with self._lent(kind, fresh=False) as process:
                yield process
        finally:
            self._slots.release()

    @contextlib.contextmanager
    def _lent(self, kind: K, *, fresh: bool) -> Iterator[P]:
        process = self._take(kind, fresh=fresh)
        try:
            with using(process):
                yield process
        except BaseException:
            # KeyboardInterrupt in the middle of a task: its answer must not reach the next one.
            self._end(process)
            raise
        with self._lock:
            self._idle.append((kind, process))

    def _take(self, kind: K, *, fresh: bool) -> P:
        spare: list[P] = []
        try:
            with self._lock:
                if self._stopped or given_up():
                    raise GivenUpError("nobody waits for it any more")
                while not fresh and (found := self._idle_one(kind)) is not None:
                    if found.alive:
                        return found
                    spare.append(found)
                # A slot is free, so an idle process of another kind makes room when all are taken.
                if len(self._idle) >= self.size:
                    spare.append(self._idle.pop(0)[1])
        finally:
            for each in spare:
                self._end(each)
        process = self._start(kind)
        with self._lock:
            self._workers.add(process)
            if self._stopped:
                process.kill()
        return process

    def _idle_one(self, kind: K) -> P | None:
        """The one of a kind that was used last."""
        for position in reversed(range(len(self._idle))):
            if self._idle[position][0] == kind:
                return self._idle.pop(position)[1]
        return None

    def _end(self, process: P) -> None:
        with self._lock:
            self._workers.discard(process)
        process.end()

    def _reset(self) -> None:
        self._lock = new_lock()
        self._stopped = False
        self._idle: list[tuple[K, P]] = []
        self._workers: set[P] = set()
        # A task holds one process, so limiting the tasks limits the processes.
        self._slots = threading.Semaphore(self.size)


class WorkerPool(Supervisor[None, WorkerProcess]):
    """Worker processes of this library, all of one kind.

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
        self.memory, self.secrets = memory, secrets
        super().__init__(size or available_cores())

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
            wall_seconds: Time that it may take; None for `STUCK_SECONDS`, if its processor time is limited.
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
            wall_seconds = STUCK_SECONDS
        modules = (function.partition(":")[0], *ahead)
        asked = partial(self._outcome, payload, wall_seconds, modules)
        try:
            # An interrupt in the middle of taking or giving back a worker would lose its place for good.
            is_main = threading.get_ident() == threading.main_thread().ident
            return in_threads([asked], 1)[0] if is_main else asked()
        except GivenUpError as error:
            return Outcome(False, None, "worker", str(error), by_task=False)

    def run_all(self, tasks: Sequence[Callable[[], T]]) -> list[T]:
        """Make calls that each wait for a worker, several at once, and give what they return, in order.

        Args:
            tasks: Calls of `run`, with what is made of their outcomes.

        Raises:
            BaseException: A call raised it, or an interrupt; the rest is dropped at once.
        """
        # A worker that must be started first costs as much as many tasks.
        threads = min(self.size, -(-len(tasks) // TASKS_PER_WORKER))
        return in_threads(tasks, threads) if tasks else []

    def _start(self, kind: None) -> WorkerProcess:
        return WorkerProcess(self.memory, secrets=self.secrets)

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
        begun = False
        try:
            with self._held(None) as worker:
                for module in modules:
                    if module not in worker.loaded:
                        task = pickle.dumps(
                            ("reward_verifiers.verifiers.runtime.worker:load", (module,), None, False)
                        )
                        worker.ask(task, START_SECONDS)
                        worker.loaded.add(module)
                begun = True
                return worker.ask(payload, wall_seconds)
        except WorkerError as error:
            return Outcome(False, None, "worker", str(error), by_task=False)
        except DeathError as death:
            # What ends a worker before it has the task says nothing about the task.
            return Outcome(False, None, death.reason, death.detail, by_task=begun)

    def _canary(self) -> bool:
        answer = self._attempt(
            pickle.dumps(("reward_verifiers.verifiers.runtime.worker:echo", ("canary",), None, False)),
            START_SECONDS,
        )
        return answer.ok and answer.value == "canary"


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


_SUPERVISORS: list[Supervisor[Any, Any]] = []
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
    for each in _SUPERVISORS:
        each.stop()  # daemon threads may still be waiting for workers, and would start others


atexit.register(_close_all)
