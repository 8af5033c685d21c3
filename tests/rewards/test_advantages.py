"""Advantages against formulas written independently, and their laws."""

from __future__ import annotations

import math
import statistics
from itertools import combinations
from statistics import pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards import advantages as formulas
from rewards.advantages import dr_grpo, grpo, informative, process, reinforce_plus_plus, remax, rloo
from verifiers import ConfigError

REWARD = st.none() | st.floats(-5, 5).map(lambda value: round(value, 3))
GROUPS = st.integers(1, 4).flatmap(
    lambda size: st.lists(st.lists(REWARD, min_size=size, max_size=size), min_size=1, max_size=4).map(
        lambda groups: (size, groups)
    )
)


def _flat(groups: list[list[float | None]]) -> list[float | None]:
    return [reward for group in groups for reward in group]


@given(GROUPS, st.sampled_from([0, 1]), st.sampled_from([0.0, 1e-4, 1.0]))
def test_grpo_is_the_papers(sized, ddof: int, epsilon: float) -> None:  # type: ignore[no-untyped-def]
    """By the statistics module: (r - mean) / (std + epsilon) over the scored rows of a group."""
    size, groups = sized
    found = grpo(_flat(groups), size, ddof=ddof, epsilon=epsilon)  # type: ignore[arg-type]
    expected = []
    for group in groups:
        scored = [reward for reward in group if reward is not None]
        for reward in group:
            if reward is None or len(set(scored)) < 2:
                expected.append(0.0)
                continue
            deviation = statistics.stdev(scored) if ddof else statistics.pstdev(scored)
            expected.append((reward - statistics.fmean(scored)) / (deviation + epsilon))
    assert found == pytest.approx(expected, abs=1e-9)


@given(GROUPS)
def test_laws(sized) -> None:  # type: ignore[no-untyped-def]
    """Sums of zero over the scored rows, RLOO = G / (G - 1) times the centred reward, None masked."""
    size, groups = sized
    flat = _flat(groups)
    centred, loo, normal = dr_grpo(flat, size), rloo(flat, size), grpo(flat, size)
    for start in range(0, len(flat), size):
        rows = range(start, start + size)
        scored = [row for row in rows if flat[row] is not None]
        for advantages in (centred, loo, normal):
            assert math.fsum(advantages[row] for row in scored) == pytest.approx(0, abs=1e-9)
            assert all(advantages[row] == 0.0 for row in rows if flat[row] is None)
        if len(scored) > 1:
            others = {row: [flat[each] for each in scored if each != row] for row in scored}
            for row in scored:
                factor = len(scored) / (len(scored) - 1)
                assert loo[row] == pytest.approx(factor * centred[row], abs=1e-9)
                assert loo[row] == pytest.approx(flat[row] - statistics.fmean(others[row]), abs=1e-9)
        if len({flat[row] for row in scored}) < 2:
            assert all(centred[row] == loo[row] == normal[row] == 0.0 for row in rows)


@given(GROUPS)
def test_the_batchs_deviation_can_scale(sized) -> None:  # type: ignore[no-untyped-def]
    """The mean stays the group's."""
    size, groups = sized
    flat = _flat(groups)
    scored = [reward for reward in flat if reward is not None]
    whole = statistics.stdev(scored) if len(scored) > 1 else 0.0
    expected = [value / (whole + 1e-4) for value in dr_grpo(flat, size)]
    assert grpo(flat, size, scale="batch") == pytest.approx(expected, abs=1e-7)


def test_the_worked_examples_of_the_seeds() -> None:
    """With a population deviation, and no epsilon."""
    assert grpo([1.0, -1.0, 1.0, -1.0], 4, ddof=0, epsilon=0.0) == [1.0, -1.0, 1.0, -1.0]
    assert dr_grpo([90.0, 70.0, 85.0, 75.0], 4) == [10.0, -10.0, 5.0, -5.0]
    found = grpo([1.0, 1.0, 0.0, 1.0], 4, ddof=0, epsilon=0.0)
    assert found == pytest.approx([0.577, 0.577, -1.732, 0.577], abs=1e-3)


def test_remax_takes_the_greedy_reward_away() -> None:
    """None on either side masks."""
    assert remax([1.0, 0.5, None, 2.0], [0.5, None], 2) == [0.5, 0.0, 0.0, 0.0]


@given(
    st.lists(
        st.lists(st.floats(-2, 2).map(lambda value: round(value, 2)), max_size=4), min_size=2, max_size=2
    )
)
def test_process_advantages_are_sums_of_normalised_steps(steps: list[list[float]]) -> None:
    """Section 4.1.3 of DeepSeekMath, by a loop over all later steps."""
    flat = [reward for completion in steps for reward in completion]
    spread = statistics.pstdev(flat) if len(set(flat)) > 1 else None
    mean = statistics.fmean(flat) if flat else 0.0
    normal = [[0.0 if spread is None else (reward - mean) / spread for reward in each] for each in steps]
    expected = [[sum(each[start:]) for start in range(len(each))] for each in normal]
    found = process(steps, 2, ddof=0, epsilon=0.0)
    assert [len(each) for each in found] == [len(each) for each in steps]
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=1e-6)


def test_noise_is_no_variance() -> None:
    """Equal rewards whose mean is not exactly their value stay without advantage."""
    assert (grpo([0.1] * 3, 3, epsilon=0.0), reinforce_plus_plus([0.1] * 3)) == ([0.0] * 3, [0.0] * 3)


def test_the_filter_looks_at_outcomes() -> None:
    """A group that fails throughout says nothing, however its length bonuses differ."""
    outcomes = [0.0, 0.0, 1.0, 0.0, None, 1.0, 0.3, 0.7]
    groups = [range(2), range(2, 4), range(4, 6), range(6, 8)]
    assert informative(outcomes, groups) == [False, True, False, True]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: grpo([1.0, 2.0, 3.0], 2), "3 rows do not divide into groups of 2"),
        (lambda: grpo([1.0], groups=[range(1, 2)]), "groups must cover rows 0 to 0"),
        (lambda: grpo([math.nan, 1.0], 2), "a finite number .* got nan"),
        (lambda: rloo([math.inf, 1.0], 2), "a finite number .* got inf"),
        (lambda: grpo([1.0], 1, ddof=2), "ddof is 0 or 1"),  # type: ignore[arg-type]
        (lambda: grpo([1.0], 1, scale="none"), "dr_grpo does not scale"),  # type: ignore[arg-type]
        (lambda: grpo([1.0]), "group_size"),
        (lambda: remax([1.0, 0.0], [0.0], 1), "1 baselines for 2 groups"),
        (lambda: formulas.pass_at_k([0.5, 1.0], 1, 2), "right .1. or wrong .0."),
        (lambda: formulas.pass_at_k([0.0, 1.0], 3, 2), "from 1 to the size of a group"),
        (lambda: formulas.opo([0.0, 1.0], [1], 2), "one length from 0 on for each reward"),
        (lambda: formulas.opo([0.0, 1.0], [1, -1], 2), "one length from 0 on for each reward"),
    ],
)
def test_what_cannot_work_is_refused(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigError, match=message):
        call()


OUTCOMES = st.lists(st.sampled_from([0.0, 1.0]), min_size=2, max_size=8)


@given(OUTCOMES, st.integers(1, 8))
def test_pass_at_k_is_the_mean_over_all_subsets(outcomes: list[float], k: int) -> None:
    """Counted out: each subset is paid for its best, and each completion has those that it is in."""
    k = min(k, len(outcomes))
    subsets = [set(each) for each in combinations(range(len(outcomes)), k)]
    paid = [max(outcomes[row] for row in each) for each in subsets]
    mean = sum(paid) / len(paid)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in paid) / len(paid))
    found = formulas.pass_at_k(outcomes, k, len(outcomes))
    if deviation < 1e-12:
        assert found == [0.0] * len(outcomes)
        return
    for row, own in enumerate(found):
        mine = [each for each, rows in zip(paid, subsets, strict=True) if row in rows]
        assert own == pytest.approx((sum(mine) / len(mine) - mean) / deviation, abs=1e-9)
    assert sum(found) == pytest.approx(0.0, abs=1e-9)
    if k == 1:
        assert found == pytest.approx(formulas.grpo(outcomes, len(outcomes), ddof=0, epsilon=0.0))


@given(st.lists(st.tuples(st.floats(-5, 5), st.integers(0, 400)), min_size=2, max_size=8))
def test_opos_baseline_has_the_least_variance_where_gradients_grow_with_length(
    rows: list[tuple[float, int]],
) -> None:
    """No other baseline gives a smaller sum of lengths times squared advantages."""
    rewards, lengths = [reward for reward, _ in rows], [length for _, length in rows]
    found = formulas.opo(rewards, lengths, len(rows))
    spent = sum(length * own**2 for length, own in zip(lengths, found, strict=True))
    assert sum(length * own for length, own in zip(lengths, found, strict=True)) == pytest.approx(0, abs=1e-6)
    for shift in (-0.5, -0.01, 0.01, 0.5):
        other = [own + shift for own in found]
        if len(set(rewards)) > 1:
            assert sum(length * own**2 for length, own in zip(lengths, other, strict=True)) >= spent - 1e-6


@given(
    st.lists(
        st.lists(st.one_of(st.none(), st.integers(-3, 3)), min_size=4, max_size=4), min_size=1, max_size=5
    )
)
def test_gpg_and_the_baseline_of_reinforce_scale_what_is_centred(groups: list[list[int | None]]) -> None:
    """By the share of groups that tell something; by the deviation of all differences."""
    rewards = [None if each is None else float(each) for group in groups for each in group]
    centred = formulas.dr_grpo(rewards, 4)
    starts = range(0, len(rewards), 4)
    judged = [start for start in starts if any(each is not None for each in rewards[start : start + 4])]
    telling = [start for start in judged if any(centred[start : start + 4])]
    share = len(judged) / len(telling) if telling else 0.0
    assert formulas.gpg(rewards, 4) == pytest.approx([each * share for each in centred])
    kept = [each for each, reward in zip(centred, rewards, strict=True) if reward is not None]
    spread = pstdev(kept) if kept else 0.0
    found = formulas.reinforce_plus_plus_baseline(rewards, 4, ddof=0, epsilon=1e-8)
    assert found == pytest.approx([each / (spread + 1e-8) for each in centred])


def test_completions_without_a_token_count_alike() -> None:
    """Where all are empty, as where all are cut away."""
    assert formulas.opo([1.0, 0.0], [0, 0], 2) == [0.5, -0.5]
    assert formulas.pass_at_k([1.0, None, 0.0, None], 3, 4) == [0.0] * 4
