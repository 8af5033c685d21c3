"""Lengths, tags, repetition and language against their papers' formulas, and rewards that compare."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewards import (
    Batch,
    CosineLength,
    Diversity,
    DuplicatePenalty,
    LengthTarget,
    Pay,
    Rank,
    Reward,
    SoftOverlong,
    TagCount,
    WinRate,
)
from rewards.tree.batch import group_ranges
from tests.timing import SOAK, affordable
from verifiers import ConfigError, ExactMatch, Keywords, LanguageConsistency, Length, Repetition

VALUES = st.lists(st.sampled_from(["a", "b b", "", "c c c"]), min_size=1, max_size=6)


@given(st.integers(0, 40))
def test_soft_overlong_is_equation_13_of_dapo(length: int) -> None:
    """Written out here as in the paper, with L_max = 30 and L_cache = 10."""
    if length <= 20:
        expected = 0.0
    elif length <= 30:
        expected = ((30 - 10) - length) / 10
    else:
        expected = -1.0
    assert SoftOverlong(30, 10)(["x"], completion_tokens=[length]) == [pytest.approx(expected)]


def test_tokens_come_from_a_trainer_or_a_column() -> None:
    """A length that is not known is None; a column that is not there is told."""
    reward = SoftOverlong(4, 2)
    assert reward(["a", "b"], completion_ids=[[1, 2, 3], [1] * 9]) == [-0.5, -1.0]
    assert reward(["a", "b", "c"], completion_tokens=[3, None, -1]) == [-0.5, None, None]
    assert Pay(Length(1, 2, "tokens"))(["a", "b"], completion_ids=[[1, 2, 3], [1]]) == [0.0, 1.0]
    with pytest.raises(ConfigError, match="need a column completion_tokens"):
        reward(["a"])


@given(st.integers(0, 120), st.booleans())
def test_cosine_length_is_the_papers(length: int, right: bool) -> None:
    """With the paper's own ends: r_0^c = 2, r_L^c = 1, r_0^w = -10, r_L^w = 0, r_e = -10."""
    start, end = (2.0, 1.0) if right else (-10.0, 0.0)
    expected = end + 0.5 * (start - end) * (1 + math.cos(length / 100 * math.pi)) if length <= 100 else -10.0
    reward = CosineLength(
        Pay(ExactMatch()),
        100,
        "tokens",
        right_short=2,
        right_long=1,
        wrong_short=-10,
        wrong_long=0,
        exceeded=-10,
    )
    [value] = reward(["4"], answer=["4" if right else "5"], completion_tokens=[length])
    assert value == pytest.approx(expected)
    assert reward(["4"], answer=[""], completion_tokens=[length]) == [None]


def test_the_seeds_length_formulas() -> None:
    """100 to 2000 characters earn 0.3, and -|length - 500| / 1000."""
    band, target = 0.3 * Pay(Length(100, 2000)), LengthTarget(500, 1000)
    for length in (0, 99, 101, 500, 1999, 2001, 5000):
        text = "x" * length
        assert band([text]) == [0.3 if 100 < length < 2000 else 0.0]
        assert target([text]) == [-abs(length - 500) / 1000]


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("<think>a</think><answer>b</answer>", 1.0),
        ("<think>a</think><answer>b", 0.75),
        ("<think><think>a</think>", 0.25),
        ("", 0.0),
        ("</answer><think>", 0.5),
        ("<Think>", 0.0),
    ],
)
def test_tag_count(text: str, share: float) -> None:
    """A quarter for each of four tags that occurs exactly once."""
    assert TagCount()([text]) == [share]


@pytest.mark.parametrize(
    ("text", "n", "score", "reason"),
    [
        ("a b c d", 2, 1.0, "distinct"),
        ("a b a b a b", 2, 2 / 5, "repeated"),
        ("a", 2, 1.0, "short"),
        ("", 1, 1.0, "short"),
        ("x" * 1600, 3, 1 / 1598, "repeated"),
        ("\u4e00\u4e8c\u4e09\u56db" * 10, 2, 4 / 39, "repeated"),
        ("so\u200b it so it so\u200b\u200b it", 2, 2 / 5, "repeated"),
        ("답은 3 답은 3 답은 3", 2, 2 / 5, "repeated"),
    ],
)
def test_repetition(text: str, n: int, score: float, reason: str) -> None:
    """The share of different n-grams; text without spaces is seen too."""
    verdict = Repetition(n).verify(text)
    assert verdict.score == pytest.approx(score)
    assert verdict.reason == reason
    assert Repetition(2, "characters").verify("ababab").score == pytest.approx(2 / 5)


def test_long_hostile_texts_cost_little() -> None:
    """Openings without ends, one letter a million times, and nothing but tags."""
    share, most = (1, 6.0) if SOAK else (8, 2.0)
    for text in (
        "\\[" * (200_000 // share),
        "$$ " * (200_000 // share),
        "(" * (500_000 // share),
        "가" * (1_000_000 // share),
        "`" * (300_001 // share),
        "\\boxed{" * (9**5 // share),
    ):
        for verifier in (LanguageConsistency("ko"), Repetition(), Repetition(20, "characters")):
            assert affordable(verifier.verify, text, most)
            assert verifier.verify(text).score is not None


@pytest.mark.parametrize(
    ("rows", "size", "ranges"),
    [
        (["p", "p", "q"], None, [range(2), range(2, 3)]),
        (["p", "p", "q", "q", "p", "p"], None, [range(2), range(2, 4), range(4, 6)]),
        ([[{"role": "user", "content": "p"}]] * 2, None, [range(2)]),
        (["p", "p", "p", "p"], 2, [range(2), range(2, 4)]),
        ([], None, []),
    ],
)
def test_groups_are_neighbours(rows: list[object], size: int | None, ranges: list[range]) -> None:
    """Of equal prompts, or of a size that is given."""
    assert group_ranges(len(rows), rows, size) == ranges


@pytest.mark.parametrize(
    ("rows", "size", "message"),
    [
        (["p", "q", "p", "q"], None, "rows 0 and 2 have one prompt and others between them; sort the rows"),
        (["p", "p", "q", "p"], None, "must follow one another"),
        (["p", "q"], 2, "rows 0 to 1 should be one group of 2, but their prompts differ"),
        (["p", "p", "p"], 2, "3 rows do not divide into groups of 2"),
        (["p"], 0, "group_size must be a whole number from 1, got 0"),
        (None, None, "give a prompts column, or group_size"),
    ],
)
def test_another_layout_is_refused(rows: list[object] | None, size: int | None, message: str) -> None:
    """A mean over the wrong rows would not be seen in any log."""
    with pytest.raises(ConfigError, match=message):
        group_ranges(3 if rows is None else len(rows), rows, size)


@settings(deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=3))
def test_comparisons_see_their_group_only(groups: list[list[str]]) -> None:
    """What a group is paid does not depend on the groups next to it, and values are where they should be."""
    texts = [text for group in groups for text in group]
    prompts = [str(number) for number, group in enumerate(groups) for _ in group]
    for reward in (Rank(LengthTarget(0)), WinRate(LengthTarget(0)), DuplicatePenalty(), Diversity(1)):
        together = reward(texts, prompts=prompts)
        apart = [value for group in groups for value in reward(group, group_size=len(group))]
        assert together == apart
        low, high = (-1.0, 0.0) if isinstance(reward, DuplicatePenalty) else (0.0, 1.0)
        assert all(value is not None and low <= value <= high for value in together)


@given(VALUES)
def test_win_rates_of_a_group_average_one_half(texts: list[str]) -> None:
    """Each comparison gives one point."""
    values = WinRate(LengthTarget(0))(texts, group_size=len(texts))
    assert sum(value or 0.0 for value in values) / len(values) == pytest.approx(0.5)


def test_rows_without_a_score_are_nobodys_opponent() -> None:
    """They stay None."""
    reward: Reward = WinRate(Pay(ExactMatch()))
    assert reward(["4", "5", "4"], answer=["4", "4", ""], group_size=3) == [1.0, 0.0, None]
    assert Rank(Pay(ExactMatch()))(["4", "4"], answer=["4", "4"], group_size=2) == [0.0, 0.0]
    assert reward.needs_groups
    assert reward.part_names() == ["WinRate", "ExactMatch"]
    with pytest.raises(ConfigError, match="which belong together"):
        reward(["4"], answer=["4"])


def test_duplicates_are_found_whatever_their_case_and_spaces() -> None:
    """And only those of the group."""
    batch = Batch(["It is 4", "it  is 4", "5", None, "5"], {"prompt": ["p", "p", "p", "p", "q"]})
    assert [each.value for each in batch.pay(DuplicatePenalty(0.4))] == [-0.2, -0.2, 0.0, None, 0.0]
    answers = DuplicatePenalty(of="response")
    assert answers(["<think>a</think>4", "<think>b</think>4"], group_size=2) == [-1.0, -1.0]
    right_and_new = Pay(Keywords(("4",))) * 1.0 + Diversity(1).named("new").when(Pay(Keywords(("4",))))
    assert right_and_new(["is 4", "4 eggs", "no"], group_size=3) == [
        pytest.approx(1 + (2 / 3 + 1) / 2),
        pytest.approx(1 + (2 / 3 + 1) / 2),
        0.0,
    ]
