"""A client of the reward server, with retries; requests end at their deadline in any state.

They are made in an event loop, in a thread of its own: a server may send a byte at a time, and to a client
that waits in a thread each of them is an answer.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reward_verifiers.verifiers import VerifierError
from reward_verifiers.verifiers.runtime.forks import new_lock
from reward_verifiers.verifiers.runtime.packages import require

from .token_files import token_for

CONNECT = 10.0
"""Seconds for a connection: a server that is up accepts one at once."""
MOST_ANSWER = 1 << 30
"""Bytes of an answer: a server may never stop writing."""
CLOSE_SECONDS = 5.0


class ClientLoop:
    """Persistent connections for calls from any thread, opened at the first call and after a fork."""

    def __init__(self, httpx: Any) -> None:
        self._httpx = httpx
        self._process, self._lock = os.getpid(), new_lock()
        self._begun: _Begun | None = None

    def post(self, url: str, body: str, headers: dict[str, str], seconds: float) -> tuple[int, bytes]:
        """Send a request, and return the status and content of the answer.

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
    loop.run_until_complete(_end(client))
    loop.close()


async def _end(client: Any) -> None:
    """Give up what is still asked, which may be half connected, and close the connections."""
    asked = asyncio.all_tasks() - {asyncio.current_task()}
    for each in asked:
        each.cancel()
    await asyncio.gather(*asked, return_exceptions=True)
    await client.aclose()
    await asyncio.sleep(0)  # a connection is closed by what its end calls a turn later


def _stop(loop: asyncio.AbstractEventLoop, process: int) -> None:
    """End a loop of this process without waiting, since the garbage collector may be the caller."""
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


TRIED_AGAIN = frozenset({429, 500, 502, 503, 504})
"""What may pass. Requests are judged anew, so asking twice does no harm."""
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 10.0


class ServerError(VerifierError, RuntimeError):
    """The server refused a request, or was not reached in time.

    Args:
        message: Message of the server.
        status: Status of HTTP; None where there was no answer.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Judged:
    """The server's result for one row.

    Args:
        reward: None where the row cannot be judged.
        status: ``scored``, ``unscored`` or ``fault``.
        parts: Parts of the reward, by name.
        verdicts: As ``verify-cli score`` writes them.
        why: Why there is no reward.
    """

    reward: float | None
    status: str
    parts: Mapping[str, float | None]
    verdicts: Sequence[Mapping[str, Any]]
    why: str = ""


class RewardClient:
    """Asks a reward server. Usable from any thread; ``score_async`` for event loops.

    Args:
        url: Address of the server, such as ``http://127.0.0.1:8000``.
        token: The server's, if it has one; a server of this machine that made its own has it in a file, which
            is read.
        recipe: A recipe's name; by default the server's first.
        seconds: Until a call is given up, with all its tries.

    Raises:
        MissingDependencyError: httpx is not installed.
    """

    def __init__(
        self, url: str, *, token: str | None = None, recipe: str | None = None, seconds: float = 120.0
    ) -> None:
        self._httpx = require("httpx", extra="serve")
        self.url, self.recipe, self.seconds = url.rstrip("/"), recipe, seconds
        self._token = token
        self._loop = ClientLoop(self._httpx)

    def score(self, rows: Sequence[Mapping[str, Any]], *, progress: float | None = None) -> list[Judged]:
        """Return one result for each row, in order.

        Args:
            rows: Each with ``completion`` and the columns that the recipe reads.
            progress: Share of training that is done, for schedules.

        Raises:
            ServerError: The server refuses the rows, or there is no answer in time; the message says why.
        """
        deadline = time.monotonic() + self.seconds
        body = self._body(rows, progress)
        pause = FIRST_PAUSE
        failed: ServerError | None = None
        while True:
            left = deadline - time.monotonic()
            try:
                status, content = self._loop.post(f"{self.url}/score", body, self._headers(left), left)
            except TimeoutError as error:
                failed = failed or self._unreached(error)  # what was answered before says more
            except (self._httpx.HTTPError, ValueError) as error:
                failed = self._unreached(error)
            else:
                if status == 200:
                    judged, problem = _judged(content, len(rows))
                    if judged is not None:
                        return judged
                    failed = ServerError(f"{self.url} answered with {problem}; is it a reward server?")
                else:
                    failed = _refused(status, content)
            pause = self._again(failed, deadline, pause)
            time.sleep(_shaken(pause))

    async def score_async(
        self, rows: Sequence[Mapping[str, Any]], *, progress: float | None = None
    ) -> list[Judged]:
        """Return one result for each row, in order, for event loops.

        Raises:
            ServerError: As for `score`.
        """
        return await asyncio.to_thread(self.score, rows, progress=progress)

    def rewards(
        self, completions: Sequence[object], *, progress: float | None = None, **columns: Sequence[Any]
    ) -> list[float | None]:
        """Return one reward for each completion, None for an unscored row.

        Args:
            completions: Length N.
            progress: Share of training that is done, for schedules.
            **columns: Other columns, each of length N.

        Raises:
            ServerError: As for `score`.
        """
        rows = [
            {"completion": completion, **{name: column[row] for name, column in columns.items()}}
            for row, completion in enumerate(completions)
        ]
        return [each.reward for each in self.score(rows, progress=progress)]

    def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        self._loop.close()

    def __enter__(self) -> RewardClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------

    def _headers(self, left: float) -> dict[str, str]:
        headers = {"content-type": "application/json", "x-deadline-seconds": f"{max(left, 0.001):.3f}"}
        # Read at each try: a server that was started again has another.
        token = token_for(self.url) if self._token is None else self._token
        return headers if token is None else headers | {"authorization": f"Bearer {token}"}

    def _body(self, rows: Sequence[Mapping[str, Any]], progress: float | None) -> str:
        body: dict[str, Any] = {"rows": [dict(row) for row in rows]}
        if self.recipe is not None:
            body["recipe"] = self.recipe
        if progress is not None:
            body["progress"] = progress
        return json.dumps(body)  # escaped, since half a surrogate pair has no UTF-8

    def _unreached(self, error: Exception) -> ServerError:
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        return ServerError(f"{self.url} does not answer: {said}")

    def _again(self, failed: ServerError, deadline: float, pause: float) -> float:
        """Return how long to wait before the next try, or raise the failure."""
        if failed.status is not None and failed.status not in TRIED_AGAIN:
            raise failed
        if time.monotonic() + pause >= deadline:
            raise failed
        return min(2 * pause, LONGEST_PAUSE)


def _shaken(pause: float) -> float:
    """Vary a pause, so that clients that were refused together do not come back together."""
    return pause * random.uniform(0.25, 0.5)  # noqa: S311


def _refused(status: int, content: bytes) -> ServerError:
    try:
        message = json.loads(content)["error"]["message"]
    except (ValueError, KeyError, TypeError, RecursionError):
        message = content[:200].decode("utf-8", "replace")
    return ServerError(f"{status}: {message}", status)


def _judged(content: bytes, count: int) -> tuple[list[Judged] | None, str]:
    """Return the results in an answer; None, with the content found instead, where it holds none."""
    try:
        rows = json.loads(content)["rows"]
        if not isinstance(rows, list) or len(rows) != count:
            return None, f"other than {count} rows"
        return [
            Judged(row["reward"], row["status"], row["reward_parts"], row["verdicts"], row.get("why", ""))
            for row in rows
        ], ""
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return (
            None,
            f"what cannot be read ({type(error).__name__}): {content[:80].decode('utf-8', 'replace')!r}",
        )
