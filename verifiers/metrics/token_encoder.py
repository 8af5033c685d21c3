"""Token embeddings up to one layer of a model, and how two texts' tokens match: the work behind BERTScore."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..language.normalization import without_surrogates
from ..runtime.forks import cached_property, new_lock
from ..runtime.packages import require
from .local_models import (
    EXTRA,
    by_length,
    check_vocabulary,
    chosen_dtype,
    from_disk,
    padded,
    shortened,
    token_limit,
    tokenizer_of,
    weights_from_disk,
)
from .text_metric import UnusableError

LAYERS = {
    "bert-base-multilingual-cased": 9,
    "google-bert/bert-base-multilingual-cased": 9,
    "beomi/kcbert-base": 4,
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "roberta-base": 10,
    "roberta-large": 17,
    "microsoft/mdeberta-v3-base": 10,
    "microsoft/deberta-v3-base": 9,
    "microsoft/deberta-xlarge-mnli": 40,
    "distilbert-base-multilingual-cased": 5,
}
"""Model: the layer that agrees best with people (bert-score's table; for Korean: KoBERTScore's on KorSTS)."""
DEPTH = 0.75
"""Share of the layers that is used where no table knows the model: where most of the table's lie."""
TOKENS_AT_ONCE = 100_000
"""Tokens whose embeddings are held at once: 300 MB for a model of width 768."""
Figures = tuple[float, ...]
"""Precision, recall and F1; empty for a text without tokens."""


class TokenEncoder:
    """A model up to one layer, with its tokenizer. Raises UnusableError where there is none."""

    def __init__(self, model: str, layer: int | None, device: str, dtype: str) -> None:
        transformers = require("transformers", extra=EXTRA)
        config = from_disk(transformers.AutoConfig.from_pretrained, model)
        self.tokenizer = tokenizer_of(model, config)
        whole = weights_from_disk(transformers.AutoModel, model, dtype=chosen_dtype(dtype))
        if hasattr(whole, "decoder") and hasattr(whole, "encoder"):
            whole = whole.encoder  # a translation model's
        layers = int(getattr(config, "num_hidden_layers", None) or getattr(config, "n_layers", None) or 0)
        self.layer = layer or LAYERS.get(model) or max(1, round(DEPTH * layers))
        if not 1 <= self.layer <= layers:
            raise UnusableError(
                "bad_model", f"{model!r} has {layers} layers, and layer {self.layer} is asked for"
            )
        size = whole.get_input_embeddings().num_embeddings
        check_vocabulary(model, self.tokenizer, size)
        self._exact = _shorten(whole, self.layer)
        self.model = whole.train(False)
        self.limit = token_limit(self.tokenizer, whole)
        special = {self.tokenizer.cls_token_id, self.tokenizer.sep_token_id}
        self._special = frozenset(each for each in special if each is not None)
        # A tokenizer's truncation is a setting of it, which two threads must not change at once.
        self._lock = new_lock()
        # The longest text once, on the processor: what is wrong shows here, and not at some long completion.
        self.device = "cpu"
        ordinary = next((each for each in range(size) if each not in self.tokenizer.all_special_ids), 0)
        if not all(map(math.isfinite, self._embed([[ordinary] * self.limit], 1)[0][0].tolist())):
            raise UnusableError("bad_model", f"{model!r} gives figures that are not finite in {dtype}")
        self.device = device
        self.model.to(device)

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids with special tokens, cut off at the model's limit."""
        clean = [without_surrogates(shortened(text.strip(), self.limit)) for text in texts]
        with self._lock:
            ids: list[list[int]] = self.tokenizer(clean, truncation=True, max_length=self.limit)["input_ids"]
        return ids

    def document_weights(self, texts: tuple[str, ...] | str) -> Mapping[int, float]:
        """Inverse document frequencies of tokens."""
        known = self._weights
        if texts not in known:
            sentences = texts
            if isinstance(sentences, str):
                try:
                    sentences = tuple(Path(sentences).read_text(encoding="utf-8").splitlines())
                except (OSError, ValueError) as error:
                    raise UnusableError("bad_idf", f"{texts!r:.80} cannot be read: {error}") from error
                if not sentences:
                    raise UnusableError("bad_idf", f"{texts!r:.80} holds no text")
            counts = Counter(token for ids in self.tokens(sentences) for token in set(ids))
            unseen = math.log(len(sentences) + 1)
            known[texts] = _Weights(
                {token: unseen - math.log(count + 1) for token, count in counts.items()}, unseen
            )
        return known[texts]

    @cached_property
    def _weights(self) -> dict[tuple[str, ...] | str, _Weights]:
        return {}

    def compare(
        self, pairs: Sequence[tuple[str, str]], weights: Mapping[int, float] | None, size: int
    ) -> list[Figures | UnusableError]:
        """Precision, recall and F1 of pairs of (text, reference)."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        ids = dict(zip(texts, self.tokens(texts), strict=True))
        out: list[Figures | UnusableError] = []
        for part in _portions(pairs, ids):
            wanted = list(dict.fromkeys(text for pair in part for text in pair))
            vectors = dict(zip(wanted, self._embed([ids[text] for text in wanted], size), strict=True))
            scales = {text: self._scale(ids[text], weights) for text in wanted}
            out.extend(
                UnusableError("bad_reference", f"no token of the model in {reference!r:.80}")
                if scales[reference] is None
                else figures_of(vectors[text], scales[text], vectors[reference], scales[reference])
                for text, reference in part
            )
        return out

    def _embed(self, rows: Sequence[Sequence[int]], size: int) -> list[Any]:
        """Unit vectors of the tokens (tokens x width, float32) of each row."""
        torch = require("torch", extra=EXTRA)
        out: list[Any] = [None] * len(rows)
        with self._lock, torch.inference_mode():
            for batch in by_length(rows, size):
                ids, mask = padded(
                    [rows[place] for place in batch], self.tokenizer.pad_token_id or 0, self.device
                )
                if self._exact:
                    found = self.model(ids, attention_mask=mask)[0]
                else:
                    states = self.model(ids, attention_mask=mask, output_hidden_states=True).hidden_states
                    found = states[self.layer]
                found = torch.nn.functional.normalize(found.float(), dim=-1)
                for place, vectors in zip(batch, found, strict=True):
                    out[place] = vectors[: len(rows[place])].clone()
        return out

    def _scale(self, ids: Sequence[int], weights: Mapping[int, float] | None) -> Any:
        """The weight of each token, which add up to 1; None where none has any. Special tokens have none."""
        torch = require("torch", extra=EXTRA)
        if weights is None:
            each = [0.0 if token in self._special else 1.0 for token in ids]
        else:
            each = [weights[token] for token in ids]
        if all(token in self._special for token in ids):
            return None
        if not any(each):  # every token is in every document
            each = [1.0] * len(ids)
        scale = torch.tensor(each, device=self.device)
        return scale / scale.sum()


class _Weights(dict[int, float]):
    """Document frequencies, with a weight for tokens that no document has."""

    def __init__(self, known: Mapping[int, float], unseen: float) -> None:
        super().__init__(known)
        self._unseen = unseen

    def __missing__(self, token: int) -> float:
        return self._unseen


def _shorten(model: Any, layers: int) -> bool:
    """Drop the layers above; False where they are kept somewhere else, and hidden states are to be read."""
    holders: list[Any] = [getattr(model, name, None) for name in ("encoder", "transformer")]
    for holder in (*holders, model):
        for name in ("layer", "layers", "block"):
            if hasattr(getattr(holder, name, None), "__getitem__"):
                setattr(holder, name, getattr(holder, name)[:layers])
                if hasattr(model, "pooler"):
                    model.pooler = None  # not needed here, and it costs time
                return True
    return False


def _portions(
    pairs: Sequence[tuple[str, str]], ids: Mapping[str, Sequence[int]]
) -> Iterator[list[tuple[str, str]]]:
    """Pairs in portions of a bounded number of tokens."""
    part: list[tuple[str, str]] = []
    seen: set[str] = set()
    tokens = 0
    for pair in pairs:
        new = [text for text in dict.fromkeys(pair) if text not in seen]
        added = sum(len(ids[text]) for text in new)
        if part and tokens + added > TOKENS_AT_ONCE:
            yield part
            part, seen, tokens = [], set(), 0
            new, added = list(pair), sum(len(ids[text]) for text in pair)
        part.append(pair)
        seen.update(new)
        tokens += added
    if part:
        yield part


def figures_of(given: Any, given_scale: Any, wanted: Any, wanted_scale: Any) -> Figures:
    """Greedy matching by cosine: each token with the best of the other side, special tokens included."""
    if given_scale is None:
        return ()
    alike = given @ wanted.T
    precision = (alike.amax(dim=1) * given_scale).sum()
    recall = (alike.amax(dim=0) * wanted_scale).sum()
    f1 = 2 * precision * recall / (precision + recall)
    found = tuple(float(figure) for figure in (precision, recall, f1))
    # 0 of 0 is 0, as in the package.
    return tuple(figure if math.isfinite(figure) else 0.0 for figure in found)
