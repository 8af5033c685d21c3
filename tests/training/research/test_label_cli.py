"""`verify-train label` as a user meets it, with a model of a few thousand parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.training.runs import lines, write
from training.cli import app

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

REWARD = {"sum": [{"Keywords": {"words": ["1", "2", "3"], "mode": "any"}, "name": "digits"}]}


def run(*arguments: str) -> Any:
    """`verify-train` in this process."""
    return CliRunner().invoke(app, list(arguments))


def test_labels_end_to_end(tmp_path: Path) -> None:
    """Sampled, labelled, killed and continued; the same solutions from a file; copies in other formats."""
    file = str(write(tmp_path / "run.yaml", reward=REWARD, sample={"k": 2, "max_tokens": 8},
                     data={"options": {"train": 10, "held": 2}}))  # fmt: skip
    out = tmp_path / "labels.jsonl"
    common = ("-c", file, "--rollouts", "3", "--steps", "lines")
    done = run("label", "-o", str(out), *common, "--format", "trl", "--format", "processbench")
    assert done.exit_code == 0, done.output
    text = out.read_bytes()
    rows = lines(out)
    assert len(rows) == 20 == len(lines(tmp_path / "labels.solutions.jsonl"))
    assert all(len(row["labels"]) == len(row["completions"]) == len(row["soft"]) for row in rows)
    assert {row["outcome"] for row in rows} == {True, False}
    assert "rollout tokens" in done.output
    assert all(
        set(row) == {"prompt", "completions", "labels"} for row in lines(tmp_path / "labels.trl.jsonl")
    )
    firsts = [next((each for each in row["labels"] if each is not True), True) for row in rows]
    assert len(lines(tmp_path / "labels.processbench.jsonl")) == sum(
        first is not None and bool(row["labels"]) for first, row in zip(firsts, rows, strict=True)
    )
    out.write_bytes(text[: len(text) * 9 // 10])
    assert run("label", "-o", str(out), *common).exit_code == 0
    assert out.read_bytes() == text
    other = tmp_path / "other.jsonl"
    done = run("label", "-o", str(other), *common, "--solutions", str(tmp_path / "labels.solutions.jsonl"))
    assert done.exit_code == 0, done.output
    assert other.read_bytes() == text


def test_mistakes_are_told_at_the_start(tmp_path: Path) -> None:
    """One sentence, exit status 2, no file."""
    file = str(write(tmp_path / "run.yaml", reward=REWARD, data={"options": {"train": 4, "held": 2}}))
    out, solutions = tmp_path / "labels.jsonl", tmp_path / "solutions.jsonl"
    solutions.write_text(json.dumps({"prompt": "1+1=?"}) + "\n")
    chats = tmp_path / "chats.jsonl"
    chats.write_text(json.dumps({"prompt": [{"role": "user", "content": "1+1=?"}], "completion": "2"}) + "\n")
    for arguments, sentence in (
        (["--until-first-error", "--bisect"], "choose one"),
        (["--steps", "words"], "by must be"),
        (["--format", "verl"], "--format must be trl, prm800k, processbench, got 'verl'"),
        (["--consensus", "no.yaml"], "no.yaml"),
        (["sample.temperature=0"], "temperature 0"),
        (["--solutions", str(solutions)], "row 0 of"),
        (["--solutions", str(tmp_path / "no.jsonl")], "there is no file"),
        (["--solutions", str(chats)], "are chat messages, and this model's tokenizer has no chat template"),
        (["--heldout"], "no held-out rows"),
    ):
        done = run("label", "-c", file, "-o", str(out), *arguments)
        assert (done.exit_code, done.stdout) == (2, ""), done.output
        assert sentence in done.stderr
        assert not out.exists()
