"""Estimates by enumeration, votes that do not depend on the order, and what goes into training data."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewards.select import (
    Candidate,
    best_at_k,
    best_of_n,
    group_statistics,
    majority,
    pass_at_k,
    preference_pairs,
    rejection_sample,
    star_sample,
    vote,
)  # fmt: skip
from rewards.select.prompt_figures import collapse_probability
from rewards.select.vote import equal_by
from tests.timing import examples
from verifiers import ConfigError, ExactMatch, MathEquivalence, MultipleChoice, TagFormat, WholeText

# Answers in many forms, on either side of every allowance that the strict form does not give.
FORMS = [
    "1/2", "0.5", r"\frac12", r"\frac{1}{2}", "50%", "50", "0.50", "2/4", "5", "5.0", "x=5", "5 km",
    "5000 meters", "5 apples", "5 개", "-5", "500%", "(1, 2)", "1, 2", r"\{1, 2\}", r"\{2, 1\}",
    "[1, 2]", "2, 1", "A", "(A)", "yes", "Yes", r"\sqrt{2}", r"2^{1/2}", r"\frac{2}{\sqrt2}", r"\sqrt{8}/2",
    "1,000", "1000", "$5", "5 dollars", r"x^2-1", r"(x-1)(x+1)", "1e3", "2 hours", "120 minutes", "\\pi",
    "3.14", "", "???",
]  # fmt: skip


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_k_by_enumeration(sizes: tuple[int, int, int]) -> None:
    """The share of all choices of k with a right one among them."""
    n, c, k = sizes
    rows = [True] * c + [False] * (n - c)
    choices = list(itertools.combinations(rows, k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, choices)) / len(choices))
    flat = sum(len(set(choice)) == 1 for choice in choices) / len(choices)
    assert collapse_probability(n, c, k) == pytest.approx(flat)


def test_pass_at_k_does_not_round_where_products_do() -> None:
    """Whole numbers to the end, and its bounds are checked."""
    assert (pass_at_k(10_000, 1, 10_000), pass_at_k(10_000, 1, 5_000)) == (1.0, 0.5)
    for bad in ((1, 2, 1), (1, 0, 2), (0, 0, 1), (1, -1, 1)):
        with pytest.raises(ConfigError, match="0 <= c <= n"):
            pass_at_k(*bad)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=7), st.data())
def test_best_at_k_by_enumeration(rewards: list[float], data: st.DataObject) -> None:
    """The mean of the best over all choices of k."""
    k = data.draw(st.integers(1, len(rewards)))
    choices = list(itertools.combinations(rewards, k))
    assert best_at_k(rewards, k) == pytest.approx(sum(map(max, choices)) / len(choices), abs=1e-9)


def test_strict_equality_of_answers_is_an_equivalence() -> None:
    """Symmetric and transitive over every pair and triple of forms: votes need classes."""
    equal = equal_by(MathEquivalence(strict=True))
    same = {(one, other): equal(one, other) for one in FORMS for other in FORMS}
    for one, other in same:
        assert same[one, other] == same[other, one], (one, other)
    for one, two, three in itertools.permutations(FORMS, 3):
        assert not (same[one, two] and same[two, three]) or same[one, three], (one, two, three)
    assert same["1/2", r"\frac12"]
    assert same["1/2", "50%"]
    assert same["5 km", "5000 meters"]
    assert not same["50", "50%"]
    assert not same["5", "5 apples"]
    assert not same["5", "5 km"]


NUMERALS = st.one_of(
    st.integers(-999, 999).map(str),
    st.integers(-(10**19), 10**19).map(str),
    st.tuples(st.integers(-999_999, 999_999), st.integers(0, 999), st.integers(1, 3)).map(
        lambda each: f"{each[0]}.{each[1]:0{each[2]}d}"
    ),
    st.integers(-(10**9), 10**9).map("{:,}".format),
    st.tuples(st.integers(0, 99_999), st.sampled_from((3, 7, 900)), st.integers(1, 20)).map(
        lambda each: f"{each[0] / each[1]:,.{each[2]}f}"
    ),
    st.sampled_from(
        ["-0", "00", "0.0", "-0.0", "3.", ".5", "1e3", "100", "100.00", "0.333333333", "0.3333333333"]
    ),
)


@settings(deadline=None, max_examples=examples(150))
@given(NUMERALS, NUMERALS)
def test_numerals_are_told_apart_as_the_verifier_does(one: str, other: str) -> None:
    """Whether two plain numbers are one answer is known without it, and is what it says in both directions."""
    whole = MathEquivalence(strict=True, extract=WholeText())
    said = whole.verify(one, other).passed and whole.verify(other, one).passed
    assert equal_by(MathEquivalence(strict=True))(one, other) is said


@settings(deadline=None, max_examples=examples(40))
@given(st.lists(st.sampled_from(FORMS), min_size=1, max_size=9), st.randoms())
def test_classes_do_not_depend_on_the_order(answers: list[str], chance: random.Random) -> None:
    def classes(given_: list[str]) -> set[frozenset[str]]:
        found = majority([f"<answer>{answer}</answer>" for answer in given_])
        return {frozenset(given_[row] for row in rows) for rows in found.classes}

    shuffled = answers[:]
    chance.shuffle(shuffled)
    assert classes(answers) == classes(shuffled)


def test_equal_answers_vote_together() -> None:
    outcome = majority(
        [r"\boxed{\frac12}", "the answer is 0.5", "<answer>1/2</answer>", r"\boxed{3}", "\\boxed{"]
    )
    assert (outcome.classes, outcome.votes, outcome.abstained) == (((0, 1, 2), (3,)), (3.0, 1.0), (4,))
    assert not outcome.tied
    tie = majority([r"\boxed{1}", r"\boxed{2}", "<think>3"], ties="none")
    assert (tie.winner, tie.answer, tie.tied, tie.abstained) == (None, None, True, (2,))
    assert majority([r"\boxed{2}", r"\boxed{1}"]).answer == "2"
    assert majority([]).winner is None
    assert majority(["<think>", None]).abstained == (0, 1)


def test_votes_can_be_weighted_and_by_another_verifier() -> None:
    boxes = [r"\boxed{1}", r"\boxed{2}", r"\boxed{1.0}", r"\boxed{7}"]
    outcome = majority(boxes, weights=[0.2, 0.5, 0.2, None])
    assert (outcome.answer, outcome.votes, outcome.abstained) == ("2", (0.5, 0.4), (3,))
    assert majority(["Answer: (C)", "정답은 C", "(B)"], MultipleChoice()).votes == (2.0, 1.0)
    assert majority(
        ["<answer>Seoul</answer>", "<answer>seoul.</answer>"], ExactMatch(ignore_case=True)
    ).votes == (2.0,)
    with pytest.raises(ConfigError, match="has no field extract"):
        majority(["a"], TagFormat())
    with pytest.raises(ConfigError, match="a finite number from 0, or None, got -1"):
        majority(boxes, weights=[1, 1, 1, -1])
    with pytest.raises(ConfigError, match="1 weights for 4 answers"):
        majority(boxes, weights=[1])
    with pytest.raises(ConfigError, match="ties must be"):
        vote(["a"], str.__eq__, ties="last")  # type: ignore[arg-type]


GROUP = [
    Candidate("It is 4, since 2 + 2 = 4.", 1.0, 1.0, 25),
    Candidate("It is 4.", 1.0, 0.8, 8),
    Candidate("it is  4.", 1.0, 0.9, 9),
    Candidate("It is 5.", 0.0, 0.3, 8),
    Candidate("I do not know, but it might be 5.", 0.0, 0.0, 33),
    Candidate("(unusable reference)", None, None, 1),
    Candidate("4", 1.0, 2.0, 1, hinted=True),
    Candidate("4!", 1.0, 0.5, 2, accepted=False),
]


def _texts(candidates: list[Candidate]) -> list[str]:
    return [each.completion for each in candidates]


def test_rejection_sampling_keeps_right_completions() -> None:
    """Never a hinted, an unaccepted or an unjudged one; equal texts once."""
    assert _texts(rejection_sample(GROUP, 9)) == ["It is 4.", "It is 4, since 2 + 2 = 4."]
    assert _texts(rejection_sample(GROUP, 9, dedupe=False)) == [
        "It is 4.", "it is  4.", "It is 4, since 2 + 2 = 4.",
    ]  # fmt: skip
    assert _texts(rejection_sample(GROUP, 1, "best")) == ["It is 4, since 2 + 2 = 4."]
    assert _texts(rejection_sample(GROUP, 1, "first")) == ["It is 4, since 2 + 2 = 4."]
    by_seed = [_texts(rejection_sample(GROUP, 1, "random", seed=seed)) for seed in range(12)]
    assert by_seed == [_texts(rejection_sample(GROUP, 1, "random", seed=seed)) for seed in range(12)]
    assert len({each[0] for each in by_seed}) > 1
    assert rejection_sample(GROUP[3:6]) == []
    with pytest.raises(ConfigError, match="per_prompt must be a whole number from 1, got 0"):
        rejection_sample(GROUP, 0)
    with pytest.raises(ConfigError, match="prefer must be"):
        rejection_sample(GROUP, 1, "longest")  # type: ignore[arg-type]


def test_hints_are_used_only_where_nothing_else_is_right() -> None:
    assert not star_sample(GROUP)[0].hinted
    assert _texts(star_sample(GROUP[3:])) == ["4"]
    assert star_sample(GROUP[3:])[0].hinted


def test_pairs_join_right_and_wrong() -> None:
    """Closest in length, or furthest in reward; nothing is in two pairs."""
    [pair] = preference_pairs(GROUP)
    assert (pair[0].completion, pair[1].completion) == ("It is 4.", "It is 5.")
    [pair] = preference_pairs(GROUP, pairing="reward")
    assert (pair[0].completion, pair[1].completion) == (
        "It is 4, since 2 + 2 = 4.",
        "I do not know, but it might be 5.",
    )
    many = preference_pairs(GROUP, 9)
    assert (len(many), len({id(each) for both in many for each in both})) == (2, 4)
    assert preference_pairs(GROUP, margin=1.5) == []
    with pytest.raises(ConfigError, match="pairing must be"):
        preference_pairs(GROUP, pairing="both")  # type: ignore[arg-type]


def test_best_of_n_is_the_best_paid() -> None:
    assert best_of_n(GROUP[:6]) is GROUP[0]
    assert best_of_n(GROUP[5:6]) is None


def test_statistics_count_what_they_say() -> None:
    """Hinted rows nowhere, unjudged ones as unjudged, ties by the share of right winners."""
    groups = [
        [Candidate("", 1.0, 1.2, answer="1"), Candidate("", 0.0, 0.1, answer="2"), Candidate("", 0.0, 0.2)],
        [Candidate("", 0.0, 0.1, answer="5"), Candidate("", 0.0, 0.3, answer="5")],
        [Candidate("", 1.0, 1.0, answer="7"), Candidate("", 1.0, 1.0, answer="7")],
        [Candidate("", None, None), Candidate("", 1.0, 1.0, hinted=True)],
    ]
    figures = group_statistics(groups, lambda one, other: one == other)
    assert (figures.groups, figures.rows, figures.unjudged, figures.unjudged_groups) == (4, 8, 1, 1)
    assert (figures.all_right, figures.all_wrong, figures.flat_rewards, figures.shaped_only) == (1, 1, 1, 1)
    assert figures.mean(figures.passes, 1) == pytest.approx((1 / 3 + 0 + 1) / 3)
    assert figures.mean(figures.passes, 2) == pytest.approx((2 / 3 + 0 + 1) / 3)
    assert figures.mean(figures.passes, 4) is None
    assert (figures.distinct, figures.smallest_step) == (3 + 2 + 1, pytest.approx(0.1))
    assert (figures.votes, figures.ties, figures.votes_right) == (3, 1, 1.5)
    assert group_statistics([]).deviation is None
