"""The reward tree."""

from __future__ import annotations

import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewards import Batch, Pay, Reward, Scale, Sum, load_recipe
from verifiers import ConfigError, ExactMatch, Keywords, Length, MathEquivalence, Status, TagFormat

LEAVES = st.sampled_from([Pay(ExactMatch()), Pay(Keywords(("a",))), Pay(Length()), Pay(TagFormat())])
REWARDS: st.SearchStrategy[Reward] = st.recursive(
    LEAVES,
    lambda inner: (
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1])
        | st.tuples(st.floats(-3, 3), inner).map(lambda pair: pair[0] * pair[1])
    ),
    max_leaves=5,
)
COMPLETIONS = st.lists(st.sampled_from(["a", "b", "<think>a</think><answer>b</answer>", ""]), max_size=5)


@settings(deadline=None)
@given(REWARDS, REWARDS, COMPLETIONS)
def test_sums_commute_and_weights_distribute(one: Reward, other: Reward, completions: list[str]) -> None:
    """As arithmetic does."""
    answer = ["a"] * len(completions)
    assert (one + other)(completions, answer=answer) == pytest.approx(
        (other + one)(completions, answer=answer)
    )
    assert (2 * (one + other))(completions, answer=answer) == pytest.approx(
        (2 * one + 2 * other)(completions, answer=answer)
    )


@settings(deadline=None)
@given(REWARDS, COMPLETIONS)
def test_order_and_length_are_kept(reward: Reward, completions: list[str]) -> None:
    """One value per completion, the same one as when it is alone."""
    answer = ["a"] * len(completions)
    values = reward(completions, answer=answer)
    assert values == [reward.explain(each, answer="a").value for each in completions]


@given(REWARDS)
def test_a_reward_is_a_value(reward: Reward) -> None:
    """It pickles, compares, and its signature does not depend on the object."""
    copy = pickle.loads(pickle.dumps(reward))
    assert copy == reward
    assert copy.signature() == reward.signature()


def test_none_is_never_summed_as_zero() -> None:
    """An accuracy that cannot be judged would otherwise be paid as a wrong one."""
    reward = Pay(MathEquivalence()) + 0.5 * Pay(TagFormat())
    completion = "<think>a</think><answer>4</answer>"
    assert reward([completion, completion], answer=["4", ""]) == [1.5, None]
    payment = reward.explain(completion, answer="")
    assert payment.status is Status.UNSCORED
    assert [part.value for part in payment.parts] == [None, 0.5]


def test_columns_of_another_length_are_left_out_and_a_missing_one_is_named() -> None:
    """Trainers pass their own things besides the columns."""
    reward = Pay(ExactMatch())
    assert reward(["a"], answer=["a"], trainer_state={"step": 1}, prompts=["q", "r"]) == [1.0]
    with pytest.raises(
        ConfigError, match="needs the references in a column 'answer'; did you mean 'answers'"
    ):
        reward(["a"], answers=["a"])
    with pytest.raises(ConfigError, match="column 'answer' has 2 rows where completions has 1"):
        Batch(["a"], {"answer": ["a", "b"]})


@pytest.mark.parametrize("weight", [math.nan, math.inf])
def test_a_weight_is_finite(weight: float) -> None:
    """Nothing else may reach an optimiser."""
    with pytest.raises(ConfigError, match="a weight must be a finite number"):
        weight * Pay(ExactMatch())


def test_overflow_pays_nothing() -> None:
    """Rather than infinity."""
    huge = 1.5e308 * Pay(Length())
    assert (huge + huge)(["x"]) == [None]


@pytest.mark.parametrize("thing", ["2", None, True, 1 + 2j])
def test_only_numbers_are_weights(thing: object) -> None:
    """And only rewards are summed."""
    with pytest.raises(TypeError):
        thing * Pay(ExactMatch())  # type: ignore[operator]
    with pytest.raises(TypeError):
        Pay(ExactMatch()) + thing  # type: ignore[operator]
    with pytest.raises(ConfigError, match="Pay takes a verifier"):
        Pay(thing)  # type: ignore[arg-type]


def test_a_tree_describes_itself() -> None:
    """On one line, with what differs from the defaults."""
    reward = Pay(MathEquivalence(), reference="gold") + 0.5 * (Pay(TagFormat(("A", "B"))) + Pay(Length()))
    assert reward.describe() == 'MathEquivalence@gold + 0.5*(TagFormat(["A","B"]) + Length)'
    assert reward.signature().split("|")[1].startswith("reward-verifiers:")
    assert isinstance(reward, Sum)
    assert isinstance(reward.terms[1], Scale)


def test_an_empty_sum_is_refused() -> None:
    """It would pay everybody nothing."""
    with pytest.raises(ConfigError, match="at least one term"):
        Sum(())


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".yaml", "reward: {MathEquivalence: {extract: {Tag: SOLUTION}}}"),
        (".toml", '[reward.MathEquivalence]\nextract = {Tag = "SOLUTION"}'),
        (".json", '{"reward": {"MathEquivalence": {"extract": {"Tag": "SOLUTION"}}}}'),
    ],
)
def test_a_recipe_file_is_a_reward(tmp_path, suffix: str, text: str) -> None:  # type: ignore[no-untyped-def]
    """In YAML, TOML or JSON."""
    file = tmp_path / f"recipe{suffix}"
    file.write_text(text)
    from verifiers import Tag

    assert load_recipe(str(file)) == Pay(MathEquivalence(extract=Tag("SOLUTION")))


def test_a_recipe_can_weigh_and_sum(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """As the operators do."""
    file = tmp_path / "recipe.yaml"
    file.write_text(
        "reward:\n  sum:\n  - {pay: MathEquivalence, reference: gold}\n"
        "  - {pay: {TagFormat: [A, B]}, weight: 0.5}\n"
    )
    expected = Pay(MathEquivalence(), reference="gold") + 0.5 * Pay(TagFormat(("A", "B")))
    assert load_recipe(str(file)) == expected


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("r.yaml", "rewards: ExactMatch", "unknown key 'rewards'; did you mean 'reward'"),
        ("r.yaml", "reward: ExactMtach", "did you mean 'ExactMatch'"),
        (
            "r.yaml",
            "reward: {ExactMatch: {ignore_cse: true}}",
            "has no field 'ignore_cse'; did you mean 'ignore_case'",
        ),
        (
            "r.yaml",
            "reward: {pay: ExactMatch, wieght: 2}",
            "unknown key 'wieght' next to 'pay'; did you mean 'weight'",
        ),
        ("r.yaml", "reward: {pay: ExactMatch, weight: heavy}", "weight must be a number or a schedule"),
        ("r.yaml", "reward: {sum: []}", "r.yaml:1: reward.sum: list should have at least 1 item"),
        ("r.yaml", "reward: [", "is not YAML"),
        ("r.toml", "reward = ", "is not TOML"),
        ("r.json", "{", "is not JSON"),
        ("r.yaml", "just text", "a recipe is a mapping"),
        ("r.yaml", "{}", "the key 'reward' is missing"),
        ("r.yaml", "reward: {pay: ExactMatch, weight: " + "9" * 400 + "}", "weight is too large"),
        ("r.yaml", "reward: {FunctionVerifier: 5}", "an import path is written 'package.module:name', got 5"),
        ("r.yaml", "reward: {ExactMatch: {extract: null}}", "extract must be an Extractor, got None"),
        (
            "r.yaml",
            "reward: {ExactMatch: {extract: ExactMatch}}",
            "extract must be an Extractor, got ExactMatch()",
        ),
        (
            "r.yaml",
            "reward: {ExactMatch: {extract: [Boxed]}}",
            "extract must be an Extractor, got (Boxed(),)",
        ),
        ("r.yaml", "reward: {ExactMatch: {ignore_case: 3}}", "ignore_case must be True or False, got 3"),
        ("r.yaml", "reward: {TagFormat: [a, a]}", "tags must be distinct, got ('a', 'a')"),
    ],
)
def test_a_recipe_that_cannot_work_says_why(tmp_path, name: str, text: str, message: str) -> None:  # type: ignore[no-untyped-def]
    """And names the file."""
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ConfigError) as error:
        load_recipe(str(file))
    assert message in str(error.value)
    assert str(file) in str(error.value)


def test_an_unknown_recipe_offers_the_nearest_name() -> None:
    """Whether a name or a file was meant."""
    with pytest.raises(ConfigError, match=r"did you mean 'MathEquivalence'.*ends in .yaml"):
        load_recipe("mathequivalance")
    with pytest.raises(ConfigError, match="cannot read the recipe"):
        load_recipe("missing.yaml")
