"""Calls in several threads, given up at once where nobody waits for them: at Ctrl-C, or when Python ends.

A thread cannot be ended, but what it waits for can: the worker process, or the launcher, that works on its
call.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, TypeVar

from ..errors import VerifierError

T = TypeVar("T")
_LOCAL = threading.local()


_LOOK_SECONDS = 0.2
"""How often a thread that waits for its turn looks whether anybody still waits for it."""


class GivenUpError(VerifierError, RuntimeError):
    """What a thread was to do is not wanted any more."""


class Killable(Protocol):
    """What threads wait for."""

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


def _work_for(batch: Batch | None) -> None:
    _LOCAL.batch = batch


def given_up() -> bool:
    """Whether nobody waits any more for what this thread does."""
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
    while not free.acquire(timeout=_LOOK_SECONDS):
        if given_up():
            raise GivenUpError("nobody waits for it any more")
    try:
        yield
    finally:
        free.release()


def in_threads(calls: Sequence[Callable[[], T]], count: int) -> list[T]:
    """Make calls in so many threads, and give what they return, in order.

    Args:
        calls: What to call. A call that waits for a process says so by `using`, and returns when that ends.
        count: Threads.

    Raises:
        BaseException: What a call raises, or an interrupt of this thread; the other calls are given up.
    """
    outer = current()
    batch = Batch(not threading.current_thread().daemon if outer is None else outer.waited_for)

    executor = ThreadPoolExecutor(
        count, thread_name_prefix="reward-verifiers", initializer=_work_for, initargs=(batch,)
    )
    futures: list[Future[T]] = []
    _running.add(batch)
    if _over.is_set() and not batch.waited_for:
        batch.kill()
    try:
        with contextlib.nullcontext() if outer is None else outer.using(batch):
            with contextlib.suppress(RuntimeError):  # Python ends, and starts no more threads
                for call in calls:
                    futures.append(executor.submit(call))  # noqa: PERF401  (one may fail)
            found = [each.result() for each in futures]
            _work_for(batch)
            return found + [call() for call in calls[len(futures) :]]
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        batch.kill()
        raise
    finally:
        _work_for(outer)
        executor.shutdown()
        _running.discard(batch)


def _ending() -> None:
    """Before Python waits for threads: those that work for daemon threads would go on to their last call."""
    _over.set()
    for batch in list(_running):
        if not batch.waited_for:
            batch.kill()


# `atexit` comes after the waiting. The executors' own hook was registered before, and so runs after this one.
_register = getattr(threading, "_register_atexit", None)
if _register is not None:
    _register(_ending)
