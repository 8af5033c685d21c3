"""Quality of a whole solution, by a reward model that rates it at once or step by step."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from ..core.owners import NamedFiles
from ..core.verdicts import Sample, TextPart, Verdict
from ..core.verifier_base import VERIFIERS
from ..errors import ConfigError
from ..metrics.local_models import (
    CHARS_PER_TOKEN,
    EXTRA,
    check_vocabulary,
    chosen_dtype,
    from_disk,
    loaded_once,
    padded,
    token_limit,
    tokenizer_of,
    weights_from_disk,
)
from ..metrics.text_metric import UnusableError
from ..runtime.forks import new_lock
from ..runtime.packages import require
from .step_layout import FORMATS, Encoder, solution_ids
from .step_model import (
    MAX_CHARS,
    MAX_SHOWN,
    QUESTION_SHARE,
    RATING_REASONS,
    OverLimitError,
    Rating,
    StepModel,
    batches,
    seen_part,
)


class OutcomeModel:
    """A sequence classifier with one output (a reward) or two (wrong, right), asked by its chat template.

    Args:
        model: A folder or a cached id.
        device: A device of torch.
        dtype: Data type of its weights.

    Raises:
        UnusableError: It is not on this machine, or is another kind of model.
    """

    def __init__(self, model: str, device: str, dtype: str) -> None:
        transformers = require("transformers", extra=EXTRA)
        config = from_disk(transformers.AutoConfig.from_pretrained, model)
        tokenizer = tokenizer_of(model, config)
        self._encoder = Encoder(model, tokenizer)
        kind = transformers.AutoModelForSequenceClassification
        self._model: Any = weights_from_disk(kind, model, dtype=chosen_dtype(dtype)).train(False)
        self.outputs = int(self._model.config.num_labels)
        if self.outputs not in (1, 2):
            raise UnusableError("bad_model", f"{model!r} has {self.outputs} outputs, not one or two")
        check_vocabulary(model, tokenizer, self._model.get_input_embeddings().num_embeddings)
        self.range = _range(model, getattr(config, "reward_range", None))
        self.limit = token_limit(tokenizer, self._model)
        # Without a token for padding the classifier cannot tell where a padded row ends.
        self._pad = self._model.config.pad_token_id
        self._lock = new_lock()
        shortest = self._ids("1", "1")
        if len(shortest) > QUESTION_SHARE * self.limit:
            raise UnusableError("bad_model", f"{model!r} takes {self.limit} tokens, too few for its template")
        self.device = device
        self._model.to(device)
        if not math.isfinite(self._figures([shortest], 1)[0]):
            raise UnusableError("bad_model", f"{model!r} gives figures that are not finite in {dtype}")

    def figures(self, rows: Sequence[tuple[str, str]], size: int) -> list[float | OverLimitError]:
        """For each row of a question and a solution the reward, or of two outputs the difference of logits.

        Args:
            rows: Questions with solutions.
            size: Rows that go through the model at once.
        """
        with self._lock:
            laid = [self._row(question, text) for question, text in rows]
            found = iter(self._figures([each for each in laid if isinstance(each, list)], size))
        return [next(found) if isinstance(each, list) else each for each in laid]

    def _row(self, question: str, text: str) -> list[int] | OverLimitError:
        longest = self.limit * CHARS_PER_TOKEN
        room = QUESTION_SHARE * self.limit
        if len(question) > longest or len(self._encoder.plain(question)) > room:
            return OverLimitError(True)
        ids = self._ids(question, text) if len(text) <= longest else []
        return ids if ids and len(ids) <= self.limit else OverLimitError(False)

    def _ids(self, question: str, text: str) -> list[int]:
        return solution_ids(self._encoder, question, text)

    def _figures(self, rows: Sequence[list[int]], size: int) -> list[float]:
        torch = require("torch", extra=EXTRA)
        out = [0.0] * len(rows)
        with torch.inference_mode():
            for batch in batches(rows, 1 if self._pad is None else size):
                ids, mask = padded([rows[place] for place in batch], self._pad or 0, self.device)
                logits = self._model(ids, attention_mask=mask).logits.float()
                found = logits[:, 0] if self.outputs == 1 else logits[:, 1] - logits[:, 0]
                for place, figure in zip(batch, found.tolist(), strict=True):
                    out[place] = figure
        return out


def _range(model: str, told: object) -> tuple[float, float] | None:
    """The ends between which `verify-train rm` has seen the model's figures, where it has saved them."""
    if told is None:
        return None
    if (
        not isinstance(told, list | tuple)
        or len(told) != 2
        or not all(isinstance(each, int | float) and math.isfinite(each) for each in told)
        or not told[0] < told[1]
    ):
        raise UnusableError(
            "bad_model", f"reward_range in the configuration of {model!r} must be two rising numbers"
        )
    return float(told[0]), float(told[1])


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class OrmScore(Rating[OutcomeModel | StepModel]):
    """The solution is good, by an outcome reward model (Cobbe et al., 2021, arXiv:2110.14168).

    A sequence classifier reads question (``prompt``) and solution in its chat template. Its output is `raw`.
    Models that were trained on pairs only know which of two solutions is better, so the score is an order,
    not a probability: ``1/(1 + exp(-raw))``, or for two outputs (wrong, right) the second's share. With
    `least` and `most`, the score is the position of `raw` between them; models of ``verify-train rm`` bring
    these values along (``reward_range`` in their configuration). Nothing is downloaded. Without the model or
    a question, the row is unscored. A solution that is too long for the model scores 0.0 (``over_limit``).

    Args:
        model: A folder, or an id in the local cache.
        format: ``chat``: a sequence classifier with one output or two. ``rlhflow``: a causal model that
            replies to question and solution with ``+`` or ``-`` (RLHFlow/Llama3.1-8B-ORM-Deepseek-Data).
        least: Value of `raw` that scores 0.0, as do all below; only together with `most`.
        most: Value of `raw` that scores 1.0, as do all above.
        of: Judged text: the ``completion``, its ``response``, or its ``thinking``.
        device: A device of torch; None for a GPU if there is one.
        dtype: ``float32``, ``bfloat16`` (as most are published; half the memory) or ``float16``.
        batch_size: Number of rows per forward pass, as far as memory allows; None for 4 on a CPU and 16 on a
            GPU.

    Raises:
        ConfigError: A field is out of range, or `least` is not below `most`.

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
