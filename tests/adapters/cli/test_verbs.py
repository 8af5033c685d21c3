"""The command line as a whole: every verb has help, an example and a status, and the shorter ones do what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from adapters.cli import app, doctor
from adapters.cli.verbs import VERBS
from tests.adapters.cli.commands import cli
from tests.adapters.cli.test_score import row, write
from tests.support import ROOT, first_of_each
from verifiers import verifier_names
from verifiers.core import load


def test_explain_says_what_was_extracted_and_why(tmp_path: Path) -> None:
    """For a row of a file, or a completion given outright."""
    source = write(
        tmp_path / "in.jsonl", [row(1), {"completion": "<think>x</think>It is \\boxed{4}.", "answer": "5"}]
    )
    done = cli("explain", source, "--row", 2, status=0)
    for said in (
        "MathEquivalence: 0", "not_equal (the answer differs", "extracted: 4", "expected: 5", "signature",
    ):  # fmt: skip
        assert said in done.stdout
    assert "1 characters of thinking" in done.stdout
    done = cli("explain", "--completion", "\\boxed{1/2}", "--reference", "0.5")
    assert "equal_rational" in done.stdout


def test_list_shows_every_verifier() -> None:
    done = cli("list", status=0)
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
    done = cli("doctor", status=0)
    for said in ("python", "worker process", "starts, and decides with sympy", "package names"):
        assert said in done.stdout
    assert "BROKEN" not in done.stdout


def test_demo_scores_the_bundled_completions() -> None:
    done = cli("demo", status=0)
    for said in ("MathEquivalence", "TagFormat", "equal_rational"):
        assert said in done.stdout


def test_version_and_help() -> None:
    assert cli("--version").stdout.startswith("verify-cli 0.")
    assert "score" in cli("--help").stdout
    assert cli("scroe").returncode == 2


OLDER, NEWER = sys.version_info[1] - 1, sys.version_info[1] + 1


def test_what_this_interpreter_does_not_get_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An extra with a package for older interpreters only is whole without it; the cure would do nothing."""
    declared = [
        "typer>=0.12",
        f"no-such-package; python_version < '3.{OLDER}' and extra == 'one'",
        "typer>=0.12; extra == 'one'",
        f"no-such-package; python_version < '3.{NEWER}' and extra == 'two'",
        "reward-verifiers[one,two]; extra == 'all'",
    ]
    monkeypatch.setattr(doctor, "distribution", lambda name: SimpleNamespace(requires=declared))
    monkeypatch.setattr(doctor, "version", lambda name: _version(name))
    rows = {name: (good, said) for name, good, said in doctor._extras()}
    assert rows["base"] == rows["[one]"] == (True, "typer 0.12")
    good, said = rows["[two]"]
    assert good is None
    assert said.startswith("missing no-such-package; run: pip install ")
    assert "[all]" not in rows


def _version(name: str) -> str:
    if name == "no-such-package":
        raise doctor.PackageNotFoundError(name)
    return "0.12"


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
            [sys.executable, "-c", code], env={**os.environ, **asked, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert wanted in done.stdout, (words, done.stderr)


def test_nothing_is_wrapped_off_a_terminal() -> None:
    """A path or a command that is cut cannot be copied."""
    done = CliRunner().invoke(app, ["doctor"], env={"COLUMNS": "40"})
    assert any(len(line) > 80 for line in done.stdout.splitlines())
