"""Likelihoods of others' texts under a model: log-likelihoods and perplexities."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reward_verifiers.verifiers import ConfigError

CELLS = 1 << 25
"""Logits (positions times vocabulary) that are turned into likelihoods at a time, so that a large vocabulary
does not need a second copy of all of them in float32."""


@dataclass(frozen=True)
class Likelihood:
    """A text's likelihood under a model.

    Args:
        total: The sum of the log-likelihoods of its tokens, in nats.
        tokens: Number of these tokens.
    """

    total: float
    tokens: int

    @property
    def perplexity(self) -> float:
        """``exp(-total / tokens)``: the lower, the likelier a token of the text."""
        return math.exp(min(-self.total / self.tokens, 700.0))


def likelihoods(
    model: Any,
    tokenizer: Any,
    texts: Sequence[tuple[Sequence[int], str]],
    *,
    batch_size: int = 16,
    most: int | None = None,
) -> Iterator[Likelihood | None]:
    """Yield the likelihood of each text after its prompt.

    Prompt and text are encoded apart, as a completion is that the model writes. Without a prompt the text
    stands after the tokenizer's first token, if it has one; else its own first token is given and not
    counted.

    Args:
        model: A causal language model.
        tokenizer: Its tokenizer.
        texts: The tokens of the prompt, and the text. The end token is not added.
        batch_size: Texts at a time.
        most: Tokens of prompt and text together, at most; by default what the model has places for.

    Returns:
        In order; None for a text without a token to count, or one that is too long.

    Raises:
        ConfigError: A batch size below 1.
    """
    if batch_size < 1:
        raise ConfigError(f"likelihoods: batch_size must be at least 1, got {batch_size}")
    places = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    limit = most or places or math.inf
    found: dict[int, Likelihood | None] = {}
    rows: list[tuple[int, list[int], int]] = []
    for place, (prompt, text) in enumerate(texts):
        own = tokenizer(text=text, add_special_tokens=False)["input_ids"]
        before = list(prompt)
        if not before and own:
            first = tokenizer.bos_token_id
            before, own = ([first], own) if first is not None else (own[:1], own[1:])
        if own and len(before) + len(own) <= limit:
            rows.append((place, [*before, *own], len(own)))
        else:
            found[place] = None
    rows.sort(key=lambda row: len(row[1]))  # little padding
    for start in range(0, len(rows), batch_size):
        part = rows[start : start + batch_size]
        for (place, _, _), each in zip(part, _measured(model, [row[1:] for row in part]), strict=True):
            found[place] = each
    for place in range(len(texts)):
        yield found[place]


def _measured(model: Any, rows: Sequence[tuple[list[int], int]]) -> Iterator[Likelihood]:
    """Measure texts padded on the right, where a causal model never looks."""
    import torch

    longest = max(len(ids) for ids, _ in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for at, (row, _) in enumerate(rows):
        ids[at, : len(row)] = torch.tensor(row)
        mask[at, : len(row)] = 1
    ids, mask = ids.to(model.device), mask.to(model.device)
    was = model.training
    model.train(False)
    try:
        with torch.inference_mode():
            logits = model(input_ids=ids, attention_mask=mask, use_cache=False).logits
            for at, (row, own) in enumerate(rows):
                end = len(row) - 1
                step = max(1, CELLS // logits.shape[-1])
                total = 0.0
                for start in range(end - own, end, step):
                    stop = min(start + step, end)
                    shares = torch.log_softmax(logits[at, start:stop].float(), dim=-1)
                    chosen = ids[at, start + 1 : stop + 1].unsqueeze(-1)
                    total += float(shares.gather(-1, chosen).double().sum())
                yield Likelihood(total, own)
    finally:
        model.train(was)
