"""The scorer for inspect_ai, driven with states like its own; inspect_ai itself is not needed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.hosts.evaluators.evaluator_rows import EvaluatedRows
from adapters.hosts.evaluators.inspect_ai import HOST, SampleScorer, model_messages, recipe, row_of
from adapters.hosts.host import reward_of
from rewards import Linear, Pay, Rank, load_recipe
from tests.hosts.common import HOSTILE, RIGHT
from verifiers import ConfigError, ExactMatch, MathEquivalence, split_completion, verifier


def _message(role: str, content: Any, source: str | None = None, **more: Any) -> Any:
    parts = [SimpleNamespace(type="text", text=content)] if isinstance(content, str) else content
    text = "".join(part.text for part in parts if part.type == "text")
    fields = {"id": None, "tool_calls": None, "tool_call_id": None, "function": None, **more}
    return SimpleNamespace(role=role, content=content, text=text, source=source, **fields)


def _state(said: str | Sequence[Any], asked: Any = "50 + 25?", output: Any = None, **metadata: Any) -> Any:
    """A state with the question and what the model said, as text or messages."""
    said = [_message("assistant", said, "generate")] if isinstance(said, str) else list(said)
    given = [_message("user", asked, "input")] if isinstance(asked, str) else list(asked)
    if output is None and said:
        output = said[-1].text
    answered = SimpleNamespace(
        choices=[] if output is None else [object()],
        completion=output or "",
        message=_message("assistant", output or "", "generate"),
    )
    return SimpleNamespace(messages=[*given, *said], input=asked, output=answered, metadata=metadata)


def test_a_score_has_the_total_every_part_and_the_reasons() -> None:
    fields = SampleScorer("gsm8k_tags").fields(_state(RIGHT), ["75"])
    assert (fields["value"], fields["answer"]) == ({"reward": 1.5, "accuracy": 1.0, "format": 1.0}, "75")
    assert "accuracy: 1" in fields["explanation"]
    assert fields["metadata"]["verdicts"]["format"]["verifier"] == "TagFormat"
    assert "reason" not in fields


def test_a_single_verifier_is_a_recipe() -> None:
    for given in (ExactMatch(), Pay(ExactMatch()), "ExactMatch", {"reward": "ExactMatch"}):
        fields = SampleScorer(given).fields(_state("75"), ["75"])
        assert fields["value"] == {"reward": 1.0, "ExactMatch": 1.0}


@pytest.mark.parametrize("given", [None, 3, ["ExactMatch"], ExactMatch])
def test_what_is_no_recipe_is_refused(given: Any) -> None:
    with pytest.raises(ConfigError, match="a recipe is a name"):
        reward_of(given)


def test_a_row_without_a_reward_has_no_value() -> None:
    """What it is unscored for is told, and that a fault is not the model's."""
    fields = SampleScorer("gsm8k_tags").fields(_state(RIGHT), [""])
    assert "value" not in fields
    assert fields["reason"] == "bad_reference"
    assert "MathEquivalence: bad_reference" in fields["explanation"]

    @verifier
    def broken(response: str) -> bool:
        raise RuntimeError("it explodes")

    fields = SampleScorer(broken).fields(_state(RIGHT), ["75"])
    assert fields["reason"] == "scoring_failed"
    assert "it explodes" in fields["explanation"]
    zero = SampleScorer("gsm8k_tags", unscored="zero").fields(_state(RIGHT), [""])
    assert zero["value"]["reward"] == 0.0
    assert zero["value"]["accuracy"] != zero["value"]["accuracy"]
    assert zero["reason"] == "bad_reference"


def test_every_score_of_a_recipe_has_the_same_names() -> None:
    """Its reducers take the names of one epoch for those of all."""
    scorer = SampleScorer("gsm8k_tags")
    names = {
        tuple(scorer.fields(_state(said), ["75"])["value"]) for said in (RIGHT, "", HOSTILE, "<SOLUTION>")
    }
    assert names == {("reward", "accuracy", "format")}


def test_targets_are_the_references() -> None:
    """Several are several accepted answers; without one the metadata may have it."""
    assert row_of(_state(""), ["75"])["answer"] == "75"
    assert row_of(_state(""), ["75", "76"])["answer"] == ["75", "76"]
    assert row_of(_state(""), [""])["answer"] == ""
    assert row_of(_state("", answer="81"), ["75"])["answer"] == "75"
    assert row_of(_state("", answer="81"), [""])["answer"] == "81"
    assert SampleScorer("ExactMatch").fields(_state("81", solution="81"), [""])["value"]["reward"] == 1.0
    given = SampleScorer("ExactMatch", {"answer": "gold"}).fields(_state("81", gold="81"), ["75"])
    assert given["value"]["reward"] == 1.0


def test_the_question_is_what_the_dataset_asks() -> None:
    assert row_of(_state("75", "50 + 25?"), [""])["prompt"] == "50 + 25?"
    asked = [_message("system", "be brief"), _message("user", "50 + 25?")]
    assert row_of(_state("75", asked), [""])["prompt"][-1] == {"role": "user", "content": "50 + 25?"}


def test_words_of_the_input_are_not_the_models() -> None:
    """Examples with answers, and messages that solvers put before the question."""
    asked = [
        _message("user", "1 + 1?", id="a"),
        _message("assistant", "2", id="b"),
        _message("user", "50 + 25?", id="c"),
    ]
    for source in ("input", None):
        for each in asked:
            each.source = source
        state = _state("75", asked)
        state.messages.insert(0, _message("system", "be brief"))
        assert model_messages(state) == [{"role": "assistant", "content": "75"}]
    assert model_messages(_state([], asked)) == [{"role": "assistant", "content": ""}]


def test_the_conversation_keeps_tools_and_thinking() -> None:
    call = SimpleNamespace(id="1", function="add", arguments={"a": 50, "b": 25})
    thought = [
        SimpleNamespace(type="reasoning", reasoning="add them", redacted=False, summary=None),
        SimpleNamespace(type="reasoning", reasoning="xxx", redacted=True, summary=None),
        SimpleNamespace(type="text", text="75"),
    ]
    said = [
        _message("assistant", "", tool_calls=[call]),
        _message("tool", "75", tool_call_id="1", function="add"),
        _message("assistant", thought, "generate"),
    ]
    found = model_messages(_state(said))
    assert found == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "add", "arguments": {"a": 50, "b": 25}}}
            ],
        },
        {"role": "tool", "content": "75", "tool_call_id": "1", "name": "add"},
        {"role": "assistant", "content": "75", "reasoning_content": "add them"},
    ]
    split = split_completion(found)
    assert split is not None
    assert (split.response, split.thinking) == ("75", "add them")


def test_what_a_solver_puts_in_place_of_the_answer_is_judged() -> None:
    """As by inspect_ai's own scorers, which read `state.output`."""
    assert model_messages(_state("it is 74", output="75"))[-1] == {"role": "assistant", "content": "75"}
    assert model_messages(_state([], output="75")) == [{"role": "assistant", "content": "75"}]


def test_messages_are_offered_groups_are_not() -> None:
    counted = SampleScorer(verifier(lambda messages: len(messages) == 1)).fields(_state("75"), [""])
    assert counted["value"]["reward"] == 1.0
    for compared in (Rank(load_recipe("gsm8k_tags")), Rank(Pay(MathEquivalence()))):
        with pytest.raises(ConfigError, match=r"inspect_ai scores each epoch .* epochs reducer"):
            SampleScorer(compared)
    with pytest.raises(ConfigError, match="unit='characters'"):
        SampleScorer("dapo_math")


def test_schedules_are_read_at_their_end() -> None:
    scorer = SampleScorer(Linear(1.0, 0.25) * Pay(ExactMatch()))
    assert scorer.fields(_state("75"), ["75"])["value"]["reward"] == 0.25


def test_a_set_up_that_never_works_is_told_and_one_row_ends_nothing() -> None:
    """Columns that are missing in the first row, and in a later one."""
    with pytest.raises(ConfigError, match="gold"):
        SampleScorer("ExactMatch", {"answer": "gold"}).fields(_state("81"), [""])
    scorer = SampleScorer("ExactMatch", {"answer": "gold"})
    assert scorer.fields(_state("81", gold="81"), [""])["value"]["reward"] == 1.0
    assert scorer.fields(_state("81"), [""])["reason"] == "no_reward"
    differing = _state("81", solution="81", target="82")
    with pytest.raises(ConfigError, match="which both could hold the references"):
        SampleScorer("ExactMatch").fields(differing, [""])
    scorer = SampleScorer("ExactMatch")
    scorer.fields(_state("81"), ["81"])
    assert scorer.fields(differing, [""])["reason"] == "no_reward"


def test_samples_are_scored_in_many_threads() -> None:
    """As inspect_ai's event loop asks for them; each gets its own."""
    scorer = SampleScorer("gsm8k_tags")
    rows = [(f"<THINK>a</THINK><SOLUTION>{number}</SOLUTION>", str(number % 7)) for number in range(60)]
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda row: scorer.fields(_state(row[0]), [row[1]]), rows))
    assert [each["value"]["accuracy"] for each in found] == [float(number < 7) for number in range(60)]


def test_values_stay_within_what_others_compute_with() -> None:
    rows = EvaluatedRows(1e30 * Pay(ExactMatch()), HOST)
    assert rows.values(rows.pay("75", {"answer": "75"}))["reward"] == 1e6


def test_the_evaluator_is_not_imported_before_it_is_asked_for() -> None:
    """And its lack is told by the import itself."""
    assert "inspect_ai" not in sys.modules
    with pytest.raises(ConfigError, match="no preset or verifier"):
        SampleScorer("gsm8k_tag")
    with pytest.raises(ModuleNotFoundError, match="inspect_ai"):
        recipe("gsm8k_tags")
