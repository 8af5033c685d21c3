"""The examples run as they are, and print what examples/README.md shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests import forks
from tests.support import ROOT, first_of_each

EXAMPLES = ROOT / "examples"
SHOWN = dict(re.findall(r"^## (\w+\.py)\n.*?^```text\n(.*?)^```$",
                        (EXAMPLES / "README.md").read_text(encoding="utf-8"),
                        re.DOTALL | re.MULTILINE))  # fmt: skip
TRAINS = "grpo_trainer.py"
NOTEBOOK = EXAMPLES / "verdicts.ipynb"


def _lines(text: str) -> list[str]:
    """Without the spaces at the ends of lines, which no page keeps."""
    return [line.rstrip() for line in text.splitlines()]


def _cells(kind: str) -> list[str]:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]


def test_every_script_is_shown() -> None:
    """With its output, and by a link."""
    assert {*SHOWN} == {path.name for path in EXAMPLES.glob("*.py")}
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    links = set(re.findall(r"\]\(([^)]+)\)", readme))
    files = {path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*") if path.is_file()}
    assert links <= files
    assert {name for name in files if name.endswith((".py", ".ipynb"))} <= links


LONG = {"code_pass_rate.py"}
"""Those that take longer than a test of the gate may."""


@pytest.mark.parametrize(
    "name", first_of_each(sorted({*SHOWN} - {TRAINS}), lambda name: None if name in LONG else name)
)
def test_a_script_prints_what_is_shown(name: str, tmp_path: Path) -> None:
    """From any folder: files stand next to the script."""
    done = forks.run(EXAMPLES / name, cwd=tmp_path)
    assert done.stderr == ""
    assert done.returncode == 0
    assert _lines(done.stdout) == _lines(SHOWN[name])


@pytest.mark.slow
def test_the_trainer_trains(tmp_path: Path) -> None:
    """A few steps of it: the table is there, and the total is what the recipe makes of its parts."""
    done = forks.run(EXAMPLES / TRAINS, 4, loaded=forks.TRAINING, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    head, *rows = done.stdout.splitlines()
    assert head == SHOWN[TRAINS].splitlines()[0]
    steps, *columns = zip(*([float(each) for each in row.split()] for row in rows), strict=True)
    assert steps[-1] == 4
    total, accuracy, digit = columns
    assert all(0 <= share <= 1 for share in (*accuracy, *digit))
    assert any(digit)
    # The table rounds to hundredths; the recipe pays the digit a fifth.
    assert total == pytest.approx(
        [right + 0.2 * form for right, form in zip(accuracy, digit, strict=True)], abs=0.0121
    )


def test_the_cases_of_the_own_verifier_hold() -> None:
    """At a terminal, as the example says; its laws, too."""
    named = "own_verifier:Cites"
    done = forks.run("adapters.cli", "test", "cases", "--verifier", named, cwd=EXAMPLES)
    assert (done.returncode, done.stdout) == (0, "8 cases, all as expected\n"), done.stderr
    done = forks.run("adapters.cli", "check-verifier", named, "--cases", "cases", cwd=EXAMPLES)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("all laws kept\n")


def test_the_notebook_prints_what_it_holds(tmp_path: Path) -> None:
    """Its cells as one program: `python -m benchmarks.notebook` stores what they print."""
    script = tmp_path / "notebook.py"
    script.write_text("\n".join(_cells("code")), encoding="utf-8")
    done = forks.run(script, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    stored = [text for cell in cells for output in cell.get("outputs", []) for text in output["text"]]
    assert done.stdout == "".join(stored)
    assert len(stored) > 20


def test_a_kernel_finds_the_notebook_in_order() -> None:
    """Every code cell has run, once and in its place; the first installs the library where it is not."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert "pip" in "".join(code[0]["source"])
    assert all(cell["outputs"] for cell in code[1:])
