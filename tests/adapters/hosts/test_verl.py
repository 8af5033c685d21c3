"""verl's `compute_score` and reward manager, called as verl calls them; tests/hosts/verl has verl itself."""

from __future__ import annotations

import asyncio
import logging
import pickle
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from random import Random
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.hosts.row_calls import RowCalls
from adapters.hosts.trainers import verl, verl_manager
from adapters.hosts.trainers.verl_manager import PromptGroups
from adapters.hosts.unscored import UnscoredError
from rewards import DuplicatePenalty, Pay, Rank, Reward, load_recipe
from tests.adapters.hosts.verl_like import config, data, manager
from tests.hosts.common import (
    EXPLODES,
    RECIPE,
    RIGHT,
    ROWS,
    WRONG,
    breaking_reward,
    comparing_reward,
    paid_in_a_batch,
)  # fmt: skip
from tests.support import in_loop
from tests.timing import HANG, examples
from verifiers import ConfigError, ExactMatch, TagFormat, verifier

Result = TypeVar("Result")
REWARD = load_recipe(RECIPE)


def _run(work: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(asyncio.wait_for(work, HANG))


async def _paid(made: Any, batches: list[Any]) -> list[Any]:
    return await asyncio.gather(*(made.run_single(each) for each in batches), return_exceptions=True)


def _scores(results: list[Any]) -> list[float]:
    return [each["reward_score"] for each in results]


def test_compute_score_pays_what_the_recipe_pays_with_the_same_floats_for_all() -> None:
    """In verl's threads; a row without a reward is paid 0, and is counted."""

    def paid(row: Any) -> Any:
        return verl.compute_score("sums", row["completion"], row["answer"], {"split": "train"}, recipe=RECIPE)

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(paid, [*ROWS] * 4))
    expected = paid_in_a_batch() * 4
    assert [each["score"] for each in results] == [value or 0.0 for value in expected]
    assert [each["unscored"] for each in results] == [float(value is None) for value in expected]
    assert len({tuple(each) for each in results}) == 1
    assert all(type(value) is float for each in results for value in each.values())


def test_compute_score_is_made_once_for_a_recipe_and_its_settings() -> None:
    verl.compute_score("sums", RIGHT, "75", recipe=RECIPE, unscored="raise")
    count = len(verl._made)
    verl.compute_score("sums", WRONG, "75", None, recipe=RECIPE, unscored="raise")
    assert len(verl._made) == count
    with pytest.raises(UnscoredError, match="reference"):
        verl.compute_score("sums", RIGHT, "", recipe=RECIPE, unscored="raise")


@pytest.mark.parametrize(
    ("reward", "cure"),
    [
        (comparing_reward(), "verl_manager"),
        (load_recipe("dapo_math"), "verl_manager"),
        (Pay(ExactMatch()) + DuplicatePenalty(), "compares|group"),
    ],
)
def test_what_compute_score_cannot_pay_is_refused_with_the_manager_as_cure(reward: Reward, cure: str) -> None:
    """It has neither groups nor tokens."""
    with pytest.raises(ConfigError, match=cure):
        verl.verl_reward(reward)


def test_a_reward_of_ones_own_travels_to_other_processes() -> None:
    """verl's remote manager sends the function."""
    function = pickle.loads(pickle.dumps(verl.verl_reward(REWARD)))
    assert function("sums", RIGHT, "75")["score"] == 1.5


def test_a_verifier_that_raises_costs_its_row_the_reward_and_nothing_else() -> None:
    function = verl.verl_reward(breaking_reward())
    broken, fine = function("sums", EXPLODES, "75"), function("sums", "75", "75")
    assert (broken["score"], broken["fault"], broken["unscored"]) == (0.0, 1.0, 1.0)
    assert (fine["score"], fine["fault"]) == (1.5, 0.0)


def test_columns_come_from_extra_info_and_from_a_ground_truth_that_has_them_all() -> None:
    """As numpy's and data frames' containers, too; the ground truth is the answer, whatever else is called so."""
    rows = verl.VerlRows(Pay(ExactMatch()) + Pay(ExactMatch(), reference="gold").named("gold"))
    array = SimpleNamespace(tolist=lambda: ["a", "b"])
    extra = {"answer": "a long solution", "question": "1+1?", "tests": array, "completion": "not this"}
    assert rows.row("sums", "2", extra) == {
        "answer": "2", "question": "1+1?", "prompt": "1+1?", "tests": ["a", "b"], "data_source": "sums",
    }  # fmt: skip
    assert rows.row(None, {"answer": "2", "gold": "3"}, None) == {"answer": "2", "gold": "3"}
    assert rows.row(None, {"answer": "2"}, None) == {"answer": {"answer": "2"}}


def test_no_float_has_a_name_that_verl_uses_itself() -> None:
    """verl would compare, or mix up, its own column with this one."""
    function = verl.verl_reward(Pay(ExactMatch()).named("uid") + Pay(TagFormat(("a",))).named("score"))
    assert not set(function("sums", "2", "2")) & (verl.TAKEN - {"score"})
    assert function("sums", "2", "2")["score"] == 1.0


@pytest.mark.parametrize(
    "reward", [comparing_reward(), REWARD + DuplicatePenalty()], ids=["rank", "duplicates"]
)
@in_loop
async def test_the_manager_pays_rows_of_several_prompts_as_groups_in_any_order(reward: Reward) -> None:
    """What `Batch` pays the whole group; each row is handed over by itself."""
    completions = [RIGHT, WRONG, "75, I think", RIGHT]
    batches = [data(text, "75", uid) for text in completions for uid in ("a", "b", "c")]
    results = await _paid(manager(config(), reward), batches)
    for prompt in range(3):
        assert _scores(results[prompt::3]) == reward(completions, answer=["75"] * 4, group_size=4)
    assert len({tuple(each["reward_extra_info"]) for each in results}) == 1


@settings(max_examples=examples(12), deadline=None)
@given(
    st.lists(st.lists(st.sampled_from((RIGHT, WRONG, "75", EXPLODES)), min_size=1, max_size=5)), st.randoms()
)
def test_the_order_of_arrival_changes_nothing(prompts: list[list[str]], chance: Random) -> None:
    """For prompts of any size: a row is paid what it is paid in its whole group, given at once."""
    reward = Rank(breaking_reward())
    calls = RowCalls(reward, verl_manager.MANAGER)
    expected = {}
    for prompt, completions in enumerate(prompts):
        payments = calls.group(completions, [{"answer": "75"}] * len(completions))
        values = calls.settled(payments, [range(len(completions))]).values
        expected |= {(prompt, place): value for place, value in enumerate(values)}
    rows = list(expected)
    chance.shuffle(rows)
    pauses = [chance.choice((0.0, 0.0, 0.002)) for _ in rows]

    async def work() -> dict[tuple[int, int], float]:
        groups = PromptGroups(calls, 30.0)

        async def one(row: tuple[int, int], pause: float) -> float:
            await asyncio.sleep(pause)
            completions = prompts[row[0]]
            paid, _ = await groups.pay(
                f"prompt {row[0]}", len(completions), completions[row[1]], {"answer": "75"}
            )
            return paid

        return dict(zip(rows, await asyncio.gather(*map(one, rows, pauses)), strict=True))

    assert _run(work()) == pytest.approx(expected)


@pytest.mark.parametrize("row", [0, 2])
@in_loop
async def test_a_row_without_a_reward_gets_its_groups_mean_whether_it_comes_first_or_last(row: int) -> None:
    """Rows that have one wait for nobody; the mean is of the rows that were paid."""
    batches = [data("75", "75", "a"), data("3", "75", "a")]
    batches.insert(row, data(EXPLODES, "75", "a"))
    results = await _paid(manager(config(n=3), breaking_reward()), batches)
    assert (sorted(_scores(results)), results[row]["reward_score"]) == ([1.0, 1.25, 1.5], 1.25)
    assert results[row]["reward_extra_info"]["unscored"] == 1.0


@in_loop
async def test_a_group_that_cannot_be_judged_is_paid_nothing() -> None:
    """Without a usable reference all rows of a prompt are alike."""
    batches = [data(RIGHT, "", "a") for _ in range(4)]
    for policy in ({}, {"unscored": "zero"}):
        assert _scores(await _paid(manager(config(recipe=RECIPE, **policy)), batches)) == [0.0] * 4
    raised = await _paid(manager(config(recipe=RECIPE, unscored="raise")), batches)
    assert all(isinstance(each, UnscoredError) for each in raised)


@pytest.mark.parametrize("reward", [Rank(breaking_reward()), breaking_reward()], ids=["compares", "does not"])
@in_loop
async def test_rows_that_never_come_are_not_waited_for_for_ever(
    reward: Reward, caplog: pytest.LogCaptureFixture
) -> None:
    """Those that came make the group, and the log says so; a row that comes later is judged with them."""
    made = manager(config(group_wait=0.05), reward)
    batches = [data("75", "75", "a"), data("3", "75", "a"), data(EXPLODES, "75", "a")]
    with caplog.at_level(logging.WARNING):
        results = await _paid(made, batches)
        late = await made.run_single(data("75", "75", "a"))
    assert "of 4 rows of a prompt came" in caplog.text
    assert results[0]["reward_score"] > results[2]["reward_score"] > results[1]["reward_score"]
    assert late["reward_score"] == pytest.approx(results[0]["reward_score"], abs=0.5)


@in_loop
async def test_a_row_that_goes_away_takes_no_other_with_it() -> None:
    """verl may abort one; what it brought stays in the group."""
    made = manager(config(n=3), comparing_reward())
    gone = asyncio.ensure_future(made.run_single(data(WRONG, "75", "a")))
    await asyncio.sleep(0.05)
    gone.cancel()
    right, wrong = _scores(await _paid(made, [data(RIGHT, "75", "a"), data(WRONG, "75", "a")]))
    assert right > wrong


@in_loop
async def test_more_rows_than_a_prompt_should_have_are_judged_with_it() -> None:
    """verl fills batches up with copies, and drops what they were paid."""
    made = manager(config(n=2), comparing_reward())
    right, wrong, more = _scores(await _paid(made, [data(text, "75", "a") for text in (RIGHT, WRONG, RIGHT)]))
    assert right > wrong < more


@in_loop
async def test_validation_with_another_number_of_rows() -> None:
    """`extra_info.split` says which it is; without it a comparison is refused, and the cure is told."""
    made = manager(config(n=4, val_n=2, group_wait=30.0), comparing_reward())
    batches = [data(text, "75", "a", extra_info={"split": "test"}) for text in (RIGHT, WRONG)]
    right, wrong = _scores(await _paid(made, batches))
    assert right > wrong
    [refused] = await _paid(manager(config(n=4, val_n=2), comparing_reward()), [data(RIGHT, "75", "a")])
    assert isinstance(refused, ConfigError)
    assert "extra_info.split" in str(refused)


@in_loop
async def test_a_column_of_another_name_may_be_the_data_sets_own() -> None:
    """Beside `extra_info`, where verl's data sets have most."""
    made = manager(config(n=1, recipe="ExactMatch", columns={"answer": "solution"}))
    assert _scores(await _paid(made, [data("4", "no", "a", solution="4")])) == [1.0]


@in_loop
async def test_lengths_are_those_of_the_tokens_without_padding() -> None:
    """`dapo_math` reads them; the prompt's tokens are not among them."""
    seen: list[tuple[int, Any]] = []

    @verifier
    def noted(response: str, completion_tokens: int, prompt: Any) -> bool:
        seen.append((completion_tokens, prompt))
        return True

    question = [{"role": "user", "content": "48+27=?"}]
    batches = [data("seven", "75", "a", raw_prompt=question)]
    assert _scores(await _paid(manager(config(n=1), Pay(noted)), batches)) == [1.0]
    assert seen == [(5, "48+27=?")]
    batches = [data(rf"Answer: \boxed{{{said}}}", "75", "a") for said in (75, 3)]
    assert _scores(await _paid(manager(config(n=2, recipe="dapo_math")), batches)) == [1.0, -1.0]


@pytest.mark.parametrize(
    ("said", "reward", "cure"),
    [
        (config(), None, "recipe="),
        (config(recipe=RECIPE), REWARD, "name the recipe"),
        (config(recipe=RECIPE, unscored="mask"), None, "group_mean"),
        (config(recipe=RECIPE, overlong_buffer_cfg={"enable": True}), None, "overlong_buffer_cfg"),
        (config(n=1), comparing_reward(), "rollout.n"),
        ({**config(), "algorithm": {"adv_estimator": "remax"}}, comparing_reward(), "remax"),
        ({**config(workers=4), "data": {"train_batch_size": 1024}}, comparing_reward(), "num_workers=10"),
        (config() | {"reward": {"custom_reward_function": {"path": "x.py"}}}, REWARD, "leave one"),
        (config() | {"reward": {"reward_model": {"enable": True}}}, REWARD, "leave one"),
    ],
)
@in_loop
async def test_what_can_never_work_is_refused_when_verl_starts(
    said: dict[str, Any], reward: Reward | None, cure: str
) -> None:
    with pytest.raises(ConfigError, match=cure):
        manager(said, reward)


def test_each_prompt_has_one_process_that_gathers_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that verl hands to others are passed on to it; if it is gone, they are judged where they are."""

    class GoneError(Exception):
        pass

    asked: list[str] = []

    def work_of(number: int) -> Any:
        name = f"reward_loop_worker_{number}"
        context = SimpleNamespace(get_actor_name=lambda: name)
        ray = SimpleNamespace(
            is_initialized=lambda: True,
            get_runtime_context=lambda: context,
            exceptions=SimpleNamespace(RayActorError=GoneError),
            get_actor=lambda name: SimpleNamespace(
                compute_score=SimpleNamespace(remote=lambda data: answer(name))
            ),
        )
        monkeypatch.setitem(sys.modules, "ray", ray)

    async def answer(name: str) -> dict[str, Any]:
        asked.append(name)
        if len(asked) > 1:
            raise GoneError
        return {"reward_score": 9.0, "reward_extra_info": {}}

    async def work(number: int) -> list[Any]:
        work_of(number)
        made = manager(config(n=1, workers=2, recipe=RECIPE))
        return await _paid(made, [data(RIGHT, "75", "uid")])

    one, other = (_scores(_run(work(number)))[0] for number in range(2))
    assert {one, other} == {1.5, 9.0}
    [home] = asked
    away = 1 - int(home[-1])
    assert (_scores(_run(work(away))), asked) == ([1.5], [home, home])


def test_the_class_is_made_only_for_verl() -> None:
    assert "verl" not in sys.modules
    with pytest.raises(AttributeError, match="Managers"):
        _ = verl_manager.Managers
