"""Supervised, preference and selection stages, and pipelines of them, on real trainers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.training.runs import BASE, config, kept_by, kill_when, lines, same_weights, settings, source
from training.config import RunConfig
from training.run.run_inputs import prepare
from training.stages import select_data, train_policy, train_preference, train_supervised
from training.stages.pipeline import run_pipeline
from training.watch import run_page
from training.watch.run_page import draw_curves
from verifiers import ConfigError

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

DIGITS = {"Keywords": {"words": ["1", "2", "3"], "mode": "any"}, "name": "digits"}
SFT = {"max_steps": 4, "per_device_train_batch_size": 8, "learning_rate": 1e-3, "save_strategy": "no"}


@pytest.fixture(autouse=True)
def draw(monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """What draws curves, for the test that looks at them; other runs have none, which takes half as long."""
    monkeypatch.setattr(run_page, "draw_curves", lambda *_: False)
    return draw_curves


def supervised(folder: Path, **changes: Any) -> RunConfig:
    """A supervised run on the unreliable teacher's examples."""
    data = settings(folder, data={"source": "training.arithmetic:lessons"}, **changes)
    return RunConfig.model_validate({**data, "trainer": {**SFT, **changes.get("trainer", {})}})


def test_supervised_training_learns_the_completions_alone(tmp_path: Path) -> None:
    """The loss falls, and a template makes completions of columns."""
    metrics = train_supervised(
        supervised(tmp_path / "plain", trainer={"max_steps": 30, "logging_steps": 10, "learning_rate": 1e-2})
    )
    assert metrics["loss_last"] < 0.8 * metrics["loss_first"]
    rows = [{"question": "1+1=?", "reasoning": "ones", "answer": "2"}]
    data = source(tmp_path, rows * 8, completion="<THINK>{reasoning}</THINK>{answer}", format="text")
    run = supervised(tmp_path / "template")
    run = RunConfig.model_validate({**run.model_dump(exclude_unset=True), "data": data})
    assert train_supervised(run)["rows"] == 8


@pytest.mark.parametrize("format_", ["text", "chat"])
def test_supervised_rows_end_with_the_end_token(tmp_path: Path, format_: str) -> None:
    """A model that never sees an end does not learn to stop; prompts are not learned."""
    import torch
    import trl

    template = tmp_path / "t.jinja"
    template.write_text(
        "{% for m in messages %}{{ m['content'] }}{% if m['role'] == 'assistant' %}{{ '<eos>' }}{% endif %}{% endfor %}"
    )
    seen: list[Any] = []
    real = trl.SFTTrainer.compute_loss

    def compute_loss(self: Any, model: Any, inputs: Any, *args: Any, **given: Any) -> Any:
        seen.append(inputs["labels"].clone())
        return real(self, model, inputs, *args, **given)

    changes = {"model": {"chat_template": str(template)}} if format_ == "chat" else {}
    run = supervised(tmp_path / "out", trainer={"max_steps": 1}, **changes)
    run = RunConfig.model_validate(
        {
            **run.model_dump(exclude_unset=True),
            "data": {**run.data.model_dump(exclude_unset=True), "format": format_},
        }  # type: ignore[union-attr]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trl.SFTTrainer, "compute_loss", compute_loss)
        train_supervised(run)
    for row in torch.cat(seen):
        learned = row[row != -100]
        assert learned[-1] == 1  # <eos>
        assert 3 not in learned[:2] or len(learned) > 3
        assert (row == -100).any()


def test_selection_keeps_right_completions_and_a_kill_loses_nothing(tmp_path: Path) -> None:
    """Rejection sampling; torn lines are sampled again, the rest is not."""
    changes: dict[str, Any] = {"reward": {"sum": [DIGITS]}, "sample": {"k": 4, "max_tokens": 8},
                               "select": {"per_prompt": 2, "require": ["digits"]}}  # fmt: skip
    run = config(tmp_path / "one", **changes)
    metrics = select_data(run)
    rows, sampled = lines(tmp_path / "one" / "selected.jsonl"), lines(tmp_path / "one" / "sampled.jsonl")
    assert metrics["completions"] == len(sampled) == 64 * 4
    assert metrics["selected"] == len(rows) > 0
    assert max(Counter(row["prompt"] for row in rows).values()) <= 2
    right = {(row["prompt"], row["completion"]) for row in sampled if row["reward_parts"]["digits"] == 1.0}
    assert {(row["prompt"], row["completion"]) for row in rows} <= right
    # As a kill leaves it: half of the lines, the last one torn.
    other = tmp_path / "two"
    other.mkdir()
    text = (tmp_path / "one" / "sampled.jsonl").read_bytes()
    (other / "sampled.jsonl").write_bytes(text[: len(text) // 2])
    select_data(config(other, **changes))
    assert (other / "sampled.jsonl").read_bytes() != b""
    assert [row["prompt"] for row in lines(other / "sampled.jsonl")] == [row["prompt"] for row in sampled]


def test_star_asks_again_with_a_hint_and_learns_without_it(tmp_path: Path) -> None:
    """Rows from hints are marked, and their prompt does not tell the answer."""
    reward = {"sum": [{"Keywords": {"words": ["9"]}, "name": "nine"}]}
    run = config(tmp_path, reward=reward, sample={"k": 2, "max_tokens": 8},
                 select={"purpose": "star", "hint": "9={answer}"})  # fmt: skip
    select_data(run)
    rows = lines(tmp_path / "selected.jsonl")
    hinted = [row for row in rows if row["hinted"]]
    assert hinted
    assert not any("9=" in row["prompt"].partition("?")[2] for row in rows)
    asked = lines(tmp_path / "hinted.jsonl")
    assert all(row["prompt"].endswith(f"9={row['answer']}") for row in asked)
    passed = {row["prompt"] for row in lines(tmp_path / "sampled.jsonl") if row["reward"] == 1.0}
    assert not passed & {row["prompt"] for row in hinted}


def test_pairs_are_selected_and_learned(tmp_path: Path) -> None:
    """DPO on pairs of verdicts: the margin grows."""
    run = config(tmp_path, sample={"k": 6, "max_tokens": 8},
                 stages=[{"kind": "select", "select": {"purpose": "dpo", "outcome": "digits"}},
                         {"kind": "dpo", "trainer": {**SFT, "max_steps": 12,
                                                     "logging_steps": 1}}])  # fmt: skip
    done = run_pipeline(run)
    pairs = lines(tmp_path / "1-select" / "selected.jsonl")
    assert done["dpo"]["pairs"] == len(pairs) > 0
    sampled = lines(tmp_path / "1-select" / "sampled.jsonl")
    outcome = {(row["prompt"], row["completion"]): row["reward_parts"]["digits"] for row in sampled}
    assert {outcome[row["prompt"], row["chosen"]] for row in pairs} == {1.0}
    assert {outcome[row["prompt"], row["rejected"]] for row in pairs} == {0.0}
    assert done["dpo"]["margin_last"] > 0
    with pytest.raises(ConfigError, match=r"no column 'chosen'.*select.purpose=dpo"):
        train_preference(
            config(tmp_path / "no", trainer={"max_steps": 1}).model_copy(update={"trainer": SFT})
        )


def test_a_curriculum_opens_from_easy_to_all(tmp_path: Path) -> None:
    """The first steps draw easy prompts, the last ones all; bounds leave prompts out."""
    rows = [{"question": f"{number}+1=?\n", "answer": "1", "pass_rate": number / 40} for number in range(40)]
    data = source(tmp_path, rows)
    run = config(tmp_path / "out", data=data, trainer={"max_steps": 20, "learning_rate": 1e-6},
                 curriculum={"start": 0.2, "until": 0.5, "minimum": 0.1})  # fmt: skip
    train_policy("grpo", run)
    kept = kept_by(tmp_path / "out")
    first, last = (
        [row["pass_rate"] for row in kept if row["step"] in steps] for steps in (range(3), range(12, 20))
    )
    assert min(first) > 0.7
    assert min(last) < 0.4
    assert min(row["pass_rate"] for row in kept) >= 0.1


def test_a_curriculum_can_measure_its_pass_rates(tmp_path: Path) -> None:
    """From the model itself, once."""
    run = config(tmp_path, curriculum={"measure": 4}, trainer={"max_steps": 1},
                 evaluation={"outcome": "digits", "at": []})  # fmt: skip
    train_policy("grpo", run)
    rates = json.loads((tmp_path / "pass_rates.json").read_text())
    assert len(rates) == 64
    assert len(set(rates)) > 1
    assert set(rates) <= {0.0, 0.25, 0.5, 0.75, 1.0}


PIPELINE: list[dict[str, Any]] = [
    {"kind": "sft", "name": "cold_start", "trainer": {**SFT, "max_steps": 6, "save_strategy": "steps", "save_steps": 2},
     "data": {"source": "training.arithmetic:lessons", "options": {"train": 64, "held": 8}, "format": "text"}},
    {"kind": "grpo", "name": "reasoning"},
    {"kind": "select", "name": "rejection_sampling", "select": {"outcome": "digits"}},
    {"kind": "sft", "name": "supervised", "trainer": SFT},
    {"kind": "grpo", "name": "all_tasks", "trainer": {**BASE["trainer"], "max_steps": 4}},
]  # fmt: skip


def pipeline(folder: Path) -> RunConfig:
    """DeepSeek-R1's stages in seconds."""
    trainer = {"max_steps": 12, "save_strategy": "steps", "save_steps": 2}
    stages = [{**stage, **({} if "trainer" in stage or stage["kind"] == "select" else
                           {"trainer": {**BASE["trainer"], **trainer}})} for stage in PIPELINE]  # fmt: skip
    return config(folder, stages=stages, sample={"k": 4, "max_tokens": 8},
                  evaluation={"holdout": 8, "reward": {"sum": [DIGITS]}, "max_tokens": 8, "at": ["end"]})  # fmt: skip


def test_a_pipeline_goes_on_at_the_stage_where_it_was_killed(
    tmp_path: Path, draw: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stages that are done are not run again, and it ends as one that was not killed."""
    run = pipeline(tmp_path / "killed")
    file = tmp_path / "run.yaml"
    file.write_text(yaml.safe_dump(run.model_dump(exclude_unset=True)))
    state = tmp_path / "killed" / "2-reasoning" / "trainer" / "checkpoint-4" / "trainer_state.json"
    kill_when(state.exists, "training.cli", "pipeline", "--config", file, cwd=tmp_path)
    cold = tmp_path / "killed" / "1-cold_start" / "model" / "model.safetensors"
    made = cold.stat().st_mtime_ns
    assert not (tmp_path / "killed" / "2-reasoning" / "metrics.json").exists()
    with monkeypatch.context() as patch:
        patch.setattr(run_page, "draw_curves", draw)
        done = run_pipeline(run)
    assert cold.stat().st_mtime_ns == made
    whole = run_pipeline(pipeline(tmp_path / "whole"))
    assert list(done) == [stage["name"] for stage in PIPELINE]
    assert same_weights(
        tmp_path / "killed" / "5-all_tasks" / "model", tmp_path / "whole" / "5-all_tasks" / "model"
    )
    accuracies = [found["end"]["heldout"]["accuracy"] for found in done.values() if "end" in found]
    assert accuracies == [found["end"]["heldout"]["accuracy"] for found in whole.values() if "end" in found]
    assert len(accuracies) == 4
    report = (tmp_path / "killed" / "report.md").read_text()
    assert all(stage["name"] in report for stage in PIPELINE)
    assert (tmp_path / "killed" / "curves.png").stat().st_size > 10_000


def test_what_is_held_out_is_held_out_of_every_stage(tmp_path: Path) -> None:
    """Once for a pipeline: of what is selected and learned, too; a supervised stage by itself as well."""
    run = config(
        tmp_path / "pipe",
        evaluation={"holdout": 16, "reward": {"sum": [DIGITS]}, "max_tokens": 8, "at": ["end"]},
        sample={"k": 4, "max_tokens": 8},
        stages=[{"kind": "select", "select": {"outcome": "digits"}}, {"kind": "sft", "trainer": SFT}],
    )
    done = run_pipeline(run)
    held = {row["prompt"] for row in lines(tmp_path / "pipe" / "heldout.jsonl")}
    assert len(held) == 16
    assert not held & {row["prompt"] for row in lines(tmp_path / "pipe" / "1-select" / "sampled.jsonl")}
    assert {row["prompt"] for row in done["sft"]["end"]["heldout"]["samples"]} <= held
    assert lines(tmp_path / "pipe" / "1-select" / "selected.jsonl")[0]["answer"]
    alone = train_supervised(supervised(tmp_path / "alone", evaluation={"holdout": 16, "at": []}))
    assert alone["rows"] == 64 - 16


def test_rows_with_held_out_prompts_are_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Also where both are given, and the system prompts differ."""
    data = {"source": "training.arithmetic:problems", "options": {"train": 64, "held": 8}, "format": "text"}
    run = config(tmp_path, evaluation={"data": {**data, "limit": 24}, "at": []})
    prepared = prepare(run, needs_reward=True)
    assert len(prepared.heldout) == 24
    assert len(prepared.train) == 40
    assert "24 of 64 rows to train on have prompts that are held out" in caplog.text
    with pytest.raises(ConfigError, match="all 64 rows to train on have prompts that are held out"):
        prepare(config(tmp_path, evaluation={"data": data, "at": []}), needs_reward=True)


def test_an_interrupted_sampling_ends_as_one_that_was_not(tmp_path: Path) -> None:
    """Completion by completion: seeds belong to windows of prompts."""
    changes: dict[str, Any] = {"reward": {"sum": [DIGITS]}, "sample": {"k": 2, "max_tokens": 8},
                               "data": {"options": {"train": 150, "held": 8}}}  # fmt: skip
    select_data(config(tmp_path / "one", **changes))
    text = (tmp_path / "one" / "sampled.jsonl").read_bytes()
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "sampled.jsonl").write_bytes(text[: len(text) * 2 // 3])
    select_data(config(tmp_path / "two", **changes))
    rows = [
        [(row["prompt"], row["completion"]) for row in lines(tmp_path / name / "sampled.jsonl")]
        for name in ("one", "two")
    ]
    assert rows[0] == rows[1]
