"""Concurrent calls, gathered for a few milliseconds and judged together; no lock is held while judging.

Hosts call row by row, in threads and from event loops, and a row by itself costs several times its share of a
batch. The first call that finds others about waits for more, takes what has come in, and judges it; calls
that come meanwhile make the next round, so a slow round holds up nobody but its own callers.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Generic, TypeVar

from reward_verifiers.verifiers.runtime.forks import forgets, new_lock

WINDOW = 0.003
"""Seconds for which a call waits for others, if others are about."""
MOST_ROWS = 256
"""Rows after which nobody waits any longer."""
DEAR_SECONDS = 0.02
"""A row that takes longer is judged in its own caller's thread, beside the others: waiting in line for rows
like it would cost more than judging together saves."""
THREADS = 32
"""Calls of event loops that are judged at a time."""

Row = TypeVar("Row")
Result = TypeVar("Result")


class _Call(Generic[Row, Result]):
    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.future: Future[list[Result]] = Future()
        self.future.set_running_or_notify_cancel()  # a caller that goes away must not upset the others


class Gatherer(Generic[Row, Result]):
    """Judges the rows of concurrent calls together.

    Usable from any thread and any event loop.

    Args:
        judge: One result for each row, in order. It may be called by several threads at a time, and gets rows
            of several calls: nothing may depend on which rows come together.
        together: Always judge together, as for models, where rows of a batch share work; else only while a
            row takes less than `DEAR_SECONDS`.
        window: Seconds for which a call waits for others.
    """

    def __init__(
        self,
        judge: Callable[[Sequence[Row]], Sequence[Result]],
        *,
        together: bool = False,
        window: float = WINDOW,
    ) -> None:
        self._judge, self._together, self._window = judge, together, window
        self._seconds: float | None = None  # of a row, lately
        self.after_fork()
        forgets(self)

    def after_fork(self) -> None:
        """Begin with no calls under way: in a forked child there are no threads that would answer them."""
        self._lock = new_lock()
        self._waiting: list[_Call[Row, Result]] = []
        self._full = threading.Event()
        self._inside = 0
        self._threads: ThreadPoolExecutor | None = None

    def call(self, rows: Sequence[Row]) -> list[Result]:
        """One result for each row, in order; the calling thread waits for it.

        Raises:
            Exception: What `judge` raises for these rows.
        """
        call = _Call[Row, Result](rows)
        with self._present():
            self._enter(call, lambda work: work())
            return call.future.result()

    async def call_async(self, rows: Sequence[Row]) -> list[Result]:
        """The same for event loops: the work is done in a thread.

        Raises:
            Exception: What `judge` raises for these rows.
        """
        call = _Call[Row, Result](rows)
        with self._present():
            self._enter(call, self._in_thread)
            return await asyncio.wrap_future(call.future)

    # ------------------------------------------------------------------------------------------

    def _enter(self, call: _Call[Row, Result], start: Callable[[Callable[[], None]], None]) -> None:
        dear = self._seconds is None or self._seconds > DEAR_SECONDS
        if dear and not self._together:
            start(lambda: self._round([call]))
            return
        with self._lock:
            self._waiting.append(call)
            leads = len(self._waiting) == 1
            if sum(len(each.rows) for each in self._waiting) >= MOST_ROWS:
                self._full.set()
        if leads:
            start(self._lead)

    def _lead(self) -> None:
        try:
            # Alone there is nobody to wait for.
            if self._inside > 1:
                self._full.wait(self._window)
        except BaseException:  # an interrupt: those that wait are not to wait for ever
            self._in_thread(self._lead)
            raise
        with self._lock:
            calls, self._waiting = self._waiting, []
            self._full.clear()
        self._round(calls)

    def _round(self, calls: Sequence[_Call[Row, Result]]) -> None:
        rows = [row for call in calls for row in call.rows]
        started = time.perf_counter()
        try:
            results = list(self._judge(rows))
            if len(results) != len(rows):
                raise RuntimeError(f"{len(results)} results for {len(rows)} rows")
        except Exception as error:
            if len(calls) == 1:
                calls[0].future.set_exception(error)
                return
            self._one_by_one(calls)
            return
        except BaseException:
            # An interrupt is for the thread that it met; others get their results from another.
            self._in_thread(partial(self._one_by_one, calls))
            raise
        self._learn((time.perf_counter() - started) / max(len(rows), 1))
        place = 0
        for call in calls:
            call.future.set_result(results[place : place + len(call.rows)])
            place += len(call.rows)

    def _one_by_one(self, calls: Sequence[_Call[Row, Result]]) -> None:
        """Judge each call by itself: so it is found out whose rows an exception is about."""
        left = list(calls)
        try:
            while left:
                self._round([left.pop(0)])
        finally:
            if left:
                self._in_thread(partial(self._one_by_one, left))

    def _learn(self, seconds: float) -> None:
        known = self._seconds
        self._seconds = seconds if known is None else 0.8 * known + 0.2 * seconds

    def _in_thread(self, work: Callable[[], None]) -> None:
        with self._lock:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="reward-verifiers")
        self._threads.submit(work)

    @contextmanager
    def _present(self) -> Iterator[None]:
        """Count the calls that are under way, so that a lone one waits for nobody."""
        with self._lock:
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
