"""Sets of short answers in words, with the names that may be given instead."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any

from reward_verifiers.adapters.files.columns import column_of

from .known_set import KnownSet, NotOfTheSetError, Row, columns, text_in

JUDGE = "ShortAnswer"


def _texts(value: Any, name: str) -> list[str]:
    """A list of texts, also where a table holds it as text."""
    if isinstance(value, str):
        for read in (json.loads, ast.literal_eval):
            try:
                value = read(value)
                break
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise NotOfTheSetError(f"{name!r} holds no list of answers")
    texts = [each for each in value if isinstance(each, str) and each.strip()]
    if len(texts) != len(value) or not texts:
        raise NotOfTheSetError(f"{name!r} holds no list of answers")
    return list(dict.fromkeys(texts))


def _trivia(row: Row) -> list[str]:
    """TriviaQA: the answer with its aliases."""
    answer = column_of(row, "answer")
    if not isinstance(answer, Mapping) or not isinstance(answer.get("value"), str):
        raise NotOfTheSetError("'answer' holds no 'value'")
    return list(
        dict.fromkeys([answer["value"], *_texts(answer["aliases"] or [answer["value"]], "answer.aliases")])
    )


def _listed(row: Row) -> list[str]:
    return _texts(column_of(row, "answer"), "answer")


def _with_aliases(row: Row) -> list[str]:
    """MuSiQue: the answer, and other ways to say it; none where the row cannot be answered."""
    if row.get("answerable") is False:
        raise NotOfTheSetError("a row that cannot be answered has no answer to compare with")
    aliases = column_of(row, "answer_aliases")
    return list(
        dict.fromkeys([text_in(row, "answer"), *(_texts(aliases, "answer_aliases") if aliases else [])])
    )


ANSWERS = (
    KnownSet(
        "TriviaQA",
        "mandarjoshi/trivia_qa",
        columns("question", "question_id", "answer.value", "answer.aliases"),
        "answer.value and answer.aliases",
        JUDGE,
        _trivia,
        prompt="question",
    ),
    KnownSet(
        "HotpotQA",
        "hotpotqa/hotpot_qa",
        columns("question", "answer", "supporting_facts", "context", "level"),
        "answer",
        JUDGE,
        lambda row: text_in(row, "answer"),
        prompt="question",
    ),
    KnownSet(
        "MuSiQue",
        "dgslibisey/MuSiQue",
        columns("question", "answer", "answer_aliases", "question_decomposition"),
        "answer and answer_aliases",
        JUDGE,
        _with_aliases,
        prompt="question",
    ),
    KnownSet(
        "SimpleQA",
        "basicv8vc/SimpleQA",
        columns("problem", "answer", "metadata"),
        "answer",
        JUDGE,
        lambda row: text_in(row, "answer"),
        prompt="problem",
    ),
    KnownSet(
        "NQ-Open",
        "google-research-datasets/nq_open",
        columns("question", "answer"),
        "answer, a list",
        JUDGE,
        _listed,
        prompt="question",
        lacks=frozenset(("choices", "options", "solution", "context")),
    ),
)
