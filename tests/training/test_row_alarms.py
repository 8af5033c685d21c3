"""The audit of completions while a run trains, in a loop that is simulated as `verify-train` goes through it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from adapters.audit.audited_rows import COURSES
from adapters.audit.auditing import MOST_POINTS, Course, RecentRows
from benchmarks.planted_runs import PLANTED, healthy, planted
from tests.support import first_of_each
from training.config import Watch
from training.watch.row_alarms import RowAlarms
from training.watch.trainer_callbacks import Alarms, LiveFiles, row_alarms

pytestmark = pytest.mark.filterwarnings("ignore::verifiers.errors.CompletionWarning")


def batches(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[int, list[str]]]:
    """The rows of each step, as they are kept; of rows without steps 36 make a step."""
    numbered = ({"step": place // 36, **row} for place, row in enumerate(rows))
    for step, some in groupby(numbered, key=lambda row: row["step"]):
        yield step, [json.dumps(row) for row in some]


def trained(
    rows: Iterable[dict[str, Any]], watch: Watch, folder: Path
) -> tuple[Alarms, list[dict[str, Any]]]:
    """The alarms of a run, and its log."""
    audit = RowAlarms(watch)
    alarms = Alarms(watch, folder, found=lambda: audit.found)
    state = SimpleNamespace(log_history=[], is_world_process_zero=True)
    control = SimpleNamespace(should_training_stop=False)
    for step, lines in batches(rows):
        logs: dict[str, Any] = dict(audit.take(lines, step))
        state.log_history.append({**logs, "step": step + 1})
        alarms.on_log(None, state, control, logs)
        assert {key for key in logs if key.startswith("alarms/")} == {
            key for key in state.log_history[-1] if key.startswith("alarms/")
        }
        if control.should_training_stop:
            break
    return alarms, state.log_history


@pytest.mark.parametrize(
    "name",
    first_of_each(
        [
            *("tag stuffing", "one completion for all prompts", "an always-true verifier"),
            *("format paid, accuracy flat", "language drift"),
        ]
    ),
)
def test_a_planted_fault_is_raised_by_its_name(name: str, tmp_path: Path) -> None:
    """Once, with level, figure, threshold, cure and lines; `benchmarks.audit_power` has all of them."""
    rows = list(planted(name, 11))
    alarms, history = trained(rows, Watch(), tmp_path)
    expected = PLANTED[name][0]
    [raised] = [each for each in alarms.raised if each.name == expected]
    assert raised.level in ("warning", "alarm")
    assert raised.cure
    assert raised.value is not None
    assert raised.threshold is not None
    assert max(raised.rows, default=0) <= len(rows)
    written = [json.loads(line) for line in (tmp_path / "alarms.jsonl").read_text().splitlines()]
    assert [each["name"] for each in written] == [each.name for each in alarms.raised]
    assert [row["step"] for row in history if row.get(f"alarms/{expected}") == 1.0] == [raised.step]
    assert any(f"audit/{expected}" in row for row in history)


@pytest.mark.parametrize("name", first_of_each(["it learns", "longer and righter", "multiple choice"]))
def test_a_healthy_run_raises_nothing(name: str, tmp_path: Path) -> None:
    """At none of its looks."""
    assert trained(healthy(name, 11), Watch(), tmp_path)[0].raised == []


def test_alarms_stop_and_warnings_do_not(tmp_path: Path) -> None:
    """By ``on_alarm: stop``; what is off is not raised."""
    rows = list(planted("a verifier that breaks on 5 %", 3))
    alarms, history = trained(rows, Watch(on_alarm="stop"), tmp_path)
    assert [each.name for each in alarms.raised] == ["fault"]
    assert len(history) < 20
    (tmp_path / "off").mkdir()
    quiet, history = trained(rows, Watch(on_alarm="stop", off=["fault"]), tmp_path / "off")
    assert "fault" not in {each.name for each in quiet.raised}
    assert len(history) == 40
    loose = Watch.model_validate({"limits": {"faults": 0.9}})
    (tmp_path / "loose").mkdir()
    alarms, _ = trained(rows, loose, tmp_path / "loose")
    assert [each.level for each in alarms.raised if each.name == "fault"] == []


def test_what_another_process_found_is_raised_as_well() -> None:
    """All processes raise by the figures of the log, which are the same for all of them."""
    [raised] = row_alarms({"step": 7, "audit/fault": 0.1, "audit/fault/level": 3.0, "audit/seconds": 1.0}, {})
    assert (raised.name, raised.step, raised.level) == ("fault", 7, "alarm")
    assert not list(row_alarms({"step": 7, "audit/fault": 0.1, "eval_audit/fault/level": 3.0}, {}))


def test_memory_is_bounded_and_rows_keep_their_numbers() -> None:
    """Whole steps are forgotten; a finding names lines of the file."""
    rows = RecentRows(window=300)
    run = list(planted("a verifier that breaks on 5 %", 5))
    for row in run:
        rows.add(row)
        if row["step"] % 5 == 4:
            rows.look()
    found = rows.look()
    assert 300 <= rows.count < 300 + 72
    assert rows.forgotten + rows.count == 40 * 36
    for column in (rows.group, rows.reward, rows.step, rows.parts["own"].scores, rows.scripts["latin"]):
        assert len(column) == rows.count
    broken = [
        number
        for number, row in enumerate(run, start=1)
        if any(each["status"] == "fault" for each in row["verdicts"]) and number > rows.forgotten
    ]
    [fault] = [each for each in found if each.name == "fault"]
    assert list(fault.rows) == broken[:20]


def test_a_resumed_audit_is_that_of_an_uninterrupted_run(tmp_path: Path) -> None:
    """From its state and the kept lines, at any step."""
    watch = Watch.model_validate({"completions": 200, "every": 4})
    steps = list(batches(planted("language drift", 2)))
    whole = RowAlarms(watch)
    for step, lines in steps:
        whole.take(lines, step)
    kept = tmp_path / "train.rank0.jsonl"
    for cut in (1, 13, 25):
        first = RowAlarms(watch)
        for step, lines in steps[:cut]:
            first.take(lines, step)
        state = json.loads(json.dumps({"stateful_callbacks": {"RowAlarms": first.state()}}))
        kept.write_text("".join(f"{line}\n" for _, lines in steps[:cut] for line in lines))
        second = RowAlarms(watch)
        second.restore(state, kept)
        for step, lines in steps[cut:]:
            second.take(lines, step)
        assert second.state() == whole.state()
        assert second.found == whole.found


def test_a_course_stays_small_and_keeps_its_form() -> None:
    """However long a run is."""
    course = Course()
    for step in range(100_000):
        course.add(float(step))
    assert MOST_POINTS / 2 <= len(course.points) < MOST_POINTS
    assert course.points == sorted(course.points)
    assert course.points[0] < 256
    assert course.points[-1] > 99_000
    assert set(COURSES) >= {"reward", "right"}


def test_nothing_that_a_line_holds_ends_a_run(caplog: pytest.LogCaptureFixture) -> None:
    """It is told once, and no more is audited."""
    audit = RowAlarms(Watch())
    assert set(audit.take(['{"completion": 1}'], 0)) == {"audit/seconds"}
    assert audit.take(["no JSON"], 1) == {}
    assert len(caplog.records) == 1


def test_the_log_is_in_the_folder_at_every_step(tmp_path: Path) -> None:
    """Line by line; a resumed run has the steps that it takes once more only once."""
    said: list[str] = []
    state: Any = SimpleNamespace(log_history=[], is_world_process_zero=True, global_step=0, max_steps=9)
    live = LiveFiles(tmp_path, "grpo", [], 0.0, said.append)

    def steps(first: int, last: int) -> None:
        for step in range(first, last + 1):
            state.global_step = step
            state.log_history.append({"step": step, "reward": step / 10, "text": "\ud800"})
            live.on_log(None, state, None)
            read = [json.loads(line) for line in (tmp_path / "history.jsonl").read_text().splitlines()]
            assert [row["step"] for row in read] == list(range(1, step + 1))
            assert json.loads((tmp_path / "progress.json").read_text())["steps"] == step

    live.on_train_begin(None, state, None)
    steps(1, 7)
    state.log_history = state.log_history[:4]
    live = LiveFiles(tmp_path, "grpo", [], 0.0, said.append)
    live.on_train_begin(None, state, None)
    steps(5, 9)
    figures = json.loads((tmp_path / "progress.json").read_text())
    assert figures["reward_first"] == pytest.approx(0.3)
    assert figures["reward_last"] == pytest.approx(0.7)
    assert not said
