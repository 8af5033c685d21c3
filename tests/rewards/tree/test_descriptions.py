"""How trees are put together, explained and logged: each node's values, names, notes and texts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rewards import (
    Batch,
    CosineLength,
    LengthTarget,
    Linear,
    Pay,
    RegexParts,
    Reward,
    Route,
    SoftOverlong,
    Split,
    TagCount,
)  # fmt: skip
from verifiers import ConfigError, ExactMatch, JsonSchema, Keywords, Length, TagFormat, TokenF1

RIGHT: Reward = Pay(ExactMatch())
LONG: Reward = Pay(Length(2))
SHORT: Reward = LengthTarget(0, 1.0)
RULE = RegexParts(r"(?P<answer>.+?) because (?P<reason>.+)")


@pytest.mark.parametrize(
    ("reward", "values", "logged"),
    [
        (RIGHT, [1.0, 0.0], {"ExactMatch": 1.0}),
        (RIGHT + LONG, [1.0, 1.0], {"ExactMatch": 1.0, "Length": 0.0}),
        (RIGHT - LONG, [1.0, -1.0], {"ExactMatch": 1.0, "Length": 0.0}),
        (-RIGHT, [-1.0, 0.0], {"ExactMatch": 1.0}),
        (-(2 * RIGHT), [-2.0, 0.0], {"ExactMatch": 1.0}),
        (RIGHT * 3, [3.0, 0.0], {"ExactMatch": 1.0}),
        (RIGHT - 2 * LONG, [1.0, -2.0], {"ExactMatch": 1.0, "Length": 0.0}),
        (SHORT, [-1.0, -2.0], {"LengthTarget": -1.0}),
        (SHORT.clip(low=-1.5), [-1.0, -1.5], {"LengthTarget": -1.0}),
        (SHORT.affine(2.0, 1.0), [-1.0, -3.0], {"LengthTarget": -1.0}),
        (SHORT.affine(), [-1.0, -2.0], {"LengthTarget": -1.0}),
        (RIGHT.penalty(), [0.0, -1.0], {"ExactMatch": 1.0}),
        (RIGHT.named("right"), [1.0, 0.0], {"right": 1.0}),
        ((RIGHT + LONG).named("both"), [1.0, 1.0], {"both": 1.0, "ExactMatch": 1.0, "Length": 0.0}),
        ((2 * RIGHT).named("double"), [2.0, 0.0], {"double": 2.0, "ExactMatch": 1.0}),
        (RIGHT.when(LONG), [0.0, 0.0], {"ExactMatch": 1.0, "Length": 0.0}),
        (LONG.when(RIGHT, otherwise=-1), [0.0, -1.0], {"Length": 0.0, "ExactMatch": 1.0}),
        (RIGHT.optional() + LONG, [1.0, 1.0], {"ExactMatch": 1.0, "Length": 0.0}),
        (TagCount(), [0.0, 0.0], {"TagCount": 0.0}),
        (CosineLength(RIGHT, 4, "characters"), [pytest.approx(0.9268, abs=1e-4), -0.75], {"CosineLength": pytest.approx(0.9268, abs=1e-4), "ExactMatch": 1.0}),
        (Route("task", {"a": RIGHT, "b": LONG}), [1.0, 1.0], {"ExactMatch": 1.0}),
        (RIGHT.scheduled(Linear(1.0, 0.5)), [0.5, 0.0], {"ExactMatch": 1.0}),
        (LONG.scheduled(minimum=Linear(3, 1)), [1.0, 1.0], {"Length": 1.0}),
    ],
)  # fmt: skip
def test_a_tree_pays_and_logs_its_parts(reward: Reward, values: list[Any], logged: dict[str, Any]) -> None:
    """Steps change what is paid and not what is logged of a part; outside training schedules stand at their end."""
    rows = {"answer": ["4", "4"], "task": ["a", "b"]}
    assert reward(["4", "55"], **rows) == values
    first = reward.explain("4", answer="4", task="a")
    assert (first.value, first.values()) == (values[0], logged)
    assert set(logged) <= set(reward.part_names())
    assert reward == reward
    assert hash(reward) == hash(reward)


@pytest.mark.parametrize(
    ("reward", "text"),
    [
        (2 * RIGHT, "2*ExactMatch"),
        (0.1 * RIGHT + LONG, "0.1*ExactMatch + Length(2)"),
        (2 * (RIGHT + LONG), "2*(ExactMatch + Length(2))"),
        (2 * (3 * RIGHT), "2*(3*ExactMatch)"),
        (RIGHT + (RIGHT + LONG), "ExactMatch + ExactMatch + Length(2)"),
        (RIGHT + 0.5 * (Pay(TagFormat(("A", "B"))) + Pay(Length())), 'ExactMatch + 0.5*(TagFormat(["A","B"]) + Length)'),
        (RIGHT - LONG, "ExactMatch + -1*Length(2)"),
        (RIGHT.clip(low=-1), "ExactMatch.clip(low=-1)"),
        (RIGHT.clip(low=-1, high=0.5), "ExactMatch.clip(low=-1, high=0.5)"),
        ((RIGHT + LONG).clip(high=1), "(ExactMatch + Length(2)).clip(high=1)"),
        (RIGHT.affine(2, 1), "ExactMatch.affine(2, 1)"),
        (RIGHT.penalty(0.5), "ExactMatch.penalty(0.5)"),
        (RIGHT.named("right"), "ExactMatch.named('right')"),
        ((2 * RIGHT).named("right"), "(2*ExactMatch).named('right')"),
        (RIGHT.optional(), "ExactMatch.optional()"),
        (RIGHT.when(LONG), "ExactMatch.when(Length(2))"),
        (RIGHT.when(LONG, -1, 0.5), "ExactMatch.when(Length(2), otherwise=-1, at=0.5)"),
        (Pay(ExactMatch(), "gold"), "ExactMatch@gold"),
        (SHORT.scheduled(scale=Linear(1, 2)), "LengthTarget(target=0, scale=1.0).scheduled(scale=Linear(start=1, end=2))"),
        (CosineLength(RIGHT, 10), "CosineLength(ExactMatch, 10)"),
        (CosineLength(2 * RIGHT, 10, exceeded=-2.0), "CosineLength((2*ExactMatch), 10, exceeded=-2)"),
        (Route("task", {"a": RIGHT}, otherwise=LONG), 'Route("task"; "a": ExactMatch; otherwise: Length(2))'),
        (Split(RULE, {"answer": RIGHT}, "gold", -1), None),
        (0.1234567 * RIGHT, "0.1234567*ExactMatch"),
    ],
)  # fmt: skip
def test_a_tree_reads_as_it_is_written(reward: Reward, text: str | None) -> None:
    """With every parameter that is not a default: two rewards that pay differently never read alike."""
    if text is not None:
        assert reward.describe() == str(reward) == text
    assert reward.signature().startswith(reward.describe() + "|reward-verifiers:")


def test_versions_that_can_change_a_verdict_are_in_the_signature() -> None:
    """Of every verifier, each once, in one order."""
    signature = (Pay(JsonSchema()) + RIGHT + Pay(JsonSchema("true")).named("other")).signature()
    assert (signature.count("|jsonschema:"), signature.count("|reward-verifiers:")) == (1, 1)
    assert "absent" not in signature
    assert "jsonschema" not in RIGHT.signature()


@pytest.mark.parametrize(
    ("reward", "row", "lines"),
    [
        (RIGHT, {}, ["ExactMatch: 1  1.00 equal  '4' for '4'"]),
        (0.5 * RIGHT, {}, ["ExactMatch: 0.5 = 0.5 × 1  1.00 equal  '4' for '4'"]),
        (2 * RIGHT.penalty(0.5), {"answer": "5"}, ["ExactMatch: -1 = 2 × penalty(0.5) of 0  0.00 not_equal  '4' for '5'"]),
        (RIGHT + LONG.named("long"), {}, ["reward: 1", "  ExactMatch: 1  1.00 equal  '4' for '4'", "  long: 0  Length 0.00 too_short"]),
        (RIGHT.when(LONG), {}, ["ExactMatch: 0  gate failed", "  ExactMatch: 1  1.00 equal  '4' for '4'", "  Length: 0  0.00 too_short"]),
        (RIGHT.when(Pay(Length(1))), {}, ["ExactMatch: 1  gate passed", "  ExactMatch: 1  1.00 equal  '4' for '4'", "  Length: 1  1.00 in_band"]),
        (LONG.when(RIGHT), {"answer": ""}, ["Length: none  gate has no value", "  Length: 0  0.00 too_short", "  ExactMatch: none  unscored bad_reference"]),
        (RIGHT.optional() + LONG, {"answer": ""}, ["reward: 0", "  ExactMatch: left out  unscored bad_reference", "  Length: 0  0.00 too_short"]),
        (-1 * LONG, {}, ["Length: 0 = -1 × 0  0.00 too_short"]),
        (SHORT, {}, ["LengthTarget: -1  1 characters"]),
        (SHORT.clip(low=-0.5).named("short"), {}, ["short: -0.5 = clip(low=-0.5) of -1  1 characters"]),
        (TagCount(), {}, ["TagCount: 0  0 of 4 tags once"]),
        (SoftOverlong(4, 2), {"completion_tokens": 1000}, ["SoftOverlong: -1  1,000 tokens"]),
        (SoftOverlong(4, 2), {"completion_tokens": None}, ["SoftOverlong: none  the number of tokens is not known"]),
        (CosineLength(RIGHT, 4), {"completion_tokens": 4}, ["CosineLength: 0.5 = right in 4 tokens, by 1  1.00 equal  '4' for '4'"]),
        (Route("task", {"a": RIGHT}), {"task": "a"}, ["by task: 1 = a: 1  1.00 equal  '4' for '4'"]),
        (Route("task", {"a": RIGHT}), {"task": "b"}, ["by task: none  no route for 'b'"]),
    ],
)  # fmt: skip
def test_an_explanation_says_how_a_value_came_about(
    reward: Reward, row: dict[str, Any], lines: list[str]
) -> None:
    given = {"answer": "4", **row}
    assert str(reward.explain("4", **given)).splitlines() == lines


def test_a_tree_says_what_it_reads() -> None:
    """Columns in order, each once; schedules by what they steer; verifiers each once."""
    verifier = ExactMatch()
    tree = (
        Pay(verifier).named("first")
        + SoftOverlong(4, 2)
        + 2 * Route("task", {"a": Pay(verifier), "b": Pay(TokenF1(), "gold")})
    )
    assert tree.columns() == ["answer", "completion_tokens", "task", "gold"]
    assert [type(each).__name__ for each in tree.verifiers()] == ["ExactMatch", "TokenF1"]
    assert not tree.needs_groups
    moving = tree + Linear(1.0, 0.0) * LONG + Pay(Keywords(("a",))).scheduled(Linear(0.0, 2.0))
    assert moving.schedules(0.25) == {"Length.weight": 0.75, "Keywords.weight": 0.5}
    assert tree.schedules(0.5) == {}
    assert (tree.total_name, RIGHT.total_name, (2 * RIGHT).total_name) == ("reward", "ExactMatch", "reward")
    assert RIGHT.named("a").total_name == "a"


@pytest.mark.parametrize(
    ("step", "steps", "progress"),
    [
        (0, 10, 0.0), (5, 10, 0.5), (10, 10, 1.0), (11, 10, 1.0), (-1, 10, 0.0), (5, 0, 1.0), (5, -1, 1.0),
        (None, 10, 1.0), (0.5, 1, 1.0),
    ],
)  # fmt: skip
def test_training_stands_where_its_trainer_says(step: Any, steps: Any, progress: float) -> None:
    """And at its end where nobody says anything."""
    state = SimpleNamespace(global_step=step, max_steps=steps)
    moving = Linear(0.0, 1.0) * LONG
    assert (moving(["44"], trainer_state=state), moving(["44"], trainer_state=None)) == ([progress], [1.0])
    assert moving(["44"], trainer_state=state, progress=0.25) == [0.25]


def test_what_a_trainer_passes_beside_columns_is_left_out() -> None:
    given = {"answer": ["4", "4"], "note": "xy", "blob": b"xy", "steps": 3, "log": [1, 2, 3], "none": None}
    assert RIGHT(["4", "5"], trainer_state={"step": 1}, **given) == [1.0, 0.0]
    with pytest.raises(ConfigError, match="column 'answer'"):
        RIGHT(["4", "5"], answer=["4"])
    with pytest.raises(ConfigError, match="column 'answer'"):
        RIGHT(["4", "5"], answer="44")


def test_parts_of_an_answer_meet_their_own_part() -> None:
    """And what cannot be taken apart is paid no better than a wrong answer in the right form."""
    reward = Split(RULE, {"answer": ExactMatch(), "reason": 0.5 * Pay(TokenF1())})
    gold = {"answer": ["4 because two"] * 5}
    rows = ["4 because two", "4 because three", "5 because two", "4", "<think>4 because two"]
    assert reward(rows, **gold) == [1.5, 1.0, 0.5, 0.0, 0.0]
    assert reward(["4 because two"] * 3, answer=["4", None, "4 because two"]) == [None, None, 1.5]
    assert reward(["4", None], answer=["4", "4 because two"]) == [None, 0.0]
    minus = Split(RULE, {"answer": Pay(ExactMatch()).penalty(2.0)})
    assert minus(["4", "5 because x"], answer=["4 because two"] * 2) == [-2.0, -2.0]
    chosen = Split(RULE, {"answer": ExactMatch()}, otherwise=-0.5)
    assert chosen(["4", "5 because x"], answer=["4 because two"] * 2) == [-0.5, 0.0]
    assert chosen.part_names() == ["answer"]
    assert chosen.explain("4 because x", answer="4 because y").values() == {"answer": 1.0}
    deep = Split(RULE, {"answer": RIGHT + LONG})
    assert deep.part_names() == ["answer", "answer.ExactMatch", "answer.Length"]
    assert deep.explain("4 because x", answer="4 because y").values() == {
        "answer": 1.0, "answer.ExactMatch": 1.0, "answer.Length": 0.0,
    }  # fmt: skip
    with pytest.raises(ConfigError, match="references in a column 'gold'"):
        Split(RULE, {"answer": ExactMatch()}, "gold")(["4"], answer=["4"])
    for into in ({}, {"other": ExactMatch()}, (("answer", RIGHT), ("answer", RIGHT)), {"answer": 1}):
        with pytest.raises(ConfigError, match="Split"):
            Split(RULE, into)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="otherwise must be a number or None, got nan; it must be finite"):
        Split(RULE, {"answer": RIGHT}, otherwise=float("nan"))
    for pattern in ("a", "(", "(a)"):
        with pytest.raises(ConfigError, match="RegexParts"):
            RegexParts(pattern)


def test_rows_of_a_route_stay_in_their_groups() -> None:
    """Also where a group loses all its rows to another route."""
    batch = Batch(["a", "b", "c", "d", "e"], {"prompt": ["p", "p", "q", "r", "r"]})
    assert batch.groups == [range(2), range(2, 3), range(3, 5)]
    assert batch.rows([0, 1, 3, 4]).groups == [range(2), range(2, 4)]
    assert batch.rows([1, 2, 4]).groups == [range(1), range(1, 2), range(2, 3)]
    assert (batch.rows([2]).groups, list(batch.rows([1, 3]).texts("response"))) == ([range(1)], ["b", "d"])
    assert Pay(TagFormat()).when(LONG).name == "TagFormat"
