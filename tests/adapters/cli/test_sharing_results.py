"""What others see of a scoring: trackers, a folder to publish, the summary of a job; and cases of labels."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest
import yaml

from adapters.cases.case_rows import read_cases
from adapters.cli.score_summary import CLIENTS
from adapters.report import load_scored
from tests.adapters.cli.commands import run
from tests.adapters.cli.test_score import write
from tests.support import ROOT

ROWS = [
    {"question": "Half of 84?", "text": "It is 42.", "gold": "42", "label": "right", "note": ""},
    {"question": "Half of 84?", "text": "It is 43.", "gold": "42", "label": "right", "note": "off by one, fine"},
    {"question": "Half of 6?", "text": "3 it is.", "gold": "3", "label": False, "note": None},
    {"question": "Half of 8?", "text": "4", "gold": "4", "label": "unsure", "note": None},
    {"question": "Half of 10?", "text": "5", "gold": "5", "label": None, "note": None},
]  # fmt: skip


@pytest.fixture
def scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = write(tmp_path / "rows.jsonl", ROWS)
    fields = ("--completion-field", "text", "--reference-field", "gold", "--prompt-field", "question")
    run("score", rows, "-o", "scored.jsonl", *fields, status=0)
    return tmp_path / "scored.jsonl"


def test_labels_of_a_column_become_cases(scored: Path, tmp_path: Path) -> None:
    """Those that say right or wrong; with the reference, the verifier and the note, and they run."""
    done = run("cases", scored, "-o", "cases.jsonl", status=0)
    assert "3 cases" in done.stderr
    found = list(read_cases(tmp_path / "cases.jsonl"))
    assert [case.expected["score"] for case in found] == [1.0, 1.0, 0.0]
    assert [case.reference for case in found] == ["42", "42", "3"]
    assert ([case.note for case in found], found[0].spec) == (["", "off by one, fine", ""], "MathEquivalence")
    assert found[0].fields == {"prompt": "Half of 84?"}
    ran = run("test", "cases.jsonl")
    assert "3 cases, 2 differ" in ran.stdout
    assert run("cases", scored, "--disputed").stdout.count("\n") == 2
    assert run("cases", scored, "--labels", "lable").exit_code == 2


def test_labels_that_a_page_exported_become_cases(scored: Path, tmp_path: Path) -> None:
    """By file and line; what belongs to no row is counted, and ends with status 1."""
    labels = [
        {"file": "scored.jsonl", "line": 1, "label": "right", "note": "n"},
        {"file": "/elsewhere/scored.jsonl", "line": 5, "label": "wrong", "note": ""},
    ]
    exported = write(tmp_path / "labels.jsonl", labels)
    done = run("cases", scored, "--labels", exported, status=0)
    assert [json.loads(line)["score"] for line in done.stdout.splitlines()] == [1.0, 0.0]
    write(exported, [*labels, {"file": "scored.jsonl", "line": 77, "label": "right"}])
    done = run("cases", scored, "--labels", exported, status=1)
    assert "1 labels say neither right nor wrong, or have no row" in done.stderr
    exported.write_text("{}\n", encoding="utf-8")
    assert run("cases", scored, "--labels", exported).exit_code == 2


def test_a_case_names_the_verifier_as_the_recipe_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text("reward: {ExactMatch: {ignore_case: true}}\n", encoding="utf-8")
    row = {"completion": "PARIS", "answer": "Paris", "label": "right"}
    write(tmp_path / "rows.jsonl", [row])
    assert run("score", "rows.jsonl", "-r", "mine.yaml", "-o", "scored.jsonl").exit_code == 0
    run("cases", "scored.jsonl", "-o", "cases.jsonl")
    [case] = read_cases(tmp_path / "cases.jsonl")
    assert (case.spec, run("test", "cases.jsonl").exit_code) == ({"ExactMatch": {"ignore_case": True}}, 0)


def test_a_published_folder_is_whole(scored: Path, tmp_path: Path) -> None:
    """A page, figures, and a card that a hub reads; what is there is not overwritten without asking."""
    run("publish", scored, "-o", "public", "--title", "Halves: 'all' of them", status=0)
    folder = tmp_path / "public"
    names = sorted(each.name for each in folder.iterdir())
    assert names == [".nojekyll", "README.md", "index.html", "report.json"]
    card = (folder / "README.md").read_text(encoding="utf-8")
    head = yaml.safe_load(card.split("---")[1])
    assert (head["sdk"], head["app_file"], head["title"]) == ("static", "index.html", "Halves: 'all' of them")
    assert json.loads((folder / "report.json").read_text(encoding="utf-8"))["rows"] == 5
    assert 'id="texts-0"' in (folder / "index.html").read_text(encoding="utf-8")
    assert run("publish", scored, "-o", "public").exit_code == 2
    assert run("publish", scored, "-o", "public", "--force", "--no-texts").exit_code == 0
    assert 'id="texts-0"' not in (folder / "index.html").read_text(encoding="utf-8")
    (folder / "index.html").write_text("mine", encoding="utf-8")
    assert run("publish", scored, "-o", "public", "--force").exit_code == 2
    assert run("publish", scored, "-o", scored).exit_code == 2


def test_what_a_judge_decided_is_proposed_to_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As cases of the first verifier, with its fields; what that one decides is none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.yaml").write_text(
        "reward: {Cascade: {first: {ShortAnswer: {due: all}}, then: ExactMatch, budget: 1.0}}\n",
        encoding="utf-8",
    )
    rows = [{"completion": "Rome", "answer": "Oslo"}, {"completion": "Oslo", "answer": "Oslo"}]
    write(tmp_path / "rows.jsonl", rows)
    assert run("score", "rows.jsonl", "-r", "r.yaml", "-o", "scored.jsonl").exit_code == 0
    [case] = [json.loads(line) for line in run("cases", "scored.jsonl", "--proposed").stdout.splitlines()]
    assert (case["completion"], case["score"], case["note"]) == ("Rome", 0.0, "proposed by ExactMatch")
    assert case["spec"] == {"ShortAnswer": {"due": "all"}}


class Spy(types.ModuleType):
    """A client of a tracker whose calls are written down."""

    def __init__(self, name: str, calls: list[tuple[str, Any]]) -> None:
        super().__init__(name)
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*given: Any, **named: Any) -> Any:
            self._calls.append((name, given[0] if given else named))
            return self

        return call

    def __enter__(self) -> Spy:
        return self

    def __exit__(self, *_: object) -> None:
        self._calls.append(("exit", None))


@pytest.mark.parametrize("tracker", CLIENTS)
def test_figures_are_logged(tracker: str, scored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the tracker's own client, if it is there; a client that fails loses no row.

    The calls are those of the clients' documentation; with TESTED_TRACKERS=1 the
    clients themselves are called, offline.
    """
    calls: list[tuple[str, Any]] = []
    if not os.environ.get("TESTED_TRACKERS"):
        for name in CLIENTS[tracker]:
            monkeypatch.setitem(sys.modules, name, Spy(name, calls))
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "file:" + str(scored.parent / "mlruns"))
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("TRACKIO_DIR", str(scored.parent / "trackio"))
    run("score", scored, "-o", "again.jsonl", "--log", tracker, status=0)
    if calls:
        logged = str(calls)
        assert "MathEquivalence.mean" in logged
        assert "signature" in logged
    else:
        kept = [path for path in scored.parent.rglob("*") if path.is_file()]
        assert any(part in str(path) for path in kept for part in ("wandb", "mlruns", "trackio", "runs"))


def test_a_tracker_that_is_not_there_is_told_before_a_row(
    scored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what installs it; one that fails later leaves the rows as they are."""
    monkeypatch.setitem(sys.modules, "wandb", None)
    done = run("score", scored, "-o", "again.jsonl", "--log", "wandb", status=2)
    assert "--log wandb: wandb is not installed; run: pip install wandb" in done.stderr
    assert not (scored.parent / "again.jsonl").exists()
    assert "did you mean 'mlflow'" in run("score", scored, "--log", "mlfow").stderr
    broken = types.ModuleType("wandb")
    monkeypatch.setitem(sys.modules, "wandb", broken)
    done = run("score", scored, "-o", "again.jsonl", "--log", "wandb", status=1)
    assert "the scored rows are complete" in done.stderr
    assert len((scored.parent / "again.jsonl").read_text(encoding="utf-8").splitlines()) == 5


def test_scored_rows_are_data_frames(scored: Path) -> None:
    """Of pandas, and of polars where it is; a notebook shows the columns that the file names."""
    rows = load_scored(scored)
    assert "It is 42." in rows._repr_html_()
    pytest.importorskip("pandas")
    assert list(rows.to_pandas()["part.MathEquivalence"]) == [1.0, 0.0, 1.0, 1.0, 1.0]
    if not os.environ.get("TESTED_TRACKERS"):
        return
    frame = rows.to_polars()
    assert frame["part.MathEquivalence"].to_list() == [1.0, 0.0, 1.0, 1.0, 1.0]


@pytest.mark.slow
def test_the_action_scores_reports_and_fails(scored: Path, tmp_path: Path) -> None:
    """Its script as a job runs it: the summary has the report, and the status is that of the conditions."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    steps = action["runs"]["steps"]
    assert all(step["shell"] == "bash" and "${{" not in step["run"] for step in steps)
    inputs = {
        "FILES": "rows.jsonl\n", "RECIPE": "MathEquivalence", "AGAINST": "scored.jsonl", "OUTPUT": "out",
        "OPTIONS": "--completion-field text --reference-field gold",
    }  # fmt: skip
    binary = tmp_path / "bin"
    binary.mkdir()
    start = binary / "verify-cli"
    start.write_text(f'#!/bin/sh\nexec {sys.executable} -m adapters.cli "$@"\n', encoding="utf-8")
    start.chmod(0o755)
    for condition, status in (("MathEquivalence<0.5", 0), ("rows>100\nMathEquivalence<0.9", 1)):
        summary = tmp_path / f"summary{status}.md"
        environment = {
            **os.environ, **inputs, "FAIL_ON": condition, "GITHUB_STEP_SUMMARY": str(summary),
            "PATH": f"{binary}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        script = ["bash", "-c", steps[1]["run"]]
        done = subprocess.run(
            script, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        assert "accuracy" in summary.read_text(encoding="utf-8")
        assert (tmp_path / "out" / "report.html").is_file()
