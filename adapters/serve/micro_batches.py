"""Rows of all clients, in one bounded queue, judged in batches that take about a second.

A worker that is free takes what has waited longest, with more of the same kind; so batches are small while
there is little to do, and grow with the load. Rows of a reward that compares completions stay with their
request.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .counters import LOG, Metrics
from .load_limits import Limits, ServeError, busy
from .recipes import Served
from .workers import Workers

BATCH_GOAL = 1.0
"""Seconds that a batch should take: long against what handing it over costs, short against deadlines."""
FIRST_ROWS = 4
"""Rows of a batch until it is known how long they take."""

Rows = list[dict[str, Any]]
Kind = tuple[Any, ...]


class _Part:
    """The rows of a request that are of one kind; batches take them from the front.

    Args:
        places: The rows' places in their request.
        rows: The rows.
        deadline: After which nobody waits for them.
    """

    def __init__(self, places: Sequence[int], rows: Rows, deadline: float) -> None:
        self.places, self.rows, self.deadline = places, rows, deadline
        self.kind: Kind = ()
        self.arrived = time.monotonic()
        self.taken = 0
        self.left = len(rows)
        self.results: Rows = [{}] * len(rows)
        self.done: asyncio.Future[Rows] = asyncio.get_running_loop().create_future()

    def settle(self, start: int, results: Rows) -> None:
        """Keep results; with the last ones it is done."""
        self.results[start : start + len(results)] = results
        self.left -= len(results)
        if not self.left and not self.done.done():
            self.done.set_result(self.results)


@dataclass
class _Slice:
    """The rows of a part that are in a batch."""

    part: _Part
    start: int
    stop: int


class Queue:
    """Gathers rows, and hands batches to workers.

    Used from one event loop.
    """

    def __init__(self, workers: Workers, limits: Limits, metrics: Metrics) -> None:
        self._workers, self._limits, self._metrics = workers, limits, metrics
        self._waiting: dict[Kind, deque[_Part]] = {}
        self._rows: Counter[Kind] = Counter()
        self._seconds: dict[str, float] = {}
        self._free = workers.count
        self._batches: set[asyncio.Task[None]] = set()

    async def judge(self, served: Served, progress: float, rows: Rows, deadline: float) -> Rows:
        """Return one result for each row, in order.

        Args:
            served: The recipe.
            progress: At which schedules are read.
            rows: Checked.
            deadline: In `time.monotonic`.

        Raises:
            ServeError: 429 where the queue is full, 504 where the deadline has passed.
            CancelledError: Whoever asked is gone; rows that no worker has yet are not judged.
        """
        if not rows:
            return []
        if self._metrics.queued_rows + len(rows) > self._limits.queue_rows:
            raise busy(f"{self._metrics.queued_rows:,} rows wait, of at most {self._limits.queue_rows:,}")
        self._metrics.queued_rows += len(rows)
        parts = self._queued(served, progress, rows, deadline)
        try:
            self._hand_out()
            async with asyncio.timeout(max(deadline - time.monotonic(), 0.0)):
                await asyncio.gather(*(part.done for part in parts))
        except TimeoutError:
            raise ServeError(
                504, "deadline", f"the {len(rows)} rows were not judged in time; ask again, or for fewer", 1
            ) from None
        finally:
            # Also where the client is gone, which cancels this: nobody waits for these rows any more.
            self._metrics.queued_rows -= len(rows)
            for part in parts:
                part.done.cancel()
                self._drop(part)
        results: Rows = [{}] * len(rows)
        for part in parts:
            for place, result in zip(part.places, part.results, strict=True):
                results[place] = result
        self._metrics.rows.update((served.name, result["status"]) for result in results)
        return results

    async def drained(self) -> None:
        """Wait until nothing waits or is being judged."""
        while self._batches:
            await asyncio.wait(self._batches)

    # ------------------------------------------------------------------------------------------

    def _queued(self, served: Served, progress: float, rows: Rows, deadline: float) -> list[_Part]:
        # Columns that only some rows of a batch have would become None in the others.
        alike: dict[Kind, list[int]] = {}
        for place, row in enumerate(rows):
            alike.setdefault(() if served.whole else tuple(sorted(row)), []).append(place)
        parts = []
        for names, places in alike.items():
            part = _Part(places, [rows[place] for place in places], deadline)
            kind: Kind = (served, progress, names, id(part) if served.whole else 0)
            part.kind = kind
            self._waiting.setdefault(kind, deque()).append(part)
            self._rows[kind] += len(places)
            parts.append(part)
        return parts

    def _drop(self, part: _Part) -> None:
        """Take rows out of the queue that no batch has yet."""
        waiting = self._waiting.get(part.kind)
        if waiting is None or part not in waiting:
            return
        waiting.remove(part)
        self._rows[part.kind] -= len(part.rows) - part.taken
        if not waiting:
            del self._waiting[part.kind], self._rows[part.kind]

    def _hand_out(self) -> None:
        """Give free workers the waiting rows."""
        while self._free and self._waiting:
            kind = min(self._waiting, key=lambda each: self._waiting[each][0].arrived)
            batch = self._batch(kind)
            if batch:
                self._free -= 1
                task = asyncio.get_running_loop().create_task(self._run(kind[0], kind[1], batch))
                self._batches.add(task)
                task.add_done_callback(self._batches.discard)

    def _batch(self, kind: Kind) -> list[_Slice]:
        """Return the next rows of a kind that a caller still waits for."""
        waiting = self._waiting[kind]
        room = self._size(kind[0], self._rows[kind])
        batch: list[_Slice] = []
        while waiting and room:
            part = waiting[0]
            given_up = part.done.done() or part.deadline <= time.monotonic()
            count = len(part.rows) - part.taken
            if not given_up:
                count = min(count, room)
                batch.append(_Slice(part, part.taken, part.taken + count))
                room -= count
            part.taken += count
            self._rows[kind] -= count
            if part.taken == len(part.rows):
                waiting.popleft()
        if not waiting:
            del self._waiting[kind], self._rows[kind]
        return batch

    def _size(self, served: Served, waiting: int) -> int:
        """Return the size of the next batch: waiting rows are spread over all workers."""
        if served.whole:
            return waiting
        seconds = self._seconds.get(served.name)
        pace = FIRST_ROWS if seconds is None else int(BATCH_GOAL / max(seconds, 1e-6))
        fair = -(-waiting // self._workers.count)
        return max(1, min(pace, fair, self._limits.batch_rows))

    async def _run(self, served: Served, progress: float, batch: Sequence[_Slice]) -> None:
        rows = [row for each in batch for row in each.part.rows[each.start : each.stop]]
        places = [f"rows[{place}]" for each in batch for place in each.part.places[each.start : each.stop]]
        started = time.monotonic()
        try:
            results = await asyncio.get_running_loop().run_in_executor(
                self._workers.threads, self._workers.judge, served, progress, rows, places
            )
        except Exception as error:
            if not isinstance(error, ServeError):
                LOG.exception("a batch broke")
                error = ServeError(500, "internal", f"a batch broke ({type(error).__name__}); ask again", 1)
            for each in batch:
                if not each.part.done.done():
                    each.part.done.set_exception(error)
        else:
            self._learn(served.name, (time.monotonic() - started) / len(rows))
            first = 0
            for each in batch:
                each.part.settle(each.start, results[first : first + each.stop - each.start])
                first += each.stop - each.start
        finally:
            self._metrics.batches += 1
            self._free += 1
            self._hand_out()

    def _learn(self, name: str, seconds: float) -> None:
        known = self._seconds.get(name)
        self._seconds[name] = seconds if known is None else 0.7 * known + 0.3 * seconds
