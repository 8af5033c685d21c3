"""All shapes of rows: which data set a row comes from, by its columns."""

from __future__ import annotations

from ...errors import ConfigError, close_match
from ..suites.spec import CodeTests
from .input_output.apps import APPS, RSTAR, TACO
from .input_output.case_lists import DEEPCODER, VERIFICATION_INFO
from .input_output.contests import CODECONTESTS, CODEFORCES
from .input_output.livecodebench import LIVECODEBENCH
from .python_tests.humaneval import HUMANEVAL
from .python_tests.leetcode import LEETCODE
from .python_tests.mbpp import ACECODE, MBPP
from .python_tests.whole_files import BIGCODEBENCH, KODCODE
from .shape import Row, Shape
from .solutions import solutions_of
from .trainers import EURUS, VERL

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
