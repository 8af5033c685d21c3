"""A Ray cluster as the engine that scores a file: ``verify-cli score --engine ray``.

Chunks are those of the local engine, and so is what scores them; only where differs. Several go to an actor
at a time, as many as take about a second, since each call costs a millisecond.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from ..files.chunk_scorer import Scored
from ..files.engines import Wait, raw, score_apart
from ..files.file_scorer import FileScorer
from ..files.jsonl import CHUNK_BYTES, Line
from ..files.row_faults import Ended
from .actors import Chunk, LineScorer, Session, starting
from .crew import IN_FLIGHT, Crew, LostError

GOAL_SECONDS = 1.0
"""That a call should take: long against what it costs, short against what is lost with an actor."""
MOST_CHUNKS = 256
"""Of a call; where completions are compared, a chunk is one prompt's."""


class _Task:
    """Chunks that one actor scores in one call."""

    def __init__(self) -> None:
        self.chunks: list[Chunk] = []
        self.bytes = 0
        self.unfetched = 0
        self.future: Future[Any] | None = None
        self.results: list[bytes] | None = None


class RayEngine:
    """Actors of a Ray cluster; see `adapters.files.engines.Engine`.

    Args:
        address: Address of the cluster, as for `Session`.
        actors: Number of actors; None for one per core of the cluster.

    Raises:
        MissingDependencyError: Ray is not installed.
        ConfigError: There is no cluster at the address.
    """

    def __init__(self, address: str | None = None, actors: int | None = None) -> None:
        self._session = Session(address, actors)
        self.actors = actors or self._session.cores
        ray = self._session.ray
        self._crew = Crew(ray, starting(ray, LineScorer), self.actors)
        self._task: _Task | None = None
        self._tasks = 0
        self._seconds: float | None = None
        self._sent: tuple[bytes, Any] | None = None

    @property
    def full(self) -> bool:
        """Whether all actors have work, and some more waits."""
        return self._tasks > (IN_FLIGHT + 1) * self.actors

    def submit(self, scorer: FileScorer, lines: Sequence[Line]) -> Wait:
        """See `Engine.submit`."""
        task = self._task
        if task is None:
            task = self._task = _Task()
            self._tasks += 1
        place = len(task.chunks)
        task.chunks.append(raw(lines))
        task.unfetched += 1
        task.bytes += sum(len(line.raw) for line in lines)
        if len(task.chunks) >= self._size() or task.bytes >= CHUNK_BYTES:
            self._send(scorer)
        return lambda: self._result(scorer, task, place)

    def close(self) -> None:
        """End the actors, and the cluster if it was started here."""
        self._crew.close()
        self._session.close()

    # ------------------------------------------------------------------------------------------

    def _size(self) -> int:
        """Return the number of chunks in a call."""
        if self._seconds is None:
            return 1
        return max(1, min(MOST_CHUNKS, int(GOAL_SECONDS / max(self._seconds, 1e-6))))

    def _send(self, scorer: FileScorer) -> None:
        """Submit the open task."""
        task, self._task = self._task, None
        if task is not None:
            task.future = self._crew.call(self._shared(scorer.pickled()), task.chunks)

    def _shared(self, pickled: bytes) -> Any:
        """Return the scorer, sent to each machine once."""
        if self._sent is None or self._sent[0] != pickled:
            self._sent = pickled, self._session.ray.put(pickled)
        return self._sent[1]

    def _result(self, scorer: FileScorer, task: _Task, place: int) -> Scored:
        # Nothing is added to the open task while its owner waits: whoever is free may have it.
        if self._task is task or self._crew.idle:
            self._send(scorer)
        try:
            if task.results is None:
                task.results, seconds = self._crew.result(_sent(task))
                self._learn(seconds / len(task.chunks))
            return Scored.from_bytes(task.results[place])
        except LostError:
            return self._apart(scorer, task.chunks[place])
        finally:
            task.chunks[place] = [], []
            if task.results is not None:
                task.results[place] = b""
            task.unfetched -= 1
            if not task.unfetched:
                self._tasks -= 1

    def _apart(self, scorer: FileScorer, chunk: Chunk) -> Scored:
        """Score a chunk by itself after it, or one of its neighbours, lost its actors."""

        def attempt(lines: list[bytes], places: list[str]) -> Scored | Ended:
            try:
                call = self._crew.call(self._shared(scorer.pickled()), [(lines, places)])
                return Scored.from_bytes(self._crew.result(call)[0][0])
            except LostError as lost:
                return Ended(lost)

        return score_apart(attempt, lambda: scorer.scorer, *chunk)

    def _learn(self, seconds: float) -> None:
        known = self._seconds
        self._seconds = seconds if known is None else 0.7 * known + 0.3 * seconds


def _sent(task: _Task) -> Future[Any]:
    assert task.future is not None  # noqa: S101
    return task.future
