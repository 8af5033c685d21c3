"""``verify-cli sandbox``, and programs scored from files."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests import forks
from tests.support import FIXTURES


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return forks.run("adapters.cli", *arguments, env={**forks.ENVIRONMENT, "COLUMNS": "200"})


def test_it_shows_tiers_canaries_and_languages() -> None:
    done = _run("sandbox")
    assert done.returncode == 0, done.stderr
    for words in (
        "full: works", "unprivileged: works", "cannot open a network socket", "gcc",
        "isolation='auto' gives 'full'",
    ):  # fmt: skip
        assert words in done.stdout


def test_attacks_are_run_on_request(tmp_path: Path) -> None:
    """An attack that works is reported, and fails the command."""
    for name in ("28_delete_host_file", "62_always_equal", "109_forge_replies"):
        source = FIXTURES / "attacks" / "code" / f"{name}.py"
        (tmp_path / source.name).write_bytes(source.read_bytes())
    done = _run("sandbox", "--attacks", str(tmp_path), "--isolation", "unprivileged")
    assert done.returncode == 0, done.stderr
    assert "9 of 9 attacks repelled" in done.stdout
    (tmp_path / "solved.py").write_text("def solve(a, b):\n    return (31 * a + 17 * b) % 97 + 3\n")
    done = _run("sandbox", "--attacks", str(tmp_path), "--isolation", "full")
    assert done.returncode == 1
    assert "solved (calls): paid 1.0" in done.stdout


def test_an_empty_folder_and_an_unknown_tier_are_mistakes(tmp_path: Path) -> None:
    assert "holds no attacks" in _run("sandbox", "--attacks", str(tmp_path)).stderr
    done = _run("sandbox", "--isolation", "docker")
    assert done.returncode == 2
    assert "isolation is one of auto, full, unprivileged, none" in done.stderr


def test_programs_in_a_file_are_scored(tmp_path: Path) -> None:
    """Tests as an object, as text, and missing; in order, over worker processes."""
    tests = {"stdio": [{"input": "2\n", "output": "4\n"}]}
    rows = [
        {"completion": "```python\nprint(int(input()) * 2)\n```", "answer": tests},
        {"completion": "```python\nprint(5)\n```", "answer": json.dumps(tests)},
        {"completion": "```python\nprint(5)\n```", "answer": {"stdio": []}},
        {"completion": "no program", "answer": tests},
    ] * 10
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = _run("score", str(source), "--recipe", "code_pass_rate", "-o", str(target))
    assert done.returncode == 0, done.stderr
    scored = [json.loads(line) for line in target.read_text().splitlines()]
    assert [row["reward"] for row in scored] == [1.0, 0.0, None, 0.0] * 10
    assert scored[2]["verdicts"][0]["reason"] == "bad_reference"
