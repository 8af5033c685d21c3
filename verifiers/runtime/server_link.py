"""Requests to a server: one client for all of them, each tried again where that may help.

A service that gives no answers is asked no more: a batch must not wait for it row by row.
"""

from __future__ import annotations

import email.utils
import functools
import json
import math
import random
import time
from collections.abc import Callable, Mapping
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from ..errors import ConfigError, VerifierError
from .packages import require

T = TypeVar("T")

FIRST_WAIT = 1.0
"""Seconds before the second try; each further wait is twice as long."""
LONGEST_WAIT = 60.0
LONGEST_ORDERED_WAIT = 600.0
"""Of what a server orders with Retry-After: a run that sleeps for hours looks as if it hung."""
CONNECT = 10.0
"""Seconds for a connection: a server that is up accepts one at once, however long it then thinks."""
# Timeout, conflict, too early and rate limit; with 5xx, what another try may get past.
PASSING = (408, 409, 425, 429)
EXCERPT = 300
MOST_ANSWER = 256 << 20
"""Bytes of an answer: thousands of long replies with their probabilities. A server may never stop writing."""


class RefusedError(ConfigError):
    """The server says that the request itself is wrong, so that no retry helps.

    Attributes:
        status: The HTTP status.
        said: The server's message.
    """

    def __init__(self, message: str, status: int, said: str) -> None:
        super().__init__(message)
        self.status, self.said = status, said


class NoAnswerError(VerifierError, RuntimeError):
    """A server gave no usable answer in any of the tries."""


def check_address(url: str, owner: str) -> None:
    """Refuse what is no base of an API.

    Raises:
        ConfigError: It is not, or it holds a password, which would be shown wherever the address is.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(
            f"{owner}: url must be the base of an API, such as http://127.0.0.1:8000/v1, got {url!r}"
        )
    if parts.username or parts.password:
        raise ConfigError(f"{owner}: url must hold no user and no password; put the key into the environment")


def bearer(key: str | None, owner: str) -> str | None:
    """A key as a header can carry it; None for none.

    Raises:
        ConfigError: It holds what no header can; the message does not show it.
    """
    key = (key or "").strip()  # a line end comes along from a file
    if not (key.isascii() and (key.isprintable() or not key)):
        raise ConfigError(f"{owner}: the key holds characters that no HTTP header can; copy it again")
    return key or None


class Link:
    """One call's connections to a server.

    Args:
        extra: Extra with the packages that it needs, httpx and anyio.
        key: Sent as a bearer token; never shown.
        timeout: Seconds a request.
        retries: Further tries of a request that failed temporarily.
        connections: At most this many at a time.
        wait: Seconds before the second try; each further wait is twice as long. None for `FIRST_WAIT`.

    Attributes:
        free: The connections that are free, once it is entered.

    Raises:
        MissingDependencyError: One of them is not installed.
    """

    def __init__(
        self,
        extra: str,
        *,
        key: str | None,
        timeout: float,
        retries: int,
        connections: int,
        wait: float | None = None,
    ) -> None:
        httpx: Any = require("httpx", extra=extra)
        self._httpx, self._key = httpx, key
        self._timeout, self._retries, self._connections = timeout, retries, connections
        self._wait = FIRST_WAIT if wait is None else wait
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        self._client = httpx.AsyncClient(
            headers=headers,
            verify=_certificates(extra),
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
        )
        self._anyio = require("anyio", extra=extra)

    async def __aenter__(self) -> Self:
        self.free = self._anyio.Semaphore(self._connections)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def ask(
        self,
        url: str,
        body: Mapping[str, Any],
        read: Callable[[bytes], T],
        subject: str,
        retries: int | None = None,
        timeout: float | None = None,
    ) -> T:
        """Send a request until it is answered; to be cancelled at any time.

        Args:
            url: Address.
            body: Sent as JSON.
            read: Turns the content of an answer with status 200 into what it means; a ValueError says that
                it means nothing, which counts as a temporary failure.
            subject: Subject of the request, for messages.
            retries: Further tries of this one; None for the link's own number.
            timeout: Seconds for each try of this one; None for the link's own.

        Raises:
            RefusedError: The server refuses the request itself.
            NoAnswerError: Every try failed temporarily.
        """
        tries = 1 + (self._retries if retries is None else retries)
        seconds = self._timeout if timeout is None else timeout
        content = json.dumps(body).encode()
        trouble, ordered = "", 0.0
        for tried in range(tries):
            if tried:
                await self._anyio.sleep(max(_pause(tried, self._wait), ordered))
            try:
                # The client's timeout counts from one byte to the next; a server may keep a connection
                # alive with white space, so the whole has a deadline as well.
                with self._anyio.fail_after(seconds):
                    status, ordered_by, answer = await self._post(url, content, seconds)
                if status == 200:
                    return read(answer)
            except TimeoutError:
                trouble = f"ReadTimeout: the answer is not complete after {seconds:g} s"
                ordered = 0.0
                continue
            except (self._httpx.RequestError, ValueError, RecursionError) as error:
                trouble, ordered = self._hidden(f"{type(error).__name__}: {error}"), 0.0
                continue
            said = self._hidden(_message(answer))
            if status not in PASSING and status < 500:
                raise RefusedError(f"{url} refuses {subject} with status {status}: {said}", status, said)
            trouble, ordered = f"status {status}: {said}", _ordered(ordered_by)
        raise NoAnswerError(
            f"{url} gave no usable answer for {subject} in {tries} tries (the last: {trouble}); "
            "see whether the server is up, or allow it more time or retries"
        )

    async def _post(self, url: str, content: bytes, seconds: float) -> tuple[int, str | None, bytes]:
        """Status, Retry-After and content of an answer.

        Raises:
            ValueError: It does not end.
        """
        said = bytearray()
        timeout = self._httpx.Timeout(seconds, connect=min(CONNECT, seconds), pool=None)
        async with self._client.stream("POST", url, content=content, timeout=timeout) as answer:
            async for piece in answer.aiter_bytes():
                said += piece
                if len(said) > MOST_ANSWER:
                    raise ValueError(f"an answer of more than {MOST_ANSWER >> 20} MiB")
            return answer.status_code, answer.headers.get("retry-after"), bytes(said)

    def _hidden(self, text: str) -> str:
        """A text without the key, which some servers repeat."""
        return text.replace(self._key, "***") if self._key else text


@functools.lru_cache(maxsize=1)
def _certificates(extra: str) -> Any:
    """Return the certificates that a connection trusts, read once: that takes longer than a request."""
    return require("httpx", extra=extra).create_ssl_context()


def _pause(tried: int, first: float) -> float:
    """Seconds before another try: twice as long each time, and spread, so that not all return at once."""
    longest = min(LONGEST_WAIT, first * 2.0 ** (tried - 1))
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
    """Return the message in a server's error response.

    >>> _message(b'{"error": {"message": "too long", "code": 400}}'), _message(b"<h1>Bad Gateway</h1>")
    ('too long', '<h1>Bad Gateway</h1>')
    """
    text = " ".join(content[: 64 * EXCERPT].decode(errors="replace").split())
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return text[:EXCERPT] or "(nothing)"
    for name in ("error", "message", "detail"):
        said = said.get(name, said) if isinstance(said, dict) else said
    return said[:EXCERPT] if isinstance(said, str) else text[:EXCERPT]


PROBES = 8
"""Requests that a service may leave unanswered beyond those that were under way when it went down."""


class Outage:
    """Findings of one call about a service: whether it answers at all.

    Used by many requests at a time, from threads as well: counts that are off by one do no harm.

    Args:
        together: Requests under way at a time, which all meet the outage before anybody knows of it.

    >>> outage = Outage(2)
    >>> for _ in range(10):
    ...     outage.unanswered()
    >>> outage.down, outage.over
    (True, True)
    >>> outage.answered()
    >>> outage.down, outage.over
    (False, False)
    """

    def __init__(self, together: int) -> None:
        self._most = together + PROBES
        self._in_a_row = 0

    def unanswered(self) -> None:
        """A request got no answer, with all its tries."""
        self._in_a_row += 1

    def answered(self) -> None:
        """A request was answered, whatever the answer says."""
        self._in_a_row = 0

    @property
    def down(self) -> bool:
        """Whether the last finished request got no answer, so that the next one is not retried."""
        return self._in_a_row > 0

    @property
    def over(self) -> bool:
        """Whether so many requests in a row got no answer that the rest are not sent."""
        return self._in_a_row >= self._most

    def told(self, url: str) -> str:
        """Return the message for a request that is not sent."""
        return (
            f"{url} gave no answer to {self._in_a_row} requests in a row, so this one was not asked; "
            "see whether the server is up"
        )
