"""From what trainers send to rows: the model's words and nothing else, and every column that a recipe reads."""

from __future__ import annotations

from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.serve.handlers import gym_row, openrlhf_rows, reply_of, slime_row, verl_row, without_tokens
from adapters.serve.load_limits import ServeError
from adapters.serve.recipes import Recipes, Served
from adapters.serve.request_formats import HOSTS, OpenRLHFRequest, SlimeRequest, VerifyRequest, VerlRequest
from verifiers import ConfigError

TEXT = st.text(max_size=60)
TOKENS = st.sampled_from(["", "</s>", "<|im_end|>", "<|eot_id|>", "<eos>", "<|im_end|>\n<|endoftext|>"])
BEFORE = st.sampled_from(["", "<s>", "<|begin_of_text|>", "<bos>", "<|startoftext|><|im_start|>"])


def _letters(text: str) -> str:
    return "".join(text.split())


@pytest.fixture(scope="module")
def recipes() -> Recipes:
    return Recipes(["gsm8k_tags", "second=TokenF1"], HOSTS)


@given(BEFORE, TEXT, TEXT, TOKENS)
def test_a_reply_is_what_stands_behind_its_prompt(before: str, prompt: str, reply: str, after: str) -> None:
    """Special tokens at both ends are nobody's words."""
    found = reply_of(before + prompt + reply + after, prompt, "query[0]")
    if prompt and not prompt.startswith("<"):
        assert found == without_tokens(reply + after)
    assert without_tokens(found) == found


@given(TEXT, st.text(min_size=1, max_size=30))
def test_a_prompt_that_is_not_found_is_never_paid_as_a_reply(query: str, prompt: str) -> None:
    """It may hold an answer of its own."""
    # White space and how letters are composed may differ; nothing else.
    begun = [each for each in (_letters(prompt), _letters(normalize("NFC", prompt))) if each]
    words = next((each for each in begun if _letters(query).startswith(each)), None)
    if words is not None or query.startswith(prompt):
        reply = reply_of(query, prompt, "query[3]")
        assert _letters(query).removeprefix(words or "").startswith(_letters(reply))
        return
    with pytest.raises(ServeError, match=r"query\[3\] does not begin with its prompt") as caught:
        reply_of(query, prompt, "query[3]")
    assert caught.value.status == 422


@given(TEXT)
def test_a_text_without_special_tokens_stays(text: str) -> None:
    """And taking them off twice is taking them off once."""
    once = without_tokens(text)
    assert text.startswith(once)
    assert without_tokens(once) == once
    if "<" not in text and "[" not in text:
        assert once == text


def test_each_format_gives_the_columns_that_recipes_read(recipes: Recipes) -> None:
    served = recipes.default
    assert openrlhf_rows(OpenRLHFRequest(query=["qa</s>"], prompts=["q"], labels=["4"]), served) == [
        {"answer": "4", "completion": "a", "prompt": "q"}
    ]
    assert openrlhf_rows(OpenRLHFRequest(query=[], prompts=[], labels=[]), served) == []
    with pytest.raises(ServeError, match="1, 2 and 1 items"):
        openrlhf_rows(OpenRLHFRequest(query=["q"], prompts=["q", "r"], labels=["4"]), served)
    assert slime_row(SlimeRequest(prompt="q", response="a<|im_end|>", label="4"), served) == {
        "answer": "4", "completion": "a", "prompt": "q",
    }  # fmt: skip
    verl = VerlRequest(
        data_source="d", solution_str="a", ground_truth="4", extra_info={"index": 3, "answer": "no"}
    )
    assert verl_row(verl, served) == {"index": 3, "answer": "4", "completion": "a", "data_source": "d"}


def test_a_label_may_be_several_columns(tmp_path: Any) -> None:
    """Where the recipe reads several; else an object is the reference itself."""
    recipe = tmp_path / "two.yaml"
    recipe.write_text(
        "reward: {sum: [{pay: ExactMatch, name: a}, {pay: TokenF1, reference: gold, name: b}]}",
        encoding="utf-8",
    )
    served = Recipes([str(recipe)], HOSTS).default
    label = {"answer": "4", "gold": "four"}
    row = slime_row(SlimeRequest(response="4", label=label), served)
    assert served.checked([row]) == [{"answer": "4", "gold": "four", "completion": "4"}]
    with pytest.raises(ServeError, match=r"rows\[0\] has no 'gold'"):
        served.checked([slime_row(SlimeRequest(response="4", label="4"), served)])
    plain = Recipes(["ExactMatch"], HOSTS).default
    assert slime_row(SlimeRequest(response="4", label=label), plain)["answer"] == label


GYM: list[tuple[Any, str]] = [
    ([{"type": "message", "content": [{"type": "output_text", "text": "4"}]}], "4"),
    ([{"type": "reasoning", "summary": []}, {"type": "message", "content": "4<|im_end|>"}], "4"),
    (
        [
            {"type": "message", "content": "first"},
            {"type": "function_call"},
            {"type": "message", "content": "4"},
        ],
        "4",
    ),
    ([{"type": "function_call", "name": "f"}], ""),
    ([], ""),
]


@pytest.mark.parametrize(("output", "said"), GYM)
def test_what_the_assistant_said_last_is_judged(output: Any, said: str) -> None:
    """Among the items of a response; the input is the prompt."""
    request = VerifyRequest.model_validate(
        {"responses_create_params": {"input": "q"}, "response": {"output": output}, "expected_answer": "4"}
    )
    assert gym_row(request) == {"expected_answer": "4", "answer": "4", "prompt": "q", "completion": said}


def test_a_response_without_items_is_refused() -> None:
    with pytest.raises(ServeError, match="Responses API"):
        gym_row(VerifyRequest(response={"choices": []}))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("text", "is not an object"),
        ({"answer": "4"}, "has no 'completion'"),
        ({"completion": "4"}, "has no 'answer'"),
        ({"completion": "4", "anwser": "4"}, "did you mean 'anwser'"),
        ({"completion": 4, "answer": "4"}, "neither text nor chat messages but int"),
        ({"completion": "4", "solution": "4", "target": "5"}, "solution"),
    ],
)
def test_rows_that_cannot_be_judged_are_named(recipes: Recipes, row: Any, message: str) -> None:
    good = {"completion": "4", "answer": "4"}
    with pytest.raises(ServeError, match=r"rows\[1\]") as caught:
        recipes.default.checked([good, row])
    assert caught.value.status == 422
    assert message in caught.value.message


def test_a_reference_may_have_another_name(recipes: Recipes) -> None:
    [row] = recipes.default.checked([{"completion": "4", "solution": "5"}])
    assert row["answer"] == "5"


def test_recipes_are_found_by_name_and_format(recipes: Recipes, tmp_path: Any) -> None:
    """The first is for those who name none; what a format cannot carry is refused there, and at the start if none can."""
    assert recipes.find(None, "/slime").name == "gsm8k_tags"
    assert recipes.find("second", "/slime").name == "second"
    with pytest.raises(ServeError, match="gsm8k_tags, second") as caught:
        recipes.find("third", "/slime")
    assert caught.value.status == 404
    groups = tmp_path / "groups.yaml"
    groups.write_text("reward: {sum: [ExactMatch, DuplicatePenalty]}", encoding="utf-8")
    compared = Recipes([str(groups)], HOSTS)
    assert compared.find(None, "/score").whole
    for name in ("/slime", "/openrlhf", "/verl", "/verify"):
        with pytest.raises(ServeError, match="/score"):
            compared.find(None, name)
    with pytest.raises(ConfigError, match="cannot be served"):
        Recipes([str(groups)], [host for host in HOSTS if host.name != "/score"])
    for asked, message in (
        ([], "needs a recipe"),
        (["gsm8k_tags", "x=gsm8k_tags", "x=TokenF1"], "two recipes are called 'x'"),
        (["a/b=gsm8k_tags"], "NAME=RECIPE"),
        (["gsm9k_tags"], "gsm8k_tags"),
    ):
        with pytest.raises(ConfigError, match=message):
            Recipes(asked, HOSTS)


def test_schedules_want_to_know_how_far_training_is(tmp_path: Any) -> None:
    """`/score` has a place for it; for the others the server is told."""
    scheduled = tmp_path / "moving.yaml"
    scheduled.write_text(
        "reward: {sum: [{pay: ExactMatch, weight: {Linear: {start: 1.0, end: 0.0}}}, TokenF1]}",
        encoding="utf-8",
    )
    recipes = Recipes([str(scheduled)], HOSTS)
    assert recipes.find(None, "/score").name == "moving"
    with pytest.raises(ServeError, match="progress"):
        recipes.find(None, "/slime")
    assert Recipes([str(scheduled)], HOSTS, 0.5).find(None, "/slime").scorer.progress == 0.5


def test_a_recipe_goes_to_workers_at_its_progress(recipes: Recipes) -> None:
    served: Served = recipes.default
    assert served.pickled(1.0) is served.pickled(1.0)
    assert served.pickled(0.5) != served.pickled(1.0)
