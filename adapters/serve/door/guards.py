"""What stands before every request: its host, the token, the bounds, and one shape for what is refused.

Plain ASGI (asgi.readthedocs.io), so that a request is refused before its body is read or parsed.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from collections.abc import Awaitable, Callable, Coroutine, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from ..handlers import DEADLINE
from ..limits import Limits, ServeError, busy, too_large
from ..log_lines import LOG
from ..metrics import Metrics
from .bodies import check_kind
from .hosts import check_host

OPEN = ("/health",)
"""Paths that need no token and are never busy: what watches a server asks them."""
DRAINED_BYTES, DRAINED_SECONDS = 1 << 30, 30.0
"""What is read of a body that is too large, and thrown away: a client that is still sending when the answer
comes sees a broken connection instead of it."""
GONE = 499
"""What is counted for a request whose client did not wait; no standard has a status for that."""

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class _Reply:
    """What is sent to a client, and how far that has come."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 500
        self.begun = self.ended = False

    async def send(self, message: Message) -> None:
        """See ASGI."""
        if message["type"] == "http.response.start":
            self.status, self.begun = message["status"], True
        elif message["type"] == "http.response.body":
            self.ended = not message.get("more_body", False)
        await self._send(message)


class Guards:
    """Lets requests through to an application.

    Args:
        app: The application.
        limits: How much is let through.
        metrics: What is counted.
        paths: Paths that are counted by their names; others are counted together.
        token: What requests must have, as ``Authorization: Bearer TOKEN``, or as ``?access_token=TOKEN`` (RFC
            6750, 2.3) since trainers send no headers; None for no token.
        names: What the server is called by, without ports; None for anything.
    """

    def __init__(
        self,
        app: App,
        limits: Limits,
        metrics: Metrics,
        paths: frozenset[str],
        token: str | None,
        names: frozenset[str] | None = None,
    ) -> None:
        self._app, self._limits, self._metrics, self._paths = app, limits, metrics, paths
        self._token = None if token is None else token.encode()
        self._names = names
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = _tidied(scope)
        reply = _Reply(send)
        started = time.monotonic()
        if scope["path"] in OPEN:
            await self._answered(reply, self._let_in(scope, receive, reply))
            return
        self._metrics.under_way += 1
        chunks: list[bytes] = []
        try:
            await self._answered(reply, self._let_through(scope, receive, reply, chunks, started))
        finally:
            self._bytes -= sum(map(len, chunks))
            self._metrics.under_way -= 1
            first = "/" + scope["path"].lstrip("/").partition("/")[0]
            known = first if first in self._paths else "other"
            self._metrics.answered(known, reply.status, time.monotonic() - started)

    # ------------------------------------------------------------------------------------------

    async def _answered(self, reply: _Reply, answering: Coroutine[Any, Any, None]) -> None:
        """Answer; whatever goes wrong has the shape of a refusal."""
        try:
            await answering
        except ServeError as error:
            await refuse(error, reply.send)
        except asyncio.CancelledError:
            # The server ends, and waits no longer.
            if not reply.begun:
                await refuse(ServeError(503, "ending", "the server is ending; ask again", 5), reply.send)
            raise
        except Exception as error:
            LOG.exception("a request broke")
            if not reply.begun:
                said = f"the server broke on this request ({type(error).__name__}); its log says where"
                await refuse(ServeError(500, "internal", said), reply.send)
            elif not reply.ended:
                raise  # so that the connection is closed: what was sent is no whole answer

    async def _let_in(self, scope: Scope, receive: Receive, reply: _Reply) -> None:
        check_host(scope["headers"], self._names)
        await self._app(scope, receive, reply.send)

    async def _let_through(
        self, scope: Scope, receive: Receive, reply: _Reply, chunks: list[bytes], started: float
    ) -> None:
        headers = {name.decode("latin-1"): value for name, value in scope["headers"]}
        check_host(scope["headers"], self._names)
        self._admit(scope, headers)
        if scope["method"] == "POST":
            try:
                check_kind(headers)
            except ServeError:
                await _drain(receive)
                raise
        seconds = self._seconds(headers)
        DEADLINE.set(started + seconds)
        try:
            async with asyncio.timeout(seconds):
                await self._read(headers, receive, chunks)
        except TimeoutError:
            raise ServeError(408, "slow", "the request was not complete in time") from None
        await self._while_awaited(_as_json(scope), b"".join(chunks), receive, reply)

    async def _while_awaited(self, scope: Scope, body: bytes, receive: Receive, reply: _Reply) -> None:
        """Let the application answer for as long as the client is there."""
        gone = asyncio.ensure_future(_left(receive))
        answer = asyncio.ensure_future(self._app(scope, _replayed(body, gone), reply.send))
        try:
            await asyncio.wait((gone, answer), return_when=asyncio.FIRST_COMPLETED)
            if answer.done() or reply.ended:
                await answer
            else:
                reply.status = GONE
        finally:
            gone.cancel()
            answer.cancel()  # its rows leave the queue
            await asyncio.gather(gone, answer, return_exceptions=True)

    def _admit(self, scope: Scope, headers: dict[str, bytes]) -> None:
        if self._token is not None:
            scheme, _, given = headers.get("authorization", b"").partition(b" ")
            if scheme.lower() != b"bearer":
                asked = parse_qs(scope.get("query_string", b"").decode("latin-1"))
                given = asked.get("access_token", [""])[0].encode("utf-8", "replace")
            # In constant time, whatever was sent.
            if not hmac.compare_digest(given.strip(), self._token):
                raise ServeError(
                    401,
                    "unauthorized",
                    "this server wants its token: send the header 'Authorization: Bearer TOKEN', "
                    "or add ?access_token=TOKEN to the address; where it made the token itself, it said at "
                    "its start in which file it is",
                )
        origin = headers.get("origin")
        if origin is not None and origin.partition(b"://")[2] != headers.get("host"):
            # A page in a browser on this machine reaches servers that listen to this machine only.
            raise ServeError(403, "foreign_page", "pages of other sites may not ask this server")
        if self._metrics.under_way > self._limits.requests:
            raise busy(f"{self._limits.requests:,} requests are under way")

    async def _read(self, headers: dict[str, bytes], receive: Receive, chunks: list[bytes]) -> None:
        """Read a body; what was read is counted until the answer is sent."""
        announced = headers.get("content-length", b"0")
        if announced.isdigit() and int(announced) > self._limits.body_bytes:
            await _drain(receive)
            raise self._over()
        size = 0
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ServeError(400, "gone", "the client went away before its request was complete")
            chunk, more = message.get("body", b""), message.get("more_body", False)
            size += len(chunk)
            full = self._bytes + len(chunk) > self._limits.queue_bytes
            if full or size > self._limits.body_bytes:
                if more:
                    await _drain(receive)
                raise busy(f"{self._bytes >> 20} MB of requests wait") if full else self._over()
            self._bytes += len(chunk)
            chunks.append(chunk)

    def _over(self) -> ServeError:
        return too_large(
            f"the body is larger than {self._limits.body_bytes:,} bytes; send several requests, "
            "or start the server with a larger --max-body-mb"
        )

    def _seconds(self, headers: dict[str, bytes]) -> float:
        try:
            asked = float(headers.get("x-deadline-seconds", b"inf"))
        except ValueError:
            return self._limits.deadline
        return min(asked, self._limits.deadline) if asked > 0 else self._limits.deadline


async def refuse(error: ServeError, send: Send) -> None:
    """Answer with an error."""
    body = json.dumps(error.body()).encode()
    headers = {
        "content-type": "application/json",
        "content-length": str(len(body)),
        **error.headers(),
    }
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": error.status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def _as_json(scope: Scope) -> Scope:
    """Bodies are JSON whatever they are called: many a client's default is a form."""
    headers = [each for each in scope["headers"] if each[0] != b"content-type"]
    return {**scope, "headers": [*headers, (b"content-type", b"application/json")]}


async def _drain(receive: Receive) -> None:
    size = 0
    try:
        async with asyncio.timeout(DRAINED_SECONDS):
            while size <= DRAINED_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                if message["type"] == "http.disconnect" or not message.get("more_body"):
                    return
    except TimeoutError:
        return


async def _left(receive: Receive) -> None:
    """Wait until the client is gone, or its answer is complete."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _replayed(body: bytes, gone: asyncio.Future[None]) -> Receive:
    """A body that was read, once more; then that the client is gone, once it is."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        if waiting:
            return waiting.pop()
        await asyncio.wait((gone,))
        return {"type": "http.disconnect"}

    return replay


def _tidied(scope: Scope) -> Scope:
    """The same address without empty steps: ``//health`` and ``/score/`` are what they look like."""
    steps = [each for each in scope["path"].split("/") if each]
    return {**scope, "path": "/" + "/".join(steps)}
