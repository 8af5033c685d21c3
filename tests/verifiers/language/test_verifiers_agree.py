"""What a sentence says of a value is one judgement: every verifier that reads it there comes to the same one."""

from __future__ import annotations

from typing import Any

from tests.support import FIXTURES, in_groups, rows
from verifiers import ExactMatch, MathEquivalence, MultipleChoice

FRAMES = rows(FIXTURES / "frames" / "judgements.jsonl")
"""A frame is one line: its language, the text with the places of the value and of another, and whether it states the value."""
QUESTION = {
    "en": "Which planet is the largest?\nA. Mars\nB. Venus\nC. Jupiter\nD. Earth",
    "ko": "가장 큰 행성은?\n① 화성\n② 금성\n③ 목성\n④ 지구",
    "zh": "最大的行星是哪个？\nA. 火星\nB. 金星\nC. 木星\nD. 地球",
}
LABELS = {"en": ("C", "Jupiter"), "ko": ("3번", "목성"), "zh": ("C", "木星")}
OTHERS = {"en": ("B", "Venus"), "ko": ("2번", "금성"), "zh": ("B", "金星")}
REFERENCES = {"en": "C", "ko": "3", "zh": "C"}


@in_groups(FRAMES, lambda row: row["frame"])
def test_a_frame_says_the_same_to_every_verifier(row: dict[str, Any]) -> None:
    """A number, a label, a label with the question, an option's own text and a text for word by word."""
    language, frame = row["language"], row["frame"]
    (label, text), (label_too, text_too) = LABELS[language], OTHERS[language]
    choice, reference, question = MultipleChoice(), REFERENCES[language], QUESTION[language]
    scores = {
        "number": MathEquivalence().verify(frame.format("42", other="43"), "42").score,
        "label": choice.verify(frame.format(label, other=label_too), reference).score,
        "label, question": choice.verify(
            frame.format(label, other=label_too), reference, prompt=question
        ).score,
        "option text": choice.verify(frame.format(text, other=text_too), reference, prompt=question).score,
        "exact": ExactMatch().verify(frame.format(text, other=text_too), text).score,
    }
    assert scores == dict.fromkeys(scores, 1.0 if row["holds"] else 0.0)
