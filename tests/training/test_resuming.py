"""A run that was killed ends as it would have, or says why not; docs/training.md has the table."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.resume import EQUAL, SETUPS, outcome, row
from tests.support import ROOT
from tests.training.runs import config
from training.run.run_folder import length_note, resume_notes, write_json
from training.stages.policy_stage import policy_arguments

pytestmark = pytest.mark.filterwarnings("default")

GUIDE = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
TABLE = {
    name: [each for each in GUIDE.splitlines() if each.startswith(f"| {SETUPS[name].shown} |")]
    for name in SETUPS
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SETUPS)
def test_a_killed_run_ends_as_the_guide_says(tmp_path: Path, name: str) -> None:
    """By kill -9, with the weights and every completion of a run that was not, or with a sentence."""
    found = outcome(name, tmp_path)
    assert found != "DIFFERS"
    assert TABLE[name] == [row(name, found)]


def test_the_guide_has_every_set_up_once() -> None:
    """And most of them are bit-equal."""
    assert all(len(found) == 1 for found in TABLE.values()), TABLE
    assert sum(found[0].endswith(f"| {EQUAL} |") for found in TABLE.values()) >= 10


@pytest.mark.parametrize(
    ("trainer", "says"),
    [
        ({}, ""),
        ({"save_steps": 2}, ""),
        ({"save_steps": 3, "steps_per_generation": 2, "gradient_accumulation_steps": 1}, "not a multiple of 2"),
        ({"save_steps": 3, "num_iterations": 2}, "not a multiple of 2"),
        ({"save_only_model": True}, "begins anew"),
        ({"ignore_data_skip": True}, "come again"),
    ],
)  # fmt: skip
def test_what_no_checkpoint_holds_is_said_beforehand(
    tmp_path: Path, capsys: Any, trainer: dict[str, Any], says: str
) -> None:
    """And nothing where a checkpoint holds all of it."""
    policy_arguments("grpo", config(tmp_path, trainer={"save_strategy": "steps", "save_steps": 2, **trainer}))
    told = capsys.readouterr().err
    assert says in told
    assert bool(told) == bool(says)


def test_what_vllm_draws_by_is_in_no_checkpoint() -> None:
    """It is not installed here; the options are those of TRL."""
    args = SimpleNamespace(save_strategy="steps", save_steps=2, save_only_model=False, use_vllm=True,
                           gradient_accumulation_steps=1, num_iterations=1, ignore_data_skip=False)  # fmt: skip
    assert [note for note in resume_notes(args) if "vLLM draws by" in note]


def test_another_length_is_said(tmp_path: Path) -> None:
    """What follows the length of a run does so by the new one."""
    write_json(tmp_path / "trainer_state.json", {"max_steps": 4})
    assert not length_note(tmp_path, 4)
    assert not length_note(tmp_path, None)
    assert "to take 4 steps and is to take 8" in length_note(tmp_path, 8)
