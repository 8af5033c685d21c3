"""Tools, environments and rollout functions: what TRL is given, what verifiers see, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.training.test_mistakes import HERE, TOOL_TASK
from tests.training.tool_functions import SEEN, Counter, add, later
from training.agent_tools import GivenTools, ToolBackend, check_tools, given_tools, with_rows
from training.config import RunConfig
from training.generation import Generated, Sampling
from training.run.accuracy_measures import measure
from training.stages import STAGES
from training.tool_task import Shop, lessons, model, problems
from verifiers import ConfigError, ExactMatch


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Of the bundled task."""
    from transformers import AutoTokenizer

    folder = tmp_path_factory.mktemp("model")
    model(folder, hidden=16, layers=1)
    return AutoTokenizer.from_pretrained(folder)


def _config(folder: Path, **changes: Any) -> RunConfig:
    trainer = {"max_steps": 1, "per_device_train_batch_size": 4, "num_generations": 2,
               "max_completion_length": 24, "save_strategy": "no"}  # fmt: skip
    base = {"output_dir": str(folder), "threads": 1, **TOOL_TASK, "reward": {"TaskSuccess": f"{HERE}:seen"}}
    return RunConfig.model_validate({**base, "evaluation": {"at": []}, "trainer": trainer, **changes})


def test_a_run_gives_rows_to_environments_and_messages_to_verifiers(tmp_path: Path) -> None:
    """TRL's own data set has prompts and numbers; the environment has the row's prices, and so has the state."""
    SEEN.clear()
    metrics = STAGES["grpo"](_config(tmp_path, environment_factory="training.tool_task.Shop"))
    assert metrics["steps"] == 1
    assert len(SEEN) >= 4
    for state, messages, prices in SEEN:
        assert state == {"prices": prices}
        assert messages[0]["role"] == "assistant"


def test_a_run_with_a_rollout_function(tmp_path: Path) -> None:
    """Its further keys are columns that verifiers read."""
    SEEN.clear()
    STAGES["grpo"](_config(tmp_path, rollout_func=f"{HERE}:rolled_out"))
    assert [state["number"] for state, _, _ in SEEN[:4]] == [0, 1, 2, 3]


def test_lessons_are_what_a_conversation_is_rendered_to(tokenizer: Any) -> None:
    """The supervised start sees the very text that training with tools will show."""
    rows = list(lessons(train=60, slip=0.0, work=1.0))
    seen = 0
    for row in rows:
        assert tokenizer.unk_token_id not in tokenizer(row["prompt"] + row["completion"])["input_ids"]
        question, *turns = re.split(r"<\|end\|><\|tool\|>|<\|assistant\|>", row["prompt"])
        said: list[dict[str, Any]] = [{"role": "user", "content": question.removeprefix("<|user|>")}]
        for call, result in zip(turns[:-1:2], turns[1::2], strict=True):
            function = json.loads(call.removeprefix("<tool_call>").removesuffix("</tool_call>"))
            called = {"type": "function", "function": function}
            said.append({"role": "assistant", "content": "", "tool_calls": [called]})
            said.append({"role": "tool", "name": function["name"], "content": result})
            seen += 1
        shown = tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True)
        assert shown == row["prompt"]
    assert seen > 60


def test_the_task_can_only_be_done_with_tools() -> None:
    """The answer is what they say of the row's own prices."""
    shop = Shop()
    for row in problems("heldout"):
        shop.reset(**row)
        what, times = row["question"].removesuffix("=?").split("*")
        one = shop.lookup(what) if what in row["prices"] else what
        assert shop.calculator(f"{one}*{times}") == row["answer"]
    with pytest.raises(ValueError, match="no item"):
        shop.lookup("piano")
    with pytest.raises(ValueError, match="two whole numbers"):
        shop.calculator("__import__('os')")


@dataclass
class _Scripted:
    """A backend that says what it is told to, turn by turn."""

    tokenizer: Any
    turns: Sequence[str]
    batch_size: int = 8
    chat_template_kwargs: dict[str, Any] = field(default_factory=dict)
    read: Any = None
    asked: list[Any] = field(default_factory=list)

    def generate(self, prompts: Sequence[Any], sampling: Sampling) -> Iterator[list[Generated]]:
        """The turn that is as far as each conversation."""
        for prompt in prompts:
            self.asked.append(prompt)
            text = self.turns[sum(message["role"] == "assistant" for message in prompt)]
            yield [Generated(text, len(self.tokenizer(text)["input_ids"]) + 1, True)]


def _call(name: str, parameter: str, value: str) -> str:
    return f'<tool_call>{{"name": "{name}", "arguments": {{"{parameter}": "{value}"}}}}</tool_call>'


ROW = {"prompt": [{"role": "user", "content": "egg*3=?"}], "prices": {"egg": 17}, "answer": "51"}


def _backend(tokenizer: Any, *turns: str) -> ToolBackend:
    return ToolBackend(_Scripted(tokenizer, turns), GivenTools(environments=Shop))  # type: ignore[arg-type]


def test_conversations_outside_the_trainer(tokenizer: Any) -> None:
    """Calls are answered until there is none; a tool that raises or is missing says so, as in TRL."""
    turns = [_call("lookup", "item", "fan"), _call("lookup", "item", "egg"), _call("egg", "item", "egg"),
             _call("calculator", "expression", "17*3"), "51"]  # fmt: skip
    backend = _backend(tokenizer, *turns)
    [[one]] = backend.converse([ROW], Sampling(max_tokens=120))
    assert one.messages is not None
    told = [message["content"] for message in one.messages if message["role"] == "tool"]
    assert told == ["{'error': 'no item is called fan'}", "17", "{'error': 'Tool egg not found.'}", "51"]
    assert (one.text, one.finished, one.environment.prices) == ("51", True, {"egg": 17})
    measured = measure(backend, [ROW], ExactMatch() * 1.0, "ExactMatch", Sampling(max_tokens=120))
    assert measured.accuracy == 1.0


def test_conversations_keep_to_their_tokens(tokenizer: Any) -> None:
    """What tools say counts, too; what is over is cut, and did not end by itself."""
    backend = _backend(tokenizer, *[_call("lookup", "item", "egg")] * 40)
    for most in (5, 12, 40):
        [[one]] = backend.converse([ROW], Sampling(max_tokens=most))
        assert one.tokens <= most
        assert not one.finished
    backend.turns = 1
    [[one]] = backend.converse([ROW], Sampling(max_tokens=120))
    assert one.messages is not None
    assert [message["role"] for message in one.messages] == ["assistant", "tool", "assistant"]


def test_rows_reach_environments_by_their_number() -> None:
    """Also those with slots; one class for all, which TRL finds tools on."""
    rows = [{"prompt": [], "limit": 3}, {"prompt": [], "limit": 5}]
    make = with_rows(Counter, rows)
    assert callable(make)
    one, other = make(), make()
    assert one.reset(row=1, prompt=[]) == " up to 5"
    assert other.reset(row=0, prompt=[]) == " up to 3"
    assert (type(one), type(one).__name__, one.more(by=2)) == (type(other), "Counter", "2")
    assert isinstance(with_rows({"a": Counter}, rows), dict)
    assert with_rows(None, rows) is None


def test_what_a_configuration_names() -> None:
    """By a colon or by dots."""
    base = {"output_dir": "x", "model": {"name": "y"}}
    config = RunConfig.model_validate({**base, "tools": [f"{HERE}:add", f"{HERE}.later"]})
    assert list(given_tools(config).tools) == [add, later]


def test_templates_that_cannot_show_calls_are_refused(
    tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And those whose calls nobody knows how to read."""
    config = RunConfig.model_validate({"output_dir": "x", "model": {"name": "y"}, "tools": [f"{HERE}:add"]})
    rows = [{"prompt": [{"role": "user", "content": "?"}]}]
    given = given_tools(config)
    check_tools("grpo", config, given, tokenizer, rows)
    monkeypatch.setattr(tokenizer, "response_template", None)
    with pytest.raises(ConfigError, match="write response_template"):
        check_tools("grpo", config, given, tokenizer, rows)
    monkeypatch.setattr(tokenizer, "chat_template", "{% for m in messages %}{{ m.content }}{% endfor %}")
    with pytest.raises(ConfigError, match=r"set model\.chat_template"):
        check_tools("grpo", config, given, tokenizer, rows)
