"""Inputs and outputs of a generation backend, and stop texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol, TypeAlias

from reward_verifiers.verifiers.core import Component, ConfigError, Range, VerifierError
from reward_verifiers.verifiers.runtime.packages import require

Prompt: TypeAlias = str | Sequence[Mapping[str, Any]]
"""Plain text, or chat messages."""

# llama.cpp reads 2**32 - 1 as "a random seed", and some servers hold a seed in a signed 32-bit number.
SEEDS = 2**31


class GenerationError(VerifierError, RuntimeError):
    """A prompt got no completion: the server gave none after every retry, or memory ran out."""


@dataclass(frozen=True, repr=False)
class Sampling(Component):
    """Settings for sampling completions.

    Args:
        k: Completions of each prompt.
        temperature: Divisor of the logits; 0 is greedy, with k = 1.
        top_p: The probability mass that is sampled from, in (0, 1]; 1 is no limit.
        top_k: Number of likeliest tokens to sample from; 0 is no limit.
        max_tokens: The longest completion, in the model's tokens.
        stop: Texts that end a completion; the completion ends before the first of them.
        seed: From 0 to 2**31 - 1. The same call with the same seed draws the same completions.

    Raises:
        ConfigError: A value of the wrong type or outside its range.
    """

    k: Annotated[int, Range(least=1)] = 1
    temperature: Annotated[float, Range(least=0)] = 1.0
    top_p: Annotated[float, Range(above=0, most=1)] = 1.0
    top_k: Annotated[int, Range(least=0)] = 0
    max_tokens: Annotated[int, Range(least=1)] = 512
    stop: tuple[str, ...] = ()
    seed: Annotated[int, Range(0, SEEDS - 1)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.temperature == 0 and self.k > 1:
            raise ConfigError(
                f"Sampling: temperature 0 is greedy, which gives k = {self.k} equal completions; "
                "set k to 1, or a temperature above 0"
            )
        if not all(self.stop):
            raise ConfigError(
                f"Sampling: stop must be non-empty texts, got {self.stop}; () is for no stop text"
            )
        if not 0 <= self.seed < SEEDS:
            raise ConfigError(f"Sampling: seed must be from 0 to 2**31 - 1, got {self.seed}")


@dataclass(frozen=True, slots=True)
class Generated:
    """One completion.

    Args:
        text: Text of the model, without special tokens and stop text.
        tokens: Its length in the model's tokens, the end token (or the stop text) included.
        finished: It ended by itself, rather than at `Sampling.max_tokens`.
        thinking: The reasoning that a server tells apart from the text.
        messages: The conversation, where tools were called; `text` is then its last message's.
        environment: The row's, as the conversation left it.
    """

    text: str
    tokens: int
    finished: bool
    thinking: str | None = None
    messages: tuple[Mapping[str, Any], ...] | None = None
    environment: Any = None


class Backend(Protocol):
    """A source of completions."""

    def generate(self, prompts: Sequence[Prompt], sampling: Sampling) -> Iterator[list[Generated]]:
        """Draw completions.

        Args:
            prompts: Texts or chat messages.
            sampling: How.

        Returns:
            One list of exactly `sampling.k` completions for each prompt, in the order of the prompts, as
            they come: what follows is made while, or after, the caller takes what there is.
        """
        ...


def check_prompts(prompts: Sequence[Prompt]) -> None:
    """Refuse one prompt where several are meant, and values that are not prompts.

    Raises:
        ConfigError: The message says which prompt, and what it is.
    """
    if isinstance(prompts, str):
        raise ConfigError(f"generate: prompts must be a list of prompts, got the text {prompts!r:.80}")
    for index, prompt in enumerate(prompts):
        if isinstance(prompt, str):
            continue
        if isinstance(prompt, Mapping) or not isinstance(prompt, Sequence):
            raise ConfigError(
                f"generate: prompt {index} must be a text or a list of messages, got {prompt!r:.80}"
                + ("; put the messages of one prompt in a list of their own" * isinstance(prompt, Mapping))
            )
        if not prompt or not all(isinstance(message, Mapping) for message in prompt):
            raise ConfigError(
                f"generate: prompt {index} must hold messages such as "
                f'{{"role": "user", "content": "..."}}, got {prompt!r:.80}'
            )


# A tail that starts inside a character, or loses its first space, still shows the stop text whole.
MARGIN = 4


class StopTexts:
    """A stopping criterion that looks for texts in each decoded completion.

    transformers has one of its own, which compares the tokens of the prompt too, and therefore also stops
    at a text that began in the prompt; and it does not say where a completion ended.

    Args:
        tokenizer: The model's.
        stop: The texts.
        prompt_length: Tokens of the padded prompts.

    Attributes:
        ended: For each row that has ended, how many tokens it holds, those of its stop text included.
    """

    def __init__(self, tokenizer: Any, stop: Sequence[str], prompt_length: int) -> None:
        self.ended: dict[int, int] = {}
        self._tokenizer = tokenizer
        self._stop = stop
        self._start = prompt_length
        # No token but a skipped one is shorter than a byte.
        self._tail = max(len(each.encode()) for each in stop) + MARGIN

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        """Return a boolean for each row, true where it ends here, as transformers expects it."""
        torch = require("torch", extra="train")
        tails = input_ids[:, max(self._start, input_ids.shape[1] - self._tail) :].tolist()
        for row, text in enumerate(self._decode(tails)):
            if row not in self.ended and self._found(text):
                made = input_ids[row, self._start :].tolist()
                # A tail may decode to what the whole does not, so the whole decides.
                if self._found(self._decode([made])[0]):
                    self.ended[row] = len(made)
        return torch.tensor([row in self.ended for row in range(len(tails))], device=input_ids.device)

    def _decode(self, ids: list[list[int]]) -> list[str]:
        texts: list[str] = self._tokenizer.batch_decode(ids, skip_special_tokens=True)
        return texts

    def _found(self, text: str) -> bool:
        return any(each in text for each in self._stop)


def cut(text: str, stop: Sequence[str]) -> str:
    """Return the text before the first stop text.

    >>> cut("a; b. c;", (".", ";"))
    'a'
    """
    return text[: min((at for at in map(text.find, stop) if at >= 0), default=len(text))]


def special_stops(tokenizer: Any, stop: Sequence[str]) -> dict[str, int]:
    """Return the stop texts that are special tokens: decoding skips these, so no text shows them."""
    tokens = getattr(tokenizer, "added_tokens_decoder", {})
    special = {str(token): index for index, token in tokens.items() if token.special}
    return {each: special[each] for each in stop if each in special}
