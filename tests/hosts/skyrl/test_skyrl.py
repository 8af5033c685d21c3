"""SkyRL's own generator and trainer over our environments: rewards, masks and advantages."""

from __future__ import annotations

import asyncio
import sys
import typing
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import typing_extensions

if sys.version_info < (3, 12):
    # SkyRL's types are TypedDicts of `typing`, which pydantic takes from Python 3.12 on.
    typing.TypedDict = typing_extensions.TypedDict  # type: ignore[misc, assignment]

import torch
from skyrl.train.config import SkyRLTrainConfig
from skyrl.train.generators.skyrl_gym_generator import SkyRLGymGenerator
from skyrl.train.generators.utils import prepare_generator_input
from skyrl.train.trainer import RayPPOTrainer
from skyrl_gym.envs.registration import deregister, register

from adapters.hosts.environments.skyrl_gym import skyrl_environment
from adapters.hosts.environments.skyrl_masking import mask_unscored, set_masked_apart
from tests.hosts.common import EXPLODES, RECIPE, ROWS, breaking_reward, scored_by_cli
from tests.hosts.skyrl.stand_ins import ByteTokenizer, ToldEngine

RIGHT, WRONG = "\\boxed{75}", "no idea"
Group = tuple[str, Sequence[str]]
"""The reference of a prompt, and the completions that are written for it."""


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """Environments under names of ours, for a test."""
    register(id="sums", entry_point=skyrl_environment(RECIPE))
    register(id="breaking", entry_point=skyrl_environment(breaking_reward()))
    yield
    for name in ("sums", "breaking"):
        deregister(name)


class Dispatch:
    """What the trainer asks of its workers: how many there are."""

    def get_lcm_dp_size(self) -> int:
        """One."""
        return 1


def _config(samples: int, prompts: int, **algorithm: Any) -> SkyRLTrainConfig:
    config = SkyRLTrainConfig()
    config.generator.n_samples_per_prompt = samples
    config.trainer.train_batch_size = config.trainer.policy_mini_batch_size = prompts
    config.trainer.critic.model.path = None
    config.trainer.algorithm.advantage_estimator = "grpo"
    for name, value in algorithm.items():
        setattr(config.trainer.algorithm, name, value)
    return config


def _run(
    groups: Sequence[Group], name: str, *, masked: bool, phase: str = "train", **algorithm: Any
) -> tuple[list[float], torch.Tensor, torch.Tensor, dict[str, float]]:
    """Rewards, advantages and loss masks of a step, and what is logged: SkyRL's code from prompts to advantages."""
    samples = len(groups[0][1])
    config = _config(samples, len(groups), **algorithm)
    written = {
        f"{place}_{row}": text for place, (_, texts) in enumerate(groups) for row, text in enumerate(texts)
    }
    engine, tokenizer = ToldEngine(written), ByteTokenizer()
    generator = SkyRLGymGenerator(config.generator, config.environment.skyrl_gym, engine, tokenizer)
    trainer = RayPPOTrainer.__new__(RayPPOTrainer)
    trainer.cfg, trainer.tokenizer, trainer.all_metrics, trainer.dispatch = config, tokenizer, {}, Dispatch()
    trainer.generator = mask_unscored(generator) if masked else generator
    if masked:
        set_masked_apart(trainer)
    prompts = [
        {
            "prompt": [{"role": "user", "content": "What is 50 + 25?"}],
            "env_class": None,
            "env_extras": {"reward_spec": {"method": "rule", "ground_truth": answer}},
            "uid": str(place),
        }
        for place, (answer, _) in enumerate(groups)
    ]
    asked, uids = prepare_generator_input(prompts, samples, {}, name, phase, 1)
    output = asyncio.run(trainer.generate(asked))
    assert engine.finished == set(written)
    rewards = [float(sum(each)) for each in output["rewards"]]
    output, uids = trainer.postprocess_generator_output(output, uids)
    data = trainer.convert_to_training_input(output, uids)
    data["values"] = None
    data = trainer.compute_advantages_and_returns(data)
    assert data.metadata["uids"] == uids  # the trainer's batches go by them
    written_tokens = data["response_mask"].float()
    advantages = (data["advantages"] * written_tokens).sum(-1) / written_tokens.sum(
        -1
    )  # the same for all of a row
    return rewards, advantages, data["loss_mask"], trainer.all_metrics


def test_the_generators_batch_is_paid_as_the_command_line_pays_it(tmp_path: Path) -> None:
    """Rows without a reward get 0, and the count is in SkyRL's log."""
    expected = scored_by_cli(ROWS, tmp_path)
    groups = [(row["answer"], [row["completion"]]) for row in ROWS]
    rewards, _, _, logged = _run(groups, "sums", masked=False)
    assert rewards == [0.0 if value is None else value for value in expected]
    assert logged["environment/unscored"] == pytest.approx(expected.count(None) / len(expected))
    assert 0.0 < logged["environment/accuracy"] < 1.0


def test_a_prompt_without_a_usable_reference_teaches_nothing() -> None:
    """All its rows have no reward: SkyRL's advantages are 0 for them, and the other prompt's are as ever."""
    scored: Group = ("75", [ROWS[0]["completion"], ROWS[1]["completion"], "75", "?"])
    for masked in (False, True):
        _, advantages, _, _ = _run([scored, ("", scored[1])], "sums", masked=masked)
        _, alone, _, _ = _run([scored], "sums", masked=masked)
        assert advantages[4:].tolist() == [0.0] * 4
        torch.testing.assert_close(advantages[:4], alone)


@pytest.mark.parametrize("algorithm", [{}, {"grpo_norm_by_std": False}, {"advantage_estimator": "rloo"}])
def test_the_others_advantages_are_what_they_are_without_a_masked_row(algorithm: Any) -> None:
    """A row on which something broke: its tokens are not learnt from, and nobody is compared with it."""
    with_it, without = ("75", [RIGHT, WRONG, EXPLODES, WRONG]), ("75", [RIGHT, WRONG, WRONG])
    _, advantages, mask, logged = _run([with_it], "breaking", masked=True, **algorithm)
    _, expected, _, _ = _run([without], "breaking", masked=True, **algorithm)
    torch.testing.assert_close(advantages[[0, 1, 3]], expected)
    assert (mask.sum(-1).ne(0).tolist(), logged["environment/fault"]) == ([True, True, False, True], 0.25)
    # Without the mask the row counts as a wrong one.
    _, zero, mask, _ = _run([with_it], "breaking", masked=False, **algorithm)
    assert zero[2] != 0
    assert mask[2].sum() > 0


def test_a_breaking_verifier_ends_nothing() -> None:
    """Not even where it breaks on all rows of a batch."""
    rewards, advantages, mask, logged = _run([("75", [EXPLODES] * 4)], "breaking", masked=True)
    assert (rewards, advantages.tolist(), mask.sum()) == ([0.0] * 4, [0.0] * 4, 0)
    assert logged["environment/fault"] == 1.0
