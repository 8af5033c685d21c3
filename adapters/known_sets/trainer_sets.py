"""Rows as verl keeps them, whose `data_source` says which grader they are for: DAPO's among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reward_verifiers.adapters.files.columns import column_of

from .code_sets import PROGRAMS, reading_tests
from .known_set import KnownSet, NotOfTheSetError, Row, columns
from .maths_sets import value_of

_MATHS = frozenset(
    "openai/gsm8k lighteval/MATH DigitalLearningGmbH/MATH-lighteval HuggingFaceH4/MATH-500 math math_dapo "
    "math_dapo_reasoning numina_aops_forum numina_synthetic_math numina_amc_aime numina_synthetic_amc "
    "numina_cn_k12 numina_olympiads".split()
)
_PROGRAMS = frozenset("codecontests apps codeforces taco".split())
"""What `default_compute_score` in verl/utils/reward_score/__init__.py sends to graders of either kind."""


def _kind(row: Row) -> str:
    source = column_of(row, "data_source")
    if not isinstance(source, str):
        raise NotOfTheSetError(f"'data_source' holds no text but {type(source).__name__}")
    if source in _MATHS or source.startswith("aime"):
        return "mathematics"
    if source in _PROGRAMS:
        return "programs"
    raise NotOfTheSetError(f"which grader its data_source {source!r} is for is not known: name a --recipe")


def _of(kind: str, read: Callable[[Row], Any], sources: frozenset[str] = frozenset()) -> Callable[[Row], Any]:
    def reference(row: Row) -> Any:
        source, found = row.get("data_source"), _kind(row)
        if found != kind or (sources and source not in sources):
            raise NotOfTheSetError(f"its data_source is {source!r}")
        return read(row)

    return reference


def _ground_truth(row: Row) -> str | None:
    truth = column_of(row, "reward_model.ground_truth")
    if isinstance(truth, list) and len(truth) == 1:
        truth = truth[0]
    return value_of({"reward_model.ground_truth": truth}, "reward_model.ground_truth")


_TESTS = reading_tests("verl")


def _either(row: Row) -> Any:
    return _ground_truth(row) if _kind(row) == "mathematics" else _TESTS(row)


KIND = "kind_of_task"
"""The column that tells mathematics from programs where a file holds both."""
_BY_KIND = {
    "reward": {
        "route": {"by": KIND, "routes": {"mathematics": "MathEquivalence", "programs": PROGRAMS["reward"]}}
    }
}
_COLUMNS = columns("data_source", "reward_model.ground_truth")
_VERL = "https://github.com/volcengine/verl (verl/utils/reward_score)"
TRAINERS = (
    KnownSet(
        "DAPO",
        "https://huggingface.co/datasets/BytedTsinghua-SIA/DAPO-Math-17k",
        _COLUMNS,
        "reward_model.ground_truth",
        "MathEquivalence",
        _of("mathematics", _ground_truth, frozenset({"math_dapo"})),
    ),
    KnownSet(
        "verl, mathematics",
        _VERL,
        _COLUMNS,
        "reward_model.ground_truth",
        "MathEquivalence",
        _of("mathematics", _ground_truth),
    ),
    KnownSet(
        "verl, programs",
        _VERL,
        _COLUMNS,
        "the tests in reward_model.ground_truth",
        PROGRAMS,
        _of("programs", _TESTS),
    ),
    KnownSet(
        "verl, mathematics and programs",
        _VERL,
        _COLUMNS,
        "reward_model.ground_truth, an answer or tests by data_source",
        _BY_KIND,
        _either,
        more=lambda row: {KIND: _kind(row)},
    ),
)
