"""Engines that score chunks of a file: their interface, this process, and processes beside it.

A row that kills its process costs its own reward only. If the reward fails on too many rows, the run ends
early. `adapters.cluster` has an engine for the machines of a Ray cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import reduce
from typing import Any, Protocol, TypeVar

from reward_verifiers.verifiers.runtime.pool import WorkerPool

from .chunk_scorer import Scored, Scorer, kept_scorer
from .file_scorer import FileScorer
from .jsonl import Line
from .row_faults import Ended, apart
from .scored_output import FaultsError, RunError

Item = TypeVar("Item")


def score_apart(
    attempt: Callable[[list[bytes], list[str]], Scored | Ended],
    scorer: Callable[[], Scorer],
    lines: list[bytes],
    places: list[str],
) -> Scored:
    """Score a chunk of lines, some of which may end their scorer.

    Args:
        attempt: Scores lines, with what messages call them.
        scorer: Gives the scorer, which is asked for where rows have ended what scores them.
        lines: The chunk.
        places: Name of the lines in messages.

    Raises:
        RunError: Every row that was tried ends what scores it.
    """

    def some(rows: range) -> Scored | Ended:
        return attempt(_of(lines, rows), _of(places, rows))

    def broken(rows: range, detail: str) -> Scored:
        return scorer().broken(_of(lines, rows), _of(places, rows), detail)

    parts = apart(some, broken, range(len(lines)), whole=lambda: scorer().reward.needs_groups)
    return reduce(Scored.followed_by, parts)


def _of(items: list[Item], rows: range) -> list[Item]:
    return items[rows.start : rows.stop]


Wait = Callable[[], Scored]
"""Waits for a chunk and returns its scored rows."""


class Engine(Protocol):
    """Scores chunks, several at a time, each as `Scorer.score` does.

    Used from one thread. What it is handed is waited for in the same order.
    """

    @property
    def full(self) -> bool:
        """Whether a result must be fetched before more is submitted, so that memory stays small."""
        ...

    def submit(self, scorer: FileScorer, lines: Sequence[Line]) -> Wait:
        """Submit a chunk.

        Args:
            scorer: The file's.
            lines: The chunk.

        Returns:
            A function that waits for the result. It raises `RunError` where the chunk cannot be scored.
        """
        ...

    def close(self) -> None:
        """End the engine's processes or actors; unfetched results are discarded."""
        ...


class Here:
    """Engine in this process."""

    @property
    def full(self) -> bool:
        """Always true: a chunk is scored when it is waited for."""
        return True

    def submit(self, scorer: FileScorer, lines: Sequence[Line]) -> Wait:
        """See `Engine.submit`."""
        return lambda: scorer.scorer.score(*raw(lines))

    def close(self) -> None:
        """There is nothing to end."""


def raw(lines: Sequence[Line]) -> tuple[list[bytes], list[str]]:
    """Return the bytes of lines and their places in messages, as `Scorer.score` takes them."""
    return [line.raw for line in lines], [line.where for line in lines]


FUNCTION = "reward_verifiers.adapters.files.chunk_scorer:score_in_worker"


class Processes:
    """Worker processes, each of which scores a chunk at a time.

    Args:
        count: Number of them.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = WorkerPool(count, memory=None, secrets=True)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="scoring")
        self._waiting = 0

    @property
    def full(self) -> bool:
        """Whether every process has a chunk, and another one waits for it."""
        return self._waiting > 2 * self.count

    def submit(self, scorer: FileScorer, lines: Sequence[Line]) -> Wait:
        """See `Engine.submit`."""
        self._waiting += 1
        future: Future[Scored] = self._threads.submit(score_in, self._pool, scorer.pickled(), *raw(lines))

        def wait() -> Scored:
            self._waiting -= 1
            return future.result()

        return wait

    def close(self) -> None:
        """End the processes."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._pool.stop()


def here_or_beside(workers: int) -> Engine:
    """Return this process for one worker, since handing rows over would only cost; else processes."""
    return Here() if workers == 1 else Processes(workers)


def score_in(pool: WorkerPool, pickled: bytes, lines: list[bytes], places: list[str]) -> Scored:
    """Score a chunk in a worker process.

    Raises:
        RunError: No process can be started, or scoring as such is broken.
    """

    def attempt(lines: list[bytes], places: list[str]) -> Scored | Ended:
        found = asked(pool, FUNCTION, pickled, lines, places)
        return found if isinstance(found, Ended) else Scored.from_bytes(found)

    return score_apart(attempt, lambda: kept_scorer(pickled), lines, places)


def asked(pool: WorkerPool, function: str, *arguments: Any) -> Any | Ended:
    """Return a worker process's answer, or how the given rows ended it.

    Raises:
        RunError: No process can be started, or scoring as such is broken.
    """
    outcome = pool.run(function, arguments, cpu_seconds=None)
    if outcome.ok or outcome.by_task:
        return outcome.value if outcome.ok else Ended(outcome.detail)
    raise RunError(f"a scoring process failed: {outcome.detail}")


class FaultLimit:
    """Counts the rows on which a reward breaks.

    Args:
        most: Largest number of faults; None for no limit, unless all rows of the first chunk fail in the same
            way.
    """

    def __init__(self, most: int | None) -> None:
        self.most = most
        self._faults = 0
        self._first = True

    def count(self, scored: Scored, lines: int) -> None:
        """Count a chunk, before its rows are written.

        Raises:
            FaultsError: Too many rows broke.
        """
        self._faults += scored.faults
        if self.most is None and self._first and scored.same_fault:
            raise FaultsError(
                f"no row can be scored: the reward breaks on each of the first {lines:,} in the same way: "
                f"{scored.same_fault}. Nothing was written; mend it, or allow that with --max-faults"
            )
        if lines > len(scored.problems):
            self._first = False
        if self.most is not None and self._faults > self.most:
            raise FaultsError(
                f"the reward broke on {self._faults:,} rows, and --max-faults allows {self.most:,}"
                + (f": {scored.same_fault}" if scored.same_fault else "")
            )
