"""Concurrent calls: each gets what it would get alone, judged side by side or together, never as a group."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.hosts.host import Host, Need
from adapters.hosts.row_calls import Gatherer, RowCalls
from adapters.hosts.shared_payments import Evaluation
from adapters.hosts.unscored import is_fault
from rewards import Batch, DuplicatePenalty, Pay, load_recipe
from tests.support import in_loop
from tests.timing import examples
from verifiers import ConfigError, ExactMatch, verifier

ROWS = Host("a host of rows", frozenset(), ("zero", "raise"))
GROUPS = Host("a host of groups", frozenset({Need.GROUP}), ("group_mean",))
TIMEOUT = 60


class RowError(Exception):
    """What the judge of these tests raises for rows that are below 0."""


def _judge(rows: Sequence[int]) -> list[int]:
    if any(row < 0 for row in rows):
        raise RowError(sorted(row for row in rows if row < 0))
    return [row * row for row in rows]


def _outcome(call: Any) -> Any:
    try:
        return call()
    except RowError as error:
        return error.args[0]


def _expected(rows: list[int]) -> list[int]:
    wrong = sorted(row for row in rows if row < 0)
    return wrong or [row * row for row in rows]


CALLS = st.lists(st.lists(st.integers(-3, 9), max_size=4), min_size=1, max_size=12)


@settings(deadline=None, max_examples=examples(30))
@given(CALLS, st.booleans())
def test_each_thread_gets_its_own_results_or_its_own_exception(
    calls: list[list[int]], together: bool
) -> None:
    gatherer = Gatherer(_judge, together=together, window=0.01)
    with ThreadPoolExecutor(len(calls)) as threads:
        for _ in range(2):  # the first round learns what a row takes
            found = threads.map(lambda rows: _outcome(lambda: gatherer.call(rows)), calls)
            assert list(found) == [_expected(rows) for rows in calls]


@settings(deadline=None, max_examples=examples(15))
@given(CALLS, st.booleans())
def test_event_loops_do_too(calls: list[list[int]], together: bool) -> None:
    gatherer = Gatherer(_judge, together=together, window=0.01)

    async def ask(rows: list[int]) -> Any:
        try:
            return await gatherer.call_async(rows)
        except RowError as error:
            return error.args[0]

    async def ask_all() -> list[Any]:
        return await asyncio.gather(*map(ask, calls))

    for _ in range(2):
        assert asyncio.run(ask_all()) == [_expected(rows) for rows in calls]


def test_what_is_cheap_is_judged_together() -> None:
    """Calls that come while another is judged make one batch; enough rows end the wait."""
    sizes: list[int] = []
    under_way, gate = threading.Event(), threading.Event()

    def judge(rows: Sequence[int]) -> list[int]:
        sizes.append(len(rows))
        under_way.set()
        assert gate.wait(TIMEOUT)
        return list(rows)

    gatherer = Gatherer(judge, together=True, window=TIMEOUT)
    with ThreadPoolExecutor(4) as threads:
        calls = [threads.submit(gatherer.call, range(3))]
        assert under_way.wait(TIMEOUT)
        calls += [threads.submit(gatherer.call, range(start, start + 100)) for start in range(3)]
        while len(sizes) < 2 and not calls[0].done():
            under_way.wait(0.01)
        gate.set()
        assert [call.result(TIMEOUT) for call in calls] == [
            list(range(3)),
            *(list(range(k, k + 100)) for k in range(3)),
        ]
    assert sizes == [3, 300]


class Stop(BaseException):
    """As Ctrl-C in the middle of judging."""


def test_an_interrupt_is_for_the_thread_that_it_met() -> None:
    under_way, gate = threading.Event(), threading.Event()
    judged: list[int] = []

    def judge(rows: Sequence[int]) -> list[int]:
        judged.append(len(rows))
        under_way.set()
        assert gate.wait(TIMEOUT)
        if len(rows) == 400:
            raise Stop
        return list(rows)

    gatherer = Gatherer(judge, together=True, window=TIMEOUT)
    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(gatherer.call, range(3))
        assert under_way.wait(TIMEOUT)
        calls = [threads.submit(gatherer.call, range(200)) for _ in range(2)]
        while len(judged) < 2 and not first.done():
            under_way.wait(0.01)
        gate.set()
        assert first.result(TIMEOUT) == list(range(3))
        ended = [call.exception(TIMEOUT) for call in calls]
        assert sorted(type(each).__name__ for each in ended) == ["NoneType", "Stop"]
        [whole] = [call.result() for call in calls if call.exception() is None]
        assert whole == list(range(200))


def test_a_result_too_few_is_an_error_of_the_judge() -> None:
    with pytest.raises(RuntimeError, match="1 results for 2 rows"):
        Gatherer(lambda rows: [1]).call([1, 2])


@in_loop
async def test_a_caller_that_goes_away_takes_nothing_from_the_others() -> None:
    """A task that is cancelled while its rows are judged."""
    gate = threading.Event()

    def judge(rows: Sequence[int]) -> list[int]:
        assert gate.wait(TIMEOUT)
        return list(rows)

    gatherer = Gatherer(judge, together=True, window=0.05)
    first, second = (asyncio.create_task(gatherer.call_async([row])) for row in (1, 2))
    await asyncio.sleep(0.1)
    first.cancel()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert await second == [2]


def _meeting(parties: int) -> Any:
    """A verifier that answers once as many rows are judged at the same time."""
    barrier = threading.Barrier(parties)

    @verifier
    def meets(response: str) -> bool:
        barrier.wait(TIMEOUT)
        return True

    return meets


def test_no_lock_is_held_while_judging() -> None:
    """Rows of four threads are judged at once; with a lock they would wait for one another for ever."""
    reward = Pay(_meeting(4))
    evaluation = Evaluation(reward, {}, None, None)
    with ThreadPoolExecutor(4) as threads:
        paid = threads.map(lambda row: evaluation.payments([f"c{row}"], {})[0].value, range(4))
        assert list(paid) == [1.0] * 4
    calls = RowCalls(Pay(_meeting(4)), ROWS)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda row: calls.rows([f"c{row}"], [{}])[0].value, range(4))) == [1.0] * 4


def test_functions_of_one_trainer_judge_a_batch_once_also_at_the_same_time() -> None:
    """Those that come second wait for the first, and get the same payments."""
    judged: list[str] = []

    @verifier
    def counts(response: str) -> bool:
        judged.append(response)
        return True

    evaluation = Evaluation(Pay(counts), {}, None, None)
    completions = [f"c{row}" for row in range(50)]
    with ThreadPoolExecutor(8) as threads:
        paid = list(threads.map(lambda _: evaluation.payments(completions, {}), range(8)))
    assert all(each is paid[0] for each in paid)
    assert len(judged) == 50


def test_an_exception_is_everybodys_who_asked_for_that_batch() -> None:
    evaluation = Evaluation(Pay(ExactMatch()), {}, None, None)
    completions = ["4"]
    with ThreadPoolExecutor(4) as threads:
        calls = [threads.submit(evaluation.payments, completions, {}) for _ in range(4)]
        for call in calls:
            with pytest.raises(ConfigError, match="column 'answer'"):
                call.result(TIMEOUT)
    assert evaluation.payments(completions, {"answer": ["4"]})[0].value == 1.0


@settings(deadline=None, max_examples=examples(15))
@given(st.lists(st.tuples(st.sampled_from(["<SOLUTION>4</SOLUTION>", "5", "", "\\boxed{4}", "a" * 99]),
                          st.sampled_from(["4", "5", None]), st.booleans()), min_size=1, max_size=10))  # fmt: skip
def test_a_row_is_paid_what_it_is_paid_alone(rows: list[tuple[str, str | None, bool]]) -> None:
    """Whichever rows it was gathered with, and whatever other columns they have."""
    reward = load_recipe("gsm8k_tags")
    calls = RowCalls(reward, ROWS, window=0.01)
    asked = [
        (text, {"answer": answer, **({"prompt": "4+0?"} if more else {})}) for text, answer, more in rows
    ]
    alone = [reward.explain(text, **row) for text, row in asked]
    for _ in range(2):
        with ThreadPoolExecutor(len(asked)) as threads:
            together = list(threads.map(lambda each: calls.rows([each[0]], [each[1]])[0], asked))
        assert [(each.value, each.values()) for each in together] == [
            (each.value, each.values()) for each in alone
        ]


def test_rows_that_come_together_are_no_group() -> None:
    """A reward that compares is refused at the start, and by name where groups must be said."""
    reward = Pay(ExactMatch()) + DuplicatePenalty()
    with pytest.raises(ConfigError, match=r"DuplicatePenalty.*does not pass"):
        RowCalls(reward, ROWS)
    calls = RowCalls(reward, GROUPS)
    completions, rows = ["4", "4", "5"], [{"answer": "4", "prompt": "2+2"}] * 3
    with pytest.raises(ConfigError, match="no group"):
        calls.rows(completions, rows)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    expected = Batch(completions, columns, group_size=3).pay(reward)
    assert [each.value for each in calls.group(completions, rows)] == [each.value for each in expected]
    assert calls.settled(expected, [range(3)]).unscored == 0


def test_columns_and_broken_rewards() -> None:
    """A column may have another name; one that is missing is told at the start; later a row is without a reward."""
    calls = RowCalls(Pay(ExactMatch()), ROWS, columns={"answer": "label"})
    with pytest.raises(ConfigError, match="no column 'label'"):
        calls.rows(["4"], [{"labels": "4"}])
    assert calls.rows(["4"], [{"label": "4"}])[0].value == 1.0
    [late] = calls.rows(["4"], [{"labels": "4"}])
    assert late.value is None
    assert "no column 'label'" in late.note
    assert not is_fault(late)  # it cannot be judged, and nothing broke
    with pytest.raises(ConfigError, match="1 rows for 2"):
        calls.rows(["4", "5"], [{"label": "4"}])
    again = pickle.loads(pickle.dumps(calls))
    assert (again.rows(["4"], [{"label": "4"}])[0].value, again.rows([], [])) == (1.0, [])
