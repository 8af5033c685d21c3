"""Payments for hosts that call row by row, or group by group, from many threads or event loops.

A row by itself costs several times its share of a batch, so concurrent calls are gathered for a few
milliseconds and judged together; no lock is held while judging. The first call that finds others about waits
for more, takes what has come in, and judges it; calls that come meanwhile make the next round, so a slow
round holds up nobody but its own callers.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, TypeVar

from reward_verifiers.rewards import Batch, Payment, Reward, VerdictCache
from reward_verifiers.verifiers import ConfigError, SandboxError, Verifier
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.forks import forgets, new_lock

from .host import Host
from .unscored import BROKEN, Policy, RowLogs, Settled, settle

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
        """Drop the calls under way: a forked child has no threads that would answer them."""
        self._lock = new_lock()
        self._waiting: list[_Call[Row, Result]] = []
        self._full = threading.Event()
        self._inside = 0
        self._threads: ThreadPoolExecutor | None = None

    def call(self, rows: Sequence[Row]) -> list[Result]:
        """Return one result for each row, in order; the calling thread waits for it.

        Raises:
            Exception: `judge` raised it for these rows.
        """
        call = _Call[Row, Result](rows)
        with self._present():
            self._enter(call, lambda work: work())
            return call.future.result()

    async def call_async(self, rows: Sequence[Row]) -> list[Result]:
        """Return one result for each row, in order, for event loops: the work is done in a thread.

        Raises:
            Exception: `judge` raised it for these rows.
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
        """Judge each call by itself, to find out which rows an exception is about."""
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
        """Count the calls under way, so that a lone one does not wait."""
        with self._lock:
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1


_log = logging.getLogger(__name__)
_Row = tuple[object, Mapping[str, Any], float]


class RowCalls:
    """A reward in a host that passes rows one at a time.

    Rows of concurrent calls are judged together, but never as a group: use `group` for that. A set-up that
    has never worked raises. After the first judged row, a row that fails only has no reward, because one row
    must not end an expensive run.

    Args:
        reward: The reward.
        host: Calling program.
        unscored: Policy for rows without a reward; by default the host's best.
        columns: The reward's columns by the names that the host's rows have.
        progress: The progress at which schedules are read, where the host does not know it.
        cache: Verdicts to keep.
        window: Seconds for which a call waits for others.

    Raises:
        ConfigError: The reward cannot be paid in this host; the message has the cure.
    """

    def __init__(
        self,
        reward: Reward,
        host: Host,
        unscored: Policy | None = None,
        *,
        columns: Mapping[str, str] | None = None,
        progress: float | None = None,
        cache: VerdictCache | None = None,
        window: float = WINDOW,
    ) -> None:
        host.check(reward, progress=progress)
        self.reward, self.host, self.unscored = reward, host, host.policy(unscored)
        self.columns, self.progress, self.cache = dict(columns or {}), progress, cache
        self.window = window
        self.logs = RowLogs(reward)
        self._start()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start()

    def rows(
        self,
        completions: Sequence[object],
        rows: Sequence[Mapping[str, Any]],
        *,
        progress: float | None = None,
    ) -> list[Payment]:
        """Return one payment for each completion, in order; the calling thread waits for it.

        Args:
            completions: Length N.
            rows: Their other columns; length N.
            progress: Share of training that is done.

        Raises:
            ConfigError: The reward compares completions; or a column is missing, and nothing was judged
                before.
        """
        self._check(completions, rows)
        try:
            payments = self._gatherer.call(self._asked(completions, rows, progress))
        except Exception as error:
            return self._broken(error, len(completions))
        return self._done(payments)

    async def rows_async(
        self,
        completions: Sequence[object],
        rows: Sequence[Mapping[str, Any]],
        *,
        progress: float | None = None,
    ) -> list[Payment]:
        """Return one payment for each completion, in order, for event loops.

        Raises:
            ConfigError: As for `rows`.
        """
        self._check(completions, rows)
        try:
            payments = await self._gatherer.call_async(self._asked(completions, rows, progress))
        except Exception as error:
            return self._broken(error, len(completions))
        return self._done(payments)

    def group(
        self,
        completions: Sequence[object],
        rows: Sequence[Mapping[str, Any]],
        *,
        progress: float | None = None,
    ) -> list[Payment]:
        """Return one payment for each completion of one prompt, in order, judged apart from other calls.

        Args:
            completions: All completions of a prompt.
            rows: Their other columns.
            progress: Share of training that is done.

        Raises:
            ConfigError: A column is missing and no row was judged before.
        """
        self._check(completions, rows, grouped=True)
        try:
            asked = self._asked(completions, rows, progress)
            payments = _paid(self.reward, asked, self.cache, len(asked) or None)
        except Exception as error:
            return self._broken(error, len(completions))
        return self._done(payments)

    def settled(self, payments: Sequence[Payment], groups: Sequence[range] | None = None) -> Settled:
        """Apply the host's policy for rows without a reward to payments.

        Raises:
            UnscoredError: The policy is to raise.
            ConfigError: The policy needs groups, and they are not known.
        """
        return settle(payments, self.unscored, groups)

    # ------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self.worked = False
        """Whether anything was judged: from then on one row ends nothing."""
        together = any(
            verifier.isolate or type(verifier).check_batch is not Verifier.check_batch
            for verifier in self.reward.verifiers()
        )
        self._gatherer: Gatherer[_Row, Payment] = Gatherer(self._judge, together=together, window=self.window)

    def _check(
        self, completions: Sequence[object], rows: Sequence[Mapping[str, Any]], *, grouped: bool = False
    ) -> None:
        if len(completions) != len(rows):
            raise ConfigError(f"{len(rows)} rows for {len(completions)} completions")
        if self.reward.needs_groups and not grouped:
            raise ConfigError(
                f"{self.reward.describe()} compares the completions of a prompt, and rows that happen to "
                "come together are no group: pass all completions of a prompt to `group`"
            )

    def _asked(
        self, completions: Sequence[object], rows: Sequence[Mapping[str, Any]], progress: float | None
    ) -> list[_Row]:
        if progress is None:
            progress = 1.0 if self.progress is None else self.progress
        return [
            (completion, self._renamed(row), progress)
            for completion, row in zip(completions, rows, strict=True)
        ]

    def _done(self, payments: list[Payment]) -> list[Payment]:
        self.worked = self.worked or bool(payments)
        return payments

    def _broken(self, error: Exception, count: int) -> list[Payment]:
        """Raise the fault of a set-up that never worked; else leave the rows without a reward."""
        if isinstance(error, ConfigError | SandboxError) and not self.worked:
            raise error
        if isinstance(error, ConfigError):  # the row lacks what others had: nothing broke
            _log.error("rows have no reward: %s", error)
            return [Payment(self.reward.name, None, note=str(error))] * count
        _log.error("the reward %s broke; these rows have none", self.reward.describe(), exc_info=error)
        return [Payment(self.reward.name, None, note=BROKEN)] * count

    def _renamed(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        for ours, theirs in self.columns.items():
            if theirs not in row:
                raise ConfigError(f"the row has no column {theirs!r} for {ours!r}{nearest(theirs, row)}")
            row = {**row, ours: row[theirs]}
        return row

    def _judge(self, rows: Sequence[_Row]) -> list[Payment]:
        # Columns that only some rows have would become None in the others.
        alike: dict[tuple[object, ...], list[int]] = {}
        for place, (_, row, progress) in enumerate(rows):
            alike.setdefault((progress, *sorted(row)), []).append(place)
        found: dict[int, Payment] = {}
        for places in alike.values():
            paid = _paid(self.reward, [rows[place] for place in places], self.cache, None)
            found |= zip(places, paid, strict=True)
        return [found[place] for place in range(len(rows))]


def _paid(
    reward: Reward, rows: Sequence[_Row], cache: VerdictCache | None, group_size: int | None
) -> list[Payment]:
    if not rows:
        return []
    names = dict.fromkeys(name for _, row, _ in rows for name in row)
    columns = {name: [row.get(name) for _, row, _ in rows] for name in names}
    return Batch([each for each, _, _ in rows], columns, rows[0][2], group_size, cache).pay(reward)
