"""Loading a model once, from disk only, for metrics that need one."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, Literal

from ..errors import MissingDependencyError
from ..runtime.forks import new_lock
from ..runtime.packages import install_command, require
from .text_metric import UnusableError

EXTRA = "metrics"
"""The extra that brings torch and transformers."""
MODEL_REASONS = {
    "model_missing": "the model is not on this machine; the detail has the command that fetches it",
    "bad_model": "the model is there, but is not what this metric needs",
}
Dtype = Literal["float32", "bfloat16", "float16"]
NO_LIMIT = 1_000_000
"""Tokenizers without a limit of their own give 10**30 as theirs."""
DEFAULT_LIMIT = 512
"""Tokens of a text for a model that says nothing of its limit."""
CHARS_PER_TOKEN = 30
"""Characters of a text that are tokenised for each token that the model takes: no more can count."""
REMEMBERED_SECONDS = 60
"""Seconds before a model that could not be loaded is tried again: each row would cost seconds."""
_PREFIXED = frozenset({"roberta", "gpt2", "longformer"})
_HUB_ID = re.compile(r"[\w.-]+(?:/[\w.-]+)?")
_IGNORED = re.compile(r"pooler\.|position_ids|lm_head|cls\.|discriminator|vocab_|mlm_|predictions")

_lock = new_lock()
_loaded: dict[Hashable, Any] = {}
_refused: dict[Hashable, tuple[float, UnusableError | MissingDependencyError]] = {}


def loaded_once(key: Hashable, load: Callable[[], Any]) -> Any:
    """Return the result of `load` for a key; it is called once, whatever the number of threads.

    Raises:
        UnusableError: Nothing could be loaded (which is remembered for a minute).
        MissingDependencyError: A package is not installed.
    """
    found = _loaded.get(key)
    if found is not None:
        return found
    with _lock:
        found = _loaded.get(key)
        if found is None:
            since, error = _refused.get(key, (-math.inf, None))
            if error is not None and time.monotonic() - since < REMEMBERED_SECONDS:
                raise error
            try:
                found = _loaded[key] = load()
            except (UnusableError, MissingDependencyError) as problem:
                _refused[key] = time.monotonic(), problem
                raise
            except ModuleNotFoundError as problem:
                missing = MissingDependencyError(
                    f"{problem.name} is not installed; run: {install_command(EXTRA)}"
                )
                _refused[key] = time.monotonic(), missing
                raise missing from problem
            except (
                Exception
            ) as problem:  # what is wrong with a folder or a device does not depend on the completion
                bad = UnusableError("bad_model", f"{key}: {type(problem).__name__}: {problem}"[:500])
                _refused[key] = time.monotonic(), bad
                raise bad from problem
    return found


def from_disk(load: Callable[..., Any], model: str, **options: Any) -> Any:
    """``load(model, local_files_only=True)``: a reward must not wait for a download in the middle of a step.

    Raises:
        UnusableError: The model is not on this disk (``model_missing``) or cannot be loaded (``bad_model``).
    """
    try:
        return load(model, local_files_only=True, **options)
    except OSError as error:
        said = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        if Path(model).exists() or not _HUB_ID.fullmatch(model):
            raise UnusableError("bad_model", f"{model!r} cannot be loaded: {said}") from error
        raise UnusableError(
            "model_missing", f"{model!r} is neither a folder nor in the local cache; run: hf download {model}"
        ) from error


def folder_of(model: str) -> Path:
    """The folder of a model: itself, or that of the local cache.

    Raises:
        UnusableError: It is not on this machine.
    """
    if Path(model).is_dir():
        return Path(model)
    return Path(from_disk(require("huggingface_hub", extra=EXTRA).snapshot_download, model))


def weights_from_disk(kind: Any, model: str, **options: Any) -> Any:
    """A model with all of its weights: transformers would fill in missing ones at random, with a warning.

    Raises:
        UnusableError: It is not on this machine, or the folder holds another model's weights.
    """
    made, info = from_disk(kind.from_pretrained, model, output_loading_info=True, **options)
    missing = [name for name in info["missing_keys"] if not _IGNORED.search(name)]
    if missing:
        raise UnusableError(
            "bad_model", f"{model!r} lacks weights such as {missing[0]!r}: they are those of another model"
        )
    return made


def chosen_device(device: str | None) -> str:
    """The given device; without one a GPU if there is one."""
    if device is not None:
        return device
    return "cuda" if require("torch", extra=EXTRA).cuda.is_available() else "cpu"


def chosen_dtype(dtype: str) -> Any:
    """The type of torch of that name."""
    return getattr(require("torch", extra=EXTRA), dtype)


def tokenizer_of(model: str, config: Any) -> Any:
    """A model's tokenizer."""
    options = {"add_prefix_space": True} if config.model_type in _PREFIXED else {}
    return from_disk(require("transformers", extra=EXTRA).AutoTokenizer.from_pretrained, model, **options)


def check_vocabulary(model: str, tokenizer: Any, rows: int) -> None:
    """Refuse a tokenizer that is not the model's.

    Without files transformers makes one of special tokens alone, in which all texts are alike; and a token
    without an embedding ends the call.

    Args:
        model: Its name, for the message.
        tokenizer: A tokenizer of transformers.
        rows: Tokens that the model has an embedding for.

    Raises:
        UnusableError: The tokenizer has no ordinary tokens, or more than the model.
    """
    vocabulary = tokenizer.get_vocab()
    if not set(vocabulary) - set(tokenizer.all_special_tokens):
        raise UnusableError("bad_model", f"{model!r} comes without the files of its tokenizer")
    check_size(model, max(vocabulary.values()) + 1, rows)


def check_size(model: str, size: int, rows: int) -> None:
    """Refuse a vocabulary with tokens that the model has no embedding for.

    Raises:
        UnusableError: It has some.
    """
    if size > rows:
        raise UnusableError("bad_model", f"{model!r} has {size:,} tokens and embeddings for {rows:,} of them")


def token_limit(tokenizer: Any, model: Any) -> int:
    """The most tokens of one text, special ones included, that tokenizer and model both take."""
    limits = [tokenizer.model_max_length] if tokenizer.model_max_length < NO_LIMIT else []
    for name, module in model.named_modules():
        # Position embeddings with a padding index start counting after it.
        if name.rpartition(".")[2] in ("position_embeddings", "wpe", "embed_positions"):
            rows = getattr(module, "num_embeddings", None)
            padding = getattr(module, "padding_idx", None)
            if isinstance(rows, int):
                limits.append(rows - (0 if padding is None else padding + 1))
    positions = getattr(model.config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        limits.append(positions)
    return min(limits, default=DEFAULT_LIMIT)


def shortened(text: str, limit: int) -> str:
    """As much of a text as can matter: the rest would be tokenised to be thrown away."""
    return text[: limit * CHARS_PER_TOKEN]


def padded(rows: Sequence[Sequence[int]], fill: int, device: str) -> tuple[Any, Any]:
    """Token ids as one tensor (rows x longest row), and its attention mask."""
    torch = require("torch", extra=EXTRA)
    longest = max(map(len, rows))
    ids = [[*row, *([fill] * (longest - len(row)))] for row in rows]
    mask = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
    return (
        torch.tensor(ids, dtype=torch.long, device=device),
        torch.tensor(mask, dtype=torch.long, device=device),
    )


def by_length(rows: Sequence[Sequence[object]], size: int) -> list[list[int]]:
    """The places of rows in batches of a size, longest first, so that little is padded; no empty ones."""
    order = sorted((place for place in range(len(rows)) if rows[place]), key=lambda place: -len(rows[place]))
    return [order[start : start + size] for start in range(0, len(order), size)]
