"""AReaL's own wrapper, workflows and normalisation, with rewards of this library in its pool of processes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from areal.api import AsyncRewardWrapper, ModelResponse
from areal.api.cli_args import GenerationHyperparameters, NormConfig
from areal.infra.remote_inf_engine import GroupedRolloutWorkflow
from areal.utils.data import Normalization
from areal.workflow.rlvr import RLVRWorkflow
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from adapters.hosts.trainers.areal import areal_reward_fn
from adapters.hosts.unscored import UnscoredError
from tests.hosts.common import EXPLODES, HOSTILE, ROWS, breaking_reward, comparing_reward, scored_by_cli
from verifiers import ConfigError

Row = Mapping[str, str]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """One of bytes."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    bytes_of = Tokenizer(
        models.BPE(vocab={"</s>": 0, **{each: i + 1 for i, each in enumerate(alphabet)}}, merges=[])
    )
    bytes_of.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bytes_of.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=bytes_of, pad_token="</s>", eos_token="</s>")


class Engine:
    """It answers with completions that are known, one after another, and the token that ends them."""

    def __init__(self, completions: Sequence[str], tokenizer: Any) -> None:
        self.left, self.tokenizer = list(completions), tokenizer

    async def agenerate(self, request: Any) -> ModelResponse:
        """As AReaL's engines."""
        tokens = [*self.tokenizer(self.left.pop(0))["input_ids"], 0]
        count = len(tokens)
        return ModelResponse(
            input_tokens=request.input_ids, output_tokens=tokens, output_logprobs=[0.0] * count,
            output_versions=[0] * count, stop_reason="stop", tokenizer=self.tokenizer,
        )  # fmt: skip


def _input_ids(messages: Any, tokenizer: Any, _: bool) -> list[int]:
    ids: list[int] = tokenizer(messages[0]["content"])["input_ids"]
    return ids


def _workflow(reward_fn: Any, tokenizer: Any) -> RLVRWorkflow:
    """It takes the function itself, or its path."""
    return RLVRWorkflow(reward_fn, GenerationHyperparameters(), tokenizer, get_input_ids_fn=_input_ids)


def _data(row: Row) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": row["prompt"]}], "answer": row["answer"]}


def _group(workflow: RLVRWorkflow, rows: Sequence[Row], tokenizer: Any) -> Any:
    """A prompt's completions in AReaL's own group."""
    grouped = GroupedRolloutWorkflow(workflow, len(rows), logging.getLogger("areal"))
    engine = Engine([row["completion"] for row in rows], tokenizer)
    return asyncio.run(grouped.arun_episode(engine, _data(rows[0])))


def test_rewards_in_the_pool_are_those_of_verify_cli(tmp_path: Path) -> None:
    """For every row, the hostile one included, within its budget; what has no reward raises, and is tried again."""
    expected = scored_by_cli(ROWS, tmp_path)
    assert HOSTILE in {row["completion"] for row in ROWS}
    wrapper = AsyncRewardWrapper(areal_reward_fn("gsm8k_tags"), timeout_seconds=120, max_workers=2)

    async def all_at_once() -> list[Any]:
        calls = [
            wrapper(row["prompt"], row["completion"], [1], [2], answer=row["answer"]) for row in ROWS * 4
        ]
        return await asyncio.gather(*calls, return_exceptions=True)

    started = time.monotonic()
    found = asyncio.run(all_at_once())
    assert time.monotonic() - started < 100
    for value, right in zip(found, expected * 4, strict=True):
        if right is None:
            assert isinstance(value, UnscoredError)
            assert "bad_reference" in str(value)
        else:
            assert value == right


def test_a_raising_verifier_ends_nothing() -> None:
    """Its row is left out, or paid 0; the pool goes on."""
    dropping, paying = areal_reward_fn(breaking_reward()), areal_reward_fn(breaking_reward(), unscored="zero")

    async def paid(function: Any, text: str) -> Any:
        wrapper = AsyncRewardWrapper(function, timeout_seconds=120, max_workers=2)
        return await wrapper("q", text, [1], [2], answer="75")

    with pytest.raises(UnscoredError, match="unbroken"):
        asyncio.run(paid(dropping, EXPLODES))
    assert (asyncio.run(paid(dropping, "75")), asyncio.run(paid(paying, EXPLODES))) == (1.5, 0.0)


def test_a_prompt_without_a_usable_reference_is_rejected_and_moves_nobody(
    tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AReaL's group fails, which rejects it; the advantages of other groups are what they are without it."""
    monkeypatch.setenv("REWARD_RECIPE", "gsm8k_tags")
    groups: dict[str, list[Row]] = {}
    for row in ROWS:
        groups.setdefault(row["prompt"], []).append(row)
    named = "adapters.hosts.trainers.areal.reward_fn"
    made, rejected = [], 0
    for rows in groups.values():
        try:
            made.append(_group(_workflow(named, tokenizer), rows[:2], tokenizer))
        except UnscoredError:
            rejected += 1
            assert not rows[0]["answer"]
    assert rejected == 1
    norm = Normalization(NormConfig(mean_level="group", std_level="group", group_size=2))
    found = norm(torch.cat([each["rewards"] for each in made]))
    alone = [norm(each["rewards"]) for each in made]
    assert found.tolist() == pytest.approx(torch.cat(alone).tolist())
    assert found.max() > 0


def test_what_areal_cannot_pay_is_refused_when_it_is_made() -> None:
    """With the cure."""
    with pytest.raises(ConfigError, match="each completion by itself"):
        areal_reward_fn(comparing_reward())
