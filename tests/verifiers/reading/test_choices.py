"""A choice survives being said: the option that a plain sentence names, and no other one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import rows
from tests.verifiers.reading.materials import FOLDER, LANGUAGES, report
from verifiers import MultipleChoice

LABELS = {
    "en": {"A": "A", "B": "B", "C": "C", "D": "D", "E": "E", "(A)": "A", "(C)": "C", "**B**": "B"},
    "ko": {"A": "A", "C": "C", "③": "3", "①": "1", "3번": "3", "2번": "2", "⑤번": "5", "(나)": "나"},
    "zh": {"A": "A", "B": "B", "C": "C", "D": "D", "E": "E", "(B)": "B"},
}
"""How an option is written, and its label."""
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


def _said(language: str) -> list[tuple[str, str]]:
    found: list[dict[str, Any]] = [
        row for row in rows(FOLDER / "choices.jsonl") if row["language"] == language
    ]
    return [
        (row["frame"].replace("{}", written), label)
        for row in found
        for written, label in (
            LABELS[language] if "labels" not in row else {key: key for key in row["labels"]}
        ).items()
        if "**" not in written or "*" not in row["frame"] and "`" not in row["frame"]
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_option_that_is_named_is_chosen(language: str) -> None:
    """And paid; another one is not."""
    said = _said(language)
    verdicts = MultipleChoice().verify_batch([text for text, _ in said], [label for _, label in said])
    wrong = [
        ("refused", f"{text!r} for {label}", verdict)
        for (text, label), verdict in zip(said, verdicts, strict=True)
        if verdict.score != 1.0
    ]
    verdicts = MultipleChoice().verify_batch([text for text, _ in said], [OTHERS[label] for _, label in said])
    wrong += [
        ("paid for another", f"{text!r} for {OTHERS[label]}", verdict)
        for (text, label), verdict in zip(said, verdicts, strict=True)
        if verdict.score != 0.0
    ]
    assert not wrong, report(wrong, 2 * len(said))
