"""What a summary counts: rows, scores and reasons, for each verifier and for the reward as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from verifiers import Status

MAX_REASONS = 1000
"""Different reasons that a summary counts apart: a plug-in must not make memory grow with the file."""


@dataclass
class Tally:
    """What a summary says of one verifier, or of the reward as a whole."""

    rows: int = 0
    scored: int = 0
    passed: int = 0
    faults: int = 0
    total: float = 0.0
    reasons: Counter[str] = field(default_factory=Counter)
    judged: bool = True
    """Whether verdicts are counted, of which some pass, or payments."""
    fault: str = ""
    """What the first fault says."""

    def add(self, status: str, value: float | None, reason: str = "", detail: str = "") -> None:
        """Count one row."""
        self.rows += 1
        if value is not None:
            self.scored += 1
            self.total += value
            self.passed += value >= 1.0
        elif status == Status.FAULT:
            self.faults += 1
            self.fault = self.fault or detail
        if reason and (reason in self.reasons or len(self.reasons) < MAX_REASONS):
            self.reasons[reason] += 1

    def merge(self, other: Tally) -> None:
        """Count the rows of another tally."""
        self.rows += other.rows
        self.scored += other.scored
        self.passed += other.passed
        self.faults += other.faults
        self.total += other.total
        self.reasons.update(other.reasons)
        self.fault = self.fault or other.fault


def tally(
    tallies: dict[str, Tally],
    status: str,
    value: float | None,
    judged: Iterable[tuple[str, Mapping[str, Any]]],
    parts: Mapping[str, float | None],
) -> None:
    """Count one row: for the reward, for each verdict by its part's name, and for the parts without one."""
    tallies.setdefault("reward", Tally()).add(status, value)
    names = set()
    for name, verdict in judged:
        names.add(name)
        tallies.setdefault(name, Tally()).add(
            verdict["status"], verdict["score"], verdict["reason"], verdict.get("detail", "")
        )
    for name, paid in parts.items():
        if name not in names:
            tallies.setdefault(name, Tally(judged=False)).add(Status.UNSCORED, paid)
