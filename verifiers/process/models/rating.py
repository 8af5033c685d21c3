"""What verifiers that rest on a model of steps or solutions have in common: when no row can be judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Generic, TypeVar

from ...core.checks import Range
from ...core.verdicts import Sample, TextPart, Verdict
from ...core.verifier_base import Verifier
from ...errors import ConfigError, MissingDependencyError
from ...metrics.local_models import MODEL_REASONS, Dtype, chosen_device
from ...metrics.text_metric import UnusableError
from ...visible.seen import Seen, see
from .step_model import OverLimitError

CPU_BATCH, GPU_BATCH = 4, 16
"""Rows that go through the model at once."""
MAX_SHOWN = 200
"""Characters of a text that a verdict shows."""
MAX_CHARS = 200_000
"""Characters of a completion that are looked at: some 50,000 tokens."""
RATING_REASONS = {
    "no_question": "the row has no question, which the model was trained to see",
    "question_over_limit": "the question takes more than half of what the model reads",
    "over_limit": "question and completion are longer than the model reads",
    "not_finite": "the model gave a figure that is not finite",
    **MODEL_REASONS,
}
M = TypeVar("M")


@dataclass(frozen=True, repr=False)
class Rating(Verifier, Generic[M]):
    """Base of such verifiers: a subclass loads its model, and judges the rows that can be judged.

    Args:
        device: A device of torch; None for a GPU if there is one.
        dtype: ``float32``, ``bfloat16`` or ``float16``.
        batch_size: Rows that go through the model at once, as far as memory allows; None for 4 on a processor
            and 16 on a GPU.
    """

    reasons: ClassVar[Mapping[str, str]] = RATING_REASONS
    needs_reference: ClassVar[bool] = False
    graded: ClassVar[bool] = True
    depends: ClassVar[tuple[str, ...]] = ("torch", "transformers")

    device: str | None = field(default=None, kw_only=True)
    dtype: Dtype = field(default="float32", kw_only=True)
    batch_size: Annotated[int, Range(least=1)] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.isolate:
            raise ConfigError(
                f"{type(self).__name__}: isolate=True would load a model in a worker, whose limits are made "
                "for one answer; leave it out, since this verifier is bounded by construction"
            )

    def fields_read(self) -> tuple[str, ...] | None:
        return ("prompt",)

    def columns_needed(self) -> tuple[str, ...]:
        return ("prompt",)

    def check(self, sample: Sample) -> Verdict:
        return self.check_batch([sample])[0]

    def check_batch(self, samples: Sequence[Sample]) -> list[Verdict]:
        """Judge several samples at once."""
        try:
            device = chosen_device(self.device)
            model = self.loaded(device)
        except MissingDependencyError as error:
            return [self.unscored("missing_dependency", str(error))] * len(samples)
        except UnusableError as error:
            return [self.unscored(*error.args)] * len(samples)
        asked = [sample for sample in samples if sample.prompt.strip()]
        size = self.batch_size or (CPU_BATCH if device == "cpu" else GPU_BATCH)
        judged = iter(self.judged(model, asked, size))
        return [
            next(judged)
            if sample.prompt.strip()
            else self.unscored("no_question", "the model reads the question in the row's prompt")
            for sample in samples
        ]

    def loaded(self, device: str) -> M:
        """The model, which is loaded once.

        Raises:
            UnusableError: It is not on this machine, or is another kind of model.
        """
        raise NotImplementedError

    def judged(self, model: M, samples: Sequence[Sample], size: int) -> list[Verdict]:
        """The verdicts of rows with questions, in order."""
        raise NotImplementedError

    def too_long(self, problem: OverLimitError) -> Verdict:
        """What is said of a row that the model cannot read: nothing that it does not read may be paid."""
        if problem.args[0]:
            return self.unscored("question_over_limit", "the question leaves no room for a solution")
        return self.scored(0.0, "over_limit", "longer than the model reads")


def seen_part(sample: Sample, of: TextPart) -> Seen:
    """A part of a completion without what no reader sees, with a map of its spans."""
    if of == "response":
        return sample.seen("characters")
    text = sample.completion if of == "completion" else sample.thinking
    return see(text, "characters", is_placed=of == "completion" and not sample.separate_thinking)
