"""Iterative GRPO: each round's reference is the policy that the round before has left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.training.runs import BASE, config, lines, weights
from training.config import RunConfig, stages_of
from training.stages import run_pipeline
from verifiers import ConfigError

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

TRAINER = {
    **BASE["trainer"],
    "max_steps": 3,
    "per_device_train_batch_size": 16,
    "beta": 0.2,
    "learning_rate": 5e-3,
}


def rounds(folder: Path, number: int = 2, **changes: Any) -> RunConfig:
    """Rounds of three steps each, with a reward that hardly two completions share."""
    changes["reward"] = {"Keywords": {"words": list("0123456789"), "mode": "fraction"}}
    return config(folder, stages=[{"kind": "grpo", "rounds": number, "trainer": TRAINER}], **changes)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds at one go."""
    folder = tmp_path_factory.mktemp("rounds")
    found = run_pipeline(rounds(folder))
    assert list(found) == ["grpo-1", "grpo-2"]
    return folder


def test_each_round_begins_at_its_reference(done: Path) -> None:
    """The distance to the reference is 0 in a round's first step, and not behind it."""
    for name in ("1-grpo-1", "2-grpo-2"):
        first, *others = [row["kl"] for row in lines(done / name / "history.jsonl") if "kl" in row]
        assert first == pytest.approx(0.0, abs=1e-9)
        assert len(others) == 2
        assert max(others) > 1e-6


def test_rounds_go_through_the_rows_in_other_orders(done: Path) -> None:
    """Or each would see the first of them alone."""
    seen = [
        [row["prompt"] for row in lines(done / name / "completions" / "train.rank0.jsonl")]
        for name in ("1-grpo-1", "2-grpo-2")
    ]
    assert len(seen[0]) == len(seen[1])
    assert seen[0] != seen[1]


def test_a_run_that_was_stopped_between_rounds_ends_alike(done: Path, tmp_path: Path) -> None:
    """To the weights."""
    import torch

    run_pipeline(rounds(tmp_path), until="grpo-1")
    assert not (tmp_path / "2-grpo-2").exists()
    run_pipeline(rounds(tmp_path))
    one, other = (weights(folder / "2-grpo-2" / "model") for folder in (done, tmp_path))
    assert all(torch.equal(one[key], other[key]) for key in one)


def test_rounds_are_stages() -> None:
    """One behind the other, with names; what follows begins with the last; a model is named for the first."""
    stages = [{"kind": "grpo", "name": "rl", "rounds": 3, "model": {"name": "/m", "dtype": "bfloat16"}},
              {"kind": "sft"}]  # fmt: skip
    found = stages_of(RunConfig.model_validate({"output_dir": "o", "model": {"name": "x"}, "stages": stages}))
    assert {name: own.model.name for name, (_, own) in found.items()} == {
        "rl-1": "/m", "rl-2": "o/1-rl-1/model", "rl-3": "o/2-rl-2/model", "sft": "o/3-rl-3/model",
    }  # fmt: skip
    assert [own.round for _, own in found.values()] == [0, 1, 2, 0]
    assert {own.model.dtype for name, (_, own) in found.items() if name != "sft"} == {"bfloat16"}
    plain = {"output_dir": "o", "model": {"name": "x"}, "stages": [{"kind": "grpo", "rounds": 1}]}
    assert list(stages_of(RunConfig.model_validate(plain))) == ["grpo"]


def test_only_policies_have_rounds(tmp_path: Path) -> None:
    """What has no reference model has none."""
    from training.config import load_config

    file = tmp_path / "run.yaml"
    file.write_text("output_dir: o\nmodel: {name: x}\nstages: [{kind: sft, rounds: 2}]\n")
    with pytest.raises(ConfigError, match="sft has none; only grpo and rloo have rounds"):
        load_config(file)
