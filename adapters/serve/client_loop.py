"""Requests that end at their deadline wherever they are: made in an event loop, in a thread of its own.

A server may send a byte at a time, and to a client that waits in a thread each of them is an answer.
"""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from typing import Any

from reward_verifiers.verifiers.runtime.forks import new_lock

CONNECT = 10.0
"""Seconds for a connection: a server that is up accepts one at once."""
MOST_ANSWER = 1 << 30
"""Bytes of an answer: a server may never stop writing."""
CLOSE_SECONDS = 5.0


class ClientLoop:
    """Connections that are kept, for calls from any thread; begun by the first, and again after a fork.

    Args:
        httpx: The package.
    """

    def __init__(self, httpx: Any) -> None:
        self._httpx = httpx
        self._process, self._lock = os.getpid(), new_lock()
        self._begun: _Begun | None = None

    def post(self, url: str, body: str, headers: dict[str, str], seconds: float) -> tuple[int, bytes]:
        """Status and content of an answer.

        Args:
            url: Where to.
            body: Of the request.
            headers: Of the request.
            seconds: Until it is given up.

        Raises:
            TimeoutError: It is not complete by then.
            ValueError: It does not end.
            httpx.HTTPError: There is none.
        """
        if self._process != os.getpid():  # threads and their locks stay behind at a fork
            self._process, self._lock, self._begun = os.getpid(), new_lock(), None
        with self._lock:
            if self._begun is None:
                self._begun = _Begun(self._httpx)
                weakref.finalize(self, _stop, self._begun.loop, self._process).atexit = False
            begun = self._begun
        asked = asyncio.run_coroutine_threadsafe(_post(begun, url, body, headers, seconds), begun.loop)
        try:
            return asked.result()
        except BaseException:
            asked.cancel()  # Ctrl-C in this thread ends the request as well
            raise

    def close(self) -> None:
        """End the thread and its connections."""
        with self._lock:
            begun, self._begun = self._begun, None
        if begun is not None and self._process == os.getpid():
            _stop(begun.loop, self._process)
            begun.thread.join(CLOSE_SECONDS)


class _Begun:
    """A loop that runs, and the connections that are its own."""

    def __init__(self, httpx: Any) -> None:
        self.httpx = httpx
        self.loop = asyncio.new_event_loop()
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
        # The environment's proxies are for other machines than those of a cluster.
        self.client = httpx.AsyncClient(trust_env=False, limits=limits)
        arguments = (self.loop, self.client)
        self.thread = threading.Thread(target=_run, args=arguments, name="reward-client", daemon=True)
        self.thread.start()


def _run(loop: asyncio.AbstractEventLoop, client: Any) -> None:
    loop.run_forever()
    loop.run_until_complete(client.aclose())
    loop.close()


def _stop(loop: asyncio.AbstractEventLoop, process: int) -> None:
    """End a loop of this process; it is not waited for, since a collector of garbage may be what calls."""
    if process == os.getpid() and not loop.is_closed():
        loop.call_soon_threadsafe(loop.stop)


async def _post(
    begun: _Begun, url: str, body: str, headers: dict[str, str], seconds: float
) -> tuple[int, bytes]:
    timeout = begun.httpx.Timeout(max(seconds, 0.001), connect=min(CONNECT, max(seconds, 0.001)))
    said = bytearray()
    async with asyncio.timeout(max(seconds, 0.001)):
        asked = begun.client.stream("POST", url, content=body, timeout=timeout, headers=headers)
        async with asked as answer:
            async for piece in answer.aiter_bytes():
                said += piece
                if len(said) > MOST_ANSWER:
                    raise ValueError(f"an answer of more than {MOST_ANSWER >> 20} MiB")
            return answer.status_code, bytes(said)
