"""What a request's body may be: JSON in UTF-8, as it is, read as strictly as the lines of a file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from ...files.formats.strict_json import MAX_DEPTH, read
from ..limits import ServeError, unreadable

TAKEN = (
    "application/json",
    "text/json",
    "text/plain",
    "application/octet-stream",
    "application/x-www-form-urlencoded",
)
"""Media types under which clients send JSON: many a client's default is a form. Besides them, ``+json``."""
DEEPEST = MAX_DEPTH + 2
"""Of a body, in which rows stand in a list in an object."""
LARGE = 256 << 10
"""Bytes of a body that is read in another thread, so that other requests are answered meanwhile."""


def check_kind(headers: Mapping[str, bytes]) -> None:
    """Refuse a body that is packed, or of another kind.

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
    """What a body holds.

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
    """The class of a FastAPI application's routes whose bodies are read so."""
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
