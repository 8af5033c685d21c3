"""Case files: what a row may hold, what judges it, and what is said where it differs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from adapters.cases.case_rows import case_files, differs, importing_from, judge_of, read_cases, run_case
from tests.adapters.cli.commands import cli, ran_by_pytest
from tests.support import FIXTURES, rows
from verifiers import ConfigError, ExactMatch

GOOD: dict[str, Any] = {"completion": "yes", "reference": "yes", "score": 1.0}


def written(folder: Path, *rows: object, name: str = "exact_match.jsonl") -> Path:
    """A case file; a text is a line as it stands."""
    path = folder / name
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    "refused", rows(FIXTURES / "refused" / "case_rows.jsonl"), ids=lambda row: row["said"]
)
def test_a_line_that_is_no_case_is_named(tmp_path: Path, refused: dict[str, Any]) -> None:
    path = written(tmp_path, GOOD, "", refused["row"])
    with pytest.raises(ConfigError, match=rf"exact_match\.jsonl:3: .*{refused['said']}"):
        list(read_cases(path))


def test_ids_name_one_row(tmp_path: Path) -> None:
    """A failure must not be looked for in two places."""
    path = written(tmp_path, {**GOOD, "id": "a"}, {**GOOD, "id": "b"}, {**GOOD, "id": "a"})
    with pytest.raises(ConfigError, match=r":3: line 1 has the id 'a', too"):
        list(read_cases(path))


def test_other_keys_are_columns(tmp_path: Path) -> None:
    """As in a data set; 'fields' may hold those whose names are taken."""
    path = written(tmp_path, {**GOOD, "prompt": "2?", "fields": {"note": 3}, "note": "why"})
    [case] = read_cases(path)
    assert (case.fields, case.note, case.id) == ({"prompt": "2?", "note": 3}, "why", "line 1")
    columns = {
        "question": "2?", "source": "x", "sources": [1], "kind": "k", "ids": [1], "answer": "y", "code": "z",
    }  # fmt: skip
    [case] = read_cases(written(tmp_path, {**GOOD, **columns, "fields": {"notes": 1}, "reward": 2}))
    assert (case.fields, case.expected["reward"]) == ({**columns, "notes": 1}, 2)


def test_differs() -> None:
    """None is no number, and 0.1 + 0.2 is 0.3."""
    assert not differs(None, None)
    assert differs(None, 0.0)
    assert differs(0.0, None)
    assert not differs(0.3, 0.1 + 0.2)
    assert differs(0.3, 0.30001)


def test_what_judges_a_row(tmp_path: Path) -> None:
    """The row's own specification, then what is given, then what the file is named after."""
    strict = {**GOOD, "completion": "Yes", "score": 0.0}
    loose = {**strict, "score": 1.0, "spec": {"ExactMatch": {"ignore_case": True}}}
    cases = list(read_cases(written(tmp_path, strict, loose)))
    assert [run_case(case).passed for case in cases] == [True, True]
    ignoring = ExactMatch(ignore_case=True)
    assert [run_case(case, ignoring).passed for case in cases] == [False, True]
    [lost] = read_cases(written(tmp_path, GOOD, name="nobody.jsonl"))
    with pytest.raises(ConfigError, match=r"no verifier is called 'nobody'.*--verifier"):
        run_case(lost)


def test_what_differs_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, {**GOOD, "score": None, "reason": "bad_reference", "note": "why"})
    [case] = read_cases(path)
    said = run_case(case).describe()
    assert f"{path}:1: line 1 (why)" in said
    assert "score null expected, 1 found" in said
    assert "reason 'bad_reference' expected, 'equal' found" in said
    assert "ExactMatch 1.00 equal" in said


def test_rewards_are_asked_for_their_payment(tmp_path: Path) -> None:
    """By preset, recipe file or import path; a verifier pays nothing."""
    row = {"completion": "<answer>4</answer>", "reference": "4", "reward": 1.2}
    [case] = read_cases(written(tmp_path, row))
    recipe = tmp_path / "pays.yaml"
    recipe.write_text(
        "reward:\n  sum:\n    - MathEquivalence\n    - ExactMatch\n      weight: 0.2\n".replace(
            "    - ExactMatch", "    - ExactMatch: {}"
        )
    )
    reward = judge_of(str(recipe))
    assert run_case(case, reward).passed, run_case(case, reward).describe()
    [wrong] = read_cases(written(tmp_path, {**row, "reward": None}))
    assert "reward null expected, 1.2 found" in run_case(wrong, reward).describe()
    assert "a verifier has a score and no reward" in run_case(case, ExactMatch()).describe()


def test_a_users_function_by_its_path(tmp_path: Path) -> None:
    """From the folder that one stands in, decorated or not."""
    (tmp_path / "mine_of_cases.py").write_text("def short(response): return len(response) < 4\n")
    path = written(tmp_path, {"completion": "yes", "score": 1.0}, {"completion": "maybe", "score": 0.0})
    with importing_from(tmp_path):
        judge = judge_of("mine_of_cases:short")
    assert all(run_case(case, judge).passed for case in read_cases(path))
    assert str(tmp_path) not in sys.path


@pytest.mark.parametrize("spec", ["mine:nothing", "os.path:sep", "NoSuchVerifier"])
def test_what_judges_nothing_is_refused(spec: str) -> None:
    with pytest.raises(ConfigError, match=spec.partition(":")[0]):
        judge_of(spec)


def test_a_folder_without_cases_is_refused(tmp_path: Path) -> None:
    """A run of nothing must not look like a success."""
    with pytest.raises(ConfigError, match="neither a case file nor a folder"):
        case_files(tmp_path)


def test_the_verb(tmp_path: Path) -> None:
    """All right: 0; a row that differs: 1; nonsense: 2."""
    path = written(tmp_path, GOOD)
    assert "1 cases, all as expected" in (done := cli("test", path, text=True)).stdout
    assert done.returncode == 0
    written(tmp_path, GOOD, {**GOOD, "score": 0.0})
    done = cli("test", tmp_path, text=True)
    assert (done.returncode, "2 cases, 1 differ" in done.stdout) == (1, True), done.stderr
    assert cli("test", path, "--verifier", "A", "--recipe", "B", text=True).returncode == 2
    assert cli("test", tmp_path / "none", text=True).returncode == 2


def test_pytest_runs_them(tmp_path: Path) -> None:
    """Each row is an item, and a failure says what differs and no traceback."""
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nreward_cases = cases/*.jsonl\nreward_cases_verifier = mine_of_pytest:even\n"
    )
    (tmp_path / "mine_of_pytest.py").write_text("def even(response): return int(response) % 2 == 0\n")
    (tmp_path / "cases").mkdir()
    rows = [{"id": "two", "completion": "2", "score": 1.0}, {"id": "three", "completion": "3", "score": 1.0}]
    written(tmp_path / "cases", *rows, name="even.jsonl")
    written(tmp_path, "{", name="other.jsonl")  # not named by the settings
    said = ran_by_pytest(tmp_path)
    assert "1 failed, 1 passed" in said, said
    assert "score 1 expected, 0 found" in said
    assert "Traceback" not in said
