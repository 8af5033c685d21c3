"""Which values of a trainer's options can work: asked before anything is loaded, never found out after hours.

Types are checked with the option's own (`fitting`); here are ranges, words, and options that contradict one
another, which trainers find late or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from reward_verifiers.verifiers import ConfigError, MissingDependencyError
from reward_verifiers.verifiers.core import nearest

from .run_config import RunConfig

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

    Args:
        chosen: The trainer's options, of the right types.
        config: The run.
        kind: Of the stage.

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
