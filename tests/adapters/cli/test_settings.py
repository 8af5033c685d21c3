"""What a project settles once, and what a command takes for what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adapters.cli.settled_command import found_settings
from tests.adapters.cli.commands import cli
from verifiers import ConfigError


def test_a_project_settles_its_columns_and_recipe(tmp_path: Path) -> None:
    """In the nearest folder above; options come first; a line says what was taken from where."""
    (tmp_path / "project" / "runs").mkdir(parents=True)
    (tmp_path / "verify.toml").write_text('recipe = "nobody"\n')
    (tmp_path / "project" / "recipe.yaml").write_text("reward: ExactMatch\n")
    (tmp_path / "project" / "verify.toml").write_text(
        'recipe = "recipe.yaml"\n[columns]\ncompletion = "said.text"\nreference = "gold"\n'
    )
    runs = tmp_path / "project" / "runs"
    row = {"prompt": "?", "said": {"text": "1/2"}, "gold": "0.5", "other": "1/2"}
    (runs / "in.jsonl").write_text(json.dumps(row) + "\n")
    done = cli("score", "in.jsonl", "-o", "-", cwd=runs)
    scored = json.loads(done.stdout)
    assert (scored["reward"], scored["verdicts"][0]["verifier"]) == (0.0, "ExactMatch")
    assert "verify.toml settles: completion 'said.text', reference 'gold', recipe '" in done.stderr
    done = cli(
        "score", "in.jsonl", "-o", "-", "--reference-field", "other", "-r", "MathEquivalence", cwd=runs
    )
    assert json.loads(done.stdout)["reward"] == 1.0
    assert "settles: completion 'said.text'\n" in done.stderr
    cli("score", "in.jsonl", "-o", "scored.jsonl", cwd=runs)
    for verb in (("groups", "--sort"), ("audit",), ("show",), ("select", "--for", "best")):
        done = cli(verb[0], "scored.jsonl", *verb[1:], cwd=runs)
        assert (done.returncode, "settles: completion 'said.text'" in done.stderr) == (0, True), done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("recipe = 3", "recipe is a text, got 3"),
        ("recipes = 'a'", "has no key 'recipes'; did you mean 'recipe'"),
        ("columns = 'a'", r"columns is a table: \[columns\]"),
        ("[columns]\ncompletions = 'a'", "has no key 'completions'; did you mean 'completion'"),
        ("[", "cannot be read as TOML"),
    ],
)
def test_settings_that_nobody_reads_are_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "verify.toml").write_text(text)
    with pytest.raises(ConfigError, match=said):
        found_settings(tmp_path)


def test_groups_that_stand_apart_are_scored(tmp_path: Path) -> None:
    """By --group-by, over files, with lists of completions; and without it the cure is named."""
    (tmp_path / "recipe.yaml").write_text("reward:\n  Rank: {reward: ExactMatch}\n")
    for name, says in (("a", ("4", "5")), ("b", ("5", "4"))):
        rows = [{"prompt": f"p{n}", "completion": said, "answer": "4"} for n, said in enumerate(says)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = cli("score", "a.jsonl", "b.jsonl", "-r", "recipe.yaml", "-o", "-", cwd=tmp_path, status=2)
    assert "score has --group-by" in done.stderr
    done = cli("score", "*.jsonl", "-r", "recipe.yaml", "-o", "-", "--group-by", "prompt", cwd=tmp_path)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["prompt"], row["completion"], row["reward"]) for row in found] == [
        ("p0", "4", 1.0), ("p0", "5", 0.0), ("p1", "5", 0.0), ("p1", "4", 1.0),
    ]  # fmt: skip


def test_auto_needs_certainty(tmp_path: Path) -> None:
    """Rows that could mean two things are not scored; the recipe that was chosen is said."""
    (tmp_path / "in.jsonl").write_text('{"prompt": "?", "answer": 2, "completion": "2"}\n')
    done = cli("score", "in.jsonl", "-r", "auto", cwd=tmp_path, status=2)
    assert (
        "which verifier fits is not certain: the numbers in 'answer' could be answers, or places"
        in done.stderr
    )
    (tmp_path / "in.jsonl").write_text('{"prompt": "?", "answer": "1/2", "completions": ["0.5", "2"]}\n')
    done = cli("score", "in.jsonl", "-r", "auto", "-o", "-", cwd=tmp_path)
    assert [json.loads(line)["reward"] for line in done.stdout.splitlines()] == [1.0, 0.0]
    assert "the references in 'answer' are judged by MathEquivalence" in done.stderr


def test_a_known_set_is_known_to_the_other_verbs(tmp_path: Path) -> None:
    """Its references are classed as they are judged, and a row of it is explained."""
    rows = [{"question": "q", "answer": f"So\n#### {n}", "responses": [str(n), "no"]} for n in ("1,200", "7")]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    done = cli("references", "rows.json", cwd=tmp_path)
    assert "rows of GSM8K: the references are what follows ####" in done.stderr
    assert done.stdout.startswith("2 references, by MathEquivalence")
    done = cli("explain", "rows.json", "--row", "2", cwd=tmp_path)
    assert "MathEquivalence: 1" in done.stdout
    assert "expected: 7" in done.stdout
    table = 'question,answer,response\nq,"So\n#### 1,200",1200\nq,#### 7,8\nq,#### 7\n'
    done = cli("score", "-", "--input-format", "csv", "-o", "-", cwd=tmp_path, input=table)
    assert [json.loads(line)["reward"] for line in done.stdout.splitlines()] == [1.0, 0.0]
    assert "rejected: standard input:5: 2 fields, but the header has 3" in done.stderr
