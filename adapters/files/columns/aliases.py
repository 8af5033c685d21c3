"""The names that others give the columns of completions and references, where a file does not have ours.

A name is taken only where it is the only one, or where all of them hold the same; several that differ are
refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, STAND_INS

from .paths import column_of, has_column
from .spreading import COMPLETION, is_completion, is_list_of_completions

COMPLETIONS = (
    "response",
    "output",
    "generated_text",
    "generation",
    "prediction",
    "model_output",
    "model_response",
    "llm_response",
    "output_text",
    "output.completion",
    "output.text",
    "response.text",
    "prediction.text",
)
"""Of a completion, as Hugging Face pipelines, vLLM, verl's rollouts, inspect_ai and scripts call it."""
LISTS = (
    "completions",
    "responses",
    "outputs",
    "generations",
    "generated_texts",
    "predictions",
    "samples",
    "choices",
    "output.choices",
    "resps",
)
"""Of several completions: TRL, open-r1, OpenAI's servers, inspect_ai and lm-eval call them so."""
REFERENCES = (*STAND_INS, "gts", "reference_answer", "expected_answer", "correct_answer")
"""Of a reference: those of `verifiers`, and what scripts and the rollouts of verl have besides."""


def completion_column(row: Mapping[str, Any], where: str) -> str | None:
    """The column that holds a row's completion, or a list of them.

    Args:
        row: The first row of a file.
        where: What messages call it.

    Returns:
        ``completion`` where it is there; None where no column holds any.

    Raises:
        ConfigError: There are several, and they differ.

    >>> completion_column({"prompt": "", "output": "4"}, ""), completion_column({"responses": ["4"]}, "")
    ('output', 'responses')
    """
    if has_column(row, COMPLETION):
        return COMPLETION
    found = [name for name in COMPLETIONS if is_completion(column_of(row, name))]
    found += [name for name in LISTS if _has_completions(row, name)]
    return _only(row, found, where, "completions", "--completion-field")


def reference_column(row: Mapping[str, Any], where: str) -> str | None:
    """The column that holds a row's reference; see `completion_column`.

    Raises:
        ConfigError: There are several, and they differ.

    >>> reference_column({"output": "4", "gts": "4"}, "x:1"), reference_column({"output": "4"}, "x:1")
    ('gts', None)
    """
    if REFERENCE in row:
        return REFERENCE
    found = [name for name in REFERENCES if has_column(row, name)]
    return _only(row, found, where, "references", "--reference-field")


def _has_completions(row: Mapping[str, Any], name: str) -> bool:
    value = column_of(row, name)
    if not isinstance(value, list) or not value:
        return False
    if name.endswith("choices") and not all(isinstance(each, Mapping) for each in value):
        return False  # the options of a question
    if name == "outputs" and "inputs" in row:
        return False  # what a program is to print
    return is_list_of_completions(value) or is_completion(value)


def _only(row: Mapping[str, Any], found: list[str], where: str, what: str, flag: str) -> str | None:
    differing = [name for name in found[1:] if column_of(row, name) != column_of(row, found[0])]
    if differing:
        ours = COMPLETION if what == "completions" else REFERENCE
        raise ConfigError(
            f"{where}: there is no column {ours!r}, and {found[0]!r} and {differing[0]!r}, which both could "
            f"hold the {what}, differ; say which does: {flag} NAME"
        )
    return found[0] if found else None
