"""Answer columns of programs: tests, in one form of ours or as data sets ship them.

Which data set a row comes from is told by its columns. verl's rows have the tests in one column of many.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import ConfigError, close_match, nearest
from ...runtime.bounds import ExpansionError, from_json, one_reference
from ..suites.spec import CodeTests, validated
from .input_output_rows import (
    APPS,
    CODECONTESTS,
    CODEFORCES,
    DEEPCODER,
    LIVECODEBENCH,
    RSTAR,
    TACO,
    VERIFICATION_INFO,
    apps,
    deepcoder,
)
from .python_test_rows import ACECODE, BIGCODEBENCH, HUMANEVAL, KODCODE, LEETCODE, MBPP
from .row_shapes import Row, Shape, columns, mapping, only, solutions_of, unpacked

_PACKED = columns("inputs", "outputs", "fn_name", "assert_case", "remote")


def verl(row: Row) -> CodeTests:
    """Verl and Eurus-2-RL-Data: ``reward_model`` with ``ground_truth``, a JSON text of inputs and outputs."""
    model = mapping(row["reward_model"], "verl.reward_model")
    only(model, columns("ground_truth", "style"), "verl.reward_model")
    if model.get("ground_truth") is None:
        raise ConfigError("tests: verl.reward_model has no ground_truth")
    truth = unpacked(model["ground_truth"], "verl.reward_model.ground_truth")
    if isinstance(truth, list):  # rllm's rows hold DeepCoder's tests
        return deepcoder({"tests": truth})
    truth = mapping(truth, "verl.reward_model.ground_truth")
    only(truth, _PACKED, "verl.reward_model.ground_truth")
    return apps(truth)


def eurus(row: Row) -> CodeTests:
    """Eurus-2-RL-Data before verl's form: ``reference``, a JSON text of inputs and outputs."""
    truth = mapping(row["reference"], "eurus.reference")
    only(truth, _PACKED, "eurus.reference")
    return apps(truth)


def _has_tests(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    return isinstance(value, str) and value.lstrip().startswith("{")


VERL = Shape(
    "verl",
    "https://huggingface.co/datasets/PRIME-RL/Eurus-2-RL-Data "
    "https://github.com/volcengine/verl (verl/utils/reward_score/prime_code)",
    (columns("reward_model"),),
    columns("reward_model"),
    verl,
)
EURUS = Shape(
    "eurus",
    "https://huggingface.co/datasets/PRIME-RL/Eurus-2-RL-Data",
    (columns("reference", "task"), columns("reference", "instruction")),
    columns("reference"),
    eurus,
    lambda row: _has_tests(row["reference"]),
)


SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (
        # One whose columns are among another's comes after it.
        LEETCODE,
        BIGCODEBENCH,
        HUMANEVAL,
        MBPP,
        KODCODE,
        VERIFICATION_INFO,
        ACECODE,
        LIVECODEBENCH,
        CODEFORCES,
        CODECONTESTS,
        RSTAR,
        TACO,
        APPS,
        DEEPCODER,
        VERL,
        EURUS,
    )
}
"""The key under which the answer column may hold a row -> what reads it."""

_PROBLEM = """
name title question question_title question_content question_id problem problem_id problem_statement
problem_description description text prompt query instruction messages complete_prompt instruct_prompt
context_messages starter_code difficulty tags raw_tags skill_types topics category subset style libs
doc_struct url source platform contest_id contest_date contest_name contest_type contest_start
contest_start_year index rating date picture_num untranslated_description is_description_translated
cf_contest_id cf_index cf_points cf_rating cf_tags input_format output_format note editorial aliases
estimated_date task task_id task_type in_source_id id idx _id q_idx version license hints acceptance
companies similar_questions split ability data_source extra_info source_file metadata meta
benchmark_similarity test_info
"""
_SOLUTIONS = """
solution solutions canonical_solution incorrect_solutions gold_standard_solution code completion response
llm_response responses generations inferences conversations trials gpt_pass_sequence gpt_pass_trial_num
gpt_pass_percentage gpt_difficulty chat_reason filter_reason score response_id verified is_passed
hf_dataset_name accepted_solutions failed_solutions generation finish_reason api_metadata test_reward
"""
SAY_NOTHING = frozenset(_PROBLEM.split()) | frozenset(_SOLUTIONS.split())
"""Columns of the cards of these data sets that say nothing about tests: they are of the problem, of solutions
or of models that wrote some. What one shape reads is read there all the same."""


def recognised(row: Row) -> Shape | None:
    """The shape of a row; None if its columns are no data set's."""
    return next((shape for shape in SHAPES.values() if shape.recognises(row)), None)


def read_row(shape: Shape, row: Row) -> CodeTests:
    """The tests of a row that is of this shape.

    Raises:
        ConfigError: It is not, or a column would be ignored; the message names it.
    """
    for column in row:
        if column not in shape.reads | shape.passes_over | SAY_NOTHING:
            hint = close_match(column, shape.reads) or "; leave it out if it says nothing about tests"
            raise ConfigError(f"tests: {shape.name}.{column} would be ignored{hint}")
    try:
        tests = shape.read(row)
        if tests.references:
            return tests
        return tests.model_copy(update={"references": solutions_of(row, shape.solutions)})
    except (TypeError, AttributeError, KeyError, ValueError, RecursionError) as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(
            f"tests: {shape.name}: not a row of that dataset: {type(error).__name__}: {error}"
        ) from None


def columns_with_tests() -> frozenset[str]:
    """Columns from which some shape reads tests, limits or rules, and that hardly mean anything else."""
    read = frozenset[str]().union(*(shape.reads for shape in SHAPES.values()))
    return read - SAY_NOTHING - {"language", "reference"}


BESIDE_A_ROW = frozenset(
    {"bare", "checker", "compare", "language", "memory_limit", "time_limit", "tolerance"}
)
"""Fields of `CodeTests` that may stand beside a data set's row, where it is given under the set's name."""


def read_tests(reference: object) -> CodeTests:
    """The tests in a row's answer column.

    Args:
        reference: A mapping, or text that holds one: fields of `CodeTests`; a row of a data set, which is
            recognised by its columns (`SHAPES`); or such a row under the data set's name.

    Raises:
        ConfigError: It is none of these, or a field of it would be ignored; the message names the field.
    """
    if isinstance(reference, str):
        return one_reference(_read_text, reference)[0]
    return one_reference(_read_mapping, reference)[0]


def _read_mapping(reference: object) -> CodeTests:
    if not isinstance(reference, Mapping):
        raise ConfigError(
            'tests are a mapping such as {"stdio": [{"input": "1 2\\n", "output": "3\\n"}]}, '
            f"or JSON text of one; got {type(reference).__name__}"
        )
    return _read(reference)


def read_columns(row: Mapping[str, object]) -> CodeTests:
    """The tests in the columns of a row, among which there may be others that have nothing to do with them.

    Args:
        row: The columns of a data set, with whatever a file or a trainer has besides.

    Raises:
        ConfigError: The columns are no data set's; or one that holds tests elsewhere would be ignored.
    """
    return one_reference(_read_columns, _without_nulls(row))[0]


def _read_columns(given: dict[str, Any]) -> CodeTests:
    shape = recognised(given)
    if shape is None:
        raise ConfigError(f"tests: columns='row', and no known dataset has these columns: {', '.join(given)}")
    meant = shape.reads | columns_with_tests()
    meant |= set(shape.solutions)
    kept = {key: value for key, value in given.items() if key in meant and key not in shape.passes_over}
    return read_row(shape, kept)


def _read_text(text: str) -> CodeTests:
    try:
        data = from_json(text)
    except ExpansionError as error:
        raise ConfigError(f"tests that are given as text: {error}") from None
    except (ValueError, RecursionError) as error:
        if not text.lstrip().startswith("{"):
            raise ConfigError(f"tests that are given as text must be JSON: {error}") from None
        try:
            data = unpacked(text, "the text")
        except ConfigError:
            raise ConfigError(f"tests that are given as text must be JSON: {error}") from None
    if not isinstance(data, Mapping):
        raise ConfigError(f"tests must be a JSON object, got {text!r:.60}")
    return _read(data)


def _read(data: Mapping[str, Any]) -> CodeTests:
    given = _without_nulls(data)
    named = sorted(given.keys() & SHAPES.keys())
    beside = given.keys() - set(named)
    if len(named) == 1 and beside <= BESIDE_A_ROW and named[0] not in SHAPES[named[0]].reads:
        tests = read_row(SHAPES[named[0]], _row(named[0], given[named[0]]))
        said = validated({key: given[key] for key in beside})
        return tests.model_copy(update={key: getattr(said, key) for key in beside})
    if named and len(given) > 1 and recognised(given) is None:
        raise ConfigError(f"tests: {', '.join(sorted(given))}: give one of them, the tests of one program")
    ours = given.keys() & CodeTests.model_fields.keys()
    shape = recognised(given)
    if shape is not None and not ours & {"stdio", "calls", "asserts", "sequences"}:
        return read_row(shape, given)
    unknown = [key for key in given if key not in CodeTests.model_fields]
    if unknown:
        known = [*CodeTests.model_fields, *SHAPES]
        raise ConfigError(f"tests have no field {unknown[0]!r}{nearest(unknown[0], known)}")
    tests = validated(given)
    if tests.solution and not tests.references:
        tests = tests.model_copy(update={"references": solutions_of(given, ("solution",))})
    if not tests.count:
        raise ConfigError("there are no tests: stdio, calls, asserts and sequences are empty")
    return tests


def _without_nulls(data: Mapping[str, Any]) -> dict[str, Any]:
    # Arrow fills columns that a row lacks with nulls, and Parquet gives arrays for lists.
    return {str(key): _plain(value) for key, value in data.items() if value is not None}


def _plain(value: Any) -> Any:
    """Arrays as lists, wherever they are."""
    if hasattr(value, "tolist") and not isinstance(value, type):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if type(value) is list else value


def _row(name: str, row: Any) -> Mapping[str, Any]:
    if isinstance(row, str):
        try:
            row = from_json(row)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"tests: {name}: not JSON: {error}") from None
    if not isinstance(row, Mapping):
        raise ConfigError(f"tests: {name} is a row of that dataset (a mapping), got {row!r:.60}")
    return _without_nulls(row)
