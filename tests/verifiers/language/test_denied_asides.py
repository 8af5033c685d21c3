"""What stands beside a value and denies another, roots of numbers in words, and short amounts of money."""

from __future__ import annotations

import pytest

from verifiers import MathEquivalence

JUDGE = MathEquivalence()


@pytest.mark.parametrize(
    "frame",
    ["답: {} ({}가 아님)", "정답: {} ({}는 오답)", "The answer is {} (not {}).", "The answer is {}, not {}."],
)
def test_a_bracket_that_denies_another_value_is_cut_off(frame: str) -> None:
    """The value is paid, the denied one is not, whichever is which."""
    for right, wrong in (("43", "42"), ("42", "43"), ("7", "1200")):
        text = frame.format(right, wrong)
        assert [JUDGE.verify(text, each).score for each in (right, wrong)] == [1.0, 0.0], text


@pytest.mark.parametrize(("said", "root"), [("二", 2), ("三", 3), ("十二", 12), ("二十", 20)])
def test_a_root_of_a_number_in_words(said: str, root: int) -> None:
    """And not the number, nor the root of a part of it."""
    text = f"答案是根号{said}"
    assert JUDGE.verify(text, rf"\sqrt{{{root}}}").score == 1.0
    assert JUDGE.verify(text, str(root)).score == 0.0
    assert JUDGE.verify(text, rf"\sqrt{{{root + 8}}}").score == 0.0


@pytest.mark.parametrize(
    ("short", "amount"), [("$1.5M", "1500000"), ("€20k", "20000"), ("$3bn", "3000000000")]
)
def test_a_letter_behind_money_counts_thousands(short: str, amount: str) -> None:
    """After money alone: 1.5M may be a length, and $2k$ a formula."""
    assert JUDGE.verify(short, amount).score == 1.0
    assert JUDGE.verify(short[1:], amount).score == 0.0
    if short.startswith("$"):
        assert JUDGE.verify(f"{short}$", amount).score == 0.0
