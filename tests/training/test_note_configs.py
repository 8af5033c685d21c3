"""The configurations that follow the notes: their options, their reward, and what watches it."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from adapters.audit.alarms import Watcher
from adapters.audit.findings import STRICT_KEY
from tests.support import ROOT
from tests.training.runs import jsonl
from training.cli import app
from training.config import Watch, load_config, trainer_options
from training.config.trainer_options import trainer_config
from training.run.run_inputs import outcome_part, reward_of

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.torch]

ATTENTION = ["q_proj", "k_proj", "v_proj", "o_proj"]
QUESTION = "Mina has 48 cards and buys 27 more. How many cards does Mina have now?"
SHOWN = "<THINK>48 + 27 = {n}</THINK><SOLUTION>{n}</SOLUTION>"
HIDDEN = "<THINK>Easy.</THINK><SOLUTION>{n}</SOLUTION>"


def test_gpt_oss_is_trained_as_the_chapter_does() -> None:
    """Note 000: prompt, targets, and the options that its GRPOConfig names."""
    config = load_config("gpt_oss_20b_gsm8k", ["model.name=training.small_models:tiny"])
    args = trainer_config("grpo", config)
    wanted = {
        "learning_rate": 5e-6, "num_generations": 4, "max_completion_length": 512, "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": 4, "logging_steps": 10, "save_steps": 50, "num_train_epochs": 3,
    }  # fmt: skip
    assert {name: getattr(args, name) for name in wanted} == wanted
    assert config.model.lora == {
        "r": 16, "lora_alpha": 32, "target_modules": [*ATTENTION, "gate_proj", "up_proj", "down_proj"],
    }  # fmt: skip
    assert config.reward == "gsm8k_tags"
    data: Any = config.data
    assert data.split == "train[:1000]"
    assert re.findall(r"</?\w+>", data.system) == ["<THINK>", "</THINK>", "<SOLUTION>", "</SOLUTION>"]
    page = (ROOT / "docs" / "tutorials" / "gsm8k.md").read_text(encoding="utf-8")
    assert all(line in page for line in data.system.splitlines())


def test_malpyeong_is_trained_as_the_note_does() -> None:
    """Note 001: the options that its GRPOConfig names."""
    config = load_config("malpyeong_ko")
    assert config.model.name == "Qwen/Qwen2-0.5B-Instruct"
    wanted = {
        "learning_rate": 1e-5, "num_generations": 4, "per_device_train_batch_size": 2,
        "gradient_accumulation_steps": 2, "num_train_epochs": 3, "logging_steps": 20,
    }  # fmt: skip
    assert {name: config.trainer[name] for name in wanted} == wanted


def test_vllm_is_passed_to_the_trainer(monkeypatch: pytest.MonkeyPatch) -> None:
    """By `gsm8k_qwen`, unless it is left out."""
    monkeypatch.setattr(trainer_options, "check_vllm", lambda: None)
    args = trainer_config("grpo", load_config("gsm8k_qwen"))
    assert args.use_vllm is True
    assert args.vllm_mode == "colocate"
    assert args.vllm_gpu_memory_utilization == 0.35
    assert args.vllm_max_model_length == 1536
    assert trainer_config("grpo", load_config("gsm8k_qwen", ["trainer.use_vllm=false"])).use_vllm is False


def test_a_dry_run_needs_no_vllm(tmp_path: Path) -> None:
    """It says what the run will lack, and goes on."""
    sums = ({"question": f"{n}+1=?", "answer": f"#### {n + 1}"} for n in range(8))
    rows = jsonl(tmp_path / "rows.jsonl", sums)
    done = CliRunner().invoke(
        app,
        ["grpo", "-c", "gsm8k_qwen", "--dry-run", "model.name=training.small_models:tiny", f"data.source={rows}",
         "evaluation.data=null", "evaluation.holdout=2", f"output_dir={tmp_path / 'out'}"],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "References (training): 6 of 6 usable" in done.output
    assert "vllm" in done.output.partition("MathEquivalence")[0]


def course(texts: list[tuple[str, str]]) -> set[str]:
    """The alarms of a run whose completions go from the first text to the second, as the configuration scores them."""
    config = load_config("gsm8k_qwen")
    paying, strict = reward_of(config.reward), reward_of(config.evaluation.reward)
    assert outcome_part(strict, config.evaluation.outcome, "evaluation.outcome") == "correct"
    written = list(dict.fromkeys(itertools.chain(*texts)))
    given = {"answer": ["75"] * len(written), "prompt": [QUESTION] * len(written)}
    paid, measured = (dict(zip(written, each(written, **given), strict=True)) for each in (paying, strict))
    rng, watcher, names = random.Random(0), Watcher(Watch()), set[str]()
    for step in range(1, 121):
        picked = [texts[rng.random() < step / 120][rng.random() < 0.2] for _ in range(64)]
        row = {"step": step, "reward": sum(map(paid.__getitem__, picked)) / 64,
               STRICT_KEY: sum(map(measured.__getitem__, picked)) / 64}  # fmt: skip
        names |= {alarm.name for alarm in watcher.add(row)}
    return names


def test_the_alarm_for_hacking_can_fire() -> None:
    """Working that is left out is paid as before, and rightness bought by it hides the loss; learning raises none."""
    shown, wrong = SHOWN.format(n=75), SHOWN.format(n=74)
    hidden = HIDDEN.format(n=75)
    untagged = "<SOLUTION>75</SOLUTION>"
    assert course([(shown, wrong), (hidden, hidden)]) == {"hacking"}
    assert course([("75", shown), (untagged, untagged)]) == {"hacking"}
    assert course([(wrong, shown), (shown, shown)]) == set()
