"""slime's own calls of reward functions, its client, and its conversion to training data."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.hosts.trainers.slime import STATUS
from tests.hosts.common import EXPLODES, HOSTILE, ROWS, scored_by_cli
from tests.hosts.serving import served
from tests.hosts.stubs import stub
from verifiers import ConfigError

# What a rollout has on its machine besides, and what a test of its rewards has no use for.
stub("ray", "sglang", "sglang_router", "slime", "tensorboard", "transformers", "wandb")
sys.path.insert(0, os.environ["HOST_TREE_SLIME"])

from slime.ray.rollout import RolloutManager  # noqa: E402
from slime.rollout.rm_hub import async_rm, batched_async_rm  # noqa: E402
from slime.utils.types import Sample  # noqa: E402

ADAPTER = "adapters.hosts.trainers.slime"
OWN = f"from tests.hosts.common import breaking_reward, comparing_reward\nfrom {ADAPTER} import slime_rm\n"


def _samples(rows: Sequence[Mapping[str, str]]) -> list[Any]:
    return [
        Sample(
            index=index, prompt=row["prompt"], response=row["completion"] + "<|im_end|>", response_length=4,
            tokens=[1, 2, 3, 4, 5, 6], label=row["answer"], status=Sample.Status.COMPLETED,
        )
        for index, row in enumerate(rows)
    ]  # fmt: skip


def _args(path: str | None, **given: Any) -> SimpleNamespace:
    usual = {"custom_rm_path": path, "rm_type": None, "reward_key": None, "group_rm": False}
    grpo = {"advantage_estimator": "grpo", "rewards_normalization": True, "grpo_std_normalization": True}
    return SimpleNamespace(**usual, **grpo, **given)


def _one_by_one(args: SimpleNamespace, samples: Sequence[Any]) -> list[Any]:
    async def all_at_once() -> list[Any]:
        return await asyncio.gather(*[async_rm(args, sample) for sample in samples])

    return asyncio.run(all_at_once())


def _paid_groups(args: SimpleNamespace, groups: Sequence[Sequence[Any]]) -> None:
    args.group_rm = True
    for group in groups:
        for sample, reward in zip(group, asyncio.run(batched_async_rm(args, list(group))), strict=True):
            sample.reward = reward


def _train_data(args: SimpleNamespace, samples: Sequence[Any], size: int, *, own: bool) -> dict[str, Any]:
    """What slime trains on: its normalisation, or this library's in its place."""
    from adapters.hosts.trainers.slime import post_process_rewards

    args.n_samples_per_prompt, args.rollout_batch_size = size, len(samples) // size
    manager = RolloutManager.__new__(RolloutManager)
    manager.args, manager.custom_convert_samples_to_train_data_func = args, None
    manager.custom_reward_post_process_func = post_process_rewards if own else None
    data: dict[str, Any] = manager._convert_samples_to_train_data(list(samples))
    return data


def _module(folder: Path, name: str, line: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A user's module, and the path of its function."""
    (folder / f"{name}.py").write_text(OWN + line + "\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    return f"{name}.custom_rm"


def test_rewards_in_the_process_and_of_the_server_are_those_of_verify_cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every row, the hostile one included, within its budget; those without a reward are masked."""
    monkeypatch.setenv("REWARD_RECIPE", "gsm8k_tags")
    expected = scored_by_cli(ROWS, tmp_path)
    assert HOSTILE in {row["completion"] for row in ROWS}
    samples = _samples(list(ROWS) * 8)
    started = time.monotonic()
    found = _one_by_one(_args(f"{ADAPTER}.custom_rm"), samples)
    assert time.monotonic() - started < 60
    assert found == [value or 0.0 for value in expected] * 8
    assert [sample.remove_sample for sample in samples] == [value is None for value in expected] * 8
    with served("--recipe", "gsm8k_tags") as address:
        remote = _args(None, rm_url=f"{address}/slime")
        remote.rm_type = "remote_rm"
        assert _one_by_one(remote, samples) == found
        remote.rm_url += "?parts=true"
        assert [each["reward"] for each in _one_by_one(remote, samples)] == found


def test_groups_are_judged_as_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --group-rm; without it, a reward that compares is refused."""
    path = _module(tmp_path, "comparing", "custom_rm = slime_rm(comparing_reward())", monkeypatch)
    samples = _samples(ROWS[:4])
    with pytest.raises(ConfigError, match="--group-rm"):
        _one_by_one(_args(path), samples)
    _paid_groups(_args(path), [samples])
    rewards = [sample.reward for sample in samples]
    assert rewards[0] == max(rewards) > min(rewards)


@pytest.mark.parametrize("scaled", [True, False])
def test_a_sample_without_a_reward_leaves_the_others_advantages_what_they_are_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scaled: bool
) -> None:
    """And no token of it is trained on. By slime's own normalisation that holds up to the deviation."""
    path = _module(tmp_path, "breaking", "custom_rm = slime_rm(breaking_reward())", monkeypatch)
    texts = ["75", "3", EXPLODES, "75", "4"]
    rows = [{"prompt": "q", "completion": text, "answer": "75"} for text in texts]
    samples, others = _samples(rows), _samples([row for row in rows if row["completion"] != EXPLODES])
    args = _args(path)
    args.grpo_std_normalization = scaled
    _paid_groups(args, [samples, others])
    without = _train_data(args, others, 4, own=False)["rewards"]
    for own in (True, False):
        data = _train_data(args, samples, 5, own=own)
        assert (data["loss_masks"][2], data["rewards"][2]) == ([0, 0, 0, 0], pytest.approx(0.0, abs=1e-6))
        left = [value for row, value in enumerate(data["rewards"]) if row != 2]
        if own or not scaled:
            assert left == pytest.approx(without, abs=1e-5)
        else:
            assert [value / left[0] for value in left] == pytest.approx(
                [each / without[0] for each in without]
            )


def test_where_every_sample_has_a_reward_the_normalisation_is_slimes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For every estimator that slime normalises for."""
    monkeypatch.setenv("REWARD_RECIPE", "gsm8k_tags")
    samples = _samples([row for row in ROWS if row["answer"]][:4] * 3)
    args = _args(f"{ADAPTER}.custom_rm")
    _paid_groups(args, [samples[:4], samples[4:8], samples[8:]])
    for estimator in ("grpo", "gspo", "reinforce_plus_plus_baseline", "ppo"):
        args.advantage_estimator = estimator
        for size in (4, 6):
            own, slimes = (_train_data(args, samples, size, own=own)["rewards"] for own in (True, False))
            assert own == pytest.approx(slimes, abs=1e-5)
    args.rewards_normalization = False
    assert _train_data(args, samples, 4, own=True)["rewards"] == [sample.reward for sample in samples]


def test_a_reward_key_selects_the_reward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside it are floats, and a category for slime's log."""
    path = _module(tmp_path, "keyed", 'custom_rm = slime_rm("gsm8k_tags")', monkeypatch)
    samples = _samples(ROWS[3:5])
    args = _args(path)
    args.reward_key = "score"
    _paid_groups(args, [samples])
    assert [sample.get_reward_value(args) for sample in samples] == scored_by_cli(ROWS[3:4], tmp_path) * 2
    assert [sample.reward[STATUS] for sample in samples] == ["scored", "unscored"]
