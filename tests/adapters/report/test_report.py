"""Figures, training folders and the command itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adapters.report.plain import as_json, as_markdown
from adapters.report.report_data import made_report
from adapters.report.run_logs import run_logs
from adapters.report.scored_rows import Columns
from rewards.select.prompt_figures import pass_at_k
from tests.adapters.cli.commands import run
from tests.adapters.report.made_rows import hostile_rows, made_rows, scored, verdict, write
from verifiers import ConfigError


def figures(folder: Path, rows: Any, **more: Any) -> dict[str, Any]:
    return made_report([str(write(folder / "rows.jsonl", rows))], Columns(), with_texts=False, **more).figures


def simple(right: list[bool | None], prompt: str, **more: Any) -> list[dict[str, Any]]:
    """Rows of one prompt; None is a row that cannot be judged."""
    return [
        scored("x", None if each is None else float(each),
               {"accuracy": verdict("MathEquivalence", None if each is None else float(each), "bad_reference" if each is None else "equal_text" if each else "not_equal")},
               prompt=prompt, **more)
        for each in right
    ]  # fmt: skip


def test_figures_are_those_of_the_rows(tmp_path: Path) -> None:
    """What cannot be judged is in no mean."""
    rows = [*simple([True, False, False, None], "a"), *simple([True] * 4, "b"), *simple([False] * 4, "c")]
    found = figures(tmp_path, rows)
    assert (found["rows"], found["prompts"], found["outcome"]) == (12, 3, "accuracy")
    assert (found["accuracy"]["mean"], found["status"]) == (5 / 11, {"scored": 11, "unscored": 1, "fault": 0})
    assert found["groups"]["flat_rewards"] == pytest.approx(2 / 3)
    by_k = {each["k"]: each for each in found["pass_at_k"]}
    assert (by_k[2]["mean"], by_k[4]["prompts"]) == (pytest.approx((pass_at_k(3, 1, 2) + 1.0 + 0.0) / 3), 2)
    reasons = {each["reason"]: each for each in found["reasons"]}
    assert (reasons["bad_reference"]["count"], reasons["bad_reference"]["status"]) == (1, "unscored")
    assert reasons["equal_text"]["meaning"]


def test_a_prompt_in_two_steps_is_two_groups(tmp_path: Path) -> None:
    """Other weights answered it; for intervals it is one prompt."""
    rows = [*simple([True, False], "a", step=1), *simple([True, True], "a", step=2)]
    found = figures(tmp_path, rows)
    assert (found["prompts"], found["groups"]["groups"]) == (1, 2)
    assert [each["step"] for each in found["steps"]] == [1, 2]
    assert [each["accuracy"]["mean"] for each in found["steps"]] == [0.5, 1.0]
    assert found["accuracy"]["low"] is None


def test_rows_of_a_prompt_need_not_follow_one_another(tmp_path: Path) -> None:
    """The figures are the same in any order."""
    rows = list(made_rows(400))
    for row in rows:
        del row["step"]
    mixed = [*rows[::2], *rows[1::2]]
    one, other = figures(tmp_path, rows), figures(tmp_path, mixed)
    assert (one["pass_at_k"], one["groups"]) == (other["pass_at_k"], other["groups"])


def test_sources_have_figures_of_their_own(tmp_path: Path) -> None:
    rows = [*simple([True, True], "a", dataset="one"), *simple([False, False], "b", dataset="둘")]
    found = figures(tmp_path, rows)["sources"]
    assert [(each["source"], each["accuracy"]["mean"]) for each in found] == [("one", 1.0), ("둘", 0.0)]


def test_the_outcome_is_named_where_nothing_says_it(tmp_path: Path) -> None:
    """Of two functions none is certain."""
    rows = [scored("x", 1.0, {"a": verdict("own", 1.0, "ok"), "b": verdict("other", 0.0, "ok")})] * 2
    assert figures(tmp_path, rows)["accuracy"] is None
    assert figures(tmp_path, rows, outcome="b")["accuracy"]["mean"] == 0.0
    with pytest.raises(ConfigError, match="'c'"):
        figures(tmp_path, rows, outcome="c")


def test_figures_of_hostile_rows_are_plain_data(tmp_path: Path) -> None:
    odd = scored("x", float("nan"), {"accuracy": verdict("Own", 1e400, "ok", span="x", parts=[3])})
    odd["reward_parts"]["huge"] = 10**400
    made = made_report([str(write(tmp_path / "rows.jsonl", [*hostile_rows(), odd]))], Columns())
    assert json.loads(as_json(made))["rows"] == 7
    assert "<script>" not in as_markdown(made).decode()


def run_folder(folder: Path, *, ended: bool = True) -> Path:
    """What a training run leaves, in short."""
    stage = folder / "2-grpo"
    (stage / "completions").mkdir(parents=True)
    rows = [{**row, "strict": row["reward_parts"]} for row in made_rows(200, steps=5)]
    write(stage / "completions" / "train.rank0.jsonl", rows)
    history = [{"step": step, "reward": step / 5, "reward_std": 0.1, "kl": step} for step in range(1, 6)]
    if ended:
        write(stage / "history.jsonl", history)
        accuracy = {"accuracy": 0.5, "error": 0.1, "n": 20, "unscored": 0}
        (stage / "metrics.json").write_text(
            json.dumps({"start": {"heldout": accuracy}, "end": {"heldout": accuracy}})
        )
    else:
        (stage / "checkpoint-3").mkdir()
        (stage / "checkpoint-3" / "trainer_state.json").write_text(json.dumps({"log_history": history[:3]}))
    alarm = {"step": 3, "name": "hacking", "message": "look", "values": {}}
    (stage / "alarms.jsonl").write_text(json.dumps(alarm) + '\n{"torn": ')
    return folder


@pytest.mark.parametrize(("ended", "points"), [(True, 5), (False, 3)])
def test_a_training_folder(tmp_path: Path, ended: bool, points: int) -> None:
    """Also of a run that was killed: then from its last checkpoint."""
    made = made_report([str(run_folder(tmp_path, ended=ended))], Columns())
    assert made.logs is not None
    assert [each["name"] for each in made.logs.alarms] == ["hacking"]
    names = {chart.name: chart.spec for chart in made.charts}
    assert {"steps.reward", "steps.parts", "logs.reward", "logs.kl"} <= set(names)
    assert len(names["logs.reward"]["data"]["values"]) == points
    assert "hacking" in json.dumps(names["steps.reward"])
    assert made.figures["outcome"] == "strict.accuracy"
    assert ("the run has not ended" in made.logs.notes) == (not ended)
    assert "**alarm hacking**" in as_markdown(made).decode()


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no completions of a run"):
        run_logs(tmp_path)


def cli(*arguments: object) -> Any:
    return run("report", *arguments)


def test_the_command_writes_what_the_name_says(tmp_path: Path) -> None:
    rows = write(tmp_path / "rows.jsonl", made_rows(40))
    for name, begin in (("a.md", b"# rows.jsonl"), ("a.json", b"{")):
        assert cli(rows, "-o", tmp_path / name).exit_code == 0
        assert (tmp_path / name).read_bytes().startswith(begin)
    again = cli(rows, "-o", tmp_path / "a.md")
    assert again.exit_code == 2
    assert "already exists" in again.output
    assert cli(rows, "-o", tmp_path / "a.md", "--force").exit_code == 0
    assert cli(rows, "-o", rows, "--format", "md", "--force").exit_code == 2
    assert cli(rows, "-o", tmp_path / "a.pdf").exit_code == 2


def test_what_changed_since_another_scoring(tmp_path: Path) -> None:
    """In Markdown and JSON as well; of one file, which does not grow."""
    rows = list(made_rows(40))
    write(tmp_path / "before.jsonl", rows)
    row = next(row for row in rows if row["reward_parts"]["accuracy"] == 1.0)
    row["reward_parts"]["accuracy"] = row["verdicts"][0]["score"] = 0.0
    now = write(tmp_path / "now.jsonl", rows)
    assert cli(now, "--against", tmp_path / "before.jsonl", "-o", tmp_path / "a.json").exit_code == 0
    compared = json.loads((tmp_path / "a.json").read_text())["compared"]
    assert compared["parts"]["accuracy"]["right_to_wrong"] == 1
    assert cli(now, "--against", tmp_path / "before.jsonl", "-o", tmp_path / "a.md").exit_code == 0
    assert "What changed since" in (tmp_path / "a.md").read_text()
    assert cli(now, now, "--against", tmp_path / "before.jsonl", "-o", tmp_path / "b.md").exit_code == 2
    assert cli(now, "--against", tmp_path / "before.jsonl", "--watch").exit_code == 2


def test_lines_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    """And cost no more than themselves; a file that is not scored is refused."""
    path = write(tmp_path / "rows.jsonl", made_rows(8))
    path.write_bytes(path.read_bytes() + b'{"completion": "not scored"}\n\xff\xfe\n[1]\n')
    found = cli(path, "-o", tmp_path / "a.json")
    assert (found.exit_code, json.loads((tmp_path / "a.json").read_text())["unreadable"]) == (1, 3)
    plain = tmp_path / "plain.jsonl"
    plain.write_text('{"completion": "4"}\n')
    refused = cli(plain, "-o", tmp_path / "b.json")
    assert refused.exit_code == 2
    assert "verify-cli score" in refused.output
