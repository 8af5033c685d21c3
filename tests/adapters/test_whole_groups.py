"""What the functions and processes of one trainer share, and the values that they are handed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from threading import Barrier, get_ident
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.hosts import shared_payments
from adapters.hosts.shared_payments import BROKEN, Evaluation, Processes
from adapters.trl import trl_reward_func, trl_reward_funcs, trl_reward_weights
from rewards import LengthTarget, Linear, Pay, Rank, Reward, SoftOverlong
from tests import ranks
from tests.timing import HANG
from verifiers import ConfigError, ExactMatch, Length, TagFormat, TokenF1, verifier

SHORTEST: Reward = Rank(LengthTarget(0))


class Together:
    """Threads that stand for processes: each call of `gather` waits for the others'."""

    def __init__(self, count: int) -> None:
        self.count, self._barrier = count, Barrier(count, timeout=HANG)
        self._given: list[Any] = [None] * count

    def of(self, number: int) -> Processes:
        def gather(value: Any) -> list[Any]:
            self._given[number] = value
            self._barrier.wait()
            found = list(self._given)
            self._barrier.wait()
            return found

        return Processes(number, gather)


def on_processes(
    monkeypatch: pytest.MonkeyPatch,
    count: int,
    reward: Reward,
    size: int | None,
    batches: Sequence[tuple[list[str], list[str]]],
    **columns: Callable[[slice], list[Any]],
) -> list[list[Any]]:
    """What each batch is paid where `count` processes hold equal parts of it."""
    those = Together(count)
    numbers: dict[int, int] = {}
    monkeypatch.setattr(shared_payments, "processes", lambda: those.of(numbers[get_ident()]))

    def process(number: int) -> list[list[float | None]]:
        numbers[get_ident()] = number
        evaluation = Evaluation(reward, {}, size, None, split="gather")
        found = []
        for prompts, completions in batches:
            own = len(completions) // count
            part = slice(number * own, (number + 1) * own)
            given = {"prompts": prompts[part], **{name: made(part) for name, made in columns.items()}}
            found.append([each.value for each in evaluation.payments(completions[part], given)])
        return found

    with ThreadPoolExecutor(count) as pool:
        parts = list(pool.map(process, range(count)))
    return [[value for part in batch for value in part] for batch in zip(*parts, strict=True)]


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("size", [8, None])
def test_a_group_on_several_processes_is_paid_as_on_one(
    monkeypatch: pytest.MonkeyPatch, count: int, size: int | None
) -> None:
    """A thousand random groups, of which no process holds whole ones."""
    batches = list(ranks.random_groups())
    found = on_processes(monkeypatch, count, SHORTEST, size, batches)
    for (prompts, completions), paid in zip(batches, found, strict=True):
        assert paid == SHORTEST(completions, prompts=prompts, group_size=8)


def test_columns_go_along_and_rows_without_a_reward_stay_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the reward reads of a row is read where its group is paid."""
    chance = random.Random(1)
    reward = Pay(ExactMatch()) + 0.5 * SHORTEST
    completions = [chance.choice(["4", "5", "no"]) for _ in range(12)]
    answers: list[Any] = [chance.choice(["4", "5", None]) for _ in range(12)]
    prompts = [f"q{number // 6}" for number in range(12)]
    alone = reward(completions, prompts=prompts, answer=answers)
    assert None in alone
    found = on_processes(
        monkeypatch, 4, reward, 6, [(prompts, completions)], answer=lambda part: answers[part]
    )
    assert found == [alone]


def test_what_one_process_refuses_all_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is left waiting for an answer that does not come."""

    @verifier
    def broken(response: str) -> float:
        raise RuntimeError("it is broken")

    with pytest.raises(ConfigError, match="breaks on every row"):
        on_processes(monkeypatch, 2, Pay(broken) + SHORTEST, 4, [(["q"] * 4, ["a", "b", "c", "d"])])


def test_whole_groups_are_not_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each process has whole groups, and for rewards that compare none, nothing is gathered."""

    def asked() -> Processes:
        raise AssertionError

    monkeypatch.setattr(shared_payments, "processes", asked)
    whole = Evaluation(SHORTEST, {}, 2, None, split="gather")
    assert [each.value for each in whole.payments(["a", "bb"], {"prompts": ["q", "q"]})] == [1.0, 0.0]
    single = Evaluation(Pay(ExactMatch()), {}, 4, None, split="gather")
    assert [each.value for each in single.payments(["4"], {"answer": ["4"]})] == [1.0]


def test_coroutines_do_not_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads of two processes would exchange in another order each: it is refused, with the cure."""
    monkeypatch.setattr(shared_payments, "processes", lambda: Processes(0, lambda value: [value, value]))
    if tuple(map(int, version("trl").split(".")[:2])) < (1, 14):
        with pytest.raises(ConfigError, match=r"needs trl 1\.14 or newer"):
            trl_reward_funcs(SHORTEST, num_generations=4, asynchronous=True)
        return
    [function, *_] = trl_reward_funcs(SHORTEST, num_generations=4, asynchronous=True)
    with pytest.raises(ConfigError, match="let each hold whole groups"):
        function.evaluation.payments(["a", "bb"], {"prompts": ["q", "q"]})


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4])
def test_processes_of_torch_pay_whole_groups(tmp_path: Path, count: int) -> None:
    """Over gloo, by the functions that TRL calls."""
    ranks.run("groups", tmp_path, count)
    parts = [json.loads((tmp_path / f"paid.rank{rank}.json").read_text()) for rank in range(count)]
    batches = list(ranks.random_groups())
    assert sum(len(prompts) // 8 for prompts, _ in batches) >= 1000
    for number, (prompts, completions) in enumerate(batches):
        paid = [value for part in parts for value in part[number]]
        assert paid == SHORTEST(completions, prompts=prompts, group_size=8)


RIGHT: Reward = Pay(ExactMatch())


def _evaluation(reward: Reward = RIGHT, size: int | None = None, **columns: str) -> Evaluation:
    return Evaluation(reward, columns, size, None)


@pytest.mark.parametrize(
    ("size", "columns", "expected"),
    [
        (None, {}, None), (None, {"prompts": ["p", "p", "q", "q"]}, None), (2, {}, 2),
        (2, {"prompts": ["p", "p", "q", "q"]}, 2), (2, {"prompts": ["p", "q", "q", "q"]}, None),
        (3, {"prompts": ["p", "p", "q", "q"]}, None), (4, {"prompts": ["p", "p", "p", "p"]}, 4),
    ],
)  # fmt: skip
def test_a_group_size_holds_where_it_fits(size: int | None, columns: dict[str, Any], expected: Any) -> None:
    """Where prompts contradict it, they tell the groups."""
    assert _evaluation(size=size)._size(columns, 4) == expected


def test_a_batch_is_paid_once() -> None:
    """The same objects again are the same batch; equal ones are another."""
    evaluation = _evaluation()
    completions, answers = ["4", "5"], ["4", "4"]
    first = evaluation.payments(completions, {"answer": answers})
    assert [payment.value for payment in first] == [1.0, 0.0]
    assert evaluation.payments(list(completions), {"answer": list(answers)}) is first
    assert evaluation.payments(completions[:1], {"answer": answers[:1]}) is not first
    again = evaluation.payments(completions, {"answer": answers})
    assert evaluation.payments(completions, {"answer": answers, "more": [1, 2]}) is not again
    assert evaluation.payments(["4", "4"], {"answer": answers})[1].value == 1.0
    assert evaluation.payments(["4", "4"], {"answer": ["4", "7"]})[1].value == 0.0


def test_a_column_may_have_another_name() -> None:
    """One that the reward does not read, or that the rows do not have, is listed."""
    evaluation = _evaluation(answer="gold")
    assert [each.value for each in evaluation.payments(["4"], {"gold": ["4"]})] == [1.0]
    with pytest.raises(ConfigError, match="no column 'gold' for 'answer'"):
        _evaluation(answer="gold").payments(["4"], {"golds": ["4"]})
    with pytest.raises(ConfigError, match="no column 'golt' for 'answer'; did you mean 'gold'"):
        _evaluation(answer="golt").payments(["4"], {"gold": ["4"], "answer": ["5"]})
    with pytest.raises(ConfigError, match=r"the reward reads no column 'anwser'; did you mean 'answer'"):
        _evaluation(anwser="gold")


def test_nothing_ends_a_run_that_has_worked() -> None:
    """A column that the first batch lacks is an error; one that a later batch lacks masks its rows."""
    evaluation = _evaluation(Pay(TokenF1()))
    with pytest.raises(ConfigError, match="column 'answer'"):
        evaluation.payments(["4"], {})
    assert evaluation.payments(["4"], {"answer": ["4"]})[0].value == 1.0
    masked = evaluation.payments(["4", "5"], {})
    assert [(each.value, each.note) for each in masked] == [(None, BROKEN)] * 2


def _logged(
    function: Any, completions: list[Any], **given: Any
) -> tuple[list[Any], dict[str, Any], dict[str, Any]]:
    """What a trainer gets: values, extra columns, metrics."""
    extra: dict[str, Any] = {}
    metrics: dict[str, Any] = {}
    values = function(
        completions, log_extra=extra.__setitem__, log_metric=metrics.__setitem__, trainer_state=None, **given
    )
    return values, extra, metrics


def test_a_row_without_a_total_is_blank_in_every_function() -> None:
    """TRL masks a row only if each function says None; parts of the others are their own values."""
    reward = Pay(ExactMatch()) + 0.5 * Pay(Length(1, 1))
    functions = trl_reward_funcs(reward)
    assert [function.__name__ for function in functions] == ["reward", "ExactMatch", "Length"]
    assert trl_reward_weights(reward) == [1.0, 0.0, 0.0]
    given = {"answer": ["4", "4", ""]}
    assert [function(["4", "44", "4"], **given) for function in functions] == [
        [1.5, 0.0, None], [1.0, 0.0, None], [1.0, 0.0, None],
    ]  # fmt: skip


def test_values_are_handed_over_within_what_a_trainer_can_hold() -> None:
    """32-bit floats turn larger ones, and their squares, into infinity."""
    for weight, held in ((1e7, -1e6), (-1e7, 1e6), (1e6, -1e6), (-1e6, 1e6), (1e3, -1e3)):
        assert trl_reward_func(weight * LengthTarget(0, 1.0))(["x"]) == [held]


def test_logs_say_how_many_rows_were_left_out_and_why() -> None:
    """One function of a reward reports: shares, reasons, what was extracted."""
    reward: Reward = Pay(ExactMatch())
    [total, *_] = trl_reward_funcs(reward + 0.0 * Pay(Length()).named("length"))
    values, extra, metrics = _logged(total, ["4", "5", "4", "4"], answer=["4", "4", "", None])
    assert (values, metrics) == ([1.0, 0.0, None, None], {"reward/unscored": 0.5, "reward/fault": 0.0})
    assert extra["reward.extracted"] == ["4", "5", "", ""]
    assert extra["reward.reason"][:2] == [
        "ExactMatch:equal, length:in_band",
        "ExactMatch:not_equal, length:in_band",
    ]
    assert "reward.completion_tokens" not in extra
    assert _logged(total, [], answer=[])[2] == {}


def test_a_function_that_stands_alone_logs_the_means_of_its_parts() -> None:
    """Over the rows that have a value, under the name that it is given."""
    reward = Pay(ExactMatch()) + Linear(1.0, 0.5) * SoftOverlong(4, 2)
    function = trl_reward_func(reward, "mine")
    given = {"answer": ["4", "4", ""], "completion_ids": [[1, 2, 3], [1], [1]]}
    values, extra, metrics = _logged(function, ["4", "5", "4"], **given)
    assert function.__name__ == "mine"
    assert values[2] is None
    assert (metrics["mine/ExactMatch"], metrics["mine/SoftOverlong"]) == (0.5, pytest.approx(-0.5 / 3))
    assert metrics["mine/unscored"] == pytest.approx(1 / 3)
    assert "mine/SoftOverlong.weight" in metrics
    assert extra["mine.completion_tokens"] == [3, 1, 1]
    state = SimpleNamespace(global_step=5, max_steps=10)
    metrics.clear()
    function(["4"] * 3, log_metric=metrics.__setitem__, trainer_state=state, **given)
    assert metrics["mine/SoftOverlong.weight"] == pytest.approx(0.75)


def test_a_weighted_sum_is_handed_over_in_its_terms() -> None:
    """Where it is one: gates, steps and schedules do not split."""
    reward = Pay(ExactMatch()) + 0.5 * Pay(Length(1, 1)) - 2 * Pay(TagFormat()).named("tags")
    functions = trl_reward_funcs(reward, weighted=True)
    assert [function.__name__ for function in functions] == ["ExactMatch", "Length", "tags"]
    assert [function.reports for function in functions] == [True, False, False]
    assert trl_reward_weights(reward, weighted=True) == [1.0, 0.5, -2.0]
    assert trl_reward_weights(3 * Pay(ExactMatch()), weighted=True) == [3.0]
    for wrong in (
        Pay(ExactMatch()) + Pay(Length()).clip(low=0.5),
        Linear(1.0, 0.0) * Pay(ExactMatch()),
        Pay(ExactMatch()).when(Pay(TagFormat())),
    ):
        for export in (trl_reward_funcs, trl_reward_weights):
            with pytest.raises(ConfigError, match="cannot be exported as weighted parts"):
                export(wrong, weighted=True)
