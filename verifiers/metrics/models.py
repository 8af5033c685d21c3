"""Loading a model once, from the disk alone, for metrics that need one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from .._lazy import require
from ._metric import UnusableError

EXTRA = "metrics"
"""The extra that brings torch and transformers."""
MODEL_REASONS = {
    "model_missing": "the model is not on this machine; the detail has the command that fetches it",
    "bad_model": "the model is there, and is not what this metric needs",
}
DTYPES = ("float32", "bfloat16", "float16")
NO_LIMIT = 1_000_000
"""Tokenizers without a limit of their own give 10**30 as theirs."""
DEFAULT_LIMIT = 512
"""Tokens of a text for a model that says nothing of its limit."""
# Positions are counted from the padding index on, so two of them are no tokens' places.
_OFFSET_POSITIONS = frozenset({"roberta", "xlm-roberta", "camembert", "longformer", "mpnet", "xmod"})
_PREFIXED = frozenset({"roberta", "gpt2", "longformer"})

_lock = threading.Lock()
_loaded: dict[Hashable, Any] = {}


def loaded_once(key: Hashable, load: Callable[[], Any]) -> Any:
    """What `load` made for this key; it is called once, whatever the number of threads."""
    found = _loaded.get(key)
    if found is None:
        with _lock:
            found = _loaded.get(key)
            if found is None:
                found = _loaded[key] = load()
    return found


def from_disk(load: Callable[..., Any], model: str, **options: Any) -> Any:
    """``load(model, local_files_only=True)``: a reward must not wait for a download in the middle of a step.

    Raises:
        UnusableError: The model is not at hand (``model_missing``) or cannot be loaded (``bad_model``).
    """
    try:
        return load(model, local_files_only=True, **options)
    except OSError as error:
        raise UnusableError(
            "model_missing",
            f"{model!r} is neither a folder nor in the local cache; run: hf download {model}"
            f" ({str(error).splitlines()[0][:200]})",
        ) from error
    except (ValueError, KeyError) as error:
        raise UnusableError(
            "bad_model", f"{model!r} cannot be loaded: {type(error).__name__}: {error}"[:500]
        ) from error


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


def token_limit(tokenizer: Any, config: Any) -> int:
    """The most tokens of one text, special ones included, that tokenizer and model both take."""
    limits = [tokenizer.model_max_length] if tokenizer.model_max_length < NO_LIMIT else []
    positions = getattr(config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        limits.append(positions - (2 if config.model_type in _OFFSET_POSITIONS else 0))
    return min(limits, default=DEFAULT_LIMIT)


def padded(rows: Sequence[Sequence[int]], fill: int, device: str) -> tuple[Any, Any]:
    """Token ids as one tensor (rows x longest row), and its attention mask."""
    torch = require("torch", extra=EXTRA)
    longest = max(map(len, rows))
    ids = torch.tensor([[*row, *([fill] * (longest - len(row)))] for row in rows], device=device)
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows], device=device)
    return ids, mask


def by_length(rows: Sequence[Sequence[object]], size: int) -> list[list[int]]:
    """The places of rows in batches of a size, longest first, so that little is padded."""
    order = sorted(range(len(rows)), key=lambda place: -len(rows[place]))
    return [order[start : start + size] for start in range(0, len(order), size)]
