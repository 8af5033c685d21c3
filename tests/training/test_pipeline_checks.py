"""What a pipeline finds wrong before its first stage begins, when stages are done and when they are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.training.runs import BASE, config
from training.config import RunConfig, stages_of
from training.run.pipeline_needs import needs_of
from training.run.run_folder import open_folder, write_json
from training.stages.pipeline import check_stages
from verifiers import ConfigError

pytestmark = pytest.mark.filterwarnings("default")

SFT = {"max_steps": 4}


def finished(run: RunConfig) -> None:
    """Leave the folders of stages that have come to their ends."""
    for kind, own in stages_of(run).values():
        folder = Path(own.output_dir)
        open_folder(own, kind)
        write_json(folder / "metrics.json", {"kind": kind, "seconds": 1.0})


def two(folder: Path, wrong: dict[str, Any], **changes: Any) -> RunConfig:
    """A supervised stage and a policy with something of its own."""
    stages = [{"kind": "sft", "trainer": SFT}, {"kind": "grpo", "trainer": BASE["trainer"], **wrong}]
    return config(folder, stages=stages, **changes)


def test_a_stage_that_is_to_run_again_is_checked_again(tmp_path: Path) -> None:
    """Its old metrics do not say that it is done: it starts anew, or goes on for longer."""
    missing = {"data": {"source": str(tmp_path / "rows.jsonl")}, "model": {"name": "someone/model"}}
    run = two(tmp_path, missing)
    finished(run)
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
