"""Environments of SkyRL-gym's kind, driven as its generator does; the package itself is not needed."""

from __future__ import annotations

import asyncio
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType, SimpleNamespace
from typing import Any

import cloudpickle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.hosts.environments.skyrl_gym import skyrl_environment
from adapters.hosts.environments.skyrl_masking import _apart, mask_unscored
from adapters.hosts.unscored import MAX_VALUE, UnscoredError
from rewards import Pay, Reward
from tests.hosts.common import EXPLODES, ROWS, breaking_reward, comparing_reward, paid_in_a_batch
from tests.timing import examples
from verifiers import ConfigError, ExactMatch, verifier

PROMPT = [{"role": "user", "content": "What is 50 + 25?"}]


class StandIn:
    """What SkyRL-gym's BaseTextEnv brings: its constructor sets the number of turns."""

    def __init__(self) -> None:
        self.turns, self.max_turns = 0, 1

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture(autouse=True)
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("skyrl_gym", "skyrl_gym.envs", "skyrl_gym.envs.base_text_env")
    for name in names:
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    sys.modules[names[-1]].BaseTextEnv = StandIn  # type: ignore[attr-defined]


def _paid(environment: Any, completion: object, extras: dict[str, Any]) -> Any:
    one = environment(env_config={}, extras=extras)
    one.init(PROMPT)
    return one.step(completion), one.get_metrics()


def _truth(answer: object) -> dict[str, Any]:
    return {"reward_spec": {"method": "rule", "ground_truth": answer}}


def test_environments_of_many_threads_are_paid_as_a_batch_is() -> None:
    """Every row gets its own reward, in its own environment."""
    environment = skyrl_environment("gsm8k_tags")

    def paid(row: Any) -> Any:
        return _paid(environment, row["completion"], _truth(row["answer"]))

    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(paid, [*ROWS] * 8))
    expected = paid_in_a_batch() * 8
    assert [said["reward"] for said, _ in found] == [value or 0.0 for value in expected]
    assert [metrics["unscored"] for _, metrics in found] == [float(value is None) for value in expected]


@pytest.mark.parametrize(
    ("extras", "columns", "paid"),
    [
        ({"answer": "4"}, None, 1.0),
        ({"reward_spec": {"ground_truth": "4"}, "answer": "5", "extra_info": {"answer": "6"}}, None, 1.0),
        ({"reward_spec": {"ground_truth": "5"}, "answer": "4"}, {"answer": "answer"}, 1.0),
        ({"extra_info": {"answer": "4"}, "reward_spec": {"method": "rule"}}, None, 1.0),
        ({"extra_info": {"answer": "5"}, "answer": "4", "reward_spec": None}, None, 1.0),
        ({"extra_info": {"final": "4"}}, {"answer": "final"}, 1.0),
        ({"ground_truth": "4"}, None, 1.0),
    ],
)  # fmt: skip
def test_the_reference_is_found_where_skyrl_puts_it(extras: Any, columns: Any, paid: float) -> None:
    """What ``reward_spec`` says goes before columns, and these before ``extra_info``, unless the user says else."""
    said, _ = _paid(skyrl_environment(Pay(ExactMatch()), columns=columns), "4", extras)
    assert said["reward"] == paid


def test_a_row_without_the_columns_is_refused_before_anything_is_generated() -> None:
    with pytest.raises(ConfigError, match=r"'answer'.*reward_spec\.ground_truth"):
        skyrl_environment("gsm8k_tags")(extras={"max_turns": 1})
    with pytest.raises(ConfigError, match="'solution'"):
        skyrl_environment("gsm8k_tags", columns={"answer": "solution"})(extras=_truth("4"))


def test_a_lone_row_without_the_columns_ends_no_run() -> None:
    """Others had them: the row has no reward."""
    environment = skyrl_environment("gsm8k_tags")
    assert _paid(environment, ROWS[0]["completion"], _truth("75"))[0]["reward"] == 1.5
    said, metrics = _paid(environment, ROWS[0]["completion"], {"reward_spec": None})
    assert (said["reward"], metrics["unscored"]) == (0.0, 1.0)


def test_what_cannot_be_paid_is_refused_at_the_start() -> None:
    for reward in (comparing_reward(), "dapo_math"):
        with pytest.raises(ConfigError, match="SkyRL-gym does not pass"):
            skyrl_environment(reward)
    with pytest.raises(ConfigError, match="zero, raise"):
        skyrl_environment("gsm8k_tags", unscored="mask")


def test_rows_without_a_reward_are_0_or_an_error() -> None:
    said, metrics = _paid(skyrl_environment("gsm8k_tags"), ROWS[4]["completion"], _truth(""))
    assert (said["reward"], metrics["unscored"], metrics["fault"]) == (0.0, 1.0, 0.0)
    with pytest.raises(UnscoredError):
        _paid(skyrl_environment("gsm8k_tags", unscored="raise"), "4", _truth(""))


def test_a_breaking_verifier_costs_its_row() -> None:
    environment = skyrl_environment(breaking_reward())
    texts = ["\\boxed{75}", EXPLODES] * 8
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda text: _paid(environment, text, _truth("75")), texts))
    assert [said["reward"] for said, _ in found] == [1.5, 0.0] * 8
    assert [metrics["fault"] for _, metrics in found] == [0.0, 1.0] * 8


def test_whatever_is_written_ends_the_episode_with_floats() -> None:
    environment = skyrl_environment("gsm8k_tags")
    anything = st.one_of(st.text(), st.none(), st.integers(), st.lists(st.text(), max_size=2))

    @settings(max_examples=examples(30), deadline=None)
    @given(anything, st.one_of(st.text(), st.none()))
    def holds(completion: object, answer: object) -> None:
        said, metrics = _paid(environment, completion, _truth(answer))
        assert said["done"] is True
        assert abs(said["reward"]) <= MAX_VALUE
        assert tuple(metrics) == environment.calls.logs.names
        assert all(type(value) is float and math.isfinite(value) for value in metrics.values())

    holds()


def test_an_episode_can_go_on() -> None:
    """The subclass says something; the last completion is what is paid, and the conversation can be read."""
    counted = Pay(ExactMatch()) + verifier(lambda messages: len(messages) == 3)

    class Patient(skyrl_environment(counted)):  # type: ignore[misc]
        def observe(self, action: str) -> str | None:
            return None if action == "4" else "Look again."

    one = Patient(extras={**_truth("4"), "max_turns": 3})
    one.init(PROMPT)
    first = one.step("5")
    assert (first["reward"], first["done"], first["observations"]) == (
        0.0,
        False,
        [{"role": "user", "content": "Look again."}],
    )
    assert (one.get_metrics(), one.step("4")["reward"]) == ({}, 2.0)
    late = Patient(extras={**_truth("4"), "max_turns": 2})
    late.init(PROMPT)
    assert not late.step("5")["done"]
    assert late.step("5")["done"]  # there are no more turns


def test_metrics_are_means_over_the_rows_that_have_them() -> None:
    environment = skyrl_environment(Pay(ExactMatch()))
    metrics = [
        _paid(environment, text, _truth(answer))[1] for text, answer in (("4", "4"), ("5", "4"), ("4", None))
    ]
    means = environment.aggregate_metrics([*metrics, {}])
    assert (means["ExactMatch"], means["unscored"]) == (pytest.approx(0.5), pytest.approx(1 / 3))
    assert environment.aggregate_metrics([{}]) == {}


def test_the_class_travels_to_a_ray_worker() -> None:
    environment = cloudpickle.loads(cloudpickle.dumps(skyrl_environment("gsm8k_tags")))
    assert _paid(environment, ROWS[0]["completion"], _truth("75"))[0]["reward"] == 1.5


def _reward_of(value: Any) -> float:
    return sum(value) if isinstance(value, list) else value


@pytest.mark.parametrize("tokens", [0, 3])
def test_rows_without_a_reward_are_masked_in_the_generators_output(tokens: int) -> None:
    """And given the mean of their group, in rewards of either shape; in evaluations nothing is touched."""
    values = [1.5, 0.5, 0.0, 0.0]

    class Generator:
        async def generate(self, input_batch: Any, disable_tqdm: bool = False) -> Any:
            return {
                "rewards": [[0.0] * (tokens - 1) + [value] if tokens else value for value in values],
                "loss_masks": [[1] * (tokens or 2) for _ in values],
                "env_metrics": [{"unscored": float(row == 2)} for row in range(4)],
                "trajectory_ids": None,
            }

    ids = [SimpleNamespace(instance_id="q", repetition_id=row) for row in range(4)]
    for phase, mean, mask in (("train", 2 / 3, 0), ("eval", 0.0, 1)):
        batch = {"trajectory_ids": ids, "batch_metadata": SimpleNamespace(training_phase=phase)}
        output = asyncio.run(mask_unscored(Generator()).generate(batch, disable_tqdm=True))
        assert [_reward_of(value) for value in output["rewards"]] == pytest.approx([1.5, 0.5, mean, 0.0])
        assert [max(each) for each in output["loss_masks"]] == [1, 1, mask, 1]
    with pytest.raises(ConfigError, match="batched=false"):
        mask_unscored(SimpleNamespace(batched=True))


def test_all_steps_of_a_trajectory_are_masked() -> None:
    """Where SkyRL has a row for each step, the last of which is paid."""

    class Generator:
        async def generate(self, input_batch: Any) -> Any:
            return {
                "rewards": [[0.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]],
                "loss_masks": [[1, 1] for _ in range(4)],
                "env_metrics": [{}, {"unscored": 0.0}, {}, {"unscored": 1.0}],
                "trajectory_ids": [
                    SimpleNamespace(instance_id="q", repetition_id=row // 2) for row in range(4)
                ],
                "is_last_step": [False, True, False, True],
            }

    output = asyncio.run(mask_unscored(Generator()).generate({}))
    assert output["loss_masks"] == [[1, 1], [1, 1], [0, 0], [0, 0]]
    assert output["rewards"] == [[0.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 1.0]]


def test_masked_rows_stand_apart_where_others_can_be_compared() -> None:
    """A lone row in a group would be paid its reward as an advantage: it keeps its masked neighbour."""
    rows = [("a", True), ("a", False), ("a", True), ("b", True), ("b", False)]
    apart = _apart([uid for uid, _ in rows], [alive for _, alive in rows], [True] * 5)
    assert apart[0] == apart[2] == "a"
    assert apart[1] != "a"
    assert apart[3] == apart[4] == "b"
    # One trajectory of three steps, and one that is masked: a step is compared with nobody.
    assert _apart(["a"] * 4, [True, True, True, False], [False, False, True, True]) == ["a"] * 4


def test_a_reward_of_ones_own_is_taken(tmp_path: Any) -> None:
    recipe = tmp_path / "reward.yaml"
    recipe.write_text("reward: ExactMatch\n", encoding="utf-8")
    rewards: list[str | Any | Reward] = [recipe, str(recipe), Pay(ExactMatch()), "ExactMatch"]
    for reward in rewards:
        assert _paid(skyrl_environment(reward), "4", _truth("4"))[0]["reward"] == 1.0
