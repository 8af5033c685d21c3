"""Generation by a server with an OpenAI-compatible API: vLLM, SGLang, llama.cpp, Ollama, a hosted model."""

from __future__ import annotations

import functools
import json
import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.runtime.packages import require
from reward_verifiers.verifiers.runtime.server_link import (
    Link,
    NoAnswerError,
    RefusedError,
    bearer,
    check_address,
)

from .sampling_types import SEEDS, Generated, GenerationError, Prompt, Sampling, check_prompts, cut

# The request was dropped while the model wrote, so what has arrived is not a completion.
DROPPED = ("abort", "error")


def completions(content: bytes, stop: Sequence[str]) -> list[Generated]:
    """Return the choices of an answer, in the order of their index.

    Args:
        content: The answer, of `/chat/completions` or `/completions`.
        stop: The stop texts that were asked for.

    Returns:
        One completion for each choice. A choice that tells its tokens (`token_ids`) is as long as these;
        otherwise the tokens of the answer (`usage.completion_tokens`) are shared out evenly, and are 0
        where the server counts none.

    Raises:
        ValueError: It is not such an answer; the message shows its beginning.
    """
    answer = json.loads(content)
    choices = answer.get("choices") if isinstance(answer, dict) else None
    if not isinstance(choices, list) or not choices or not all(isinstance(each, dict) for each in choices):
        raise ValueError(f"an answer without choices: {_beginning(answer)}")
    choices.sort(key=lambda each: each["index"] if isinstance(each.get("index"), int) else 0)
    usage = answer.get("usage")
    total = usage.get("completion_tokens") if isinstance(usage, dict) else None
    share = round(total / len(choices)) if isinstance(total, int) else 0
    return [_completion(choice, share, stop) for choice in choices]


def _completion(choice: Mapping[str, Any], share: int, stop: Sequence[str]) -> Generated:
    reason = choice.get("finish_reason")
    if reason in DROPPED:
        raise ValueError(f"a choice that was dropped: {_beginning(choice)}")
    message = choice.get("message")
    if isinstance(message, dict):
        text = message.get("content")
        # A reasoning model that spent all its tokens on thinking, or refused, has none.
        text = "" if text is None else text
        thinking = message.get("reasoning_content") or message.get("reasoning") or None
    else:
        text, thinking = choice.get("text"), None
    if not isinstance(text, str) or not isinstance(thinking, str | None):
        raise ValueError(f"a choice without text: {_beginning(choice)}")
    own = choice.get("token_ids")
    # For a server that ignores stop texts, or leaves the text itself in.
    kept = cut(text, stop)
    return Generated(
        text=kept,
        tokens=len(own) if isinstance(own, list) else share,
        finished=reason != "length" or len(kept) < len(text),
        thinking=thinking,
    )


def _beginning(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:200]


# Requests ahead of the caller, for each that the server sees: enough that one long completion at the head
# of the line leaves the server busy, and little to lose.
AHEAD = 4
# What a request for the rest of a prompt's completions adds to the seed for each that there is: the same
# seed would draw the same completion again. A prime, so that no other prompt's seed is met soon.
STRIDE = 1_000_003

CURES = {
    401: "; set key, or the environment variable OPENAI_API_KEY",
    403: "; set key, or the environment variable OPENAI_API_KEY",
    404: "; url is the base of the API, such as http://127.0.0.1:8000/v1, and model a name that it serves",
}


@dataclass
class ServerBackend:
    """Completions by a server: messages go to `/chat/completions`, plain text to `/completions`.

    A prompt's request asks for `n = k` completions with the seed `sampling.seed` + the prompt's index; a
    server that gives fewer, or refuses `n`, is asked again. "No limit" of `top_k` is sent as -1, and left
    out for a server that does not know the field. What `Sampling` does not name, such as a repetition
    penalty, is the server's own default (vLLM takes it from the model; ``--generation-config vllm``
    turns that off).

    Requests that fail temporarily (no connection, a timeout, status 408, 409, 429 or 5xx, an answer that
    cannot be read) are tried again, after growing pauses, or as long as Retry-After orders.

    Tokens: see `_completions`; most servers count those of an answer, not of each completion.

    Args:
        url: The base of the API, such as ``http://127.0.0.1:8000/v1``.
        model: Its name there.
        key: The bearer token; None for the environment variable OPENAI_API_KEY, where it is set; "" for
            none.
        concurrency: Requests at a time.
        timeout: Seconds a request.
        retries: Further tries of a request.

    Raises:
        ConfigError: A value outside its range.
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    concurrency: int = 16
    timeout: float = 600.0
    retries: int = 5

    def __post_init__(self) -> None:
        check_address(self.url, "ServerBackend")
        if not self.model:
            raise ConfigError("ServerBackend: model must be a name that the server knows, got ''")
        if self.concurrency < 1:
            raise ConfigError(f"ServerBackend: concurrency must be at least 1, got {self.concurrency}")
        if not self.timeout > 0:
            raise ConfigError(f"ServerBackend: timeout must be above 0 seconds, got {self.timeout}")
        if self.retries < 0:
            raise ConfigError(f"ServerBackend: retries must be 0 or more, got {self.retries}")

    def generate(self, prompts: Sequence[Prompt], sampling: Sampling) -> Iterator[list[Generated]]:
        """See `Backend.generate`. Requests are made from the first completion that the caller asks for.

        Raises:
            ConfigError: The server refuses a request; the message is the server's.
            GenerationError: A prompt has no completion after every retry. Those before it are given first.
            MissingDependencyError: httpx is not installed.
        """
        check_prompts(prompts)
        link = Link(
            "train",
            key=bearer(os.environ.get("OPENAI_API_KEY") if self.key is None else self.key, "ServerBackend"),
            timeout=self.timeout,
            retries=self.retries,
            connections=self.concurrency,
        )
        return self._stream(link, prompts, sampling)

    def _stream(self, link: Link, prompts: Sequence[Prompt], sampling: Sampling) -> Iterator[list[Generated]]:
        talk = _Talk(self.url.rstrip("/"), self.model, link, sampling)
        waiting: deque[Future[list[Generated]]] = deque()
        # An event loop in a thread of its own: its tasks end at once when they are cancelled.
        portal_of = require("anyio.from_thread", extra="train").start_blocking_portal
        with portal_of() as portal, portal.wrap_async_context_manager(link):
            try:
                for index, prompt in enumerate(prompts):
                    waiting.append(portal.start_task_soon(talk.completions, index, prompt))
                    if len(waiting) >= AHEAD * self.concurrency:
                        yield waiting[0].result()
                        waiting.popleft()
                while waiting:
                    yield waiting[0].result()
                    waiting.popleft()
            finally:
                # On Ctrl-C, an error or a caller that has enough.
                for each in waiting:
                    each.cancel()


class _Talk:
    """One call's requests, and the known properties of the server's dialect."""

    def __init__(self, url: str, model: str, link: Link, sampling: Sampling) -> None:
        self.url, self.model, self.link, self.sampling = url, model, link, sampling
        # Requests may find the same thing out twice, which does no harm.
        self.takes_n = True
        self.takes_top_k = True

    async def completions(self, index: int, prompt: Prompt) -> list[Generated]:
        """Return all completions of a prompt."""
        path, content = (
            ("completions", {"prompt": prompt})
            if isinstance(prompt, str)
            else ("chat/completions", {"messages": [dict(message) for message in prompt]})
        )
        read = functools.partial(completions, stop=self.sampling.stop)
        made: list[Generated] = []
        async with self.link.free:
            while len(made) < self.sampling.k:
                body = {"model": self.model, **content, **self._settings(index, len(made))}
                try:
                    made += await self.link.ask(f"{self.url}/{path}", body, read, f"prompt {index}")
                except NoAnswerError as error:
                    raise GenerationError(str(error)) from None
                except RefusedError as error:
                    if not self._adapt(body, error):
                        raise ConfigError(f"{error}{CURES.get(error.status, '')}") from None
        return made[: self.sampling.k]

    def _settings(self, index: int, made: int) -> dict[str, Any]:
        sampling = self.sampling
        settings: dict[str, Any] = {
            "n": sampling.k - made if self.takes_n else 1,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
            "seed": (sampling.seed + index + STRIDE * made) % SEEDS,
        }
        if sampling.stop:
            settings["stop"] = list(sampling.stop)
        if self.takes_top_k:
            # vLLM would otherwise take the model's own limit.
            settings["top_k"] = sampling.top_k or -1
        return settings

    def _adapt(self, body: dict[str, Any], error: RefusedError) -> bool:
        """Leave out fields that the server may have refused; return whether there is something to try."""
        if error.status not in (400, 422):
            return False
        if body.get("top_k") == -1 and "top_k" in error.said:
            self.takes_top_k = False
            return True
        if body["n"] > 1:
            self.takes_n = False
            return True
        return False
