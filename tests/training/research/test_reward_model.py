"""A reward model of preferences: its loss, its range, what it is paid as, and that RL raises it."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from tests.training.runs import config, jsonl, kept_by, rating
from training.config import Head, RunConfig, stages_of
from training.research.rated_rows import pair_rows
from training.research.rating_exams import preferred
from training.research.rating_trainer import collated, pair_loss
from training.stages import train_policy, train_reward_model
from training.stages.pipeline import check_stages
from verifiers import ConfigError, OrmScore
from verifiers.metrics.text_metric import UnusableError
from verifiers.process.orm_score import OutcomeModel

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]


def pairs(count: int = 200) -> list[dict[str, Any]]:
    """Of two answers the one that says fewer odd digits is preferred."""
    rng = random.Random(0)
    found: list[dict[str, Any]] = []
    while len(found) < count:
        texts = ["".join(rng.choices("0123456789", k=rng.randint(2, 6))) for _ in range(2)]
        odd = [sum(int(each) % 2 for each in text) for text in texts]
        if odd[0] != odd[1]:
            sides = {"chosen": texts[odd[0] > odd[1]], "rejected": texts[odd[0] < odd[1]]}
            found.append({"prompt": f"{len(found) // 2}+1=?\n", **sides, "margin": 1.0})
    return found


def settings(folder: Path, **changes: Any) -> dict[str, Any]:
    """A run of seconds."""
    return rating(folder, "rm", pairs(), evaluation={"holdout": 30}, **changes)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A reward model with its metrics."""
    folder = tmp_path_factory.mktemp("rm")
    return folder, train_reward_model(RunConfig.model_validate(settings(folder)))


def test_it_learns_what_was_preferred(trained: Any) -> None:
    """On questions that it has not seen, from chance, with an interval; and it says how it is loaded."""
    folder, metrics = trained
    held = metrics["heldout"]
    assert (held["pairs"], held["unread"]) == (60, 0)
    assert held["before"][1] < 0.5 + 0.2
    middle, low, high = held["accuracy"]
    assert low <= middle <= high
    assert low > 0.7
    assert metrics["load"] == f'OrmScore("{folder}/rm/model")'


def test_its_score_stands_in_the_range_that_was_seen(trained: Any) -> None:
    """0 at the lower end and 1 at the upper one, however far a figure goes; given ends come first."""
    folder, metrics = trained
    least, most = metrics["reward_range"]
    place = f"{folder}/rm/model"
    answers = ["2", "22", "1", "1111", "2468", "13579", "8" * 40, "1" * 40]
    asked = {"prompt": ["3+1=?\n"] * len(answers)}
    found = OrmScore(place, device="cpu").verify_batch(answers, **asked)
    for verdict in found:
        wanted = min(max((verdict.raw - least) / (most - least), 0.0), 1.0)  # type: ignore[operator]
        assert verdict.score == pytest.approx(wanted)
    assert found[4].score > 0.8 > 0.2 > found[5].score  # type: ignore[operator]
    own = OrmScore(place, least=-1000.0, most=1000.0, device="cpu").verify_batch(answers, **asked)
    assert all(0.4 < verdict.score < 0.6 for verdict in own)  # type: ignore[operator]
    file = folder / "rm" / "model" / "config.json"
    text = file.read_text()
    try:
        for broken in ([1.0], [2.0, 1.0], "high", [0.0, math.inf]):
            file.write_text(json.dumps({**json.loads(text), "reward_range": broken}))
            with pytest.raises(UnusableError) as caught:
                OutcomeModel(place, "cpu", "float32")
            assert "two rising numbers" in caught.value.args[1]
    finally:
        file.write_text(text)


def test_the_loss_is_bradley_and_terrys() -> None:
    """By the formula; a shift of both is free but for the penalty; batches of a step by all their pairs."""
    from types import SimpleNamespace

    import torch

    def loss(figures: list[float], center: float, count: int | None = None) -> float:
        outputs = SimpleNamespace(logits=torch.tensor(figures).unsqueeze(1))
        labels = torch.tensor([1.0] * (len(figures) // 2) + [0.0] * (len(figures) // 2))
        return float(pair_loss(center)(outputs, labels, count))

    wanted = [math.log1p(math.exp(-(1.0 - 0.5))), math.log1p(math.exp(-(-2.0 - 0.25)))]
    assert loss([1.0, -2.0, 0.5, 0.25], 0.0) == pytest.approx(sum(wanted) / 2)
    assert loss([1.0, -2.0, 0.5, 0.25], 0.0, 8) == pytest.approx(sum(wanted) / 4)
    assert loss([11.0, 10.5], 0.0) == pytest.approx(wanted[0], rel=1e-5)
    assert loss([11.0, 10.5], 0.1) == pytest.approx(wanted[0] + 0.1 * 21.5**2, rel=1e-5)


def test_pairs_are_read_and_refused(tmp_path: Path) -> None:
    """Messages and texts; without two different texts there is nothing to prefer."""
    from training.config import Data

    def read(*rows: dict[str, Any], of: Any = "response") -> Any:
        return pair_rows(Data(source=jsonl(tmp_path / "p.jsonl", rows)), of, 0)

    talk = {"prompt": [{"role": "user", "content": "Q?"}], "chosen": [{"role": "assistant", "content": "a"}],
            "rejected": [{"role": "assistant", "content": "b"}]}  # fmt: skip
    same = {"prompt": "Q?", "chosen": " a", "rejected": "a"}
    thought = {"prompt": "Q?", "chosen": "<think>x</think>a", "rejected": "<think>y</think>a"}
    assert read(talk, same, thought) == [("Q?", "a", "b")]
    assert len(read(talk, same, thought, of="completion")) == 2
    with pytest.raises(ConfigError, match="no pair has a question and two different texts in its response"):
        read(same)
    with pytest.raises(ConfigError, match=r"row 0 of .* has no column 'rejected'; did you mean 'reject'"):
        read({"prompt": "Q?", "chosen": "a", "reject": "b"})
    assert preferred(read(talk), [0.5], [0.5])[0] == 0.5  # type: ignore[index]


def test_a_policy_is_paid_by_it(trained: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In GRPO: what is paid is the model's score, in [0, 1], beside a strict measure; alone it is said."""
    folder, _ = trained
    reward = {"OrmScore": {"model": f"{folder}/rm/model", "device": "cpu"}, "name": "preference"}
    strict = {"Keywords": {"words": ["2", "4", "6", "8"], "mode": "any"}, "name": "even"}
    small = {"max_steps": 2, "max_completion_length": 6}
    run = config(tmp_path / "one", reward=reward, trainer=small)
    train_policy("grpo", run)
    assert "OrmScore is a model's opinion, and nothing here would show" in capsys.readouterr().err
    kept = kept_by(tmp_path / "one")
    scores = [row["reward"] for row in kept]
    assert all(0.0 <= each <= 1.0 for each in scores)
    assert len(set(scores)) > 3
    again = OrmScore(f"{folder}/rm/model", device="cpu").verify_batch(
        [row["completion"] for row in kept], prompt=[row["prompt"] for row in kept]
    )
    assert [verdict.score for verdict in again] == pytest.approx(scores, abs=1e-5)
    watched = config(tmp_path / "two", reward=reward, evaluation={"reward": strict, "at": []}, trainer=small)
    train_policy("grpo", watched)
    assert "opinion" not in capsys.readouterr().err
    assert "strict" in kept_by(tmp_path / "two")[0]


def test_in_a_pipeline_it_takes_the_pairs_and_hands_on_the_policy(tmp_path: Path) -> None:
    """Those that were selected before it."""
    data = settings(tmp_path)
    base = {key: data[key] for key in ("output_dir", "model", "data")}
    kinds = [
        {"kind": "select", "select": {"purpose": "dpo"}, "reward": "ExactMatch"},
        {"kind": "rm"},
        {"kind": "grpo", "reward": {"OrmScore": {"model": f"{tmp_path}/rm/2-rm/model"}}},
    ]
    stages = stages_of(RunConfig.model_validate({**base, "stages": kinds}))
    check_stages(stages)
    assert stages["rm"][1].data.source == f"{tmp_path}/rm/1-select/selected.jsonl"  # type: ignore[union-attr]
    assert stages["grpo"][1].model.name == data["model"]["name"]


def test_sides_of_a_pair_stay_beside_one_another() -> None:
    """Whatever their lengths."""
    from training.research.rating_trainer import sides

    made = [{"chosen": [1], "rejected": [2, 2]}, {"chosen": [3, 3, 3], "rejected": [4]}]
    batch = collated(sides(made), 0)
    assert batch["input_ids"].tolist() == [[1, 0, 0], [3, 3, 3], [2, 2, 0], [4, 0, 0]]
    assert batch["labels"].tolist() == [1.0, 1.0, 0.0, 0.0]
    assert Head().center == 0.01
