"""The other verbs of verify-cli."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.adapters.cli.commands import cli
from tests.adapters.cli.test_score import row, write
from verifiers import verifier_names
from verifiers.core import load


def test_explain_says_what_was_extracted_and_why(tmp_path: Path) -> None:
    """For a row of a file, or a completion given outright."""
    source = write(
        tmp_path / "in.jsonl", [row(1), {"completion": "<think>x</think>It is \\boxed{4}.", "answer": "5"}]
    )
    done = cli("explain", source, "--row", 2)
    assert done.returncode == 0, done.stderr
    for said in (
        "MathEquivalence: 0", "not_equal (the answer differs", "extracted: 4", "expected: 5", "signature",
    ):  # fmt: skip
        assert said in done.stdout
    assert "1 characters of thinking" in done.stdout
    done = cli("explain", "--completion", "\\boxed{1/2}", "--reference", "0.5")
    assert "equal_rational" in done.stdout


def test_list_shows_every_verifier() -> None:
    done = cli("list")
    assert done.returncode == 0
    for name in verifier_names():
        assert name in done.stdout
    done = cli("list", "TagFormat")
    for said in ("prefilled", "min_chars", "well_formed", "repeated_tag", "letters and digits"):
        assert said in done.stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("SoftOverlong", "penalty"), ("Max", "largest"), ("Linear", "straight line"),
        ("TrlFunction", "reward function"),
    ],
)  # fmt: skip
def test_list_shows_rewards_nodes_and_schedules(name: str, said: str) -> None:
    assert f"\n{name} " in cli("list").stdout or f" {name} " in cli("list").stdout
    assert said in cli("list", name).stdout


def _texts(command: Any, path: str) -> Iterator[tuple[str, str]]:
    """The help of a command, its options, and the commands below it."""
    yield path, command.help or ""
    for option in command.params:
        yield f"{path} {option.name}", getattr(option, "help", None) or ""
    for name, below in getattr(command, "commands", {}).items():
        yield from _texts(below, f"{path} {name}")


@pytest.mark.parametrize("app", ["adapters.cli:app", "training.cli:app"])
def test_help_is_made_of_whole_sentences(app: str) -> None:
    """No default is left out of the middle of one, and none ends in nothing."""
    found = dict(_texts(typer.main.get_command(load(app)), app))
    assert len(found) > 40
    for path, text in found.items():
        assert not re.search(r"\s[.,;)](?=\s|$)|\(\s", text), f"{path}: {text}"
        assert "[" not in text, f"{path}: a terminal takes it for markup"
        assert text.partition("\n\n")[0].rstrip().endswith((".", ")")) or not text, f"{path}: {text}"


def test_doctor_reports_the_environment() -> None:
    done = cli("doctor")
    assert done.returncode == 0, done.stdout
    for said in ("python", "worker process", "starts, and decides with sympy", "package names"):
        assert said in done.stdout
    assert "BROKEN" not in done.stdout


def test_demo_scores_the_bundled_completions() -> None:
    done = cli("demo")
    assert done.returncode == 0, done.stderr
    for said in ("MathEquivalence", "TagFormat", "equal_rational"):
        assert said in done.stdout


def test_version_and_help() -> None:
    assert cli("--version").stdout.startswith("verify-cli 0.")
    assert "score" in cli("--help").stdout
    assert cli("scroe").returncode == 2
