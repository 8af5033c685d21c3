"""Batches of completions by a model in this process."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from reward_verifiers.verifiers.runtime.packages import require

from .model_states import generating, seeded
from .sampling_types import Generated, GenerationError, Sampling
from .stop_texts import StopTexts, cut, special_stops

_log = logging.getLogger(__name__)


class Run:
    """One call of `TransformersBackend.generate`.

    Args:
        model: A causal language model, or a `PeftModel` around one.
        tokenizer: Its tokenizer.
        sampling: How completions are drawn.
        batch_size: Completions at a time, until memory runs out.
        read: From a completion's tokens to its text; None decodes without special tokens.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        sampling: Sampling,
        batch_size: int,
        read: Callable[[Sequence[int]], str] | None = None,
    ) -> None:
        self.read = read
        self.model, self.tokenizer, self.sampling = model, tokenizer, sampling
        self.batch_size = batch_size
        special = special_stops(tokenizer, sampling.stop)
        self.stop = tuple(each for each in sampling.stop if each not in special)
        self.ends = _end_tokens(model, tokenizer) | set(special.values())
        self.pad = _pad_token(tokenizer, self.ends)
        self.made = 0

    def window(self, prompts: Sequence[list[int]]) -> Iterator[list[Generated]]:
        """Completions of a few prompts, in order.

        Args:
            prompts: Tokens of each.
        """
        k = self.sampling.k
        # The longest first: where memory does not suffice, the first batch says so.
        order = sorted(range(len(prompts)), key=lambda each: -len(prompts[each]))
        rows = [each for each in order for _ in range(k)]
        done: list[list[Generated]] = [[] for _ in prompts]
        taken = given = 0
        while taken < len(rows):
            batch = rows[taken : taken + self.batch_size]
            completions = self._attempt([prompts[each] for each in batch])
            if completions is None:
                continue
            taken += len(batch)
            self.made += len(batch)
            for each, completion in zip(batch, completions, strict=True):
                done[each].append(completion)
            while given < len(done) and len(done[given]) == k:
                yield done[given]
                given += 1

    def _attempt(self, prompts: list[list[int]]) -> list[Generated] | None:
        """A batch, or None where memory ran out and batches are smaller from here on.

        Raises:
            GenerationError: It ran out with a single completion.
        """
        torch = require("torch", extra="train")
        try:
            return self._batch(prompts)
        except torch.cuda.OutOfMemoryError as error:
            if len(prompts) == 1:
                raise GenerationError(
                    f"memory runs out with one completion of at most {self.sampling.max_tokens} tokens after "
                    f"a prompt of {len(prompts[0])}; lower max_tokens, leave the prompt out, or take a "
                    "smaller model"
                ) from error
        # After the except clause: the error holds on to the tensors of the failed attempt.
        torch.cuda.empty_cache()
        self.batch_size = len(prompts) // 2
        _log.warning("out of memory with %d completions; continuing with %d", len(prompts), self.batch_size)
        return None

    def _batch(self, prompts: list[list[int]]) -> list[Generated]:
        torch = require("torch", extra="train")
        transformers = require("transformers", extra="train")
        longest = max(map(len, prompts))
        ids = torch.tensor([[self.pad] * (longest - len(each)) + each for each in prompts])
        mask = torch.tensor([[0] * (longest - len(each)) + [1] * len(each) for each in prompts])
        stops = StopTexts(self.tokenizer, self.stop, longest) if self.stop else None
        config = self._config()
        with torch.no_grad(), seeded(self._seed(), self.model), generating(self.model, config):
            output = self.model.generate(
                input_ids=ids.to(self.model.device),
                attention_mask=mask.to(self.model.device),
                generation_config=config,
                stopping_criteria=transformers.StoppingCriteriaList([stops] if stops else []),
            )
        rows: list[list[int]] = output[:, longest:].tolist()
        kept = [self._length(row, stops.ended.get(at) if stops else None) for at, row in enumerate(rows)]
        said = [row[:length] for row, (length, _) in zip(rows, kept, strict=True)]
        if self.read is None:
            texts = self.tokenizer.batch_decode(said, skip_special_tokens=True)
        else:
            texts = [self.read(each) for each in said]
        return [
            Generated(cut(text, self.stop), length, finished)
            for text, (length, finished) in zip(texts, kept, strict=True)
        ]

    def _length(self, row: list[int], stopped: int | None) -> tuple[int, bool]:
        """How many tokens of a row are its completion, and whether that ended by itself."""
        ends = [at + 1 for at, token in enumerate(row) if token in self.ends]
        lengths = [*ends[:1], *([] if stopped is None else [stopped])]
        # A row that neither ended nor was stopped is as long as the batch, which is at the limit.
        return (min(lengths), True) if lengths else (len(row), False)

    def _config(self) -> Any:
        """The generation configuration: nothing of the model's own remains but its end tokens."""
        transformers = require("transformers", extra="train")
        sampling = self.sampling
        # Greedy decoding warns of settings that it does not use.
        drawn = {"temperature": float(sampling.temperature), "top_p": sampling.top_p, "top_k": sampling.top_k}
        return transformers.GenerationConfig(
            do_sample=sampling.temperature > 0,
            max_new_tokens=sampling.max_tokens,
            use_cache=True,
            pad_token_id=self.pad,
            eos_token_id=sorted(self.ends) or None,
            bos_token_id=self.tokenizer.bos_token_id,
            **(drawn if sampling.temperature > 0 else {}),
        )

    def _seed(self) -> int:
        """A seed for the batch: of its place in the call, so that no two batches draw alike."""
        text = f"{self.sampling.seed}/{self.made}".encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big")


def _end_tokens(model: Any, tokenizer: Any) -> set[int]:
    """The tokens that end a completion, as `GRPOTrainer` collects them: the model's and the tokenizer's."""
    named = model.generation_config.eos_token_id
    listed = [] if named is None else [named] if isinstance(named, int) else list(named)
    own = tokenizer.eos_token_id
    return {*listed, *([] if own is None else [own])}


def _pad_token(tokenizer: Any, ends: set[int]) -> int:
    """What fills rows up: masked in prompts and cut from completions, so that any token does."""
    if tokenizer.pad_token_id is not None:
        return int(tokenizer.pad_token_id)
    return min(ends, default=0)
