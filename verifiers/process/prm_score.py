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

    The question (``prompt``) and the steps of the completion (`Steps`) are laid out as the model was trained;
    all steps are rated in one pass, and no code of the checkpoint is run. Nothing is downloaded: where the
    model is not on this machine, the row is left unjudged, with the command to run, and so is a row without a
    question. A solution that the model cannot read to its end is 0.0 (``over_limit``): what it does not read
    must not be paid. What a completion writes is text to the model, its special tokens included, and adds no
    place at which it is read.

    A verdict's parts are the steps with their places and probabilities; `extracted` is the lowest. The
    figures are those of one model, and not comparable between models: choose thresholds on rows of your own.

    Args:
        model: A folder, or an id in the local cache.
        format: How the model is asked: ``qwen``, ``math_shepherd``, ``rlhflow``, ``skywork`` or ``trl``
            (`verifiers.process.step_layout`).
        aggregate: ``min`` (further steps can never raise it), ``product`` (the same, and long solutions have
            less), ``mean`` (right steps make up for a wrong one: for ranking, not for rewards) or ``last``.
        of: What is read: the ``completion``, its ``response``, or its ``thinking``.
        by: What ends a step; see `Steps`. None for what the format was trained on.
        device: A device of torch; None for a GPU if there is one.
        dtype: ``float32``, ``bfloat16`` (as most are published: half the memory) or ``float16``.
        batch_size: Rows that go through the model at once, as far as memory allows; None for 4 on a processor
            and 16 on a GPU.

    Raises:
        ConfigError: A field out of range.

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
