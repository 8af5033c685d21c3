"""GGUF files, the format of llama.cpp, as model folders that can be trained."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import shutil
import time
import uuid
import warnings
from pathlib import Path
from typing import Any

from verifiers import ConfigError
from verifiers.errors import nearest
from verifiers.runtime.packages import require

DTYPES = ("float32", "bfloat16", "float16")
MARK = "gguf.json"
"""Says in a converted folder which file it was made of."""

_MIB = 1 << 20
# No conversion takes a day: what is older was left by a process that was killed.
_STALE_SECONDS = 24 * 60 * 60
# They scale rotary positions (Llama 3.1, Phi 3); transformers passes over them when it reads GGUF files.
_ROPE_TENSORS = ("rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight")


def convert(file: Path, folder: Path | None = None, dtype: str = "float32") -> Path:
    """A GGUF file as an ordinary model folder (safetensors), so that it trains and saves.

    A model that transformers loads from a GGUF file counts as quantised even after its weights were
    unpacked: trainers refuse it, and so does `save_pretrained`. Here its weights move into a model that
    was never quantised. An earlier conversion of the same file is used again. The folder is renamed into
    place when it is complete, so a kill leaves none that is taken for whole, and processes that convert
    at the same time (the ranks of torchrun) end with the same folder; each holds the weights once while
    it works.

    Args:
        file: The GGUF file; a model in several files must be merged first.
        folder: Where the model goes; by default a folder of the user's cache.
        dtype: Of the weights: ``float32``, ``bfloat16`` or ``float16``.

    Returns:
        The folder, with the tokenizer and its chat template.

    Raises:
        ConfigError: The file is missing, no GGUF file, truncated, or of a kind that transformers cannot
            read; or the folder holds something else.
        MissingDependencyError: The packages of the extra ``train`` are not installed.
    """
    file = Path(file)
    if dtype not in DTYPES:
        raise ConfigError(f"convert: dtype is unknown: {dtype!r}{nearest(dtype, DTYPES)}")
    mark = {"file": file.name, "fingerprint": _fingerprint(file), "dtype": dtype}
    target = _cached(file, mark) if folder is None else Path(folder)
    if _holds(target, mark):
        return target
    _check(file)
    target.parent.mkdir(parents=True, exist_ok=True)
    _sweep(target)
    part = target.with_name(f".{target.name}.part-{uuid.uuid4().hex}")
    part.mkdir()
    try:
        _write(file, part, dtype)
        (part / MARK).write_text(json.dumps(mark), encoding="utf-8")
        _rename(part, target, mark)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return target


def _fingerprint(file: Path) -> str:
    """Tells files apart without reading gigabytes: size, time, name, first and last MiB.

    Raises:
        ConfigError: It cannot be read, or does not begin as a GGUF file does.
    """
    try:
        with open(file, "rb") as opened:
            stat = os.fstat(opened.fileno())
            head = opened.read(_MIB)
            opened.seek(max(stat.st_size - _MIB, 0))
            tail = opened.read(_MIB)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror}") from None
    if head[:4] != b"GGUF":
        raise ConfigError(f"{file}: is no GGUF file: it begins with {head[:4]!r}, not with b'GGUF'")
    digest = hashlib.sha256(f"{stat.st_size} {stat.st_mtime_ns} {file.name}\n".encode())
    digest.update(head)
    digest.update(tail)
    return digest.hexdigest()


def _cached(file: Path, mark: dict[str, str]) -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    name = f"{file.stem}-{mark['fingerprint'][:12]}-{mark['dtype']}"
    return Path(cache) / "reward-verifiers" / "gguf" / name


def _holds(folder: Path, mark: dict[str, str]) -> bool:
    """Whether the folder is a conversion of this file.

    Raises:
        ConfigError: It holds something else, which is not ours to replace.
    """
    if not folder.exists():
        return False
    try:
        found = json.loads((folder / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        if folder.is_dir() and not any(folder.iterdir()):
            return False
        raise ConfigError(
            f"{folder}: is there already and no conversion of {mark['file']}; choose another folder"
        ) from None
    if found != mark:
        raise ConfigError(
            f"{folder}: holds a conversion of another file ({found.get('file')}, {found.get('dtype')}), or "
            f"of {mark['file']} as it was before; choose another folder, or remove it"
        )
    return True


def _check(file: Path) -> None:
    """Refuse what would fail halfway, or would give another model than the file's.

    Raises:
        ConfigError: The file is truncated, or one of several parts.
    """
    gguf = require("gguf", extra="train")
    try:
        reader = gguf.GGUFReader(file)
        parts = reader.get_field("split.count")
        count = 1 if parts is None else int(parts.contents())
        names = {tensor.name for tensor in reader.tensors}
    # A header that ends early shows as any of these, by where it ends.
    except (ValueError, IndexError, KeyError, OverflowError, UnicodeDecodeError, MemoryError) as error:
        raise ConfigError(
            f"{file}: is truncated or damaged ({_line(error)}); fetch it again: it has "
            f"{file.stat().st_size:,} bytes"
        ) from None
    if count > 1:
        raise ConfigError(
            f"{file}: is one of {count} parts of a model; merge them first with: llama-gguf-split --merge"
        )
    ignored = [name for name in _ROPE_TENSORS if name in names]
    if ignored:
        warnings.warn(
            f"{file}: transformers passes over {', '.join(ignored)}, so the model's rotary positions are not "
            "scaled as the file says; train the original model for contexts beyond its first training's",
            stacklevel=3,
        )


def _write(file: Path, folder: Path, dtype: str) -> None:
    """Save model and tokenizer in the folder.

    Raises:
        ConfigError: transformers cannot read the file.
    """
    transformers = require("transformers", extra="train")
    require("accelerate", extra="train")
    place: dict[str, Any] = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    try:
        config = transformers.AutoConfig.from_pretrained(**place)
    except (ValueError, KeyError, NotImplementedError, OSError) as error:
        raise ConfigError(
            f"{file}: transformers {transformers.__version__} reads no GGUF files of this architecture "
            f"({_line(error)}); update it, or name the original model's folder or hub id"
        ) from None
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(**place)
    except (ValueError, KeyError, NotImplementedError, OSError) as error:
        raise ConfigError(f"{file}: its tokenizer cannot be read ({_line(error)})") from None
    model = _trainable(file, config, tokenizer, dtype)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _trainable(file: Path, config: Any, tokenizer: Any, dtype: str) -> Any:
    """The file's weights in a model that was never quantised, and holds them without a second copy.

    Raises:
        ConfigError: The file holds no model that generates text, or lacks weights.
    """
    import torch

    transformers = require("transformers", extra="train")
    # From transformers 5.2x weights stay in blocks where a kernel multiplies those.
    packed = getattr(transformers, "GgufConfig", None)
    options = {} if packed is None else {"quantization_config": packed(dequantize=True)}
    try:
        loaded, report = transformers.AutoModelForCausalLM.from_pretrained(
            str(file.parent),
            gguf_file=file.name,
            config=config,
            dtype=getattr(torch, dtype),
            output_loading_info=True,
            **options,
        )
    except (ValueError, KeyError, NotImplementedError, RuntimeError) as error:
        raise ConfigError(f"{file}: transformers cannot load it for generation ({_line(error)})") from None
    # transformers fills what is missing with random numbers, and only logs it.
    wrong = {
        kind: sorted(map(str, report[f"{kind}_keys"])) for kind in ("missing", "unexpected", "mismatched")
    }
    _refuse(file, wrong)
    config, generation, kind, state = (
        loaded.config,
        loaded.generation_config,
        type(loaded),
        loaded.state_dict(),
    )
    del loaded
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    with torch.device("meta"):
        model = kind(config)
    result = model.load_state_dict(state, strict=False, assign=True)
    model.tie_weights()
    tied = {name for name, each in model.state_dict().items() if not each.is_meta}
    _refuse(
        file,
        {
            "missing": [key for key in result.missing_keys if key not in tied],
            "unexpected": list(result.unexpected_keys),
        },
    )
    model.config.dtype = getattr(torch, dtype)
    model.generation_config = generation
    _set_special_tokens(model, tokenizer)
    return model


def _refuse(file: Path, wrong: dict[str, list[str]]) -> None:
    found = [
        f"{len(names)} {kind} ({', '.join(names[:3])}{' ...' if len(names) > 3 else ''})"
        for kind, names in wrong.items()
        if names
    ]
    if found:
        raise ConfigError(
            f"{file}: its tensors are not those of the model: {'; '.join(found)}; fetch the file again, or "
            "name the original model's folder or hub id"
        )


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


def _rename(part: Path, target: Path, mark: dict[str, str]) -> None:
    try:
        part.rename(target)
    except OSError:
        # Another process was faster: its conversion is as good. (An empty folder would have been replaced.)
        if not _holds(target, mark):
            raise


def _sweep(target: Path) -> None:
    """Remove what killed conversions have left beside the target."""
    for part in target.parent.glob(f".{glob.escape(target.name)}.part-*"):
        try:
            stale = time.time() - part.stat().st_mtime > _STALE_SECONDS
        except OSError:  # finished in the meantime
            continue
        if stale:
            shutil.rmtree(part, ignore_errors=True)


def _line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).split("\n")[0]
