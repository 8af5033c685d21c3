"""Asking a served judge: many questions at a time, each answered, declined, or left open by the service.

What a judge makes of a question may fail for two causes, and they are told apart before anybody is blamed:

- the service (no connection, a timeout, 429, 5xx, a key that it does not take): nothing is said of it;
- the form (a reply that is cut off, declined or in another form, a request that is refused as it stands): the
  question may have brought it about, or the service may always do so. A control tells which (`served`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from ..errors import ConfigError
from ..runtime.packages import require
from ..runtime.server_link import Link, NoAnswerError, Outage, RefusedError, bearer, check_address
from .judge_dialogue import FormError, Reply, read, reply_of

T = TypeVar("T")

EXTRA = "remote"
"""The extra that brings httpx and anyio."""
TRIES = 2
"""Replies that are asked for before a sample counts as having no form."""
STRIDE = 1_000_003
"""Between the seeds of two tries, so that the second is no repetition of the first."""
# The content may be why a request is refused; of a key, an address or a model it says nothing.
_BY_CONTENT = (400, 413, 422)
# What a server may not know, with the words by which its refusal says so.
_OPTIONAL = {
    "response_format": ("response_format", "schema", "grammar"),
    "seed": ("seed",),
    "system": ("system role", "system message", "roles must alternate"),
}
_CURES = {
    401: "; see `key_variable`",
    403: "; see `key_variable`",
    404: "; url is the base of the API, such as http://127.0.0.1:8000/v1, and model a name that it serves",
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Server of a judge, and the settings of requests to it.

    Args:
        url: The base of the API.
        model: Its name there.
        key_variable: The environment variable that holds the key.
        temperature: Divisor of the logits.
        max_tokens: Largest number of tokens of a reply.
        seed: Random seed of the first sample; each further one has the next.
        form: Request for the form; left out for a server that does not know it.
        concurrency: Questions at a time.
        timeout: Seconds a request.
        retries: Further tries of a request that failed for a passing reason.
        deadline: Seconds for a question, its retries and samples included.
    """

    url: str
    model: str
    key_variable: str
    temperature: float
    max_tokens: int
    seed: int
    form: Literal["json_schema", "json_object", "text"]
    concurrency: int
    timeout: float
    retries: int
    deadline: float

    def check(self, owner: str) -> None:
        """Refuse what cannot be asked.

        Raises:
            ConfigError: No address, or no model.
        """
        check_address(self.url, owner)
        if not self.model.strip():
            raise ConfigError(f"{owner}: model must be a name that the server knows, got {self.model!r}")


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """Question to a judge.

    Args:
        messages: The conversation.
        schema: The form of the reply, as a JSON Schema.
        key: Key that every reply has.
        meaning: Meaning of a reply.
        samples: Number of replies.
        reading: Reads a reply that is no JSON; None for JSON with `key`.
    """

    messages: tuple[Mapping[str, str], ...]
    schema: Mapping[str, Any]
    key: str
    meaning: Callable[[Mapping[str, Any]], T]
    samples: int = 1
    reading: Callable[[Reply], T] | None = None

    def same(self) -> str:
        """Return a key that equal questions share."""
        return json.dumps([self.messages, self.samples], ensure_ascii=True)


@dataclass(slots=True)
class Answers(Generic[T]):
    """Outcome of a question.

    Args:
        said: Readable replies.
        formless: Why the rest could not, one reason each.
        service: Why the service gave no answer; "" where it did.
        refused: Whether the service takes this judge at all.
    """

    said: list[T] = field(default_factory=list)
    formless: list[str] = field(default_factory=list)
    service: str = ""
    refused: bool = False


def ask_all(endpoint: Endpoint, questions: Sequence[Question[T]], *, tries: int = TRIES) -> list[Answers[T]]:
    """The answers to questions, in order; equal ones are asked once.

    Args:
        endpoint: Server of the model.
        questions: Any number.
        tries: Replies that a sample may need until one has the form.

    Raises:
        MissingDependencyError: httpx is not installed.
        ConfigError: The key holds what no header can.
    """
    if not questions:
        return []
    key = bearer(os.environ.get(endpoint.key_variable) if endpoint.key_variable else None, "Judge")
    link = Link(
        EXTRA,
        key=key,
        timeout=endpoint.timeout,
        retries=endpoint.retries,
        connections=endpoint.concurrency,
    )
    first: dict[str, Question[T]] = {}
    for each in questions:
        first.setdefault(each.same(), each)
    talk: _Talk[T] = _Talk(endpoint, link, tries)
    # An event loop in a thread of its own: the caller may be inside of another, or in any thread.
    with require("anyio.from_thread", extra=EXTRA).start_blocking_portal() as portal:
        answered = portal.call(talk.all, list(first.values()))
    by_text = dict(zip(first, answered, strict=True))
    return [by_text[each.same()] for each in questions]


class _Talk(Generic[T]):
    """One call's requests, and what has been found out about the server."""

    def __init__(self, endpoint: Endpoint, link: Link, tries: int) -> None:
        self._endpoint, self._link, self._tries = endpoint, link, tries
        self._anyio = require("anyio", extra=EXTRA)
        self._url = endpoint.url.rstrip("/") + "/chat/completions"
        # What a server is found not to know. Requests may find it out twice, which does no harm.
        self._left_out: set[str] = set()
        # Once a question was given up, those after it are not tried again and again, until one is answered,
        # and after a few more not asked at all: a server that is down costs a batch one row of patience.
        self._outage = Outage(endpoint.concurrency)

    async def all(self, questions: Sequence[Question[T]]) -> list[Answers[T]]:
        """The answers, in order."""
        made: list[Answers[T]] = [Answers() for _ in questions]
        async with self._link, self._anyio.create_task_group() as group:
            for question, answers in zip(questions, made, strict=True):
                group.start_soon(self._ask, question, answers)
        return made

    async def _ask(self, question: Question[T], answers: Answers[T]) -> None:
        endpoint = self._endpoint
        async with self._link.free:
            if self._outage.over:
                answers.service = self._outage.told(self._url)
                return
            try:
                with self._anyio.fail_after(endpoint.deadline):
                    for sample in range(question.samples):
                        await self._sample(question, sample, answers)
                self._outage.answered()
            except NoAnswerError as error:
                self._outage.unanswered()
                answers.service = str(error)
            except TimeoutError:
                self._outage.unanswered()
                answers.service = f"{self._url} gave no answer within {endpoint.deadline:g} s (`deadline`)"
            except RefusedError as error:
                self._outage.answered()
                answers.service, answers.refused = f"{error}{_CURES.get(error.status, '')}", True

    async def _sample(self, question: Question[T], sample: int, answers: Answers[T]) -> None:
        trouble = ""
        for tried in range(self._tries):
            try:
                reply = await self._reply(question, sample + STRIDE * tried)
                said = (
                    question.reading(reply)
                    if question.reading
                    else read(reply, question.key, question.meaning)
                )
                answers.said.append(said)
                return
            except FormError as error:
                trouble = str(error)
            except RefusedError as error:
                if error.status not in _BY_CONTENT:
                    raise
                trouble = str(error)
                break  # it would be refused again
        answers.formless.append(trouble)

    async def _reply(self, question: Question[T], seed: int) -> Reply:
        while True:
            body = self._body(question, seed)
            try:
                retries = 0 if self._outage.down else None
                return await self._link.ask(self._url, body, reply_of, "a verdict", retries)
            except RefusedError as error:
                # The form is checked here in any case.
                unknown = {
                    name
                    for name, words in _OPTIONAL.items()
                    if name not in self._left_out and any(word in error.said.lower() for word in words)
                }
                if error.status not in _BY_CONTENT or not unknown:
                    raise
                self._left_out |= unknown

    def _body(self, question: Question[T], seed: int) -> dict[str, Any]:
        endpoint = self._endpoint
        messages = [dict(each) for each in question.messages]
        if "system" in self._left_out:
            messages = [{"role": "user", "content": "\n\n".join(each["content"] for each in messages)}]
        body: dict[str, Any] = {
            "model": endpoint.model,
            "messages": messages,
            "temperature": endpoint.temperature,
            "max_tokens": endpoint.max_tokens,
            "seed": (endpoint.seed + seed) % 2**31,
        }
        if endpoint.form == "json_schema":
            schema = {"name": "verdict", "strict": True, "schema": question.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif endpoint.form == "json_object":
            body["response_format"] = {"type": "json_object"}
        return {name: value for name, value in body.items() if name not in self._left_out}
