"""`verify-cli references`: a data set's references are classed, counted and named before it is trained on."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from adapters.files.reference_table import SHOWN, WIDTH, ReferenceTable
from rewards import Pay, RegexParts, Route, Split
from tests.adapters.cli.commands import cli
from tests.adapters.cli.test_score import write
from training.dry_run.reference_checks import classes
from verifiers import ExactMatch, Judge, MathEquivalence, TagFormat, verifier
from verifiers.runtime.pool import WorkerPool
from verifiers.runtime.worker_process import Outcome

GOOD: list[Any] = ["42", r"\frac12", 7, ["", "3"], r"x \le 3"]
TEXTS = [r"\zzz{H2O}", "Paris", "10 + John's age"]
BAD: list[Any] = ["", "{1", "1/0", None, {"a": 1}, "9^{9^{9^9}}"]


def _classes(done: Any) -> dict[tuple[str, str], int]:
    return {(each["kind"], each["reason"]): each["rows"] for each in json.loads(done.stdout)["classes"]}


def test_classes_are_counted_with_lines_and_reasons(tmp_path: Path) -> None:
    """Exit status 1 if one is unusable, and every such line is named."""
    write(tmp_path / "in.jsonl", [{"answer": each} for each in (*GOOD, *TEXTS, *BAD)])
    done = cli("references", "in.jsonl", cwd=tmp_path, status=1)
    lines = done.stdout.splitlines()
    assert "14 references, by MathEquivalence" in lines[0]
    assert sum("%" in line for line in lines) == 7
    for said in ("unusable: bad_reference", "unusable: no_reference", "unusable: reference_over_limit",
                 "text only: words", "text only: unread", "text only: no_formula", "readable: grammar",
                 "in.jsonl:6: '\\\\zzz{H2O}': neither", "in.jsonl:10: '{1': the braces", "in.jsonl:14: '9^{"):  # fmt: skip
        assert said in done.stdout, said
    assert "in.jsonl:1:" not in done.stdout, "what is as it should be is only counted"
    done = cli("references", "in.jsonl", "--json", cwd=tmp_path)
    found = _classes(done)
    assert found["readable", "grammar"] == len(GOOD)
    assert sum(rows for (kind, _), rows in found.items() if kind == "text only") == len(TEXTS)
    assert json.loads(done.stdout)["unusable"] == len(BAD)
    [line] = [each for each in json.loads(done.stdout)["classes"] if each["reason"] == "no_reference"]
    assert line["lines"][0]["where"] == "in.jsonl:12"


def test_a_usable_file_is_admitted(tmp_path: Path) -> None:
    """What is compared as text is usable; any file that `score` reads is read."""
    texts = TEXTS[1:]  # the first one starts a worker, which takes a while
    write(tmp_path / "in.jsonl", [{"gold": each} for each in (*GOOD, *texts)])
    cli("references", "in.jsonl", "--reference-field", "gold", cwd=tmp_path, status=0)
    (tmp_path / "in.jsonl.gz").write_bytes(gzip.compress((tmp_path / "in.jsonl").read_bytes()))
    again = cli("references", "in.jsonl.gz", "in.jsonl", "--reference-field", "gold", "--json", cwd=tmp_path)
    assert json.loads(again.stdout)["rows"] == 2 * len([*GOOD, *texts])
    piped = cli("references", "-", "--json", cwd=tmp_path, input='{"answer": "1"}\n')
    assert _classes(piped) == {("readable", "grammar"): 1}


def test_a_hostile_file_is_surveyed_to_its_end(tmp_path: Path) -> None:
    """Broken lines, missing columns, huge and strange references: each is one line of the table."""
    strange = [
        "x" * 1_000_000, "(" * 5000, "\x1b[31m\u202e", "1\n2", r"\frac" * 700, [[]], [1, {}], "{" * 3999,
    ]  # fmt: skip
    data = "".join(json.dumps({"answer": each}) + "\n" for each in ("1", *strange))
    data += (
        '{"answer": "\\ud800"}\n{broken\n[1]\n\n{"other": 1}\n"text"\n{"answer": NaN}\n{"answer": 1e999}\n'
    )
    for value in ("[" * 2000 + "]" * 2000, "9" * 5000, '"2"'):
        data += f'{{"answer": {value}}}\n'
    (tmp_path / "in.jsonl").write_bytes(data.encode() + b'\xff\xfe{"answer": 1}\n')
    done = cli("references", "in.jsonl", "--json", "--all", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    found = json.loads(done.stdout)
    assert found["rows"] == 1 + len(strange) + 11
    lines = [line for each in found["classes"] for line in each["lines"]]
    assert all(len(line["reference"]) <= WIDTH + 1 and len(line["detail"]) < 400 for line in lines)
    counts = _classes(done)
    assert (counts["unusable", "not_a_row"], counts["readable", "grammar"]) == (6, 2)
    shown = cli("references", "in.jsonl", cwd=tmp_path, status=1)
    assert "\x1b" not in shown.stdout
    assert "\u202e" not in shown.stdout


def test_the_first_lines_of_a_reason_are_named_or_all(tmp_path: Path) -> None:
    write(tmp_path / "in.jsonl", [{"answer": ""}] * (SHOWN + 7))
    some = cli("references", "in.jsonl", cwd=tmp_path).stdout
    assert some.count("in.jsonl:") == SHOWN
    assert "and 7 more" in some
    every = cli("references", "in.jsonl", "--all", cwd=tmp_path).stdout
    assert every.count("in.jsonl:") == SHOWN + 7
    assert "more" not in every


@verifier
def raising(reference: str) -> bool:
    """It is never asked: what a function does with a reference is not known."""
    raise RuntimeError


def test_each_row_is_of_the_worst_class_among_its_parts() -> None:
    """Routes, parts of an answer and optional parts are taken as a reward takes them."""

    def kind(reward: Any, **row: Any) -> str | None:
        about = ReferenceTable(reward).add_row("row 1", row)
        return None if about is None else about.kind

    maths, text = Pay(MathEquivalence()), Pay(ExactMatch())
    assert kind(maths + text, answer="1") == "usable"
    assert kind(maths + text, answer="1/0") == kind(text.when(maths), answer="1/0") == "unusable"
    assert kind(text + maths.optional(), answer="1/0") == "usable"
    assert kind(Pay(TagFormat()), answer="") is None
    assert kind(Pay(raising), answer="x") == kind(Pay(raising), answer="") == "usable"
    assert kind(Pay(raising)) == "unusable"
    assert kind(Pay(Judge()), answer="x") is None
    route = Route("task", {"math": maths, "qa": text})
    assert [kind(route, task=task, answer="1/0") for task in ("math", "qa", "poem")] == [
        "unusable", "usable", "unusable",
    ]  # fmt: skip
    split = Split(RegexParts(r"(?P<left>.*);(?P<right>.*)"), {"left": maths, "right": maths})
    found = [kind(split, answer=answer) for answer in ("1;2", "1;1/0", "1", 5)]
    assert found == ["readable", "unusable", "unusable", "unusable"]
    assert kind(Pay(MathEquivalence(), "gold"), gold="1", answer="") == "readable"
    columns = {"reference": "1/0", "self": 1, "fields": 2, "verifier": 3}
    assert kind(maths, answer="1", **columns) == "readable", "columns may have any name"


def test_a_machine_without_workers_is_told_on_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(pool: WorkerPool, function: str, arguments: tuple[str, ...], **options: Any) -> Outcome:
        return Outcome(False, None, "worker", "no process", by_task=False)

    monkeypatch.setattr(WorkerPool, "run", broken)
    about = ReferenceTable(Pay(MathEquivalence())).add_row("row 1", {"answer": r"\qqz{41}"})
    assert about is not None
    assert (about.kind, about.reason, about.detail) == ("unusable", "worker", "no process")


def test_the_dry_run_shows_the_same_table() -> None:
    table = classes([{"answer": "1"}, {"answer": ""}, {"answer": "Paris"}], Pay(MathEquivalence()))
    said = [text for text, _ in table.lines()]
    assert said[1] == "    row 1: '': the reference is empty"
    assert any("row 2: 'Paris'" in text for text in said)
    assert (table.rows, table.unusable) == (3, 1)
