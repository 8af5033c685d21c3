"""An answer that the next sentence takes back is not paid; one that is only checked again still is."""

from __future__ import annotations

import itertools

from tests.support import in_groups
from verifiers import MathEquivalence
from verifiers.language.sentences.retractions import retraction

FIRST = (
    "The answer is {}.", "답은 {}입니다.", "정답: {}\n", "答案是{}。", "\\boxed{{{}}}\n\n", "<answer>{}</answer>",
)  # fmt: skip
BACK = (
    "No wait, it is {}.", "Actually no, {}.", "Sorry, I made a mistake: {} is the right value.", "I mean {}.",
    "Actually, it should be {}.", "Correction: {}", "아니, 틀렸습니다. {}입니다.", "정정합니다: {}", "다시 보니 {}입니다.", "不对，应该是{}。", "更正：{}。",
)  # fmt: skip
CHECKED = (
    "Wait, let me double-check: 6*7 = {}. Yes.", "Let me verify: 6*7 = 42. So {} is correct.", "Actually, it is {}.",
    "Sorry for the long solution; it took 3 pages.", "No further steps are needed.", "Could it be 43? No, 43 is prime.",
    "혹시 43일까요? 아니요, 43은 소수입니다.", "다시 계산하면 {}입니다.", "不过没有别的解。", "Note that 43 is too large.",
)  # fmt: skip


@in_groups(list(itertools.product(FIRST, BACK)), repr)
def test_an_answer_that_is_taken_back_is_not_paid(first: str, back: str) -> None:
    """In every wrapper, and the value that takes its place is."""
    text = f"{first.format(42)} {back.format(43)}"
    judge = MathEquivalence()
    assert judge.verify(text, "42").score == 0.0
    assert judge.verify(text, "43").score == 1.0


@in_groups(list(itertools.product(FIRST, CHECKED)), repr)
def test_an_answer_that_is_looked_at_again_is_paid(first: str, more: str) -> None:
    """What is said again, and what is said of other numbers, takes nothing back."""
    text = f"{first.format(42)} {more.format(42)}"
    assert MathEquivalence().verify(text, "42").score == 1.0


def test_a_long_text_is_looked_at_no_further_than_a_bounded_stretch() -> None:
    """Whatever follows."""
    text = "42. " + "No, wait, " * 50_000
    assert retraction(text, 0, 2) is None
