"""SkyRL-gym's own registry, `make` and aggregation of metrics over our environments."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import skyrl_gym
from skyrl_gym.envs.registration import deregister, register
from skyrl_gym.metrics import aggregate_for_environment

from adapters.hosts.environments.skyrl_gym import skyrl_environment
from adapters.hosts.unscored import UnscoredError
from tests.hosts.common import EXPLODES, RECIPE, ROWS, breaking_reward, comparing_reward, scored_by_cli
from verifiers import ConfigError

WORKERS = 32
"""Threads of SkyRL's generator in which environments step (``environment.skyrl_gym.max_env_workers``)."""


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """The registry as it was."""
    before = set(skyrl_gym.envs.registration.registry)
    yield
    for name in set(skyrl_gym.envs.registration.registry) - before:
        deregister(name)


def _episode(name: str, row: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, float]]:
    """What SkyRL's generator does with a row: every column but the prompt is passed as extras."""
    extras = {key: value for key, value in row.items() if key not in ("prompt", "completion", "answer")}
    extras |= {"reward_spec": {"method": "rule", "ground_truth": row["answer"]}, "max_turns": 1}
    environment = skyrl_gym.make(name, env_config={}, extras=extras)
    environment.init([{"role": "user", "content": row["prompt"]}])
    said = environment.step(row["completion"])
    metrics = environment.get_metrics()
    environment.close()
    return said, metrics


def _batch(name: str, rows: Sequence[Mapping[str, Any]]) -> list[tuple[dict[str, Any], dict[str, float]]]:
    with ThreadPoolExecutor(WORKERS) as threads:
        return list(threads.map(lambda row: _episode(name, row), rows))


def test_the_batch_is_paid_as_the_command_line_pays_it(tmp_path: Path) -> None:
    """For rows that step at the same time, in SkyRL's way; a row without a reward gets 0, and is counted."""
    register(id="sums", entry_point=skyrl_environment(RECIPE))
    expected = scored_by_cli(ROWS, tmp_path)
    assert None in expected
    rows = [*ROWS] * 8
    batch = _batch("sums", rows)
    for (said, metrics), value in zip(batch, expected * 8, strict=True):
        assert said["reward"] == (0.0 if value is None else value)
        assert said["done"] is True
        assert (said["observations"], metrics["unscored"]) == ([], float(value is None))
        assert all(type(each) is float for each in said["metadata"].values())


def test_metrics_are_means_over_the_rows_that_were_judged() -> None:
    """SkyRL's own aggregation finds ours by the registered name."""
    register(id="sums", entry_point=skyrl_environment(RECIPE))
    means = aggregate_for_environment("sums", [metrics for _, metrics in _batch("sums", ROWS[:6])])
    assert (means["accuracy"], means["unscored"]) == (pytest.approx(1 / 4), pytest.approx(2 / 6))
    assert means["fault"] == 0.0


def test_a_breaking_verifier_ends_nothing() -> None:
    """Its row has no reward, and the rows beside it have theirs."""
    register(id="broken", entry_point=skyrl_environment(breaking_reward()))
    rows = [{**ROWS[0], "completion": text} for text in ("\\boxed{75}", EXPLODES, "\\boxed{75}")]
    batch = _batch("broken", rows)
    assert [said["reward"] for said, _ in batch] == [1.5, 0.0, 1.5]
    assert [metrics["fault"] for _, metrics in batch] == [0.0, 1.0, 0.0]


def test_a_hostile_completion_costs_its_own_budget() -> None:
    """Its neighbours are paid, and all of it takes seconds of this machine's processor at most."""
    register(id="sums", entry_point=skyrl_environment(RECIPE))
    started = time.process_time()
    batch = _batch("sums", [ROWS[3], *[ROWS[0]] * 31])
    assert time.process_time() - started < 30
    assert batch[0][0]["reward"] == 0.5  # well formed, and no such number
    assert {said["reward"] for said, _ in batch[1:]} == {1.5}


def test_rows_without_a_reward_can_end_the_run() -> None:
    """Where that is asked for."""
    register(id="strict", entry_point=skyrl_environment(RECIPE, unscored="raise"))
    with pytest.raises(UnscoredError, match="no reward"):
        _episode("strict", ROWS[4])


def test_what_skyrl_cannot_pay_is_refused_at_the_start() -> None:
    """Before anything is registered, or at the first row, before anything is generated."""
    with pytest.raises(ConfigError, match=r"SkyRL-gym does not pass.*judges each by itself"):
        skyrl_environment(comparing_reward())
    with pytest.raises(ConfigError, match="cannot 'mask'"):
        skyrl_environment(RECIPE, unscored="mask")
    register(id="sums", entry_point=skyrl_environment(RECIPE))
    with pytest.raises(ConfigError, match=r"reward_spec\.ground_truth"):
        skyrl_gym.make("sums", env_config={}, extras={"max_turns": 1})
