"""The verbs for people who write verifiers."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from adapters.cli.verifier_laws import LAWS
from tests import forks
from tests.adapters.cli.commands import cli, ran_by_pytest

HEAD = """
import itertools, os, time
from dataclasses import dataclass, field
from typing import Any
from verifiers.core import VERIFIERS, Sample, Verdict, Verifier

@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Mine(Verifier):
    reasons = {"right": "r", "wrong": "w"}
"""
CHECK = """
    def check(self, sample):
        same = sample.response == sample.reference
        return self.scored(float(same), "right" if same else "wrong")
"""


def checked(folder: Path, body: str, *options: object) -> subprocess.CompletedProcess[str]:
    (folder / "mine_of_kit.py").write_text(HEAD + body)
    return cli("check-verifier", "mine_of_kit:Mine", *options, cwd=folder, text=True)


def test_a_sound_verifier_keeps_all_laws(tmp_path: Path) -> None:
    done = checked(tmp_path, CHECK)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all laws kept" in done.stdout
    assert sum(line.startswith("kept ") for line in done.stdout.splitlines()) == len(LAWS)


def test_a_class_that_is_not_registered_is_told_how(tmp_path: Path) -> None:
    """Recipes and workers could not name it."""
    (tmp_path / "mine_of_kit.py").write_text(HEAD.replace("@VERIFIERS.register\n", "") + CHECK)
    done = cli("check-verifier", "mine_of_kit:Mine", cwd=tmp_path, text=True)
    assert (done.returncode, "register the class" in done.stdout) == (1, True), done.stdout


@pytest.mark.parametrize(
    ("body", "law", "problem"),
    [
        (
            "    def check(self, sample):\n        return self.scored(next(DRAWS) % 2, 'right')\n\nDRAWS = itertools.count()\n",
            "The same row has the same verdict twice",
            "and then",
        ),
        (
            CHECK
            + "    def check_batch(self, samples):\n        return [self.check(each) for each in samples][::-1]\n",
            "A batch has one verdict for each completion",
            "in a batch",
        ),
        (
            "    def check(self, sample):\n        sample.response.encode()\n        return self.scored(0.0, 'wrong')\n",
            "No text breaks it",
            "half a surrogate",
        ),
        (
            "    def check(self, sample):\n        if not sample.response.strip():\n"
            "            return self.unscored('empty', '')\n        return self.scored(0.0, 'wrong')\n",
            "No text breaks it",
            "a completion can have itself left out",
        ),
        (
            "    def check(self, sample):\n        return self.scored(0.0, 'other')\n",
            "Every reason that it gives",
            "reason 'other' is not in `reasons`",
        ),
        (
            "    def __reduce_ex__(self, protocol):\n        raise TypeError('it holds on')\n" + CHECK,
            "It pickles",
            "it does not pickle",
        ),
        (
            "    def check(self, sample):\n        return self.scored(0.0, 'wrong') if len(sample.response) < 9 else 1 / 0\n",
            "No text breaks it",
            "ZeroDivisionError",
        ),
        (
            "    def check(self, sample):\n        import json\n"
            "        for call in sample.messages[-1].get('tool_calls') or []:\n"
            "            json.loads(call['function']['arguments'])\n"
            "        return self.scored(0.0, 'wrong')\n",
            "No text breaks it",
            "a call that is cut off: exception: ",
        ),
    ],
    ids=["random", "order", "surrogate", "masks itself", "reason", "pickle", "raises", "tool call"],
)
def test_a_broken_law_is_found(tmp_path: Path, body: str, law: str, problem: str) -> None:
    """With the row that shows it, by the process that the command starts."""
    (tmp_path / "mine_of_kit.py").write_text(HEAD + body)
    done = forks.run("adapters.cli.verifier_laws", "mine_of_kit:Mine", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    says = {line["law"]: line["says"] for line in lines if "law" in line}
    broken = {says[line["done"]]: line["problems"] for line in lines if line.get("problems")}
    assert any(problem in each for name, found in broken.items() if law in name for each in found), broken


def test_a_broken_law_is_told(tmp_path: Path) -> None:
    done = checked(tmp_path, "    def check(self, sample):\n        return self.scored(0.0, 'other')\n")
    assert done.returncode == 1, done.stdout + done.stderr
    broken = [line for line in done.stdout.splitlines() if line.startswith("broken")]
    assert any("Every reason that it gives" in line for line in broken), done.stdout
    assert "reason 'other' is not in `reasons`" in done.stdout


def test_what_hangs_is_ended(tmp_path: Path) -> None:
    """In C, too, with the interpreter's lock, where no thread would help; the text that did it is named."""
    body = (
        "    def check(self, sample):\n        if len(sample.response) > 99_999:\n            import ctypes\n"
    )
    body += "            ctypes.PyDLL(None).sleep(10_000)\n        return self.scored(0.0, 'wrong')\n"
    done = checked(tmp_path, body, "--seconds", 20)
    assert done.returncode == 1
    assert "broken hostile texts (digits): it did not end within 20 s" in done.stdout


def test_what_is_no_verifier_is_refused(tmp_path: Path) -> None:
    done = cli("check-verifier", "NoSuch", text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr


def test_a_new_package_works_at_once(tmp_path: Path) -> None:
    """Its cases pass, its laws are kept, its tests pass, and mypy finds nothing in it."""
    done = cli("new", "YesAgain", cwd=tmp_path, text=True, status=0)
    made = tmp_path / "yes-again"
    done = cli("test", "cases", "--verifier", "yes_again:YesAgain", cwd=made, text=True)
    assert (done.returncode, "4 cases, all as expected" in done.stdout) == (0, True), (
        done.stdout + done.stderr
    )
    assert (
        cli("check-verifier", "yes_again:YesAgain", "--cases", "cases", cwd=made, text=True).returncode == 0
    )
    settings = ("-o", "reward_cases_verifier=yes_again:YesAgain", "--doctest-modules", ".")
    assert "6 passed" in (said := ran_by_pytest(made, *settings)), said
    assert cli("new", "YesAgain", cwd=tmp_path, text=True).returncode == 2


@pytest.mark.parametrize(
    "name",
    ["", "1st", "a b", "../x", "class", "ExactMatch", "exact-match", "os", "Test", "Numpy", "verifiers"],
)
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    cli("new", name, cwd=tmp_path, text=True, status=2)
    assert not list(tmp_path.iterdir())
