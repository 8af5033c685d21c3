"""Groups, splits and schedules of trees: each condition by itself, at both of its sides."""

from __future__ import annotations

from typing import Any

import pytest

from rewards import Constant, Cosine, Linear, Pay, RegexParts, Split, Steps
from rewards.tree import splits
from rewards.tree.batch import group_ranges
from verifiers import ConfigError, ExactMatch, Length


@pytest.mark.parametrize("size", [True, False, 0, -1, 2.0, "2", None])
def test_a_group_size_is_a_whole_number(size: Any) -> None:
    """True is none, and without a size rows need keys."""
    with pytest.raises(ConfigError, match="group_size"):
        group_ranges(2, size=size)
    assert group_ranges(2, size=1) == [range(1), range(1, 2)]
    assert group_ranges(0, size=2) == []


def test_rows_divide_into_groups() -> None:
    """Of the size that is given, of one prompt each."""
    with pytest.raises(ConfigError, match="3 rows do not divide into groups of 2"):
        group_ranges(3, size=2)
    with pytest.raises(ConfigError, match="rows 2 to 3 should be one group of 2, but their prompts differ"):
        group_ranges(4, ["p", "p", "p", "q"], 2)
    assert group_ranges(4, ["p", "p", "p", "p"], 2) == [range(2), range(2, 4)]
    assert group_ranges(4, ["p", "p", "q", "q"]) == [range(2), range(2, 4)]
    assert group_ranges(4, ["p", "q", "q", "q"]) == [range(1), range(1, 4)]
    assert group_ranges(4, ["p", "p", "p", "q"]) == [range(3), range(3, 4)]
    assert len(group_ranges(8, ["p", "p", "q", "q", "p", "p", "r", "r"])) == 4
    for keys in (["p", "q", "p"], ["p", "p", "q", "p"], ["p", "q", "p", "q"]):
        with pytest.raises(ConfigError, match=r"rows 0 and \d have one prompt and others between them"):
            group_ranges(len(keys), keys)


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
    """And a message says which does not."""
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
        (
            Cosine(0.0, 1.0),
            [0.0, pytest.approx(0.1464466), pytest.approx(0.5), pytest.approx(0.8535534), 1.0],
        ),
        (Steps(((0.0, 1.0), (0.5, 2.0), (1.0, 3.0))), [1.0, 1.0, 2.0, 2.0, 3.0]),
    ],
)
def test_a_schedule_has_a_value_at_every_point(schedule: Any, values: list[float]) -> None:
    """Its ends hold before it begins and after it has arrived."""
    assert [schedule.at(quarter / 4) for quarter in range(5)] == values


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
    ],
)
def test_a_schedule_that_makes_no_sense_is_refused(make: Any) -> None:
    """Shares of training rise from 0 to at most 1, and values are finite."""
    with pytest.raises(ConfigError, match=r"Linear|Cosine|Steps"):
        make()
    assert Linear(0, 1, 0.0, 1.0).at(1.0) == 1
    assert Steps(((0, 1.0), (1, 2.0))).at(1.0) == 2.0
