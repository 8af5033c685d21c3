"""What memory depends on: the shapes of a model's layers, read from its configuration."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifiers import ConfigError
from verifiers.runtime.packages import require


@dataclass(frozen=True)
class Shape:
    """What of a model decides its memory. Widths are numbers per token."""

    hidden: int
    attention: int
    keys: int
    wide: int
    gated: bool
    vocabulary: int
    windows: tuple[int | None, ...]
    parameters: int
    linear: Mapping[str, tuple[int, int]]
    modules: Mapping[str, int]


def read_shape(config: Any) -> Shape:
    """Build the model on the meta device, where tensors have shapes and no memory.

    Raises:
        ConfigError: transformers cannot read the configuration, or has no model that generates text for it.
    """
    transformers = require("transformers", extra="train")
    import torch

    try:
        if isinstance(config, str | os.PathLike):
            config = transformers.AutoConfig.from_pretrained(os.fspath(config))
        with torch.device("meta"):
            model = transformers.AutoModelForCausalLM.from_config(config)
    except (OSError, ValueError, KeyError) as error:
        name = config if isinstance(config, str | os.PathLike) else type(config).__name__
        line = str(error).strip().split("\n")[0]
        raise ConfigError(f"estimate: transformers builds no text model from {name}: {line}") from None
    text = model.config.get_text_config()
    head = model.get_output_embeddings()
    # GPT-2's Conv1D is a linear layer that holds its weight transposed; peft adapts it, too.
    linear = {
        name: (int(module.weight.shape[1]), int(module.weight.shape[0]))
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.Linear | transformers.pytorch_utils.Conv1D) and module is not head
    }
    heads = getattr(text, "num_attention_heads", None)
    if not heads:
        raise ConfigError(
            f"estimate: {type(text).__name__} has no attention heads; there is no estimate for it"
        )
    width = getattr(text, "head_dim", None) or text.hidden_size // heads
    experts = getattr(text, "num_experts_per_tok", None) or 1
    each = (experts > 1 and getattr(text, "moe_intermediate_size", None)) or _wide(text)
    return Shape(
        hidden=text.hidden_size,
        attention=heads * width,
        keys=(getattr(text, "num_key_value_heads", None) or heads) * width,
        wide=experts * each + (getattr(text, "shared_expert_intermediate_size", None) or 0),
        gated=any("gate" in name for name, _ in model.named_parameters()),
        vocabulary=text.vocab_size,
        windows=_windows(text),
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        linear=linear,
        modules={name: sum(p.numel() for p in module.parameters()) for name, module in model.named_modules()},
    )


def _wide(text: Any) -> int:
    for name in ("intermediate_size", "ffn_dim", "n_inner"):
        if getattr(text, name, None):
            return int(getattr(text, name))
    return 4 * int(text.hidden_size)


def _windows(text: Any) -> tuple[int | None, ...]:
    """How many tokens each layer's cache holds at most; None for all, 0 for layers without one."""
    kinds = getattr(text, "layer_types", None) or ["full_attention"] * text.num_hidden_layers
    window = getattr(text, "sliding_window", None) or getattr(text, "attention_chunk_size", None)
    known = {"full_attention": None, "sliding_attention": window, "chunked_attention": window}
    return tuple(known.get(kind, 0) for kind in kinds)


def adapted_layers(shape: Shape, lora: Mapping[str, Any]) -> dict[str, tuple[int, int]]:
    """The layers that LoRA adapts, by peft's rules.

    Raises:
        ConfigError: None of the model's layers has such a name.
    """
    targets: str | Sequence[str] = lora.get("target_modules") or "all-linear"
    if targets == "all-linear":
        return dict(shape.linear)
    if isinstance(targets, str):
        found = {name: sizes for name, sizes in shape.linear.items() if re.fullmatch(targets, name)}
    else:
        ends = tuple(f".{target}" for target in targets)
        found = {name: sizes for name, sizes in shape.linear.items() if f".{name}".endswith(ends)}
    if not found:
        names = sorted({name.rpartition(".")[2] for name in shape.linear})
        raise ConfigError(
            f"estimate: lora: target_modules {targets!r} name no linear layer; known: {', '.join(names)}"
        )
    return found


def trainable_numbers(shape: Shape, lora: Mapping[str, Any], adapted: Mapping[str, tuple[int, int]]) -> int:
    """How many numbers LoRA trains: A and B of each layer, DoRA's magnitudes, and modules in full."""
    ends = tuple(f".{name}" for name in lora.get("modules_to_save") or ())
    full = sum(size for name, size in shape.modules.items() if f".{name}".endswith(ends))
    factors = int(lora.get("r", 8)) * sum(map(sum, adapted.values()))
    magnitudes = sum(outputs for _, outputs in adapted.values()) if lora.get("use_dora") else 0
    return full + factors + magnitudes
