"""What a later stage of a pipeline loses is not lost without a word."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.training.runs import BASE, config
from training.config import RunConfig
from training.run.run_folder import is_done, open_folder, write_json
from training.stages import pipeline, run_pipeline
from training.watch.run_page import FALLEN, falls
from verifiers import ConfigError

ROWS = 120


def stage(outcomes: list[float | None]) -> dict[str, Any]:
    """The metrics of a stage that measured these."""
    judged = [each for each in outcomes if each is not None]
    accuracy = sum(judged) / len(judged) if judged else None
    heldout = {"outcomes": outcomes, "accuracy": accuracy, "error": 0.01, "n": len(outcomes), "samples": [],
               "unscored": len(outcomes) - len(judged)}  # fmt: skip
    return {"kind": "grpo", "steps": 4, "seconds": 1.0, "alarms": [], "end": {"heldout": heldout}}


def right(count: int) -> list[float | None]:
    return [1.0] * count + [0.0] * (ROWS - count)


def test_a_fall_is_told_after_the_stage_that_lost_it() -> None:
    """Against the best stage before, however many lie between; by the same rows."""
    found = dict(
        falls({"a": stage(right(60)), "b": stage(right(118)), "c": stage(right(117)), "d": stage(right(105))})
    )
    assert list(found) == ["d"]
    assert (found["d"].name, found["d"].level) == (FALLEN, "alarm")
    assert "after stage b" in found["d"].message
    assert found["d"].values["before"] == pytest.approx(118 / 120)


@pytest.mark.parametrize(
    "stages",
    [
        [right(100)],
        [right(100), right(100)],
        [right(60), right(118)],
        [right(118), right(116)],
        [right(118), [1.0] * 20],  # other rows
        [right(118), [None] * ROWS],  # nothing could be judged
        [right(118), []],
    ],
)
def test_what_has_not_fallen_raises_nothing(stages: list[list[float | None]]) -> None:
    """Also where nothing can be compared."""
    assert not list(falls({str(number): stage(each) for number, each in enumerate(stages)}))


def test_rows_that_change_sides_alike_are_no_fall() -> None:
    """Ten lost and ten won is another model, not a worse one."""
    before = [1.0] * 10 + [0.0] * 10 + [1.0] * 100
    after = [0.0] * 10 + [1.0] * 10 + [1.0] * 100
    assert not list(falls({"a": stage(before), "b": stage(after)}))


def test_few_healthy_pipelines_raise_an_alarm() -> None:
    """Of 700 whose six stages answer half of the rows anew, at the same accuracy."""
    alarms = 0
    for seed in range(700):
        chance = random.Random(seed)
        ease = [chance.random() for _ in range(ROWS)]
        stages = {
            str(number): stage(
                [float((each if chance.random() < 0.5 else chance.random()) < 0.85) for each in ease]
            )
            for number in range(6)
        }
        alarms += any(each.level == "alarm" for _, each in falls(stages))
    assert alarms <= 7


def test_a_pipeline_raises_it_and_can_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """On standard error, in ``alarms.jsonl`` and on the page; each once, however often it is looked at."""
    counts = {"1-a": 118, "2-b": 100, "3-c": 99}
    ran: list[str] = []

    def run(own: RunConfig) -> dict[str, Any]:
        folder = Path(own.output_dir)
        open_folder(own, "grpo")
        if not (folder / "metrics.json").is_file():
            ran.append(folder.name)
            write_json(folder / "metrics.json", stage(right(counts[folder.name])))
        found: dict[str, Any] = json.loads((folder / "metrics.json").read_text())
        return found

    monkeypatch.setitem(pipeline.STAGES, "grpo", run)
    stages = [{"kind": "grpo", "name": name, "trainer": BASE["trainer"]} for name in "abc"]
    found = run_pipeline(config(tmp_path, stages=stages, watch={"on_alarm": "stop"}))
    assert ran == ["1-a", "2-b"]
    assert found["b"]["stopped"]
    assert "alarm heldout_fallen after stage b" in capsys.readouterr().err
    run_pipeline(config(tmp_path, stages=stages))
    assert ran == ["1-a", "2-b", "3-c"]
    told = [json.loads(line) for line in (tmp_path / "alarms.jsonl").read_text().splitlines()]
    assert [each["stage"] for each in told] == ["b", "c"]
    assert (tmp_path / "report.md").read_text().count("heldout_fallen") == 2
    run_pipeline(config(tmp_path, stages=stages, watch={"off": [FALLEN]}))
    assert "heldout_fallen" not in (tmp_path / "report.md").read_text()


SELECT: dict[str, Any] = {"select": {"least": 30}, "data": {"limit": 60}}


def test_a_selection_can_be_loosened_with_what_was_sampled(tmp_path: Path) -> None:
    """What the stage chooses by is free: as long as it has not ended, and after that it chooses anew."""
    open_folder(config(tmp_path, **SELECT), "select")
    (tmp_path / "sampled.jsonl").write_text("{}\n")
    (tmp_path / "hinted.jsonl").write_text("{}\n")
    looser = config(tmp_path, select={"least": 20}, data={"limit": 60})
    open_folder(looser, "select")
    assert (tmp_path / "hinted.jsonl").is_file()
    open_folder(config(tmp_path, select={"least": 20}, data={"limit": 120}), "select")
    assert (tmp_path / "sampled.jsonl").is_file()
    assert not (tmp_path / "hinted.jsonl").is_file()
    with pytest.raises(
        ConfigError, match=r"sample was None, now.*remove .*resume=never starts again, a pipeline"
    ):
        open_folder(config(tmp_path, **SELECT, sample={"k": 9}), "select")
    with pytest.raises(ConfigError, match=r"select\.least was"):
        open_folder(config(tmp_path, **SELECT), "grpo")


def test_a_finished_selection_is_made_again_only_where_it_would_choose_others(tmp_path: Path) -> None:
    """Asking for fewer rows than there are chooses the same ones."""
    own = config(tmp_path, **SELECT)
    open_folder(own, "select")
    (tmp_path / "sampled.jsonl").write_text("{}\n")
    write_json(tmp_path / "metrics.json", {"kind": "select"})
    assert is_done(own, "select")
    assert is_done(config(tmp_path, select={"least": 3}, data={"limit": 60}), "select")
    more = config(tmp_path, select={"least": 30, "per_prompt": 2}, data={"limit": 60})
    assert not is_done(more, "select")
    open_folder(more, "select")
    assert not (tmp_path / "metrics.json").is_file()
