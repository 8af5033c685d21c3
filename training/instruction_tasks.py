"""A task for a small real model: short texts about everyday things, with instructions that can be verified.

Prompts are put together from subjects and instructions, so nothing has to be downloaded. What is held out is
either subjects (``prompts``: known instructions on other subjects) or kinds (``kinds``: other instructions).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

Part = Literal["train", "prompts", "kinds"]


class Wish(NamedTuple):
    """An instruction in words, and as it is verified.

    Args:
        said: The words, with the subject as ``{}``.
        kind: Its id.
        parameters: Its parameters; the subject as ``{}`` in texts.
    """

    said: str
    kind: str
    parameters: dict[str, Any]


SUBJECTS = ("tea", "rain", "dogs", "trains", "bread", "sleep", "music", "snow", "books", "gardens", "shoes",
            "bridges")  # fmt: skip
HELD_SUBJECTS = ("cats", "rivers", "soup", "kites")
KINDS = (
    Wish("Use only small letters.", "change_case:english_lowercase", {}),
    Wish("Do not use any commas.", "punctuation:no_comma", {}),
    Wish(
        "Write fewer than 15 words.",
        "length_constraints:number_words",
        {"relation": "less than", "num_words": 15},
    ),
    Wish("Put the whole answer in double quotes.", "startend:quotation", {}),
    Wish("End with: That is all.", "startend:end_checker", {"end_phrase": "That is all."}),
    Wish(
        "Write exactly 2 bullet points that begin with *.",
        "detectable_format:number_bullet_lists",
        {"num_bullets": 2},
    ),
    Wish(
        "Use the word {} twice or more.",
        "keywords:frequency",
        {"keyword": "{}", "frequency": 2, "relation": "at least"},
    ),
)
HELD_KINDS = (
    Wish("Use only capital letters.", "change_case:english_capital", {}),
    Wish(
        "Write exactly one sentence.",
        "length_constraints:number_sentences",
        {"relation": "exactly", "num_sentences": 1},
    ),
    Wish("Give it a title in << >>.", "detectable_format:title", {}),
    Wish("Do not use the word very.", "keywords:forbidden_words", {"forbidden_words": ["very"]}),
)


def rows(part: Part = "train", count: int = 120, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yield rows with ``question`` and ``answer``, the instructions of the question.

    Args:
        part: The rows to train on, or those that are held out by their subjects or by their kinds.
        count: Number of them.
        seed: Random seed of their order.

    >>> next(rows("kinds", seed=3))["answer"]["instruction_id_list"][0] in {wish.kind for wish in HELD_KINDS}
    True
    """
    rng = random.Random(f"{part} {seed}")  # noqa: S311
    subjects = HELD_SUBJECTS if part == "prompts" else SUBJECTS
    kinds = HELD_KINDS if part == "kinds" else KINDS
    for _ in range(count):
        subject = rng.choice(subjects)
        wishes = rng.sample(kinds, rng.choice((1, 1, 2)))
        yield {
            "question": " ".join(
                [f"Write about {subject}.", *(wish.said.format(subject) for wish in wishes)]
            ),
            "answer": {
                "instruction_id_list": [wish.kind for wish in wishes],
                "kwargs": [_filled(wish.parameters, subject) for wish in wishes],
            },
        }


def _filled(parameters: dict[str, Any], subject: str) -> dict[str, Any]:
    return {
        name: value.format(subject) if isinstance(value, str) else value for name, value in parameters.items()
    }


MENTIONS = (2, 4, 8)
"""How often the subject is to be named at least: an instruction each, so that more of it earns more."""


def mentions(part: Part = "train", count: int = 120, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yield rows whose only instructions count one word: a careless reward's reading of a text.

    >>> next(mentions(count=1))["answer"]["kwargs"][-1]["frequency"]
    8
    """
    rng = random.Random(f"mentions {part} {seed}")  # noqa: S311
    for _ in range(count):
        subject = rng.choice(HELD_SUBJECTS if part == "prompts" else SUBJECTS)
        yield {
            "question": f"Write about {subject}. Use the word {subject} {MENTIONS[-1]} times or more.",
            "answer": {
                "instruction_id_list": ["keywords:frequency"] * len(MENTIONS),
                "kwargs": [
                    {"keyword": subject, "frequency": times, "relation": "at least"} for times in MENTIONS
                ],
            },
        }
