"""A client of the reward server, with retries."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifiers import VerifierError
from verifiers.runtime.packages import require

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
        token: The server's, if it has one.
        recipe: A recipe's name; by default the server's first.
        seconds: Until a call is given up, with all its tries.

    Raises:
        MissingDependencyError: httpx is not installed.
    """

    def __init__(
        self, url: str, *, token: str | None = None, recipe: str | None = None, seconds: float = 120.0
    ) -> None:
        self._httpx = httpx = require("httpx", extra="serve")
        self.url, self.recipe, self.seconds = url.rstrip("/"), recipe, seconds
        headers = {"content-type": "application/json"}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        # The environment's proxies are for other machines than those of a cluster.
        self._client = httpx.Client(headers=headers, trust_env=False)

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
        while True:
            left = deadline - time.monotonic()
            try:
                answer = self._client.post(
                    f"{self.url}/score", content=body, timeout=max(left, 0.001), headers=_wanted(left)
                )
            except self._httpx.HTTPError as error:
                failed = self._unreached(error)
            else:
                if answer.status_code == 200:
                    return _judged(answer.json(), len(rows))
                failed = _refused(answer)
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
        """Close the connections."""
        self._client.close()

    def __enter__(self) -> RewardClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------

    def _body(self, rows: Sequence[Mapping[str, Any]], progress: float | None) -> str:
        body: dict[str, Any] = {"rows": [dict(row) for row in rows]}
        if self.recipe is not None:
            body["recipe"] = self.recipe
        if progress is not None:
            body["progress"] = progress
        return json.dumps(body)  # escaped, since half a surrogate pair has no UTF-8

    def _unreached(self, error: Exception) -> ServerError:
        return ServerError(f"{self.url} does not answer: {type(error).__name__}: {error}")

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


def _wanted(left: float) -> dict[str, str]:
    return {"x-deadline-seconds": f"{max(left, 0.001):.3f}"}


def _shaken(pause: float) -> float:
    """So that clients that were refused together do not come back together."""
    return pause * random.uniform(0.25, 0.5)  # noqa: S311


def _refused(answer: Any) -> ServerError:
    try:
        message = answer.json()["error"]["message"]
    except (ValueError, KeyError, TypeError):
        message = answer.text[:200]
    return ServerError(f"{answer.status_code}: {message}", answer.status_code)


def _judged(reply: Mapping[str, Any], count: int) -> list[Judged]:
    rows = reply.get("rows")
    if not isinstance(rows, list) or len(rows) != count:
        raise ServerError(f"the server answered with other than {count} rows; is it a reward server?")
    return [
        Judged(row["reward"], row["status"], row["reward_parts"], row["verdicts"], row.get("why", ""))
        for row in rows
    ]
