"""Columns: their other names, several completions in one, and those that scoring would write over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adapters.files.chunk_scorer import Scorer
from adapters.files.columns import Spread, completion_column, reference_column
from adapters.files.file_runner import run
from adapters.files.file_scorer import fitted
from adapters.files.jsonl import Line, Source, parse
from adapters.files.scored_output import Output
from rewards import Pay, SoftOverlong
from tests.support import FIXTURES, rows
from verifiers import ConfigError, ExactMatch, MathEquivalence

MESSAGES = [{"role": "assistant", "content": "4"}]


@pytest.mark.parametrize(
    "found", rows(FIXTURES / "completion_columns.jsonl"), ids=lambda found: str(found["row"])
)
def test_where_completions_are(found: dict[str, Any]) -> None:
    assert completion_column(found["row"], "x:1") == found["column"]


def test_names_that_differ_are_refused() -> None:
    with pytest.raises(
        ConfigError, match="'response' and 'output', which both could hold the completions, differ"
    ):
        completion_column({"response": "4", "output": "5"}, "x:1")
    with pytest.raises(
        ConfigError, match=r"'ground_truth' and 'gts', .* references, differ; .* --reference-field NAME"
    ):
        reference_column({"ground_truth": "4", "gts": "5"}, "x:1")
    assert reference_column({"ground_truth": "4", "gts": "4"}, "x:1") == "ground_truth"
    assert reference_column({"answer": "4", "gts": "5"}, "x:1") == "answer"


def test_other_names_are_taken_and_told() -> None:
    """In one line each; but another is never taken in the place of one that was named."""
    said: list[str] = []
    scorer = fitted(Scorer(Pay(ExactMatch())), {"output": "4", "gts": "4"}, "x:1", said.append)
    assert (scorer.completion_field, scorer.reference_field) == ("output", "gts")
    assert [line.split(", since")[0] for line in said] == [
        "x:1: the completions are taken from the column 'output'",
        "x:1: the references are taken from the column 'gts'",
    ]
    named = Scorer(Pay(ExactMatch()), reference_field="gold")
    row = {"completion": "1", "gold": "1", "solution": "2"}
    assert (fitted(named, row, "x:1", said.append).reference_field, len(said)) == ("gold", 2)


def _spread(row: Any, column: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for line in Spread(column).lines(Line("x", 3, json.dumps(row).encode())):
        try:
            found.append((line.where, parse(line.raw)))
        except ValueError as problem:
            found.append((line.where, str(problem)))
    return found


def test_a_row_of_several_completions_is_several_rows() -> None:
    """Each with its place; what stands around a completion is taken off it."""
    assert _spread({"prompt": "p", "responses": ["4", "5"]}, "responses") == [
        ("x:3[0]", {"prompt": "p", "completion": "4", "completion_index": 0}),
        ("x:3[1]", {"prompt": "p", "completion": "5", "completion_index": 1}),
    ]
    nested = {"output": {"choices": [{"message": MESSAGES[0]}, {"text": "5"}], "model": "m"}}
    assert [row["completion"] for _, row in _spread(nested, "output.choices")] == [MESSAGES, "5"]
    assert _spread(nested, "output.choices")[0][1]["output"] == {"model": "m"}
    assert _spread({"responses": []}, "responses") == [
        ("x:3", "'responses' is no list of completions, but an empty one")
    ]
    assert _spread({"a": 1}, "responses") == [("x:3", "'responses' is no list of completions")]
    assert _spread({"responses": ["4"], "completion": "5"}, "responses")[0][1].startswith(
        "there is a column 'completion'"
    )
    assert _spread({"responses": "4"}, "responses") == [
        ("x:3[0]", {"completion": "4", "completion_index": 0})
    ]
    assert _spread([], "responses") == [("x:3", "not a JSON object but an array")]


def _run(path: Path, *rows: dict[str, Any], **options: Any) -> tuple[list[dict[str, Any]], list[str]]:
    source, out = path / "in.jsonl", path / "out.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    said: list[str] = []
    output = Output(str(out), **options)
    try:
        run(
            Source([str(source)]), Scorer(Pay(MathEquivalence())), output, report=said.append,
            note=said.append,
        )  # fmt: skip
    finally:
        output.close()
    return [json.loads(line) for line in out.read_text().splitlines()], said


def test_a_files_own_reward_is_kept(tmp_path: Path) -> None:
    """Under another name, also where a run is continued or its rows are scored again; or it is refused."""
    rows = [{"completion": "4", "answer": "4", "reward": 0.25, "signature": "mine"}] * 2
    scored, said = _run(tmp_path, *rows)
    assert [(row["input_reward"], row["input_signature"], row["reward"]) for row in scored] == [
        (0.25, "mine", 1.0)
    ] * 2
    assert "the file's own is kept as 'input_reward'" in said[0]
    out = tmp_path / "out.jsonl"
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) // 2])
    assert (_run(tmp_path, *rows, resume=True)[0], out.read_bytes()) == (scored, whole)
    assert _run(tmp_path, *scored, force=True)[0] == scored
    with pytest.raises(ConfigError, match="has columns 'reward' and 'input_reward'"):
        _run(tmp_path, {**rows[0], "input_reward": 1}, force=True)
    mixed, said = _run(tmp_path, rows[0], {**rows[0], "input_reward": 1}, force=True)
    assert len(mixed) == 1
    assert "has columns 'reward' and 'input_reward'" in said[-1]


def test_tokens_that_are_text() -> None:
    scorer = Scorer(Pay(ExactMatch()) + SoftOverlong(100, 50))
    row = {"completion": "4", "answer": "4", "completion_tokens": "100"}
    assert json.loads(scorer.score([json.dumps(row).encode()]).output)["reward"] == 0.0
