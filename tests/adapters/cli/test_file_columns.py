"""A scored file knows its columns: every verb reads it without an option, in whatever format it is kept."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import Result

from adapters.cli.settled_command import COLUMNS
from adapters.cli.verbs import VERBS
from adapters.files.columns import WORD
from tests.adapters.cli.commands import run
from tests.adapters.cli.test_score import write

ROWS = [
    {"question": "Half of 48?", "gold": "24", "model_output": "It's 24.", "notes": "=1+1"},
    {"question": "Half of 48?", "gold": "24", "model_output": "I get 23.", "notes": "a,b"},
    {"question": "3 times 7, please?", "gold": "21", "model_output": "3 times 7 is 21.", "notes": '"'},
    {"question": "3 times 7, please?", "gold": "21", "model_output": "가격은 20원입니다", "notes": ""},
]
READERS = ("show", "explain", "references", "report", "groups", "select", "audit", "diff")
"""The verbs that read scored files and ask nobody."""


def read(verb: str, path: Path) -> Result:
    """A verb on a scored file, without an option that names a column."""
    others: dict[str, list[Any]] = {
        "report": ["-o", "-", "--format", "json"], "diff": [path.with_name("other.jsonl"), "--json"],
        "show": ["--json"], "groups": ["--json"], "audit": ["--json"],
    }  # fmt: skip
    return run(verb, path, *others.get(verb, []))


def as_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Rows as CSV, each value that is no text as Python writes it, which is what pandas does."""
    target = path.with_suffix(".csv")
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return target


def as_parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Rows as Parquet, with columns of structs."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    target = path.with_suffix(".parquet")
    parquet.write_table(arrow.Table.from_pylist(rows), target)
    return target


def verl_rows() -> list[dict[str, Any]]:
    """The same rows as verl's Parquet has them, with a rollout beside."""
    return [
        {
            "data_source": "openai/gsm8k",
            "prompt": [{"role": "user", "content": row["question"]}],
            "ability": "math",
            "reward_model": {"style": "rule", "ground_truth": row["gold"]},
            "extra_info": {"index": place, "split": "test"},
            "response": row["model_output"],
        }
        for place, row in enumerate(ROWS)
    ]


FORMATS: dict[str, tuple[Callable[[Path, list[dict[str, Any]]], Path], list[dict[str, Any]], list[str]]] = {
    "csv": (as_csv, ROWS, ["--reference-field", "gold"]),
    "parquet": (as_parquet, ROWS, ["--reference-field", "gold"]),
    "json lines": (write, ROWS, ["--reference-field", "gold"]),
    "verl's parquet": (as_parquet, verl_rows(), []),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_verb_reads_what_score_wrote(name: str, tmp_path: Path) -> None:
    """From every format, with no option after `score`, and again when the scored file is kept as a table."""
    made, rows, options = FORMATS[name]
    scored = tmp_path / "scored.jsonl"
    run("score", made(tmp_path / "rows.jsonl", rows), "-o", scored, *options, status=0)
    kept = [json.loads(line) for line in scored.read_text(encoding="utf-8").splitlines()]
    assert [row["reward"] for row in kept] == [1.0, 0.0, 1.0, 0.0]
    assert json.loads(kept[0][WORD])["completion"] in ("model_output", "response")
    for other in ("other.jsonl", "scored.jsonl"):
        write(tmp_path / other, kept)
    files = [scored, as_csv(scored, kept), as_parquet(scored, kept)]
    for verb in READERS:
        found = [read(verb, file) for file in files]
        for each, file in zip(found, files, strict=True):
            assert each.exit_code == 0, (verb, file.suffix, each.output)
            assert "null" not in each.stdout or verb != "show"
        if verb in ("groups", "select", "audit", "references"):
            assert len({each.stdout.replace(str(tmp_path), "") for each in found}) == 1, verb
    shown = run("show", scored).stdout
    assert "prompt: Half of 48?" in shown
    assert "It's ⟦24⟧." in shown
    assert json.loads(read("groups", scored).stdout)["groups"] == 2
    assert json.loads(read("diff", scored).stdout)["pairs"] == 4


def test_all_verbs_have_the_same_options() -> None:
    wanted = {"--" + each.replace("_", "-") for each in COLUMNS.values()}
    for name, verb in VERBS.items():
        if verb.settled:
            assert wanted <= {option for each in verb.load(name).params for option in each.opts}, name


@pytest.mark.parametrize("verb", [*READERS, "score", "prefer"])
@pytest.mark.parametrize("key", COLUMNS)
def test_a_column_that_is_not_there_is_an_error(verb: str, key: str, tmp_path: Path) -> None:
    """In every verb, for every option, with the nearest name; and nothing is written."""
    rows = write(tmp_path / "rows.jsonl", ROWS)
    path = tmp_path / "scored.jsonl"
    assert run("score", rows, "-o", path, "--reference-field", "gold").exit_code == 0
    (tmp_path / "judge.yaml").write_text(
        "reward: {Judge: {url: 'http://127.0.0.1:9', model: m, rubric: good}}\n", encoding="utf-8"
    )
    others: dict[str, list[Any]] = {
        "report": ["-o", tmp_path / "page.html"],
        "diff": [path],
        "prefer": ["--judge", tmp_path / "judge.yaml"],
    }
    done = run(verb, path, *others.get(verb, []), f"--{key}-field", "modeloutput", status=2)
    assert "has no column 'modeloutput'; did you mean 'model_output'?" in done.stderr, done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "page.html").exists()


def test_options_come_first_then_the_project_then_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{**row, "second": "24 is second", "third": "24 is third, too"} for row in ROWS]
    scored = tmp_path / "scored.jsonl"
    run("score", write(tmp_path / "rows.jsonl", rows), "-o", scored, "--reference-field", "gold")
    monkeypatch.chdir(tmp_path)
    assert "It's ⟦24⟧." in run("show", "scored.jsonl", "--limit", "1").stdout
    (tmp_path / "verify.toml").write_text('[columns]\ncompletion = "second"\n', encoding="utf-8")
    assert "⟧econd" in run("show", "scored.jsonl", "--limit", "1").stdout
    told = run("show", "scored.jsonl", "--limit", "1", "--completion-field", "third").stdout
    assert "hird, too" in told


def test_a_recipe_is_found_from_where_the_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recipe's file, or a function's, by its way from the scored file; wherever the verb runs."""
    folder = tmp_path / "project"
    (folder / "rewards_of_mine").mkdir(parents=True)
    (folder / "out").mkdir()
    write(folder / "rows.jsonl", [{"completion": "Now it is 7.", "answer": "7"}])
    (folder / "rewards_of_mine" / "mine.yaml").write_text("reward: {ExactMatch: {}}\n", encoding="utf-8")
    (folder / "rewards_of_mine" / "length_of_mine.py").write_text(
        "def length(response):\n    return len(response) / 4\n", encoding="utf-8"
    )
    monkeypatch.chdir(folder)
    for recipe, said in (
        ("rewards_of_mine/mine.yaml", "not_equal"),
        ("rewards_of_mine/length_of_mine.py:length", "length: 3"),
    ):
        done = run("score", "rows.jsonl", "-r", recipe, "-o", "out/scored.jsonl", "--force", status=0)
        monkeypatch.chdir(tmp_path)
        again = run("explain", "project/out/scored.jsonl")
        assert said in again.stdout, again.output
        monkeypatch.chdir(folder)
    (folder / "rewards_of_mine" / "mine.yaml").unlink()
    run("score", "rows.jsonl", "-o", "out/scored.jsonl", "--force")
    text = (folder / "out" / "scored.jsonl").read_text(encoding="utf-8")
    text = text.replace('MathEquivalence\\"}', 'gone.yaml\\"}')
    (folder / "out" / "scored.jsonl").write_text(text, encoding="utf-8")
    done = run("explain", "out/scored.jsonl", status=2)
    assert "was scored by gone.yaml, which is not there any more; name one with --recipe" in done.stderr


@pytest.mark.parametrize("name", ["nothing", "table", "Verifier", "K", "has", "trl"])
def test_a_reward_is_named_by_its_file(name: str, tmp_path: Path) -> None:
    """A function, a verifier, its class, a function of TRL's; what is none of these is refused."""
    mine = tmp_path / f"named_{name}.py"
    mine.write_text(
        "from verifiers import ExactMatch, verifier\n"
        "table = {}\n"
        "class K(ExactMatch):\n    pass\n"
        "@verifier\ndef has(response, reference):\n    return reference in response\n"
        "def trl(completions, **columns):\n    return [1.0 for _ in completions]\n",
        encoding="utf-8",
    )
    rows = write(tmp_path / "rows.jsonl", [{"completion": "7", "answer": "7"}])
    done = run("score", rows, "-r", f"{mine}:{name}", "-o", tmp_path / "out.jsonl")
    if name in ("K", "has", "trl"):
        assert done.exit_code == 0, done.output
        assert json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))["reward"] == 1.0
    else:
        assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)


def test_typer_has_what_it_needs() -> None:
    """The options stand in every verb's own help, below a head of their own."""
    for verb in READERS:
        assert "Columns" in run(verb, "--help").output
        assert isinstance(VERBS[verb].load(verb), typer.core.TyperCommand)
