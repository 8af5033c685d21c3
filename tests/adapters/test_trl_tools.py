"""Tools and environments of TRL's `GRPOTrainer`: the whole conversation reaches the reward."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from adapters.trl import trl_reward_funcs, trl_reward_weights
from rewards import Pay
from tests.adapters import tiny
from verifiers import ExactMatch, verifier

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]


class Calculator:
    """An environment of TRL's, with one tool."""

    def reset(self, **_: Any) -> None:
        """Begin anew."""

    def add(self, a: int, b: int) -> int:
        """Add two numbers.

        Args:
            a: The first.
            b: The second.

        Returns:
            Their sum.
        """
        return int(a) + int(b)


def add(a: int, b: int) -> int:
    """Add two numbers.

    Args:
        a: The first.
        b: The second.

    Returns:
        Their sum.
    """
    return int(a) + int(b)


def _called_a_tool(messages: Sequence[Any]) -> bool:
    return [each["role"] for each in messages] == ["assistant", "tool", "assistant"] and messages[1][
        "content"
    ] == "7"


CALL = '<tool_call>\n{"name": "add", "arguments": {"a": 3, "b": 4}}\n</tool_call>'


@pytest.mark.parametrize("option", [{"tools": [add]}, {"environment_factory": Calculator}])
def test_a_conversation_with_tool_calls_reaches_the_reward(option: Any, tmp_path: Path) -> None:
    """The calls, what the tools said, and what the model made of it, which is what is judged."""
    import datasets
    from transformers import AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer
    from trl.chat_template_utils import qwen3_chat_template

    folder = tiny.build(tmp_path / "model", tiny.CHARACTERS + ":;|'\"!#[]", longest=4096)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = qwen3_chat_template
    reward = Pay(verifier(_called_a_tool)) + Pay(ExactMatch())
    rows = [{"prompt": [{"role": "user", "content": "3+4="}], "answer": "7"}] * 4
    trainer = GRPOTrainer(
        model=str(folder),
        reward_funcs=trl_reward_funcs(reward),  # type: ignore[arg-type]
        args=tiny.config(GRPOConfig, tmp_path / "out", per_device_train_batch_size=4, max_steps=1,
                         max_completion_length=400, reward_weights=trl_reward_weights(reward)),
        train_dataset=datasets.Dataset.from_list(rows),
        processing_class=tokenizer,
        **option,
    )  # fmt: skip
    script = iter([[CALL, CALL, CALL, "7"], ["7", "8", "7"]])

    def scripted(prompt_ids: Any, *_: Any, **__: Any) -> Any:
        replies = next(script)
        assert len(replies) == len(prompt_ids)
        return [tokenizer.encode(reply + "<eos>", add_special_tokens=False) for reply in replies], None

    trainer._generate_single_turn = scripted
    trainer.train()
    logged = trainer._logs["rewards"]
    assert list(logged["_called_a_tool"]) == [1.0, 1.0, 1.0, 0.0]
    assert list(logged["ExactMatch"]) == [1.0, 0.0, 1.0, 1.0]
    assert list(logged["reward"]) == [2.0, 1.0, 2.0, 1.0]
