"""Intervals hold what they say they hold."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards.select import mean_interval
from rewards.select.prompt_figures import student_t
from verifiers import ConfigError

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
        found = mean_interval(rows, bounded=True)
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.6 <= found.high
    assert 0.92 <= held / 400 <= 0.985


def test_all_right_is_not_certain() -> None:
    """Ten right completions of each of three prompts say little of a fourth prompt."""
    found = mean_interval([(10.0, 10)] * 3, bounded=True)
    assert found is not None
    assert found.high == 1.0
    assert found.low is not None
    assert found.low < 0.5


def test_a_confidence_is_a_share() -> None:
    with pytest.raises(ConfigError, match="confidence"):
        mean_interval([(1.0, 1)], confidence=95)
