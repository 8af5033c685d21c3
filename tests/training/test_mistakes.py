"""Wrong configurations: one sentence each, before a model is loaded, in a dry run and in a run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import trl
from typer.testing import CliRunner

from tests.training.runs import config, write
from tests.training.test_data import jsonl
from training.cli import app
from training.config import Model
from training.models.model_places import locate
from training.stages import train_policy
from verifiers import VerifierError

pytestmark = pytest.mark.filterwarnings("default")

LORA = {"lora": {"r": 2}}
TRAINER: dict[str, tuple[dict[str, Any], str]] = {
    "scale_rewards": ({"scale_rewards": "groups"}, "did you mean 'group'"),
    "temperature": ({"temperature": 0}, "above 0, got 0"),
    "max_completion_length": ({"max_completion_length": 0}, "1 or more, got 0"),
    "epsilon": ({"epsilon": -0.2}, "above 0, got -0.2"),
    "top_p": ({"top_p": 1.5}, "at most 1, got 1.5"),
    "min_p": ({"min_p": -0.1}, "from 0 to 1"),
    "learning_rate": ({"learning_rate": -1e-6}, "0 or more"),
    "max_steps": ({"max_steps": 0}, "from 1 on, or -1"),
    "num_generations": ({"num_generations": 0}, "1 or more"),
    "one completion": ({"num_generations": 1}, "GRPOConfig of trl"),
    "indivisible": ({"num_generations": 3}, "divisible"),
    "num_iterations": ({"num_iterations": 0}, "1 or more"),
    "batch": ({"per_device_train_batch_size": 0}, "1 or more"),
    "accumulation": ({"gradient_accumulation_steps": 0}, "1 or more"),
    "adam_beta2": ({"adam_beta2": 1.0}, "from 0 to below 1"),
    "save_steps": ({"save_steps": 0, "save_strategy": "steps"}, "number of steps"),
    "mixup": ({"ref_model_mixup_alpha": 2}, "from 0 to 1"),
    "level": ({"importance_sampling_level": "sequences"}, "did you mean 'sequence'"),
    "aggregation": ({"multi_objective_aggregation": "sum"}, "sum_then_normalize"),
    "cispo": ({"loss_type": "cispo"}, "epsilon_high=5.0"),
    "loss": ({"loss_type": "dapoo"}, "did you mean 'dapo'"),
    "optimizer": ({"optim": "adamw_troch"}, "adamw_troch"),
    "schedule": ({"lr_scheduler_type": "cosin"}, "cosin"),
    "tracker": ({"report_to": "mlflow"}, "pip install mlflow"),
    "no tracker": ({"report_to": "wandbb"}, "did you mean 'wandb'"),
    "fsdp": ({"fsdp": "full_shard"}, "accelerate launch"),
    "sync without beta": ({"sync_ref_model": True}, "beta above 0"),
    "two halves": ({"bf16": True, "fp16": True}, "choose one"),
    "liger": ({"use_liger_kernel": True}, "need a GPU"),
    "text for a number": ({"learning_rate": "fast"}, "learning_rate"),
    "entropy": ({"entropy_coef_min": 0.5, "entropy_coef_max": 0.1}, "entropy_coef_max"),
    "upload": ({"push_to_hub": True}, "hub_model_id"),
    "evaluation": ({"eval_strategy": "steps", "eval_steps": 1}, "no rows to evaluate"),
}
OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "attention": ({"model": {"attention": "spda"}}, "did you mean 'sdpa'"),
    "no flash": ({"model": {"attention": "flash_attention_2"}}, "pip install flash-attn"),
    "target_modules": ({"model": {"lora": {"target_modules": ["q_porj"]}}}, "did you mean 'q_proj'"),
    "pattern": ({"model": {"lora": {"target_modules": ".*attention.*"}}}, "LlamaRMSNorm|RMSNorm"),
    "no pattern": ({"model": {"lora": {"target_modules": "nothing.*"}}}, "not found in the base model"),
    "saved modules": ({"model": {"lora": {"modules_to_save": ["head"]}}}, "no module 'head'"),
    "dequantize": ({"model": {"name": "{folder}/initial-model", "options": {}, "dequantize": True}}, "MXFP4"),
    "quantize": ({"model": {"quantize": "nf4"}}, "needs lora"),
    "sync with LoRA": ({"model": LORA, "trainer": {"sync_ref_model": True, "beta": 0.1}}, "without its adapter"),
    "template": ({"data": {"format": "chat"}, "model": {"chat_template": "{folder}/broken.jinja"}}, r"broken.jinja, line 2"),
    "refusing template": ({"data": {"format": "chat"}, "model": {"chat_template": "{folder}/raises.jinja"}}, "no questions here"),
    "no template": ({"model": {"chat_template": "{folder}/none.jinja"}}, "No such file"),
    "no model": ({"model": {"name": "./nowhere", "options": {}}}, "there is no folder"),
    "no data": ({"data": {"source": "nowhere.jsonl", "options": {}}}, "nowhere.jsonl"),
    "group_size": ({"group_size": {"first": 4}}, "below trainer.num_generations"),
    "both": ({"group_size": {"first": 2}, "dynamic_sampling": {}}, "does not work with"),
    "outcome": ({"dynamic_sampling": {"outcome": "digit"}}, "did you mean 'digits'"),
    "steps": ({"steps": {}, "trainer": {"importance_sampling_level": "sequence"}}, "tokens"),
    "kl": ({"kl": {"target": 0.1}}, "reference model"),
    "images": ({"data": {"source": "{folder}/images.jsonl", "options": {}}}, "image"),
}  # fmt: skip
MISTAKES = {**{name: ({"trainer": each}, says) for name, (each, says) in TRAINER.items()}, **OTHERS}


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes the trainer, which loads the model, has come too far."""

    def loaded(*_: Any, **__: Any) -> None:
        raise AssertionError("the model is loaded")

    monkeypatch.setattr(trl.GRPOTrainer, "__init__", loaded)


def mistake(name: str, folder: Path) -> tuple[dict[str, Any], str]:
    """The changes that make a mistake, and what is said of it."""
    (folder / "broken.jinja").write_text("{{ messages }}\n{% if %}")
    (folder / "raises.jinja").write_text("{{ raise_exception('no questions here') }}")
    if name == "dequantize":
        locate(Model(name="training.arithmetic:model", options={"hidden": 16, "layers": 1}), folder)
    jsonl(folder / "images.jsonl", [{"question": "What is it?", "image": "cat.png", "answer": "a cat"}])
    changes, says = MISTAKES[name]
    return filled(changes, str(folder)), says


def filled(value: Any, folder: str) -> Any:
    """With the folder where it is asked for."""
    if isinstance(value, dict):
        return {key: filled(each, folder) for key, each in value.items()}
    return value.replace("{folder}", folder) if isinstance(value, str) else value


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_a_sentence_before_a_model_is_loaded(tmp_path: Path, name: str) -> None:
    """With what is wrong and what helps."""
    changes, says = mistake(name, tmp_path)
    with pytest.raises((VerifierError, ValueError), match=says) as found:
        train_policy("grpo", config(tmp_path / "out", **changes))
    assert isinstance(found.value, VerifierError) or name == "quantize"
    assert "\n" not in str(found.value) or name == "quantize"


# Options of the trainer take one way, in a dry run as in a run.
@pytest.mark.parametrize("name", [*list(TRAINER)[:2], "evaluation", *OTHERS])
def test_a_dry_run_finds_it_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    """The same sentence, and status 2."""
    changes, says = mistake(name, tmp_path)
    file = write(tmp_path / "run.yaml", **changes)
    done = CliRunner().invoke(app, ["grpo", "--config", str(file), "--dry-run"], env={"COLUMNS": "400"})
    assert done.exit_code == 2, done.output
    assert done.output.count("error: ") == 1
    assert re.search(says, " ".join(done.output.split()))
    assert not (tmp_path / "out").exists()
