"""The task of the Malpyeong contest: which of two sentences is right, and why."""

from __future__ import annotations

from .known_set import KnownSet, NotOfTheSetError, Row, columns, text_in


def _statement(row: Row) -> str:
    text = text_in(row, "output.answer").strip()
    if not text.startswith(('"', "“")):
        raise NotOfTheSetError("'output.answer' does not begin with a quoted sentence")
    return text


KOREAN = (
    KnownSet(
        "Malpyeong",
        "the files of the 2025 contest (docs/korean.md)",
        columns("input.question_type", "input.question", "output.answer"),
        "output.answer",
        "KoreanAnswerTemplate",
        _statement,
        prompt="input.question",
    ),
)
