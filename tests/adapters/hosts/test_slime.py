"""Rewards in slime, called as its rollouts call them: coroutines for samples or groups, and the normalisation."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from statistics import stdev
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adapters.hosts.trainers.slime as module
from adapters.hosts.host import RECIPE_VARIABLE
from adapters.hosts.trainers.slime import STATUS, WITHOUT, post_process_rewards, slime_rm
from adapters.hosts.unscored import UnscoredError
from rewards import Batch
from tests.hosts.common import (
    EXPLODES,
    RIGHT,
    ROWS,
    WRONG,
    breaking_reward,
    comparing_reward,
    paid_in_a_batch,
)  # fmt: skip
from tests.support import in_loop
from tests.timing import examples
from verifiers import ConfigError


class Sample(SimpleNamespace):
    """What slime's samples have that rewards touch."""

    def get_reward_value(self, args: Any) -> Any:
        return self.reward[args.reward_key] if args.reward_key else self.reward


def _sample(response: str, label: Any = "75", prompt: Any = "q", **more: Any) -> Sample:
    given = {"metadata": {}, "response_length": 3, "tokens": [9, 9, 1, 2, 3], "remove_sample": False}
    return Sample(response=response, label=label, prompt=prompt, **(given | more))


def _args(**given: Any) -> SimpleNamespace:
    return SimpleNamespace(**({"group_rm": False, "reward_key": None} | given))


def _rows() -> list[Sample]:
    return [_sample(row["completion"] + "<|im_end|>", row["answer"], row["prompt"]) for row in ROWS]


@in_loop
async def test_samples_are_paid_what_they_are_paid_in_a_batch() -> None:
    """All at once, as a rollout awaits them; those without a reward get slime's own mask."""
    custom_rm, samples, expected = slime_rm("gsm8k_tags"), _rows(), paid_in_a_batch()
    found = await asyncio.gather(*[custom_rm(_args(), sample, evaluation=False) for sample in samples])
    assert found == [value or 0.0 for value in expected]
    assert [sample.remove_sample for sample in samples] == [value is None for value in expected]
    assert [sample.metadata.get(WITHOUT) for sample in samples] == [
        None if value is not None else "MathEquivalence: bad_reference" for value in expected
    ]
    # Several samples of one rollout come as a list without --group-rm.
    assert await custom_rm(_args(), samples) == found


def test_a_group_is_judged_as_one() -> None:
    """Rewards that compare get it; the placeholder of a masked sample is what the others were paid in the mean."""
    reward = comparing_reward()
    samples = [_sample(RIGHT), _sample(WRONG), _sample("x"), _sample("75")]
    found = asyncio.run(slime_rm(reward)(_args(group_rm=True), samples))
    texts = [sample.response for sample in samples]
    columns = {"answer": ["75"] * 4, "prompt": ["q"] * 4}
    assert found == [each.value for each in Batch(texts, columns, group_size=4).pay(reward)]
    with pytest.raises(ConfigError, match="start it with --group-rm"):
        asyncio.run(slime_rm(reward)(_args(), samples[0]))
    group = [_sample(RIGHT), _sample(RIGHT, ""), _sample("x")]
    assert asyncio.run(slime_rm("gsm8k_tags")(_args(group_rm=True), group)) == [1.5, 0.75, 0.0]
    assert [sample.remove_sample for sample in group] == [False, True, False]


def test_objects_of_rewards_hold_floats_and_a_category() -> None:
    """For --reward-key and --log-reward-category; the names are the same for all."""
    samples = [_sample(RIGHT), _sample(RIGHT, ""), _sample(WRONG)]
    args = _args(group_rm=True, reward_key="score")
    found = asyncio.run(slime_rm("gsm8k_tags")(args, samples))
    assert [each["score"] for each in found] == [1.5, 1.0, 0.5]
    assert [each[STATUS] for each in found] == ["scored", "unscored", "scored"]
    assert len({tuple(each) for each in found}) == 1
    floats = [value for each in found for name, value in each.items() if name != STATUS]
    assert all(type(value) is float and math.isfinite(value) for value in floats)


def test_a_sample_that_is_judged_again_loses_its_mask() -> None:
    """As after a partial rollout; a mask of somebody else's stays."""
    custom_rm = slime_rm(breaking_reward())
    sample = _sample(EXPLODES, metadata=None)
    assert asyncio.run(custom_rm(_args(), sample)) == 0.0
    assert sample.remove_sample
    sample.response = "75"
    assert asyncio.run(custom_rm(_args(), sample)) == 1.5
    assert not sample.remove_sample
    assert WITHOUT not in sample.metadata
    other = _sample("75", remove_sample=True)
    asyncio.run(custom_rm(_args(), other))
    assert other.remove_sample


def test_a_verifier_that_breaks_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """Its sample is masked, and that is told at the first and at each doubling."""
    custom_rm = slime_rm(breaking_reward())
    group = [_sample("75"), _sample(EXPLODES), _sample("3"), _sample(EXPLODES)]
    assert asyncio.run(custom_rm(_args(group_rm=True), group)) == [1.5, 1.25, 1.0, 1.25]
    for _ in range(40):
        asyncio.run(custom_rm(_args(group_rm=True), group))
    told = [record for record in caplog.records if "masked" in record.getMessage()]
    assert 1 < len(told) < 10
    with pytest.raises(UnscoredError, match="2 of 4"):
        asyncio.run(slime_rm(breaking_reward(), unscored="raise")(_args(group_rm=True), group))


def test_the_number_of_tokens_and_metadata_are_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """So recipes that measure tokens run; a label that is missing does not hide a column of the metadata."""
    args = _args(group_rm=True)
    for tokens, paid in ((10, 1.0), (10**6, None)):
        [found] = asyncio.run(slime_rm("dapo_math")(args, [_sample("Answer: 75", response_length=tokens)]))
        assert found == paid if paid is not None else found < 1.0
    monkeypatch.setenv(RECIPE_VARIABLE, "ExactMatch")
    custom_rm = module.custom_rm
    assert module.custom_rm is custom_rm
    assert asyncio.run(custom_rm(_args(), _sample("75", None, metadata={"answer": "75"}))) == 1.0
    with pytest.raises(AttributeError):
        _ = module.other_rm


def _normalised(values: Sequence[float], estimator: str, scaled: bool) -> list[float]:
    mean = sum(values) / len(values) if values else 0.0
    deviation = stdev(values) if len(values) > 1 else 0.0
    divisor = deviation + 1e-6 if scaled and estimator == "grpo" else 1.0
    return [(value - mean) / divisor for value in values]


@settings(deadline=None, max_examples=examples(40))
@given(
    st.lists(st.lists(st.tuples(st.floats(-5, 5), st.booleans()), min_size=3, max_size=3), min_size=1, max_size=4),
    st.sampled_from(["grpo", "reinforce_plus_plus_baseline"]),
    st.booleans(),
)  # fmt: skip
def test_the_normalisation_is_that_of_the_group_without_masked_samples(
    groups: list[list[tuple[float, bool]]], estimator: str, scaled: bool
) -> None:
    samples = [
        _sample("", reward=value, metadata={WITHOUT: "fault"} if masked else None)
        for group in groups
        for value, masked in group
    ]
    args = _args(advantage_estimator=estimator, rewards_normalization=True, grpo_std_normalization=scaled)
    args.n_samples_per_prompt, args.rollout_batch_size = 3, len(groups)
    raw, found = post_process_rewards(args, samples)
    assert raw == [sample.reward for sample in samples]
    place = 0
    for group in groups:
        kept = iter(_normalised([value for value, masked in group if not masked], estimator, scaled))
        for _, masked in group:
            assert found[place] == pytest.approx(0.0 if masked else next(kept), rel=1e-6, abs=1e-6)
            place += 1


def test_other_estimators_are_left_alone() -> None:
    """And what is not the usual number of samples is one group, as slime has it."""
    samples = [_sample("", reward=value) for value in (1.0, 0.0, 0.5)]
    args = _args(advantage_estimator="ppo", rewards_normalization=True, grpo_std_normalization=True)
    args.n_samples_per_prompt, args.rollout_batch_size = 2, 2
    assert post_process_rewards(args, samples) == ([1.0, 0.0, 0.5], [1.0, 0.0, 0.5])
    args.advantage_estimator, args.grpo_std_normalization = "grpo", False
    assert post_process_rewards(args, samples)[1] == [0.5, -0.5, 0.0]
    assert post_process_rewards(args, []) == ([], [])
