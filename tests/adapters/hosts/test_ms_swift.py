"""What ms-swift is handed for what it passes, without ms-swift: it is driven as that program drives it."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from adapters.hosts.trainers.ms_swift import PRESETS, main, recipe_orm, recipe_orms, register, reward_weights
from adapters.hosts.unscored import UnscoredError
from rewards import Linear, Pay, Rank, Reward, SoftOverlong, load_recipe, preset_names
from tests.hosts.common import RIGHT, WRONG
from tests.timing import HANG
from verifiers import ConfigError, ExactMatch, Length, TagFormat, verifier

RECIPE = load_recipe("gsm8k_tags")


def _arguments(size: int = 2, rows: int = 0, processes: int = 1) -> Any:
    return SimpleNamespace(
        num_generations=size, generation_batch_size=rows or size, world_size=processes,
        num_generations_eval=None,
    )  # fmt: skip


def _given(prompts: Sequence[str], completions: Sequence[str], **columns: Any) -> dict[str, Any]:
    """What ms-swift passes besides the completions."""
    messages = [
        [{"role": "user", "content": prompt}, {"role": "assistant", "content": said}]
        for prompt, said in zip(prompts, completions, strict=True)
    ]
    count = len(messages)
    return {
        "trainer_state": SimpleNamespace(global_step=0, max_steps=10),
        "messages": messages,
        "prompt_id": [f"prompt_{prompt}" for prompt in prompts],
        "request_id": [f"chatcmpl-{row}" for row in range(count)],
        "finish_reason": ["stop"] * count,
        "is_truncated": [False] * count,
        "rollout_infos": [{} for _ in range(count)],
        "response_token_ids": [[[7] * len(said)] for said in completions],
        **columns,
    }


def _called(
    functions: dict[str, type], prompts: Sequence[str], completions: list[str], size: int = 2, **columns: Any
) -> dict[str, list[float | None]]:
    given = _given(prompts, completions, **columns)
    made = {name: kind(args=_arguments(size)) for name, kind in functions.items()}
    return {name: function(completions, **given) for name, function in made.items()}


def test_a_row_without_a_reward_is_worth_the_mean_of_its_group() -> None:
    """What is only logged is None there; counts are floats, and the weights leave out all but the total."""
    found = _called(
        recipe_orms("gsm8k_tags"), "ppqqrr", [RIGHT, "75", RIGHT, RIGHT, WRONG, WRONG],
        answer=["75", "75", "75", "", "", ""],
    )  # fmt: skip
    assert found["gsm8k_tags"] == [1.5, 0.0, 1.5, 1.5, 0.0, 0.0]
    assert found["gsm8k_tags.accuracy"] == [1.0, 0.0, 1.0, None, None, None]
    assert found["gsm8k_tags.unscored"] == [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    assert (found["gsm8k_tags.fault"], reward_weights("gsm8k_tags")) == ([0.0] * 6, [1.0, 0.0, 0.0, 0.0, 0.0])


def test_a_prompt_that_is_drawn_twice_is_two_groups() -> None:
    """As ms-swift counts them, by their places; where the size does not fit, neighbours are."""
    completions, answers = [RIGHT, RIGHT, WRONG, RIGHT], ["75", "75", "75", ""]
    for size, mean in ((2, 0.5), (3, (1.5 + 1.5 + 0.5) / 3)):
        total = _called(recipe_orms(RECIPE, "mine"), "pppp", completions, size, answer=answers)["mine"]
        assert total == [1.5, 1.5, 0.5, pytest.approx(mean)]


def test_other_policies() -> None:
    given = (["p", "p"], [RIGHT, RIGHT])
    zero = recipe_orms(RECIPE, "mine", unscored="zero")
    assert _called(zero, *given, answer=["75", ""])["mine"] == [1.5, 0.0]
    with pytest.raises(UnscoredError, match="1 of 2 rows have no reward"):
        _called({"mine": recipe_orm(RECIPE, unscored="raise")}, *given, answer=["75", ""])
    with pytest.raises(ConfigError, match="ms-swift cannot 'mask'"):
        recipe_orm(RECIPE, unscored="mask")


def _half(response: str) -> float:
    if response == "broken":
        raise ZeroDivisionError("a defect")
    return 0.5


def test_terms_are_paid_by_themselves() -> None:
    """For ``--scale_rewards gdpo``; each row has a number in each."""
    reward = Pay(verifier(_half)) + 0.25 * Pay(Length(2, 9))
    functions = recipe_orms(reward, "mine", weighted=True)
    assert list(functions) == ["mine._half", "mine.Length", "mine.unscored", "mine.fault"]
    assert reward_weights(reward, weighted=True) == [1.0, 0.25, 0.0, 0.0]
    found = _called(functions, "pp", ["abc", "broken"])
    assert found == {
        "mine._half": [0.5, 0.5], "mine.Length": [1.0, 1.0], "mine.unscored": [0, 1], "mine.fault": [0, 1]
    }  # fmt: skip
    with pytest.raises(ConfigError, match="a part is called unscored or fault"):
        recipe_orms(Pay(Length(2, 9)).named("fault") + Pay(ExactMatch()), "mine")


CALLS: list[str] = []


def _counted(response: str) -> float:
    CALLS.append(response)
    return 1.0


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_batch_is_judged_once_for_all_functions(asynchronous: bool) -> None:
    reward = Pay(verifier(_counted)) + Pay(TagFormat())
    kinds = recipe_orms(reward, "mine", asynchronous=asynchronous).values()
    functions = [kind(args=_arguments()) for kind in kinds]
    assert all(asyncio.iscoroutinefunction(each.__call__) == asynchronous for each in functions)
    for completions in (["a", "b"], ["a", "c"]):
        CALLS.clear()
        given = _given("pp", completions)
        if asynchronous:

            async def together(texts: list[str] = completions, given: Any = given) -> Any:
                return await asyncio.gather(*(function(texts, **given) for function in functions))

            total, *_ = asyncio.run(together())
        else:
            total, *_ = [function(completions, **given) for function in functions]
        assert (total, sorted(CALLS)) == ([1.0, 1.0], sorted(completions))


SEEN: list[Any] = []


def _looks(messages: Any, prompt: Any) -> bool:
    SEEN.append((messages, prompt))
    return True


def test_conversations_of_several_turns() -> None:
    """What was generated begins where the prompt ends, as the turns' tokens tell, or the number of turns."""
    said: list[dict[str, Any]] = [
        {"role": "system", "content": "s"}, {"role": "user", "content": "an example"},
        {"role": "assistant", "content": "of before"}, {"role": "user", "content": "2+2?"},
        {"role": "assistant", "content": "let me see"}, {"role": "tool", "content": "4"},
        {"role": "assistant", "content": "4"},
    ]  # fmt: skip
    reward = Pay(verifier(_looks)) + SoftOverlong(8, 4)
    for turns, start in (({"response_token_ids": [[[1] * 4, [1] * 2]]}, 4),
                         ({"response_token_ids": [[1] * 6], "rollout_infos": [{"num_turns": 2}]}, 4),
                         ({"response_token_ids": [[1] * 6], "rollout_infos": [{}]}, 6),
                         ({"response_token_ids": [[1] * 6], "rollout_infos": [{"num_turns": 9}]}, 6)):  # fmt: skip
        SEEN.clear()
        given = _given(["2+2?"], ["4"]) | {"messages": [said]} | turns
        [total] = recipe_orm(reward)(args=_arguments(1))(["4"], **given)
        assert [each["role"] for each in SEEN[0][0]] == [each["role"] for each in said[start:]]
        assert total == pytest.approx(0.5)  # six tokens of eight, of which the last four cost


def test_schedules_follow_the_trainers_state() -> None:
    reward = Linear(1.0, 0.0) * Pay(Length(1, 9))
    function = recipe_orm(reward)(args=_arguments())
    for step, paid in ((0, 1.0), (5, 0.5)):
        state = SimpleNamespace(global_step=step, max_steps=10)
        assert function(["a", "b"], **_given("pp", ["a", "b"], trainer_state=state)) == [paid] * 2


COMPARING: Reward = Rank(Pay(Length(4, 9)))


def test_groups_are_refused_where_no_process_has_them_whole() -> None:
    """At the start, by ms-swift's arguments, with the cure; a reward that compares nothing is paid there."""
    for arguments in (_arguments(4, 8, 4), _arguments(1, 4)):
        with pytest.raises(ConfigError, match="whole groups: make --per_device_train_batch_size times"):
            recipe_orm(COMPARING)(args=arguments)
        recipe_orm(RECIPE)(args=arguments)
    with pytest.raises(ConfigError, match="asynchronous=True needs groups that lie within a process"):
        recipe_orm(RECIPE, asynchronous=True)(args=_arguments(4, 8, 4))
    assert recipe_orm(RECIPE)()([RIGHT], answer=["75"]) == [1.5], "by hand, without a trainer"
    function = recipe_orm(COMPARING)(args=_arguments(2, 4, 2))
    assert function(["a", "abcd"], **_given("pp", ["a", "abcd"])) == [0.0, 1.0]


def test_processes_that_share_a_group_share_its_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two with a row each: the one without a reward gets what the other's was paid."""
    barrier, held = threading.Barrier(2), {}
    names = threading.local()

    def gather(rows: list[Any], mine: Any) -> None:
        held[names.rank] = mine
        barrier.wait(HANG)
        rows[:] = [held[rank] for rank in range(2)]

    torch = ModuleType("torch")
    torch.distributed = SimpleNamespace(  # type: ignore[attr-defined]
        is_initialized=lambda: True,
        get_world_size=lambda: 2,
        get_rank=lambda: names.rank,
        all_gather_object=gather,
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch.distributed", torch.distributed)  # type: ignore[attr-defined]
    found: dict[int, Any] = {}

    def process(rank: int) -> None:
        names.rank = rank
        function = recipe_orm(RECIPE)(args=_arguments(2, 2, 2))
        found[rank] = function([RIGHT], **_given("p", [RIGHT], answer=["75" if rank else ""]))

    threads = [threading.Thread(target=process, args=(rank,)) for rank in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert found == {0: [1.5], 1: [1.5]}


def test_a_set_up_that_cannot_work_is_told_and_nothing_else_ends_a_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A missing column at the first batch; broken rows, odd values and huge numbers at any."""
    with pytest.raises(ConfigError, match="needs the references in a column 'answer'"):
        recipe_orm(RECIPE)(args=_arguments())([RIGHT, RIGHT], **_given("pp", [RIGHT, RIGHT]))
    function = recipe_orm(1e300 * Pay(verifier(_half)))(args=_arguments(3))
    with caplog.at_level(logging.WARNING):
        assert function(["a", "broken", "b"], **_given("ppp", ["a", "broken", "b"])) == [1e6] * 3
    assert "1 of 3 rows have no reward" in caplog.text
    assert "the mean of their group" in caplog.text
    odd = _given("ppp", ["a", "b", "c"], response_token_ids=[None, [], "x"], rollout_infos=[None, 3, {}])
    odd["messages"][1] = []
    assert (function([None, 7, "c"], **odd)[2], function([], **_given([], []))) == (1e6, [])


def test_a_preset_needs_no_code(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Its options are printed, and the plug-in that they name makes it known to ms-swift."""
    orms: dict[str, Any] = {"accuracy": object}
    known = ModuleType("swift.rewards")
    monkeypatch.setattr(known, "orms", orms, raising=False)
    monkeypatch.setitem(sys.modules, "swift.rewards", known)
    assert main(["gsm8k_tags"]) == 0
    options = capsys.readouterr().out.split()
    place = options.index("--reward_weights")
    names, weights = options[3:place], options[place + 1 :]
    assert options[:3] == ["--external_plugins", str(PRESETS), "--reward_funcs"]
    assert list(map(float, weights)) == reward_weights("gsm8k_tags")
    exec(
        compile(PRESETS.read_text(encoding="utf-8"), PRESETS, "exec"), {"__name__": "plugin"}
    )  # as ms-swift does
    assert set(names) | set(preset_names()) <= set(orms)
    assert orms["gsm8k_tags.format"].__name__ == "gsm8k_tags.format", "what its log calls it"
    assert [each.name for each in PRESETS.parent.glob("*.py")] != [], "its folder goes first on the path"
    assert {each.stem for each in PRESETS.parent.glob("*.py")} == {"__init__", PRESETS.stem}
    with pytest.raises(ConfigError, match="has a reward function 'accuracy'"):
        register("gsm8k_tags", "accuracy")
    assert main(["no such preset"]) == 2
    assert "name one preset: code_pass_rate" in capsys.readouterr().err
