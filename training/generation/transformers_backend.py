"""Generation by a model in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reward_verifiers.verifiers import ConfigError

from .generation_batches import Run
from .sampling_types import Generated, Prompt, Sampling, check_prompts

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
        chat_template_kwargs: What the chat template takes besides the messages, such as
            ``{"enable_thinking": False}``.
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
        """A prompt's tokens, as `GRPOTrainer` encodes it.

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
