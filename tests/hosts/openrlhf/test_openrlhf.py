"""OpenRLHF's own executor, experiences and advantages, with rewards of this library as a file and over HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.hosts.common import EXPLODES, HOSTILE, ROWS, scored_by_cli
from tests.hosts.serving import served
from tests.hosts.stubs import stub
from verifiers import ConfigError

stub("bitsandbytes", "deepspeed", "flash_attn", "optree", "ray", "ring_flash_attn", "vllm")

import torch  # noqa: E402
from openrlhf.trainer.ppo_utils.experience import Experience  # noqa: E402
from openrlhf.trainer.ppo_utils.experience_maker import RemoteExperienceMaker  # noqa: E402
from openrlhf.trainer.ppo_utils.samples_generator import SamplesGenerator  # noqa: E402
from openrlhf.utils.agent import SingleTurnAgentExecutor  # noqa: E402
from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: E402
from transformers import PreTrainedTokenizerFast  # noqa: E402

FILE = "from adapters.hosts.trainers.openrlhf import openrlhf_reward_func\n"
OWN = "from tests.hosts.common import breaking_reward, comparing_reward\n"
Row = Mapping[str, Any]


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
    """It answers with a completion that is known, and the token that ends it."""

    def __init__(self, tokens: list[int]) -> None:
        self.tokens = tokens

    async def generate(self, *_: Any, **__: Any) -> Any:
        """As vLLM's."""
        said = SimpleNamespace(token_ids=[*self.tokens, 0], finish_reason="stop", logprobs=None)
        return SimpleNamespace(outputs=[said])


def _executed(
    endpoint: str, rows: Sequence[Row], tokenizer: Any, longest: int = 4096
) -> list[dict[str, Any]]:
    """The responses of OpenRLHF's executor, all of them at once, as its rollout workers run them."""
    executor = SingleTurnAgentExecutor([endpoint])
    sampling = SimpleNamespace(max_tokens=1024, logprobs=None)

    async def all_at_once() -> Any:
        return await asyncio.gather(
            *[
                executor.execute(
                    row["prompt"], row["answer"], sampling, longest, tokenizer,
                    Engine(tokenizer(row["completion"])["input_ids"]),
                )
                for row in rows
            ]
        )  # fmt: skip

    found: list[dict[str, Any]] = asyncio.run(all_at_once())
    return found


def _file(folder: Path, line: str) -> str:
    path = folder / "reward.py"
    path.write_text(FILE + OWN + line + "\n", encoding="utf-8")
    return str(path)


def _advantages(responses: Sequence[dict[str, Any]], size: int, estimator: str) -> list[float]:
    """What OpenRLHF makes of responses, `size` of each prompt: an advantage for each."""
    generator = SamplesGenerator.__new__(SamplesGenerator)
    experiences = [generator._process_response_into_experience(each, max_len=8192) for each in responses]
    batch = Experience.concat_experiences(experiences, 0)
    batch.index, batch.kl = list(range(len(responses))), torch.zeros(batch.action_mask.shape)
    advantage = SimpleNamespace(estimator=estimator, gamma=1.0, lambd=1.0, no_std_norm=True)
    maker = RemoteExperienceMaker.__new__(RemoteExperienceMaker)
    maker.advantage_estimator, maker.kl_ctl = estimator, SimpleNamespace(value=0.0)
    reward = SimpleNamespace(
        clip_range=None, overlong_buffer_len=None, stop_properly_penalty_coef=None,
        overlong_penalty_factor=1.0,
    )  # fmt: skip
    maker.strategy = SimpleNamespace(
        args=SimpleNamespace(
            rollout=SimpleNamespace(n_samples_per_prompt=size, max_new_tokens=1024),
            reward=reward,
            algo=SimpleNamespace(advantage=advantage),
        )
    )
    [made] = maker.compute_advantages_and_returns([batch])
    # Each token of a reply has its reply's advantage, and other tokens none.
    return [float(row[mask.bool()][0]) for row, mask in zip(made.advantages, made.action_mask, strict=True)]


def test_rewards_of_a_file_and_of_the_server_are_those_of_verify_cli(tmp_path: Path, tokenizer: Any) -> None:
    """For every row, the hostile one included, within its budget; those without a reward are 0, and counted."""
    expected = scored_by_cli(ROWS, tmp_path)
    rows = list(ROWS) * 8
    file = _file(tmp_path, 'reward_func = openrlhf_reward_func("gsm8k_tags")')
    started = time.monotonic()
    by_file = _executed(file, rows, tokenizer)
    assert time.monotonic() - started < 60
    with served("--recipe", "gsm8k_tags") as address:
        by_server = _executed(f"{address}/openrlhf", rows, tokenizer)
    assert HOSTILE in {row["completion"] for row in rows}
    for found in (by_file, by_server):
        assert [each["reward"] for each in found] == [value or 0.0 for value in expected] * 8
        without = [each["extra_logs"]["unscored"] for each in found]
        assert without == [float(value is None) for value in expected] * 8
    assert [each["extra_logs"] for each in by_file] == [each["extra_logs"] for each in by_server]


@pytest.mark.parametrize("estimator", ["group_norm", "rloo", "dr_grpo"])
def test_a_prompt_without_a_usable_reference_moves_nobody(
    tmp_path: Path, tokenizer: Any, estimator: str
) -> None:
    """Its completions get the same 0: their advantages are 0, and those of other prompts what they are without it."""
    file = _file(tmp_path, 'reward_func = openrlhf_reward_func("gsm8k_tags")')
    responses = _executed(file, [row for row in ROWS if row["prompt"] != ROWS[0]["prompt"]], tokenizer)
    usable = [each for each in responses if each["label"]]
    both, alone = _advantages(responses, 2, estimator), _advantages(usable, 2, estimator)
    assert [value for value, each in zip(both, responses, strict=True) if not each["label"]] == [0.0, 0.0]
    others = [value for value, each in zip(both, responses, strict=True) if each["label"]]
    assert others == pytest.approx(alone)
    assert max(alone) > 0.0


def test_a_raising_verifier_ends_nothing(tmp_path: Path, tokenizer: Any) -> None:
    """Its rows are 0 and counted as faults in the tensors that OpenRLHF logs; training goes on."""
    file = _file(tmp_path, "reward_func = openrlhf_reward_func(breaking_reward())")
    texts = ["75", EXPLODES, "3", "\\boxed{75}"]
    rows = [{"prompt": "What is 50 + 25?", "completion": text, "answer": "75"} for text in texts]
    responses = _executed(file, rows, tokenizer)
    assert [each["reward"] for each in responses] == [1.5, 0.0, 1.0, 1.5]
    generator = SamplesGenerator.__new__(SamplesGenerator)
    made = [generator._process_response_into_experience(each, max_len=8192) for each in responses]
    info = Experience.concat_experiences(made, 0).info
    assert info["fault"].flatten().tolist() == [0.0, 1.0, 0.0, 0.0]
    assert info["unscored"].flatten().tolist() == [0.0, 1.0, 0.0, 0.0]
    assert all(value == value for value in _advantages(responses, 4, "group_norm"))


def test_a_cut_prompt_is_never_paid(tmp_path: Path, tokenizer: Any) -> None:
    """OpenRLHF cuts long prompts from the left, and an example in it would look like the model's answer."""
    file = _file(tmp_path, 'reward_func = openrlhf_reward_func("gsm8k_tags")')
    prompt = "Once more, and at length. " * 40 + "Answer like <SOLUTION>75</SOLUTION>. What is 50 + 25?"
    rows = [{"prompt": prompt, "completion": "I do not know", "answer": "75"}]
    [cut] = _executed(file, rows, tokenizer, longest=1024 + 100)
    assert (cut["reward"], cut["extra_logs"]["unscored"]) == (0.0, 1.0)
    [whole] = _executed(file, rows, tokenizer)
    assert (whole["reward"], whole["extra_logs"]["unscored"]) == (0.0, 0.0)


def test_what_openrlhf_cannot_pay_ends_the_start(tmp_path: Path) -> None:
    """When its worker loads the file; the message has the cure."""
    with pytest.raises(ConfigError, match="asks row by row"):
        SingleTurnAgentExecutor(_file(tmp_path, "reward_func = openrlhf_reward_func(comparing_reward())"))
