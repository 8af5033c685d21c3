"""Whether a model can be loaded and adapted as its configuration says, without its weights."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from reward_verifiers.verifiers import ConfigError, MissingDependencyError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import require

from ..config import Model
from ..config.trainer_options import LORA, lora_config
from ..environment import rank


def check_model(model: Model, place: str) -> None:
    """Refuse an attention, adapters or a way to load that this model does not have.

    Args:
        model: As configured.
        place: Where it is, as `locate` gives it.

    Raises:
        ConfigError: One of them; a sentence with the nearest that there is.
        MissingDependencyError: A kind of attention needs a package.
    """
    if model.attention is not None:
        _check_attention(model.attention)
    if not (model.dequantize or model.lora):
        return
    transformers = require("transformers", extra="train")
    try:
        shape = transformers.AutoConfig.from_pretrained(
            place, revision=model.revision, trust_remote_code=model.trust_remote_code
        )
    except (OSError, ValueError):
        return  # what cannot be read is told where it is loaded
    if model.dequantize:
        _check_stored(shape)
    if model.lora is not None:
        _check_modules(model, shape)


def _check_attention(name: str) -> None:
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS
    from transformers.utils import import_utils

    if "/" in name:
        return  # a kernel of the hub
    known = sorted({"eager", *ALL_ATTENTION_FUNCTIONS.valid_keys()})
    if name.removeprefix("paged|") not in known and name not in known:
        raise ConfigError(f"model.attention: transformers has no {name!r}{nearest(name, known)}")
    kinds = {
        "flash_attention_2": ("is_flash_attn_2_available", "flash-attn"),
        "flash_attention_3": ("is_flash_attn_3_available", "flash-attn-3"),
    }
    asked, package = kinds.get(name, ("", ""))
    there = getattr(import_utils, asked, None)
    if there is not None and not there():
        raise MissingDependencyError(
            f"model.attention: {name} needs {package} and a GPU, and cannot be used here; leave it out for "
            f"sdpa, or run: pip install {package}"
        )


def _check_stored(shape: Any) -> None:
    stored = getattr(shape, "quantization_config", None)
    method = (
        stored.get("quant_method") if isinstance(stored, Mapping) else getattr(stored, "quant_method", None)
    )
    if str(getattr(method, "value", method)) != "mxfp4":
        raise ConfigError(
            "model.dequantize is for weights that are stored in MXFP4, such as gpt-oss; this model's are "
            f"{'not quantised' if method is None else f'stored as {method}'}: leave it out"
        )


def _check_modules(model: Model, shape: Any) -> None:
    """Refuse LoRA on modules that the model does not have."""
    options = {**LORA, **(model.lora or {})}
    asked = [name for key in ("target_modules", "modules_to_save") for name in _listed(options.get(key))]
    made = _without_weights(shape)
    if made is None:
        return
    names = [name for name, _ in made.named_modules()]
    last = sorted({name.rpartition(".")[2] for name in names if name})
    lacking = [name for name in asked if not any(f".{each}".endswith(f".{name}") for each in names)]
    if lacking and len(lacking) == len(asked):
        raise ConfigError(f"model.lora: this model has no module {lacking[0]!r}{nearest(lacking[0], last)}")
    if lacking and rank() == 0:
        # peft passes them over without a word; gpt-oss' experts are parameters, and no modules.
        print(f"note: model.lora: this model has no module {', '.join(lacking)}", file=sys.stderr, flush=True)
    peft = require("peft", extra="train")
    try:
        peft.get_peft_model(made, lora_config(options))
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise ConfigError(f"model.lora: {_first_sentence(error)}") from None
    except RuntimeError:
        return  # adapters that begin with the weights themselves cannot be tried without them


def _listed(value: Any) -> Iterable[str]:
    return () if isinstance(value, str) or value is None else [str(each) for each in value]


def _first_sentence(error: Exception) -> str:
    said = " ".join(str(error).split())
    return said.partition(". ")[0].removesuffix(".")


def _without_weights(shape: Any) -> Any | None:
    """A model of this shape; None where it is not one that can be made so."""
    import torch
    import transformers

    try:
        with torch.device("meta"):
            return transformers.AutoModelForCausalLM.from_config(shape)
    except (ValueError, OSError, ImportError, RuntimeError, NotImplementedError):
        return None
