"""Instructions as the public sets write them: IFEval, IFBench, M-IFEval, Tulu's and open-instruct's rows."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

MAX_CHARS = 300_000
"""Longest text that is read as a reference: some repeat the whole request."""
MAX_INSTRUCTIONS = 100
"""Instructions of one row."""

TULU = {
    "verify_keywords": ("keywords:existence", {"keyword_list": "keywords"}),
    "verify_keyword_frequency": ("keywords:frequency", {"word": "keyword", "N": "frequency"}),
    "validate_forbidden_words": ("keywords:forbidden_words", {"forbidden_words": "forbidden_words"}),
    "verify_letter_frequency": ("keywords:letter_frequency", {"letter": "letter", "N": "let_frequency"}),
    "validate_response_language": ("language:response_language", {"language": "language"}),
    "verify_paragraph_count": ("length_constraints:number_paragraphs", {"N": "num_paragraphs"}),
    "validate_word_constraint": (
        "length_constraints:number_words",
        {"N": "num_words", "quantifier": "relation"},
    ),
    "verify_sentence_constraint": (
        "length_constraints:number_sentences",
        {"N": "num_sentences", "quantifier": "relation"},
    ),
    "validate_paragraphs": (
        "length_constraints:nth_paragraph_first_word",
        {"N": "num_paragraphs", "first_word": "first_word", "i": "nth_paragraph"},
    ),
    "verify_postscript": ("detectable_content:postscript", {"postscript_marker": "postscript_marker"}),
    "validate_placeholders": ("detectable_content:number_placeholders", {"N": "num_placeholders"}),
    "verify_bullet_points": ("detectable_format:number_bullet_lists", {"N": "num_bullets"}),
    "validate_title": ("detectable_format:title", {}),
    "validate_choice": ("format:options", {"options": "options"}),
    "validate_highlighted_sections": (
        "detectable_format:number_highlighted_sections",
        {"N": "num_highlights"},
    ),
    "validate_sections": (
        "detectable_format:multiple_sections",
        {"N": "num_sections", "section_splitter": "section_spliter"},
    ),
    "validate_json_format": ("detectable_format:json_format", {}),
    "validate_repeat_prompt": ("combination:repeat_prompt", {"original_prompt": "prompt_to_repeat"}),
    "validate_two_responses": ("combination:two_responses", {}),
    "validate_uppercase": ("change_case:english_capital", {}),
    "validate_lowercase": ("change_case:english_lowercase", {}),
    "validate_frequency_capital_words": (
        "change_case:capital_word_frequency",
        {"N": "capital_frequency", "quantifier": "capital_relation"},
    ),
    "validate_end": ("startend:end_checker", {"end_phrase": "end_phrase"}),
    "validate_quotation": ("startend:quotation", {}),
    "validate_no_commas": ("punctuation:no_comma", {}),
}
"""The functions that rows of Tulu 3 name: the kind of each, and its parameters by the names of IFEval."""
_EXACT = {"verify_keyword_frequency": "relation", "verify_letter_frequency": "let_relation"}
"""Of these Tulu's prompts ask for so many times, no more and no fewer."""


class Asked(NamedTuple):
    """One instruction as a row gives it.

    Args:
        id: Its kind, with or without a language in front.
        parameters: Its parameters; nulls are none.
    """

    id: str
    parameters: dict[str, Any]


class NotInstructionsError(ValueError):
    """A reference is no list of instructions; the message says why."""


def asked_of(reference: Any) -> list[Asked]:
    """The instructions of a reference.

    Args:
        reference: A mapping with ``instruction_id_list`` (also ``instruction_id``, ``instructions``) and
            ``kwargs``; one with Tulu's ``func_name``; a list of one of these; or one of these as JSON or as
            Python writes it.

    Raises:
        NotInstructionsError: It is none of these.

    >>> asked_of('{"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}')
    [Asked(id='punctuation:no_comma', parameters={})]
    >>> asked_of({"func_name": "validate_placeholders", "N": 3, "quantifier": None})
    [Asked(id='detectable_content:number_placeholders', parameters={'num_placeholders': 3})]
    """
    if isinstance(reference, str):
        reference = _read(reference)
    if isinstance(reference, list | tuple) and reference:
        found = [each for part in reference for each in asked_of(part)]
    elif isinstance(reference, Mapping):
        found = _of_mapping(reference)
    else:
        raise NotInstructionsError(
            f"it is no mapping with instruction_id_list and kwargs, but {reference!r:.80}"
        )
    if not found:
        raise NotInstructionsError("it lists no instruction")
    if len(found) > MAX_INSTRUCTIONS:
        raise NotInstructionsError(f"it lists {len(found)} instructions, more than {MAX_INSTRUCTIONS}")
    return found


def _read(text: str) -> Any:
    if len(text) > MAX_CHARS:
        raise NotInstructionsError(f"it is longer than {MAX_CHARS:,} characters")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as problem:
        raise NotInstructionsError(f"it is neither JSON nor a Python literal: {text[:80]!r}") from problem


def _of_mapping(row: Mapping[str, Any]) -> list[Asked]:
    if "func_name" in row:
        return [_of_tulu(row)]
    names = next(
        (row[key] for key in ("instruction_id_list", "instruction_id", "instructions") if key in row), None
    )
    names = [names] if isinstance(names, str) else names
    if not isinstance(names, Sequence) or not all(isinstance(each, str) for each in names):
        raise NotInstructionsError("it has no list instruction_id_list of names")
    given = row.get("kwargs")
    if isinstance(given, str):
        given = _read(given)
    if given is None:
        given = [None] * len(names)
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, Sequence) or len(given) != len(names):
        raise NotInstructionsError(f"it has {len(names)} instructions and not as many kwargs")
    if not all(each is None or isinstance(each, Mapping) for each in given):
        raise NotInstructionsError("its kwargs are no mappings")
    return [
        Asked(name, {key: value for key, value in (each or {}).items() if value is not None})
        for name, each in zip(names, given, strict=True)
    ]


def _of_tulu(row: Mapping[str, Any]) -> Asked:
    name = str(row["func_name"])
    if name not in TULU:
        return Asked(name, {})
    kind, renamed = TULU[name]
    parameters = {ours: row[theirs] for theirs, ours in renamed.items() if row.get(theirs) is not None}
    if name in _EXACT:
        parameters.setdefault(_EXACT[name], "exactly")
    return Asked(kind, parameters)
