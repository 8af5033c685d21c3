"""`verify-train search` as a user meets it, with a model of a few thousand parameters."""

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
    kill_when(lambda: cut.exists() and len(cut.read_bytes().splitlines()) > 1,
           "training.cli", "search", "-o", cut, *given, cwd=tmp_path)  # fmt: skip
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


def test_mistakes_are_told_at_the_start(tmp_path: Path) -> None:
    """Before a model is loaded: one sentence, exit status 2, no file."""
    file = str(write(tmp_path / "run.yaml", reward=REWARD, data={"options": {"train": 4, "held": 2}}))
    out = tmp_path / "found.jsonl"
    for arguments, sentence in (
        ([], "ExactMatch needs the reference, which a search must not see"),
        (["--by", "TagFormat", "--column", "answer"], "'answer' holds the reference"),
        (["--method", "best"], "method must be"),
        (["--by", "TagFormat", "--steps", "words"], "steps must be"),
        (["--by", "TagFormat", "sample.temperature=0"], "set sample.temperature above 0"),
        (["--by", "no.yaml"], "no.yaml"),
    ):
        done = run("search", "-c", file, "-o", str(out), *arguments)
        assert (done.exit_code, done.stdout) == (2, ""), done.output
        assert sentence in done.stderr
        assert not out.exists()


def test_an_oracle_says_so(tmp_path: Path) -> None:
    """In the table and in the file."""
    file = str(write(tmp_path / "run.yaml", reward=REWARD, sample={"max_tokens": 4},
                     data={"options": {"train": 2, "held": 2}}))  # fmt: skip
    out = tmp_path / "found.jsonl"
    done = run("search", "-c", file, "-o", str(out), "--oracle", "--n", "2")
    assert done.exit_code == 0, done.output
    assert "with the reference (oracle)" in done.stdout
    assert all("with the reference" in row["sampler"] for row in lines(out))
