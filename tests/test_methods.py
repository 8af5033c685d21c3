"""The list of methods says what is there: tests/methods.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from typer.main import get_command

import adapters.cli
import training.cli
from tests.support import ROOT
from training.config import config_names

PAGE = (ROOT / "tests" / "methods.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("| ")
][1:]
STATES = ("runs", "GPU", "TRL's", "formula only: ", "out of scope: ")


def test_no_row_is_empty() -> None:
    """Each has a state; what is out of scope has a reason, everything else a command and a test."""
    assert len(ROWS) >= 45
    for system, state, command, test in ROWS:
        assert system
        assert state.startswith(STATES), state
        assert bool(command) == bool(test) == (not state.startswith("out of scope")), system


@pytest.mark.parametrize("test", sorted({row[3] for row in ROWS if row[3]}))
def test_every_test_is_there(test: str) -> None:
    """By its file and name."""
    path, _, name = test.strip("`").partition("::")
    text = (ROOT / path).read_text(encoding="utf-8")
    assert f"\ndef {name}" in text
    assert re.search(rf"^def {name or 'test_'}", text, re.MULTILINE)


def commands() -> Iterator[list[str]]:
    """The words of every command in the table."""
    for row in ROWS:
        for command in re.findall(r"`(verify-(?:cli|train) [^`]*)`", row[2]):
            yield command.split()


def test_every_command_is_there() -> None:
    """Its verb, options, and configuration or recipe."""
    verbs = {
        "verify-cli": get_command(adapters.cli.app).commands,  # type: ignore[attr-defined]
        "verify-train": get_command(training.cli.app).commands,  # type: ignore[attr-defined]
    }
    seen = 0
    for program, verb, *words in commands():
        options = {option for each in verbs[program][verb].params for option in each.opts}
        assert {word for word in words if word.startswith("--")} <= options, (verb, words)
        if "--config" in words:
            assert words[words.index("--config") + 1] in {"FILE", *config_names()}
        seen += 1
    assert seen >= 30
