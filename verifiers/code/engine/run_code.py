"""Requests to ``/run_code``: tried again where that may help, bounded in time and size."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Self

from ...runtime.packages import require
from ...runtime.server_link import Outage

CONNECT = 10.0
"""Seconds for a connection: a server that is up accepts one at once, however long it then works."""
LONGEST_WAIT = 30.0
MOST_ANSWER = 64 << 20
"""Bytes of an answer; the server itself returns a mebibyte of an output."""
# Timeout, too early, too many requests; with 5xx, what another try may get past.
PASSING = (408, 425, 429)
_EXCERPT = 300


class LinkError(Exception):
    """No usable answer, after all tries."""


@dataclass(frozen=True)
class Answer:
    """What the server says of one run.

    Args:
        status: The exit status of the program.
        output: Its standard output.
        errors: Its standard error, or the compiler's.
        timed_out: It did not end in its time.
        compiling: It was the compiler that failed.
        seconds: How long it ran.
    """

    status: int
    output: str = ""
    errors: str = ""
    timed_out: bool = False
    compiling: bool = False
    seconds: float = 0.0


class Link:
    """The connections of one batch.

    Args:
        httpx: The package.
        url: Of ``/run_code``.
        key: Sent as a bearer token; never shown.
        connections: At most this many at a time.
        retries: Further tries of a request that failed temporarily.
        patience: Seconds on top of what a program may take.
        wait: Seconds before the second try; each further wait is twice as long.
    """

    def __init__(
        self,
        httpx: ModuleType,
        url: str,
        *,
        key: str | None,
        connections: int,
        retries: int,
        patience: float,
        wait: float,
    ) -> None:
        self._httpx, self._url, self._key = httpx, url, key
        self._retries, self._patience, self._wait = retries, patience, wait
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        self._anyio = require("anyio", extra="remote")
        self._portal_of = require("anyio.from_thread", extra="remote").start_blocking_portal
        self._headers = headers
        self._limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        self._outage = Outage(connections)

    def __enter__(self) -> Self:
        # An event loop of its own, since there a request is given up at its deadline wherever it is: a server
        # may send a byte at a time, and each is an answer to a client that waits in a thread.
        self._stack = ExitStack()
        self._portal = self._stack.enter_context(self._portal_of())
        self._client = self._httpx.AsyncClient(headers=self._headers, limits=self._limits)
        self._stack.callback(self._portal.call, self._client.aclose)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def ask(self, body: Mapping[str, Any], seconds: float) -> Answer:
        """Run a program.

        Args:
            body: Of the request.
            seconds: What compiler and program may take.

        Raises:
            LinkError: Every try failed, or the server refuses the request, or it has long given no answer.
        """
        if self._outage.over:
            raise LinkError(self._outage.told(self._url))
        content = json.dumps(body).encode()
        trouble, tries = "", 1 if self._outage.down else self._retries + 1
        for tried in range(tries):
            if tried:
                longest = min(LONGEST_WAIT, self._wait * 2.0 ** (tried - 1))
                time.sleep(random.uniform(longest / 2, longest))  # noqa: S311  (no secret)
            try:
                status, said = self._portal.call(self._post, content, seconds + self._patience)
                if status == 200:
                    answer = read_answer(said)
                    self._outage.answered()
                    return answer
            except (self._httpx.HTTPError, ValueError, RecursionError, TimeoutError) as error:
                trouble = self._hidden(f"{type(error).__name__}: {error}")
                continue
            excerpt = self._hidden(" ".join(said[:_EXCERPT].decode(errors="replace").split()))
            trouble = f"status {status}: {excerpt}"
            if status < 500 and status not in PASSING:
                self._outage.answered()
                raise LinkError(f"the request is refused with {trouble}")
        self._outage.unanswered()
        raise LinkError(f"no usable answer in {tries} tries; the last: {trouble}"[:_EXCERPT])

    async def _post(self, content: bytes, seconds: float) -> tuple[int, bytes]:
        """Status and content of an answer that is complete in time: bytes that trickle are none."""
        timeout = self._httpx.Timeout(seconds, connect=min(CONNECT, seconds), pool=None)
        said = bytearray()
        try:
            with self._anyio.fail_after(seconds):
                async with self._client.stream("POST", self._url, content=content, timeout=timeout) as answer:
                    async for piece in answer.aiter_bytes():
                        said += piece
                        if len(said) > MOST_ANSWER:
                            raise ValueError(f"an answer of more than {MOST_ANSWER >> 20} MiB")
                    return answer.status_code, bytes(said)
        except TimeoutError:
            raise TimeoutError(f"the answer is not complete after {seconds:g} s") from None

    def _hidden(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text


def read_answer(content: bytes) -> Answer:
    """What an answer says of the run.

    Raises:
        ValueError: It says nothing: it is not of this form, or the sandbox broke.
    """
    said = json.loads(content)
    if not isinstance(said, dict):
        raise ValueError(f"not an answer: {content[:_EXCERPT]!r}")
    if said.get("status") not in ("Success", "Failed"):
        raise ValueError(f"status {said.get('status')!r:.40}: {str(said.get('message'))[:_EXCERPT]}")
    compiled, run = said.get("compile_result"), said.get("run_result")
    if isinstance(compiled, dict) and (_ended(compiled, "compile_result") or run is None):
        return Answer(1, errors=_text(compiled, "stderr"), compiling=True)
    if not isinstance(run, dict):
        raise ValueError("neither run_result nor a failed compile_result")
    status = _ended(run, "run_result")
    return Answer(
        status if status is not None else 1,
        _text(run, "stdout"),
        _text(run, "stderr"),
        timed_out=status is None,
        seconds=_seconds(run.get("execution_time")),
    )


def _ended(result: dict[str, Any], name: str) -> int | None:
    """The exit status; None where the time ran out."""
    if result.get("status") == "TimeLimitExceeded":
        return None
    code = result.get("return_code")
    if result.get("status") != "Finished" or not isinstance(code, int):
        raise ValueError(f"{name}: {result.get('status')}, return_code {code!r:.40}")
    return code


def _text(result: dict[str, Any], key: str) -> str:
    value = result.get(key)
    return value if isinstance(value, str) else ""


def _seconds(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
