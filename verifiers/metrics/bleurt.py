"""BLEURT: a model trained on people's ratings of texts against references."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from ..core.checks import Range
from ..core.owners import NamedFiles
from ..core.verifier_base import VERIFIERS
from ..language.normalization import without_surrogates
from ..runtime.forks import new_lock
from ..runtime.packages import require
from .local_models import (
    EXTRA,
    MODEL_REASONS,
    Dtype,
    by_length,
    check_size,
    check_vocabulary,
    chosen_device,
    chosen_dtype,
    folder_of,
    from_disk,
    loaded_once,
    padded,
    shortened,
    weights_from_disk,
)
from .text_metric import METRIC_REASONS, Measure, TextMetric, UnusableError

CPU_BATCH, GPU_BATCH = 8, 64
"""Pairs that go through the model at once."""
SPECIAL = 3
"""Special tokens of a pair: [CLS] reference [SEP] text [SEP]."""
_SENTENCEPIECE = ("spm.model", "sentencepiece.model", "sent_piece.model")


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Bleurt(TextMetric):
    """Rating by a trained metric: BLEURT (Sellam et al., 2020, arXiv:2004.04696).

    It loads the checkpoints of bleurt-pytorch (BLEURT-20 and its distilled forms) into transformers' own
    `RemBertForSequenceClassification`, or into BERT's if the embedding is as wide as the model. It needs
    neither TensorFlow nor another package. Folders with transformers' own sequence classifier of one output
    work as well. Nothing is downloaded. The rating is `raw`, about 0 to 1 for BLEURT-20; the score is limited
    to [0, 1].

    Args:
        model: A folder, or an id in the local cache.
        device: A device of torch; None for a GPU if there is one.
        dtype: ``float32``, ``bfloat16`` or ``float16``.
        batch_size: Number of pairs per forward pass; None for 8 on a CPU and 64 on a GPU.
        max_length: Number of tokens per pair; the longer side is cut off.

    Raises:
        ConfigError: A field is out of range.

    >>> print(Bleurt("no/such-model").verify("It blooms.", "It blooms."))
    Bleurt unscored m...
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "measured": "the model's rating of the text against the reference",
        **METRIC_REASONS,
        **MODEL_REASONS,
    }
    depends: ClassVar[tuple[str, ...]] = ("torch", "transformers")

    model: NamedFiles = "lucadiliello/BLEURT-20"
    device: str | None = None
    dtype: Dtype = "float32"
    batch_size: Annotated[int, Range(least=1)] | None = None
    max_length: Annotated[int, Range(above=SPECIAL, unit="tokens")] = 512

    def loads(self) -> str:
        return "a model"

    def measure(self, pairs: Sequence[tuple[str, str]]) -> list[Measure]:
        device = chosen_device(self.device)
        rater: _Rater = loaded_once(
            ("Bleurt", self.model, device, self.dtype), lambda: _Rater(self.model, device, self.dtype)
        )
        size = self.batch_size or (CPU_BATCH if device == "cpu" else GPU_BATCH)
        ratings = rater.rate(pairs, size, self.max_length)
        return [Measure(rating, "measured", raw=rating) for rating in ratings]


class _Rater:
    """A checkpoint with its tokenizer. Raises UnusableError where there is none."""

    def __init__(self, model: str, device: str, dtype: str) -> None:
        folder = folder_of(model)
        self.model = _load(folder, model, chosen_dtype(dtype)).train(False)
        self.limit = self.model.config.max_position_embeddings
        rows = self.model.get_input_embeddings().num_embeddings
        self.encode, self.cls, self.sep = _tokenizer(folder, model, rows)
        self._lock = new_lock()
        # The longest pair once, on the processor: what is wrong shows here, and not at some long completion.
        self.device = "cpu"
        if not math.isfinite(self._logits([self._row([self.sep] * self.limit, [self.sep], self.limit)])[0]):
            raise UnusableError("bad_model", f"{model!r} gives figures that are not finite in {dtype}")
        self.device = device
        self.model.to(device)

    def rate(self, pairs: Sequence[tuple[str, str]], size: int, max_length: int) -> list[float]:
        """The rating of each pair of (text, reference), in order."""
        torch = require("torch", extra=EXTRA)
        limit = min(max_length, self.limit)
        out = [0.0] * len(pairs)
        with self._lock, torch.inference_mode():
            tokens = {
                text: self.encode(without_surrogates(shortened(text, limit)))
                for pair in pairs
                for text in pair
            }
            rows = [self._row(tokens[reference], tokens[text], limit) for text, reference in pairs]
            for batch in by_length([ids for ids, _ in rows], size):
                for place, rating in zip(batch, self._logits([rows[place] for place in batch]), strict=True):
                    out[place] = rating
        return out

    def _logits(self, rows: Sequence[tuple[list[int], list[int]]]) -> list[float]:
        torch = require("torch", extra=EXTRA)
        ids, mask = padded([ids for ids, _ in rows], self.model.config.pad_token_id or 0, self.device)
        kinds, _ = padded([kinds for _, kinds in rows], 0, self.device)
        with torch.inference_mode():
            logits = self.model(ids, attention_mask=mask, token_type_ids=kinds).logits
        return [float(each) for each in logits[:, 0].float().tolist()]

    def _row(self, reference: list[int], text: list[int], limit: int) -> tuple[list[int], list[int]]:
        """Token ids and segment ids of a pair; the longer side is cut until it fits."""
        room = limit - SPECIAL
        reference = reference[: max(room - len(text), room - room // 2)]
        text = text[: room - len(reference)]
        ids = [self.cls, *reference, self.sep, *text, self.sep]
        return ids, [0] * (len(reference) + 2) + [1] * (len(text) + 1)


def _load(folder: Path, model: str, dtype: Any) -> Any:
    """The checkpoint as a stock model of transformers."""
    transformers = require("transformers", extra=EXTRA)
    config = _json(folder / "config.json", model)
    if config.get("model_type") != "bleurt":
        stock = weights_from_disk(transformers.AutoModelForSequenceClassification, str(folder), dtype=dtype)
        if stock.config.num_labels != 1:
            raise UnusableError(
                "bad_model", f"{model!r} gives {stock.config.num_labels} outputs, not one rating"
            )
        return stock
    # bleurt-pytorch's own architecture: RemBERT's under other names, or BERT's with an embedding as wide.
    common = {
        name: config[name]
        for name in (
            "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
            "hidden_act", "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "pad_token_id",
        )
        if name in config
    }  # fmt: skip
    narrow = config.get("embedding_size")
    if narrow is None or narrow == config.get("hidden_size"):
        stock = transformers.BertForSequenceClassification(transformers.BertConfig(num_labels=1, **common))
        names = {"bleurt.": "bert."}
    else:
        stock = transformers.RemBertForSequenceClassification(
            transformers.RemBertConfig(
                num_labels=1, input_embedding_size=narrow, output_embedding_size=narrow, **common
            )
        )
        names = {
            "bleurt.": "rembert.",
            "encoder.embedding_projection.": "encoder.embedding_hidden_mapping_in.",
        }
    weights = {_renamed(name, names): tensor for name, tensor in _weights(folder, model).items()}
    found = stock.load_state_dict(weights, strict=False)
    # Position ids are a count, not weights.
    missing, strange = (
        [name for name in side if not name.endswith("position_ids")]
        for side in (found.missing_keys, found.unexpected_keys)
    )
    if missing or strange:
        raise UnusableError("bad_model", f"{model!r} lacks {missing[:3]} and has unknown {strange[:3]}")
    return stock.to(dtype)


def _renamed(name: str, names: Mapping[str, str]) -> str:
    for ours, theirs in names.items():
        name = name.replace(ours, theirs)
    return name


def _json(path: Path, model: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnusableError("bad_model", f"{model!r}: {path.name} cannot be read: {error}") from error
    return found


def _weights(folder: Path, model: str) -> dict[str, Any]:
    if (folder / "model.safetensors").exists():
        return dict(require("safetensors.torch", extra=EXTRA).load_file(folder / "model.safetensors"))
    if (folder / "pytorch_model.bin").exists():
        torch = require("torch", extra=EXTRA)
        return dict(torch.load(folder / "pytorch_model.bin", map_location="cpu", weights_only=True))
    raise UnusableError("bad_model", f"{model!r} has neither model.safetensors nor pytorch_model.bin")


def _tokenizer(folder: Path, model: str, rows: int) -> tuple[Callable[[str], list[int]], int, int]:
    """Return a function from text to token ids without special tokens, and the ids of [CLS] and [SEP]."""
    for name in _SENTENCEPIECE:
        # Read as it is: converting it to another tokenizer's form may change how spaces are taken.
        if (folder / name).exists():
            pieces = require("sentencepiece", extra=EXTRA).SentencePieceProcessor(
                model_file=str(folder / name)
            )
            cls, sep = pieces.piece_to_id("[CLS]"), pieces.piece_to_id("[SEP]")
            if pieces.unk_id() in (cls, sep):
                raise UnusableError("bad_model", f"{name} of {model!r} has no piece [CLS] or [SEP]")
            check_size(model, pieces.get_piece_size(), rows)
            return pieces.encode, cls, sep
    transformers = require("transformers", extra=EXTRA)
    # By the file, since AutoTokenizer does not know the model type "bleurt".
    kind = (
        transformers.PreTrainedTokenizerFast
        if (folder / "tokenizer.json").exists()
        else transformers.BertTokenizer
    )
    tokenizer = from_disk(kind.from_pretrained, str(folder))
    cls, sep = tokenizer.cls_token_id, tokenizer.sep_token_id
    if cls is None or sep is None:
        raise UnusableError("bad_model", f"the tokenizer of {model!r} has no [CLS] or [SEP]")
    check_vocabulary(model, tokenizer, rows)
    return lambda text: list(tokenizer(text, add_special_tokens=False)["input_ids"]), cls, sep
