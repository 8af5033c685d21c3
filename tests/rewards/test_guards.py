"""What keeps a reward from paying the wrong thing, at the edges of each limit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from rewards import (
    Batch,
    Constant,
    Cosine,
    CosineLength,
    LengthTarget,
    Linear,
    Pay,
    Reward,
    Route,
    SoftOverlong,
    Steps,
    TagCount,
)
from verifiers import (
    ConfigError,
    ExactMatch,
    Keywords,
    Length,
    MultipleChoice,
    Status,
    TagFormat,
    Verdict,
    Verifier,
)
from verifiers.core.verdicts import Sample

RIGHT: Reward = Pay(ExactMatch())


@dataclass(frozen=True, repr=False)
class Two(Verifier):
    """Has two parts, and does with them what the completion says."""

    reasons: ClassVar[Mapping[str, str]] = {"said": "it did"}
    needs_reference: ClassVar[bool] = False

    def part_names(self) -> tuple[str, ...]:
        """Both."""
        return ("one", "two")

    def check(self, sample: Sample) -> Verdict:
        """See `Verifier.check`."""
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


def test_a_part_is_paid_only_where_there_is_one() -> None:
    """A score of 0 stands for all parts; a paid verdict without its parts is a fault, and nobody's reward."""
    rows = ["both", "nothing", "no parts", "unscored", "break"]
    payments = Batch(rows).pay(Pay(Two(), part="two"))
    assert [each.value for each in payments] == [0.25, 0.0, None, None, None]
    assert [each.status for each in payments] == [
        Status.SCORED,
        Status.SCORED,
        Status.FAULT,
        Status.UNSCORED,
        Status.FAULT,
    ]
    assert "has no part 'two'" in payments[2].verdicts[0].detail
    assert Pay(Two(), part="one").name == "Two.one"
    assert Pay(Two(), part="one")(rows)[0] == 1.0
    with pytest.raises(ConfigError, match="has no part 'tow'; did you mean 'two'"):
        Pay(Two(), part="tow")
    with pytest.raises(ConfigError, match="parts have no names of their own"):
        Pay(ExactMatch(), part="one")


def test_no_value_that_is_not_finite_reaches_a_trainer() -> None:
    """It is None, in weights, sums and steps."""
    huge = 1e200 * (1e200 * LengthTarget(0, 1.0))
    assert huge(["x"]) == [None]
    most = 1.7e308 * LengthTarget(0, 1.0)
    assert (most + most.named("again"))(["x"]) == [None]
    assert LengthTarget(0, 1.0).affine(1e308, -1e308)(["xx"]) == [None]
    assert (most + 0 * most.named("again"))(["x"]) == [-1.7e308]
    for value in (math.nan, math.inf, -math.inf):
        for make in (
            lambda value=value: value * RIGHT,
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
        RIGHT.clip(low=0.5),
        RIGHT.affine(1.0, 3.0),
        RIGHT.penalty(1.0),
        2.0 * RIGHT,
        RIGHT.named("right"),
        RIGHT + Pay(TagFormat()),
        RIGHT.when(Pay(TagFormat())),
        Pay(TagFormat()).when(RIGHT),
        CosineLength(RIGHT, 10, "characters"),
    ):
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


@pytest.mark.parametrize(
    ("low", "high", "clipped"),
    [
        (-2, None, [0.0, -1.0, -2.0, -2.0]),
        (None, -2, [-2.0, -2.0, -2.0, -3.0]),
        (-2, -1, [-1.0, -1.0, -2.0, -2.0]),
        (-2, -2, [-2.0, -2.0, -2.0, -2.0]),
    ],
)
def test_clip_holds_at_its_limits(low: float | None, high: float | None, clipped: list[float]) -> None:
    """Also where both are one value, which is a constant."""
    values = LengthTarget(0, 1.0).clip(low=low, high=high)(["", "x", "xx", "xxx"])
    assert values == clipped
    assert all(type(value) is float for value in values)


def test_what_leaves_nothing_is_refused() -> None:
    """With the numbers in the message."""
    with pytest.raises(ConfigError, match="low must not be above high, got 1 and 0"):
        RIGHT.clip(low=1, high=0)
    with pytest.raises(ConfigError, match="takes low, high, or both"):
        RIGHT.clip()
    for size in (0, -1, -0.5):
        with pytest.raises(ConfigError, match="size must be a number above 0"):
            RIGHT.penalty(size)
    assert RIGHT.penalty(0.001)(["5"], answer=["4"]) == [-0.001]
    for maximum, cache in ((10, 0), (10, 11), (10, -1)):
        with pytest.raises(ConfigError, match="between 1 and maximum"):
            SoftOverlong(maximum, cache)
    assert SoftOverlong(10, 10)(["x"] * 3, completion_tokens=[0, 5, 10]) == [0.0, -0.5, -1.0]
    with pytest.raises(ConfigError, match="maximum must be a whole number of at least 1"):
        CosineLength(RIGHT, 0)
    with pytest.raises(ConfigError, match="target must be a whole number of at least 0"):
        LengthTarget(-1)
    with pytest.raises(ConfigError, match="scale must be a number of at least 1e-06"):
        LengthTarget(10, 0.0)
    assert LengthTarget(0, 1e-6)(["x"]) == [-1e6]


def test_a_penalty_is_what_is_missing() -> None:
    """0 for a right answer (and not -0), `size` for a wrong one, in a line between."""
    half = Pay(Keywords(("a", "b"), mode="fraction"))
    values = half.penalty(0.5)(["a b", "a", "c"])
    assert values == [0.0, -0.25, -0.5]
    assert math.copysign(1.0, values[0] or 0.0) == 1.0
    assert half.affine(2.0, -0.5)(["a b", "a", "c"]) == [1.5, 0.5, -0.5]


@pytest.mark.parametrize(
    ("schedule", "values"),
    [
        (Constant(0.5), [0.5] * 5),
        (Linear(1.0, 0.0), [1.0, 0.75, 0.5, 0.25, 0.0]),
        (Linear(2.0, 4.0, begin=0.25, until=0.75), [2.0, 2.0, 3.0, 4.0, 4.0]),
        (Linear(0.0, 1.0, begin=0.5), [0.0, 0.0, 0.0, 0.5, 1.0]),
        (Cosine(1.0, 0.0), [1.0, (2 + 2**0.5) / 4, 0.5, (2 - 2**0.5) / 4, 0.0]),
        (Cosine(0.0, 4.0, until=0.5), [0.0, 2.0, 4.0, 4.0, 4.0]),
        (Steps(((0.0, 1.0), (0.5, 0.2), (1.0, 0.0))), [1.0, 1.0, 0.2, 0.2, 0.0]),
    ],
)
def test_schedules_go_from_point_to_point(schedule: Any, values: list[float]) -> None:
    """At each quarter of a run."""
    assert [schedule.at(quarter / 4) for quarter in range(5)] == pytest.approx(values)


@pytest.mark.parametrize(
    "points",
    [(), ((0.1, 1.0),), ((0.0, 1.0), (0.0, 2.0)), ((0.0, 1.0), (0.5, 2.0), (0.4, 3.0)), ((0.0, 1.0), (1.1, 2.0)),
     ((0.0,),), ((0.0, 1.0, 2.0),), (0.0, 1.0), (("0", 1.0),), ((0.0, None),)],
)  # fmt: skip
def test_steps_that_make_no_sense_are_refused(points: Any) -> None:
    """When they are made, not in the middle of a run."""
    with pytest.raises(ConfigError, match="Steps"):
        Steps(points)


@pytest.mark.parametrize(("begin", "until"), [(-0.1, 1.0), (0.5, 0.5), (0.6, 0.5), (0.0, 1.1), (1.0, 1.0)])
def test_a_line_needs_room(begin: float, until: float) -> None:
    """Within a run."""
    with pytest.raises(ConfigError, match="begin and until are shares of training"):
        Linear(0.0, 1.0, begin=begin, until=until)


def test_a_scheduled_whole_number_is_rounded_to_the_nearest() -> None:
    """A limit of 3.75 words is one of 4, and a share of 0.75 stays one."""
    reward = Pay(Length(1, 4, "words")).scheduled(maximum=Linear(3.0, 4.0))
    four = ["a b c d"]
    for progress, paid in ((0.0, 0.0), (0.4, 0.0), (0.75, 1.0), (1.0, 1.0)):
        assert Batch(four, progress=progress).pay(reward)[0].value == paid, progress
    target = LengthTarget(0, 1.0).scheduled(scale=Linear(1.0, 2.0))
    assert [Batch(["x"], progress=each).pay(target)[0].value for each in (0.0, 0.5, 1.0)] == [
        -1.0,
        pytest.approx(-1 / 1.5),
        -0.5,
    ]


def test_a_schedule_that_a_field_refuses_is_found_at_the_start() -> None:
    """Wherever in the run it would be."""
    with pytest.raises(ConfigError, match="is empty"):
        Pay(Length(3, 5)).scheduled(maximum=Linear(5.0, 2.0))
    with pytest.raises(ConfigError, match="is empty"):
        Pay(Length(3, 5)).scheduled(maximum=Steps(((0.0, 5.0), (0.5, 1.0), (0.6, 5.0))))
    with pytest.raises(ConfigError, match="is not a number, so no schedule can move it"):
        Pay(Length()).scheduled(unit=Linear(0.0, 1.0))
    with pytest.raises(ConfigError, match=r"no field 'maxmum'.*maximum"):
        Pay(Length()).scheduled(maxmum=Linear(1.0, 2.0))
    named = Pay(Length(1, 4)).named("short").scheduled(maximum=Linear(1.0, 4.0))
    assert Batch(["xx"], progress=0.0).pay(named)[0].values() == {"short": 0.0}
    assert named.schedules(0.5) == {"short.maximum": 2.5}


@pytest.mark.parametrize(
    ("at", "otherwise", "paid"),
    [
        (1.0, 0.0, [1.0, 0.0, 0.0]),
        (0.5, 0.0, [1.0, 1.0, 0.0]),
        (0.5, -1.0, [1.0, 1.0, -1.0]),
        (0.0, 0.0, [1.0] * 3),
    ],
)
def test_a_gate_opens_at_its_value(at: float, otherwise: float, paid: list[float]) -> None:
    """From it on, and not above it only."""
    gate = Pay(Keywords(("a", "b"), mode="fraction"))
    reward = Pay(Length()).when(gate, at=at, otherwise=otherwise)
    assert reward(["a b", "a", "c"]) == paid
    notes = [payment.note for payment in Batch(["a b", "c"]).pay(Pay(Length()).when(gate))]
    assert notes == ["gate passed", "gate failed"]


def test_a_gate_cannot_be_optional_however_it_is_wrapped() -> None:
    """Without a score it is unknown whether it passes."""
    for gate in (
        RIGHT.optional(),
        2 * RIGHT.optional(),
        RIGHT.optional().named("gate"),
        RIGHT.optional().clip(low=0.0).named("gate"),
    ):
        with pytest.raises(ConfigError, match="a gate cannot be optional"):
            Pay(Length()).when(gate)


def test_routes_go_by_the_rows_own_value() -> None:
    """Whole numbers stand for their text, booleans and others for nothing."""
    routes = Route("task", {"1": Pay(Length(1, 1)), "qa": ExactMatch()})
    keys = ["1", 1, "qa", True, None, 1.0, ["qa"]]
    values = routes(["4"] * 7, answer=["4"] * 7, task=keys)
    assert values == [1.0, 1.0, 1.0, None, None, None, None]
    rest = Route("task", {"qa": ExactMatch()}, otherwise=Pay(Length(2)))
    assert rest(["4", "4", "44"], answer=["4"] * 3, task=["qa", "?", None]) == [1.0, 0.0, 1.0]
    for wrong, message in (
        ({}, "at least one route"),
        ((("a", RIGHT), ("a", RIGHT)), "each value has one route"),
        (((1, RIGHT),), "a route is a string with a reward"),
        ({"a": 1.0}, "a route is a string with a reward"),
    ):
        with pytest.raises(ConfigError, match=message):
            Route("task", wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="have no column 'task'"):
        routes(["4"], answer=["4"])


def test_a_batch_is_as_long_as_its_columns() -> None:
    """And is somewhere in training."""
    for rows in (["4"], ["4"] * 3):
        with pytest.raises(
            ConfigError, match=f"column 'answer' has {len(rows)} rows where completions has 2"
        ):
            Batch(["4", "4"], {"answer": rows})
    for progress in (-0.01, 1.01, math.nan):
        with pytest.raises(ConfigError, match="progress is the share"):
            Batch(["4"], progress=progress)
    assert len(Batch([], progress=0.0)) == 0
    assert len(Batch(["4"], progress=1.0)) == 1
    batch = Batch(["a"], {"completion_ids": [[1, 2, 3]], "completion_tokens": [1]})
    assert list(batch.lengths("completion", "tokens")) == [1], (
        "a column of numbers goes before a trainer's ids"
    )
    assert list(Batch(["a"], {"completion_ids": [None]}).lengths("completion", "tokens")) == [None]
    assert list(Batch(["a"], {"completion_tokens": [True]}).lengths("completion", "tokens")) == [None]
    assert list(Batch(["a"], {"completion_tokens": [0]}).lengths("completion", "tokens")) == [0]
    assert list(Batch(["<think>a b</think>c", None]).lengths("thinking", "words")) == [2, None]
    assert list(Batch(["<think>a b</think>c", None]).lengths("response", "characters")) == [1, None]


def test_the_longest_length_still_counts_as_within() -> None:
    """At `maximum` a right answer earns its end, above it what exceeding earns."""
    reward = CosineLength(RIGHT, 10, "characters", exceeded=-5.0)
    assert reward(["4" * 10], answer=["4" * 10]) == [pytest.approx(0.5)]
    assert reward(["4" * 11], answer=["4" * 11]) == [-5.0]
    assert reward(["4" * 10], answer=["4"]) == [pytest.approx(-0.5)]
    partly = CosineLength(Pay(Keywords(("a", "b"), mode="fraction")), 10, "characters")
    assert partly(["a"])[0] == pytest.approx(-1.0 + 0.5 * (1 - math.cos(math.pi / 10)) / 2), "partly is wrong"
    with pytest.raises(ConfigError, match="unit"):
        CosineLength(RIGHT, 10, "bytes")  # type: ignore[arg-type]
    for wrong in ({"unit": "bytes"}, {"of": "prompt"}, {"unit": "tokens", "of": "answer"}):
        with pytest.raises(ConfigError, match="LengthTarget"):
            LengthTarget(10, **wrong)  # type: ignore[arg-type]
    assert LengthTarget(10, unit="tokens")(["x"], completion_tokens=[9]) == [-0.001]


def test_names_that_would_hide_one_another_are_refused() -> None:
    """Two different parts under one name, and the total's own."""
    with pytest.raises(ConfigError):
        Pay(Length(1, 2)) + Pay(Length(1, 3))
    same = Pay(Length(1, 2)) + 0.5 * Pay(Length(1, 2))
    assert same(["x"]) == [1.5], "one part twice is one part"
    assert same.part_names() == ["Length"]
    for label in ("", "a b", "a/b", "total\n", None):
        with pytest.raises(ConfigError, match="a part's name is made of"):
            Pay(Length()).named(label)  # type: ignore[arg-type]
    for label in ("a", "a.b:c-d_1", "길이"):
        assert Pay(Length()).named(label).part_names() == [label]
    with pytest.raises(ConfigError, match="the name of the total"):
        Pay(Length()).named("reward")
    with pytest.raises(ConfigError, match="Pay takes a verifier"):
        Pay(Length)  # type: ignore[arg-type]


def test_a_missing_column_is_told_with_the_nearest_name() -> None:
    """And a verifier that needs none is paid without."""
    with pytest.raises(ConfigError, match=r"needs the references in a column 'answer'.*'answers'"):
        RIGHT(["4"], answers=["4"])
    assert Pay(MultipleChoice(), reference="gold")(["(A)"], gold=["A"]) == [1.0]
    assert list(Pay(ExactMatch(), "gold").columns()) == ["gold"]
    assert Pay(Length())(["4"]) == [1.0]
    assert list(Pay(Length()).columns()) == []


def test_tags_are_counted_in_the_whole_completion() -> None:
    """A quarter each; a tag that occurs twice earns nothing."""
    counted = TagCount()(
        ["<think>\na\n</think>\n<answer>\nb\n</answer>", "<answer><answer></answer>", "none"]
    )
    assert counted == [1.0, 0.25, 0.0]
