"""Iterative GRPO: each round's reference is the policy that the round before has left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.training.research.test_reward_model import pairs
from tests.training.runs import BASE, RATING, config, jsonl, kept_by, lines, plain_template, same_weights
from tests.verifiers.judge.gullible import Answer, Gullible, said
from training.config import Curriculum, RunConfig, stages_of
from training.config.trainer_options import trainer_config
from training.stages import run_pipeline
from training.stages.policy_stage import schedule
from verifiers.process.orm_score import OutcomeModel

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]

TRAINER = {**BASE["trainer"], "max_steps": 3, "per_device_train_batch_size": 16, "beta": 0.2,
           "learning_rate": 5e-3}  # fmt: skip


def graded(body: dict[str, Any]) -> Answer:
    """A judge that likes even digits."""
    [line] = [each for each in body["messages"][-1]["content"].splitlines() if each.startswith('{"')]
    digits = [int(each) for each in json.loads(line)["completion"] if each.isdigit()]
    score = 1 + round(4 * sum(each % 2 == 0 for each in digits) / max(len(digits), 1))
    return 200, said(json.dumps({"reason": "By its digits.", "score": score}))


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
    """The distance to the reference is 0 in a round's first step, and not after it."""
    for name in ("1-grpo-1", "2-grpo-2"):
        first, *others = [row["kl"] for row in lines(done / name / "history.jsonl") if "kl" in row]
        assert first == pytest.approx(0.0, abs=1e-9)
        assert len(others) == 2
        assert max(others) > 1e-6


def test_rounds_go_through_the_rows_in_other_orders(done: Path) -> None:
    """Or each would see the first of them alone."""
    seen = [[row["prompt"] for row in kept_by(done / name)] for name in ("1-grpo-1", "2-grpo-2")]
    assert len(seen[0]) == len(seen[1])
    assert seen[0] != seen[1]


def test_each_round_draws_by_a_seed_of_its_own(tmp_path: Path) -> None:
    """The trainer's, from which completions and replaced prompts are drawn; the run's is one."""
    found = [trainer_config("grpo", own).seed for _, own in stages_of(rounds(tmp_path, 3, seed=7)).values()]
    assert found == [7, 8, 9]


def test_a_run_that_was_stopped_between_rounds_ends_alike(done: Path, tmp_path: Path) -> None:
    """To the weights."""
    run_pipeline(rounds(tmp_path), until="grpo-1")
    assert not (tmp_path / "2-grpo-2").exists()
    run_pipeline(rounds(tmp_path))
    assert same_weights(done / "2-grpo-2" / "model", tmp_path / "2-grpo-2" / "model")


def test_rounds_are_stages() -> None:
    """One after the other, with names; what follows begins with the last; a model is named for the first."""
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


def test_a_reward_model_goes_on_with_new_pairs_and_replayed_ones(tmp_path: Path) -> None:
    """The pipeline of docs/training-recipes.md#rounds: reward model, policy, pairs by a judge, the reward model again, policy."""
    old = jsonl(tmp_path / "pairs.jsonl", pairs(120))
    out = tmp_path / "out"
    trainer = {**RATING, "max_steps": 12, "logging_steps": 4}
    policy = {**TRAINER, "beta": 0.0, "max_steps": 2}

    def paying(stage: str) -> dict[str, Any]:
        return {"OrmScore": {"model": str(out / stage / "model"), "of": "completion", "device": "cpu"}}

    with Gullible(graded) as server:
        judge = {"url": server.url, "model": "scripted", "rubric": "Even digits.", "of": "completion"}
        run = config(
            out,
            model={"chat_template": plain_template(tmp_path)},
            reward={"Judge": judge, "name": "judge"},
            stages=[
                {"kind": "rm", "name": "first", "data": {"source": old, "format": "as_is"},
                 "evaluation": {"holdout": 20}, "trainer": trainer},
                {"kind": "grpo", "name": "one", "model": {"name": "stage:start"}, "reward": paying("1-first"),
                 "trainer": policy},
                {"kind": "select", "data": {**BASE["data"], "limit": 24}, "sample": {"k": 4, "max_tokens": 6},
                 "select": {"purpose": "dpo", "outcome": "judge", "margin": 0.2}},
                {"kind": "rm", "name": "again", "model": {"name": "stage:first"},
                 "trainer": {**trainer, "learning_rate": 1e-8},
                 "evaluation": {"holdout": 4},
                 "data": [{"source": str(out / "3-select" / "selected.jsonl"), "format": "as_is"},
                          {"source": old, "format": "as_is", "limit": 40}]},
                {"kind": "grpo", "name": "two", "model": {"name": "stage:one"}, "reward": paying("4-again"),
                 "trainer": policy},
            ],
        )  # fmt: skip
        found = run_pipeline(run)
    assert list(found) == ["first", "one", "select", "again", "two"]
    assert found["select"]["selected"] > 4
    assert found["again"]["pairs"] + found["again"]["heldout"]["pairs"] > 40, "new pairs beside the replayed"
    # It goes on from the first one, head included: at this rate it says the same of everything.
    asked = [("1+1=?\n", text) for text in ("2468", "1357", "24", "31")]
    first, again = (OutcomeModel(str(out / each / "model"), "cpu", "float32").figures(asked, 4)
                    for each in ("1-first", "4-again"))  # fmt: skip
    assert again == pytest.approx(first, abs=1e-3)
    assert max(first) - min(first) > 0.1
    page = (out / "report.md").read_text()
    assert f"12 steps on {found['again']['pairs']} pairs; right about " in page
    one, other = (kept_by(out / each) for each in ("2-one", "5-two"))
    assert all(0.0 <= row["reward"] <= 1.0 for row in [*one, *other])


def test_what_rates_goes_on_from_what_rates(tmp_path: Path) -> None:
    """A policy that began as a reward model would have a head that writes nothing."""
    stages = [{"kind": "rm", "name": "first"}, {"kind": "rm", "model": {"name": "stage:first"}}]
    _, again = stages_of(config(tmp_path, stages=stages))["rm"]
    assert again.model.name == str(tmp_path / "1-first" / "model")


def test_a_curriculum_has_an_order_in_each_round() -> None:
    """Easy prompts first in all of them, and not the same ones in the same places."""
    rows = [{"prompt": str(number), "pass_rate": number / 40} for number in range(40)]
    drawn = [schedule(rows, Curriculum(), 40, 3, number) for number in (0, 0, 1, 2)]
    assert drawn[0] == drawn[1] == schedule(rows, Curriculum(), 40, 3)
    assert drawn[1] != drawn[2] != drawn[3]
    assert all(min(row["pass_rate"] for row in each[:10]) > 0.5 for each in drawn)
