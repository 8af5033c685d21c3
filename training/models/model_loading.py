"""A configured model's tokenizer and weights, its reading of completions, and checks of all three."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError, MissingDependencyError
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.runtime.packages import require

from ..config import Model
from ..config.trainer_options import LORA, lora_config
from ..environment import has_gpu, rank


def load_tokenizer(model: Model, place: str) -> Any:
    """Load the tokenizer, with the chat template that the configuration names.

    Raises:
        ConfigError: It cannot be loaded, or the template's file cannot be read.
    """
    transformers = require("transformers", extra="train")
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            model.tokenizer or place, revision=model.revision, trust_remote_code=model.trust_remote_code
        )
    except (OSError, ValueError) as error:
        raise ConfigError(f"model.name: {model.name}: {_first_line(error)}") from None
    if model.chat_template is not None:
        try:
            tokenizer.chat_template = Path(model.chat_template).read_text(encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"model.chat_template: {model.chat_template}: {error.strerror}") from None
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def check_template(tokenizer: Any, model: Model, prompt: Sequence[Any]) -> None:
    """Refuse a chat template that does not render a prompt.

    Raises:
        ConfigError: It is no Jinja, or raises.
    """
    import jinja2

    options = {"add_generation_prompt": True, "tokenize": False, **model.chat_template_kwargs}
    try:
        tokenizer.apply_chat_template(list(prompt), **options)
    except jinja2.TemplateError as error:
        where = f", line {error.lineno}" if isinstance(error, jinja2.TemplateSyntaxError) else ""
        place = model.chat_template or "the chat template of the tokenizer"
        raise ConfigError(f"model.chat_template: {place}{where}: {_first_line(error)}") from None


def reader(model: Model, tokenizer: Any) -> Callable[[Sequence[int]], str] | None:
    """Return a decoder to text with special tokens; None where the trainer's text will do.

    A trainer leaves special tokens out, and with them what tells gpt-oss's channels apart: of a completion
    that is cut off in its analysis, a number in the analysis would be taken for the answer.
    """
    if not model.special_tokens:
        return None
    ends = {tokenizer.eos_token_id, tokenizer.pad_token_id}

    def read(ids: Sequence[int]) -> str:
        kept = list(ids)
        while kept and kept[-1] in ends:
            kept.pop()
        return str(tokenizer.decode(kept, skip_special_tokens=False))

    return read


def init_options(model: Model, *, training: bool = True) -> dict[str, Any]:
    """Return the options for loading the weights with ``from_pretrained``."""
    options: dict[str, Any] = {"dtype": model.dtype}
    if model.dtype == "auto" and (not has_gpu() or (training and model.lora is None)):
        # Halves are slow on most CPUs, and a learning rate of 1e-6 moves few weights that are stored in them:
        # the update is smaller than their last bit. TRL, too, trains float32 weights under autocast.
        options["dtype"] = "float32"
    if model.revision is not None:
        options["revision"] = model.revision
    if model.attention is not None:
        options["attn_implementation"] = model.attention
    if model.trust_remote_code:
        options["trust_remote_code"] = True
    if model.dequantize:
        transformers = require("transformers", extra="train")
        options["quantization_config"] = transformers.Mxfp4Config(dequantize=True)
    if model.quantize is not None:
        options["quantization_config"] = _quantization(model)
        options["device_map"] = _device_map()
    return options


def load_model(model: Model, place: str) -> Any:
    """Load the weights, for sampling and measuring.

    Raises:
        ConfigError: They cannot be loaded.
    """
    transformers = require("transformers", extra="train")
    try:
        loaded = transformers.AutoModelForCausalLM.from_pretrained(
            place, **init_options(model, training=False)
        )
    except (OSError, ValueError) as error:
        raise ConfigError(f"model.name: {model.name}: {_first_line(error)}") from None
    if model.quantize is None and has_gpu():
        loaded = loaded.to("cuda")
    return loaded


def _quantization(model: Model) -> Any:
    require("bitsandbytes", extra="qlora")
    transformers = require("transformers", extra="train")
    import torch

    if model.quantize == "int8":
        return transformers.BitsAndBytesConfig(load_in_8bit=True)
    return transformers.BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16 if has_gpu() else torch.float32,
        # FSDP shards what has the dtype of the rest.
        bnb_4bit_quant_storage=torch.bfloat16 if has_gpu() else torch.uint8,
    )


def _device_map() -> dict[str, Any]:
    """Return this process's own GPU for all weights: quantised ones cannot be moved after loading."""
    return {"": int(os.environ.get("LOCAL_RANK", "0")) if has_gpu() else "cpu"}


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]


def check_model(model: Model, place: str) -> None:
    """Refuse an attention, adapters or a way to load that this model does not have.

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
    """Return a model of this shape without weights; None where it cannot be made so."""
    import torch
    import transformers

    try:
        with torch.device("meta"):
            return transformers.AutoModelForCausalLM.from_config(shape)
    except (ValueError, OSError, ImportError, RuntimeError, NotImplementedError):
        return None
