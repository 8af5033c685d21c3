"""Sets of questions with options: answers are numbers or letters, the reference is the label."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from reward_verifiers.verifiers.core.completions import question_text
from reward_verifiers.verifiers.text.offered_options import offered
from reward_verifiers.verifiers.text.option_labels import Choice

from ..files.columns import column_of
from .known_set import KnownSet, NotOfTheSetError, Row, columns, text_in

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CHOICE = "MultipleChoice"
_LIKE_A_LABEL = re.compile(r"\W*(?:\d|[A-Za-z]\b)")
"""The beginning of an option's text that could pass for a label."""


def labels_of(row: Row, place: int, texts: Sequence[str]) -> list[str]:
    """Return the labels by which an answer may name an option.

    These are its letter, and its number from 1 as well, since prompts show either. Where the text of an
    option could pass for a label, it is the one in the row's prompt, and without a prompt the letter: of the
    options 4 and 2, "2" could mean either.

    >>> labels_of({}, 2, ["red", "blue", "green"]), labels_of({}, 0, ["4", "2"])
    (['C', '3'], ['A'])
    >>> labels_of({"prompt": "2+2?\\n1. 4\\n2. 2"}, 0, ["4", "2"])
    ['1']
    """
    letter, number = LETTERS[place], str(place + 1)
    if not any(_LIKE_A_LABEL.match(text) for text in texts):
        return [letter, number]
    asked = question_text(row.get("prompt"))
    shows_letters = offered(asked, frozenset({Choice("letter", frozenset(letter))}))
    shows_numbers = offered(asked, frozenset({Choice("number", frozenset({number}))}))
    return [number] if shows_numbers and not shows_letters else [letter]


def _shown(question: str, texts: Sequence[str]) -> str | None:
    """Return a question with lettered options where labels are ambiguous; None where they are not."""
    if not any(_LIKE_A_LABEL.match(text) for text in texts):
        return None
    return "\n".join([question, *(f"{letter}. {text}" for letter, text in zip(LETTERS, texts, strict=False))])


def _listed(row: Row, name: str) -> list[str]:
    found = column_of(row, name)
    if not isinstance(found, list) or not 2 <= len(found) <= len(LETTERS):
        raise NotOfTheSetError(f"{name!r} is no list of options")
    return [str(text) for text in found]


def _choices(row: Row) -> list[str]:
    return _listed(row, "choices")


def _options(row: Row) -> list[str]:
    return _listed(row, "options")


def _lettered(row: Row) -> list[str]:
    """Return the options of columns A, B, C ..."""
    found = []
    for letter in LETTERS:
        if row.get(letter) is None:
            break
        found.append(str(row[letter]))
    return found


def _number(row: Row) -> int:
    value = column_of(row, "answer")
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,2}", value.strip()):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotOfTheSetError(f"'answer' is no number but {value!r:.40}")
    return value


def _counted(options: Callable[[Row], list[str]], first: int) -> Callable[[Row], list[str]]:
    """Return a reader of references that are an option's number, counted from 0 or 1."""

    def reference(row: Row) -> list[str]:
        texts, number = options(row), _number(row)
        if not first <= number < first + len(texts):
            raise NotOfTheSetError(
                f"its answer {number} is none of {len(texts)} options that are counted from {first}"
            )
        return labels_of(row, number - first, texts)

    return reference


def _question(options: Callable[[Row], list[str]]) -> Callable[[Row], str | None]:
    return lambda row: _shown(str(row.get("question", "")), options(row))


def _unless_seen(options: Callable[[Row], list[str]], first: int) -> Callable[[Sequence[Row]], str]:
    """Return a doubt that only an answer of the first option (from 0) or the last (from 1) removes."""

    def doubt(rows: Sequence[Row]) -> str:
        if any(_number(row) == (0 if first == 0 else len(options(row))) for row in rows):
            return ""
        return (
            "its answers could count the options from 0 or from 1: no row shows which. Name a --recipe, and "
            "a column of labels such as B with --reference-field"
        )

    return doubt


def _arc_options(row: Row) -> list[str]:
    return _listed(row, "choices.text")


def _arc(row: Row) -> list[str]:
    texts, marks, key = _arc_options(row), _listed(row, "choices.label"), text_in(row, "answerKey").strip()
    if key not in marks or len(marks) != len(texts):
        raise NotOfTheSetError(f"its answerKey {key!r} is none of its labels")
    return labels_of(row, marks.index(key), texts)


def _plain_letter(options: Callable[[Row], list[str]]) -> Callable[[Row], list[str]]:
    def reference(row: Row) -> list[str]:
        texts, letter = options(row), text_in(row, "answer").strip().strip("().")
        if len(letter) != 1 or letter not in LETTERS[: len(texts)]:
            raise NotOfTheSetError(f"its answer {letter!r:.20} is no letter of an option")
        return labels_of(row, LETTERS.index(letter), texts)

    return reference


def _choice_set(
    name: str,
    source: str,
    needed: frozenset[str],
    took: str,
    reference: Callable[[Row], Any],
    options: Callable[[Row], list[str]],
    **more: Any,
) -> KnownSet:
    return KnownSet(name, source, needed, took, CHOICE, reference, question=_question(options), **more)


_LETTER_COLUMNS = columns("question", "answer", "A", "B", "C", "D")
_LIST_COLUMNS = columns("question", "choices", "answer")
_SHAPES = (
    ("A to D", _LETTER_COLUMNS, _lettered),
    ("choices", _LIST_COLUMNS, _choices),
    ("options", columns("question", "options", "answer"), _options),
)
CHOICES = (
    _choice_set(
        "KMMLU",
        "https://huggingface.co/datasets/HAERAE-HUB/KMMLU",
        _LETTER_COLUMNS | columns("Category"),
        "answer, the number of the option from 1",
        _counted(_lettered, 1),
        _lettered,
    ),
    _choice_set(
        "MMLU",
        "https://huggingface.co/datasets/cais/mmlu",
        _LIST_COLUMNS | columns("subject"),
        "answer, the number of the option from 0",
        _counted(_choices, 0),
        _choices,
    ),
    _choice_set(
        "ARC",
        "https://huggingface.co/datasets/allenai/ai2_arc",
        columns("question", "choices.text", "choices.label", "answerKey"),
        "answerKey, by its place among choices.label",
        _arc,
        _arc_options,
    ),
    *(
        _choice_set(
            f"options in {where}, counted from {first}",
            "",
            needed,
            f"answer, the number of the option from {first}",
            _counted(options, first),
            options,
            doubt=_unless_seen(options, first),
        )
        for where, needed, options in _SHAPES
        for first in (0, 1)
    ),
    *(
        _choice_set(
            f"options in {where}, by letters",
            "",
            needed,
            "answer, the option's letter",
            _plain_letter(options),
            options,
        )
        for where, needed, options in _SHAPES
    ),
)
