"""Figures of chance, and numbers of a completion, against exact counts and simulation."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.audit.chance import change_over, share_above, tail, within_groups
from reward_verifiers.adapters.audit.row_traits import last_value, stands_in
from reward_verifiers.verifiers.language.numerals.english_numerals import SHARE_WORDS, SIZE_WORDS
from reward_verifiers.verifiers.reading.prose import numbers
from tests.timing import examples

# What numbers are made of, what they must not follow or precede, and what ends a search for them.
PIECES = st.sampled_from(
    [
        *("1", "2", "30", "3 000", "4,567", "0.5", ".5", "½", "∞", "٣", "①", "1e5", "2E3", "1.2.3", "0.1(6)"),
        *(
            " ", "\n", "-", "−", "+", "$", "%", "\\%", ".", ",", "/", "(", ")", "=", ":", "!", "?", ";", "*",
            "#",
        ),
        *(
            "x", "e", "E", "w", "A", "s", "'", '"', "[", "]", "{", "}", "\\", "\\frac{1}{2}",
            "\\frac{w = A}{2}",
        ),
        *("The answer is ", "so ", "번", "정답은 ", *SIZE_WORDS, *SHARE_WORDS),
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=16).map("".join)
VALUES = st.sampled_from(["1", "2", "30", "-1", "1/2", "½", "∞", "4567", "4,567", "0.5", "12", "3 000"])


@settings(deadline=None, max_examples=examples(400))
@given(TEXTS)
@example("½ millionAx")
@example("(w)-5")
@example("8 A")
def test_the_last_number_is_that_of_the_whole_ending(text: str) -> None:
    """A stretch that is searched alone has the numbers that it has in the text."""
    ending = text[-300:]
    letters = "".join(filter(str.isalnum, ending[-60:].casefold()))[-20:]
    found = [number.group().replace(",", "") for number in numbers(ending)]
    assert last_value(text) == (found[-1] if found else letters)


@settings(deadline=None, max_examples=examples(400))
@given(VALUES, TEXTS)
@example("30", "30A")
@example("2", "x2 = 2w")
def test_a_number_stands_in_a_text_that_has_it(value: str, text: str) -> None:
    """As one of all its numbers, however much of the text is searched for it."""
    wanted = value.replace(",", "")
    among = any(found.group().replace(",", "") == wanted for found in numbers(text))
    assert stands_in(value, text) is (among and wanted in text.replace(",", ""))


@given(st.integers(1, 30), st.integers(0, 30), st.sampled_from([0.1, 0.5, 0.8]))
def test_the_binomial_tail_is_exact(total: int, hits: int, share: float) -> None:
    """Against the sum of all terms, in fractions; below the mean it says that nothing is unusual."""
    hits = min(hits, total)
    p = Fraction(share)
    exact = sum(math.comb(total, k) * p**k * (1 - p) ** (total - k) for k in range(hits, total + 1))
    found = share_above(hits, total, share)
    assert found == 1.0 if hits <= total * share else math.isclose(found, float(exact), rel_tol=1e-9)


def test_the_variance_under_shuffling_is_exact() -> None:
    """The chance is that of a normal variable with the variance over all orders of one side."""
    xs, ys = [1, 2, 2, 5], [3, 1, 4, 4]
    found = within_groups([(xs, ys)])

    def ranks(values: list[int]) -> list[float]:
        return [sum(other < each for other in values) + (values.count(each) - 1) / 2 - 1.5 for each in values]

    left, right = ranks(xs), ranks(ys)
    sums = [sum(map(lambda x, y: x * y, left, order)) for order in itertools.permutations(right)]
    deviation = math.sqrt(sum(each**2 for each in sums) / len(sums))
    together = sum(map(lambda x, y: x * y, left, right))
    assert math.isclose(found.chance, 2 * tail(abs(together) / deviation))
    assert found.groups == 1


@settings(max_examples=examples(5))
@given(st.integers(0, 10**6))
def test_nothing_goes_together_by_chance(seed: int) -> None:
    """Of 400 files of shuffled figures some 20 are below 5 %, and a binomial of 400 hardly leaves 5 to 41."""
    rng = random.Random(seed)
    below = 0
    for _ in range(400):
        groups = [
            ([rng.random() for _ in range(6)], [rng.choice((0, 1)) for _ in range(6)]) for _ in range(20)
        ]
        below += within_groups(groups).chance < 0.05
    assert 5 <= below <= 41


@given(st.lists(st.floats(-1e6, 1e6), min_size=0, max_size=40))
def test_any_course_has_a_change_or_none(means: list[float]) -> None:
    change = change_over(means)
    assert (change is None) == (len(means) < 12)
    if change is not None:
        assert math.isfinite(change.z)
        assert 0.0 <= change.chance <= 1.0


@pytest.mark.parametrize(("step", "certain"), [(0.0, False), (0.05, True)])
def test_a_change_is_told_from_scatter(step: float, certain: bool) -> None:
    """A slope of three standard deviations over a run is seen, and no slope is not."""
    rng = random.Random(1)
    change = change_over([step * place + rng.gauss(0, 0.5) for place in range(40)])
    assert change is not None
    assert (abs(change.z) > 3) == certain
