"""A model of steps with its tokenizer and format: from questions and steps to probabilities.

Such models say in three ways how right a step is: two labels, two words, one number.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from ..core.checks import Range
from ..core.verdicts import Sample, TextPart, Verdict
from ..core.verifier_base import Verifier
from ..errors import ConfigError, MissingDependencyError
from ..metrics.local_models import (
    CHARS_PER_TOKEN,
    EXTRA,
    MODEL_REASONS,
    Dtype,
    by_length,
    check_vocabulary,
    chosen_device,
    chosen_dtype,
    folder_of,
    from_disk,
    padded,
    token_limit,
    tokenizer_of,
    weights_from_disk,
)
from ..metrics.text_metric import UnusableError
from ..runtime.forks import new_lock
from ..runtime.packages import require
from ..visible.seen import Seen, see
from .step_layout import Encoder, Laid, Reads, StepFormat, StepLayout

TOKENS_AT_ONCE = 32_768
"""Tokens that go through a model at once, padding included: some 2.5 GB in a layer of a 7B model."""
QUESTION_SHARE = 0.5
"""The most of a model's limit that a question may take: beyond it no solution would fit."""
Places = Sequence[Sequence[int]]
Read = Callable[[Any, Any, Places], list[list[float]]]
"""Of token ids (rows x tokens), their mask and the places of each row: how right each of its steps is."""
_INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
_FILES = ("model.safetensors", "pytorch_model.bin")


class OverLimitError(Exception):
    """A row is longer than the model takes; the argument tells whether the question is."""


class StepModel:
    """A model of steps. Raises UnusableError where there is none.

    Args:
        model: A folder or a cached id.
        form: Form of its training data.
        device: A device of torch.
        dtype: Data type of its weights.
    """

    def __init__(self, model: str, form: StepFormat, device: str, dtype: str) -> None:
        config = from_disk(require("transformers", extra=EXTRA).AutoConfig.from_pretrained, model)
        tokenizer = tokenizer_of(model, config)
        self.layout = StepLayout(form, Encoder(model, tokenizer))
        whole, self._read = _loaded_head(model, form.reads, dtype, self.layout.words)
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


def _loaded_head(model: str, reads: Reads, dtype: str, words: Sequence[int]) -> tuple[Any, Read]:
    """A model, in evaluation mode on the processor, and what reads it.

    Args:
        model: A folder or a cached id.
        reads: See `Reads`.
        dtype: Data type of the weights.
        words: For ``words``: the ids of the right word and the wrong one.

    Raises:
        UnusableError: It is not on this machine, or is not a model of that kind.
    """
    transformers = require("transformers", extra=EXTRA)
    options = {"dtype": chosen_dtype(dtype)}
    if reads == "words":
        whole = weights_from_disk(transformers.AutoModelForCausalLM, model, **options).train(False)
        if whole.get_output_embeddings() is None:
            raise UnusableError("bad_model", f"{model!r} gives no logits of tokens")
        return whole, _Words(whole, words)
    found = _weights(model, "v_head.summary." if reads == "value" else "score.")
    if reads == "labels" and "0.weight" not in found:
        # transformers' own head, as TRL trains it.
        whole = weights_from_disk(transformers.AutoModelForTokenClassification, model, **options).train(False)
        if whole.config.num_labels != 2:
            raise UnusableError("bad_model", f"{model!r} has {whole.config.num_labels} labels, not two")
        return whole, _Labels(whole)
    whole = weights_from_disk(transformers.AutoModel, model, **options).train(False)
    return whole, _Hidden(whole, _head(model, reads, found, whole.config.hidden_size))


def _head(model: str, reads: Reads, found: dict[str, Any], width: int) -> Any:
    """The head of a checkpoint, in float32: its own classes are remote code, which is not run."""
    linear = require("torch", extra=EXTRA).nn.Linear
    sequential = require("torch", extra=EXTRA).nn.Sequential
    if reads == "value":
        made = linear(width, 1, bias="bias" in found)
    else:
        made = sequential(linear(width, width), require("torch", extra=EXTRA).nn.ReLU(), linear(width, 2))
    try:
        made.load_state_dict({name: tensor.float() for name, tensor in found.items()})
    except RuntimeError as error:
        said = " ".join(str(error).split())[:300]
        raise UnusableError("bad_model", f"{model!r} has no head of steps that is known: {said}") from error
    return made.train(False)


def _weights(model: str, prefix: str) -> dict[str, Any]:
    """The tensors of a checkpoint whose names begin so, by the rest of their names."""
    folder = Path(folder_of(model))
    index = next((folder / name for name in _INDEXES if (folder / name).exists()), None)
    if index is not None:
        try:
            files = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
            names = sorted({str(file) for name, file in files.items() if name.startswith(prefix)})
        except (ValueError, KeyError, AttributeError) as error:
            raise UnusableError("bad_model", f"{model!r}: {index.name} cannot be read: {error}") from error
    else:
        names = [name for name in _FILES if (folder / name).exists()][:1]
    found: dict[str, Any] = {}
    for name in names:
        if name.endswith(".safetensors"):
            with require("safetensors", extra=EXTRA).safe_open(folder / name, framework="pt") as tensors:
                found |= {key: tensors.get_tensor(key) for key in tensors.keys() if key.startswith(prefix)}  # noqa: SIM118
        else:
            loaded = require("torch", extra=EXTRA).load(folder / name, map_location="cpu", weights_only=True)
            found |= {key: tensor for key, tensor in loaded.items() if key.startswith(prefix)}
    return {key.removeprefix(prefix): tensor for key, tensor in found.items()}


class _Labels:
    """A token classifier's two labels."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def __call__(self, ids: Any, mask: Any, places: Places) -> list[list[float]]:
        logits = self._model(ids, attention_mask=mask).logits
        return [logits[row, list(at)].float().softmax(-1)[:, 1].tolist() for row, at in enumerate(places)]


class _Words:
    """Two words among the next tokens of a causal model."""

    def __init__(self, model: Any, words: Sequence[int]) -> None:
        self._model = model
        self._words = list(words)

    def __call__(self, ids: Any, mask: Any, places: Places) -> list[list[float]]:
        rows = [row for row, at in enumerate(places) for _ in at]
        columns = [place for at in places for place in at]
        # A vocabulary is 50 times as wide as a model: logits of all places would not fit. What the model does
        # to logits afterwards is done to these, too.
        head = self._model.get_output_embeddings()
        kept = head.register_forward_pre_hook(lambda _, given: (given[0][rows, columns][None],))
        try:
            logits = self._model(ids, attention_mask=mask).logits[0]
        finally:
            kept.remove()
        found = iter(logits[:, self._words].float().softmax(-1)[:, 0].tolist())
        return [[next(found) for _ in at] for at in places]


class _Hidden:
    """A head of the checkpoint's own on the last hidden states."""

    def __init__(self, model: Any, head: Any) -> None:
        self._model = model
        self._head = head

    def __call__(self, ids: Any, mask: Any, places: Places) -> list[list[float]]:
        states = self._model(ids, attention_mask=mask)[0]
        self._head.to(states.device)
        found = []
        for row, at in enumerate(places):
            said = self._head(states[row, list(at)].float())
            found.append((said.sigmoid()[:, 0] if said.shape[-1] == 1 else said.softmax(-1)[:, 1]).tolist())
        return found


CPU_BATCH, GPU_BATCH = 4, 16
"""Rows that go through the model at once."""
MAX_SHOWN = 200
"""Characters of a text that a verdict shows."""
MAX_CHARS = 200_000
"""Characters of a completion that are looked at: some 50,000 tokens."""
RATING_REASONS = {
    "no_question": "the row has no question, which the model was trained to see",
    "question_over_limit": "the question takes more than half of the model's context",
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
        """Return the verdict on a row too long for the model: nothing that it does not read may be paid."""
        if problem.args[0]:
            return self.unscored("question_over_limit", "the question leaves no room for a solution")
        return self.scored(0.0, "over_limit", "longer than the model reads")


def seen_part(sample: Sample, of: TextPart) -> Seen:
    """A part of a completion without what no reader sees, with a map of its spans."""
    if of == "response":
        return sample.seen("characters")
    text = sample.completion if of == "completion" else sample.thinking
    return see(text, "characters", is_placed=of == "completion" and not sample.separate_thinking)
