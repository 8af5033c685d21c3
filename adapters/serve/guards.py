"""Guards before every request: its host, token, bounds and body, with one form of refusal.

Plain ASGI (asgi.readthedocs.io), so that a request is refused before its body is read or parsed. A body is
JSON in UTF-8, as it is, read as strictly as the lines of a file.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from ..files.chunk_scorer import dumps
from ..files.formats.strict_json import MAX_DEPTH, read
from .addresses import check_host
from .counters import LOG, Metrics
from .handlers import DEADLINE
from .load_limits import Limits, ServeError, busy, too_large, unreadable

TAKEN = ("application/json", "text/json", "text/plain", "application/octet-stream",
         "application/x-www-form-urlencoded")  # fmt: skip
"""Media types under which clients send JSON: many a client's default is a form. Besides them, ``+json``."""
DEEPEST = MAX_DEPTH + 2
"""Of a body, in which rows stand in a list in an object."""
LARGE = 256 << 10
"""Bytes of a body that is read in another thread, so that other requests are answered meanwhile."""


def check_kind(headers: Mapping[str, bytes]) -> None:
    """Refuse a body that is compressed, or of another content type.

    Raises:
        ServeError: 415.
    """
    coding = headers.get("content-encoding", b"").decode("latin-1").strip().lower()
    if coding not in ("", "identity"):
        raise _untaken(f"the body is packed ({coding!r:.40}); send it as it is, without Content-Encoding")
    kind, _, options = headers.get("content-type", b"").decode("latin-1").strip().lower().partition(";")
    kind = kind.strip()
    if kind and kind not in TAKEN and not kind.endswith("+json"):
        raise _untaken(f"the body is called {kind!r:.60}; send JSON, as application/json")
    for option in options.split(";"):
        name, _, value = option.partition("=")
        if name.strip() == "charset" and value.strip(" \"'") not in ("utf-8", "utf8", "us-ascii", "ascii"):
            raise _untaken(f"the body is in {value.strip()!r:.40}; send JSON in UTF-8")


def _untaken(message: str) -> ServeError:
    return ServeError(415, "untaken_kind", message)


async def data(body: bytes) -> Any:
    """Parse a body.

    Raises:
        ServeError: 422, with the place.
    """
    try:
        # The reader goes as deep as the calls that it stands in leave it, and those are fewest in a thread.
        if len(body) > LARGE or body.count(b"[") + body.count(b"{") > 200:
            return await asyncio.to_thread(read, body, DEEPEST)
        return read(body, DEEPEST)
    except ValueError as error:
        raise unreadable(f"the body is {error}") from None


def strict_route() -> Any:
    """Return the class of routes for a FastAPI application that reads bodies strictly."""
    from fastapi import Request
    from fastapi.routing import APIRoute

    class Read(Request):
        """A request whose body was read."""

        def __init__(self, request: Request, found: Any) -> None:
            super().__init__(request.scope, request.receive)
            self._body, self._found = b"1", found  # of FastAPI, which asks whether there is one

        async def json(self) -> Any:
            return self._found

    class StrictRoute(APIRoute):
        """Reads bodies before the framework does."""

        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Any]]:
            handle = super().get_route_handler()

            async def handler(request: Request) -> Any:
                if self.body_field is None:
                    return await handle(request)
                return await handle(Read(request, await data(await request.body())))

            return handler

    return StrictRoute


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
    """A reply to a client, and its progress."""

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
        limits: Largest requests.
        metrics: Counters.
        paths: Paths that are counted by their names; others are counted together.
        token: Token that requests must carry as ``Authorization: Bearer TOKEN``, or as
            ``?access_token=TOKEN`` (RFC 6750, 2.3), because trainers send no headers; None for no token.
        names: Host names of the server, without ports; None accepts any.
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
        """Answer a request; any error has the form of a refusal."""
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
                said = f"the server failed on this request ({type(error).__name__}); see its log"
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
        """Let the application answer while the client is connected."""
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
                    "this server needs its token: send the header 'Authorization: Bearer TOKEN', "
                    "or add ?access_token=TOKEN to the address; if it made the token itself, "
                    "it named the file when it started",
                )
        origin = headers.get("origin")
        if origin is not None and origin.partition(b"://")[2] != headers.get("host"):
            # A page in a browser on this machine reaches servers that listen to this machine only.
            raise ServeError(403, "foreign_page", "pages of other sites may not ask this server")
        if self._metrics.under_way > self._limits.requests:
            raise busy(f"{self._limits.requests:,} requests are under way")

    async def _read(self, headers: dict[str, bytes], receive: Receive, chunks: list[bytes]) -> None:
        """Read a body, whose size counts until the answer is sent."""
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
    """Treat bodies as JSON whatever their content type: many a client's default is a form."""
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
    """Replay a body that was read, then the client's disconnect."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        if waiting:
            return waiting.pop()
        await asyncio.wait((gone,))
        return {"type": "http.disconnect"}

    return replay


def _tidied(scope: Scope) -> Scope:
    """Return the address without empty steps, as in ``//health`` and ``/score/``."""
    steps = [each for each in scope["path"].split("/") if each]
    return {**scope, "path": "/" + "/".join(steps)}


def add_refusals(app: Any) -> None:
    """Let a FastAPI application answer every refusal in the form of `ServeError`."""
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException

    for kind, handler in (
        (ServeError, _on_refusal),
        (RequestValidationError, _on_invalid),
        (HTTPException, _on_http),
        (404, _on_http),
        (405, _on_http),
        (Exception, _on_breakage),
    ):
        app.add_exception_handler(kind, handler)


async def _on_refusal(_: Any, error: ServeError) -> Any:
    return _reply(error)


async def _on_invalid(_: Any, error: Any) -> Any:
    return _reply(ServeError(422, "unreadable", _told(error.errors())))


async def _on_breakage(_: Any, error: Exception) -> Any:
    said = f"the server failed on this request ({type(error).__name__}); see its log"
    return _reply(ServeError(500, "internal", said))


async def _on_http(_: Any, error: Any) -> Any:
    kind = {404: "unknown_address", 405: "wrong_method"}.get(error.status_code, "refused")
    hint = "; /docs lists the addresses" if error.status_code == 404 else ""
    return _reply(ServeError(error.status_code, kind, f"{error.detail}{hint}"))


def _reply(error: ServeError) -> Any:
    from fastapi.responses import Response

    return Response(dumps(error.body()), error.status, headers=error.headers(), media_type="application/json")


def _told(errors: Any) -> str:
    """Return pydantic's errors in a sentence."""
    found = [
        f"{'.'.join(str(each) for each in error['loc'] if each != 'body') or 'the body'}: {error['msg']}"
        for error in errors[:3]
    ]
    return "; ".join(found) + ("; ..." if len(errors) > 3 else "")
