"""Rows of data sets, as they are shipped, are recognised by their columns and judged with no glue."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support import in_groups
from verifiers import CodePassRate, ConfigError
from verifiers.code.rows.code_references import SHAPES, read_tests, recognised

from .samples import SAMPLES, Sample

NAMES = sorted(SAMPLES)


def _fenced(code: str) -> str:
    return f"```python\n{code}\n```"


def test_every_shape_has_a_sample() -> None:
    """And a source that says where its columns and its grader are."""
    assert {sample.shape for sample in SAMPLES.values()} == set(SHAPES)
    assert all(shape.source.startswith("https://") for shape in SHAPES.values())


@in_groups(NAMES, str)
def test_a_row_is_recognised_by_its_columns(name: str) -> None:
    """By those of its own data set, whatever others have in common with it."""
    found = recognised({key: value for key, value in SAMPLES[name].row.items() if value is not None})
    assert found is not None
    assert found.name == SAMPLES[name].shape


def test_right_programs_are_paid_and_wrong_ones_are_not() -> None:
    """In each way of giving a row: its columns, the row under its data set's name, and JSON of it."""
    forms: list[tuple[Sample, Any]] = []
    for sample in SAMPLES.values():
        forms += [
            (sample, sample.row),
            (
                sample,
                {sample.shape: sample.row} if sample.shape not in SHAPES[sample.shape].reads else sample.row,
            ),
            (sample, json.dumps(sample.row)),
        ]
    judge = CodePassRate()
    right = judge.verify_batch([_fenced(sample.right) for sample, _ in forms], [row for _, row in forms])
    wrong = judge.verify_batch([_fenced(sample.wrong) for sample, _ in forms], [row for _, row in forms])
    for (sample, _), paid, refused in zip(forms, right, wrong, strict=True):
        assert paid.score == 1.0, (sample, paid, paid.detail)
        assert refused.score is not None, (sample, refused, refused.detail)
        assert refused.score < 1.0, (sample, refused)


@in_groups(NAMES, str)
def test_a_column_that_would_be_ignored_is_named(name: str) -> None:
    """Tests that nobody runs make a wrong program right."""
    for column in ("extra_tests", "checker_code", "test_cases_hidden"):
        with pytest.raises(ConfigError, match=column):
            read_tests({**SAMPLES[name].row, column: "assert False"})


@in_groups(NAMES, str)
def test_nulls_of_arrow_are_no_columns(name: str) -> None:
    """Whatever other rows of a table have."""
    sample = SAMPLES[name]
    nulls = dict.fromkeys(("extra_tests", "checker_code"))
    assert read_tests({**sample.row, **nulls}) == read_tests(sample.row)
