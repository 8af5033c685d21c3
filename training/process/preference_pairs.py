"""What a reward model learns of preferences: pairs, their loss, and the range of the figures that it gives.

The loss is that of TRL's RewardTrainer. Rows are laid out by the code that `OrmScore` asks with, so that a
model is asked as it was trained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from reward_verifiers.verifiers import ConfigError, Sample
from reward_verifiers.verifiers.core import nearest
from reward_verifiers.verifiers.core.completions import question_text, split_completion
from reward_verifiers.verifiers.core.verdicts import TextPart
from reward_verifiers.verifiers.metrics.local_models import token_limit
from reward_verifiers.verifiers.metrics.text_metric import UnusableError
from reward_verifiers.verifiers.process.step_layout import Encoder, solution_ids
from reward_verifiers.verifiers.process.step_model import seen_part
from reward_verifiers.verifiers.runtime.packages import require

from ..config import Data, Head
from .rated_rows import source_rows
from .rating_measures import Figure, share
from .rating_trainer import collated

SIDES = ("chosen", "rejected")
ENDS = (0.05, 0.95)
"""Shares of the figures on rows of training below which a score is 0, and above which it is 1."""
AT_ONCE = 32
SEEN = 1000
"""Pairs of training that the range is taken from, at most."""


class Pair(NamedTuple):
    """A question, the answer that was preferred, and the other one."""

    question: str
    chosen: str
    rejected: str


def pair_rows(data: Data | Sequence[Data], of: TextPart, seed: int) -> list[Pair]:
    """The pairs of sources; those without two different texts are left out.

    Args:
        data: Rows with ``prompt``, ``chosen`` and ``rejected``, such as `verify-train critique` writes.
        of: ``completion`` or ``response``: what of each side is read.
        seed: For generated rows.

    Raises:
        ConfigError: A row is no pair, or there is nothing to learn.
    """
    found: list[Pair] = []
    for source, number, row in source_rows(data, seed):
        for name in ("prompt", "chosen", "rejected"):
            if name not in row:
                raise ConfigError(
                    f"row {number} of {source} has no column {name!r}{nearest(name, row)}; pairs come from "
                    "verify-train critique, or from a select stage with select.purpose=dpo"
                )
        pair = Pair(question_text(row["prompt"]), _text(row["chosen"], of), _text(row["rejected"], of))
        if pair.question.strip() and pair.chosen and pair.rejected and pair.chosen != pair.rejected:
            found.append(pair)
    if not found:
        raise ConfigError(
            f"data: no pair has a question and two different texts in its {of}; head.of: completion takes "
            "the thinking, too"
        )
    return found


def _text(completion: Any, of: TextPart) -> str:
    split = split_completion(completion)
    return "" if split is None else seen_part(Sample.of(split), of).text.strip()


def pair_examples(
    rows: Sequence[Pair], head: Head, name: str, tokenizer: Any, model: Any
) -> list[dict[str, Any]]:
    """Token ids of both sides by the chat template; pairs of which one is too long are left out.

    Args:
        rows: Pairs.
        head: How long they may be.
        name: Of the model, for messages.
        tokenizer: The model's.
        model: The weights.

    Raises:
        ConfigError: The tokenizer has no chat template, or no pair fits.
    """
    limit = min(head.max_length, token_limit(tokenizer, model))
    made = [each for each in _laid(rows, name, tokenizer) if _length(each) <= limit]
    if not made:
        raise ConfigError(f"data: no pair fits into {limit} tokens; see head.max_length")
    return made


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
    """All chosen rows, and after them all rejected ones, in the same order."""
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
    """What a model in memory says of the chosen sides of `pair_examples`, and after them of the rejected."""
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
    """How often a model in memory prefers what was preferred, on pairs that it can read."""
    limit = min(head.max_length, token_limit(tokenizer, model))
    both = [
        (row, ids)
        for row, ids in zip(rows, _laid(rows, name, tokenizer), strict=True)
        if _length(ids) <= limit
    ]
    found = figures(model, [ids for _, ids in both], tokenizer.pad_token_id or 0)
    return preferred([row for row, _ in both], found[: len(both)], found[len(both) :])


def preferred(rows: Sequence[Pair], chosen: Sequence[Any], rejected: Sequence[Any]) -> Figure:
    """How often the preferred side has the higher figure, with its interval; equals are a half."""
    told = [
        (row.question, 0.5 if one == other else float(one > other))
        for row, one, other in zip(rows, chosen, rejected, strict=True)
        if one is not None and other is not None
    ]
    return share(told)


def figure_range(found: Sequence[float]) -> list[float] | None:
    """The ends between which a figure becomes a score; None where all are the same.

    >>> figure_range([float(each) for each in range(101)])
    [5.0, 95.0]
    """
    ordered = sorted(found)
    least, most = (ordered[round(end * (len(ordered) - 1))] for end in ENDS)
    return [least, most] if least < most else None
