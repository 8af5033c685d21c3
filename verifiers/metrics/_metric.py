"""What every metric of texts shares: which texts are compared, and the verdict of a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .._answer import accepted_texts, find_answer
from .._base import Verifier
from .._errors import ConfigError, MissingDependencyError
from .._types import Sample, Verdict
from ..extract import PASSAGE, Extractor

MAX_CHARS = 200_000
"""Longest text that is compared, in characters: some 50 times what a model can write in one go."""
METRIC_REASONS = {
    "no_answer": "nothing is there to compare, an answer tag was left open, or thinking never ended",
    "over_limit": f"the text is longer than {MAX_CHARS:,} characters, or takes too long to compare",
    "reference_over_limit": f"the reference is longer than {MAX_CHARS:,} characters",
}


class Measure(NamedTuple):
    """What a metric says of a pair of texts.

    Args:
        value: The score, before it is limited to [0, 1].
        reason: A code of the metric's `reasons`.
        detail: How the value came about, for a person.
        raw: The figure on the metric's own scale, where that is not [0, 1].
    """

    value: float
    reason: str
    detail: str = ""
    raw: float | None = None


class UnusableError(Exception):
    """A row or a whole call cannot be measured, for a cause outside the completions: reason, detail."""


@dataclass(frozen=True, repr=False)
class TextMetric(Verifier):
    """Base of metrics: a subclass implements `measure` for pairs of texts.

    The score is the value limited to [0, 1]; of several references the best counts.

    Args:
        extract: Where the compared text stands: an answer tag, else the whole answer part.
    """

    extract: Extractor = field(default=PASSAGE, kw_only=True)

    def measure(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Measure | UnusableError]:
        """The metric of each pair of (text, reference), in order; neither side is blank.

        Raises:
            UnusableError: No pair can be measured: a model is not at hand.
        """
        raise NotImplementedError

    def check(self, sample: Sample) -> Verdict:
        """See `Verifier.check`."""
        return self.check_batch([sample])[0]

    def check_batch(self, samples: Sequence[Sample]) -> list[Verdict]:
        """See `Verifier.check_batch`. Equal pairs are measured once."""
        rows = [self._pairs(sample) for sample in samples]
        pairs = dict.fromkeys(pair for row in rows if not isinstance(row, Verdict) for pair in row)
        try:
            measured = dict(zip(pairs, self.measure(list(pairs)), strict=True)) if pairs else {}
        except MissingDependencyError as error:
            verdict = self.unscored("missing_dependency", str(error))
            return [row if isinstance(row, Verdict) else verdict for row in rows]
        except UnusableError as error:
            return [row if isinstance(row, Verdict) else self.unscored(*error.args) for row in rows]
        return [
            row if isinstance(row, Verdict) else self._verdict([(pair, measured[pair]) for pair in row])
            for row in rows
        ]

    def _pairs(self, sample: Sample) -> list[tuple[str, str]] | Verdict:
        """The row's text beside each of its references, or the verdict that there is nothing to compare."""
        try:
            references = accepted_texts(sample.reference)
        except ConfigError as error:
            return self.unscored("bad_reference", str(error))
        usable = [text for text in references if len(text) <= MAX_CHARS]
        if not usable:
            return self.unscored("reference_over_limit", f"longer than {MAX_CHARS:,} characters")
        usable = [text for text in usable if text and not text.isspace()]
        if not usable:
            return self.unscored("bad_reference", f"the reference is blank: {references!r:.80}")
        text = find_answer(self, self.extract, sample)
        if isinstance(text, Verdict):
            return text
        if len(text) > MAX_CHARS:
            return self.scored(0.0, "over_limit", f"longer than {MAX_CHARS:,} characters")
        return [(text, reference) for reference in usable]

    def _verdict(self, measured: list[tuple[tuple[str, str], Measure | UnusableError]]) -> Verdict:
        best: tuple[Measure, tuple[str, str]] | None = None
        for pair, found in measured:
            if isinstance(found, Measure) and (best is None or found.value > best[0].value):
                best = found, pair
        if best is None:
            problem = measured[0][1]
            assert isinstance(problem, UnusableError)  # noqa: S101
            return self.unscored(*problem.args)
        (value, reason, detail, raw), (text, reference) = best
        return self.scored(
            min(max(value, 0.0), 1.0), reason, detail, extracted=text, expected=reference, raw=raw
        )
