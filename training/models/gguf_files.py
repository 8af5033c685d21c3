"""GGUF files, the format of llama.cpp, as model folders that can be trained: transformers reads them."""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
import warnings
from pathlib import Path
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.packages import require

# They scale rotary positions (Llama 3.1, Phi 3); transformers ignores them when it reads GGUF files.
_ROPE_TENSORS = {"rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"}


def convert(file: Path, dtype: str = "float32") -> Path:
    """A GGUF file as an ordinary model folder (safetensors), since trainers do not take ``gguf_file``.

    The folder is in the user's cache, named by the file's path, size and time, and is used again. It is
    renamed into place when it is complete, so a kill, or another rank that does the same, does no harm.

    Args:
        file: The GGUF file; a model in several files must be merged first.
        dtype: Of the weights: ``float32``, ``bfloat16`` or ``float16``.

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
    _check(file)
    part = target.with_name(f".{target.name}.part-{uuid.uuid4().hex}")
    try:
        _write(file, part, dtype)
        part.rename(target)
    except OSError:
        if not target.is_dir():  # else another process was faster
            raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return target


def _check(file: Path) -> None:
    """Refuse what is damaged, and say what transformers ignores without a word.

    Raises:
        ConfigError: The file is not a GGUF file, truncated, or one of several parts.
    """
    try:
        reader = require("gguf", extra="train").GGUFReader(file)
        split = reader.get_field("split.count")
        count = 1 if split is None else int(split.contents())
        ignored = _ROPE_TENSORS & {tensor.name for tensor in reader.tensors}
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


def _write(file: Path, folder: Path, dtype: str) -> None:
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
    _set_special_tokens(model, tokenizer)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _set_special_tokens(model: Any, tokenizer: Any) -> None:
    """Give the model the file's special tokens: transformers leaves its architecture's defaults there.

    Generation ends at the model's end token, so a wrong one runs every completion to the limit.
    """
    for holder in (model.config, model.generation_config):
        for name in ("bos_token_id", "eos_token_id", "pad_token_id"):
            token, now = getattr(tokenizer, name), getattr(holder, name, None)
            # Some architectures end at several tokens (Gemma 4), of which a GGUF file names one.
            if token is not None and not (isinstance(now, list) and token in now):
                setattr(holder, name, token)


def _line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).split("\n")[0]
