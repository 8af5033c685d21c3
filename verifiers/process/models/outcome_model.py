"""A model that rates a whole solution, with its tokenizer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...metrics.local_models import (
    CHARS_PER_TOKEN,
    EXTRA,
    check_vocabulary,
    chosen_dtype,
    from_disk,
    padded,
    token_limit,
    tokenizer_of,
    weights_from_disk,
)
from ...metrics.text_metric import UnusableError
from ...runtime.forks import new_lock
from ...runtime.packages import require
from .layout import Encoder, solution_ids
from .step_model import QUESTION_SHARE, OverLimitError, batches


class OutcomeModel:
    """A sequence classifier with one output (a reward) or two (wrong, right), asked by its chat template.

    Args:
        model: A folder or a cached id.
        device: A device of torch.
        dtype: Of its weights.

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
