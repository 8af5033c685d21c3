"""Two files are two runs: they stand beside one another, and no mean is one of both."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from adapters.report.page import chart_library
from adapters.report.report_data import made_report
from adapters.report.report_table import FLIPPED
from adapters.report.run_sides import run_names
from adapters.report.scored_rows import Columns
from tests.adapters.cli.commands import run


def row(prompt: str, score: float | None, **columns: Any) -> dict[str, Any]:
    status = "unscored" if score is None else "scored"
    reason = {1.0: "equal", 0.0: "not_equal", None: "bad_reference"}[score]
    verdict = {"verifier": "ExactMatch", "status": status, "score": score, "reason": reason, "expected": "7"}
    return {
        **columns, "prompt": prompt, "completion": f"{prompt} {score}", "answer": "7", "reward": score,
        "reward_parts": {"ExactMatch": score}, "verdicts": [verdict], "verdict_parts": ["ExactMatch"],
        "signature": "ExactMatch",
    }  # fmt: skip


def write(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Runs of six prompts: the second loses one of them and wins two, and cannot judge one."""
    before = [1.0, 1.0, 0.0, 0.0, 1.0, 1.0]
    after = [1.0, 0.0, 1.0, 1.0, 1.0, None]
    return [
        write(tmp_path / f"{name}.jsonl", [row(f"p{place}", score) for place, score in enumerate(scores)])
        for name, scores in (("base", before), ("tuned", after))
    ]


def test_each_run_has_its_own_figures(files: list[str]) -> None:
    """None is pooled; rows that belong together are found by their prompts, and flips are marked."""
    made = made_report(files, Columns())
    figures = made.figures
    pooled = [figures[name] for name in ("reward", "accuracy", "pass_at_k", "steps", "sources")]
    assert pooled == [None, None, [], [], []]
    assert [(each["run"], each["rows"], each["accuracy"]["mean"]) for each in figures["runs"]] == [
        ("base", 6, 4 / 6),
        ("tuned", 6, 4 / 5),
    ]
    assert [each["pass_at_k"][0]["k"] for each in figures["runs"]] == [1, 1]
    assert figures["flags"]["flipped"] == 6
    flipped = [place for place, flags in enumerate(made.table.flags) if flags & FLIPPED]
    assert flipped == [1, 2, 3, 7, 8, 9]
    assert [made.table.changes[place] for place in (1, 2, 7, 8)] == [-1.0, 1.0, -1.0, 1.0]
    assert figures["first"][:2] == [{"row": 7, "why": "lost"}, {"row": 8, "why": "won"}]
    assert not made.charts


def test_samples_of_one_model_are_pooled_when_asked(files: list[str]) -> None:
    """By --pool, or by a column that says that they are of one run."""
    pooled = made_report(files, Columns(pool=True))
    assert (pooled.figures["runs"], [each["k"] for each in pooled.figures["pass_at_k"]]) == ([], [1, 2])
    named = [
        write(Path(path), [json.loads(line) | {"run": "one"} for line in Path(path).read_text().splitlines()])
        for path in files
    ]
    assert [each["k"] for each in made_report(named, Columns()).figures["pass_at_k"]] == [1, 2]


def test_a_column_says_which_run_a_row_is_of(tmp_path: Path) -> None:
    """Also in one file; and a pattern of files is one run."""
    rows = [row("p", 1.0, run="a"), row("p", 0.0, run=2), row("q", 1.0, run=2)]
    path = write(tmp_path / "both.jsonl", rows)
    runs = made_report([path], Columns()).figures["runs"]
    assert [(each["run"], each["rows"], each["alone"]) for each in runs] == [("a", 1, 0), ("2", 2, 1)]
    compared = json.loads(run("report", path, "-o", "-", "--format", "json").stdout)["compared"]
    assert compared["parts"]["ExactMatch"]["right_to_wrong"] == 1
    write(tmp_path / "part-1.jsonl", [row("p", 1.0)])
    write(tmp_path / "part-2.jsonl", [row("q", 1.0)])
    names = run_names([str(tmp_path / "part-*.jsonl"), path])
    assert (len(names), len(set(names.values()))) == (3, 2)


def test_any_number_of_runs(files: list[str], tmp_path: Path) -> None:
    third = write(tmp_path / "third.jsonl", [row(f"p{place}", 0.0) for place in range(6)])
    found = json.loads(run("report", *files, third, "-o", "-", "--format", "json").stdout)
    assert [each["run"] for each in found["comparisons"]] == ["tuned", "third"]
    assert found["comparisons"][1]["parts"]["ExactMatch"]["right_to_wrong"] == 4
    written = run("report", *files, third, "-o", "-").stdout
    assert "| third | 6 | 0.0 %" in written
    assert "## What changed since base: third" in written


def test_show_puts_runs_side_by_side(files: list[str]) -> None:
    """What fell first, then what rose; the prompt once."""
    done = run("show", *files, status=0)
    heads = [line for line in done.stdout.splitlines() if line.startswith("── ")]
    assert [head.split()[1] for head in heads[:4]] == ["base", "tuned"] * 2
    assert heads[0].endswith("base.jsonl:2")
    assert heads[2].endswith("base.jsonl:3")
    assert (len(heads), done.stdout.count("prompt: p1")) == (12, 1)
    assert "from base to tuned 1 rows fell and 2 rose, of 5 judged in both" in done.stderr
    one = run("show", *files, "--limit", "1", "--json").stdout.splitlines()
    assert [json.loads(line)["run"] for line in one] == ["base", "tuned"]
    chosen = run("show", *files, "--reason", "bad_reference")
    assert chosen.stdout.count("\n── ") + 1 == 2
    pooled = run("show", *files, "--pool")
    assert "── tuned" not in pooled.stdout
    assert pooled.stdout.count("\n── ") + 1 == 12


def test_files_without_anything_in_common_follow_one_another(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{name}.jsonl", [row(name, 1.0)]) for name in "ab"]
    done = run("show", *paths, status=0)
    assert "no row of one file belongs to one of another" in done.stderr
    assert done.stdout.count("\n── ") + 1 == 2
    reported = run("report", *paths, "-o", "-", status=0)
    assert "a and b are not compared" in reported.stderr


def test_a_report_names_its_own_file(
    files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Printed; written again without asking, unless somebody else's file has the name."""
    monkeypatch.chdir(tmp_path)
    for arguments, name in (
        (files[:1], "base.html"),
        (files, "base-tuned.html"),
        ([*files, "--format", "md"], "base-tuned.md"),
    ):
        assert run("report", *arguments).stdout.splitlines()[-1] == name
        assert (tmp_path / name).is_file()
    assert run("report", files[0]).exit_code == 0
    (tmp_path / "base.html").write_text("<p>mine", encoding="utf-8")
    done = run("report", files[0], status=2)
    assert "base.html: already exists" in done.stderr
    assert (tmp_path / "base.html").read_text(encoding="utf-8") == "<p>mine"
    assert run("report", files[0], "-o", files[0]).exit_code == 2


def test_the_page_is_opened_when_asked(
    files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.chdir(tmp_path)
    assert (run("report", files[0], "--open").exit_code, opened) == (0, [(tmp_path / "base.html").as_uri()])


def test_a_page_without_the_extra_has_everything_but_charts(
    files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says what installs them; nothing is a traceback."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    chart_library.cache_clear()
    done = run("report", files[0], status=0)
    assert "the page has no charts: vl_convert is not installed; run: pip install" in done.stderr
    assert 'id="texts-0"' in (tmp_path / "base.html").read_text(encoding="utf-8")
    picture = run("report", files[0], "-o", "base.png")
    assert (picture.exit_code, len(picture.stderr.splitlines())) == (2, 1)
