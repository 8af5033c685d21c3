"""The values of lighteval's documents, called as it calls them; lighteval itself is not needed."""

from __future__ import annotations

import math
import pickle
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.hosts.evaluators.lighteval import DocumentValues, over_scored, recipe_metric
from adapters.hosts.unscored import UnscoredError
from rewards import Pay, Rank, load_recipe
from tests.hosts.common import EXPLODES, HOSTILE, RIGHT, WRONG, unbroken
from verifiers import ConfigError, ExactMatch, TagFormat, verifier


def _doc(*golds: str, query: str = "50 + 25?", original: str | None = None, **specific: Any) -> Any:
    return SimpleNamespace(
        query=query, original_query=original, choices=list(golds), specific=specific or None,
        get_golds=lambda: list(golds),
    )  # fmt: skip


def _response(*texts: str, tokens: Any = (), reasonings: Any = ()) -> Any:
    return SimpleNamespace(text=list(texts), output_tokens=list(tokens), reasonings=list(reasonings))


def test_a_document_has_the_total_every_part_and_the_shares() -> None:
    values = DocumentValues("gsm8k_tags")
    assert values(_doc("75"), _response(RIGHT)) == {
        "reward": 1.5, "accuracy": 1.0, "format": 1.0, "unscored": 0.0, "fault": 0.0
    }  # fmt: skip
    assert values(_doc("75"), _response(HOSTILE))["accuracy"] == 0.0


def test_a_document_without_a_reward_is_nan() -> None:
    found = DocumentValues("gsm8k_tags")(_doc(""), _response(RIGHT))
    assert (found["unscored"], found["fault"]) == (1.0, 0.0)
    assert all(math.isnan(found[name]) for name in ("reward", "accuracy", "format"))
    zero = DocumentValues("gsm8k_tags", unscored="zero")(_doc(""), _response(RIGHT))
    assert (zero["reward"], zero["unscored"]) == (0.0, 1.0)
    with pytest.raises(UnscoredError, match="bad_reference"):
        DocumentValues("gsm8k_tags", unscored="raise")(_doc(""), _response(RIGHT))


def test_samples_are_paid_one_by_one() -> None:
    found = DocumentValues("gsm8k_tags")(_doc("75"), _response(RIGHT, WRONG))
    assert (found["reward"], found["accuracy"]) == (1.0, 0.5)
    none = DocumentValues("gsm8k_tags")(_doc("75"), _response())
    assert math.isnan(none["reward"])
    assert none["unscored"] == 0.0


def test_golds_are_the_references() -> None:
    """Several are several accepted answers; without one `specific` may hold it."""
    values = DocumentValues("ExactMatch")
    assert values(_doc("75", "81"), _response("81"))["reward"] == 1.0
    assert values(_doc("75", solution="81"), _response("81"))["reward"] == 0.0
    assert values(_doc(solution="81"), _response("81"))["reward"] == 1.0
    named = DocumentValues("ExactMatch", {"answer": "gold"})
    assert named(_doc("75", gold="81"), _response("81"))["reward"] == 1.0


def test_the_question_is_as_the_data_have_it() -> None:
    """Before a prompt was made of it, where lighteval kept that."""
    asked = DocumentValues(Pay(ExactMatch(), reference="prompt"))
    assert asked(_doc("", query="75"), _response("75"))["reward"] == 1.0
    assert asked(_doc("", query="Q: 75 A:", original="75"), _response("75"))["reward"] == 1.0


def test_thinking_and_tokens_come_with_the_text() -> None:
    """Formats are judged with the thinking, in the text or apart from it."""
    formatted = DocumentValues(TagFormat(("think",)))
    assert formatted(_doc("75"), _response("<think>a</think>"))["reward"] == 1.0
    assert formatted(_doc("75"), _response("", reasonings=["a"]))["reward"] == 1.0
    dapo = DocumentValues("dapo_math")
    assert dapo(_doc("75"), _response("Answer: 75", tokens=[[1, 2, 3]]))["reward"] == 1.0
    with pytest.raises(ConfigError, match="completion_tokens"):
        DocumentValues("dapo_math")(_doc("75"), _response("Answer: 75"))


def test_a_verifier_that_breaks_costs_its_sample() -> None:
    found = DocumentValues(unbroken)(_doc(""), _response(EXPLODES, "fine"))
    assert (found["reward"], found["unscored"], found["fault"]) == (1.0, 0.5, 0.5)


def test_groups_and_conversations_are_refused() -> None:
    with pytest.raises(ConfigError, match="lighteval's samples of a document are judged one by one"):
        DocumentValues(Rank(load_recipe("gsm8k_tags")))
    with pytest.raises(ConfigError, match="the text of a completion"):
        DocumentValues(verifier(lambda messages: True))


@given(st.lists(st.one_of(st.just(math.nan), st.floats(-10, 10))))
def test_a_mean_is_of_what_is_there(values: list[float]) -> None:
    known = [value for value in values if not math.isnan(value)]
    assert over_scored(values) == pytest.approx(sum(known) / len(known) if known else math.nan, nan_ok=True)


def test_lighteval_takes_the_mean_for_one_that_it_must_draw() -> None:
    """Whatever has "mean" in its name would get an error by a formula that makes NaN of NaN."""
    assert "mean" not in over_scored.__name__
    assert pickle.loads(pickle.dumps(over_scored)) is over_scored


def test_the_evaluator_is_not_imported_before_it_is_asked_for() -> None:
    with pytest.raises(ModuleNotFoundError, match="lighteval"):
        recipe_metric("gsm8k_tags")
