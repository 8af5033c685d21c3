"""A model of steps with its tokenizer and format: from questions and steps to probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ...metrics.local_models import (
    CHARS_PER_TOKEN,
    EXTRA,
    by_length,
    check_vocabulary,
    from_disk,
    padded,
    token_limit,
    tokenizer_of,
)
from ...metrics.text_metric import UnusableError
from ...runtime.forks import new_lock
from ...runtime.packages import require
from .formats import StepFormat
from .heads import loaded_head
from .layout import Encoder, Laid, StepLayout

TOKENS_AT_ONCE = 32_768
"""Tokens that go through a model at once, padding included: some 2.5 GB in a layer of a 7B model."""
QUESTION_SHARE = 0.5
"""The most of a model's limit that a question may take: beyond it no solution would fit."""


class OverLimitError(Exception):
    """A row is longer than the model takes; the argument tells whether the question is."""


class StepModel:
    """A model of steps. Raises UnusableError where there is none.

    Args:
        model: A folder or a cached id.
        form: What it was trained on.
        device: A device of torch.
        dtype: Of its weights.
    """

    def __init__(self, model: str, form: StepFormat, device: str, dtype: str) -> None:
        config = from_disk(require("transformers", extra=EXTRA).AutoConfig.from_pretrained, model)
        tokenizer = tokenizer_of(model, config)
        self.layout = StepLayout(form, Encoder(model, tokenizer))
        whole, self._read = loaded_head(model, form.reads, dtype, self.layout.words)
        self._model = whole
        check_vocabulary(model, tokenizer, whole.get_input_embeddings().num_embeddings)
        self.limit = token_limit(tokenizer, whole)
        self._pad = tokenizer.pad_token_id or 0
        self._lock = new_lock()
        shortest = self.layout.laid("1", ["1"])
        if len(shortest.ids) > QUESTION_SHARE * self.limit:
            raise UnusableError("bad_model", f"{model!r} takes {self.limit} tokens, too few for its format")
        self.device = device
        whole.to(device)
        # What is wrong shows here, and not at some completion.
        if not all(map(math.isfinite, self._scores([shortest], 1)[0])):
            raise UnusableError("bad_model", f"{model!r} gives figures that are not finite in {dtype}")

    def scores(
        self, rows: Sequence[tuple[str, Sequence[str]]], size: int
    ) -> list[list[float] | OverLimitError]:
        """For each row of a question and its steps how right each step is, from 0 to 1.

        Args:
            rows: Questions with steps; a row may have no steps.
            size: Rows that go through the model at once.
        """
        with self._lock:
            laid = [self._laid(question, steps) for question, steps in rows]
            known = [each for each in laid if isinstance(each, Laid)]
            found = iter(self._scores(known, size))
        return [next(found) if isinstance(each, Laid) else each for each in laid]

    def _laid(self, question: str, steps: Sequence[str]) -> Laid | OverLimitError:
        longest = self.limit * CHARS_PER_TOKEN
        room = QUESTION_SHARE * self.limit
        if len(question) > longest or len(self.layout.encoder.plain(question)) > room:
            return OverLimitError(True)
        if len(steps) > self.limit or sum(map(len, steps)) > longest:
            return OverLimitError(False)
        laid = self.layout.laid(question, steps) if steps else Laid([], [])
        return OverLimitError(False) if len(laid.ids) > self.limit else laid

    def _scores(self, rows: Sequence[Laid], size: int) -> list[list[float]]:
        torch = require("torch", extra=EXTRA)
        out: list[list[float]] = [[] for _ in rows]
        with torch.inference_mode():
            for batch in batches([row.ids for row in rows], size):
                ids, mask = padded([rows[place].ids for place in batch], self._pad, self.device)
                found = self._read(ids, mask, [rows[place].places for place in batch])
                for place, scores in zip(batch, found, strict=True):
                    out[place] = scores
        return out


def batches(rows: Sequence[Sequence[Any]], size: int) -> Iterator[list[int]]:
    """Places of rows, longest first, in batches of a bounded number of rows and of tokens."""
    for batch in by_length(rows, size):
        most = max(1, TOKENS_AT_ONCE // len(rows[batch[0]]))
        for start in range(0, len(batch), most):
            yield batch[start : start + most]
