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
)  # fmt: skip
from verifiers import ConfigError, ExactMatch, Keywords, Length, Repetition

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


def test_a_stretch_is_one_token_or_all_of_them() -> None:
    assert SoftOverlong(4, 1)(["a", "b", "c"], completion_tokens=[3, 4, 5]) == [0.0, -1.0, -1.0]
    assert SoftOverlong(10, 10)(["x"] * 3, completion_tokens=[0, 5, 10]) == [0.0, -0.5, -1.0]


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
        Pay(ExactMatch()), 100, "tokens", right_short=2, right_long=1, wrong_short=-10, wrong_long=0,
        exceeded=-10,
    )  # fmt: skip
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
        ("<think>a</think><answer>b</answer>", 1.0), ("<think>a</think><answer>b", 0.75),
        ("<think><think>a</think>", 0.25), ("", 0.0), ("</answer><think>", 0.5), ("<Think>", 0.0),
        ("<think>\na\n</think>\n<answer>\nb\n</answer>", 1.0),
    ],
)  # fmt: skip
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
    assert (verdict.score, verdict.reason) == (pytest.approx(score), reason)
    assert Repetition(2, "characters").verify("ababab").score == pytest.approx(2 / 5)


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
    values = WinRate(LengthTarget(0))(texts, group_size=len(texts))
    assert sum(value or 0.0 for value in values) / len(values) == pytest.approx(0.5)


def test_rows_without_a_score_are_nobodys_opponent() -> None:
    reward: Reward = WinRate(Pay(ExactMatch()))
    assert reward(["4", "5", "4"], answer=["4", "4", ""], group_size=3) == [1.0, 0.0, None]
    assert Rank(Pay(ExactMatch()))(["4", "4"], answer=["4", "4"], group_size=2) == [0.0, 0.0]
    assert reward.needs_groups
    assert reward.part_names() == ["WinRate", "ExactMatch"]
    with pytest.raises(ConfigError, match="which belong together"):
        reward(["4"], answer=["4"])


def test_duplicates_are_found_whatever_their_case_and_spaces() -> None:
    batch = Batch(["It is 4", "it  is 4", "5", None, "5"], {"prompt": ["p", "p", "p", "p", "q"]})
    assert [each.value for each in batch.pay(DuplicatePenalty(0.4))] == [-0.2, -0.2, 0.0, None, 0.0]
    answers = DuplicatePenalty(of="response")
    assert answers(["<think>a</think>4", "<think>b</think>4"], group_size=2) == [-1.0, -1.0]
    right_and_new = Pay(Keywords(("4",))) * 1.0 + Diversity(1).named("new").when(Pay(Keywords(("4",))))
    assert right_and_new(["is 4", "4 eggs", "no"], group_size=3) == [
        pytest.approx(1 + (2 / 3 + 1) / 2), pytest.approx(1 + (2 / 3 + 1) / 2), 0.0,
    ]  # fmt: skip


def test_what_is_no_text_is_not_judged_and_is_logged() -> None:
    """As a part of its own, like every other row; None masks it."""
    without, given = TagCount(("a",)).pay(Batch([None, "<a>x</a>"]))
    assert (without.value, without.note, without.logged) == (None, "not text", True)
    assert (given.value, given.note, given.logged) == (1.0, "2 of 2 tags once", True)


@pytest.mark.parametrize("tags", [(), ("a", "a"), ("a b",), ("<a>",), ("",)])
def test_tags_that_cannot_be_counted_are_refused(tags: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match="TagCount"):
        TagCount(tags)


def test_tags_without_end_earn_nothing() -> None:
    """Up to a thousand are counted, so that counting costs little."""
    counted = TagCount(("a", "b"))
    assert counted(["<b>" + "<a>" * 998, "<b>" + "<a>" * 999, None]) == [0.25, 0.0, None]
    assert TagCount("a")(["<a></a>"]) == [1.0]


RIGHT: Reward = Pay(ExactMatch())


def test_the_longest_length_still_counts_as_within() -> None:
    """At `maximum` a right answer earns its end, above it what exceeding earns."""
    reward = CosineLength(RIGHT, 10, "characters", exceeded=-5.0)
    assert reward(["4" * 10], answer=["4" * 10]) == [pytest.approx(0.5)]
    assert reward(["4" * 11], answer=["4" * 11]) == [-5.0]
    assert reward(["4" * 10], answer=["4"]) == [pytest.approx(-0.5)]
    partly = CosineLength(Pay(Keywords(("a", "b"), mode="fraction")), 10, "characters")
    assert partly(["a"])[0] == pytest.approx(-1.0 + 0.5 * (1 - math.cos(math.pi / 10)) / 2), "partly is wrong"
    assert LengthTarget(10, unit="tokens")(["x"], completion_tokens=[9]) == [-0.001]
