"""Pipelines that are run again: what is done stays, what has changed is noticed, and nothing is left behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.training.runs import BASE, config, lines, write
from training.cli import app
from training.config import Model, RunConfig
from training.models.model_places import locate
from training.run.run_folder import clear, open_folder, write_json
from training.stages import pipeline, run_pipeline
from verifiers import ConfigError

pytestmark = pytest.mark.filterwarnings("default")

SFT = {"max_steps": 4}


class Stages:
    """Stands in for what trains: says what ran, and leaves what a stage leaves."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def stage(self, kind: str) -> Any:
        def run(own: RunConfig) -> dict[str, Any]:
            folder = Path(own.output_dir)
            open_folder(own, kind)
            metrics = {"kind": kind, "seconds": 1.0, "steps": 4, "rows": 8}
            if not (folder / "metrics.json").is_file():
                self.ran.append(folder.name)
                write_json(folder / "metrics.json", metrics)
            return metrics

        return run


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> Stages:
    """In the place of all that train."""
    found = Stages()
    for kind in pipeline.STAGES:
        monkeypatch.setitem(pipeline.STAGES, kind, found.stage(kind))
    return found


def two(folder: Path, **changes: Any) -> RunConfig:
    """A supervised stage and a policy."""
    both = [{"kind": "sft", "trainer": SFT}, {"kind": "grpo", "trainer": BASE["trainer"]}]
    return config(folder, **{"stages": both, **changes})


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
