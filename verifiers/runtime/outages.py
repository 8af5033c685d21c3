"""When a service that gives no answers is asked no more: a batch must not wait for it row by row."""

from __future__ import annotations

PROBES = 8
"""Requests that a service may leave unanswered beyond those that were under way when it went down."""


class Outage:
    """What one call has found out about a service: whether it answers at all.

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
        """Whether the last request that ended got no answer: another is not tried again and again."""
        return self._in_a_row > 0

    @property
    def over(self) -> bool:
        """Whether so many in a row got none that the rest is not asked at all."""
        return self._in_a_row >= self._most

    def told(self, url: str) -> str:
        """What is said of a request that is not asked."""
        return (
            f"{url} gave no answer to {self._in_a_row} requests in a row, so this one was not asked; "
            "see whether the server is up"
        )
