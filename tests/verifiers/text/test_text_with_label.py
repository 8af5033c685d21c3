"""An option's text with a label after it is one answer only where the label is its own."""

from __future__ import annotations

import pytest

from verifiers import MultipleChoice

QUESTION = "Which city?\nA. Busan\nB. Seoul"


@pytest.mark.parametrize(
    "frame",
    [
        "The answer is {} ({}).", "{} ({})", "\\boxed{{{} ({})}}", "정답은 {} ({})입니다.", "The answer is **{}** ({}).",
    ],
)  # fmt: skip
def test_a_text_with_the_label_of_another_names_two(frame: str) -> None:
    """Neither is paid; with its own label, or with none, the option is."""
    judge = MultipleChoice()
    for text, own, other in (("Seoul", "B", "A"), ("Busan", "A", "B")):
        said = frame.format(text, other)
        for reference in (own, other):
            verdict = judge.verify(said, reference, prompt=QUESTION)
            assert (verdict.score, verdict.reason) == (0.0, "several_answers"), said
        assert judge.verify(frame.format(text, own), own, prompt=QUESTION).score == 1.0
        assert judge.verify(f"The answer is {text}.", own, prompt=QUESTION).score == 1.0
