"""A head that learns to rate steps, solutions or preferences: its inputs, losses and trainer.

Rows are laid out by the code that `PrmScore` and `OrmScore` ask models with, so that a model is asked as it
was trained. The loss on steps is that of TRL's PRMTrainer, which existed until 1.13: cross-entropy at the
last token of each step's separator, and nowhere else. The loss on pairs is that of TRL's RewardTrainer; the
ends of the figures on rows of training become the score's range.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.metrics.local_models import token_limit
from reward_verifiers.verifiers.metrics.text_metric import UnusableError
from reward_verifiers.verifiers.process.step_layout import FORMATS, Encoder, StepLayout, solution_ids
from reward_verifiers.verifiers.runtime.packages import require

from ..config import Head, RunConfig
from ..config.trainer_options import lora_config
from ..models.model_loading import init_options
from .label_formats import StepLabels
from .rated_rows import Outcome, Pair
from .rating_exams import Figure, preferred

NOTHING = -100
"""The label of what has none; transformers counts what is labelled by it."""
_KINDS = {"prm": ("AutoModelForTokenClassification", 2, "TOKEN_CLS"),
          "orm": ("AutoModelForSequenceClassification", 1, "SEQ_CLS"),
          "rm": ("AutoModelForSequenceClassification", 1, "SEQ_CLS")}  # fmt: skip


def head_model(kind: Literal["prm", "orm", "rm"], config: RunConfig, place: str, tokenizer: Any) -> Any:
    """Return the weights of a model with a head to train.

    Args:
        kind: Kind of model: of steps, with two labels per token, or of outcomes or preferences, with one
            value per solution.
        config: The run.
        place: Place of the weights.
        tokenizer: The model's.

    Raises:
        ConfigError: They cannot be loaded, or cannot be trained so.
    """
    transformers = require("transformers", extra="train")
    name, outputs, task = _KINDS[kind]
    if config.model.quantize is not None:
        raise ConfigError(f"model.quantize: a model that {kind} trains is saved whole; use lora alone")
    transformers.set_seed(config.seed)  # a new head is drawn
    try:
        model = getattr(transformers, name).from_pretrained(
            place, num_labels=outputs, pad_token_id=tokenizer.pad_token_id, **init_options(config.model)
        )
    except (OSError, ValueError, RuntimeError) as error:
        raise ConfigError(f"model.name: {config.model.name}: {str(error).strip()[:300]}") from None
    for module in model.modules():
        if type(module).__name__ == "Dropout":
            module.p = 0.0
    if config.model.lora is not None:
        peft = require("peft", extra="train")
        head = [each for each, _ in model.named_children() if each in ("score", "classifier")]
        options = {"task_type": task, "modules_to_save": head, "exclude_modules": head, **config.model.lora}
        return peft.get_peft_model(model, lora_config(options))
    if config.head.only:
        model.base_model.requires_grad_(False)
    return model


def step_examples(
    rows: Sequence[StepLabels], head: Head, name: str, tokenizer: Any, model: Any
) -> list[dict[str, Any]]:
    """Return token ids of rows, with a label at the end of each step.

    Raises:
        ConfigError: The tokenizer cannot write steps, or no step fits.
    """
    limit = min(head.max_length, token_limit(tokenizer, model))
    made = []
    try:
        layout = StepLayout(FORMATS["trl"], Encoder(name, tokenizer))
        for row in rows:
            laid = layout.laid(row.question.strip(), row.steps)
            fitting = sum(place < limit for place in laid.places)
            if not fitting:
                continue
            ids = laid.ids[: laid.places[fitting - 1] + 1]
            labels: list[float] = [NOTHING] * len(ids)
            for place, target in zip(laid.places[:fitting], row.targets(head.labels == "soft"), strict=False):
                labels[place] = NOTHING if target is None else target
            if any(each != NOTHING for each in labels):
                made.append({"input_ids": ids, "labels": labels})
    except UnusableError as error:
        raise ConfigError(f"model.tokenizer: {error.args[1]}") from None
    return _some(made, limit)


def outcome_examples(
    rows: Sequence[Outcome], head: Head, name: str, tokenizer: Any, model: Any
) -> list[dict[str, Any]]:
    """Return token ids of rows by the chat template, with one label each, without rows over the limit.

    Raises:
        ConfigError: The tokenizer has no chat template, or no row fits.
    """
    limit = min(head.max_length, token_limit(tokenizer, model))
    encoder = Encoder(name, tokenizer)
    try:
        laid = [(solution_ids(encoder, row.question.strip(), row.text), row.right) for row in rows]
    except UnusableError as error:
        raise ConfigError(f"model.chat_template: {error.args[1]}; set it to a file with one") from None
    return _some(
        [{"input_ids": ids, "labels": float(right)} for ids, right in laid if len(ids) <= limit], limit
    )


def _some(made: list[dict[str, Any]], limit: int, what: str = "row") -> list[dict[str, Any]]:
    if not made:
        raise ConfigError(f"data: no {what} fits into {limit} tokens; see head.max_length")
    return made


def head_trainer(
    model: Any,
    args: Any,
    examples: list[dict[str, Any]],
    tokenizer: Any,
    loss: Callable[..., Any] | None = None,
    laid: Callable[[Any], Any] = lambda rows: rows,
) -> Any:
    """Return transformers' trainer with the loss of a head.

    Args:
        model: The weights.
        args: Its options.
        examples: Training examples.
        tokenizer: The model's.
        loss: By default `head_loss`.
        laid: From examples to rows with ``input_ids`` and ``labels``.
    """
    transformers = require("transformers", extra="train")
    pad = tokenizer.pad_token_id or 0
    return transformers.Trainer(
        model=model,
        args=args,
        train_dataset=examples,
        data_collator=lambda rows: collated(laid(rows), pad),
        compute_loss_func=loss or head_loss,
        processing_class=tokenizer,
    )


def collated(rows: Sequence[dict[str, Any]], pad: int) -> dict[str, Any]:
    """Return a batch, padded on the right."""
    torch = require("torch", extra="train")
    longest = max(len(row["input_ids"]) for row in rows)
    filled = [longest - len(row["input_ids"]) for row in rows]
    labels = [
        [*row["labels"], *[NOTHING] * more] if isinstance(row["labels"], list) else row["labels"]
        for row, more in zip(rows, filled, strict=True)
    ]
    ids = [[*row["input_ids"], *[pad] * more] for row, more in zip(rows, filled, strict=True)]
    mask = [[1] * (longest - more) + [0] * more for more in filled]
    return {
        "input_ids": torch.tensor(ids),
        "attention_mask": torch.tensor(mask),
        "labels": torch.tensor(labels, dtype=torch.float32),
    }


def head_loss(outputs: Any, labels: Any, num_items_in_batch: Any = None) -> Any:
    """Binary cross-entropy where there is a label: -y·log p - (1 - y)·log(1 - p), y hard or soft.

    Of two labels p is softmax's second, of one figure its sigmoid.

    Args:
        outputs: Outputs of the model, with ``logits`` (..., 2) or (..., 1).
        labels: In [0, 1], or `NOTHING`.
        num_items_in_batch: Labels of all batches that make up a step; None for those of this one.
    """
    torch = require("torch", extra="train")
    logits = outputs.logits.float()
    figures = logits[..., 1] - logits[..., 0] if logits.shape[-1] == 2 else logits[..., 0]
    known = labels != NOTHING
    count = known.sum().clamp(min=1) if num_items_in_batch is None else num_items_in_batch
    loss = torch.nn.functional.binary_cross_entropy_with_logits(
        figures[known], labels[known], reduction="sum"
    )
    return loss / count


SIDES = ("chosen", "rejected")
ENDS = (0.05, 0.95)
"""Shares of the figures on rows of training below which a score is 0, and above which it is 1."""
AT_ONCE = 32
SEEN = 1000
"""Pairs of training that the range is taken from, at most."""


def pair_examples(
    rows: Sequence[Pair], head: Head, name: str, tokenizer: Any, model: Any
) -> list[dict[str, Any]]:
    """Return token ids of both sides by the chat template, without pairs that have a too long side.

    Raises:
        ConfigError: The tokenizer has no chat template, or no pair fits.
    """
    limit = min(head.max_length, token_limit(tokenizer, model))
    return _some([each for each in _laid(rows, name, tokenizer) if _length(each) <= limit], limit, "pair")


def _laid(rows: Sequence[Pair], name: str, tokenizer: Any) -> list[dict[str, Any]]:
    encoder = Encoder(name, tokenizer)
    try:
        return [
            {side: solution_ids(encoder, row.question.strip(), getattr(row, side)) for side in SIDES}
            for row in rows
        ]
    except UnusableError as error:
        raise ConfigError(f"model.chat_template: {error.args[1]}; set it to a file with one") from None


def _length(example: Mapping[str, list[int]]) -> int:
    return max(len(example[side]) for side in SIDES)


def sides(pairs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return all chosen rows, then all rejected ones, in the same order."""
    return [{"input_ids": pair[side], "labels": float(side == "chosen")} for side in SIDES for pair in pairs]


def pair_loss(center: float) -> Any:
    """-log σ(r_chosen - r_rejected), plus `center` times (r_chosen + r_rejected)².

    The first is Bradley and Terry's (1952). It leaves each question's figures free to be anywhere; the second
    (Eisenstein et al., arXiv:2312.09244) draws their middle to 0, so that one range holds for all questions.
    """

    def loss(outputs: Any, labels: Any, num_items_in_batch: Any = None) -> Any:
        functional = require("torch", extra="train").nn.functional
        chosen, rejected = outputs.logits.float()[..., 0].chunk(2)
        each = -functional.logsigmoid(chosen - rejected) + center * (chosen + rejected) ** 2
        # transformers counts labels, of which a pair has two.
        return each.sum() / (len(chosen) if num_items_in_batch is None else num_items_in_batch / 2)

    return loss


def figures(model: Any, pairs: Sequence[Mapping[str, list[int]]], pad: int) -> list[float]:
    """Return a loaded model's figures for the chosen sides of `pair_examples`, then for the rejected."""
    torch = require("torch", extra="train")
    was_training = model.training
    model.train(False)
    rows = sides(pairs)
    found: list[float] = []
    with torch.inference_mode():
        for start in range(0, len(rows), AT_ONCE):
            batch = collated(rows[start : start + AT_ONCE], pad)
            given = {name: batch[name].to(model.device) for name in ("input_ids", "attention_mask")}
            found += model(**given).logits.float()[:, 0].tolist()
    model.train(was_training)
    return found


def accuracy_of(model: Any, rows: Sequence[Pair], head: Head, name: str, tokenizer: Any) -> Figure:
    """Return how often a loaded model prefers the chosen side, on pairs that it can read."""
    limit = min(head.max_length, token_limit(tokenizer, model))
    both = [
        (row, ids)
        for row, ids in zip(rows, _laid(rows, name, tokenizer), strict=True)
        if _length(ids) <= limit
    ]
    found = figures(model, [ids for _, ids in both], tokenizer.pad_token_id or 0)
    return preferred([row for row, _ in both], found[: len(both)], found[len(both) :])


def figure_range(found: Sequence[float]) -> list[float] | None:
    """Return the ends between which a figure becomes a score; None where all are the same.

    >>> figure_range([float(each) for each in range(101)])
    [5.0, 95.0]
    """
    ordered = sorted(found)
    least, most = (ordered[round(end * (len(ordered) - 1))] for end in ENDS)
    return [least, most] if least < most else None
