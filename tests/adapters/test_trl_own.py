"""Rewards of the user's own, tools and environments in a trainer's real run: what it passes reaches them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from adapters.trl import trl_reward_funcs, trl_reward_weights
from rewards import Pay, Reward, from_callable, from_trl
from tests.adapters import tiny
from tests.adapters.test_trl import _saved, _trainer, pytestmark
from tests.adapters.test_trl import model as model  # a fixture
from verifiers import ConfigError, ExactMatch, Length, verifier

__all__ = ["model", "pytestmark"]

STEPS: list[int] = []


def letters(completions: list[str], solution: list[str], trainer_state: Any, log_extra: Any, log_metric: Any,
            **columns: Any) -> list[float]:  # fmt: skip
    """As users of TRL have them, of any range."""
    STEPS.append(trainer_state.global_step)
    log_extra("alphabetic", [sum(map(str.isalpha, each)) for each in completions])
    log_metric("longest", float(max(map(len, completions))))
    assert len(columns["completion_ids"]) == len(completions)
    return [float(len(each) - len(gold)) for each, gold in zip(completions, solution, strict=True)]


@pytest.mark.parametrize("kind", ["GRPO", "RLOO"])
def test_what_a_trainer_passes_reaches_functions_of_ones_own(kind: str, model: str, tmp_path: Path) -> None:
    """Its state and its ways to log, once for each batch; the references by the name that the data has."""
    STEPS.clear()
    rows = [{"prompt": f"{number}+{number}=", "solution": str(2 * number)} for number in range(8)]
    own = from_callable(lambda response, reference: float(response == reference)).named("own")
    reward = Pay(ExactMatch()) + from_trl(letters) + own
    functions = trl_reward_funcs(reward)
    trainer = _trainer(kind, model, tmp_path, functions, rows, reward_weights=trl_reward_weights(reward))
    trainer.train()
    logs = trainer.state.log_history[:-1]
    assert sorted(set(STEPS)) == STEPS
    assert len(STEPS) == len(logs) == 3
    for step in logs:
        assert step["longest"] > 0
        assert step["reward/unscored"] == step["reward/fault"] == 0.0
    for row in _saved(tmp_path, trainer):
        text = row["completion"] if isinstance(row["completion"], str) else row["completion"][0]["content"]
        gold = str(2 * int(row["prompt"].partition("+")[0]))
        assert row["alphabetic"] == sum(map(str.isalpha, text))
        assert row["ExactMatch"] == row["own"] == float(text.strip() == gold)


@verifier
def out_of_range(response: str) -> float:
    return 2.0 if len(response) > 3 else -1.0


def asks_for_more(completions: list[str], difficulty: list[float]) -> list[float]:
    return difficulty


@pytest.mark.parametrize(
    ("reward", "said"),
    [
        (
            Pay(out_of_range),
            r"out_of_range breaks on every row of the first batch: .* not in \[0, 1\]; declare",
        ),
        (Pay(out_of_range) + Pay(Length(1, 9)), r"out_of_range breaks on every row of the first batch"),
        (from_trl(asks_for_more), "asks_for_more needs a column 'difficulty'"),
    ],
)
def test_what_can_never_work_ends_a_run_at_its_first_batch(
    reward: Reward, said: str, model: str, tmp_path: Path
) -> None:
    """Nothing would be learnt, and nobody would see it."""
    functions, weights = trl_reward_funcs(reward), trl_reward_weights(reward)
    trainer = _trainer("GRPO", model, tmp_path, functions, reward_weights=weights)
    with pytest.raises(ConfigError, match=said):
        trainer.train()
    assert trainer.state.global_step == 0


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
