"""Rows in worker processes that die: those that did nothing get their results, whoever killed the process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.files.chunk_scorer import Scorer
from adapters.serve.counters import Metrics
from adapters.serve.load_limits import Limits, ServeError
from adapters.serve.recipes import Served
from adapters.serve.workers import TRIES, Workers
from rewards import DuplicatePenalty, Pay
from tests.timing import examples
from verifiers import ExactMatch
from verifiers.runtime.worker_process import Outcome

PLAIN = Served("plain", Scorer(Pay(ExactMatch())))
GROUPS = Served("groups", Scorer(Pay(ExactMatch()) + DuplicatePenalty()))


class FakePool:
    """Dies of certain rows, and when it is killed."""

    def __init__(self, kills: list[bool]) -> None:
        self.kills: Iterator[bool] = iter(kills)
        self.in_a_row = 0

    def run(self, function: str, task: Any, **_: Any) -> Outcome:
        _, lines, places = task
        rows = list(map(json.loads, lines))
        killed = next(self.kills, False) and self.in_a_row < TRIES - 1
        self.in_a_row = self.in_a_row + 1 if killed else 0
        if killed or "crash" in [row["completion"] for row in rows]:
            return Outcome(False, None, "crash", "killed")
        if "hang" in [row["completion"] for row in rows]:
            return Outcome(False, None, "wall_time", "hangs")
        return Outcome(True, json.dumps([{"status": "scored", "place": place} for place in places]).encode())

    def close(self) -> None:
        """Nothing to end."""


def _workers(pool: FakePool) -> Workers:
    workers = Workers(1, Limits(), Metrics())
    workers._pool.close()
    workers._pool = pool  # type: ignore[assignment]
    return workers


@settings(deadline=None, max_examples=examples(50))
@given(
    st.lists(st.sampled_from(["4", "5", "crash", "hang"]), min_size=1, max_size=8), st.lists(st.booleans())
)
def test_only_rows_that_break_workers_are_faults(completions: list[str], kills: list[bool]) -> None:
    """In their places, however often workers are killed in between, short of at every try."""
    workers = _workers(FakePool(kills))
    rows = [{"completion": each, "answer": "4"} for each in completions]
    places = [f"rows[{row}]" for row in range(len(rows))]
    results = workers.judge(PLAIN, 1.0, rows, places)
    workers.close()
    assert len(results) == len(rows)
    for completion, place, result in zip(completions, places, results, strict=True):
        if completion in ("crash", "hang"):
            assert (result["status"], result["reward"]) == ("fault", None)
            assert result["why"]
        else:
            assert result == {"status": "scored", "place": place}


def test_workers_that_are_killed_before_they_begin_blame_no_row() -> None:
    """However often, until the row's time is over: a loaded machine takes long to start one."""
    pool = FakePool([])
    deaths = iter([Outcome(False, None, "crash", "killed", by_task=False)] * (5 * TRIES))
    judged = pool.run
    pool.run = lambda *given, **more: next(deaths, None) or judged(*given, **more)  # type: ignore[method-assign]
    workers = _workers(pool)
    [result] = workers.judge(PLAIN, 1.0, [{"completion": "4", "answer": "4"}], ["rows[0]"])
    workers.close()
    assert result == {"status": "scored", "place": "rows[0]"}


def test_rows_that_stay_together_break_together() -> None:
    """A part of a group would be paid another reward than the whole."""
    workers = _workers(FakePool([]))
    rows = [{"completion": each, "answer": "4", "prompt": "q"} for each in ("4", "crash")]
    results = workers.judge(GROUPS, 1.0, rows, ["rows[0]", "rows[1]"])
    workers.close()
    assert [result["status"] for result in results] == ["fault", "fault"]


def test_where_no_worker_starts_the_client_is_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """503, and no row is blamed."""
    pool = FakePool([])
    monkeypatch.setattr(
        pool, "run", lambda *_, **__: Outcome(False, None, "worker", "no memory", by_task=False)
    )
    workers = _workers(pool)
    with pytest.raises(ServeError, match="no memory") as caught:
        workers.judge(PLAIN, 1.0, [{"completion": "4", "answer": "4"}], ["rows[0]"])
    workers.close()
    assert (caught.value.status, caught.value.retry_after) == (503, 5)
