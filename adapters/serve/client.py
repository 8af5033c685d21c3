"""A client of the reward server, with retries."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reward_verifiers.verifiers import VerifierError
from reward_verifiers.verifiers.runtime.packages import require

from .client_loop import ClientLoop
from .door.token_files import token_for

TRIED_AGAIN = frozenset({429, 500, 502, 503, 504})
"""What may pass. Requests are judged anew, so asking twice does no harm."""
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 10.0


class ServerError(VerifierError, RuntimeError):
    """The server refused a request, or was not reached in time.

    Args:
        message: What the server said.
        status: Of HTTP; None where there was no answer.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Judged:
    """What the server says of one row.

    Args:
        reward: None where the row cannot be judged.
        status: ``scored``, ``unscored`` or ``fault``.
        parts: What the reward is made of, by name.
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
        url: Of the server, such as ``http://127.0.0.1:8000``.
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
        """One result for each row, in order.

        Args:
            rows: Each with ``completion`` and the columns that the recipe reads.
            progress: How far training has come, for schedules.

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
        """The same for event loops.

        Raises:
            ServerError: As for `score`.
        """
        return await asyncio.to_thread(self.score, rows, progress=progress)

    def rewards(
        self, completions: Sequence[object], *, progress: float | None = None, **columns: Sequence[Any]
    ) -> list[float | None]:
        """One reward for each completion, None where a row cannot be judged.

        Args:
            completions: Length N.
            progress: How far training has come, for schedules.
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
        """How long to wait before the next try.

        Raises:
            ServerError: There is none.
        """
        if failed.status is not None and failed.status not in TRIED_AGAIN:
            raise failed
        if time.monotonic() + pause >= deadline:
            raise failed
        return min(2 * pause, LONGEST_PAUSE)


def _shaken(pause: float) -> float:
    """So that clients that were refused together do not come back together."""
    return pause * random.uniform(0.25, 0.5)  # noqa: S311


def _refused(status: int, content: bytes) -> ServerError:
    try:
        message = json.loads(content)["error"]["message"]
    except (ValueError, KeyError, TypeError, RecursionError):
        message = content[:200].decode("utf-8", "replace")
    return ServerError(f"{status}: {message}", status)


def _judged(content: bytes, count: int) -> tuple[list[Judged] | None, str]:
    """The results in an answer; None, and what is there instead, where it holds none."""
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
