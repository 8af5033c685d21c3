"""A choice survives being said: the option that a plain sentence names, and no other one."""

from __future__ import annotations

import pytest

from tests.support import rows
from tests.verifiers.reading.materials import FOLDER, LANGUAGES, Frame, report
from verifiers import MultipleChoice

WRITTEN = {
    "en": [
        ("A", "A", ""), ("B", "B", ""), ("C", "C", ""), ("D", "D", ""), ("E", "E", ""), ("(A)", "A", ""), ("(C)", "C", ""),
    ],
    "ko": [
        ("A", "A", "이"), ("C", "C", "씨"), ("①", "1", "번"), ("③", "3", "번"), ("3번", "3", "번"), ("2번", "2", "번"), ("⑤번", "5", "번"),
        ("(나)", "나", "나"),
    ],
    "zh": [("A", "A", ""), ("B", "B", ""), ("C", "C", ""), ("D", "D", ""), ("E", "E", ""), ("(B)", "B", "")],
}  # fmt: skip
"""How an option is written, its label, and its last sound in Korean."""
OTHERS = {
    "A": "B",
    "B": "C",
    "C": "D",
    "D": "E",
    "E": "A",
    "1": "2",
    "2": "3",
    "3": "4",
    "5": "1",
    "나": "다",
}
ANY = frozenset({"any"})


def _said(language: str) -> list[tuple[str, str]]:
    texts = [row["frame"] for row in rows(FOLDER / "choices.jsonl") if row["language"] == language]
    return [
        (Frame(language, text, ANY, frozenset()).says({"value": written, "read": read}), label)
        for text in texts
        for written, label, read in WRITTEN[language]
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_option_that_is_named_is_chosen(language: str) -> None:
    """And paid; another one is not."""
    said = _said(language)
    right = MultipleChoice().verify_batch([text for text, _ in said], [label for _, label in said])
    other = MultipleChoice().verify_batch([text for text, _ in said], [OTHERS[label] for _, label in said])
    wrong = [
        ("refused", f"{text!r} for {label}", verdict)
        for (text, label), verdict in zip(said, right, strict=True)
        if verdict.score != 1.0
    ]
    wrong += [
        ("paid for another", f"{text!r} for {OTHERS[label]}", verdict)
        for (text, label), verdict in zip(said, other, strict=True)
        if verdict.score != 0.0
    ]
    assert not wrong, report(wrong, 2 * len(said))
