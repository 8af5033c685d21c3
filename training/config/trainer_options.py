"""A trainer's own options and their values, checked against the installed version before anything is loaded.

Types are checked with the option's own (`fitting`); ranges, words, and options that contradict one another,
which trainers find late or not at all, are checked beside them.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import re
import typing
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from reward_verifiers.verifiers import ConfigError, MissingDependencyError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import require

from ..environment import cpu_options, has_gpu
from .algorithms import LOSSES, algorithm_options
from .run_config import RunConfig
from .run_stages import RATING

Check = Callable[[float], bool]
ABOVE_0: tuple[str, Check] = "above 0", lambda value: value > 0
FROM_0: tuple[str, Check] = "0 or more", lambda value: value >= 0
FROM_1: tuple[str, Check] = "1 or more", lambda value: value >= 1
SHARE: tuple[str, Check] = "from 0 to 1", lambda value: 0 <= value <= 1
PART: tuple[str, Check] = "above 0, and at most 1", lambda value: 0 < value <= 1
BELOW_1: tuple[str, Check] = "from 0 to below 1", lambda value: 0 <= value < 1
STEPS: tuple[str, Check] = "a number of steps, or a share of all below 1", lambda value: value > 0

_OF_RANGE: dict[tuple[str, Check], str] = {
    ABOVE_0: "temperature epsilon epsilon_high delta adam_epsilon num_train_epochs repetition_penalty "
    "sapo_temperature_neg sapo_temperature_pos vllm_server_timeout",
    FROM_0: "beta learning_rate max_grad_norm weight_decay warmup_steps top_k dataloader_num_workers seed "
    "entropy_coef_min entropy_coef_max vespo_k_pos vespo_k_neg vespo_lambda_pos vespo_lambda_neg",
    FROM_1: "max_completion_length max_length num_generations num_generations_eval num_iterations "
    "per_device_train_batch_size per_device_eval_batch_size gradient_accumulation_steps steps_per_generation "
    "generation_batch_size ref_model_sync_steps vllm_tensor_parallel_size "
    "vllm_max_model_length vllm_server_port",
    SHARE: "min_p ref_model_mixup_alpha top_entropy_quantile warmup_ratio label_smoothing_factor",
    PART: "top_p vllm_gpu_memory_utilization",
    BELOW_1: "adam_beta1 adam_beta2",
    STEPS: "save_steps logging_steps eval_steps",
}
RANGES = {name: each for each, names in _OF_RANGE.items() for name in names.split()}
"""What numbers an option takes: in words, and as a test."""

WORDS: dict[str, tuple[Any, ...]] = {
    "scale_rewards": (True, False, "group", "batch", "none"),
    "importance_sampling_level": ("token", "sequence"),
    "vllm_mode": ("server", "colocate"),
    "multi_objective_aggregation": ("sum_then_normalize", "normalize_then_sum"),
    "vllm_importance_sampling_mode": ("token_truncate", "token_mask", "sequence_truncate", "sequence_mask"),
}
"""What words an option takes."""

PACKAGES = {"azure_ml": "azureml-core", "kubeflow": "kubeflow-training"}
"""The distribution of a tracker, where it has another name than the tracker."""


def check_values(chosen: Mapping[str, Any], config: RunConfig, kind: str) -> None:
    """Refuse values that no trainer can work with, and options that contradict one another.

    Raises:
        ConfigError: One of them; a sentence with the value and the cure.
        MissingDependencyError: A tracker is not installed.
    """
    for name, value in chosen.items():
        _in_range(name, value)
        _known_word(name, value)
    for sentence in _contradictions(chosen, config, kind):
        raise ConfigError(sentence)
    check_trackers(chosen.get("report_to"))


def _in_range(name: str, value: Any) -> None:
    shown, fits = RANGES.get(name, ("", bool))
    if shown and isinstance(value, int | float) and not isinstance(value, bool) and not fits(value):
        cure = "; for the most likely answers take top_k=1" if name == "temperature" and value == 0 else ""
        raise ConfigError(f"trainer.{name} is {shown}, got {value!r}{cure}")


def _known_word(name: str, value: Any) -> None:
    words = WORDS.get(name)
    if words is not None and value not in words:
        known = [str(word) for word in words]
        raise ConfigError(
            f"trainer.{name} is one of {', '.join(known)}, got {value!r}{nearest(str(value), known)}"
        )


def _contradictions(chosen: Mapping[str, Any], config: RunConfig, kind: str) -> Iterator[str]:
    if chosen.get("sync_ref_model"):
        if config.model.lora is not None:
            yield (
                "trainer.sync_ref_model: with model.lora the reference is the model without its adapter, "
                "which stays as it is; leave one of them out"
            )
        if kind == "grpo" and not chosen.get("beta"):
            yield "trainer.sync_ref_model: without trainer.beta above 0 there is no reference model to move"
    if chosen.get("loss_type") == "cispo" and chosen.get("epsilon_high") is None:
        yield (
            "trainer.loss_type: cispo caps the ratio at epsilon_high, and without one at epsilon, 0.2; set "
            "trainer.epsilon_high=5.0, or algorithm: cispo"
        )
    if config.model.quantize is not None and chosen.get("use_vllm"):
        yield (
            f"model.quantize: {config.model.quantize} with trainer.use_vllm: vLLM is handed weights with the "
            "adapter merged into them, and quantised ones cannot be merged exactly; leave one of them out"
        )
    if chosen.get("fsdp") and int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield (
            "trainer.fsdp shards over several processes, and this is one; start it by accelerate launch "
            "--config_file $(verify-train configs fsdp2), or leave it out"
        )
    if chosen.get("bf16") and chosen.get("fp16"):
        yield "trainer.bf16 and trainer.fp16: choose one of them"
    least, most = chosen.get("entropy_coef_min"), chosen.get("entropy_coef_max")
    if least is not None and most is not None and least > most:
        yield f"trainer.entropy_coef_min is above entropy_coef_max: {least} and {most}"
    if chosen.get("max_steps") == 0:
        yield "trainer.max_steps is a number of steps from 1 on, or -1 for num_train_epochs, got 0"


def check_trackers(reporters: Any) -> None:
    """Refuse a tracker that is unknown or not installed.

    Raises:
        ConfigError: It is unknown.
        MissingDependencyError: It is not installed.
    """
    from transformers.integrations import integration_utils

    known = integration_utils.INTEGRATION_TO_CALLBACK
    there = integration_utils.get_available_reporting_integrations()
    for name in [reporters] if isinstance(reporters, str) else reporters or ():
        if name not in ("none", "all", *known):
            raise ConfigError(f"trainer.report_to: there is no {name!r}{nearest(name, known)}")
        if name not in ("none", "all", "flyte", *there):
            package = PACKAGES.get(name, name.replace("_", "-"))
            raise MissingDependencyError(
                f"trainer.report_to: {name} is not installed; run: pip install {package}"
            )


CLASSES = {"grpo": ("trl", "GRPOConfig"), "rloo": ("trl", "RLOOConfig"), "sft": ("trl", "SFTConfig"),
           "dpo": ("trl", "DPOConfig"), "prm": ("transformers", "TrainingArguments"),
           "orm": ("transformers", "TrainingArguments"),
           "rm": ("transformers", "TrainingArguments")}  # fmt: skip
"""Where the options of a stage's trainer come from."""

_DEFAULTS: dict[str, dict[str, Any]] = {
    # As TRL's PRMTrainer had it, until 1.13.
    kind: {"learning_rate": 1e-5, "logging_steps": 10}
    for kind in RATING
}

LORA: dict[str, Any] = {"r": 16, "lora_alpha": 32, "target_modules": "all-linear"}
"""What ``model.lora: {}`` stands for."""

RENAMED = ("gradient_checkpointing", "gradient_checkpointing_kwargs")
"""Options that transformers 6 calls ``activation_...``; 5.x takes both, and warns of these."""

TRL = ">=1.10,!=1.15.0,<2"
"""Before 1.10 DAPO's denominator is another one; 1.15.0 does not train on a CPU."""
PROMPT_LIMIT = "max_prompt_length"

# What the run's configuration has a place of its own for, which everything else depends on.
_ELSEWHERE = {
    "output_dir": "output_dir",
    "seed": "seed",
    "model_init_kwargs": "model",
    "reward_weights": "weights in the reward's recipe",
    "resume_from_checkpoint": "resume",
    "trust_remote_code": "model.trust_remote_code",
    "chat_template_kwargs": "model.chat_template_kwargs",
    "hub_token": "HF_TOKEN, or hf auth login",
    "hub_strategy": "the run, which uploads its model when it has ended",
    "hub_always_push": "the run, which uploads its model when it has ended",
}

TRAINER = "trainer"
"""The trainer's own folder below the run's: checkpoints, and whatever else it writes by itself."""
PUSH = ("push_to_hub", "hub_model_id", "hub_private_repo", "hub_revision")
"""Options that a stage follows itself: a trainer would upload its folder with all that is in it."""


def trainer_config(kind: str, config: RunConfig, **fixed: Any) -> Any:
    """Return the options object of a stage's trainer.

    Args:
        kind: ``grpo``, ``rloo``, ``sft``, ``dpo``, ``prm``, ``orm`` or ``rm``.
        config: The run.
        **fixed: Options that the stage itself decides.

    Raises:
        ConfigError: An unknown option, a value that does not fit, or options that contradict one another.
        MissingDependencyError: An option needs a package that is not installed.
    """
    package, name_ = CLASSES[kind]
    check_trl()
    cls = getattr(require(package, extra="train"), name_)
    known = {field.name for field in dataclasses.fields(cls) if field.init}
    given = {**algorithm_options(config.algorithm, kind), **config.trainer}
    hints = _hints(cls)
    chosen: dict[str, Any] = dict(_DEFAULTS.get(kind, {}))
    for name, value in given.items():
        if name == PROMPT_LIMIT and name not in known and kind in ("grpo", "rloo"):
            continue  # rows with longer prompts are left out before: see `prompt_limit`
        if name in _ELSEWHERE:
            raise ConfigError(f"trainer.{name} is set by {_ELSEWHERE[name]}; leave it out under trainer")
        if name not in known:
            raise ConfigError(
                f"unknown key 'trainer.{name}': {cls.__name__} of {package} {version(package)} has no such "
                f"option{_near(name, known)}"
            )
        chosen[name] = fitting(f"trainer.{name}", value, hints.get(name, Any))
    if chosen.get("push_to_hub") and not chosen.get("hub_model_id"):
        raise ConfigError("trainer.push_to_hub: where to? set trainer.hub_model_id=USER/NAME")
    chosen = {name: value for name, value in chosen.items() if name not in PUSH}
    chosen.setdefault("report_to", "none")
    _check_packages(chosen, kind)
    check_values(chosen, config, kind)
    if not has_gpu():
        chosen = cpu_options(chosen, known)
    _by_new_names(chosen, cls)
    # Each round draws its own completions, and its own prompts where some are replaced.
    chosen |= {"output_dir": str(Path(config.output_dir) / TRAINER), "seed": config.seed + config.round}
    chosen |= {name: value for name, value in fixed.items() if name in known}
    try:
        made = cls(**chosen)
    except (ValueError, TypeError, ImportError) as error:
        raise ConfigError(
            f"{cls.__name__} of {package} {version(package)}: {' '.join(str(error).split())}"
        ) from None
    if kind not in ("grpo", "rloo") and made.eval_strategy != "no":
        raise ConfigError(
            f"trainer.eval_strategy: {kind} is measured when it has ended, on the rows of evaluation; "
            "leave it out"
        )
    return made


def _by_new_names(chosen: dict[str, Any], cls: type) -> None:
    """Give options that transformers has renamed their new names, TRL's defaults included."""
    fields = {field.name: field for field in dataclasses.fields(cls)}
    for old in RENAMED:
        new = old.replace("gradient_", "activation_")
        if new in fields and new not in chosen:
            value = chosen.pop(old, fields[old].default)
            if value not in (None, dataclasses.MISSING):
                chosen[new] = value


def check_trl() -> None:
    """Refuse a TRL that a run would compute something else with.

    Raises:
        MissingDependencyError: It is not installed.
        ConfigError: Its version is out of the range that the extra ``train`` names.
    """
    from packaging.specifiers import SpecifierSet

    require("trl", extra="train")
    if not SpecifierSet(TRL).contains(version("trl"), prereleases=True):
        raise ConfigError(
            f"verify-train works with trl{TRL}, and trl {version('trl')} is installed; run: "
            f"pip install 'trl{TRL}'"
        )


def prompt_limit(config: RunConfig) -> int | None:
    """Return the most tokens that a run takes in a prompt; None without a limit.

    TRL cut longer prompts off, and has dropped the option; here it leaves their rows out.

    Raises:
        ConfigError: It is no number of tokens.
    """
    most = config.trainer.get(PROMPT_LIMIT)
    if most is not None and fitting(f"trainer.{PROMPT_LIMIT}", most, int) < 1:
        raise ConfigError(f"trainer.{PROMPT_LIMIT} is a number of tokens from 1 on, got {most!r}")
    return most


def fitting(name: str, value: Any, hint: Any) -> Any:
    """Convert a value to the type of its option.

    Raises:
        ConfigError: It is of another kind.

    >>> fitting("trainer.learning_rate", "1e-5", float)
    1e-05
    """
    try:
        adapter = TypeAdapter(hint)
    except Exception:
        return value
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        said = error.errors()[0]["msg"].removeprefix("Input ")
        raise ConfigError(f"{name}: {said}, got {value!r:.80}") from None
    except ValueError as error:  # an enumeration's own: older versions of pydantic let it pass
        raise ConfigError(f"{name}: {' '.join(str(error).split())}") from None


def lora_config(options: Mapping[str, Any]) -> Any:
    """``peft.LoraConfig`` with all linear layers as the default.

    Raises:
        ConfigError: An unknown option, or a value that does not fit.
    """
    peft = require("peft", extra="train")
    known = set(inspect.signature(peft.LoraConfig).parameters)
    for name in options:
        if name not in known:
            raise ConfigError(
                f"unknown key 'model.lora.{name}': LoraConfig of peft {version('peft')} has no such option"
                f"{_near(name, known)}"
            )
    chosen = {**LORA, "task_type": "CAUSAL_LM", **options}
    try:
        return peft.LoraConfig(**chosen)
    except (ValueError, TypeError) as error:
        raise ConfigError(f"model.lora: {' '.join(str(error).split())}") from None


def check_vllm() -> None:
    """Refuse a vLLM that the installed TRL does not work with.

    Raises:
        MissingDependencyError: vLLM is not installed.
        ConfigError: Its version is out of the range that TRL names.
    """
    from packaging.requirements import Requirement

    declared = [Requirement(each) for each in requires("trl") or () if re.match(r"vllm\b", each)]
    wanted = declared[0].specifier if declared else None
    shown = f"vllm{wanted}" if wanted else "vllm"
    try:
        installed = version("vllm")
    except PackageNotFoundError:
        raise MissingDependencyError(
            f"trainer.use_vllm needs vllm, which is not installed; run: pip install '{shown}'"
        ) from None
    if wanted is not None and not wanted.contains(installed, prereleases=True):
        raise ConfigError(
            f"trainer.use_vllm: trl {version('trl')} works with {shown}, and vllm {installed} is installed; "
            f"run: pip install '{shown}'"
        )


def _check_packages(chosen: Mapping[str, Any], kind: str) -> None:
    if chosen.get("use_vllm"):
        check_vllm()
    if chosen.get("use_liger_kernel"):
        if not has_gpu():
            raise ConfigError("trainer.use_liger_kernel: Liger's kernels need a GPU; leave it out on a CPU")
        _require_installed("liger-kernel", "use_liger_kernel")
    loss = chosen.get("loss_type")
    if isinstance(loss, str) and kind in ("grpo", "rloo") and loss not in LOSSES:
        raise ConfigError(f"trainer.loss_type: trl knows no loss {loss!r}{nearest(loss, LOSSES)}")
    bits = chosen.get("optim", "")
    if isinstance(bits, str) and ("8bit" in bits or "paged" in bits):
        require("bitsandbytes", extra="qlora")


def _require_installed(distribution: str, option: str) -> None:
    """Refuse an option whose package is in no extra of ours."""
    try:
        version(distribution)
    except PackageNotFoundError:
        raise MissingDependencyError(
            f"trainer.{option}: {distribution} is not installed; run: pip install {distribution}"
        ) from None


def _hints(cls: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls)
    except (NameError, TypeError):  # an annotation of a package that is not installed
        return {}


def _near(name: str, known: set[str]) -> str:
    hint = nearest(name, known)
    return hint if "did you mean" in hint else ""
