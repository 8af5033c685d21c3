"""The three ways in which models of steps say how right one is: two labels, two words, one number."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ...metrics.local_models import EXTRA, chosen_dtype, folder_of, weights_from_disk
from ...metrics.text_metric import UnusableError
from ...runtime.packages import require
from .formats import Reads

Places = Sequence[Sequence[int]]
Read = Callable[[Any, Any, Places], list[list[float]]]
"""Of token ids (rows x tokens), their mask and the places of each row: how right each of its steps is."""
_INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
_FILES = ("model.safetensors", "pytorch_model.bin")


def loaded_head(model: str, reads: Reads, dtype: str, words: Sequence[int]) -> tuple[Any, Read]:
    """A model, in evaluation mode on the processor, and what reads it.

    Args:
        model: A folder or a cached id.
        reads: See `Reads`.
        dtype: Of the weights.
        words: For ``words``: the ids of the right word and the wrong one.

    Raises:
        UnusableError: It is not on this machine, or is not a model of that kind.
    """
    transformers = require("transformers", extra=EXTRA)
    options = {"dtype": chosen_dtype(dtype)}
    if reads == "words":
        whole = weights_from_disk(transformers.AutoModelForCausalLM, model, **options).train(False)
        if whole.get_output_embeddings() is None:
            raise UnusableError("bad_model", f"{model!r} gives no logits of tokens")
        return whole, _Words(whole, words)
    found = _weights(model, "v_head.summary." if reads == "value" else "score.")
    if reads == "labels" and "0.weight" not in found:
        # transformers' own head, as TRL trains it.
        whole = weights_from_disk(transformers.AutoModelForTokenClassification, model, **options).train(False)
        if whole.config.num_labels != 2:
            raise UnusableError("bad_model", f"{model!r} has {whole.config.num_labels} labels, not two")
        return whole, _Labels(whole)
    whole = weights_from_disk(transformers.AutoModel, model, **options).train(False)
    return whole, _Hidden(whole, _head(model, reads, found, whole.config.hidden_size))


def _head(model: str, reads: Reads, found: dict[str, Any], width: int) -> Any:
    """The head of a checkpoint, in float32: its own classes are remote code, which is not run."""
    linear = require("torch", extra=EXTRA).nn.Linear
    sequential = require("torch", extra=EXTRA).nn.Sequential
    if reads == "value":
        made = linear(width, 1, bias="bias" in found)
    else:
        made = sequential(linear(width, width), require("torch", extra=EXTRA).nn.ReLU(), linear(width, 2))
    try:
        made.load_state_dict({name: tensor.float() for name, tensor in found.items()})
    except RuntimeError as error:
        said = " ".join(str(error).split())[:300]
        raise UnusableError("bad_model", f"{model!r} has no head of steps that is known: {said}") from error
    return made.train(False)


def _weights(model: str, prefix: str) -> dict[str, Any]:
    """The tensors of a checkpoint whose names begin so, by the rest of their names."""
    folder = Path(folder_of(model))
    index = next((folder / name for name in _INDEXES if (folder / name).exists()), None)
    if index is not None:
        try:
            files = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
            names = sorted({str(file) for name, file in files.items() if name.startswith(prefix)})
        except (ValueError, KeyError, AttributeError) as error:
            raise UnusableError("bad_model", f"{model!r}: {index.name} cannot be read: {error}") from error
    else:
        names = [name for name in _FILES if (folder / name).exists()][:1]
    found: dict[str, Any] = {}
    for name in names:
        if name.endswith(".safetensors"):
            with require("safetensors", extra=EXTRA).safe_open(folder / name, framework="pt") as tensors:
                found |= {key: tensors.get_tensor(key) for key in tensors.keys() if key.startswith(prefix)}  # noqa: SIM118
        else:
            loaded = require("torch", extra=EXTRA).load(folder / name, map_location="cpu", weights_only=True)
            found |= {key: tensor for key, tensor in loaded.items() if key.startswith(prefix)}
    return {key.removeprefix(prefix): tensor for key, tensor in found.items()}


class _Labels:
    """A token classifier's two labels."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def __call__(self, ids: Any, mask: Any, places: Places) -> list[list[float]]:
        logits = self._model(ids, attention_mask=mask).logits
        return [logits[row, list(at)].float().softmax(-1)[:, 1].tolist() for row, at in enumerate(places)]


class _Words:
    """Two words among the next tokens of a causal model."""

    def __init__(self, model: Any, words: Sequence[int]) -> None:
        self._model = model
        self._words = list(words)

    def __call__(self, ids: Any, mask: Any, places: Places) -> list[list[float]]:
        rows = [row for row, at in enumerate(places) for _ in at]
        columns = [place for at in places for place in at]
        # A vocabulary is 50 times as wide as a model: logits of all places would not fit. What the model does
        # to logits afterwards is done to these, too.
        head = self._model.get_output_embeddings()
        kept = head.register_forward_pre_hook(lambda _, given: (given[0][rows, columns][None],))
        try:
            logits = self._model(ids, attention_mask=mask).logits[0]
        finally:
            kept.remove()
        found = iter(logits[:, self._words].float().softmax(-1)[:, 0].tolist())
        return [[next(found) for _ in at] for at in places]


class _Hidden:
    """A head of the checkpoint's own on the last hidden states."""

    def __init__(self, model: Any, head: Any) -> None:
        self._model = model
        self._head = head

    def __call__(self, ids: Any, mask: Any, places: Places) -> list[list[float]]:
        states = self._model(ids, attention_mask=mask)[0]
        self._head.to(states.device)
        found = []
        for row, at in enumerate(places):
            said = self._head(states[row, list(at)].float())
            found.append((said.sigmoid()[:, 0] if said.shape[-1] == 1 else said.softmax(-1)[:, 1]).tolist())
        return found
