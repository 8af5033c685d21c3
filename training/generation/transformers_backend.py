"""Generation in batches by a model in this process, with its settings and random state restored."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.packages import require

from .sampling_types import (
    Generated,
    GenerationError,
    Prompt,
    Sampling,
    StopTexts,
    check_prompts,
    cut,
    special_stops,
)

_log = logging.getLogger(__name__)


class Run:
    """One call of `TransformersBackend.generate`.

    Args:
        model: A causal language model, or a `PeftModel` around one.
        tokenizer: Its tokenizer.
        sampling: Settings of sampling.
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
        """Yield completions of a few prompts, in order."""
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
        """Generate a batch; None where memory ran out, after which batches are smaller.

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
        """Return the length of a row's completion in tokens, and whether it ended by itself."""
        ends = [at + 1 for at, token in enumerate(row) if token in self.ends]
        lengths = [*ends[:1], *([] if stopped is None else [stopped])]
        # A row that neither ended nor was stopped is as long as the batch, which is at the limit.
        return (min(lengths), True) if lengths else (len(row), False)

    def _config(self) -> Any:
        """Return the generation configuration, which keeps only the end tokens of the model's own."""
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
        """Return a seed for the batch, from its place in the call, so that no two batches draw alike."""
        text = f"{self.sampling.seed}/{self.made}".encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big")


def _end_tokens(model: Any, tokenizer: Any) -> set[int]:
    """Return the end tokens that `GRPOTrainer` collects: the model's and the tokenizer's."""
    named = model.generation_config.eos_token_id
    listed = [] if named is None else [named] if isinstance(named, int) else list(named)
    own = tokenizer.eos_token_id
    return {*listed, *([] if own is None else [own])}


def _pad_token(tokenizer: Any, ends: set[int]) -> int:
    """Return the padding token: any will do, as it is masked in prompts and cut from completions."""
    if tokenizer.pad_token_id is not None:
        return int(tokenizer.pad_token_id)
    return min(ends, default=0)


# Prompts of like length share a batch. Sorting within a window of this many batches keeps the padding low,
# and what the caller waits for, and loses with a crash, small.
WINDOW = 8


@dataclass
class TransformersBackend:
    """Completions by a transformers model, in batches.

    Prompts are padded on the left whatever the tokenizer's setting, and never cut. The mode of the model,
    its generation configuration and the global random numbers are as they were whenever the caller has
    the turn. Where memory of the accelerator runs out, batches are halved for the rest of the call.

    Args:
        model: A causal language model, or a `PeftModel` around one.
        tokenizer: Its tokenizer, with a chat template where prompts are messages.
        batch_size: Completions at a time.
        chat_template_kwargs: Other arguments of the chat template, such as ``{"enable_thinking": False}``.
        read: From a completion's tokens to its text; None decodes without special tokens, as TRL does.

    Raises:
        ConfigError: A batch size below 1.
    """

    model: Any
    tokenizer: Any
    batch_size: int = 64
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict)
    read: Callable[[Sequence[int]], str] | None = None

    def __post_init__(self) -> None:
        if self.batch_size < 1:
            raise ConfigError(f"TransformersBackend: batch_size must be at least 1, got {self.batch_size}")

    def generate(self, prompts: Sequence[Prompt], sampling: Sampling) -> Iterator[list[Generated]]:
        """See `Backend.generate`. Completions are drawn window by window, as the caller asks for them.

        Raises:
            ConfigError: A prompt that cannot be encoded: messages without a chat template, or no tokens.
            GenerationError: Memory runs out with a single completion.
        """
        check_prompts(prompts)
        if not all(isinstance(prompt, str) for prompt in prompts):
            self._check_template()
        return self._stream(prompts, sampling)

    def _stream(self, prompts: Sequence[Prompt], sampling: Sampling) -> Iterator[list[Generated]]:
        run = Run(self.model, self.tokenizer, sampling, self.batch_size, self.read)
        window = max(1, WINDOW * self.batch_size // sampling.k)
        for start in range(0, len(prompts), window):
            ahead = range(start, min(start + window, len(prompts)))
            yield from run.window([self.encode(prompts[index], index) for index in ahead])

    def _check_template(self) -> None:
        template = getattr(self.tokenizer, "chat_template", None)
        if not template and not self.chat_template_kwargs.get("chat_template"):
            name = getattr(self.tokenizer, "name_or_path", "") or type(self.tokenizer).__name__
            raise ConfigError(
                f"the tokenizer of {name} has no chat template, and the prompts are messages; "
                "set model.chat_template to a file, or data.format: text"
            )

    def encode(self, prompt: Prompt, index: int = 0) -> list[int]:
        """Return a prompt's tokens, encoded as by `GRPOTrainer`.

        Args:
            prompt: Text or messages.
            index: Which of the prompts it is, for the message.

        Raises:
            ConfigError: It cannot be encoded.
        """
        ids: list[int]
        if isinstance(prompt, str):
            ids = self.tokenizer(text=prompt)["input_ids"]
        else:
            try:
                ids = self.tokenizer.apply_chat_template(
                    [dict(message) for message in prompt],
                    add_generation_prompt=True,
                    tokenize=True,
                    return_dict=True,
                    **self.chat_template_kwargs,
                )["input_ids"]
            except Exception as error:  # templates refuse with whatever they like, such as a missing role
                raise ConfigError(f"the chat template cannot take prompt {index}: {error}") from error
        if not ids:
            raise ConfigError(f"prompt {index} has no tokens, got {prompt!r:.80}; leave it out")
        return ids


@contextmanager
def generating(model: Any, config: Any) -> Iterator[None]:
    """Put a model into inference mode under a generation configuration of ours.

    Its own configuration is set aside rather than overridden: `generate` fills in from it whatever ours
    leaves at None, so that a published `repetition_penalty` or `min_p` would otherwise leak in.

    Gradient checkpointing needs no switch: transformers recomputes in training mode alone, and the cache
    is asked for by `config`, which counts for more than `model.config.use_cache`.

    Args:
        model: A causal language model, or a `PeftModel` around one.
        config: A `GenerationConfig`.
    """
    # `PeftModel.generate` hands the base model the base model's own configuration, so ours goes there.
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    # Module by module: a model in training mode may hold parts, such as frozen ones, that are not.
    training = [module for module in model.modules() if module.training]
    own = base.generation_config
    model.train(False)
    base.generation_config = config
    try:
        yield
    finally:
        base.generation_config = own
        for module in training:
            module.training = True


@contextmanager
def seeded(seed: int, model: Any) -> Iterator[None]:
    """Draw from a seed, and restore the global random state.

    Generators are seeded one by one, since `torch.manual_seed` also reseeds every accelerator that the
    model does not use.

    Args:
        seed: Any number below 2**63.
        model: On whose devices numbers are drawn.
    """
    torch = require("torch", extra="train")
    used = {parameter.device for parameter in model.parameters()} - {
        torch.device("cpu"),
        torch.device("meta"),
    }
    kinds: dict[str, list[int]] = {}
    for device in used:
        kinds.setdefault(device.type, []).append(device.index or 0)
    with ExitStack() as stack:
        stack.enter_context(torch.random.fork_rng(devices=[], device_type="cuda"))  # the CPU's
        torch.default_generator.manual_seed(seed)
        for kind, indices in kinds.items():
            stack.enter_context(torch.random.fork_rng(devices=indices, device_type=kind))
            if kind == "cuda":
                for index in indices:
                    torch.cuda.default_generators[index].manual_seed(seed)
            else:
                getattr(torch, kind).manual_seed(seed)
        yield
