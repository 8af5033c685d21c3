"""Worker processes of this machine as an engine."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from reward_verifiers.verifiers.runtime.pool import WorkerPool

from ..chunk_scorer import Scored
from ..file_scorer import FileScorer
from ..jsonl import Line
from ..scored_output import RunError
from .apart import Ended
from .engine import Engine, Here, Wait, raw
from .isolation import score_apart

FUNCTION = "reward_verifiers.adapters.files.chunk_scorer:score_in_worker"


class Processes:
    """Worker processes, each of which scores a chunk at a time.

    Args:
        count: How many.
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
    """This process for one worker, since handing rows to another would only cost; else processes."""
    return Here() if workers == 1 else Processes(workers)


def score_in(pool: WorkerPool, pickled: bytes, lines: list[bytes], places: list[str]) -> Scored:
    """Score a chunk in a worker process.

    Args:
        pool: The processes.
        pickled: A `Scorer`.
        lines: The chunk.
        places: What messages call the lines.

    Raises:
        RunError: No process can be started, or scoring as such is broken.
    """

    def attempt(lines: list[bytes], places: list[str]) -> Scored | Ended:
        outcome = pool.run(FUNCTION, (pickled, lines, places), cpu_seconds=None)
        if outcome.ok:
            return Scored.from_bytes(outcome.value)
        if not outcome.by_task:
            raise RunError(f"a scoring process failed: {outcome.detail}")
        return Ended(outcome.detail)

    return score_apart(attempt, lambda: pickle.loads(pickled), lines, places)  # noqa: S301  (our own)
