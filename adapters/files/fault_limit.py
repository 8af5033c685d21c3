"""When a scoring ends because the reward breaks: what is never judged is not worth a night."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .scored_output import RunError

if TYPE_CHECKING:
    from .engines.results import Scored


class FaultsError(RunError):
    """The reward broke on too many rows."""


class FaultLimit:
    """Counts the rows on which a reward breaks.

    Args:
        most: How many may; None for any number, unless all rows of the first chunk break in the same way.
    """

    def __init__(self, most: int | None) -> None:
        self.most = most
        self._faults = 0
        self._first = True

    def count(self, scored: Scored, lines: int) -> None:
        """Count a chunk, before its rows are written.

        Raises:
            FaultsError: Too many rows broke.
        """
        self._faults += scored.faults
        if self.most is None and self._first and scored.same_fault:
            raise FaultsError(
                f"no row can be scored: the reward breaks on each of the first {lines:,} in the same way: "
                f"{scored.same_fault}. Nothing was written; mend it, or allow that with --max-faults"
            )
        if lines > len(scored.problems):
            self._first = False
        if self.most is not None and self._faults > self.most:
            raise FaultsError(
                f"the reward broke on {self._faults:,} rows, and --max-faults allows {self.most:,}"
                + (f": {scored.same_fault}" if scored.same_fault else "")
            )
