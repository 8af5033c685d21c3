"""Sets with answers in words, of the Malpyeong contest, and with instructions that can be verified."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reward_verifiers.verifiers.instructions.following import NotInstructionsError, asked_of
from reward_verifiers.verifiers.instructions.kinds import kinds_by_id, split_id

from ..files.columns import column_of
from .known_set import KnownSet, NotOfTheSetError, Row, columns, text_in

_SHORT = "ShortAnswer"


def _texts(value: Any, name: str) -> list[str]:
    """Return a list of texts, also where a table holds it as text."""
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
        _SHORT,
        _trivia,
        prompt="question",
    ),
    KnownSet(
        "HotpotQA",
        "hotpotqa/hotpot_qa",
        columns("question", "answer", "supporting_facts", "context", "level"),
        "answer",
        _SHORT,
        lambda row: text_in(row, "answer"),
        prompt="question",
    ),
    KnownSet(
        "MuSiQue",
        "dgslibisey/MuSiQue",
        columns("question", "answer", "answer_aliases", "question_decomposition"),
        "answer and answer_aliases",
        _SHORT,
        _with_aliases,
        prompt="question",
    ),
    KnownSet(
        "SimpleQA",
        "basicv8vc/SimpleQA",
        columns("problem", "answer", "metadata"),
        "answer",
        _SHORT,
        lambda row: text_in(row, "answer"),
        prompt="problem",
    ),
    KnownSet(
        "NQ-Open",
        "google-research-datasets/nq_open",
        columns("question", "answer"),
        "answer, a list",
        _SHORT,
        _listed,
        prompt="question",
        lacks=frozenset(("choices", "options", "solution", "context")),
    ),
)


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


_FOLLOWING = "InstructionFollowing"
_IFBENCH = frozenset(("count", "ratio", "words", "sentence", "format", "custom", "repeat"))
"""What ids begin with that are IFBench's own."""


def _instruction_list(row: Row) -> dict[str, Any]:
    """Return the instructions of a row with the columns of IFEval."""
    names, kwargs = column_of(row, "instruction_id_list"), column_of(row, "kwargs")
    reference = {"instruction_id_list": names, "kwargs": kwargs}
    _known(reference)
    return reference


def _known(reference: Any) -> list[str]:
    """Return the ids of a reference, at least one of which is known.

    Raises:
        NotOfTheSetError: It is no list of instructions, or none of them is known.
    """
    try:
        names = [each.id for each in asked_of(reference)]
    except NotInstructionsError as problem:
        raise NotOfTheSetError(str(problem)) from None
    table = kinds_by_id()
    if not any(name in table or split_id(name)[1] in table for name in names):
        raise NotOfTheSetError(f"none of its instructions is known: {', '.join(names)[:80]}")
    return names


def _of(kind: Callable[[list[str]], bool], what: str) -> Callable[[Row], Any]:
    def reference(row: Row) -> Any:
        found = _instruction_list(row)
        if not kind([str(each) for each in found["instruction_id_list"]]):
            raise NotOfTheSetError(f"its instructions are none of {what}")
        return found

    return reference


def _ground_truth(row: Row) -> Any:
    """Return Tulu's function with its arguments, or open-instruct's list of instructions."""
    truth = column_of(row, "ground_truth")
    truth = truth[0] if isinstance(truth, list) and len(truth) == 1 and isinstance(truth[0], str) else truth
    if not isinstance(truth, str | list | dict):
        raise NotOfTheSetError(f"'ground_truth' holds no instructions but {type(truth).__name__}")
    _known(truth)
    return truth


def _has_language(names: list[str]) -> bool:
    return all(split_id(name)[0] for name in names)


def _is_ifbench(names: list[str]) -> bool:
    return any(name.partition(":")[0] in _IFBENCH for name in names)


_COLUMNS = columns("instruction_id_list", "kwargs")
_TOOK = "instruction_id_list and kwargs"
INSTRUCTIONS = (
    KnownSet(
        "M-IFEval",
        "https://github.com/lightblue-tech/M-IFEval",
        _COLUMNS,
        _TOOK,
        _FOLLOWING,
        _of(_has_language, "M-IFEval, which begin with a language"),
    ),
    KnownSet(
        "IFBench",
        "https://huggingface.co/datasets/allenai/IFBench_test",
        _COLUMNS,
        _TOOK,
        _FOLLOWING,
        _of(_is_ifbench, "IFBench"),
    ),
    KnownSet(
        "IFEval",
        "https://huggingface.co/datasets/google/IFEval",
        _COLUMNS,
        _TOOK,
        _FOLLOWING,
        _instruction_list,
    ),
    KnownSet(
        "Tulu, instructions",
        "https://huggingface.co/datasets/allenai/RLVR-IFeval",
        columns("ground_truth"),
        "ground_truth",
        _FOLLOWING,
        _ground_truth,
    ),
)
"""Of rows with the columns of IFEval the narrower set comes first."""
