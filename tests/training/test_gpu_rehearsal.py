"""The script for a GPU runs as it is, with tiny models, where there is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import gpu

pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.slow
def test_every_case_that_a_cpu_can_run_runs_and_is_not_run_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With as many completions a step as were kept, a table, a picture, and what is lacking for the others."""
    found = gpu.measure(tmp_path, 9, rehearsal=True, again=False)["runs"]
    assert list(found) == list(gpu.CASES)
    ran = {name for name, each in found.items() if "error" not in each}
    assert ran >= {"0.5B, full, float32", "1.5B, LoRA, bfloat16", "gpt-oss part, MXFP4, LoRA"}
    for name in ran:
        assert found[name]["completions"] == 8, "four on the device, accumulated twice"
        assert found[name]["completions_per_second"] == pytest.approx(
            8 / found[name]["step_seconds"], rel=0.01
        )
    for name in set(found) - ran:
        assert found[name]["error"].startswith("needs ")
    shown = (tmp_path / "gpu.md").read_text()
    assert all(f"| {name} |" in shown for name in gpu.CASES)
    assert (tmp_path / "gpu.png").stat().st_size > 1000

    def trained(*_: Any, **__: Any) -> dict[str, Any]:
        raise AssertionError("measured twice")

    monkeypatch.setattr(gpu, "train", trained)
    assert gpu.measure(tmp_path, 9, rehearsal=True, again=False)["runs"] == json.loads(json.dumps(found))


def test_steps_are_counted_by_the_completions_that_were_kept() -> None:
    """Thirty-two where eight on the device are accumulated four times; the first steps are not counted."""
    history = [{"step_time": time, "reward_seconds": 0.1} for time in (9.0, 9.0, 2.0, 2.0, 2.0)]
    rows = [{"step": step, "completion_tokens": 100} for step in range(5) for _ in range(32)]
    found = gpu.figures([{"loss": 1.0}, *history], rows)
    assert (found["steps"], found["completions"], found["step_seconds"]) == (5, 32, 2.0)
    assert found["completions_per_second"] == 16.0
    assert found["tokens_per_second"] == 1600.0
    assert found["reward_share"] == 0.05


def test_a_call_stops_in_time_and_says_what_is_left(tmp_path: Path, capsys: Any) -> None:
    """A machine by the minute: what does not fit is for the next call."""
    found = gpu.measure(tmp_path, 0.1, rehearsal=False, again=False)
    assert not found["runs"]
    assert f"{next(iter(gpu.CASES))} and what follows is left for the next call" in capsys.readouterr().out


def test_a_case_that_takes_too_long_is_a_row(tmp_path: Path) -> None:
    """The others go on."""
    assert gpu.measured("0.5B, full, float32", tmp_path, 0.2) == {"error": "more than 0 s"}


@pytest.mark.parametrize("name", gpu.CASES)
def test_every_case_has_a_configuration_that_fits(tmp_path: Path, name: str) -> None:
    """Those, too, that only a GPU can run; a step has 32 completions of up to 256 tokens."""
    config = gpu.run_config(gpu.CASES[name], tmp_path, 6, rehearsal=False)
    step = config.trainer["per_device_train_batch_size"] * config.trainer["gradient_accumulation_steps"]
    assert step == 32
    assert config.trainer["max_completion_length"] == 256
    assert (config.model.name.partition(":")[0], config.trainer["max_steps"]) == (
        "benchmarks.random_models",
        6,
    )
