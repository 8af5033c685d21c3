"""Rewards, verifiers and numbers combine freely, and nothing unjudged is paid as wrong."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.trl import trl_reward_funcs
from rewards import (
    Batch,
    First,
    Max,
    Min,
    Number,
    Pay,
    Product,
    Reward,
    Route,
    Sum,
    from_callable,
    from_trl,
    to_recipe,
)  # fmt: skip
from rewards.recipe.build import build, build_recipe
from rewards.recipe.schema import recipe_schema
from tests.rewards.tree import own_rewards
from verifiers import ConfigError, ExactMatch, Judge, Keywords, Length, MathEquivalence, Verifier, verifier

RIGHT, SHORT = ExactMatch(), Length(1, 1)
ROWS = ["4", "44", "5"]
GOLD = {"answer": ["4", "44", "4"]}


@verifier
def breaks(response: str) -> bool:
    """A checker with a defect."""
    raise RuntimeError("broken")


@pytest.mark.parametrize("left", [RIGHT, Pay(RIGHT)], ids=["verifier", "reward"])
@pytest.mark.parametrize("right", [SHORT, Pay(SHORT), 2, 0.5, 0], ids=repr)
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("how", [operator.add, operator.sub, operator.mul], ids=lambda how: how.__name__)
def test_what_is_written_is_what_is_paid(
    left: Any, right: Any, swapped: bool, how: Callable[..., Any]
) -> None:
    values = {True: [1.0, 1.0, 0.0], False: [1.0, 0.0, 1.0]}
    ours = values[True]
    theirs = [float(right)] * 3 if isinstance(right, int | float) else values[False]
    made = how(right, left) if swapped else how(left, right)
    pairs = zip(theirs, ours, strict=True) if swapped else zip(ours, theirs, strict=True)
    assert isinstance(made, Reward)
    assert (made(ROWS, **GOLD), build(made.to_spec())) == ([how(*pair) for pair in pairs], made)


def test_sums_quotients_and_signs() -> None:
    assert sum([RIGHT, SHORT]) == Pay(RIGHT) + Pay(SHORT) == Sum((Pay(RIGHT), Pay(SHORT)))
    assert sum([Pay(RIGHT), SHORT, 1])(ROWS, **GOLD) == [3.0, 2.0, 2.0]
    assert (RIGHT / 4)(ROWS, **GOLD) == (Pay(RIGHT) / 4)(ROWS, **GOLD) == [0.25, 0.25, 0.0]
    assert (-RIGHT)(ROWS, **GOLD) == [-1.0, -1.0, 0.0]
    assert (RIGHT * SHORT * 0.5)(ROWS, **GOLD) == [0.5, 0.0, 0.0]
    for other in (None, "x", True, [1]):
        for how in (operator.add, operator.sub, operator.mul, operator.truediv):
            with pytest.raises(TypeError):
                how(Pay(RIGHT), other)
            with pytest.raises(TypeError):
                how(other, RIGHT)
    with pytest.raises(ConfigError, match="divided by 0"):
        RIGHT / 0


def test_products_are_flat_however_they_are_bracketed() -> None:
    """One node with all factors, and so one identity."""
    one, two, three = Pay(ExactMatch()), Pay(Length(maximum=9)), Pay(Keywords(("a",)))
    left, right = one * two * three, one * (two * three)
    assert left == right
    assert len(left.rewards) == 3  # type: ignore[attr-defined]
    assert len((one * (two + three)).rewards) == 2  # type: ignore[attr-defined]


def test_largest_smallest_and_product() -> None:
    """Given one by one or as a list; their names tell them apart."""
    assert Max(RIGHT, 0.5 * SHORT, 0.25)(ROWS, **GOLD) == [1.0, 1.0, 0.5]
    assert Min([RIGHT, SHORT])(ROWS, **GOLD) == [1.0, 0.0, 0.0]
    assert Product(RIGHT, SHORT) == Pay(RIGHT) * SHORT == Product(rewards=[RIGHT, SHORT])
    assert Max(RIGHT, SHORT) != Min(RIGHT, SHORT) != Max(SHORT, RIGHT)
    assert Max(RIGHT, SHORT).describe() == 'Max(ExactMatch, Length({"maximum":1}))'
    assert Max(RIGHT, SHORT).named("best").explain("4", answer="4").values() == {
        "best": 1.0, "ExactMatch": 1.0, "Length": 1.0,
    }  # fmt: skip


@pytest.mark.parametrize("kind", [Product, Max, Min])
def test_what_cannot_be_judged_is_never_paid(kind: Any) -> None:
    """Not even by a factor of 0, or by a larger value beside it; an optional part is left out."""
    assert (kind(MathEquivalence(), 0)(["4"], answer=[""]), kind(0, Judge())(["4"])) == ([None], [None])
    assert (kind(1, Pay(Judge()).optional())(["4"]), kind(Pay(Judge()).optional())(["4"])) == ([1.0], [None])
    assert (kind(1, breaks)(["4"]), kind(1, Pay(breaks).optional())(["4"])) == ([None], [None])


def test_the_first_that_can_be_judged() -> None:
    """What comes after it is not asked, and what breaks is not passed over."""
    asked: list[str] = []

    @verifier
    def fallback(response: str) -> float:
        asked.append(response)
        return 0.25

    first = First(MathEquivalence(), fallback)
    assert (first(["4", "5", "6"], answer=["4", "", "4"]), asked) == ([1.0, 0.25, 0.0], ["5"])
    assert (First(breaks, 1)(["4"]), First(Judge(), Judge())(["4"])) == ([None], [None])
    assert [name for name, _ in first.reference_classes({"answer": "4"})] == ["MathEquivalence"]
    assert list(first.reference_classes({"answer": ""})) == []


@pytest.mark.parametrize(
    "make",
    [
        lambda: Max(), lambda: Max("x"), lambda: Product(RIGHT, None),
        lambda: Min(RIGHT, ExactMatch(ignore_case=True)), lambda: Number(float("inf")),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ConfigError):
        make()


def test_recipes_and_the_schema_have_them() -> None:
    first = [{"product": ["ExactMatch", 0.5]}, {"max": [{"min": ["TokenF1", 1]}, 0]}]
    recipe = {"reward": {"first": first, "weight": 2}}
    reward, _ = build_recipe(recipe)
    assert reward == 2 * First(RIGHT * Number(0.5), Max(Min(build("TokenF1"), 1), 0))
    assert to_recipe(reward)["reward"] == {**recipe["reward"], "weight": 2.0}
    heads = recipe_schema()["$defs"]["reward"]["anyOf"][-1]["properties"]
    assert {"product", "max", "min", "first", "sum"} <= set(heads)
    with pytest.raises(ConfigError, match="a number stands beside others"):
        build_recipe({"reward": 1})
    with pytest.raises(ConfigError, match="'reference' goes with a verifier, not with 'max'"):
        build({"max": ["ExactMatch"], "reference": "gold"})


def test_a_trainers_reward_function_is_a_reward() -> None:
    """Of any range, with what it names of the rows, or with all columns."""
    reward = from_trl(own_rewards.length)
    assert reward(ROWS) == [-1.0, -2.0, -1.0]
    assert (RIGHT + 0.1 * reward)(ROWS, **GOLD) == pytest.approx([0.9, 0.8, -0.1])
    assert from_trl(own_rewards.by_task)(ROWS, prompts=["p"] * 3, task=[1, 2, None]) == [1.0, 2.0, None]
    chat = [[{"role": "assistant", "content": "four"}]]
    assert from_trl(own_rewards.of_messages)(chat) == [4.0]
    assert First(Judge(), from_trl(own_rewards.of_messages))(chat) == [4.0], "as it came, after another node"
    assert (reward.part_names(), build(reward.to_spec())) == (["length"], reward)
    assert build({"TrlFunction": "tests.rewards.tree.own_rewards:length", "weight": 2}) == 2 * reward
    with pytest.raises(ConfigError, match="is not a function"):
        build({"TrlFunction": "tests.rewards.tree.own_rewards:NOTHING"})


LOGGED: list[tuple[str, Any]] = []
BATCH: dict[str, Any] = {
    "trainer_state": SimpleNamespace(global_step=3, max_steps=12),
    "log_extra": lambda column, values: LOGGED.append((column, list(values))),
    "log_metric": lambda name, value: LOGGED.append((name, value)),
    "environments": ["e1", "e2", "e3"],
    "something_new": {"of": "a later version"},
}


def test_what_a_trainer_passes_is_handed_through() -> None:
    """Its state, its ways to log, environments, and what a later version may pass."""
    seen: list[dict[str, Any]] = []

    def named(
        completions: list[str], trainer_state: Any, log_extra: Any, log_metric: Any, **rest: Any
    ) -> list[float]:
        log_extra("words", [len(each) for each in completions])
        log_metric("step", trainer_state.global_step)
        seen.append(rest)
        return [float(trainer_state.global_step)] * len(completions)

    LOGGED.clear()
    assert from_trl(named)(ROWS, prompts=["p"] * 3, **BATCH) == [3.0] * 3
    assert LOGGED == [("step", 3), ("words", [1, 2, 1])]
    assert (seen[0]["environments"], seen[0]["something_new"]) == (["e1", "e2", "e3"], BATCH["something_new"])
    LOGGED.clear()
    reward = RIGHT + from_trl(named)
    functions = trl_reward_funcs(reward)
    for _ in range(2):
        assert functions[0](completions=ROWS, prompts=["p"] * 3, **GOLD, **BATCH) == [4.0, 4.0, 3.0]
        assert functions[-1](completions=ROWS, prompts=["p"] * 3, **GOLD, **BATCH) == [3.0] * 3
    own = [each for each in LOGGED if not each[0].startswith("reward")]
    assert own == [("step", 3), ("words", [1, 2, 1])]


def test_some_rows_log_one_column_of_the_whole_batch() -> None:
    """A trainer adds what it is given to a table that has a row for each completion."""

    def named(completions: list[str], environments: list[str], log_extra: Any) -> list[float]:
        log_extra("places", environments)
        return [1.0] * len(completions)

    LOGGED.clear()
    own = from_trl(named)
    tasks = {"task": ["a", "b", "a"]}
    routed = Route("task", {"a": own, "b": 2 * own})
    assert (routed(ROWS, **tasks, **BATCH), LOGGED) == ([1.0, 2.0, 1.0], [("places", ["e1", "e2", "e3"])])
    LOGGED.clear()
    [function] = trl_reward_funcs(Route("task", {"a": own}, RIGHT).named("total"))[:1]
    assert function(completions=ROWS, prompts=["p"] * 3, **tasks, **GOLD, **BATCH) == [1.0, 1.0, 1.0]
    assert ("places", ["e1", None, "e3"]) in LOGGED

    def wrong(completions: list[str], log_extra: Any) -> list[float]:
        log_extra("places", ["e1"])
        return [1.0] * len(completions)

    payments = Batch(ROWS).pay(from_trl(wrong))
    assert [payment.value for payment in payments] == [1.0] * 3, "nothing is logged without a trainer"
    assert from_trl(wrong)(ROWS, **BATCH) == [None] * 3


def test_outside_a_trainer_there_is_no_state_and_logging_does_nothing() -> None:
    """Files are scored by the same functions."""

    def needs(completions: list[str], trainer_state: Any, log_extra: Any, log_metric: Any) -> list[float]:
        assert trainer_state is None
        log_extra("x", [1] * len(completions))
        log_metric("y", 1.0)
        return [1.0] * len(completions)

    def asks(completions: list[str], trainer_state: Any = "none", **rest: Any) -> list[float]:
        assert trainer_state == "none"
        assert not {"log_extra", "log_metric"} & set(rest)
        return [1.0] * len(completions)

    assert from_trl(needs)(ROWS) == from_trl(asks)(ROWS) == [1.0] * 3


def test_a_column_that_is_not_there_is_asked_for() -> None:
    """As by a verifier; what only trainers have is not asked of data."""
    with pytest.raises(ConfigError, match="by_task needs a column 'task'; did you mean 'tasks'"):
        from_trl(own_rewards.by_task)(ROWS, tasks=[1, 2, 3])

    def of_ids(
        completions: list[str], completion_ids: list[list[int]], environments: list[Any]
    ) -> list[float]:
        return [float(len(each)) for each in completion_ids]

    reward = from_trl(of_ids)
    assert list(reward.columns()) == []
    assert reward(ROWS, completion_ids=[[1], [1, 2], []], environments=[None] * 3) == [1.0, 2.0, 0.0]
    with pytest.raises(ConfigError, match="of_ids needs a column 'environments'"):
        reward(ROWS, completion_ids=[[1], [1, 2], []])


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (own_rewards.too_few, "too_few returned 1 values for 3 completions"),
        (own_rewards.nothing, "nothing returned None for 3 completions"),
        (own_rewards.texts, "texts returned '1', which is no finite number; completions[0]"),
        (own_rewards.infinite, "infinite returned inf, which is no finite number; completions[0]"),
        (own_rewards.raising, "KeyError: 'missing', at "),
    ],
)
def test_a_function_that_breaks_masks_and_says_why(function: Callable[..., Any], said: str) -> None:
    payments = Batch(ROWS).pay(from_trl(function))
    assert [payment.value for payment in payments] == [None] * 3
    assert said in payments[0].verdicts[0].detail


def test_a_function_of_one_completion_is_a_reward() -> None:
    """Of any range; None masks the row, and what raises is a fault of that row alone."""
    longer = from_callable(lambda response, reference: len(reference) - 3 * len(response))
    assert longer(ROWS, **GOLD) == [-2, -4, -2]

    @from_callable
    def ratio(response: str, weight: float = 1.0) -> float | None:
        return None if response == "5" else weight / (int(response) - 4)

    assert ratio(ROWS, weight=[2.0] * 3) == [None, 0.05, None]
    assert ratio.explain("4").verdicts[0].detail.startswith("ZeroDivisionError")
    with pytest.raises(ConfigError, match=r"@?from_callable\(version=\"1\"\)"):
        from_callable(own_rewards.asks_a_service)
    assert from_callable(version="1")(own_rewards.asks_a_service).name == "asks_a_service"


def test_verifiers_need_no_import_of_rewards_to_be_paid() -> None:
    """The operator finds what makes one."""
    made: Any = 0.5 * RIGHT
    assert made == Pay(RIGHT) * 0.5
    assert isinstance(RIGHT, Verifier)


def _compared(response: str, reference: str) -> float:
    return float(response == reference)


def _perhaps(response: str, reference: str | None = None) -> float:
    return float(response == reference)


def _length(response: str) -> float:
    return float(len(response))


def test_a_function_needs_a_reference_only_where_it_cannot_do_without() -> None:
    """One that has a default for it reads it, and is called where there is none."""
    asked = [
        (list(reward.needs()), list(reward.reads()))
        for reward in map(from_callable, (_compared, _perhaps, _length))
    ]
    assert asked == [(["answer"], ["answer"]), ([], ["answer"]), ([], [])]
