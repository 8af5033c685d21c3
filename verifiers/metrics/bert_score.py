"""BERTScore: every token with its most similar one, by a language model's embeddings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from ..core.checks import Range
from ..core.identity.owners import NamedFiles
from ..core.verifier_base import VERIFIERS
from ..errors import ConfigError
from ..runtime.packages import install_command
from .local_models import MODEL_REASONS, Dtype, chosen_device, loaded_once
from .text_metric import METRIC_REASONS, Measure, TextMetric, UnusableError
from .token_encoder import Figures, TokenEncoder

CPU_BATCH, GPU_BATCH = 8, 64
"""Texts that go through the model at once: on a processor less padding is worth more than larger products."""
Figure = Literal["f1", "precision", "recall"]


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class BertScore(TextMetric):
    """The likeness of the tokens' embeddings: BERTScore (Zhang et al., 2020, arXiv:1904.09675).

    The figures are those of the bert-score package, within 1e-6 in float32. Nothing is downloaded: where
    the model is not on this machine, the row is left unjudged, with the command to run. Text beyond the
    model's limit is cut off.

    Args:
        model: A folder, or an id in the local cache. For Korean: ``bert-base-multilingual-cased`` with
            layer 9 is what the contest scores by; ``beomi/kcbert-base`` with layer 4 agreed best with people
            on KorSTS, by KoBERTScore's table.
        layer: Whose embeddings count, from 1; None for the layer of `token_encoder.LAYERS`, or the one at
            three quarters of the depth.
        device: A device of torch; None for a GPU if there is one.
        dtype: ``float32``, ``bfloat16`` or ``float16``.
        batch_size: Texts that go through the model at once; None for 8 on a processor and 64 on a GPU. The
            texts of a call are sorted by length, 100,000 tokens at a time.
        figure: ``f1``, ``precision`` or ``recall``.
        idf: Texts (or a file of them, one a line) by which rare tokens count more; None to count all alike.
            Not those of the batch, as in bert-score: a verdict must not depend on its neighbours.
        rescale: A language of bert-score's baselines, or a file in their format, so that 0 is a chance pair;
            the rescaled figure is `raw`, and the score is limited to [0, 1].

    Raises:
        ConfigError: A field out of range.

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
