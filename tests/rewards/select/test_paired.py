"""Paired differences and intervals: exact tests against enumeration, and what intervals hold."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards.select import mean_interval
from rewards.select.paired import binomial_chance, paired_difference, sign_flip
from rewards.select.prompt_figures import PromptSums, interval_of, prompt_key, student_t
from tests.support import known
from verifiers import ConfigError


def _enumerated(differences: list[float]) -> float:
    """The share of all choices of signs whose sum is as far from 0."""
    observed = abs(math.fsum(differences))
    sums = [
        abs(math.fsum(sign * each for sign, each in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return sum(each >= observed - 1e-9 for each in sums) / len(sums)


@pytest.mark.parametrize("seed", range(12))
def test_the_sign_flip_test_is_exact(seed: int) -> None:
    """It is what counting all signs gives, for values of any kind."""
    chance = random.Random(seed)
    kinds = ([0.0, 1.0, -1.0], [0.5, -0.25, 1.5, 0.0], [0.1, 0.2, -0.3, 0.7])
    values = kinds[seed % 3] if seed < 9 else [chance.uniform(-1, 1) for _ in range(9)]
    differences = [chance.choice(values) for _ in range(9)]
    found, exact = sign_flip(differences)
    assert exact
    assert found == pytest.approx(_enumerated(differences))


@pytest.mark.parametrize(
    ("hits", "total"), [(0, 1), (1, 10), (5, 10), (20, 50), (480, 1010), (700, 1500), (0, 3000)]
)
def test_mcnemars_test_is_the_binomial_one(hits: int, total: int) -> None:
    """As whole numbers give it, and the same for both sides."""
    ways = sum(math.comb(total, each) for each in range(min(hits, total - hits) + 1))
    found = binomial_chance(hits, total)
    assert found == pytest.approx(float(min(Fraction(1), Fraction(2 * ways, 2**total))), rel=1e-9)
    assert found == binomial_chance(total - hits, total)
    if total <= 10:
        assert found == pytest.approx(_enumerated([1.0] * hits + [-1.0] * (total - hits)))


def test_many_sums_are_nearly_normal() -> None:
    """What is too much to work out exactly comes close to it, and says so."""
    chance = random.Random(4)
    differences = [chance.choice([0.5, 1.0, -0.5, -1.0, 0.25]) for _ in range(150)]
    exact, by_counting = sign_flip(differences)
    # Where each differs a little every sum is another.
    normal, by_normal = sign_flip([each * (1 + chance.uniform(0, 1e-5)) for each in differences])
    assert ((by_counting, by_normal), normal) == ((True, False), pytest.approx(exact, rel=0.1))
    assert 0.001 < exact < 0.9


@pytest.mark.parametrize(("prompts", "group"), [(40, 1), (25, 8)])
def test_intervals_hold_the_true_difference(prompts: int, group: int) -> None:
    """Of 120 simulated pairs of checkpoints nearly 19 in 20, also where completions of a prompt are alike."""
    chance = random.Random(11)
    held = falsely = 0
    for seed in range(120):
        sums = []
        for _ in range(prompts):
            hardness = chance.random()
            gain = chance.choice([-0.2, 0.0, 0.5])  # a prompt as a whole gets easier or harder
            before = sum(chance.random() < hardness * 0.5 for _ in range(group))
            after = sum(chance.random() < hardness * 0.5 + gain * 0.5 + 0.1 for _ in range(group))
            sums.append((float(before), float(after), group))
        found = known(paired_difference(sums, bounded=True, resamples=200, seed=seed))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.15 <= found.high
        null = [(a, b, n) if chance.random() < 0.5 else (b, a, n) for a, b, n in sums]
        other = known(paired_difference(null, resamples=0))
        falsely += other.chance < 0.05
    assert 106 <= held <= 120
    assert falsely <= 12


def test_swapping_sides_turns_everything_round() -> None:
    """And nothing else; the interval holds the difference."""
    chance = random.Random(2)
    sums = [(chance.choice([0.0, 1.0, 2.0]), chance.choice([0.0, 1.0, 2.0]), 2) for _ in range(30)]
    one = paired_difference(sums, resamples=0)
    other = paired_difference([(b, a, n) for a, b, n in sums], resamples=0)
    assert one is not None
    assert other is not None
    assert one.low is not None
    assert one.high is not None
    assert (one.difference, one.low, one.high) == pytest.approx(
        (-other.difference, -(other.high or 0), -(other.low or 0))
    )
    assert one.chance == other.chance
    assert one.low < one.difference < one.high


def test_no_difference_is_not_certainty() -> None:
    """Of twenty prompts without any, others may differ; of one nothing is said."""
    none = known(paired_difference([(1.0, 1.0, 1)] * 20, bounded=True))
    assert (none.difference, none.chance) == (0.0, 1.0)
    assert none.low is not None
    assert -0.25 < none.low < -0.1
    one = known(paired_difference([(0.0, 1.0, 1)]))
    assert (one.low, one.high) == (None, None)
    assert paired_difference([]) is None


def test_more_prompts_than_are_drawn_give_the_same_interval() -> None:
    """As Student's t, to some percent of the width."""
    chance = random.Random(8)
    sums = [(0.0, chance.gauss(0.1, 1.0), 1) for _ in range(3000)]
    drawn, plain = paired_difference(sums), paired_difference(sums, resamples=0)
    assert drawn is not None
    assert plain is not None
    width = (plain.high or 0) - (plain.low or 0)
    assert (drawn.high or 0) - (drawn.low or 0) == pytest.approx(width, rel=0.15)
    assert drawn.difference == plain.difference


def test_sums_by_prompt_are_merged_in_any_order_and_grouped_where_they_are_many() -> None:
    """Groups hold whole prompts, so their interval is as wide."""
    chance = random.Random(6)
    rows = [(prompt_key(f"p{chance.randrange(600)}"), chance.random()) for _ in range(4000)]
    exact, small, first, second = PromptSums(), PromptSums(100, 50), PromptSums(100, 50), PromptSums(100, 50)
    for place, (key, value) in enumerate(rows):
        exact.add(key, (value, 1))
        small.add(key, (value, 1))
        (first if place < 50 else second).add(key, (value, 1))
    assert not first.grouped
    assert second.grouped
    first.merge(second.items(), second.grouped)
    assert (len(exact), len(small), small.grouped) == (600, 50, True)
    assert [key for key, _ in first.items()] == [key for key, _ in small.items()]
    for (_, one), (_, other) in zip(first.items(), small.items(), strict=True):
        assert one == pytest.approx(other)
    whole, grouped = (
        mean_interval((total, int(count)) for _, (total, count) in sums.items()) for sums in (exact, small)
    )
    assert whole is not None
    assert grouped is not None
    assert grouped.mean == pytest.approx(whole.mean)
    assert (grouped.high or 0) - grouped.mean == pytest.approx((whole.high or 0) - whole.mean, rel=0.35)


def test_interval_of_counted_sums_is_that_of_the_values() -> None:
    prompts = [(1.0, 2), (0.0, 1), (3.0, 3), (1.0, 4)]
    mean = 5 / 10
    squares = sum((total - count * mean) ** 2 for total, count in prompts)
    assert interval_of(mean, squares, 10, 4, bounded=True) == mean_interval(prompts, bounded=True)
    assert interval_of(0.0, 0.0, 0, 0) is None


counts = st.tuples(st.integers(0, 6), st.integers(1, 6)).map(lambda pair: (float(min(pair)), pair[1]))


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (30, 2.042)],
)
def test_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student_t(0.975, freedom) == pytest.approx(quantile, rel=4e-3)


@given(st.lists(counts, max_size=30))
def test_an_interval_of_shares_is_of_shares(prompts: list[tuple[float, int]]) -> None:
    """And holds the mean; without values there is none, of one prompt there are no ends."""
    found = mean_interval(prompts, bounded=True)
    if not prompts:
        assert found is None
        return
    assert found is not None
    assert found.mean == pytest.approx(
        math.fsum(total for total, _ in prompts) / sum(count for _, count in prompts)
    )
    if len(prompts) < 2:
        assert found.low is found.high is None
    else:
        assert found.low is not None
        assert found.high is not None
        assert 0.0 <= found.low <= found.mean + 1e-12
        assert found.mean - 1e-12 <= found.high <= 1.0
        assert found.high > found.low


@pytest.mark.parametrize(
    ("prompts", "tries", "spread"), [(40, 1, 0.0), (40, 8, 0.35), (12, 8, 0.35), (200, 4, 0.2)]
)
def test_they_hold_the_true_share_as_often_as_they_say(prompts: int, tries: int, spread: float) -> None:
    """Completions of a prompt are alike, and still 95 of 100 intervals hold it, or close to that."""
    rng = random.Random(prompts * tries)
    held = 0
    for _ in range(400):
        rows = []
        for _ in range(prompts):
            rate = 0.6 + rng.choice((-spread, spread))
            rows.append((float(sum(rng.random() < rate for _ in range(tries))), tries))
        found = known(mean_interval(rows, bounded=True))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.6 <= found.high
    assert 0.92 <= held / 400 <= 0.985


def test_all_right_is_not_certain() -> None:
    """Ten right completions of each of three prompts say little of a fourth prompt."""
    found = known(mean_interval([(10.0, 10)] * 3, bounded=True))
    assert found.high == 1.0
    assert found.low is not None
    assert found.low < 0.5


def test_a_confidence_is_a_share() -> None:
    with pytest.raises(ConfigError, match="confidence"):
        mean_interval([(1.0, 1)], confidence=95)
