"""Sets of mathematics and programming problems, and verl's rows, which name their purpose.

`CodePassRate` knows the shapes of tests, and is handed their columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.code.rows.code_references import SHAPES, recognised
from reward_verifiers.verifiers.extract.marked_answers import HashMarks
from reward_verifiers.verifiers.runtime.bounds import from_json, from_literal

from ..files.columns import column_of
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
    """Return the content of a solution's last box, as the grader of MATH takes it, or None without one.

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
    """Return an answer's column as text; None where it stands for none.

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
    """Return the answer of `verification_info` where a task of SYNTHETIC-1 is one of mathematics."""
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


PROGRAMS: dict[str, Any] = {
    "reward": {"CodePassRate": {"all_or_nothing": True}, "name": "accuracy"},
}
"""All tests or nothing, as the graders of these sets count it."""


def reading_tests(shape: str, *, bare: bool = False) -> Callable[[Row], Any]:
    """Return a reader of a row's tests.

    Args:
        shape: The name of its shape (`verifiers.code.rows.code_references`).
        bare: Whether completions are programs, or their continuations, without a block around them.
    """

    def reference(row: Row) -> dict[str, Any]:
        try:
            found = recognised({name: value for name, value in row.items() if value is not None})
        except ConfigError as problem:
            raise NotOfTheSetError(str(problem)) from None
        if found is None or found.name != shape:
            raise NotOfTheSetError(f"its columns are {'no dataset' if found is None else found.name}'s")
        kept = {name: row[name] for name in SHAPES[shape].reads if row.get(name) is not None}
        # A row may stand under its set's name, unless a column of it is called so.
        return kept if shape in SHAPES[shape].reads else {shape: kept, **({"bare": True} if bare else {})}

    return reference


_CASES = reading_tests("verification_info")


def _with_cases(row: Row) -> Any:
    info = row["verification_info"]
    tests = info.get("test_cases") if isinstance(info, Mapping) else info
    if not tests or (isinstance(tests, str) and "test_cases" not in tests and not isinstance(info, Mapping)):
        raise NotOfTheSetError("'verification_info' has no test_cases")
    return _CASES(row)


def _set(name: str, shape: str, needed: frozenset[str], took: str, *, bare: bool = False) -> KnownSet:
    source = SHAPES[shape].source.split()[0]
    return KnownSet(name, source, needed, took, PROGRAMS, reading_tests(shape, bare=bare))


CODE = (
    # Their own graders run completions that have no block of code around them.
    _set("HumanEval", "humaneval", columns("prompt", "test", "entry_point"), "the tests in test", bare=True),
    _set("MBPP", "mbpp", columns("test_list"), "the asserts in test_list", bare=True),
    _set("APPS", "apps", columns("input_output"), "the tests in input_output"),
    _set("TACO", "taco", columns("input_output"), "the tests in input_output"),
    _set(
        "LiveCodeBench",
        "livecodebench",
        columns("public_test_cases", "private_test_cases"),
        "the tests in public_test_cases and private_test_cases",
    ),
    KnownSet(
        "open-r1, programs",
        SHAPES["verification_info"].source.split()[0],
        columns("verification_info"),
        "the tests in verification_info",
        PROGRAMS,
        _with_cases,
    ),
)


_MATHS = frozenset(
    "openai/gsm8k lighteval/MATH DigitalLearningGmbH/MATH-lighteval HuggingFaceH4/MATH-500 math math_dapo "
    "math_dapo_reasoning numina_aops_forum numina_synthetic_math numina_amc_aime numina_synthetic_amc "
    "numina_cn_k12 numina_olympiads".split()
)
_PROGRAMS = frozenset("codecontests apps codeforces taco".split())
"""What `default_compute_score` in verl/utils/reward_score/__init__.py sends to graders of either kind."""


def _grader_kind(row: Row) -> str:
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
        source, found = row.get("data_source"), _grader_kind(row)
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
    return _ground_truth(row) if _grader_kind(row) == "mathematics" else _TESTS(row)


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
        more=lambda row: {KIND: _grader_kind(row)},
    ),
)
