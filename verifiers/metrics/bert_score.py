"""BERTScore: every token with its most similar one, by embeddings up to one layer of a language model."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from ..core.checks import Range
from ..core.owners import NamedFiles
from ..core.verifier_base import VERIFIERS
from ..errors import ConfigError
from ..language.normalization import without_surrogates
from ..runtime.forks import cached_property, new_lock
from ..runtime.packages import install_command, require
from .local_models import (
    EXTRA,
    MODEL_REASONS,
    Dtype,
    by_length,
    check_vocabulary,
    chosen_device,
    chosen_dtype,
    from_disk,
    loaded_once,
    padded,
    shortened,
    token_limit,
    tokenizer_of,
    weights_from_disk,
)
from .text_metric import METRIC_REASONS, Measure, TextMetric, UnusableError

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


CPU_BATCH, GPU_BATCH = 8, 64
"""Texts that go through the model at once: on a processor less padding is worth more than larger products."""
Figure = Literal["f1", "precision", "recall"]


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class BertScore(TextMetric):
    """Similarity of token embeddings: BERTScore (Zhang et al., 2020, arXiv:1904.09675).

    The scores equal those of the bert-score package within 1e-6 in float32. Nothing is downloaded: without
    the model the row is unscored, and the verdict names the command. Text beyond the model's limit is cut
    off.

    Args:
        model: A folder, or an id in the local cache. For Korean, the contest uses
            ``bert-base-multilingual-cased`` with layer 9; ``beomi/kcbert-base`` with layer 4 agreed best with
            people on KorSTS, by KoBERTScore's table.
        layer: Layer of the embeddings, from 1. None: the layer in `token_encoder.LAYERS`, or the one at three
            quarters of the depth.
        device: A device of torch; None for a GPU if there is one.
        dtype: ``float32``, ``bfloat16`` or ``float16``.
        batch_size: Number of texts per forward pass; None for 8 on a CPU and 64 on a GPU. Texts of a call are
            sorted by length, 100,000 tokens at a time.
        figure: ``f1``, ``precision`` or ``recall``.
        idf: Texts (or a file with one per line) by which rare tokens count more; None to count all alike.
            Unlike in bert-score it is never the batch, because a verdict must not depend on its neighbours.
        rescale: A language of bert-score's baselines, or a file in their format, so that unrelated pairs get
            0. The rescaled value is `raw`, and the score is limited to [0, 1].

    Raises:
        ConfigError: A field is out of range.

    >>> print(BertScore("no/such-model").verify("It blooms.", "It blooms."))
    BertScore unscored m...
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "measured": "the likeness of the two texts",
        "no_tokens": "the text has no token for this model",
        "no_baseline": "there is no baseline for this model and language",
        "bad_idf": "the file of idf texts cannot be used",
        **METRIC_REASONS,
        **MODEL_REASONS,
    }
    depends: ClassVar[tuple[str, ...]] = ("torch", "transformers")

    model: NamedFiles = "bert-base-multilingual-cased"
    layer: Annotated[int, Range(least=1)] | None = None
    device: str | None = None
    dtype: Dtype = "float32"
    batch_size: Annotated[int, Range(least=1)] | None = None
    figure: Figure = "f1"
    idf: tuple[str, ...] | NamedFiles | None = None
    rescale: NamedFiles | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.idf == ():
            raise ConfigError(
                "BertScore: idf must hold texts, got (); leave it out to count all tokens alike"
            )

    def loads(self) -> str:
        return "a model"

    def measure(self, pairs: Sequence[tuple[str, str]]) -> list[Measure | UnusableError]:
        device = chosen_device(self.device)
        encoder: TokenEncoder = loaded_once(
            ("BertScore", self.model, self.layer, device, self.dtype),
            lambda: TokenEncoder(self.model, self.layer, device, self.dtype),
        )
        weights = None if self.idf is None else encoder.document_weights(self.idf)
        baseline = None if self.rescale is None else _baseline(self.rescale, self.model, encoder.layer)
        size = self.batch_size or (CPU_BATCH if device == "cpu" else GPU_BATCH)
        figures = encoder.compare(pairs, weights, size)
        return [self._measure(figure, baseline) for figure in figures]

    def _measure(self, figure: Figures | UnusableError, baseline: Figures | None) -> Measure | UnusableError:
        if isinstance(figure, UnusableError):
            return figure
        if not figure:
            return Measure(0.0, "no_tokens", raw=0.0)
        if baseline is not None:
            figure = tuple((value - base) / (1 - base) for value, base in zip(figure, baseline, strict=True))
        precision, recall, f1 = figure
        value = {"precision": precision, "recall": recall, "f1": f1}[self.figure]
        detail = f"precision {precision:.4f}, recall {recall:.4f}, F1 {f1:.4f}"
        return Measure(value, "measured", detail, raw=value)


@lru_cache(maxsize=64)
def _baseline(rescale: str, model: str, layer: int) -> Figures:
    """Precision, recall and F1 of chance pairs, from bert-score's tables or a file like them.

    Raises:
        UnusableError: There is none; unscaled figures in their place would look like good ones.
    """
    path = Path(rescale)
    if not path.suffix:
        package = find_spec("bert_score")
        if package is None or not package.submodule_search_locations:
            raise UnusableError(
                "no_baseline", f"bert-score has the baselines; run: {install_command('metrics')}"
            )
        path = Path(package.submodule_search_locations[0], "rescale_baseline", rescale, f"{model}.tsv")
    try:
        rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
        found = next(tuple(map(float, row[1:4])) for row in rows if row[0].strip() == str(layer))
        if len(found) != 3 or not all(math.isfinite(each) and each < 1 for each in found):
            raise ValueError(f"expected three numbers below 1, got {found}")
        return found
    except (OSError, ValueError, StopIteration) as error:
        raise UnusableError(
            "no_baseline",
            f"no baseline of {model!r} at layer {layer} for {rescale!r}: give a file, or leave rescale out",
        ) from error
