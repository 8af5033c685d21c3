"""Chunks and batches on actors that are lost, without Ray: the bytes and the payments are those of this process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import pickle
import random
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from adapters.cluster import actors, crew
from adapters.cluster.crew import Crew, LostError
from adapters.cluster.ray_engine import RayEngine
from adapters.cluster.ray_reward import RayReward
from adapters.files.chunk_scorer import Scorer
from adapters.files.file_runner import run
from adapters.files.jsonl import CHUNK_ROWS, Source
from adapters.files.scored_output import Output, RunError
from adapters.hosts.host import Host
from adapters.hosts.row_calls import RowCalls
from rewards import Batch, DuplicatePenalty, Pay, Rank, from_trl, load_recipe
from tests.adapters.cluster.fake_ray import FakeRay
from tests.adapters.own_things import DEADLY
from tests.verifiers.runtime.test_forks import in_child
from verifiers import ConfigError, ExactMatch, Keywords
from verifiers.runtime.worker_process import Outcome

REWARD = Pay(Keywords(("a", "b"), mode="fraction")).named("words")


class _Pool:
    """A worker process that is this one."""

    def __init__(self, size: int, memory: int | None, secrets: bool) -> None:
        assert size == 1

    def run(self, function: str, arguments: tuple[Any, ...], **options: Any) -> Outcome:
        module, _, name = function.partition(":")
        return Outcome(True, getattr(import_module(module), name)(*arguments))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Callable[[FakeRay], None]:
    """Puts a Ray in the place of the real one, whose actors score in their own threads."""

    monkeypatch.setattr(actors, "WorkerPool", _Pool)
    monkeypatch.setattr(crew, "_LOOK_SECONDS", 0.05)
    return lambda ray: monkeypatch.setattr(actors, "require", lambda *given, **options: ray)


def _file(folder: Path, completions: list[str], **more: Any) -> str:
    source = folder / "in.jsonl"
    rows = ({"n": n, "completion": text, **more} for n, text in enumerate(completions))
    source.write_text("".join(json.dumps(row) + "\n" for row in rows) + "[]\n", encoding="utf-8")
    return str(source)


def _scored(source: str, output: Path, scorer: Scorer, **options: Any) -> bytes:
    with contextlib.closing(Output(str(output))) as written:
        run(Source([source]), scorer, written, **options)
    return output.read_bytes()


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_a_file_has_the_bytes_of_this_process(
    tmp_path: Path, installed: Callable[[FakeRay], None], share: float
) -> None:
    chance = random.Random(3)
    ray = FakeRay(3, lambda method, given: method == "work" and chance.random() < share)
    installed(ray)
    source = _file(tmp_path, [chance.choice(("a", "b", "ab", "a b", "c")) for _ in range(5 * CHUNK_ROWS + 7)])
    scorer = Scorer(REWARD)
    assert _scored(source, tmp_path / "ray", scorer, engine=RayEngine) == _scored(
        source, tmp_path / "here", scorer
    )
    assert all(actor.dead.is_set() for actor in ray.actors), "what was started is ended"
    assert len(ray.actors) > 3 or not share


def test_a_row_that_ends_every_actor_is_a_fault(tmp_path: Path, installed: Callable[[FakeRay], None]) -> None:
    installed(FakeRay(2, lambda method, given: method == "work" and DEADLY in repr(given[1])))
    source = _file(tmp_path, ["a"] * 9 + [DEADLY] + ["a b"] * 6)
    rows = [
        json.loads(line)
        for line in _scored(source, tmp_path / "ray", Scorer(REWARD), engine=RayEngine).splitlines()
    ]
    assert [row["reward"] for row in rows] == [0.5] * 9 + [None] + [1.0] * 6
    assert rows[9]["verdicts"][0]["detail"] == f"the actor died; {source}:10"


def test_groups_stay_whole(tmp_path: Path, installed: Callable[[FakeRay], None]) -> None:
    """Each is a chunk, of which many go to an actor at a time."""
    installed(FakeRay(2))
    texts = ["a", "b a", "c"] * 100
    source = tmp_path / "in.jsonl"
    rows = ({"prompt": str(n // 3), "completion": text} for n, text in enumerate(texts))
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    scorer = Scorer(Rank(REWARD))
    there = _scored(str(source), tmp_path / "ray", scorer, engine=RayEngine)
    assert there == _scored(str(source), tmp_path / "here", scorer)


class _Worker:
    def __init__(self, paths: list[str]) -> None:
        """Whatever the paths."""

    def ready(self) -> bool:
        return True

    def work(self, number: int) -> int:
        if number < 0:
            raise ConfigError("it is negative")
        return number + 1


class _Unready(_Worker):
    def ready(self) -> bool:
        raise ModuleNotFoundError("no module of yours")


def test_a_crew_gives_what_its_actors_return_or_raise() -> None:
    """And says so where a call loses all of them."""
    ray = FakeRay(2, lambda method, given: given == (13,))
    people = Crew(ray, actors.starting(ray, _Worker), 2)
    try:
        calls = [people.call(number) for number in range(40)]
        for number, call in enumerate(calls):
            if number == 13:
                with pytest.raises(LostError, match="the actor died"):
                    people.result(call)
            else:
                assert people.result(call) == number + 1
        with pytest.raises(ConfigError, match="negative"):
            people.result(people.call(-1))
        assert people.idle
    finally:
        people.close()


def test_a_crew_works_on_with_the_cores_that_are_left() -> None:
    """An actor that waits for a core holds nothing up; without any, it is said after some time."""
    ray = FakeRay(1)
    people = Crew(ray, actors.starting(ray, _Worker), 3)
    assert [people.result(people.call(number)) for number in range(20)] == list(range(1, 21))
    people.close()
    ray = FakeRay(0)
    people = Crew(ray, actors.starting(ray, _Worker), 2, alive=0.2)
    with pytest.raises(RunError, match="no actor is at work after 0 s: the cluster has no core free"):
        people.result(people.call(1))
    people.close()


def test_what_no_actor_can_load_is_told() -> None:
    ray = FakeRay(2)
    people = Crew(ray, actors.starting(ray, _Unready), 2)
    with pytest.raises(ModuleNotFoundError, match="no module of yours"):
        people.result(people.call(1))
    with pytest.raises(ModuleNotFoundError, match="no module of yours"):
        people.result(people.call(2))
    people.close()


# A trainer's batches ----------------------------------------------------------------------------


def _batch(count: int, **columns: Any) -> Batch:
    texts = ["<answer>1</answer>", "2", "<answer>2</answer>", "", "1"]
    answers = ["1", "2", ""]
    return Batch(
        [texts[n % 5] for n in range(count)],
        {"answer": [answers[n % 3] for n in range(count)], "prompts": [str(n // 4) for n in range(count)]},
    )


@pytest.mark.parametrize("count", [0, 1, 7, 90])
def test_payments_are_those_of_the_reward(installed: Callable[[FakeRay], None], count: int) -> None:
    """With parts, verdicts and notes, for groups as well, and for event loops."""
    installed(FakeRay(3))
    for reward in (
        Pay(ExactMatch()).named("right") + 0.5 * Pay(Keywords(("1",))),
        Pay(ExactMatch()),
        Pay(ExactMatch()) + DuplicatePenalty(0.5),
    ):
        remote = RayReward(reward)
        assert remote.pay(_batch(count)) == _batch(count).pay(reward)
        assert asyncio.run(remote.pay_async(_batch(count))) == _batch(count).pay(reward)
        assert (remote.part_names(), remote.columns(), remote.signature(), remote.total_name) == (
            reward.part_names(), reward.columns(), reward.signature(), reward.total_name,
        )  # fmt: skip
        copy = pickle.loads(pickle.dumps(remote))
        assert copy == remote
        remote.close()


def test_a_completion_that_ends_actors_costs_its_own_reward(installed: Callable[[FakeRay], None]) -> None:
    installed(FakeRay(2, lambda method, given: method == "work" and DEADLY in repr(given)))
    with contextlib.closing(RayReward(REWARD)) as remote:
        paid = remote([*["a"] * 5, DEADLY, *["a b"] * 5])
        assert paid == [0.5] * 5 + [None] + [1.0] * 5
        broken = remote.pay(Batch(["a", DEADLY]))[1]
    assert (broken.status, broken.verdicts[0].reason) == ("fault", "worker_died")
    assert broken.verdicts[0].detail == "the actor died; completions[1]"


def test_it_judges_behind_the_contract_of_hosts(installed: Callable[[FakeRay], None]) -> None:
    installed(FakeRay(2))
    with contextlib.closing(RayReward(load_recipe("ExactMatch"))) as remote:
        calls = RowCalls(remote, Host("a trainer", frozenset(), ("zero",)))
        values: dict[int, Any] = {}

        def one(number: int) -> None:
            [payment] = calls.rows([str(number)], [{"answer": str(number - number % 2)}])
            values[number] = payment.value

        threads = [threading.Thread(target=one, args=(number,)) for number in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert values == {number: float(number % 2 == 0) for number in range(24)}


def whole_batch(completions: list[str], **_: Any) -> list[float]:
    return [1.0 / len(completions)] * len(completions)


def test_a_forked_child_is_told_that_it_has_no_actors(installed: Callable[[FakeRay], None]) -> None:
    """It would wait for ever for the threads of Ray, which are the parent's, with a new reward as well."""

    def child() -> bool:
        with pytest.raises(ConfigError, match="was forked from one that had started actors"):
            remote(["a"])
        return True

    installed(FakeRay(2))
    with contextlib.closing(RayReward(REWARD)) as remote, contextlib.closing(RayReward(REWARD)) as later:
        assert remote(["a"]) == [0.5]
        assert in_child(child)
        remote, first = later, remote
        assert in_child(child)
        assert first(["a b"]) == [1.0]


def test_what_needs_whole_batches_is_refused() -> None:
    """Parts of them would be paid something else."""
    with pytest.raises(ConfigError, match="called with whole batches"):
        RayReward(from_trl(whole_batch))
    with pytest.raises(ConfigError, match="at least 1, got 0"):
        RayReward(REWARD, actors=0)
