"""Groups that lie on several processes are paid as on one."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from threading import Barrier, get_ident
from typing import Any

import pytest

from adapters.hosts import shared_payments
from adapters.hosts.shared_payments import Evaluation, Processes
from adapters.trl import trl_reward_funcs
from rewards import LengthTarget, Pay, Rank, Reward
from tests import ranks
from tests.timing import HANG
from verifiers import ConfigError, ExactMatch, verifier

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
