"""What runs on the machines of a cluster: actors, each with one worker process of the library's own.

The worker process is what `verify-cli score` has on one machine, with the same surroundings, so verdicts are
the same; and a row that ends the process which judges it does not end the actor.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any

from reward_verifiers.verifiers.runtime.pool import WorkerPool

from ..files.chunk_scorer import score_in_worker
from ..files.engines.processes import score_in
from .session import extend_search_path, search_path

FUNCTION = f"{__name__}:score_chunks"

Chunk = tuple[list[bytes], list[str]]
"""Lines, and what messages call them."""


class LineScorer:
    """Scores chunks of lines.

    Args:
        paths: Where the caller finds modules.
    """

    def __init__(self, paths: list[str]) -> None:
        extend_search_path(paths)

    def ready(self) -> bool:
        """Start working."""
        self._pool = WorkerPool(1, memory=None, secrets=True)
        return True

    def work(self, pickled: bytes, chunks: list[Chunk]) -> tuple[list[bytes], float]:
        """What becomes of each chunk, as `Scored.to_bytes` writes it, and the seconds that all took.

        Args:
            pickled: A `Scorer`.
            chunks: In order.
        """
        started = time.perf_counter()
        # All at once, so that the process never waits for this one between chunks.
        outcome = self._pool.run(FUNCTION, (pickled, chunks), cpu_seconds=None)
        if outcome.ok:
            scored = _apart(outcome.value)
        else:
            scored = [score_in(self._pool, pickled, lines, places).to_bytes() for lines, places in chunks]
        return scored, time.perf_counter() - started


def score_chunks(pickled: bytes, chunks: list[Chunk]) -> bytes:
    """Score chunks in a worker process; `_apart` takes the answer to pieces."""
    scored = [score_in_worker(pickled, lines, places) for lines, places in chunks]
    return json.dumps([len(each) for each in scored]).encode() + b"\n" + b"".join(scored)


def _apart(data: bytes) -> list[bytes]:
    head, _, body = data.partition(b"\n")
    ends = [0, *accumulate(json.loads(head))]
    return [body[start:end] for start, end in pairwise(ends)]


def starting(ray: Any, kind: type, *arguments: Any, cores: float = 1, gpus: float = 0) -> Callable[[], Any]:
    """A function that starts an actor.

    Args:
        ray: The package, initialised.
        kind: The actor's class, whose first argument is the search path.
        arguments: The others.
        cores: That each actor occupies.
        gpus: The same of accelerators.
    """
    remote = ray.remote(
        num_cpus=cores,
        num_gpus=gpus,
        max_restarts=0,
        max_task_retries=0,
        runtime_env={"env_vars": {"OMP_NUM_THREADS": "1"}},
    )(kind)
    paths = search_path()
    return lambda: remote.remote(paths, *arguments)
