"""Prompts with instructions that can be verified: IFEval, IFBench, M-IFEval, Tulu and open-instruct."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reward_verifiers.adapters.files.columns import column_of
from reward_verifiers.verifiers.instructions.following import NotInstructionsError, asked_of
from reward_verifiers.verifiers.instructions.kinds import kinds_by_id, split_id

from .known_set import KnownSet, NotOfTheSetError, Row, columns

JUDGE = "InstructionFollowing"
_IFBENCH = frozenset(("count", "ratio", "words", "sentence", "format", "custom", "repeat"))
"""What ids begin with that are IFBench's own."""


def _listed(row: Row) -> dict[str, Any]:
    """The instructions of a row with the columns of IFEval."""
    names, kwargs = column_of(row, "instruction_id_list"), column_of(row, "kwargs")
    reference = {"instruction_id_list": names, "kwargs": kwargs}
    _known(reference)
    return reference


def _known(reference: Any) -> list[str]:
    """The ids of a reference, of which one at least is known.

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
        found = _listed(row)
        if not kind([str(each) for each in found["instruction_id_list"]]):
            raise NotOfTheSetError(f"its instructions are none of {what}")
        return found

    return reference


def _ground_truth(row: Row) -> Any:
    """Tulu's function with its arguments, or open-instruct's list of instructions."""
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
        JUDGE,
        _of(_has_language, "M-IFEval, which begin with a language"),
    ),
    KnownSet(
        "IFBench",
        "https://huggingface.co/datasets/allenai/IFBench_test",
        _COLUMNS,
        _TOOK,
        JUDGE,
        _of(_is_ifbench, "IFBench"),
    ),
    KnownSet("IFEval", "https://huggingface.co/datasets/google/IFEval", _COLUMNS, _TOOK, JUDGE, _listed),
    KnownSet(
        "Tulu, instructions",
        "https://huggingface.co/datasets/allenai/RLVR-IFeval",
        columns("ground_truth"),
        "ground_truth",
        JUDGE,
        _ground_truth,
    ),
)
"""Of rows with the columns of IFEval the narrower set comes first."""
