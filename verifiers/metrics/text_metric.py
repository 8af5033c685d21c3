"""Base of all metrics of texts: the choice of texts to compare, and the verdict of a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..core.extraction import Extractor
from ..core.verdicts import Sample, Verdict
from ..core.verifier_base import Verifier
from ..errors import ConfigError, MissingDependencyError
from ..extract.answers_and_references import accepted_texts, find_answer
from ..extract.chain import PASSAGE

MAX_CHARS = 200_000
"""Longest text that is compared, in characters: some 50 times what a model can write in one go."""
METRIC_REASONS = {
    "no_answer": "nothing is there to compare, an answer tag was left open, or thinking never ended",
    "over_limit": f"the text is longer than {MAX_CHARS:,} characters, or takes too long to compare",
    "reference_over_limit": f"the reference is longer than {MAX_CHARS:,} characters",
}


class Measure(NamedTuple):
    """Result of a metric for a pair of texts.

    Args:
        value: The score, before it is limited to [0, 1].
        reason: A code of the metric's `reasons`.
        detail: Derivation of the value, for a person.
        raw: The figure on the metric's own scale, where that is not [0, 1].
    """

    value: float
    reason: str
    detail: str = ""
    raw: float | None = None


class UnusableError(Exception):
    """A row or a whole call cannot be measured, for a cause outside the completions.

    Its arguments are a code of the metric's `reasons`, and a sentence for a person.
    """


@dataclass(frozen=True, repr=False)
class TextMetric(Verifier):
    """Base of metrics: a subclass implements `measure` for pairs of texts.

    The score is the value limited to [0, 1]; of several references the best counts, unless a metric takes
    them together (see `measure_rows`).

    Args:
        extract: Finds the compared text: an answer tag, else the whole response.
    """

    extract: Extractor = field(default=PASSAGE, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.isolate and self.loads():
            raise ConfigError(
                f"{type(self).__name__}: isolate=True would load {self.loads()} in a worker, whose limits "
                "are made for one answer; leave it out, since this metric is bounded by construction"
            )

    def loads(self) -> str:
        """Return what must be loaded before anything can be measured; "" for nothing."""
        return ""

    def measure(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Measure | UnusableError]:
        """The metric of each pair of (text, reference), in order; neither side is blank.

        Raises:
            UnusableError: No pair can be measured: a model is not available.
        """
        raise NotImplementedError

    def measure_rows(
        self, rows: Sequence[tuple[str, tuple[str, ...]]]
    ) -> list[list[tuple[str, Measure | UnusableError]]]:
        """For each row of a text and its references what it is measured against, and the figure.

        Here each reference by itself, equal pairs once.

        Raises:
            UnusableError: No row can be measured: a model is not available.
        """
        pairs = list(dict.fromkeys((text, each) for text, references in rows for each in references))
        measured = dict(zip(pairs, self.measure(pairs), strict=True)) if pairs else {}
        return [[(each, measured[text, each]) for each in references] for text, references in rows]

    def refusals(self, references: Sequence[str]) -> dict[str, UnusableError]:
        """Which references cannot be measured against, whatever the text.

        Raises:
            UnusableError: No text can be measured: a model is not available.
        """
        found = zip(
            references, self.measure([(reference, reference) for reference in references]), strict=True
        )
        return {reference: problem for reference, problem in found if isinstance(problem, UnusableError)}

    def check(self, sample: Sample) -> Verdict:
        return self.check_batch([sample])[0]

    def check_batch(self, samples: Sequence[Sample]) -> list[Verdict]:
        """Judge several samples at once. Equal rows are measured once."""
        rows = [(self._references(sample), self._text(sample)) for sample in samples]
        asked = list(
            dict.fromkeys(
                (text, tuple(references))
                for references, text in rows
                if not isinstance(references, Verdict) and not isinstance(text, Verdict)
            )
        )
        # Whether a row can be judged must not depend on its completion: empty ones are asked for, too.
        silent = dict.fromkeys(
            reference
            for references, text in rows
            if not isinstance(references, Verdict) and isinstance(text, Verdict)
            for reference in references
        )
        try:
            measured = dict(zip(asked, self.measure_rows(asked), strict=True)) if asked else {}
            refused = self.refusals(list(silent)) if silent else {}
        except MissingDependencyError as error:
            problem: Verdict | None = self.unscored("missing_dependency", str(error))
        except UnusableError as error:
            problem = self.unscored(*error.args)
        else:
            problem = None
        verdicts = []
        for references, text in rows:
            if isinstance(references, Verdict):
                verdicts.append(references)
            elif problem is not None:
                verdicts.append(problem)
            elif isinstance(text, Verdict):
                blank = all(reference in refused for reference in references)
                verdicts.append(self.unscored(*refused[references[0]].args) if blank else text)
            else:
                verdicts.append(self._verdict(text, measured[text, tuple(references)]))
        return verdicts

    def _references(self, sample: Sample) -> list[str] | Verdict:
        """The references to compare with, or the verdict that there are none."""
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
        return usable

    def _text(self, sample: Sample) -> str | Verdict:
        """The text to compare, or the verdict that there is none."""
        text = find_answer(self, self.extract, sample, form="raw")
        if not isinstance(text, Verdict) and len(text) > MAX_CHARS:
            return self.scored(0.0, "over_limit", f"longer than {MAX_CHARS:,} characters")
        return text

    def _verdict(self, text: str, measured: list[tuple[str, Measure | UnusableError]]) -> Verdict:
        best: tuple[Measure, str] | None = None
        for reference, found in measured:
            if isinstance(found, Measure) and (best is None or found.value > best[0].value):
                best = found, reference
        if best is None:
            problem = measured[0][1]
            assert isinstance(problem, UnusableError)  # noqa: S101
            return self.unscored(*problem.args)
        (value, reason, detail, raw), reference = best
        return self.scored(
            min(max(value, 0.0), 1.0), reason, detail, extracted=text, expected=reference, raw=raw
        )
