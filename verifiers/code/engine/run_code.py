"""Requests to ``/run_code``, and what their answers say of a run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Self

from ...runtime import server_link
from ...runtime.packages import require

_EXCERPT = 300


class LinkError(Exception):
    """No usable answer, after all tries."""


@dataclass(frozen=True)
class Answer:
    """The server's answer about one run.

    Args:
        status: The exit status of the program.
        output: Its standard output.
        errors: Its standard error, or the compiler's.
        timed_out: It did not end in its time.
        compiling: It was the compiler that failed.
        seconds: Run time in seconds.
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
        url: Address of ``/run_code``.
        key: Sent as a bearer token; never shown.
        connections: At most this many at a time.
        retries: Further tries of a request that failed temporarily.
        patience: Seconds on top of what a program may take.
        wait: Seconds before the second try; each further wait is twice as long.
    """

    def __init__(
        self, url: str, *, key: str | None, connections: int, retries: int, patience: float, wait: float
    ) -> None:
        self._url, self._patience = url, patience
        self._link = server_link.Link(
            "remote", key=key, timeout=patience, retries=retries, connections=connections, wait=wait
        )
        self._outage = server_link.Outage(connections)

    def __enter__(self) -> Self:
        # An event loop of its own, since there a request is given up at its deadline wherever it is: a server
        # may send a byte at a time, and each is an answer to a client that waits in a thread.
        self._stack = ExitStack()
        portal = require("anyio.from_thread", extra="remote").start_blocking_portal
        self._portal = self._stack.enter_context(portal())
        self._stack.enter_context(self._portal.wrap_async_context_manager(self._link))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def ask(self, body: Mapping[str, Any], seconds: float) -> Answer:
        """Run a program.

        Args:
            body: Body of the request.
            seconds: Seconds for compiler and program.

        Raises:
            LinkError: Every try failed, or the server refuses the request, or it has long given no answer.
        """
        if self._outage.over:
            raise LinkError(self._outage.told(self._url))
        retries = 0 if self._outage.down else None
        try:
            answer: Answer = self._portal.call(
                self._link.ask, self._url, body, read_answer, "a program", retries, seconds + self._patience
            )
        except server_link.RefusedError as error:
            self._outage.answered()
            raise LinkError(
                f"the server rejects the request with status {error.status}: {error.said}"
            ) from None
        except server_link.NoAnswerError as error:
            self._outage.unanswered()
            raise LinkError(str(error)[:_EXCERPT]) from None
        self._outage.answered()
        return answer


def read_answer(content: bytes) -> Answer:
    """Parse a server's answer about a run.

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
