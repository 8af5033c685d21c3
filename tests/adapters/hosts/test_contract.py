"""What a reward and a host agree on at the start, rows without a reward, and what a host may log."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.hosts.host import CURES, Host, Need, needs_of
from adapters.hosts.unscored import BROKEN, MAX_VALUE, POLICIES, RowLogs, UnscoredError, settle
from rewards import DuplicatePenalty, Linear, Pay, Payment, Rank, from_callable, load_recipe, preset_names
from tests.timing import examples
from verifiers import ConfigError, ExactMatch, TagFormat, TokenF1, verifier

SCHEDULED = Linear(0.5, 0.1) * Pay(TagFormat(("think", "answer"))) + Pay(ExactMatch())
REWARDS = {
    "groups": (Rank(Pay(ExactMatch())), {Need.GROUP}),
    "duplicates": (Pay(ExactMatch()) + DuplicatePenalty(), {Need.GROUP}),
    "schedule": (SCHEDULED, {Need.PROGRESS}),
    "tokens": (load_recipe("dapo_math"), {Need.TOKENS}),
    "messages": (Pay(ExactMatch()) + verifier(lambda messages: len(messages) > 1), {Need.MESSAGES}),
    "question": (from_callable(lambda messages, prompt: len(messages)), {Need.MESSAGES, Need.PROMPT}),
    "plain": (load_recipe("gsm8k_tags"), set()),
}
VALUES = st.none() | st.floats(-1e9, 1e9)


@pytest.mark.parametrize("name", REWARDS)
def test_a_reward_is_refused_where_and_only_where_something_is_lacking(name: str) -> None:
    """For every host that can be: the message names the host and has the cure."""
    reward, needed = REWARDS[name]
    assert set(needs_of(reward).features) == needed
    for count in range(len(Need) + 1):
        for offers in combinations(Need, count):
            host = Host("the host", frozenset(offers), ("zero",))
            lacking = needed - set(offers)
            refusals = host.refusals(reward)
            assert len(refusals) == len(lacking)
            for need in lacking:
                assert any("the host" in each and CURES[need] in each for each in refusals)
            if lacking:
                with pytest.raises(ConfigError, match="the host"):
                    host.check(reward)
            else:
                host.check(reward)


def test_every_preset_says_what_it_needs() -> None:
    """What a batch of rows with the data's columns alone cannot be paid for is among the needs."""
    for name in preset_names():
        reward = load_recipe(name)
        needs = needs_of(reward)
        columns = {column: [None] for column in needs.columns}
        if needs.features:
            continue
        assert len(reward(["x"], **columns)) == 1, name


def test_a_named_progress_is_an_answer_to_a_schedule() -> None:
    host = Host("the host", frozenset(), ("zero",))
    assert host.refusals(SCHEDULED) != []
    assert host.refusals(SCHEDULED, progress=1.0) == []


def test_columns_that_do_not_arrive_are_told() -> None:
    host = Host("the host", frozenset(), ("zero",), columns=frozenset({"answer"}))
    assert host.refusals(Pay(TokenF1())) == []
    [refusal] = host.refusals(Pay(TokenF1(), reference="gold"))
    assert "gold" in refusal
    assert "answer" in refusal


def test_a_policy_is_one_that_the_host_can_carry_out() -> None:
    host = Host("the host", frozenset({Need.GROUP}), ("group_mean", "zero"))
    assert (host.policy(), host.policy("zero")) == ("group_mean", "zero")
    with pytest.raises(ConfigError, match="group_mean, zero"):
        host.policy("mask")
    with pytest.raises(ConfigError, match="mean of a group"):
        Host("the host", frozenset(), ("group_mean",))
    with pytest.raises(ConfigError, match="mask"):
        Host("the host", frozenset(), ())


@st.composite
def _paid(draw: Any) -> tuple[list[Payment], list[range]]:
    groups, payments = [], []
    for size in draw(st.lists(st.integers(1, 5), max_size=5)):
        groups.append(range(len(payments), len(payments) + size))
        payments += [
            Payment("r", draw(VALUES), note=draw(st.sampled_from(["", BROKEN]))) for _ in range(size)
        ]
    return payments, groups


@given(_paid(), st.sampled_from(POLICIES))
def test_no_policy_changes_what_was_paid(paid: tuple[list[Payment], list[range]], policy: Any) -> None:
    """Every row is there in its place, or named as dropped; what a host computes with is finite; all is counted."""
    payments, groups = paid
    without = [row for row, each in enumerate(payments) if each.value is None]
    if policy == "raise" and without:
        with pytest.raises(UnscoredError, match=f"row {without[0]}"):
            settle(payments, policy, groups)
        return
    settled = settle(payments, policy, groups)
    assert settled.unscored == len(without)
    assert settled.faults == sum(payments[row].note == BROKEN for row in without)
    expected = [row for row in range(len(payments)) if policy != "drop" or row not in without]
    assert settled.kept == expected
    for row, value, masked in zip(settled.kept, settled.values, settled.masked, strict=True):
        paid_value = payments[row].value
        assert masked == (paid_value is None)
        if paid_value is None:
            assert (value is None) == (policy == "mask")
        else:
            assert value == min(max(paid_value, -MAX_VALUE), MAX_VALUE)
        assert value is None or math.isfinite(value)


@given(_paid())
def test_the_mean_of_the_group_moves_nobody(paid: tuple[list[Payment], list[range]]) -> None:
    """The mean of each group is what it was over the rows that were paid, so those keep their advantages."""
    payments, groups = paid
    values = settle(payments, "group_mean", groups).values
    for rows in groups:
        known = [
            min(max(each, -MAX_VALUE), MAX_VALUE) for row in rows if (each := payments[row].value) is not None
        ]
        mean = sum(known) / len(known) if known else 0.0
        filled = [value for row in rows if (value := values[row]) is not None]
        assert sum(filled) / len(filled) == pytest.approx(mean, abs=1e-6)


def test_the_mean_of_unknown_groups_is_refused() -> None:
    """Groups that leave rows out are not known."""
    payments = [Payment("r", 1.0), Payment("r", None)]
    for groups in (None, [range(1)], [range(1, 2), range(1)]):
        with pytest.raises(ConfigError, match="groups"):
            settle(payments, "group_mean", groups)


@pytest.mark.parametrize("name", ["gsm8k_tags", "groups", "schedule", "duplicates"])
@settings(max_examples=examples(20), deadline=None)
@given(st.lists(st.one_of(st.text(), st.none(), st.sampled_from(["\\boxed{4}", "<answer>4</answer>"])), min_size=1),
       st.sampled_from(["4", "", None]))  # fmt: skip
def test_what_is_logged_are_floats_under_the_same_names(
    name: str, completions: list[Any], answer: Any
) -> None:
    reward = load_recipe(name) if name == "gsm8k_tags" else REWARDS[name][0]
    logs = RowLogs(reward)
    for completion in completions[:4]:
        row = logs.row(reward.explain(completion, answer=answer, prompts="p"))
        assert tuple(row) == logs.names
        assert all(type(value) is float and math.isfinite(value) for value in row.values())


def test_means_of_parts_can_be_had_over_the_rows_that_were_judged() -> None:
    """The mean of the values divided by that of the flags."""
    reward = Pay(TokenF1())
    payments = [
        reward.explain("4", answer="4"), reward.explain("5", answer="4"), reward.explain("4", answer=None),
    ]  # fmt: skip
    means = RowLogs(reward).means(payments)
    assert means["TokenF1"] / means["TokenF1/judged"] == pytest.approx(0.5)
    assert (means["unscored"], RowLogs(reward).means([])["unscored"]) == (pytest.approx(1 / 3), 0.0)
