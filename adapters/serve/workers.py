"""The processes that judge: the library's own pool, whose workers end with their pipe and can be killed.

A worker process judges rows of one recipe by `judge_rows`, and answers with plain data.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from reward_verifiers.rewards import Payment, Reward
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.pool import WorkerPool
from reward_verifiers.verifiers.runtime.worker_process import NOT_SENT, Outcome

from ..files.chunk_scorer import kept_scorer, shown
from ..files.formats.lines import dumps, parse
from ..files.row_faults import ended, written
from ..hosts.unscored import handed_over, why
from .counters import LOG, Metrics
from .load_limits import Limits, ServeError
from .recipes import Recipes, Served


def judge_rows(pickled: bytes, lines: list[bytes], places: list[str]) -> bytes:
    """Judge rows of one recipe, as `verify-cli score` judges the lines of a file.

    Args:
        pickled: A `Scorer`, as our parent wrote it.
        lines: A JSON object for each row: what is nested as deeply as JSON may be does not pickle.
        places: Their names in messages.

    Returns:
        A JSON array with an object for each row: ``reward``, ``status``, ``reward_parts``, ``verdicts``,
        ``verdict_parts`` as `verify-cli score` writes them, and ``why``, where there is no reward.
    """
    scorer = kept_scorer(pickled)
    rows = list(map(parse, lines))
    payments = scorer.payments(rows, places.__getitem__)
    return b"[" + b", ".join(written(scorer.reward, each, _result)[1] for each in payments) + b"]"


def broken_row(reward: Reward, detail: str, reason: str) -> dict[str, Any]:
    """Return the result of a row that no worker completes."""
    return _result(ended(reward, detail, reason))


def _result(payment: Payment) -> dict[str, Any]:
    result = shown(payment) | {"status": payment.status.value}
    if payment.value is None:
        return result | {"why": why(payment)}
    return result | {"reward": handed_over(payment.value)}


FUNCTION = "reward_verifiers.adapters.serve.workers:judge_rows"
START_SECONDS = 120.0
"""For the first row of a recipe in a worker, with all that it loads."""

TRIES = 3
"""For rows whose worker dies, twice at each try, before they are said to break workers."""

Rows = list[dict[str, Any]]


class Workers:
    """Judges batches, each in a worker process, several at a time.

    If a worker dies, its batch is judged again in another one. If that dies as well, or the batch takes too
    long, each row is tried by itself, so that a row that kills workers costs its own verdict only.

    Args:
        count: Processes.
        limits: Limits, such as the deadline of a batch. A single row, and rows that stay together, have half
            of it, because the pool tries twice.
        metrics: Counter of deaths.
    """

    def __init__(self, count: int, limits: Limits, metrics: Metrics) -> None:
        self.count, self._metrics = count, metrics
        self._batch_seconds = limits.batch_seconds
        self._row_seconds = max(limits.deadline / 2, limits.batch_seconds)
        self._pool = WorkerPool(count, memory=None, secrets=True)
        self.threads = ThreadPoolExecutor(count, thread_name_prefix="reward-server")
        self._alone = ThreadPoolExecutor(count, thread_name_prefix="reward-server-row")

    def warm(self, recipes: Recipes) -> None:
        """Start all processes, and let each judge a row of each recipe, before the first request.

        Raises:
            ConfigError: A recipe breaks, or no worker can be started.
        """
        for served in recipes:
            row = dict.fromkeys(served.scorer.columns) | {"completion": "x"}
            task = (served.pickled(served.scorer.progress), [dumps(row)], ["rows[0]"])
            started: list[Future[Outcome]] = [
                self.threads.submit(self._run, task, START_SECONDS) for _ in range(self.count)
            ]
            for each in started:
                outcome = each.result()
                if not outcome.ok:
                    raise ConfigError(f"the recipe {served.name!r} cannot be served: {outcome.detail}")

    def judge(self, served: Served, progress: float, rows: Rows, places: Sequence[str]) -> Rows:
        """Return one result for each row, in order.

        Args:
            served: The recipe.
            progress: At which schedules are read.
            rows: Checked.
            places: Their names in messages.

        Raises:
            ServeError: No worker can be started.
        """
        lines, unsent = _lines(rows)
        if unsent:
            return self._without(unsent, served, progress, rows, places)
        task = (served.pickled(progress), lines, list(places))
        cut_up = len(rows) > 1 and not served.whole
        tries, until = 0, time.monotonic() + self._row_seconds
        while True:
            outcome = self._run(task, self._batch_seconds if cut_up else self._row_seconds)
            if outcome.ok:
                results: Rows = json.loads(outcome.value)
                return results
            self._metrics.deaths += 1
            if outcome.reason == "crash" and not outcome.by_task and time.monotonic() < until:
                continue  # it had not begun with the rows
            tries += 1
            # Workers that are killed from outside say nothing about the rows.
            once = outcome.reason not in ("worker", "crash") or (outcome.reason == "crash" and cut_up)
            if once or tries == TRIES:
                break
        if outcome.reason == "worker":
            raise ServeError(503, "no_worker", f"no worker can be started here: {outcome.detail}", 5)
        if len(rows) == 1 or served.whole:
            LOG.warning("a row broke its worker (%s): %s", outcome.reason, outcome.detail)
            return [_broken(served, outcome, place) for place in places]
        alone = [
            self._alone.submit(self.judge, served, progress, [row], [place])
            for row, place in zip(rows, places, strict=True)
        ]
        return [result for each in alone for result in each.result()]

    def _without(
        self, unsent: dict[int, Outcome], served: Served, progress: float, rows: Rows, places: Sequence[str]
    ) -> Rows:
        """Judge the rows that can be sent; the others are faults, and so are those compared with them."""
        LOG.warning("a row cannot be sent to a worker: %s", next(iter(unsent.values())).detail)
        if served.whole:
            first = next(iter(unsent.values()))
            return [_broken(served, unsent.get(at, first), place) for at, place in enumerate(places)]
        sent = [at for at in range(len(rows)) if at not in unsent]
        judged = self.judge(served, progress, [rows[at] for at in sent], [places[at] for at in sent])
        found = dict(zip(sent, judged, strict=True))
        return [
            found[at] if at in found else _broken(served, unsent[at], place)
            for at, place in enumerate(places)
        ]

    def close(self) -> None:
        """End all processes."""
        self.threads.shutdown(wait=True, cancel_futures=True)
        self._alone.shutdown(wait=True, cancel_futures=True)
        self._pool.close()

    def _run(self, task: tuple[bytes, list[bytes], list[str]], seconds: float) -> Outcome:
        return self._pool.run(FUNCTION, task, cpu_seconds=None, wall_seconds=seconds)


def _lines(rows: Rows) -> tuple[list[bytes], dict[int, Outcome]]:
    """Return the rows as a worker takes them, and results for those that cannot be written, by place."""
    lines: list[bytes] = []
    unsent: dict[int, Outcome] = {}
    for at, row in enumerate(rows):
        try:
            lines.append(dumps(row))
        except Exception as error:  # nested more deeply than can be written: whatever it is, it is this row's
            detail = f"it cannot be handed to a worker: {type(error).__name__}: {error}"
            unsent[at] = Outcome(False, None, NOT_SENT, detail[:500])
    return lines, unsent


def _broken(served: Served, outcome: Outcome, place: str) -> dict[str, Any]:
    """Return the result of a row that no worker completes."""
    reason = outcome.reason if outcome.reason == NOT_SENT else "worker_died"
    row = broken_row(served.scorer.reward, f"{outcome.detail}; {place}", reason)
    return row | {"why": f"{outcome.reason}: {outcome.detail}"[:500]}
