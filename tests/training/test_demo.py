"""The demonstration in its short form: held-out accuracy rises by more than chance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from training.demo import run_demo
from training.stages import pipeline

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]


def test_accuracy_rises_on_sums_that_were_never_trained_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By far more than its standard error, because the working is shown; and no alarm is raised."""
    # The demonstration's own report replaces those after each stage, whose curves take seconds to draw.
    monkeypatch.setattr(pipeline, "write_report", lambda *_: None)
    run_demo(str(tmp_path), short=True)
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    assert set(metrics) >= {
        *(f"{part}_accuracy_{when}" for part in ("seen", "heldout") for when in ("before", "after")),
        *("heldout_n", "reward_first", "reward_last", "worked_before", "worked_after", "seconds"),
    }
    assert metrics["heldout_n"] == 100
    assert metrics["heldout_accuracy_after"] >= 2 * metrics["heldout_accuracy_before"]
    assert metrics["gain_in_standard_errors"] > 5
    assert metrics["worked_after"] - metrics["worked_before"] > 0.4
    assert metrics["reward_last"] > metrics["reward_first"] + 0.15
    assert metrics["alarms"] == []
    report = (tmp_path / "report.md").read_text()
    assert "does not teach addition" in report
    assert "No alarm was raised." in report
    assert (tmp_path / "curves.png").stat().st_size > 20_000
