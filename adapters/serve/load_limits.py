"""Limits of a server's load, and the errors for requests that are too large or wrong."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from reward_verifiers.verifiers import ConfigError


@dataclass(frozen=True)
class Limits:
    """Bounds of a server; a request over one is refused with a status and a sentence.

    Args:
        body_bytes: Largest size of a request (413).
        request_rows: Largest number of rows of a request (413).
        requests: Under way at a time (429). They wait in the queue, so this is not the number of workers.
        queue_rows: Waiting or being judged (429). Some clients give up after five refusals, so it is large.
        queue_bytes: Largest size of all requests under way (429).
        deadline: Seconds until a request is given up (504), below the 120 and 180 s of the trainers' clients.
            A request may ask for fewer by the header ``X-Deadline-Seconds``.
        batch_rows: Judged together at most.
        batch_seconds: Wall-clock time of a batch in a worker. Batches are made to take about a second; what
            takes this long is tried row by row.

    Raises:
        ConfigError: One of them is not above 0.
    """

    body_bytes: int = 32 << 20
    request_rows: int = 10_000
    requests: int = 4_096
    queue_rows: int = 200_000
    queue_bytes: int = 512 << 20
    deadline: float = 110.0
    batch_rows: int = 256
    batch_seconds: float = 20.0

    def __post_init__(self) -> None:
        for each in fields(self):
            if not getattr(self, each.name) > 0:
                raise ConfigError(f"{each.name} must be above 0, got {getattr(self, each.name)}")


class ServeError(Exception):
    """A request that is not answered with rewards.

    Args:
        status: Status of HTTP.
        kind: One word for programs.
        message: The problem and its cure.
        retry_after: Seconds after which it may be tried again.
    """

    def __init__(self, status: int, kind: str, message: str, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status, self.kind, self.message, self.retry_after = status, kind, message, retry_after

    def body(self) -> dict[str, Any]:
        """Return the error object for the client."""
        return {"error": {"status": self.status, "kind": self.kind, "message": self.message}}

    def headers(self) -> dict[str, str]:
        """Return the headers for the client's software."""
        headers = {} if self.retry_after is None else {"retry-after": str(self.retry_after)}
        return headers | _HEADERS.get(self.status, {})


_HEADERS = {401: {"www-authenticate": "Bearer"}, 415: {"accept-encoding": "identity"}}


def busy(what: str) -> ServeError:
    """Return the error for more load than the server takes at a time."""
    return ServeError(429, "busy", f"{what}; try again in a moment, or start the server with more", 1)


def unreadable(message: str) -> ServeError:
    """Return the error for a request that can never be judged."""
    return ServeError(422, "unreadable", message)


def too_large(message: str) -> ServeError:
    """Return the error for a request that must be split."""
    return ServeError(413, "too_large", message)
