"""Pipelines: faults are found before the first stage, what is done stays, a message names what is lost."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.training.runs import BASE, config, lines, write
from training.cli import app
from training.config import Model, RunConfig, stages_of
from training.models.model_places import locate
from training.run.pipeline_needs import needs_of
from training.run.run_folder import clear, is_done, open_folder, write_json
from training.stages import pipeline, run_pipeline
from training.stages.pipeline import check_stages
from training.watch.run_page import FALLEN, falls
from verifiers import ConfigError

pytestmark = pytest.mark.filterwarnings("default")

SFT = {"max_steps": 4}
ROWS = 120


def left(own: RunConfig, kind: str, metrics: dict[str, Any] | None = None) -> bool:
    """Leave what a stage leaves, unless it is there; whether that was done."""
    open_folder(own, kind)
    file = Path(own.output_dir) / "metrics.json"
    if file.is_file():
        return False
    write_json(file, metrics or {"kind": kind, "seconds": 1.0, "steps": 4, "rows": 8})
    return True


def two(folder: Path, wrong: dict[str, Any] | None = None, **changes: Any) -> RunConfig:
    """A supervised stage and a policy, which may have something of its own."""
    both = [{"kind": "sft", "trainer": SFT}, {"kind": "grpo", "trainer": BASE["trainer"], **(wrong or {})}]
    return config(folder, **{"stages": both, **changes})


def test_a_stage_that_is_to_run_again_is_checked_again(tmp_path: Path) -> None:
    """Its old metrics do not say that it is done: it starts anew, or goes on for longer."""
    missing = {"data": {"source": str(tmp_path / "rows.jsonl")}, "model": {"name": "someone/model"}}
    run = two(tmp_path, missing)
    for kind, own in stages_of(run).values():
        left(own, kind)
    check_stages(stages_of(run))
    assert needs_of(stages_of(run)) == []
    anew = stages_of(run.model_copy(update={"resume": "never"}))
    longer = stages_of(two(tmp_path, {**missing, "trainer": {**BASE["trainer"], "max_steps": 9}}))
    for stages in (anew, longer):
        with pytest.raises(ConfigError, match=r"stage 'grpo': data.source: there is no file"):
            check_stages(stages)
        assert [need.name for need in needs_of(stages)] == ["someone/model"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"data": None}, "stage 'grpo': the key 'data' is missing"),
        ({"data": []}, "stage 'grpo': the key 'data' is missing"),
        ({"evaluation": {"data": {"source": "no.jsonl"}}}, "stage 'grpo': data.source: there is no file no.jsonl"),
        ({"evaluation": {"reward": "strikt.yaml"}}, "stage 'grpo': .*strikt.yaml"),
        ({"evaluation": {"outcome": "digit"}}, "stage 'grpo': evaluation.outcome: .*did you mean 'digits'"),
    ],
)  # fmt: skip
def test_the_last_stage_is_looked_at_before_the_first_begins(
    tmp_path: Path, wrong: dict[str, Any], sentence: str
) -> None:
    """Hours may pass in between."""
    with pytest.raises(ConfigError, match=sentence):
        check_stages(stages_of(two(tmp_path, wrong)))


def test_rows_that_a_stage_is_to_write_are_not_missed(tmp_path: Path) -> None:
    """Whatever they are called; those of a stage that comes later are."""
    kept = {"source": str(tmp_path / "1-select" / "sampled.jsonl"), "format": "as_is"}
    stages = [{"kind": "select"}, {"kind": "orm", "data": kept, "trainer": SFT}]
    check_stages(stages_of(config(tmp_path, stages=stages)))
    other = {**kept, "source": str(tmp_path / "2-select" / "selected.jsonl")}
    before = stages_of(config(tmp_path, stages=[{**stages[1], "data": other}, {"kind": "select"}]))
    with pytest.raises(ConfigError, match=r"stage 'orm': data.source: there is no file .*2-select/selected"):
        check_stages(before)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("part", "own"),
    [("examples", {}), ("system", {"system": "Be brief."}), ("system", {"format": "as_is", "system": None})],
)
def test_what_is_to_be_forgotten_is_there(tmp_path: Path, part: str, own: dict[str, Any]) -> None:
    """Or a model would learn from prompts with what it was to learn to do without."""
    data = {**BASE["data"], "format": "chat", **own}
    stage = {"kind": "select", "data": data, "select": {"outcome": "digits", "forget": [part]}}
    run = config(tmp_path, stages=[stage])
    if own.get("system"):
        check_stages(stages_of(run))
        return
    with pytest.raises(ConfigError, match=f"stage 'select': select.forget: no source puts '{part}' before"):
        check_stages(stages_of(run))


class Stages:
    """Stands in for what trains: says what ran, and leaves what a stage leaves."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def stage(self, kind: str) -> Any:
        def run(own: RunConfig) -> dict[str, Any]:
            if left(own, kind):
                self.ran.append(Path(own.output_dir).name)
            return {"kind": kind, "seconds": 1.0, "steps": 4, "rows": 8}

        return run


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> Stages:
    """In the place of all that train."""
    found = Stages()
    for kind in pipeline.STAGES:
        monkeypatch.setitem(pipeline.STAGES, kind, found.stage(kind))
    return found


def test_a_verb_runs_up_to_the_last_stage_of_its_kind(tmp_path: Path, stages: Stages) -> None:
    """Also where an earlier one is called like the kind, as every stage without a name is."""
    trainer = BASE["trainer"]
    both = [{"kind": "grpo", "trainer": trainer}, {"kind": "sft", "trainer": SFT},
            {"kind": "grpo", "name": "second", "trainer": trainer}, {"kind": "sft", "name": "end", "trainer": SFT}]  # fmt: skip
    file = write(tmp_path / "run.yaml", stages=both)
    result = CliRunner().invoke(app, ["grpo", "-c", str(file)])
    assert result.exit_code == 0, result.output
    assert stages.ran == ["1-grpo", "2-sft", "3-second"]


def test_looking_at_an_earlier_stage_again_forgets_no_later_one(tmp_path: Path, stages: Stages) -> None:
    """The page of a pipeline that is done shows all of it, whichever stage was asked for last."""
    run_pipeline(two(tmp_path))
    before = (tmp_path / "report.md").read_text(), (tmp_path / "pipeline.json").read_text()
    assert list(run_pipeline(two(tmp_path), "sft")) == ["sft"]
    assert ((tmp_path / "report.md").read_text(), (tmp_path / "pipeline.json").read_text()) == before
    assert "not run" not in before[0]


def test_a_stage_is_not_run_again_under_those_that_followed(tmp_path: Path, stages: Stages) -> None:
    """They would stay as they are, and the report would be of two different runs."""
    run_pipeline(two(tmp_path))
    longer = two(tmp_path, stages=[{"kind": "sft", "trainer": {"max_steps": 9}}, *two(tmp_path).model_dump(
        exclude_unset=True)["stages"][1:]])  # fmt: skip
    with pytest.raises(ConfigError, match=r"stage 'sft' must run again.*remove .*2-grpo to run them again"):
        run_pipeline(longer)
    assert (tmp_path / "1-sft" / "metrics.json").is_file()
    run_pipeline(longer.model_copy(update={"resume": "never"}))
    assert stages.ran == ["1-sft", "2-grpo"] * 2


def test_another_watch_does_not_undo_what_is_done(tmp_path: Path, stages: Stages) -> None:
    """Without checkpoints a stage would be trained anew; what an alarm has stopped goes on."""
    run_pipeline(two(tmp_path))
    run_pipeline(two(tmp_path, watch={"every": 5}))
    assert stages.ran == ["1-sft", "2-grpo"]
    metrics = tmp_path / "2-grpo" / "metrics.json"
    write_json(metrics, {**json.loads(metrics.read_text()), "stopped": True})
    run_pipeline(two(tmp_path, watch={"every": 7}))
    assert stages.ran == ["1-sft", "2-grpo", "2-grpo"]


def test_rows_are_held_out_by_the_settings_of_now(
    tmp_path: Path, stages: Stages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a pipeline that came to nothing are drawn again; those that stages have used are not changed."""
    held = tmp_path / "heldout.jsonl"
    with monkeypatch.context() as patch:
        patch.setitem(pipeline.STAGES, "sft", lambda own: {"seconds": 0.0, "steps": 0, "rows": 0})
        run_pipeline(two(tmp_path, evaluation={"holdout": 8}), "sft")
    assert len(lines(held)) == 8
    run_pipeline(two(tmp_path, evaluation={"holdout": 16}))
    assert len(lines(held)) == 16
    kept = held.read_bytes()
    with pytest.raises(
        ConfigError, match=r"heldout.jsonl was held out with other settings: evaluation.holdout was 16"
    ):
        run_pipeline(two(tmp_path, evaluation={"holdout": 8}))
    run_pipeline(two(tmp_path, evaluation={"holdout": 16}))
    assert held.read_bytes() == kept


def test_a_model_that_was_made_with_other_options_is_another(tmp_path: Path) -> None:
    """A dry run may have made one; an adapter may rest on the old one, which stays."""

    def made(**options: Any) -> Path:
        return Path(
            locate(Model(name="training.arithmetic:model", options={"layers": 1, **options}), tmp_path)
        )

    first, other = made(hidden=16), made(hidden=32)
    assert [json.loads((each / "config.json").read_text())["hidden_size"] for each in (first, other)] == [
        16,
        32,
    ]
    assert (made(hidden=16), made(hidden=32)) == (first, other)
    write_json(tmp_path / "pipeline.json", {})
    clear(tmp_path)
    assert not list(tmp_path.iterdir())


def test_pass_rates_of_another_model_are_measured_again(tmp_path: Path) -> None:
    """Where a run with other settings was killed before its first checkpoint."""
    open_folder(config(tmp_path), "grpo")
    rates = tmp_path / "pass_rates.json"
    rates.write_text("[0.5]")
    open_folder(config(tmp_path), "grpo")
    assert rates.is_file()
    open_folder(config(tmp_path, seed=1), "grpo")
    assert not rates.exists()


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
        if left(own, "grpo", stage(right(counts[folder.name]))):
            ran.append(folder.name)
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
    told = lines(tmp_path / "alarms.jsonl")
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
