"""What a stage takes from the rest of the file, and what it says when a setting cannot be one of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.training.runs import config, write
from training.cli.shared_options import read_config
from training.config import load_config, stages_of
from verifiers import ConfigError


def test_a_model_that_rates_is_measured_by_its_own_rows(tmp_path: Path) -> None:
    """The run's held-out rows are prompts: read as pairs they would end the pipeline in its rating stage."""
    measured: list[dict[str, Any]] = [
        {"data": {"source": "training.arithmetic:problems"}, "reward": {"Length": {"maximum": 6}}},
        {"holdout": 4},
    ]
    for evaluation in measured:
        stages = [{"kind": "rm", "evaluation": {"holdout": 20}}, {"kind": "grpo"}]
        found = stages_of(config(tmp_path, evaluation=evaluation, stages=stages))
        assert found["rm"][1].evaluation.model_dump(exclude_unset=True) == {"holdout": 20}
        assert found["grpo"][1].evaluation.data is not None


def test_every_section_of_a_stage_is_merged(tmp_path: Path) -> None:
    """What the file says of heads holds where a stage says something else of its own."""
    stages = [{"kind": "rm", "head": {"only": True}}]
    own = stages_of(config(tmp_path, head={"of": "completion"}, stages=stages))["rm"][1]
    assert (own.head.of, own.head.only) == ("completion", True)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"model": "stage:sft"}, r"stage 'grpo': model is a mapping, such as \{name: \.\.\.\}, got 'stage:sft'"),
        ({"model": None}, "stage 'grpo': model is a mapping"),
        ({"evaluation": "gsm8k_tags"}, "stage 'grpo': evaluation is a mapping"),
        ({"data": "rows.jsonl"}, "stage 'grpo': data: should be a valid dictionary"),
        ({"data": {"limit": 3}}, r"stage 'grpo': the key 'data.source' is missing"),
        ({"services": []}, "stage 'grpo': services belongs to the whole run; write it outside stages"),
        ({"output_dir": "elsewhere"}, "stage 'grpo': output_dir belongs to the whole run"),
    ],
)  # fmt: skip
def test_a_setting_that_no_stage_can_have_is_one_sentence(
    tmp_path: Path, settings: dict[str, Any], sentence: str
) -> None:
    """Before anything else looks into it, and none is passed over."""
    file = write(tmp_path / "run.yaml", stages=[{"kind": "sft"}, {"kind": "grpo", **settings}])
    with pytest.raises(ConfigError, match=sentence):
        read_config(str(file), [])


def test_what_is_missed_in_a_list_is_said_with_its_places(tmp_path: Path) -> None:
    """Sources have no names: they are numbered."""
    file = write(tmp_path / "run.yaml", data=[{"source": "a.jsonl"}, {"source": "b.jsonl"}])
    with pytest.raises(ConfigError, match=r"'data.source': there is no 'source' in this list; known: 0, 1"):
        load_config(file, ["data.source=c.jsonl"])
    assert load_config(file, ["data.1.source=c.jsonl"]).data[1].source == "c.jsonl"  # type: ignore[index, union-attr]
