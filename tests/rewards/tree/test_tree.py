"""The reward tree."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewards import (
    Affine,
    Batch,
    Clip,
    Constant,
    CosineLength,
    LengthTarget,
    Linear,
    Optional,
    Pay,
    Penalty,
    Reward,
    Scale,
    Steps,
    Sum,
    When,
)  # fmt: skip
from verifiers import (
    ConfigError,
    ExactMatch,
    Keywords,
    Length,
    MathEquivalence,
    MultipleChoice,
    Status,
    TagFormat,
    Verdict,
    Verifier,
)  # fmt: skip
from verifiers.core.verdicts import Sample

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
    for left, right in ((one + other, other + one), (2 * (one + other), 2 * one + 2 * other)):
        answer = ["a"] * len(completions)
        assert left(completions, answer=answer) == pytest.approx(right(completions, answer=answer))


def test_none_is_never_summed_as_zero() -> None:
    """An accuracy that cannot be judged would otherwise be paid as a wrong one."""
    reward = Pay(MathEquivalence()) + 0.5 * Pay(TagFormat())
    completion = "<think>a</think><answer>4</answer>"
    assert reward([completion, completion], answer=["4", ""]) == [1.5, None]
    payment = reward.explain(completion, answer="")
    assert payment.status is Status.UNSCORED
    assert [part.value for part in payment.parts] == [None, 0.5]


@pytest.mark.parametrize("thing", ["2", None, True, 1 + 2j, [1]])
def test_only_numbers_are_weights(thing: object) -> None:
    with pytest.raises(TypeError):
        thing * Pay(ExactMatch())  # type: ignore[operator]
    with pytest.raises(TypeError):
        Pay(ExactMatch()) + thing  # type: ignore[operator]
    with pytest.raises(TypeError):
        Pay(ExactMatch()) - thing  # type: ignore[operator]
    with pytest.raises(ConfigError, match="Pay takes a verifier"):
        Pay(thing)  # type: ignore[arg-type]


FAULT = Verdict(verifier="Demo", status=Status.FAULT, score=None, reason="crash", detail="it broke")
PAID = Verdict(verifier="Demo", status=Status.SCORED, score=1.0, reason="equal")


def test_a_fault_says_on_which_row() -> None:
    """Unless there is one row, and nobody has a name for it; what is no fault says nothing more."""
    many = Batch(["x"] * 2)
    assert many.placed_at(1, FAULT).detail == "it broke; completions[1]"
    assert many.placed_at(1, PAID) is PAID
    assert Batch(["x"]).placed_at(0, FAULT) is FAULT
    assert Batch(["x"], place=lambda row: f"line {row + 7}").placed_at(0, FAULT).detail == "it broke; line 7"
    assert [each.detail for each in many.placed([PAID, FAULT])] == ["", "it broke; completions[1]"]
    paid = [PAID, PAID]
    assert many.placed(paid) is paid


RIGHT: Reward = Pay(ExactMatch())


@dataclass(frozen=True, repr=False)
class Two(Verifier):
    """Has two parts, and does with them what the completion says."""

    reasons: ClassVar[Mapping[str, str]] = {"said": "it did"}
    needs_reference: ClassVar[bool] = False

    def part_names(self) -> tuple[str, ...]:
        return ("one", "two")

    def check(self, sample: Sample) -> Verdict:
        if sample.response == "break":
            raise RuntimeError("broken")
        if sample.response == "unscored":
            return self.unscored("said")
        if sample.response == "nothing":
            return self.scored(0.0, "said")
        if sample.response == "no parts":
            return self.scored(1.0, "said")
        parts = [
            Verdict(verifier=name, status=Status.SCORED, score=score, reason="said")
            for name, score in (("one", 1.0), ("two", 0.25))
        ]
        return self.scored(0.5, "said", parts=tuple(parts))


def test_no_value_that_is_not_finite_reaches_a_trainer() -> None:
    """It is None, in weights, sums and steps."""
    huge = 1e200 * (1e200 * LengthTarget(0, 1.0))
    assert huge(["x"]) == [None]
    most = 1.7e308 * LengthTarget(0, 1.0)
    assert (most + most.named("again"))(["x"]) == [None]
    assert LengthTarget(0, 1.0).affine(1e308, -1e308)(["xx"]) == [None]
    assert (most + 0 * most.named("again"))(["x"]) == [-1.7e308]
    with pytest.raises(ConfigError, match="too large"):
        10**400 * RIGHT
    for value in (math.nan, math.inf, -math.inf):
        with pytest.raises(ConfigError, match="a weight must be a finite number"):
            value * RIGHT
        for make in (
            lambda value=value: RIGHT.clip(low=value),
            lambda value=value: RIGHT.clip(high=value),
            lambda value=value: RIGHT.affine(scale=value),
            lambda value=value: RIGHT.affine(shift=value),
            lambda value=value: RIGHT.penalty(value),
            lambda value=value: RIGHT.when(RIGHT, at=value),
            lambda value=value: RIGHT.when(RIGHT, otherwise=value),
            lambda value=value: Constant(value),
            lambda value=value: Linear(value, 0.0),
            lambda value=value: Linear(0.0, value),
            lambda value=value: Steps(((0.0, value),)),
            lambda value=value: CosineLength(RIGHT, 10, right_short=value),
            lambda value=value: CosineLength(RIGHT, 10, exceeded=value),
            lambda value=value: LengthTarget(10, value),
        ):
            with pytest.raises(ConfigError):
                make()


def test_a_missing_value_stays_missing_through_every_step() -> None:
    """An unusable reference is nobody's mistake: no step may turn it into a number."""
    bare = {"answer": [""]}
    for reward in (
        RIGHT.clip(low=0.5), RIGHT.affine(1.0, 3.0), RIGHT.penalty(1.0), 2.0 * RIGHT, RIGHT.named("right"),
        RIGHT + Pay(TagFormat()), RIGHT.when(Pay(TagFormat())), Pay(TagFormat()).when(RIGHT),
        CosineLength(RIGHT, 10, "characters"),
    ):  # fmt: skip
        [payment] = Batch(["4"], bare).pay(reward)
        assert payment.value is None, reward
        assert payment.status is Status.UNSCORED
    # What is optional is left out of a sum, and a sum of nothing has no value.
    assert (RIGHT.optional() + Pay(TagFormat()))(["4"], answer=[""]) == [0.0]
    assert (2 * RIGHT.optional() + Pay(TagFormat()))(["4"], answer=[""]) == [0.0]
    assert (RIGHT.optional().clip(low=0) + Pay(TagFormat()))(["4"], answer=[""]) == [0.0]
    assert (RIGHT.optional().named("r") + RIGHT.optional().named("s"))(["4"], answer=[""]) == [None]
    assert (Pay(Two()).optional() + Pay(Length()))(["break"]) == [None], "a fault is not left out"
    assert (Pay(Two()).optional() + Pay(Length()))(["unscored"]) == [1.0]


def test_a_batch_is_as_long_as_its_columns() -> None:
    """And is somewhere in training."""
    for rows in (["4"], ["4"] * 3):
        with pytest.raises(ConfigError, match=f"column 'answer' has {len(rows)} rows, but completions has 2"):
            Batch(["4", "4"], {"answer": rows})
    for progress in (-0.01, 1.01, math.nan):
        with pytest.raises(ConfigError, match="progress is the share"):
            Batch(["4"], progress=progress)
    assert (len(Batch([], progress=0.0)), len(Batch(["4"], progress=1.0))) == (0, 1)
    batch = Batch(["a"], {"completion_ids": [[1, 2, 3]], "completion_tokens": [1]})
    assert list(batch.lengths("completion", "tokens")) == [1], (
        "a column of numbers goes before a trainer's ids"
    )
    assert list(Batch(["a"], {"completion_ids": [None]}).lengths("completion", "tokens")) == [None]
    assert list(Batch(["a"], {"completion_tokens": [True]}).lengths("completion", "tokens")) == [None]
    assert list(Batch(["a"], {"completion_tokens": [0]}).lengths("completion", "tokens")) == [0]
    assert list(Batch(["<think>a b</think>c", None]).lengths("thinking", "words")) == [2, None]
    assert list(Batch(["<think>a b</think>c", None]).lengths("response", "characters")) == [1, None]


def test_a_missing_column_is_told_with_the_nearest_name() -> None:
    """And a verifier that needs none is paid without."""
    with pytest.raises(ConfigError, match=r"needs the references in a column 'answer'.*'answers'"):
        RIGHT(["4"], answers=["4"])
    assert Pay(MultipleChoice(), reference="gold")(["(A)"], gold=["A"]) == [1.0]
    assert (list(Pay(ExactMatch(), "gold").columns()), Pay(Length())(["4"])) == (["gold"], [1.0])
    assert list(Pay(Length()).columns()) == []


def test_a_part_is_paid_only_where_there_is_one() -> None:
    """A score of 0 stands for all parts; a paid verdict without its parts is a fault, and nobody's reward."""
    rows = ["both", "nothing", "no parts", "unscored", "break"]
    payments = Batch(rows).pay(Pay(Two(), part="two"))
    assert [each.value for each in payments] == [0.25, 0.0, None, None, None]
    assert [each.status for each in payments] == ["scored", "scored", "fault", "unscored", "fault"]
    assert "has no part 'two'" in payments[2].verdicts[0].detail
    assert (Pay(Two(), part="one").name, Pay(Two(), part="one")(rows)[0]) == ("Two.one", 1.0)
    with pytest.raises(ConfigError, match="has no part 'tow'; did you mean 'two'"):
        Pay(Two(), part="tow")
    with pytest.raises(ConfigError, match="parts have no names of their own"):
        Pay(ExactMatch(), part="one")


NEAR = LengthTarget(10, 10)
TEXTS = ["", "x" * 5, "x" * 10, "x" * 1000]


def test_a_method_makes_the_node_that_it_names() -> None:
    gate = Pay(TagFormat())
    assert (NEAR.affine(), NEAR.penalty()) == (Affine(NEAR), Penalty(NEAR))
    assert (NEAR.clip(low=-1), NEAR.when(gate)) == (Clip(NEAR, low=-1), When(NEAR, gate))
    assert (NEAR.when(TagFormat()), NEAR.optional()) == (When(NEAR, gate), Optional(NEAR))
    assert (Scale(-1.0, NEAR), Scale(-2.0, NEAR)) == (-NEAR, -(2 * NEAR))
    assert NEAR - gate == Sum((NEAR, Scale(-1.0, gate)))
    assert (NEAR + gate) + (gate + NEAR) == Sum((NEAR, gate, gate, NEAR))


def test_defaults_change_nothing() -> None:
    """The line through 0 and 1; a gate that always passes; the whole of what is missing."""
    assert (NEAR.affine()(TEXTS), Affine(NEAR)(TEXTS)) == (NEAR(TEXTS), NEAR(TEXTS))
    assert NEAR.when(Pay(TagFormat(("a",))).affine(0, 1))(TEXTS) == NEAR(TEXTS)
    exact = Pay(ExactMatch())
    assert exact.penalty()(["1", "2"], answer=["1", "1"]) == [0.0, -1.0]
    assert exact.when(TagFormat(("a",)))(["1"], answer=["1"]) == [0.0]
