"""Sets of problems whose answers are mathematics."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from reward_verifiers.adapters.files.columns import column_of
from reward_verifiers.verifiers.extract import HashMarks
from reward_verifiers.verifiers.runtime.bounds import from_json, from_literal

from .known_set import KnownSet, NotOfTheSetError, Row, columns, text_in

NO_ANSWER = ("proof", "notfound", "")
"""What NuminaMath-1.5 has in place of an answer: nothing can be held against it."""
_HASHES = HashMarks()
_BOX = re.compile(r"\\(?:boxed|fbox)(?![A-Za-z])\s*")
_BARE = re.compile(r"-?[0-9A-Za-z]+")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)


def _behind_hashes(row: Row) -> str | None:
    text = text_in(row, "answer")
    found = _HASHES.extract(text)
    if found is None:
        raise NotOfTheSetError("'answer' has no line that begins with ####")
    return found.text


def _boxed_solution(row: Row) -> str | None:
    return last_boxed(text_in(row, "solution"))


def last_boxed(text: str) -> str | None:
    """What stands in the last box of a solution, as the grader of MATH takes it; None where there is none.

    >>> last_boxed(r"$\\boxed{3}$, so $x = \\boxed{7}$."), last_boxed(r"\\boxed 5."), last_boxed(r"\\boxed{5")
    ('7', '5', None)
    """
    boxes = list(_BOX.finditer(text))
    if not boxes:
        return None
    start = boxes[-1].end()
    if not text.startswith("{", start):
        bare = _BARE.match(text, start)
        return bare.group() if bare else None
    depth = 0
    for sign in _BRACES.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(sign.group(), 0)
        if depth == 0:
            return text[start + 1 : sign.start()].strip() or None
    return None


def _answer(row: Row) -> Any:
    return value_of(row, "answer")


def value_of(row: Row, name: str) -> str | None:
    """A column with an answer, as text; None where it stands for none.

    Raises:
        NotOfTheSetError: It holds neither text nor a number.

    >>> value_of({"answer": 12.0}, "answer"), value_of({"answer": "Proof"}, "answer")
    ('12', None)
    """
    value = column_of(row, name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise NotOfTheSetError(f"{name!r} holds neither text nor a number but {type(value).__name__}")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value).strip()
    return None if text.casefold() in NO_ANSWER else text


def _stated(row: Row) -> str | None:
    """The answer of `verification_info` where a task of SYNTHETIC-1 is one of mathematics."""
    info = column_of(row, "verification_info")
    if isinstance(info, str):
        info = _unpacked(info)
    if not isinstance(info, Mapping) or "ground_truth" not in info:
        raise NotOfTheSetError("'verification_info' has no ground_truth")
    return value_of(info, "ground_truth")


def _unpacked(text: str) -> Any:
    try:
        return from_json(text)
    except (ValueError, RecursionError):
        try:
            return from_literal(text)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None


MATHS = (
    KnownSet(
        "GSM8K",
        "https://huggingface.co/datasets/openai/gsm8k",
        columns("question", "answer"),
        "what follows #### in answer",
        "MathEquivalence",
        _behind_hashes,
        prompt="question",
    ),
    KnownSet(
        "MATH",
        "https://huggingface.co/datasets/EleutherAI/hendrycks_math",
        columns("problem", "level", "type", "solution"),
        "the last \\boxed of solution",
        "MathEquivalence",
        _boxed_solution,
        prompt="problem",
        lacks=columns("answer"),
    ),
    KnownSet(
        "MATH-500",
        "https://huggingface.co/datasets/HuggingFaceH4/MATH-500",
        columns("problem", "solution", "answer", "subject", "level"),
        "answer",
        "MathEquivalence",
        _answer,
        prompt="problem",
    ),
    KnownSet(
        "NuminaMath-1.5",
        "https://huggingface.co/datasets/AI-MO/NuminaMath-1.5",
        columns("problem", "solution", "answer", "problem_type", "question_type"),
        'answer; rows with "proof" or "notfound" are not scored',
        "MathEquivalence",
        _answer,
        prompt="problem",
    ),
    KnownSet(
        "NuminaMath-CoT",
        "https://huggingface.co/datasets/AI-MO/NuminaMath-CoT",
        columns("problem", "solution", "source"),
        "the last \\boxed of solution; rows without one are not scored",
        "MathEquivalence",
        _boxed_solution,
        prompt="problem",
        lacks=columns("answer", "verification_info"),
    ),
    KnownSet(
        "open-r1",
        "https://github.com/huggingface/open-r1 (src/open_r1/rewards.py, accuracy_reward)",
        columns("problem", "solution"),
        "the last \\boxed of solution",
        "MathEquivalence",
        _boxed_solution,
        prompt="problem",
        lacks=columns("answer", "verification_info"),
    ),
    KnownSet(
        "SYNTHETIC-1, mathematics",
        "https://huggingface.co/datasets/PrimeIntellect/SYNTHETIC-1",
        columns("verification_info"),
        "verification_info.ground_truth",
        "MathEquivalence",
        _stated,
    ),
    KnownSet(
        "HRM8K",
        "https://huggingface.co/datasets/HAERAE-HUB/HRM8K",
        columns("question", "answer", "original"),
        "answer",
        "MathEquivalence",
        _answer,
        prompt="question",
    ),
)
