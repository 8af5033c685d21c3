"""This library's rewards in verl's own loaders, managers, Ray workers and advantages."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import ray
import torch
from transformers import AutoTokenizer
from verl import DataProto
from verl.experimental.agent_loop.agent_loop import AgentLoopMetrics, AgentLoopOutput, AgentLoopWorker
from verl.experimental.reward_loop import RewardLoopManager
from verl.experimental.reward_loop.reward_manager.base import RewardManagerBase
from verl.trainer.ppo.core_algos import compute_grpo_outcome_advantage
from verl.trainer.ppo.metric_utils import process_validation_metrics
from verl.trainer.ppo.reward import get_custom_reward_fn, load_reward_manager

from rewards.recipe import to_recipe
from tests.hosts.common import RECIPE, ROWS, comparing_reward, scored_by_cli
from tests.hosts.verl.common_verl import (
    OWN,
    PROMPT,
    batch,
    by_function,
    by_manager,
    columns,
    saved_tokenizer,
    tokens,
)  # fmt: skip
from verifiers import ConfigError

GROUPS = [*ROWS[:4], *ROWS[4:6], *ROWS[4:6], *ROWS[6:], *ROWS[6:]]
"""Three prompts with four rows each; those of the second cannot be judged."""
UIDS = ["sum"] * 4 + ["paid"] * 4 + ["합"] * 4


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where it is saved."""
    return saved_tokenizer(tmp_path_factory.mktemp("tokenizer"))


@pytest.fixture(scope="module")
def _ray() -> Iterator[None]:
    """Two processors, and no address that other machines could reach."""
    os.environ.pop("PYTHONPATH", None)  # the workers are to find the wheel as well
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        try:
            _start(folder)
            yield
        finally:
            ray.shutdown()


def _start(folder: str, tries: int = 4) -> None:
    """Start Ray; on a busy machine its own half a minute may not be enough."""
    try:
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            object_store_memory=150_000_000,
            _node_ip_address="127.0.0.2",  # Ray takes 127.0.0.1 for the machine's outer address
            _temp_dir=folder,
        )
    except Exception:
        ray.shutdown()
        if tries == 1:
            raise
        _start(folder, tries - 1)


def _one_by_one(made: RewardManagerBase, data: DataProto) -> list[dict[str, Any]]:
    """As a reward worker calls it."""

    async def work() -> list[dict[str, Any]]:
        return await asyncio.gather(*(made.run_single(data[row : row + 1]) for row in range(len(data))))

    return made.loop.run_until_complete(work())


def _made(config: Any, tokenizer: str) -> RewardManagerBase:
    return load_reward_manager(config, AutoTokenizer.from_pretrained(tokenizer))


def _paid_by_cli(folder: Path, recipe: str) -> list[float]:
    """What the command pays `GROUPS`, and what the policy makes of rows without a reward."""
    rows = [{**row, "uid": uid} for row, uid in zip(GROUPS, UIDS, strict=True)]
    paid = scored_by_cli(rows, folder, recipe, "--group-field", "uid")
    filled = []
    for value, uid in zip(paid, UIDS, strict=True):
        others = [other for other, name in zip(paid, UIDS, strict=True) if name == uid and other is not None]
        filled.append(value if value is not None else sum(others) / len(others) if others else 0.0)
    return filled


def _sums(scores: torch.Tensor) -> list[float]:
    return [float(each) for each in scores.sum(-1)]


@pytest.mark.parametrize("name", ["naive", "dapo"])
def test_compute_score_by_verls_loader_and_managers_pays_what_the_command_pays(
    name: str, tokenizer: str, tmp_path: Path
) -> None:
    """A row without a reward is 0; a hostile one takes no longer than its own budget."""
    config = by_function(tokenizer, name, recipe=RECIPE)
    started = time.monotonic()
    results = _one_by_one(_made(config, tokenizer), batch(tokenizer, ROWS, ["one"] * len(ROWS)))
    assert time.monotonic() - started < 30
    expected = scored_by_cli(ROWS, tmp_path)
    assert [each["reward_score"] for each in results] == [value or 0.0 for value in expected]
    infos = [each["reward_extra_info"] for each in results]
    assert [each["unscored"] for each in infos] == [float(value is None) for value in expected]
    assert len({tuple(each) for each in infos}) == 1
    assert {type(value) for each in infos for value in each.values()} == {float}


def test_a_file_of_ones_own(tokenizer: str) -> None:
    """Its verifier raises, and only that row is without a reward."""
    function = get_custom_reward_fn(by_function(tokenizer, path=OWN))
    assert function is not None
    assert function("sums", "it explodes", "75", {})["fault"] == 1.0
    assert function("sums", "75", "75", {})["score"] == 1.5


def test_a_comparison_is_refused_by_compute_score_and_paid_by_the_manager(
    tokenizer: str, comparing: str, tmp_path: Path
) -> None:
    """The refusal names the manager."""
    function = get_custom_reward_fn(by_function(tokenizer, recipe=comparing))
    assert function is not None
    with pytest.raises(ValueError, match=r"adapters\.hosts\.trainers\.verl_manager"):
        function("sums", ROWS[0]["completion"], "75", {})
    results = _one_by_one(
        _made(by_manager(tokenizer, 4, recipe=comparing), tokenizer), batch(tokenizer, GROUPS, UIDS)
    )
    assert [each["reward_score"] for each in results] == pytest.approx(_paid_by_cli(tmp_path, comparing))


def test_lengths_in_tokens_are_those_of_verl(tokenizer: str) -> None:
    """A soft punishment of long completions, by the tokens that verl counts itself."""
    text = "x" * (20480 - 4096 // 2 - len(r" \boxed{75}")) + r" \boxed{75}"
    data = batch(tokenizer, [{"completion": text, "answer": "75"}] * 2, ["one"] * 2)
    results = _one_by_one(_made(by_manager(tokenizer, 2, recipe="dapo_math"), tokenizer), data)
    assert len(tokens(tokenizer, text)) == 20480 - 4096 // 2
    assert [each["reward_extra_info"]["overlong"] for each in results] == [-0.5, -0.5]
    assert [each["reward_score"] for each in results] == [0.5, 0.5]


@pytest.fixture(scope="module")
def comparing(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A recipe file whose reward compares the completions of a prompt."""
    path = tmp_path_factory.mktemp("recipe") / "rank.json"
    path.write_text(json.dumps(to_recipe(comparing_reward())), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def loop(_ray: None, tokenizer: str, comparing: str) -> RewardLoopManager:
    """verl's reward workers, two processes."""
    return RewardLoopManager(by_manager(tokenizer, 4, recipe=comparing))


def test_the_reward_loop_on_two_ray_workers_pays_what_the_command_pays(
    loop: RewardLoopManager, tokenizer: str, comparing: str, tmp_path: Path
) -> None:
    """Each worker is given halves of groups; rows go to the one that gathers their prompt."""
    order = [row * 5 % len(GROUPS) for row in range(len(GROUPS))]
    rows, uids = [GROUPS[row] for row in order], [UIDS[row] for row in order]
    found = loop.compute_rm_score(batch(tokenizer, rows, uids))
    paid = _paid_by_cli(tmp_path, comparing)
    assert _sums(found.batch["rm_scores"]) == pytest.approx([paid[row] for row in order])
    assert found.non_tensor_batch["unscored"].tolist() == [float(uid == "paid") for uid in uids]


def test_rows_that_the_agent_loop_hands_to_any_worker_meet_in_their_group(
    loop: RewardLoopManager, tokenizer: str, comparing: str, tmp_path: Path
) -> None:
    """By verl's own method of the agent loop, which hands each row to a worker by chance."""
    rows, uids = GROUPS * 4, [f"{uid} {time}" for time in range(4) for uid in UIDS]
    fields = columns(rows, uids)
    prompt = [{"role": "user", "content": PROMPT}]

    async def work() -> list[AgentLoopOutput]:
        worker = SimpleNamespace(
            reward_loop_worker_handles=loop.reward_loop_worker_handles,
            _compute_multi_modal_inputs=lambda output, ids: {},
            _compute_position_ids=lambda ids, mask, inputs, kwargs: mask.cumsum(-1),
            _get_mm_processor_kwargs=lambda audios: {},
        )
        outputs = []
        for row in rows:
            ids = tokens(tokenizer, row["completion"])
            outputs.append(
                AgentLoopOutput(
                    prompt_ids=tokens(tokenizer, PROMPT), response_ids=ids, response_mask=[1] * len(ids),
                    metrics=AgentLoopMetrics(),
                )
            )  # fmt: skip
        await asyncio.gather(
            *(
                AgentLoopWorker._compute_score(
                    worker,
                    [output],
                    {"raw_prompt": prompt} | {name: column[place] for name, column in fields.items()},
                )
                for place, output in enumerate(outputs)
            )
        )
        return outputs

    outputs = asyncio.run(asyncio.wait_for(work(), 300))
    assert [each.reward_score for each in outputs] == pytest.approx(_paid_by_cli(tmp_path, comparing) * 4)
    infos = [each.extra_fields["reward_extra_info"] for each in outputs]
    shown = process_validation_metrics(
        ["sums"] * len(rows), uids, {name: [each[name] for each in infos] for name in infos[0]}
    )
    assert shown["sums"]["unscored"]["mean@4"] == pytest.approx(1 / 3)


def test_a_set_up_that_can_never_work_is_refused_when_verl_makes_the_manager(tokenizer: str) -> None:
    """With the cure."""
    with pytest.raises(ConfigError, match="group_mean, zero, raise"):
        _made(by_manager(tokenizer, 4, recipe=RECIPE, unscored="mask"), tokenizer)
    config = by_manager(tokenizer, 4, recipe=RECIPE)
    config.reward.custom_reward_function.path = OWN
    with pytest.raises(ConfigError, match="leave one of them out"):
        _made(config, tokenizer)


def test_why_verl_is_given_a_number_for_every_row(tokenizer: str) -> None:
    """None ends its run, and NaN takes the group with it: what the policies are for."""
    data = batch(tokenizer, ROWS[:4], ["one"] * 4)
    with pytest.raises(TypeError):
        RewardManagerBase.assemble_rm_scores(data, [1.0, 0.0, None, 0.0])
    assert all(torch.isnan(_advantages(data, [1.0, 0.0, float("nan"), 0.0], ["one"] * 4)))


def test_the_others_of_a_group_learn_what_they_would_without_a_row_that_has_no_reward(tokenizer: str) -> None:
    """By verl's own advantages: 0 for the row, and for the others those of the group without it."""
    rows = [{"completion": each, "answer": "75"} for each in ("75", "3", "it explodes", "75", "x = 75", "4")]
    uids = ["one"] * len(rows)
    data = batch(tokenizer, rows, uids)
    results = _one_by_one(
        _made(by_manager(tokenizer, len(rows), path=OWN, name="OwnManager"), tokenizer), data
    )
    scores = [each["reward_score"] for each in results]
    others = [0, 1, 3, 4, 5]
    without = _advantages(data[others], [scores[row] for row in others], ["one"] * 5, by_std=False)
    found = _advantages(data, scores, uids, by_std=False)
    assert found[others].tolist() == pytest.approx(without.tolist(), abs=1e-5)
    assert float(found[2]) == pytest.approx(0.0, abs=1e-6)
    # Divided by the deviation, all grow by the same factor: it is that of five rows, shared by six.
    shared = _advantages(data, scores, uids)
    alone = _advantages(data[others], [scores[row] for row in others], ["one"] * 5)
    assert shared[others].tolist() == pytest.approx((alone * (5 / 4) ** 0.5).tolist(), abs=1e-4)
    assert float(shared[2]) == pytest.approx(0.0, abs=1e-6)


def _advantages(
    data: DataProto, scores: Sequence[float], uids: Sequence[str], *, by_std: bool = True
) -> torch.Tensor:
    rewards = RewardManagerBase.assemble_rm_scores(data, list(scores))
    mask = data.batch["response_mask"].float()
    found, _ = compute_grpo_outcome_advantage(
        rewards, mask, np.array(uids, dtype=object), norm_adv_by_std_in_grpo=by_std
    )
    return found[:, 0]
