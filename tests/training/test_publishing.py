"""What leaves the machine, and what a saved model says of itself."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from huggingface_hub import HfApi

from rewards import Pay
from tests.training.runs import config, kept_by
from training.run.model_card import CARD, digest, model_card
from training.run.run_folder import last_checkpoint
from training.run.run_inputs import Prepared
from training.stages import train_policy
from training.stages.policy_stage import policy_arguments
from verifiers import ConfigError, ExactMatch

pytestmark = pytest.mark.filterwarnings("default")

METRICS: dict[str, Any] = {
    "steps": 4, "reward_first": 0.25, "reward_last": 0.5, "alarms": [], "versions": {"trl": "1.16.0"},
    "start": {"heldout": {"accuracy": 0.5, "error": 0.05, "n": 100, "unscored": 0, "samples": []}},
    "end": {"heldout": {"accuracy": 0.75, "error": 0.04, "n": 100, "unscored": 0, "samples": []}},
}  # fmt: skip


class Hub:
    """In the place of the hub's interface: notes what it is given."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.calls: list[dict[str, Any]] = []
        self.fails = False

    def create_repo(self, repo_id: str, **given: Any) -> Any:
        if self.fails:
            raise OSError("no network")
        return SimpleNamespace(repo_id=repo_id)

    def upload_folder(self, *, folder_path: Path, ignore_patterns: list[str], **given: Any) -> Any:
        paths = [path for path in Path(folder_path).rglob("*") if path.is_file()]
        self.files = {path.name: path.read_bytes() for path in paths if path.name not in ignore_patterns}
        self.calls.append(given)
        return SimpleNamespace(commit_url="https://hub.example/commit/1")


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    found = Hub()
    for name in ("create_repo", "upload_folder"):
        monkeypatch.setattr(HfApi, name, lambda _, name=name, **given: getattr(found, name)(**given))
    return found


@pytest.mark.slow
def test_only_the_model_is_uploaded_and_the_run_stays_a_run(tmp_path: Path, hub: Hub) -> None:
    """No prompt, no answer, no completion; and the same command goes on with the same run."""
    trainer = {"push_to_hub": True, "hub_model_id": "someone/sums", "save_strategy": "steps", "save_steps": 2}
    evaluation = {"holdout": 4, "at": ["end"], "max_tokens": 4}
    own = config(tmp_path, trainer=trainer, evaluation=evaluation)
    train_policy("grpo", own)
    kept = {"model.safetensors", "config.json", "tokenizer.json", CARD}
    assert kept <= set(hub.files)
    assert not {"training_args.bin", "history.jsonl", "rewards.json", "train.rank0.jsonl"} & set(hub.files)
    rows = kept_by(tmp_path)
    card = hub.files[CARD].decode()
    for row in rows:
        assert row["prompt"].strip() not in card
        assert len(row["completion"]) < 4 or row["completion"] not in card
    assert json.loads((tmp_path / "config.json").read_text())["kind"] == "grpo"
    assert last_checkpoint(tmp_path) == tmp_path / "trainer" / "checkpoint-4"
    # Another learning rate is another run, as without an upload.
    with pytest.raises(ConfigError, match="learning_rate was"):
        train_policy(
            "grpo", config(tmp_path, trainer={**trainer, "learning_rate": 1e-2}, evaluation=evaluation)
        )
    train_policy("grpo", own)
    assert len(hub.calls) == 1


@pytest.mark.slow
def test_an_upload_that_fails_loses_nothing(tmp_path: Path, hub: Hub) -> None:
    """The run is finished; the same command uploads it."""
    own = config(tmp_path, trainer={"push_to_hub": True, "hub_model_id": "someone/sums", "max_steps": 1})
    hub.fails = True
    with pytest.raises(ConfigError, match=r"someone/sums was not written: no network\. The run is finished"):
        train_policy("grpo", own)
    assert json.loads((tmp_path / "metrics.json").read_text())["steps"] == 1
    hub.fails = False
    train_policy("grpo", own)
    assert CARD in hub.files
    assert json.loads((tmp_path / "pushed.json").read_text())["repo"] == "someone/sums"


def test_the_trainer_is_never_told_to_upload(tmp_path: Path) -> None:
    """It would upload its whole folder; and that folder is not the run's."""
    args = policy_arguments("grpo", config(tmp_path, trainer={"push_to_hub": True, "hub_model_id": "a/b"}))
    assert not args.push_to_hub
    assert Path(args.output_dir) == tmp_path / "trainer"


def test_a_card_says_what_a_reader_has_to_know(tmp_path: Path) -> None:
    """Base, data, reward, figures with intervals, and what is not known."""
    rows = [{"prompt": f"the question {number}", "answer": "a secret"} for number in range(9)]
    reward = Pay(ExactMatch()).named("right") * 2.0
    prepared = Prepared("b/m", str(tmp_path), None, rows[:6], rows[6:], reward, reward, "right")
    own = config(tmp_path, model={"name": "Qwen/Qwen2.5-0.5B"}, description="A small run.")
    card = model_card("grpo", own, prepared, METRICS, curves=True)
    for part in ("Qwen/Qwen2.5-0.5B", digest(rows[:6]), digest(rows[6:]), reward.signature(), "ExactMatch",
                 "0.500 (0.402–0.598), n = 100", "0.750 (0.672–0.828), n = 100", "curves.png", "trl 1.16.0",
                 "A small run.", "no other task", "Alarms while it trained: none"):  # fmt: skip
        assert part in card
    assert "the question" not in card
    assert "a secret" not in card
    assert "not measured" in model_card("sft", own, None, {"steps": 4}, curves=False)
