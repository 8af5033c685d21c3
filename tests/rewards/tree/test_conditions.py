"""Groups, splits and schedules of trees: each condition by itself, at both of its sides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewards import Batch, Constant, Cosine, LengthTarget, Linear, Pay, RegexParts, Split, Steps
from rewards.tree import splits
from rewards.tree.batch import group_ranges
from verifiers import ConfigError, ExactMatch, Keywords, Length, MathEquivalence, TagFormat


@pytest.mark.parametrize("size", [True, False, 0, -1, 2.0, "2", None])
def test_a_group_size_is_a_whole_number(size: Any) -> None:
    """True is none, and without a size rows need keys."""
    with pytest.raises(ConfigError, match="group_size"):
        group_ranges(2, size=size)
    assert (group_ranges(2, size=1), group_ranges(0, size=2)) == ([range(1), range(1, 2)], [])


@pytest.mark.parametrize(
    ("keys", "size", "groups"),
    [
        ("ppq", None, [range(2), range(2, 3)]),
        ("ppqqppqq", None, [range(2), range(2, 4), range(4, 6), range(6, 8)]),
        ("pqqq", None, [range(1), range(1, 4)]),
        ("pppq", None, [range(3), range(3, 4)]),
        ("pppp", 2, [range(2), range(2, 4)]),
        ("", None, []),
    ],
)
def test_groups_are_neighbours(keys: str, size: int | None, groups: list[range]) -> None:
    """Of equal prompts, or of a size that is given."""
    assert group_ranges(len(keys), list(keys), size) == groups


@pytest.mark.parametrize(
    ("keys", "size", "message"),
    [
        ("pqp", None, "rows 0 and 2 have one prompt and others between them; sort the rows"),
        ("ppqp", None, "rows 0 and 3 have one prompt and others between them"),
        ("pqpq", None, "rows 0 and 2 have one prompt and others between them"),
        ("pq", 2, "rows 0 to 1 should be one group of 2, but their prompts differ"),
        ("pppq", 2, "rows 2 to 3 should be one group of 2, but their prompts differ"),
        ("ppp", 2, "3 rows do not divide into groups of 2"),
        (None, None, "give a prompts column, or group_size"),
    ],
)
def test_another_layout_is_refused(keys: str | None, size: int | None, message: str) -> None:
    """A mean over the wrong rows would not be seen in any log."""
    with pytest.raises(ConfigError, match=message):
        group_ranges(3 if keys is None else len(keys), None if keys is None else list(keys), size)


def test_prompts_are_one_whatever_the_order_of_their_fields() -> None:
    """Chat messages come from JSON, whose fields have no order."""
    one, same = {"role": "user", "content": "가"}, {"content": "가", "role": "user"}
    other = {"role": "user", "content": "나"}
    assert group_ranges(3, [[one], [same], [other]]) == [range(2), range(2, 3)]
    assert group_ranges(2, [{1, 2}, {1, 2}]) == [range(2)]
    assert group_ranges(2, [None, "null"]) == [range(1), range(1, 2)]


def test_a_pattern_that_takes_too_long_does_not_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """The row is paid like one that is not made that way."""
    monkeypatch.setattr(splits, "REGEX_SECONDS", 0.02)
    slow = RegexParts(r"(?P<answer>(a|a|aa)+)$")
    assert slow.split("a" * 40 + "!") is None
    assert slow.split("aa") == {"answer": "aa"}
    assert RegexParts(r"(?P<answer>\d)?x").split(" x ") == {"answer": ""}
    assert RegexParts(r"(?P<answer>.+)").split("a\nb") == {"answer": "a\nb"}


def test_a_part_goes_to_a_reward_or_a_verifier() -> None:
    rule = RegexParts(r"(?P<answer>\w+) (?P<reason>\w+)")
    split: Any = Split
    for wrong in (1, "ExactMatch", ExactMatch, None):
        with pytest.raises(ConfigError, match="Split: reason takes a reward or a verifier, got"):
            split(rule, {"answer": ExactMatch(), "reason": wrong})
    both = split(rule, {"answer": ExactMatch(), "reason": Pay(ExactMatch())})
    assert both.to_spec() == {
        "split": {
            "by": {"RegexParts": rule.pattern},
            "into": {"answer": Pay(ExactMatch()).to_spec(), "reason": Pay(ExactMatch()).to_spec()},
        }
    }  # fmt: skip
    named = split(rule, {"answer": ExactMatch()}, "gold", 0.0).to_spec()["split"]
    assert (named["reference"], named["otherwise"]) == ("gold", 0.0)
    assert "@gold" in split(rule, {"answer": ExactMatch()}, "gold").describe()
    assert "@" not in split(rule, {"answer": ExactMatch()}).describe()
    assert "otherwise: 0" in split(rule, {"answer": ExactMatch()}, otherwise=0.0).describe()


@pytest.mark.parametrize("share", [0.0, 0.0625, 0.5, 0.9375, 1.0])
def test_a_value_that_a_field_refuses_is_found_when_it_is_made(share: float) -> None:
    """At the start, on the way and at the very end of training."""
    points = {0.0: 1.0, share: -5.0, **({min(1.0, share + 0.03125): 1.0} if share < 1.0 else {})}
    with pytest.raises(ConfigError, match="minimum"):
        Pay(Length(2)).scheduled(minimum=Steps(tuple(sorted(points.items()))))
    Pay(Length(2)).scheduled(minimum=Steps(((0.0, 1.0), (1.0, 3.0))))


@pytest.mark.parametrize(
    ("schedule", "values"),
    [
        (Constant(0.5), [0.5, 0.5, 0.5, 0.5, 0.5]),
        (Linear(1.0, 3.0), [1.0, 1.5, 2.0, 2.5, 3.0]),
        (Linear(1.0, 3.0, 0.25, 0.75), [1.0, 1.0, 2.0, 3.0, 3.0]),
        (Cosine(1.0, 3.0, 0.25, 0.75), [1.0, 1.0, 2.0, 3.0, 3.0]),
        (Cosine(0.0, 1.0), [0.0, (2 - 2**0.5) / 4, 0.5, (2 + 2**0.5) / 4, 1.0]),
        (Steps(((0.0, 1.0), (0.5, 2.0), (1.0, 3.0))), [1.0, 1.0, 2.0, 2.0, 3.0]),
        (Linear(1.0, 0.0), [1.0, 0.75, 0.5, 0.25, 0.0]),
        (Linear(0.0, 1.0, begin=0.5), [0.0, 0.0, 0.0, 0.5, 1.0]),
        (Cosine(0.0, 4.0, until=0.5), [0.0, 2.0, 4.0, 4.0, 4.0]),
    ],
)  # fmt: skip
def test_a_schedule_has_a_value_at_every_point(schedule: Any, values: list[float]) -> None:
    """Its ends hold before it begins and after it has arrived."""
    assert [schedule.at(quarter / 4) for quarter in range(5)] == pytest.approx(values)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Linear(0, 1, -0.1, 1.0),
        lambda: Linear(0, 1, 0.5, 0.5),
        lambda: Linear(0, 1, 0.6, 0.5),
        lambda: Linear(0, 1, 0.0, 1.1),
        lambda: Cosine(0, 1, 0.0, 1.1),
        lambda: Linear(0, float("nan")),
        lambda: Steps(()),
        lambda: Steps(((0.1, 1.0),)),
        lambda: Steps(((0.0, 1.0), (0.0, 2.0))),
        lambda: Steps(((0.0, 1.0), (0.6, 2.0), (0.5, 2.0))),
        lambda: Steps(((0.0, 1.0), (1.1, 2.0))),
        lambda: Steps(((0.0, float("inf")),)),
        lambda: Linear(0, 1, 1.0, 1.0),
        *(
            lambda points=points: Steps(points)
            for points in (((0.0,),), ((0.0, 1.0, 2.0),), (0.0, 1.0), (("0", 1.0),), ((0.0, None),))
        ),
    ],
)
def test_a_schedule_that_makes_no_sense_is_refused(make: Any) -> None:
    """Shares of training rise from 0 to at most 1, and values are finite."""
    with pytest.raises(ConfigError, match=r"Linear|Cosine|Steps"):
        make()
    assert (Linear(0, 1, 0.0, 1.0).at(1.0), Steps(((0, 1.0), (1, 2.0))).at(1.0)) == (1, 2.0)


def test_a_scheduled_whole_number_is_rounded_to_the_nearest() -> None:
    """A limit of 3.75 words is one of 4, and a share of 0.75 stays one."""
    reward = Pay(Length(1, 4, "words")).scheduled(maximum=Linear(3.0, 4.0))
    four = ["a b c d"]
    for progress, paid in ((0.0, 0.0), (0.4, 0.0), (0.75, 1.0), (1.0, 1.0)):
        assert Batch(four, progress=progress).pay(reward)[0].value == paid, progress
    target = LengthTarget(0, 1.0).scheduled(scale=Linear(1.0, 2.0))
    assert [Batch(["x"], progress=each).pay(target)[0].value for each in (0.0, 0.5, 1.0)] == [
        -1.0, pytest.approx(-1 / 1.5), -0.5,
    ]  # fmt: skip


def test_a_schedule_that_a_field_refuses_is_found_at_the_start() -> None:
    """Wherever in the run it would be."""
    with pytest.raises(ConfigError, match="is empty"):
        Pay(Length(3, 5)).scheduled(maximum=Linear(5.0, 2.0))
    with pytest.raises(ConfigError, match="is empty"):
        Pay(Length(3, 5)).scheduled(maximum=Steps(((0.0, 5.0), (0.5, 1.0), (0.6, 5.0))))
    named = Pay(Length(1, 4)).named("short").scheduled(maximum=Linear(1.0, 4.0))
    assert Batch(["xx"], progress=0.0).pay(named)[0].values() == {"short": 0.0}
    assert named.schedules(0.5) == {"short.maximum": 2.5}


@pytest.mark.parametrize(
    ("at", "otherwise", "paid"),
    [
        (1.0, 0.0, [1.0, 0.0, 0.0]), (0.5, 0.0, [1.0, 1.0, 0.0]), (0.5, -1.0, [1.0, 1.0, -1.0]),
        (0.0, 0.0, [1.0] * 3),
    ],
)  # fmt: skip
def test_a_gate_opens_at_its_value(at: float, otherwise: float, paid: list[float]) -> None:
    gate = Pay(Keywords(("a", "b"), mode="fraction"))
    reward = Pay(Length()).when(gate, at=at, otherwise=otherwise)
    assert reward(["a b", "a", "c"]) == paid
    notes = [payment.note for payment in Batch(["a b", "c"]).pay(Pay(Length()).when(gate))]
    assert notes == ["gate passed", "gate failed"]


ACCURACY, FORMAT = Pay(MathEquivalence()), Pay(TagFormat())


@settings(deadline=None)
@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(0, 1))
def test_schedules_start_and_end_where_they_say(start: float, end: float, progress: float) -> None:
    for schedule in (Linear(start, end), Cosine(start, end), Linear(start, end, 0.2, 0.7)):
        assert (schedule.at(0.0), schedule.at(1.0)) == (start, end)
        low, high = min(start, end), max(start, end)
        assert low - 1e-9 <= schedule.at(progress) <= high + 1e-9
    assert Steps(((0.0, start), (0.5, end))).at(progress) == (end if progress >= 0.5 else start)


def test_schedules_move_weights_and_parameters_with_a_trainers_state() -> None:
    """And what they stand at can be logged apart from the unweighted part."""
    reward = FORMAT.scheduled(Linear(1.0, 0.0)) + LengthTarget(10, 10).scheduled(target=Linear(10, 30))
    text = "<think>a</think><answer>b</answer>"
    state = SimpleNamespace(global_step=5, max_steps=10)
    [value] = reward([text], trainer_state=state)
    assert value == pytest.approx(0.5 - abs(len(text) - 20) / 10)
    assert reward([text]) == reward([text], progress=1.0) == [pytest.approx(-abs(len(text) - 30) / 10)]
    assert reward.schedules(0.5) == {"TagFormat.weight": 0.5, "LengthTarget.target": 20.0}
    payment = reward.explain(text, progress=0.5)
    assert payment.values()["TagFormat"] == 1.0
    inner = Pay(Length(1, 9)).scheduled(maximum=Linear(4, 8))
    assert (inner(["12345"], progress=0.0), inner(["12345"], progress=0.5)) == ([0.0], [1.0])
    assert (-(Linear(1.0, 0.0) * FORMAT)).explain(text, progress=0.25).value == -0.75
