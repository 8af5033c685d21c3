"""The command line as a whole: help, completion, statuses, and a page of documentation that leaves nothing out."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from adapters.cli import app
from adapters.cli.verbs import VERBS
from tests.support import ROOT, first_of_each

PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")


def test_every_verb_has_an_example() -> None:
    for name in VERBS:
        assert re.search(rf"^\| `{name}[ `].*`(?:source <\()?verify-cli {name}\b", PAGE, re.MULTILINE), name


def test_every_status_is_in_one_table() -> None:
    table = PAGE.partition("## Exit status")[2].partition("##")[0]
    assert re.findall(r"^\| (\d+) \|", table, re.MULTILINE) == ["0", "1", "2", "3", "130"]


def test_help_is_short_and_in_groups() -> None:
    """-h is --help; verbs stand below heads, and a switch has no type."""
    runner = CliRunner()
    whole = runner.invoke(app, ["-h"], env={"COLUMNS": "100"})
    assert whole.exit_code == 0
    for head in ("Score", "Inspect", "Select", "Verifiers", "Serve and environment"):
        assert f"─ {head} ─" in whole.stdout
    said = runner.invoke(app, ["score", "-h"], env={"COLUMNS": "100"}).stdout
    assert said == runner.invoke(app, ["score", "--help"], env={"COLUMNS": "100"}).stdout
    assert "bool" not in said
    assert "─ Columns ─" in said
    assert said.index("--recipe") < said.index("─ More ─") < said.index("--engine")
    first = said[said.index("─ Options ─") : said.index("─ More ─")]
    assert len(re.findall(r"^│ --", first, re.MULTILINE)) <= 10


@pytest.mark.parametrize("shell", first_of_each(["bash", "zsh", "fish"]))
def test_shells_complete_by_tab(shell: str) -> None:
    """The script that is printed asks the program, which answers with verbs and options."""
    script = CliRunner().invoke(app, ["completion", shell])
    assert script.exit_code == 0
    assert "_VERIFY_CLI_COMPLETE" in script.stdout
    code = "import sys; sys.argv = ['verify-cli']; from adapters.cli import main; main()"
    for words, wanted in (("verify-cli re", "report"), ("verify-cli show --re", "--reason")):
        asked = {
            "_VERIFY_CLI_COMPLETE": f"complete_{shell}", "COMP_WORDS": words,
            "COMP_CWORD": str(words.count(" ")), "_TYPER_COMPLETE_ARGS": words,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **asked, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert wanted in done.stdout, (words, done.stderr)


def test_nothing_is_wrapped_off_a_terminal() -> None:
    """A path or a command that is cut cannot be copied."""
    done = CliRunner().invoke(app, ["doctor"], env={"COLUMNS": "40"})
    assert any(len(line) > 80 for line in done.stdout.splitlines())
