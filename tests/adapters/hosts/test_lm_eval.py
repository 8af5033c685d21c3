"""``process_results`` and a filter for lm-eval, called as it calls them; lm-eval itself is not needed."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.hosts.evaluators import lm_eval
from adapters.hosts.evaluators.lm_eval import majority, majority_by, recipe_results
from adapters.hosts.unscored import UnscoredError
from rewards import Pay, Rank, load_recipe
from tests.hosts.common import EXPLODES, HOSTILE, RIGHT, WRONG, unbroken
from verifiers import ConfigError, ExactMatch, MultipleChoice, verifier


def test_a_document_has_the_total_every_part_and_the_shares() -> None:
    results = recipe_results("gsm8k_tags")
    assert results({"question": "50 + 25?", "answer": "75"}, [RIGHT]) == {
        "reward": 1.5, "accuracy": 1.0, "format": 1.0, "unscored": 0.0, "fault": 0.0,
    }  # fmt: skip
    assert results({"answer": "75"}, [HOSTILE])["accuracy"] == 0.0
    assert results({"solution": "75"}, [RIGHT])["reward"] == 1.5


def test_a_document_without_a_reward_is_in_no_mean() -> None:
    """lm-eval's mean is over what documents have; the share is a metric of its own."""
    assert recipe_results("gsm8k_tags")({"answer": ""}, [RIGHT]) == {"unscored": 1.0, "fault": 0.0}
    zero = recipe_results("gsm8k_tags", unscored="zero")({"answer": ""}, [RIGHT])
    assert zero == {"reward": 0.0, "unscored": 1.0, "fault": 0.0}
    with pytest.raises(UnscoredError, match="bad_reference"):
        recipe_results("gsm8k_tags", unscored="raise")({"answer": ""}, [RIGHT])


def test_repeats_are_paid_one_by_one() -> None:
    """As the filters leave them: one text, or the texts of a document."""
    results = recipe_results("gsm8k_tags")
    doc = {"answer": "75"}
    for given in ([[RIGHT, WRONG]], [RIGHT, WRONG], [(RIGHT, WRONG)]):
        assert results(doc, given)["reward"] == (1.5 + 0.5) / 2
    assert results(doc, [[]]) == {"unscored": 0.0, "fault": 0.0}


def test_a_verifier_that_breaks_costs_its_document() -> None:
    results = recipe_results(unbroken)
    assert results({}, [EXPLODES]) == {"unscored": 1.0, "fault": 1.0}
    mixed = results({}, [[EXPLODES, "fine"]])
    assert (mixed["reward"], mixed["unscored"], mixed["fault"]) == (1.0, 0.5, 0.5)


@pytest.mark.parametrize(
    ("recipe", "cure"),
    [(Rank(load_recipe("gsm8k_tags")), "repeats of a document are judged one by one"),
     (Pay(ExactMatch(), reference="prompt"), r'columns=\{"prompt": "question"\}'),
     (verifier(lambda messages: True), "the text of a completion"),
     ("dapo_math", "unit='characters'")],
)  # fmt: skip
def test_what_lm_eval_lacks_is_refused_with_the_cure(recipe: Any, cure: str) -> None:
    with pytest.raises(ConfigError, match=cure):
        recipe_results(recipe)


def test_the_question_is_a_column_that_is_named() -> None:
    asked = recipe_results(Pay(ExactMatch(), reference="prompt"), columns={"prompt": "question"})
    assert asked({"question": "75"}, ["75"])["reward"] == 1.0


def test_documents_that_can_never_be_judged_end_the_run_at_the_first() -> None:
    """And a later one, only itself."""
    with pytest.raises(ConfigError, match="gold"):
        recipe_results("ExactMatch", columns={"answer": "gold"})({"answer": "75"}, ["75"])
    with pytest.raises(ConfigError, match="generate_until"):
        recipe_results("ExactMatch")({"answer": "75"}, [(-0.5, True)])
    results = recipe_results("ExactMatch", columns={"answer": "gold"})
    assert results({"gold": "75"}, ["75"])["reward"] == 1.0
    assert results({"answer": "75"}, ["75"]) == {"unscored": 1.0, "fault": 0.0}


def test_presets_and_verifiers_go_by_their_names() -> None:
    """As ``!function adapters.hosts.evaluators.lm_eval.NAME`` asks for them."""
    assert lm_eval.gsm8k_tags({"answer": "75"}, [RIGHT])["reward"] == 1.5
    assert lm_eval.gsm8k_tags is lm_eval.gsm8k_tags
    assert lm_eval.ExactMatch({"answer": "75"}, ["75"])["ExactMatch"] == 1.0
    with pytest.raises(AttributeError, match="no preset or verifier has that name"):
        _ = lm_eval.gsm8k_tag
    with pytest.raises(ConfigError, match="unit='characters'"):
        _ = lm_eval.dapo_math


def test_a_majority_is_of_answers_and_not_of_texts() -> None:
    resps = [["\\boxed{3}", "\\boxed{\\frac12}", "so \\boxed{0.5}"], ["hm", "ha"], ["7"]]
    assert majority(resps, [{}, {}, {}]) == [["\\boxed{\\frac12}"], ["hm"], ["7"]]
    assert majority(iter(resps), []) == majority(resps, [])
    letters = [["The answer is (B).", "A", "ANSWER: B"]]
    assert majority_by(MultipleChoice())(letters, [{}]) == [["The answer is (B)."]]
