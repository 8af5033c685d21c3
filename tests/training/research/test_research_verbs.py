"""`verify-train search` and `label` as a user meets them, with a model of a few thousand parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests import forks
from tests.training.runs import kill_when, lines, write
from training.cli import app

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

REWARD = {"sum": [{"ExactMatch": {}, "name": "right"}, {"Keywords": {"words": ["1"]}, "name": "digit"}]}


def run(*arguments: str) -> Any:
    """`verify-train` in this process."""
    return CliRunner().invoke(app, list(arguments))


def test_searches_end_to_end(tmp_path: Path) -> None:
    """Each method within its budget; killed and continued; read by groups, select and report."""
    file = str(write(tmp_path / "run.yaml", reward=REWARD, sample={"max_tokens": 8},
                     data={"options": {"train": 4, "held": 2}}))  # fmt: skip
    by = tmp_path / "by.yaml"
    by.write_text("reward: {Keywords: {words: ['1', '2', '3'], mode: any}}\n")
    common = ("-c", file, "--by", str(by), "--budget", "32", "--n", "4", "--iterations", "6", "--depth", "3",
              "--width", "2", "--branch", "2", "--step-tokens", "4")  # fmt: skip
    for method in ("majority", "revise", "beam", "mcts"):
        out = tmp_path / f"{method}.jsonl"
        done = run("search", "-o", str(out), "--method", method, *common)
        assert done.exit_code == 0, done.output
        rows = lines(out)
        assert {row["search"]["row"] for row in rows} == {0, 1, 2, 3}
        assert all(0 < row["search"]["spent"] <= 32 and row["search"]["over"] == 0 for row in rows)
        assert all(
            sum(each["chosen"] for each in rows if each["search"]["row"] == at) <= 1 for at in range(4)
        )
    text = out.read_bytes()
    out.write_bytes(text[: len(text) * 2 // 3])
    assert run("search", "-o", str(out), "--method", "mcts", *common).exit_code == 0
    assert out.read_bytes() == text
    for verb, suffix in (("groups", ""), ("select", ".jsonl"), ("report", ".html")):
        written = ("-o", tmp_path / f"read{suffix}") if suffix else ()
        read = forks.run("adapters.cli", verb, out, *written)
        assert read.returncode == 0, read.stderr


def test_killed_it_continues_with_the_same_bytes(tmp_path: Path) -> None:
    """A tree search that is killed between two rows, or within one, and begun again."""
    file = str(write(tmp_path / "run.yaml", reward=REWARD, sample={"max_tokens": 8},
                     data={"options": {"train": 16, "held": 2}}))  # fmt: skip
    by = tmp_path / "by.yaml"
    by.write_text("reward: {Keywords: {words: ['1', '2', '3'], mode: any}}\n")
    given = ("-c", file, "--by", str(by), "--method", "mcts", "--iterations", "3", "--branch", "2",
             "--depth", "3", "--step-tokens", "4")  # fmt: skip
    cut, whole = tmp_path / "killed.jsonl", tmp_path / "whole.jsonl"
    two = lambda: cut.exists() and len(cut.read_bytes().splitlines()) > 1  # noqa: E731
    kill_when(two, "training.cli", "search", "-o", cut, *given, cwd=tmp_path)
    left = {row["search"]["row"] for row in map(parsed, cut.read_bytes().splitlines()) if row}
    assert 0 < len(left) < 16
    for out in (cut, whole):
        assert run("search", "-o", str(out), *given).exit_code == 0
    assert cut.read_bytes() == whole.read_bytes()


def parsed(line: bytes) -> dict[str, Any]:
    """A line; nothing of one that was torn off."""
    try:
        found: dict[str, Any] = json.loads(line)
    except ValueError:
        return {}
    return found


def test_an_oracle_says_so(tmp_path: Path) -> None:
    """In the table and in the file."""
    file = str(write(tmp_path / "run.yaml", reward=REWARD, sample={"max_tokens": 4},
                     data={"options": {"train": 2, "held": 2}}))  # fmt: skip
    out = tmp_path / "found.jsonl"
    done = run("search", "-c", file, "-o", str(out), "--oracle", "--n", "2")
    assert done.exit_code == 0, done.output
    assert "with the reference (oracle)" in done.stdout
    assert all("with the reference" in row["sampler"] for row in lines(out))


def test_labels_end_to_end(tmp_path: Path) -> None:
    """Sampled, labelled, killed and continued; the same solutions from a file; copies in other formats."""
    file = str(write(tmp_path / "run.yaml", sample={"k": 2, "max_tokens": 8},
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
