"""GRPO and RLOO for real, on a model of some ten thousand parameters."""

from __future__ import annotations

import json
import shutil
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from adapters.files.chunk_scorer import Scorer
from adapters.report.run_logs import run_logs
from rewards import advantages, load_recipe
from tests import ranks
from tests.ranks import SUMS
from tests.training.runs import (
    config,
    kept_by,
    kill_when,
    lines,
    logged_by,
    plain_template,
    same_weights,
    source,
    write,
)
from training.config import load_config, stages_of
from training.models.model_loading import load_model
from training.run.accuracy_measures import exam
from training.run.run_inputs import prepare, reward_of
from training.run.sampled_rows import json_line
from training.stages import train_policy
from training.stages.adaptive_sizes import own_advantages
from training.stages.step_rewards import NO_STEP
from verifiers import ConfigError

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]


def rescored(path: Path, recipe: Any) -> list[float | None]:
    """What `verify-cli score` gives the lines of a file."""
    out = Scorer(reward_of(recipe), tokens_field="completion_tokens").score(path.read_bytes().splitlines())
    assert not out.problems
    return [json.loads(line)["reward"] for line in out.output.splitlines()]


def test_completions_are_kept_with_all_parts_and_score_again_to_the_same(tmp_path: Path) -> None:
    """Those of evaluation in a file of their own, and with the strict reward next to the one that pays."""
    run = config(
        tmp_path,
        evaluation={"holdout": 8, "reward": SUMS, "at": ["start", "end"], "max_tokens": 4},
        trainer={"eval_strategy": "steps", "eval_steps": 2, "per_device_eval_batch_size": 8,
                 "num_generations_eval": 2},
    )  # fmt: skip
    metrics = train_policy("grpo", run)
    train, evaluated = (lines(tmp_path / "completions" / f"{mode}.rank0.jsonl") for mode in ("train", "eval"))
    assert [row["step"] for row in train] == [step for step in range(4) for _ in range(8)]
    assert {row["step"] for row in evaluated} == {2, 4}
    assert len(evaluated) == 2 * 8 * 2  # twice, eight rows, two completions
    assert {row["prompt"] for row in train}.isdisjoint({row["prompt"] for row in evaluated})
    for row in train + evaluated:
        assert set(row) >= {"answer", "completion", "completion_tokens", "reward", "reward_parts", "verdicts"}
        assert set(row["strict"]) == {"correct"}
    for mode in ("train", "eval"):
        path = tmp_path / "completions" / f"{mode}.rank0.jsonl"
        assert rescored(path, run.reward) == [row["reward"] for row in lines(path)]
    history = lines(tmp_path / "history.jsonl")
    logged = [row["reward"] for row in history if "reward" in row]
    means = [sum(row["reward"] for row in train if row["step"] == step) / 8 for step in range(4)]
    assert logged == pytest.approx(means, abs=1e-6)
    assert metrics["steps"] == 4
    assert not metrics["alarms"]
    assert 0 < metrics["reward_share"] < 1
    assert metrics["start"]["heldout"]["n"] == 8
    assert metrics["end"]["heldout"]["accuracy"] == 0.0


def test_a_part_of_weight_zero_pays_nothing(tmp_path: Path) -> None:
    """The same run with and without a strict reward ends in the same weights."""
    plain = config(tmp_path / "plain")
    watched = config(tmp_path / "watched", evaluation={"reward": SUMS, "at": []})
    train_policy("grpo", plain)
    train_policy("grpo", watched)
    assert same_weights(tmp_path / "plain" / "model", tmp_path / "watched" / "model")


def test_resumed_after_a_kill_it_ends_as_an_uninterrupted_run(tmp_path: Path) -> None:
    """Weights, history and kept completions, with an adaptive beta and dynamic sampling on top."""
    changes: dict[str, Any] = {
        "trainer": {"max_steps": 16, "save_strategy": "steps", "save_steps": 4, "beta": 0.02,
                    "per_device_train_batch_size": 8},
        "kl": {"target": 0.01},
        "dynamic_sampling": {"rounds": 1, "outcome": "digits"},
        "watch": {"every": 3},
    }  # fmt: skip
    (tmp_path / "killed").mkdir()
    file = write(tmp_path / "killed" / "run.yaml", **changes)
    out = tmp_path / "killed" / "out"
    state = out / "trainer" / "checkpoint-8" / "trainer_state.json"
    kill_when(state.exists, "training.grpo", "--config", file, cwd=tmp_path)
    assert not (out / "metrics.json").exists()
    # What was logged is there, as far as the run came.
    logged = lines(out / "history.jsonl")
    assert [row["step"] for row in logged if "reward" in row] == list(range(1, logged[-1]["step"] + 1))
    assert logged[-1]["step"] >= 8
    so_far = json.loads((out / "progress.json").read_text())
    assert (so_far["kind"], so_far["max_steps"]) == ("grpo", 16)
    assert so_far["steps"] >= 8
    assert run_logs(out).history == logged
    # What a kill in the middle of a checkpoint leaves is not taken for one.
    (out / "trainer" / "checkpoint-99").mkdir()
    (out / "trainer" / "checkpoint-99" / "trainer_state.json").write_text('{"global_st')
    with (out / "completions" / "train.rank0.jsonl").open("a") as torn:
        torn.write('{"step": 7, "torn')
    train_policy("grpo", config(out, **changes))
    whole = tmp_path / "whole"
    train_policy("grpo", config(whole, **changes))
    assert same_weights(out / "model", whole / "model")
    rows = [kept_by(folder) for folder in (out, whole)]
    kept = ("step", "prompt", "completion", "reward", "reward_parts", "progress")
    assert [[row[key] for key in kept] for row in rows[0]] == [[row[key] for key in kept] for row in rows[1]]
    betas = [[row.get("beta") for row in logged_by(folder)] for folder in (out, whole)]
    assert betas[0] == betas[1]
    assert len(set(betas[0])) > 1
    steps = [[row["step"] for row in lines(folder / "history.jsonl")] for folder in (out, whole)]
    assert steps[0] == steps[1] == [*range(1, 17), 16]
    assert not (out / "progress.json").exists()
    audits = [
        json.loads((folder / "trainer" / "checkpoint-16" / "trainer_state.json").read_text())[
            "stateful_callbacks"
        ]
        for folder in (out, whole)
    ]
    assert audits[0]["RowAlarms"] == audits[1]["RowAlarms"]
    assert audits[0]["RowAlarms"]["attributes"]["rows"]["courses"]["reward"]["points"]
    assert json.loads((out / "metrics.json").read_text())["steps"] == 16


def test_two_ranks_keep_what_they_were_paid(tmp_path: Path) -> None:
    """Over gloo, groups split over both: both files, scored again, give the logged rewards; after another stage."""
    out = ranks.run("pipeline", tmp_path) / "out" / "2-grpo"
    files = [out / "completions" / f"train.rank{rank}.jsonl" for rank in range(2)]
    recipe = config(tmp_path).reward
    scores = [rescored(path, recipe) for path in files]
    assert [len(each) for each in scores] == [8, 8]
    rows = [(row["step"], reward) for path, each in zip(files, scores, strict=True)
            for row, reward in zip(lines(path), each, strict=True)]  # fmt: skip
    means = [sum(reward for at, reward in rows if at == step and reward is not None) / 8 for step in range(2)]
    logged = [row["reward"] for row in logged_by(out)]
    assert logged == pytest.approx(means, abs=1e-6)
    metrics = json.loads((out / "metrics.json").read_text())
    assert metrics["processes"] == 2
    assert "eval_rewards/strict/mean" in metrics["end_evaluation"]
    # What one process says of the same model on the same rows.
    alone = load_config(tmp_path / "run.yaml", [])
    _, stage = stages_of(alone)["grpo"]
    prepared = prepare(stage, needs_reward=True)
    model = load_model(stage.model, str(out / "model"))
    found = exam(stage, prepared, model)
    assert metrics["end"] == json.loads(json.dumps(found))
    assert metrics["end"]["heldout"]["n"] == 8


def test_two_ranks_share_the_rewards_of_steps_and_divide_their_own_groups(tmp_path: Path) -> None:
    """Steps count within a group that lies on both; groups of other sizes within each."""
    ranks.run("divided", tmp_path)
    steps = [lines(tmp_path / f"steps.rank{rank}.jsonl") for rank in range(2)]
    losses = [lines(tmp_path / f"losses.rank{rank}.jsonl") for rank in range(2)]
    assert [len(each) for each in steps] == [1, 1]
    judged = [each for [said] in steps for each in said["judged"]]
    assert len(judged) == 8
    worth = advantages.process([each[0] if each else [] for each in judged], 8, cap=0.0)
    wanted = [
        [] if each is None else [0.0 if step == NO_STEP else own[step] for step in each[1]]
        for each, own in zip(judged, worth, strict=True)
    ]
    found = [each for [said] in steps for each in said["found"]]
    assert any(any(each) for each in found)
    for one, other in zip(found, wanted, strict=True):
        assert one == pytest.approx(other)
    # The mean of the group is over both processes: neither has the advantages of its own four alone.
    half = advantages.process([each[0] if each else [] for each in judged[:4]], 4, cap=0.0)
    assert half != worth[:4]

    for rank in range(2):
        [loss] = [each for each in losses[rank] if each["run"] == "2-sizes"]
        rows = lines(tmp_path / "out" / "2-sizes" / "completions" / f"train.rank{rank}.jsonl")
        sizes = [len(list(group)) for _, group in groupby(rows, key=lambda row: row["prompt"])]
        assert len(sizes) == 3
        assert sum(sizes) == 24
        assert min(sizes) >= 4
        own = own_advantages([row["reward"] for row in rows], sizes, "group")
        assert sorted(loss["advantages"]) == pytest.approx(sorted(own), abs=1e-5)


LOSSES = ("grpo", "dr_grpo", "dapo", "bnpo", "cispo", "sapo", "luspo", "vespo", "gspo", "gdpo", "r1")


@pytest.mark.parametrize("algorithm", LOSSES)
def test_every_algorithm_trains(tmp_path: Path, algorithm: str) -> None:
    """A step each, by the name of the paper."""
    run = config(tmp_path, algorithm=algorithm, trainer={"max_steps": 1}, save_completions=False)
    metrics = train_policy("grpo", run)
    assert metrics["steps"] == 1
    assert not (tmp_path / "completions").exists()


def test_rloo_trains(tmp_path: Path) -> None:
    """The same run with another trainer."""
    run = config(tmp_path, algorithm="rloo", dynamic_sampling={"outcome": "digits", "rounds": 1})
    metrics = train_policy("rloo", run)
    assert metrics["steps"] == 4
    path = tmp_path / "completions" / "train.rank0.jsonl"
    assert rescored(path, run.reward) == [row["reward"] for row in lines(path)]


def test_dynamic_sampling_keeps_groups_that_differ(tmp_path: Path) -> None:
    """More informative groups than without it; the batch keeps its size, groups stay together."""

    def informative(folder: Path) -> tuple[int, int]:
        rows = kept_by(folder)
        groups = [rows[start : start + 4] for start in range(0, len(rows), 4)]
        assert all(len({row["prompt"] for row in group}) == 1 for group in groups)
        found = [{row["reward_parts"]["digits"] for row in group} for group in groups]
        return sum(len(each) > 1 for each in found), len(found)

    changes: dict[str, Any] = {"trainer": {"max_steps": 6, "learning_rate": 1e-6}}
    train_policy("grpo", config(tmp_path / "plain", **changes))
    run = config(tmp_path / "dynamic", dynamic_sampling={"rounds": 4, "outcome": "digits"}, **changes)
    train_policy("grpo", run)
    plain, dynamic = informative(tmp_path / "plain"), informative(tmp_path / "dynamic")
    assert plain[1] == dynamic[1] == 12
    assert plain[0] < dynamic[0]
    logged = [row["dynamic/informative"] for row in logged_by(tmp_path / "dynamic")]
    assert sum(logged) / len(logged) == pytest.approx(dynamic[0] / 12)


def test_rows_that_cannot_be_judged_raise_an_alarm_and_can_stop_the_run(tmp_path: Path) -> None:
    """They are masked, not paid 0."""
    rows = [{"question": f"{number}+1=?\n", "answer": ""} for number in range(8)]
    run = config(tmp_path / "out", data=source(tmp_path, rows), reward="MathEquivalence",
                 watch={"on_alarm": "stop"})  # fmt: skip
    metrics = train_policy("grpo", run)
    assert metrics["stopped"]
    assert metrics["steps"] == 1
    assert [each["name"] for each in metrics["alarms"]] == ["unscored"]
    assert {row["reward"] for row in kept_by(tmp_path / "out")} == {None}


def test_weight_schedules_follow_training(tmp_path: Path) -> None:
    """A scheduled weight moves with the steps, is logged, and is paid as logged."""
    reward = {"Keywords": {"words": ["1", "2", "3"], "mode": "any"}, "name": "digits",
              "weight": {"Linear": {"start": 1.0, "end": 0.0}}}  # fmt: skip
    train_policy(
        "grpo", config(tmp_path, reward={"sum": [reward, {"Length": {"maximum": 6}, "name": "length"}]})
    )
    for row in kept_by(tmp_path):
        parts = row["reward_parts"]
        assert row["progress"] == row["step"] / 4
        assert row["reward"] == pytest.approx((1 - row["progress"]) * parts["digits"] + parts["length"])


def test_a_finished_run_is_left_alone_and_another_one_is_refused(tmp_path: Path, capsys: Any) -> None:
    """Two runs in one folder would be neither."""
    run = config(tmp_path, trainer={"max_steps": 1})
    first = train_policy("grpo", run)
    assert train_policy("grpo", run) == first
    assert "finished" in capsys.readouterr().err
    with pytest.raises(ConfigError, match=r"trainer.learning_rate was 0.001, now 0.1.*another output_dir"):
        train_policy("grpo", config(tmp_path, trainer={"max_steps": 1, "learning_rate": 0.1}))
    kept = tmp_path / "mine.txt"
    kept.write_text("not ours to delete")
    again = train_policy("grpo", config(tmp_path, trainer={"max_steps": 2}, resume="never"))
    assert again["steps"] == 2
    assert kept.exists()


def test_lora_saves_an_adapter_that_the_next_run_begins_with(tmp_path: Path) -> None:
    """It is merged into its base, once."""
    run = config(tmp_path / "one", model={"lora": {"r": 4}}, trainer={"max_steps": 2})
    train_policy("grpo", run)
    assert (tmp_path / "one" / "model" / "adapter_config.json").exists()
    after = config(tmp_path / "two", model={"name": str(tmp_path / "one" / "model"), "options": {}})
    metrics = train_policy("grpo", after)
    assert metrics["steps"] == 4
    assert (tmp_path / "one" / "model-merged" / "config.json").exists()


def test_presets_train_by_name(tmp_path: Path) -> None:
    """The reward's own preset, with chat messages for prompts."""
    run = config(tmp_path / "out", reward="gsm8k_tags", model={"chat_template": plain_template(tmp_path)},
                 data={"format": "auto", "system": "1+1", "examples": [{"user": "2+2=?", "assistant": "4"}]},
                 trainer={"max_steps": 1})  # fmt: skip
    train_policy("grpo", run)
    row = kept_by(tmp_path / "out")[0]
    assert [message["role"] for message in row["prompt"]] == ["system", "user", "assistant", "user"]
    assert row["completion"][0]["role"] == "assistant"
    assert set(row["reward_parts"]) == set(load_recipe("gsm8k_tags").part_names())


def test_special_tokens_are_read_by_verifiers(tmp_path: Path) -> None:
    """In training, in the exam and in what is kept."""
    reward = {"sum": [{"Regex": {"pattern": "<unk>"}, "name": "unknown"},
                      {"Length": {"maximum": 40}, "name": "length"}]}  # fmt: skip
    changes: dict[str, Any] = {"reward": reward, "evaluation": {"holdout": 8, "reward": reward, "at": ["end"]},
                               "trainer": {"max_steps": 2, "num_generations": 8}}  # fmt: skip
    run = config(tmp_path / "read", **changes, model={"special_tokens": True})
    metrics = train_policy("grpo", run)
    rows = kept_by(tmp_path / "read")
    assert any("<unk>" in row["completion"] for row in rows)
    assert rescored(tmp_path / "read" / "completions" / "train.rank0.jsonl", reward) == [
        row["reward"] for row in rows
    ]
    assert not any(row["completion"].endswith(("<eos>", "<pad>")) for row in rows)
    assert metrics["end"]["heldout"]["n"] == 8
    train_policy("grpo", config(tmp_path / "plain", **changes))
    assert not any("<unk>" in row["completion"] for row in kept_by(tmp_path / "plain"))


def shortened(folder: Path, step: int) -> None:
    """A finished run's folder as a kill after its checkpoint of a step would have left it."""
    for path in folder.glob("trainer/checkpoint-*"):
        if int(path.name.rpartition("-")[2]) > step:
            shutil.rmtree(path)
    (folder / "metrics.json").unlink()
    shutil.rmtree(folder / "model")


@pytest.mark.parametrize(
    ("step", "changes"),
    [
        (6, {"trainer": {"max_steps": 6}}),
        (4, {"trainer": {"max_steps": 6}, "model": {"lora": {"r": 2}}}),
        # Two epochs of four steps: at the end, in the second one, and where it begins.
        (8, {"trainer": {"max_steps": -1, "num_train_epochs": 2}, "data": {"options": {"train": 8, "held": 8}}}),
        (6, {"trainer": {"max_steps": -1, "num_train_epochs": 2}, "data": {"options": {"train": 8, "held": 8}}}),
        (4, {"trainer": {"max_steps": -1, "num_train_epochs": 2}, "data": {"options": {"train": 8, "held": 8}}}),
        (4, {"trainer": {"max_steps": 8, "steps_per_generation": 2, "gradient_accumulation_steps": 1}}),
        (4, {"trainer": {"max_steps": 8, "gradient_accumulation_steps": 2, "steps_per_generation": 1},
             "dynamic_sampling": {"outcome": "digits", "rounds": 1}}),
        (4, {"trainer": {"max_steps": 8, "steps_per_generation": 2, "gradient_accumulation_steps": 1},
             "steps": {"by": {"FunctionVerifier": "tests.training.step_marks:runs"}}}),
        (4, {"trainer": {"max_steps": 8}, "curriculum": {"measure": 2}, "evaluation": {"outcome": "digits", "at": []}}),
    ],
)  # fmt: skip
def test_resumed_at_any_checkpoint_it_ends_the_same(
    tmp_path: Path, step: int, changes: dict[str, Any]
) -> None:
    """At the last step, in a later epoch, with LoRA, several steps for a generation, a curriculum."""
    changes = {**changes, "trainer": {**changes["trainer"], "save_strategy": "steps", "save_steps": 2}}
    run = config(tmp_path / "out", **changes)
    train_policy("grpo", run)
    [file] = (tmp_path / "out" / "model").glob("*.safetensors")
    before, rows = file.read_bytes(), kept_by(tmp_path / "out")
    shortened(tmp_path / "out", step)
    metrics = train_policy("grpo", run)
    assert file.read_bytes() == before
    kept = [(row["step"], row["prompt"], row["completion"]) for row in kept_by(tmp_path / "out")]
    assert kept == [(row["step"], row["prompt"], row["completion"]) for row in rows]
    assert metrics["steps"] == metrics["max_steps"]


def test_an_interrupted_run_may_end_at_the_checkpoint_that_it_has(tmp_path: Path) -> None:
    """Made shorter it is done, and was not stopped by an alarm; what it took before counts."""
    saves = {"save_strategy": "steps", "save_steps": 2}
    train_policy("grpo", config(tmp_path, trainer={"max_steps": 4, **saves}))
    shortened(tmp_path, 2)
    (tmp_path / "progress.json").write_text(json.dumps({"seconds": 1000.0}))
    metrics = train_policy("grpo", config(tmp_path, trainer={"max_steps": 2, **saves}))
    assert (metrics["steps"], metrics["max_steps"], metrics["stopped"]) == (2, 2, False)
    assert metrics["seconds"] >= 1000.0
    again = train_policy("grpo", config(tmp_path, resume="never", trainer={"max_steps": 2, **saves}))
    assert again["seconds"] < 1000.0


def test_a_finished_run_goes_on_for_longer(tmp_path: Path) -> None:
    """From its last checkpoint; a changed recipe is refused."""
    saves = {"save_strategy": "steps", "save_steps": 2}
    recipe = tmp_path / "reward.yaml"
    recipe.write_text("reward: {Length: {maximum: 6}}\n")
    run: dict[str, Any] = {"reward": str(recipe)}
    first = train_policy("grpo", config(tmp_path / "out", **run, trainer={"max_steps": 2, **saves}))
    metrics = train_policy("grpo", config(tmp_path / "out", **run, trainer={"max_steps": 4, **saves}))
    assert metrics["steps"] == 4
    assert metrics["seconds"] > first["seconds"], "both parts are counted"
    assert len(kept_by(tmp_path / "out")) == 4 * 8
    recipe.write_text("reward: {Length: {maximum: 7}}\n")
    with pytest.raises(ConfigError, match=r"the run began with another reward: Length\(6\)|another reward"):
        train_policy("grpo", config(tmp_path / "out", **run, trainer={"max_steps": 6, **saves}))


def test_lengths_are_those_of_the_completions(tmp_path: Path) -> None:
    """Not those of a column that an earlier scoring left in the data."""
    rows = [{"question": "1+1=?", "answer": "2", "completion_tokens": 1000, "self": 1} for _ in range(8)]
    reward = {"SoftOverlong": {"maximum": 512, "cache": 128}}
    run = config(tmp_path / "out", reward=reward, data=source(tmp_path, rows),
                 trainer={"max_steps": 1})  # fmt: skip
    train_policy("grpo", run)
    assert {row["reward"] for row in kept_by(tmp_path / "out")} == {0.0}


def test_files_of_the_users_are_not_deleted(tmp_path: Path) -> None:
    """``resume=never`` clears what runs have written, and nothing else."""
    mine = tmp_path / "mine"
    (mine / "2026-experiment").mkdir(parents=True)
    (mine / "README.md").write_text("mine")
    with pytest.raises(ConfigError, match="holds files that no run has written"):
        train_policy("grpo", config(mine, resume="never"))
    out = tmp_path / "out"
    train_policy("grpo", config(out, trainer={"max_steps": 1}))
    (out / "README.md").write_text("mine")
    (out / "2026-experiment").mkdir()
    train_policy("grpo", config(out, trainer={"max_steps": 1}, resume="never"))
    assert (out / "README.md").exists()
    assert (out / "2026-experiment").exists()


def test_odd_rows_do_not_end_a_run(tmp_path: Path) -> None:
    """Lone surrogates and keys that are not texts are kept as well as JSON can."""
    rows = [{"question": "1+1=?", "answer": "\ud800", "odd": 1.5}] * 8
    run = config(tmp_path / "out", data=source(tmp_path, rows),
                 evaluation={"at": ["end"], "seen": 4, "max_tokens": 4}, trainer={"max_steps": 1})  # fmt: skip
    train_policy("grpo", run)
    assert kept_by(tmp_path / "out")[0]["answer"] == "\ud800"
    assert json_line({"a": {(1, 2): 3}}).endswith("\n")
