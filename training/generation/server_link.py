"""Requests to a server: one client for all of them, each tried again where that may help."""

from __future__ import annotations

import email.utils
import json
import math
import random
import time
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Self, TypeVar

from verifiers import ConfigError
from verifiers.runtime.packages import require

from .sampling_types import GenerationError

T = TypeVar("T")

FIRST_WAIT = 1.0
"""Seconds before the second try; each further wait is twice as long."""
LONGEST_WAIT = 60.0
LONGEST_ORDERED_WAIT = 600.0
"""Of what a server orders with Retry-After: a run that sleeps for hours looks as if it hung."""
CONNECT = 10.0
"""Seconds for a connection: a server that is up accepts one at once, however long it then thinks."""
# Timeout, conflict and rate limit; with 5xx, what another try may get past.
PASSING = (408, 409, 429)
EXCERPT = 300


class RefusedError(ConfigError):
    """The server says that the request itself is wrong, so that no retry helps.

    Attributes:
        status: The HTTP status.
        said: The server's message.
    """

    def __init__(self, message: str, status: int, said: str) -> None:
        super().__init__(message)
        self.status, self.said = status, said


class Link:
    """One call's connections to a server.

    Args:
        httpx: The package.
        key: Sent as a bearer token; never shown.
        timeout: Seconds a request.
        retries: Further tries of a request that failed temporarily.
        connections: At most this many at a time.

    Attributes:
        free: The connections that are free, once it is entered.
    """

    def __init__(
        self, httpx: ModuleType, *, key: str | None, timeout: float, retries: int, connections: int
    ) -> None:
        self._httpx, self._key = httpx, key
        self._timeout, self._retries, self._connections = timeout, retries, connections
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        self._client = httpx.AsyncClient(
            headers=headers,
            timeout=httpx.Timeout(timeout, connect=min(CONNECT, timeout), pool=None),
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
        )
        self._anyio = require("anyio", extra="train")

    async def __aenter__(self) -> Self:
        self.free = self._anyio.Semaphore(self._connections)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def ask(self, url: str, body: Mapping[str, Any], read: Callable[[bytes], T], subject: str) -> T:
        """Send a request until it is answered; to be cancelled at any time.

        Args:
            url: Where to.
            body: Sent as JSON.
            read: Turns the content of an answer with status 200 into what it means; a ValueError says that
                it means nothing, which counts as a temporary failure.
            subject: What the request is for, as messages name it.

        Raises:
            RefusedError: The server refuses the request itself.
            GenerationError: Every try failed temporarily.
        """
        content = json.dumps(body).encode()
        trouble, ordered = "", 0.0
        for tried in range(self._retries + 1):
            if tried:
                await self._anyio.sleep(max(_pause(tried), ordered))
            try:
                # The client's timeout counts from one byte to the next; a server may keep a connection
                # alive with white space, so the whole has a deadline as well.
                with self._anyio.fail_after(self._timeout):
                    answer = await self._client.post(url, content=content)
                if answer.status_code == 200:
                    return read(answer.content)
            except TimeoutError:
                trouble = f"ReadTimeout: the answer is not complete after {self._timeout:g} s"
                ordered = 0.0
                continue
            except (self._httpx.RequestError, ValueError) as error:
                trouble, ordered = self._hidden(f"{type(error).__name__}: {error}"), 0.0
                continue
            status, said = answer.status_code, self._hidden(_message(answer.content))
            if status not in PASSING and status < 500:
                raise RefusedError(f"{url} refuses {subject} with status {status}: {said}", status, said)
            trouble, ordered = f"status {status}: {said}", _ordered(answer.headers.get("retry-after"))
        raise GenerationError(
            f"{url} gave no usable answer for {subject} in {self._retries + 1} tries (the last: {trouble}); "
            "see whether the server is up, or allow it more time or retries"
        )

    def _hidden(self, text: str) -> str:
        """A text without the key, which some servers repeat."""
        return text.replace(self._key, "***") if self._key else text


def _pause(tried: int) -> float:
    """Seconds before another try: twice as long each time, and spread, so that not all return at once."""
    longest = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (tried - 1))
    return random.uniform(longest / 2, longest)  # noqa: S311  (no secret)


def _ordered(header: str | None) -> float:
    """The seconds that a Retry-After header orders: a number or a date; 0 for none.

    >>> _ordered("7"), _ordered(None), _ordered("soon"), _ordered("Wed, 21 Oct 2015 07:28:00 GMT")
    (7.0, 0.0, 0.0, 0.0)
    """
    if header is None:
        return 0.0
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
        except ValueError:
            return 0.0
    return min(max(seconds, 0.0), LONGEST_ORDERED_WAIT) if math.isfinite(seconds) else 0.0


def _message(content: bytes) -> str:
    """What a server says in an answer that is an error.

    >>> _message(b'{"error": {"message": "too long", "code": 400}}'), _message(b"<h1>Bad Gateway</h1>")
    ('too long', '<h1>Bad Gateway</h1>')
    """
    text = " ".join(content.decode(errors="replace").split())
    try:
        said = json.loads(content)
    except ValueError:
        return text[:EXCERPT] or "(nothing)"
    for name in ("error", "message", "detail"):
        said = said.get(name, said) if isinstance(said, dict) else said
    return said[:EXCERPT] if isinstance(said, str) else text[:EXCERPT]
