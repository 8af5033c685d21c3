"""BLEU and chrF, by sacrebleu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from ..core.checks import Range
from ..core.verifier_base import VERIFIERS
from ..runtime.packages import require
from .text_metric import METRIC_REASONS, Measure, TextMetric

BleuTokenizer = Literal["13a", "intl", "char", "zh", "none"]
"""sacrebleu's tokenizers that need no further package and no download."""
_REASONS = {
    "equal": "100 of 100",
    "overlap": "some n-grams are shared",
    "no_overlap": "no n-gram is shared",
    **METRIC_REASONS,
}


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Bleu(TextMetric):
    """Sentence BLEU (Papineni et al., 2002) as sacrebleu computes it (Post, 2018, arXiv:1804.08771).

    Smoothed, and with n-grams no longer than the text. `raw` is on the scale of 0 to 100.

    Args:
        tokenize: ``13a``, ``intl``, ``char`` (fairer to Korean, whose particles change words), ``zh`` or
            ``none``.
        lowercase: Fold case.

    Raises:
        ConfigError: An unknown tokenizer.

    >>> round(Bleu().verify("the cat sat on the mat", "the cat sat on a mat").raw, 1)
    53.7
    """

    reference_first: ClassVar[bool] = True
    reasons: ClassVar[Mapping[str, str]] = _REASONS
    depends: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    tokenize: BleuTokenizer = "13a"
    lowercase: bool = False

    def measure(self, pairs: Sequence[tuple[str, str]]) -> list[Measure]:
        metric = require("sacrebleu", extra="metrics").BLEU(
            tokenize=self.tokenize, lowercase=self.lowercase, effective_order=True
        )
        return [_of_100(metric, text, reference) for text, reference in pairs]


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class Chrf(TextMetric):
    """The F-score of character n-grams: chrF (Popović, 2015, https://aclanthology.org/W15-3049).

    By sacrebleu. It suits Korean without any tokenizer. `raw` is on the scale of 0 to 100.

    Args:
        word_order: Longest word n-gram that counts too: 0 for chrF, 2 for chrF++.
        char_order: Longest character n-gram.
        lowercase: Fold case.

    Raises:
        ConfigError: An order out of range.

    >>> round(Chrf().verify("할 수 있다고 말했다.", "할 수 있다고 하였다.").raw, 1)
    39.4
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
        return [_of_100(metric, text, reference) for text, reference in pairs]


def _of_100(metric: Any, text: str, reference: str) -> Measure:
    """Sacrebleu's figure, without the rounding error that can lift it above 100."""
    figure = round(metric.sentence_score(text, [reference]).score, 10)
    reason = "equal" if figure == 100 else "overlap" if figure else "no_overlap"
    return Measure(figure / 100, reason, raw=figure)
