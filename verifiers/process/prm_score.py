"""Correctness of the steps of a solution, by a model that was trained to judge them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from ..core.owners import NamedFiles
from ..core.verdicts import Sample, Status, TextPart, Verdict
from ..core.verifier_base import VERIFIERS
from ..metrics.local_models import loaded_once
from ..visible.seen import Seen
from .step_layout import FORMATS, FormatName
from .step_model import MAX_CHARS, MAX_SHOWN, RATING_REASONS, OverLimitError, Rating, StepModel, seen_part
from .steps import By, Step, Steps

MAX_PARTS = 1_000
"""Steps that a verdict shows."""
Aggregate = Literal["min", "product", "mean", "last"]


def aggregated(scores: Sequence[float], by: Aggregate) -> float:
    """One figure of those of the steps.

    >>> [aggregated([0.5, 1.0, 0.25], by) for by in ("min", "product", "last")]
    [0.25, 0.125, 0.25]
    """
    if by == "mean":
        return math.fsum(scores) / len(scores)
    if by == "product":
        return math.prod(scores)
    return min(scores) if by == "min" else scores[-1]


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class PrmScore(Rating[StepModel]):
    """The steps are right, by a process reward model (Lightman et al., 2023, arXiv:2305.20050).

    The question (``prompt``) and the steps of the completion (`Steps`) are laid out as in the model's
    training, and one pass rates all steps. No code of the checkpoint runs, and nothing is downloaded. Without
    the model or a question, the row is unscored, and the verdict names the command. A solution that is too
    long for the model scores 0.0 (``over_limit``), because unread text must not earn reward. Special tokens
    in a completion are plain text to the model and add no place that it rates.

    A verdict's parts are the steps with their places and probabilities; `extracted` is the lowest.
    Probabilities of different models are not comparable: choose thresholds on your own rows.

    Args:
        model: A folder, or an id in the local cache.
        format: Form of the question: ``qwen``, ``math_shepherd``, ``rlhflow``, ``skywork`` or ``trl``
            (`verifiers.process.step_layout`).
        aggregate: ``min`` (further steps can never raise it), ``product`` (the same, and long solutions get
            less), ``mean`` (right steps make up for a wrong one: for ranking, not for rewards) or ``last``.
        of: Judged text: the ``completion``, its ``response``, or its ``thinking``.
        by: End of a step; see `Steps`. None takes the form's own.
        device: A device of torch; None for a GPU if there is one.
        dtype: ``float32``, ``bfloat16`` (as most are published; half the memory) or ``float16``.
        batch_size: Number of rows per forward pass, as far as memory allows; None for 4 on a CPU and 16 on a
            GPU.

    Raises:
        ConfigError: A field is out of range.

    >>> print(PrmScore("no/such-model").verify("8+7=15. So 15.", prompt="What is 8+7?"))
    PrmScore unscored m...
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "rated": "the model rated every step",
        "no_steps": "there is nothing to rate",
        "step": "of a step: how right the model thinks that it is",
        **RATING_REASONS,
    }

    model: NamedFiles = "Qwen/Qwen2.5-Math-PRM-7B"
    format: FormatName = "qwen"
    aggregate: Aggregate = "min"
    of: TextPart = "completion"
    by: By | None = None

    def loaded(self, device: str) -> StepModel:
        model: StepModel = loaded_once(
            ("PrmScore", self.model, self.format, device, self.dtype),
            lambda: StepModel(self.model, FORMATS[self.format], device, self.dtype),
        )
        return model

    def judged(self, model: StepModel, samples: Sequence[Sample], size: int) -> list[Verdict]:
        split = Steps(self.by or FORMATS[self.format].by).split
        seen = [seen_part(sample, self.of) for sample in samples]
        steps = [split(each.text) if len(each.text) <= MAX_CHARS else () for each in seen]
        rows = [
            (sample.prompt.strip(), [each.text[start:end] for start, end in at])
            for sample, each, at in zip(samples, seen, steps, strict=True)
        ]
        found = model.scores(rows, size)
        return [self._verdict(*each) for each in zip(seen, steps, found, strict=True)]

    def _verdict(self, seen: Seen, steps: Sequence[Step], scores: list[float] | OverLimitError) -> Verdict:
        if isinstance(scores, OverLimitError):
            return self.too_long(scores)
        if len(seen.text) > MAX_CHARS:
            return self.too_long(OverLimitError(False))
        if not scores:
            return self.scored(0.0, "no_steps")
        if not all(map(math.isfinite, scores)):
            return self.fault("not_finite", "the model gave a figure that is not finite; try another dtype")
        parts = tuple(
            Verdict(
                verifier=self._name(),
                status=Status.SCORED,
                score=score,
                reason="step",
                extracted=seen.text[step.start : step.end][:MAX_SHOWN],
                span=seen.span(step.start, step.end),
            )
            for step, score in zip(steps[:MAX_PARTS], scores, strict=False)
        )
        lowest = min(range(len(scores)), key=scores.__getitem__)
        start, end = steps[lowest]
        return self.scored(
            min(max(aggregated(scores, self.aggregate), 0.0), 1.0),
            "rated",
            f"{len(scores)} steps, {self.aggregate}; the lowest is step {lowest + 1}, {scores[lowest]:.4f}",
            extracted=seen.text[start:end][:MAX_SHOWN],
            span=seen.span(start, end),
            parts=parts,
        )
