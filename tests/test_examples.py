"""The examples run as they are, and print what examples/README.md shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests import forks
from tests.support import ROOT

EXAMPLES = ROOT / "examples"
SHOWN = dict(
    re.findall(
        r"^## (\w+\.py)\n.*?^```text\n(.*?)^```$",
        (EXAMPLES / "README.md").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)
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


@pytest.mark.parametrize("name", sorted({*SHOWN} - {TRAINS}))
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


def test_the_notebook_runs_from_top_to_bottom(tmp_path: Path) -> None:
    """Its cells as one program; a kernel shows no more than that."""
    script = tmp_path / "notebook.py"
    script.write_text("\n".join(_cells("code")), encoding="utf-8")
    done = forks.run(script, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for evidence in (
        "MathEquivalence 1.00 equal_text  '75' for '75'",
        "Together that is \\boxed{⟦75⟧} apples.",
        "unscored - bad_reference   'It is \\\\boxed{75}.' for ''",
        "scored   1 equal_rational  '정답은 ⟦75명⟧입니다.' for '75'",
        "1 several_answers: ",
        "reward: 1.5",
    ):
        assert evidence in done.stdout


def test_the_notebook_holds_no_outputs() -> None:
    """They would be old at once, and differ with every run."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
    assert len(_cells("code")) >= 5
    assert len(_cells("markdown")) >= 5
    assert notebook["nbformat"] == 4
