"""What hears of runs as they end, judges them, and keeps what a checker is to look at."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.protocol import Cause, Run
from .run_verdicts import Judge

MAX_KEPT = 256 << 20
"""Bytes of one program's outputs that are kept for a checker."""


class Listener:
    """Judges each run as soon as it has ended, so that its output need not be kept.

    Args:
        judges: One for each run.
        stops: Whether the others are pointless once this one fails.
        checked: Whether a checker decides about outputs that are not the expected one.
    """

    def __init__(self, judges: Sequence[Judge], stops: Sequence[bool], *, checked: bool = False) -> None:
        self._judges, self._stops, self._checked = judges, stops, checked
        self._heard: dict[int, tuple[str, str]] = {}
        self.outputs: dict[int, bytes] = {}
        self._kept = 0

    def hear(self, position: int, run: Run) -> bool:
        """Judge a run; whether further ones are wanted."""
        reason, _ = self._heard[position] = self._judges[position](run)
        if reason == "wrong_output" and self._checked:
            self._kept += len(run.output)
            if self._kept <= MAX_KEPT:
                self.outputs[position] = run.output
                return True
            self._heard[position] = ("output_limit", "its outputs are more than a checker is given")
        return reason == "passed" or not self._stops[position]

    def settle(self, position: int, judgement: tuple[str, str]) -> None:
        """Say what a checker made of an output."""
        self._heard[position] = judgement

    def judgement(self, position: int, run: Run) -> tuple[str, str]:
        """(reason, detail) of a run of the report."""
        # These are said after the fact, of a program that was tried again.
        if run.cause in (Cause.NOT_RUN, Cause.BROKE_SANDBOX) or position not in self._heard:
            return self._judges[position](run)
        return self._heard[position]
