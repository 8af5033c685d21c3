"""A verdict that changed since the last release stands in the CHANGELOG; the tool that says so works."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import verifiers
from benchmarks import verdict_changes as tool
from benchmarks.frozen_rows import drawn_rows
from tests.support import FIXTURES

VERSION, ROWS = tool.read_frozen(tool.FROZEN)
SINCE = {"0.1.0": {"BoxIoU", "Cascade", "ErrorRate", "InstructionFollowing", "ModelVerifier", "Rubric",
                   "ShortAnswer"}}  # fmt: skip
"""Verifiers that a version had not, by that version: its frozen rows know nothing of them."""
NEW = SINCE.get(VERSION, set())
MODELS = {"BertScore", "Bleurt", "OrmScore", "PrmScore", "SemanticSimilarity"}
"""Their verdicts rest on weights that a machine may have or not, and their last digits on its arithmetic."""


def _by_verifier() -> dict[str, list[dict[str, Any]]]:
    found = defaultdict(list)
    for row in ROWS:
        found[row["spec"] if isinstance(row["spec"], str) else next(iter(row["spec"]))].append(row)
    return dict(found)


def _lines(text: str, verifier: str) -> list[str]:
    """The lines about a verifier, in the section of changes since the frozen version."""
    section = text.partition(tool.changelog_heading(VERSION))[2].partition("\n##")[0]
    return [line for line in section.splitlines() if line.startswith(f"- {verifier}:")]


@pytest.mark.slow
@pytest.mark.parametrize(("verifier", "rows"), _by_verifier().items(), ids=list(_by_verifier()))
def test_changed_verdicts_stand_in_the_changelog(verifier: str, rows: list[dict[str, Any]]) -> None:
    """By kind, as `make verdict-changes CHANGELOG=1` writes them."""
    found = tool.changes(rows)
    said = _lines(tool.CHANGELOG.read_text(encoding="utf-8"), verifier)
    wanted = _lines(tool.changelog_section(VERSION, found), verifier)
    shown = "\n".join(map(str, found[:20]))
    assert said == wanted, (
        f"{len(found)} verdicts of {verifier} changed since {VERSION}, and the CHANGELOG does not say so. If that is "
        f"meant, run: make verdict-changes CHANGELOG=1\n{shown}"
    )


def test_the_frozen_version_is_the_one_of_this_tree() -> None:
    """Who raises the version freezes its verdicts."""
    assert tool.project_version() == verifiers.__version__
    assert tool.project_version() == VERSION, "run: make verdict-changes FREEZE=1"


def test_the_rows_are_thousands_over_all_verifiers() -> None:
    """Except those that rest on a model, and on functions of a user."""
    assert 2000 <= len(ROWS) <= 8000
    assert {*_by_verifier()} == {*verifiers.verifier_names()} - MODELS - {"FunctionVerifier"} - NEW
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert {row["status"] for row in ROWS} == {"scored", "unscored", "fault"}
    # A function of the user's that breaks is a case of its own; anything else would be a freeze in a broken
    # environment.
    broken = {name for row in ROWS if row["status"] == "fault" for name in row["spec"]}
    assert broken == {"Judge", "TaskSuccess"}
    assert not [row["id"] for row in ROWS if row["reason"] == "missing_dependency"]


def test_the_rows_are_drawn_one_by_one() -> None:
    """So that a row which is added to a file moves no other in or out."""
    frozen = {row["id"] for row in ROWS}
    drawn = [row["id"] for row in drawn_rows(FIXTURES)]
    assert len(drawn) == len(set(drawn))
    assert len(frozen & set(drawn)) > len(frozen) / 2


@pytest.fixture
def frozen(tmp_path: Path) -> Path:
    """Three rows, frozen."""
    path = tmp_path / "frozen.jsonl"
    rows: list[dict[str, Any]] = [
        {"id": "a", "spec": "ExactMatch", "completion": "4", "reference": "4"},
        {"id": "b", "spec": {"Length": {"maximum": 2}}, "completion": "one two three", "reference": None},
        {"id": "c", "spec": "MultipleChoice", "completion": "B", "reference": "b", "prompt": "A or B?"},
    ]
    tool.freeze(path, "0.0.9", rows)
    return path


def test_nothing_changes_by_itself(frozen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Judged again, every row says the same."""
    assert tool.main(["--frozen", str(frozen)]) == 0
    assert "3 rows frozen at 0.0.9: 0 are judged otherwise now" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--freeze"], ["--freeze", "--redraw"]])
def test_what_changed_is_frozen_by_a_new_line_of_versions_only(
    frozen: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Within one, verdicts are promised; what is the same may be frozen again at any time."""
    head, first, *rest = frozen.read_text(encoding="utf-8").splitlines()
    other = json.dumps({**json.loads(first), "score": 0.0})
    changed = "\n".join([head, other, *rest])
    frozen.write_text(changed, encoding="utf-8")
    monkeypatch.setattr(tool, "drawn_rows", lambda folder: [])
    monkeypatch.setattr(tool, "project_version", lambda: "0.0.10")
    assert tool.main(["--frozen", str(frozen), *words]) == 2
    assert "raise the version to the next 0.x" in capsys.readouterr().err
    assert frozen.read_text(encoding="utf-8") == changed
    monkeypatch.setattr(tool, "project_version", lambda: "0.1.0")
    assert tool.main(["--frozen", str(frozen), *words]) == 0
    assert tool.read_frozen(frozen)[0] == "0.1.0"
    frozen.write_text("\n".join([head, first, *rest]), encoding="utf-8")
    monkeypatch.setattr(tool, "project_version", lambda: "0.0.10")
    assert tool.main(["--frozen", str(frozen), *words]) == 0


def test_a_release_is_one_command(
    frozen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The version, the CHANGELOG and the frozen verdicts; nothing is written if the version promises other ones."""
    head, first, *rest = frozen.read_text(encoding="utf-8").splitlines()
    frozen.write_text(
        "\n".join([head, json.dumps({**json.loads(first), "score": 0.0}), *rest]), encoding="utf-8"
    )
    files = {
        "pyproject.toml": '[project]\nname = "a"\nversion = "0.0.9"\n[tool.b]\nversion = "1"\n',
        "__init__.py": '__version__ = "0.0.9"\n',
        "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n- new\n\n## [0.0.9]\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(tool, "VERSIONED", (tmp_path / "pyproject.toml", tmp_path / "__init__.py"))
    monkeypatch.setattr(tool, "CHANGELOG", tmp_path / "CHANGELOG.md")
    monkeypatch.setattr(tool, "drawn_rows", lambda folder: [])
    assert tool.main(["--frozen", str(frozen), "--release", "0.0.10"]) == 2
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in files} == files
    assert tool.main(["--frozen", str(frozen), "--release", "0.1.0"]) == 0
    capsys.readouterr()
    assert tool.read_frozen(frozen)[0] == "0.1.0"
    assert (tmp_path / "pyproject.toml").read_text() == files["pyproject.toml"].replace("0.0.9", "0.1.0")
    assert (tmp_path / "__init__.py").read_text() == '__version__ = "0.1.0"\n'
    said = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    parts = ["## [Unreleased]\n\n## [0.1.0] - 20", "### Verdicts that changed since 0.0.9", "- new",
             "## [0.0.9]"]  # fmt: skip
    places = [said.index(part) for part in parts]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("field", "before"), [("status", "unscored"), ("score", 0.0), ("reason", "other"), ("extracted", "5")]
)
def test_a_change_is_printed(
    frozen: Path, capsys: pytest.CaptureFixture[str], field: str, before: Any
) -> None:
    """Whichever part of the verdict it is."""
    head, first, *rest = map(json.loads, frozen.read_text(encoding="utf-8").splitlines())
    first[field] = before
    frozen.write_text("\n".join(map(json.dumps, [head, first, *rest])), encoding="utf-8")
    assert tool.main(["--frozen", str(frozen)]) == 1
    said = capsys.readouterr().out
    assert "a: '4' for '4'" in said
    assert f"{field}: {before!r} -> " in said
    assert "- ExactMatch: " in said
    assert "(1 row, such as a)" in said


def test_limits_of_time_are_no_change(frozen: Path) -> None:
    """A machine that is slower says `over_limit`; the score must be the same."""
    [row, *_] = tool.read_frozen(frozen)[1]
    assert tool.changes([{**row, "reason": "over_limit", "extracted": None}]) == []
    [change] = tool.changes([{**row, "reason": "over_limit", "score": 0.0}])
    assert change.kind == "ExactMatch: scored 0 `over_limit` → scored 1 `equal`"


def test_half_a_surrogate_pair_survives(tmp_path: Path) -> None:
    """Completions may hold one, and UTF-8 cannot."""
    path = tmp_path / "frozen.jsonl"
    row = {"id": "a", "spec": "ExactMatch", "completion": "a\ud83d", "reference": "가"}
    tool.freeze(path, "0.0.9", [row])
    [back] = tool.read_frozen(path)[1]
    assert (back["completion"], back["reference"]) == ("a\ud83d", "가")


def test_the_changelog_is_written_and_taken_back(frozen: Path) -> None:
    """The section is replaced and not doubled, and goes when nothing differs; the rest stays as it was."""
    before = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.0.9]\n"
    rows = tool.read_frozen(frozen)[1]
    section = tool.changelog_section("0.0.9", tool.changes([{**rows[0], "reason": "other"}]))
    once = tool.with_section(before, "0.0.9", section)
    assert (
        "### Verdicts that changed since 0.0.9\n\n- ExactMatch: scored 1 `other` → scored 1 `equal`" in once
    )
    assert tool.with_section(once, "0.0.9", section) == once
    assert tool.with_section(once, "0.0.9", "") == before
