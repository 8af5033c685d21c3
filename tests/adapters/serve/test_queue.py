"""Rows of many requests in batches, and in workers that die: each request gets its own results."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.files.chunk_scorer import Scorer
from adapters.serve.counters import Metrics
from adapters.serve.load_limits import Limits, ServeError
from adapters.serve.micro_batches import Queue
from adapters.serve.recipes import Recipes, Served
from adapters.serve.request_formats import HOSTS
from adapters.serve.workers import TRIES, Workers
from rewards import DuplicatePenalty, Pay
from tests.support import in_loop
from tests.timing import examples
from verifiers import ConfigError, ExactMatch
from verifiers.runtime.worker_process import Outcome

RECIPES = Recipes(["one=ExactMatch", "two=ExactMatch"], HOSTS)
ONE, TWO = RECIPES
GROUPS = Served("groups", Scorer(Pay(ExactMatch()) + DuplicatePenalty()))


class FakeWorkers:
    """Judges by giving back what it was asked; notes every batch."""

    def __init__(self, count: int = 2) -> None:
        self.count = count
        self.threads = ThreadPoolExecutor(count)
        self.batches: list[tuple[Any, float, list[Any], list[str]]] = []
        self.gate = threading.Event()
        self.gate.set()

    def judge(self, served: Any, progress: float, rows: list[Any], places: list[str]) -> list[Any]:
        assert self.gate.wait(60)
        self.batches.append((served.name, progress, rows, places))
        if any(row.get("break") for row in rows):
            raise ServeError(503, "no_worker", "broken")
        return [{"status": "scored", "reward": 1.0, "row": row, "place": place}
                for row, place in zip(rows, places, strict=True)]  # fmt: skip


REQUESTS = st.lists(
    st.tuples(
        st.sampled_from([ONE, TWO, GROUPS]),
        st.sampled_from([0.5, 1.0]),
        st.lists(st.sampled_from([(), ("prompt",), ("prompt", "more")]), max_size=30),
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=examples(40))
@given(REQUESTS, st.integers(1, 7))
def test_each_request_gets_its_results_in_order(requests: Any, batch_rows: int) -> None:
    """Batches have rows of one recipe at one progress with the same columns; those of a group stay whole."""

    async def run() -> None:
        workers, metrics = FakeWorkers(), Metrics()
        queue = Queue(workers, Limits(batch_rows=batch_rows), metrics)  # type: ignore[arg-type]

        async def ask(number: int, served: Any, progress: float, kinds: Any) -> None:
            rows = [{"request": number, "row": row, **dict.fromkeys(kind)} for row, kind in enumerate(kinds)]
            found = await queue.judge(served, progress, rows, time.monotonic() + 60)
            assert [each["row"] for each in found] == rows
            assert [each["place"] for each in found] == [f"rows[{row}]" for row in range(len(rows))]

        await asyncio.gather(*(ask(number, *each) for number, each in enumerate(requests)))
        await queue.drained()
        assert metrics.queued_rows == 0
        assert sum(len(rows) for _, _, rows, _ in workers.batches) == sum(len(each[2]) for each in requests)
        for name, _, rows, _ in workers.batches:
            if name == "groups":
                [request] = {row["request"] for row in rows}
                assert len(rows) == len(requests[request][2])
            else:
                assert len(rows) <= batch_rows
                assert len({tuple(sorted(row)) for row in rows}) == 1

    asyncio.run(run())


@in_loop
async def test_batches_grow_while_workers_are_busy() -> None:
    """Rows of clients that ask one by one are judged together."""
    workers = FakeWorkers(1)
    queue = Queue(workers, Limits(), Metrics())  # type: ignore[arg-type]
    workers.gate.clear()
    rows = [[{"row": row}] for row in range(11)]
    asked = [asyncio.create_task(queue.judge(ONE, 1.0, each, time.monotonic() + 60)) for each in rows]
    await asyncio.sleep(0)
    workers.gate.set()
    await asyncio.gather(*asked)
    assert [len(batch[2]) for batch in workers.batches] == [1, 10]


@in_loop
async def test_a_full_queue_is_told_and_takes_what_fits() -> None:
    """429, before anything is queued; afterwards there is room again."""
    workers = FakeWorkers(1)
    queue = Queue(workers, Limits(queue_rows=5), Metrics())  # type: ignore[arg-type]
    workers.gate.clear()
    first = asyncio.create_task(queue.judge(ONE, 1.0, [{}] * 4, time.monotonic() + 60))
    await asyncio.sleep(0.01)
    with pytest.raises(ServeError, match="4 rows wait, of at most 5") as caught:
        await queue.judge(ONE, 1.0, [{}] * 2, time.monotonic() + 60)
    assert (caught.value.status, caught.value.headers()) == (429, {"retry-after": "1"})
    workers.gate.set()
    assert (len(await first), len(await queue.judge(ONE, 1.0, [{}] * 5, time.monotonic() + 60))) == (4, 5)


@in_loop
async def test_a_deadline_ends_one_request_and_its_rows_are_not_judged() -> None:
    """504; the others go on."""
    workers = FakeWorkers(1)
    queue = Queue(workers, Limits(), Metrics())  # type: ignore[arg-type]
    workers.gate.clear()
    first = asyncio.create_task(queue.judge(ONE, 1.0, [{"who": "first"}], time.monotonic() + 60))
    await asyncio.sleep(0.01)
    late = asyncio.create_task(queue.judge(ONE, 1.0, [{"who": "late"}], time.monotonic() + 0.05))
    last = asyncio.create_task(queue.judge(ONE, 1.0, [{"who": "last"}], time.monotonic() + 60))
    with pytest.raises(ServeError, match="not judged in time") as caught:
        await late
    assert caught.value.status == 504
    workers.gate.set()
    assert len(await first) == len(await last) == 1
    assert [row["who"] for batch in workers.batches for row in batch[2]] == ["first", "last"]


@in_loop
async def test_what_breaks_reaches_those_whose_rows_it_were() -> None:
    queue = Queue(FakeWorkers(1), Limits(), Metrics())  # type: ignore[arg-type]
    with pytest.raises(ServeError, match="broken"):
        await queue.judge(ONE, 1.0, [{"break": True}], time.monotonic() + 60)
    assert len(await queue.judge(ONE, 1.0, [{}], time.monotonic() + 60)) == 1
    assert await queue.judge(ONE, 1.0, [], time.monotonic() + 60) == []


def test_limits_are_above_0() -> None:
    """Else nothing would ever be let through."""
    for name in ("body_bytes", "queue_rows", "deadline"):
        with pytest.raises(ConfigError, match=name):
            Limits(**{name: 0})


def test_what_is_counted_reads_as_prometheus_has_it() -> None:
    """Every line is a comment or a sample, and histograms add up."""
    metrics = Metrics()
    metrics.answered("/score", 200, 0.02)
    metrics.answered("/score", 429, 200.0)
    metrics.rows.update([('a "name"\\', "scored"), ('a "name"\\', "scored")])
    lines = metrics.text().splitlines()
    assert 'reward_server_requests_total{path="/score",status="429"} 1' in lines
    assert 'reward_server_rows_total{recipe="a \\"name\\"\\\\",status="scored"} 2' in lines
    assert 'reward_server_request_seconds_bucket{path="/score",le="0.025"} 1' in lines
    assert 'reward_server_request_seconds_bucket{path="/score",le="120"} 1' in lines
    assert 'reward_server_request_seconds_bucket{path="/score",le="+Inf"} 2' in lines
    assert 'reward_server_request_seconds_sum{path="/score"} 200.020000' in lines
    for line in lines:
        assert line.startswith("# ") or float(line.rpartition(" ")[2]) >= 0


PLAIN = Served("plain", Scorer(Pay(ExactMatch())))


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
