"""A connection to a Ray cluster, and the actors on its machines, each with one worker process of our own.

The worker process is what `verify-cli score` has on one machine, with the same surroundings, so verdicts are
the same; and a row that ends the process which judges it does not end the actor.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.packages import require
from reward_verifiers.verifiers.runtime.pool import WorkerPool, available_cores

from ..files.chunk_scorer import score_in_worker
from ..files.engines import score_in

STORE_BYTES = 256 << 20
"""Shared memory of a cluster that is started here: what travels is some megabytes for each actor."""
STORE_BYTES_EACH = 16 << 20


class Session:
    """An initialised Ray, which is shut down only if the session started it.

    Args:
        address: Address of a cluster. None takes the one to which this process is connected, or that of the
            environment variable ``RAY_ADDRESS``, or starts one on this machine.
        cores: Number of cores for a start on this machine; None for all that this process may use.

    Raises:
        MissingDependencyError: Ray is not installed.
        ConfigError: There is no cluster at the address, or none can be started here.
    """

    def __init__(self, address: str | None = None, cores: int | None = None) -> None:
        self.ray: Any = require("ray", extra="ray")
        self.mine = not self.ray.is_initialized()
        if not self.mine:
            return
        where = address or os.environ.get("RAY_ADDRESS") or "local"
        options: dict[str, Any] = {}
        if where == "local":
            cores = cores or available_cores()
            store = STORE_BYTES + cores * STORE_BYTES_EACH
            options = {"num_cpus": cores, "include_dashboard": False, "object_store_memory": store}
            # Ray would report its use to its makers.
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            self.ray.init(address=where, log_to_driver=False, logging_level=logging.ERROR, **options)
        except Exception as error:  # a node that does not start in time is no more than an Exception
            done = "started here" if where == "local" else f"reached at {where}"
            raise ConfigError(f"no Ray cluster can be {done}: {error}") from error

    @property
    def cores(self) -> int:
        """Cores of all machines of the cluster, at least 1."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 0)))

    def close(self) -> None:
        """Shut down the cluster that the session started, or leave one that it joined."""
        if self.mine:
            self.ray.shutdown()


def search_path() -> list[str]:
    """Return this process's module paths; actors search them after all others, as worker processes do."""
    return [os.path.abspath(entry) for entry in sys.path]


def extend_search_path(entries: list[str]) -> None:
    """Add these places to the end of the module search path."""
    sys.path.extend(entry for entry in entries if entry not in sys.path)


FUNCTION = f"{__name__}:score_chunks"

Chunk = tuple[list[bytes], list[str]]
"""Lines, and what messages call them."""


class LineScorer:
    """Scores chunks of lines.

    Args:
        paths: Module search path of the caller.
    """

    def __init__(self, paths: list[str]) -> None:
        extend_search_path(paths)

    def ready(self) -> bool:
        """Start working."""
        self._pool = WorkerPool(1, memory=None, secrets=True)
        return True

    def work(self, pickled: bytes, chunks: list[Chunk]) -> tuple[list[bytes], float]:
        """Return each chunk's result, as `Scored.to_bytes` writes it, and the total seconds.

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
    """Return a function that starts an actor.

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
