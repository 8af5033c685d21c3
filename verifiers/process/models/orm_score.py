"""How good a whole solution is, by a reward model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from ...core.identity.owners import NamedFiles
from ...core.verdicts import Sample, TextPart, Verdict
from ...core.verifier_base import VERIFIERS
from ...errors import ConfigError
from ...metrics.local_models import loaded_once
from .formats import FORMATS
from .outcome_model import OutcomeModel
from .rating import MAX_CHARS, MAX_SHOWN, RATING_REASONS, Rating, seen_part
from .step_model import OverLimitError, StepModel


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class OrmScore(Rating[OutcomeModel | StepModel]):
    """The solution is good, by an outcome reward model (Cobbe et al., 2021, arXiv:2110.14168).

    A sequence classifier reads question (``prompt``) and solution by its chat template. Its figure, `raw`,
    has no scale of its own: models that were trained on pairs know only which of two solutions is better, so
    the score is an order, and no probability. It is ``1/(1 + exp(-raw))`` (for two outputs, wrong and right,
    the second's share), or, with `least` and `most`, where `raw` stands between them; models of
    ``verify-train rm`` bring these ends along (``reward_range`` in their configuration). Nothing is
    downloaded; where the model is not on this machine, or the row has no question, the row is left unjudged.
    What the model cannot read to its end is 0.0 (``over_limit``).

    Args:
        model: A folder, or an id in the local cache.
        format: ``chat``: a sequence classifier with one output or two. ``rlhflow``: a causal model that
            answers question and solution with ``+`` or ``-`` (RLHFlow/Llama3.1-8B-ORM-Deepseek-Data).
        least: The figure that is worth 0.0, and anything below it; only together with `most`.
        most: The figure that is worth 1.0, and anything above it.
        of: What is read: the ``completion``, its ``response``, or its ``thinking``.
        device: A device of torch; None for a GPU if there is one.
        dtype: ``float32``, ``bfloat16`` (as most are published: half the memory) or ``float16``.
        batch_size: Rows that go through the model at once, as far as memory allows; None for 4 on a processor
            and 16 on a GPU.

    Raises:
        ConfigError: A field out of range, or `least` is not below `most`.

    >>> print(OrmScore("no/such-model").verify("8+7=15. So 15.", prompt="What is 8+7?"))
    OrmScore unscored m...
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "rated": "the model rated the solution",
        "no_answer": "there is nothing to rate, or thinking never ended",
        **RATING_REASONS,
    }

    model: NamedFiles = "Skywork/Skywork-Reward-V2-Qwen3-0.6B"
    format: Literal["chat", "rlhflow"] = "chat"
    least: float | None = None
    most: float | None = None
    of: TextPart = "response"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.least is None and self.most is None:
            return
        if self.least is None or self.most is None or not -math.inf < self.least < self.most < math.inf:
            raise ConfigError(
                f"OrmScore: least must be below most, and both finite, got {self.least!r} and {self.most!r}"
            )
        if self.format == "rlhflow":
            raise ConfigError("OrmScore: format='rlhflow' gives a share already; leave least and most out")

    def loaded(self, device: str) -> OutcomeModel | StepModel:
        key = ("OrmScore", self.model, self.format, device, self.dtype)
        model: OutcomeModel | StepModel = loaded_once(
            key,
            lambda: (
                OutcomeModel(self.model, device, self.dtype)
                if self.format == "chat"
                else StepModel(self.model, FORMATS["rlhflow"], device, self.dtype)
            ),
        )
        return model

    def judged(self, model: OutcomeModel | StepModel, samples: Sequence[Sample], size: int) -> list[Verdict]:
        texts = [seen_part(sample, self.of).text.strip() for sample in samples]
        # Whether the question is too long must not depend on the solution: empty ones are asked for, too.
        rows = [
            (sample.prompt.strip(), text if len(text) <= MAX_CHARS else "")
            for sample, text in zip(samples, texts, strict=True)
        ]
        if isinstance(model, OutcomeModel):
            figures = model.figures(rows, size)
        else:
            figures = [
                found if isinstance(found, OverLimitError) else found[0]
                for found in model.scores([(question, [text]) for question, text in rows], size)
            ]
        ends = model.range if isinstance(model, OutcomeModel) else None
        return [self._verdict(text, figure, ends) for text, figure in zip(texts, figures, strict=True)]

    def _verdict(
        self, text: str, figure: float | OverLimitError, ends: tuple[float, float] | None
    ) -> Verdict:
        if isinstance(figure, OverLimitError):
            return self.too_long(figure)
        if len(text) > MAX_CHARS:
            return self.too_long(OverLimitError(False))
        if not text:
            return self.scored(0.0, "no_answer")
        if not math.isfinite(figure):
            return self.fault("not_finite", "the model gave a figure that is not finite; try another dtype")
        return self.scored(self._worth(figure, ends), "rated", extracted=text[:MAX_SHOWN], raw=figure)

    def _worth(self, figure: float, ends: tuple[float, float] | None = None) -> float:
        if self.format == "rlhflow":
            return figure
        if self.least is not None and self.most is not None:
            ends = self.least, self.most
        if ends is not None:
            least, most = ends
            return min(max((figure - least) / (most - least), 0.0), 1.0)
        small = math.exp(-abs(figure))
        return (1.0 if figure >= 0 else small) / (1 + small)
