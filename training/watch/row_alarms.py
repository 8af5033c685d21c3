"""The audit of a run's completions while it trains: figures for its log, and alarms."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from reward_verifiers.adapters.audit.auditing import RecentRows, worst_of_each
from reward_verifiers.adapters.audit.findings import (
    AUDIT_KEY,
    AUDIT_SECONDS_KEY,
    LEVEL_KEY,
    LEVELS,
    Finding,
    Limits,
)

from ..config import Watch

_log = logging.getLogger(__name__)


class RowAlarms:
    """Looks at the last completions every `Watch.every` steps, by the detectors of ``verify-cli audit``.

    Each process looks at its own. What it finds goes into the log as figures, which are the same in all
    processes; `Alarms` raises by these, so that all of them stop, or none. It is part of checkpoints.

    Args:
        watch: Number of completions, limits, and frequency.
        outcome: The part of the strict reward that measures; None for the first.
    """

    def __init__(self, watch: Watch, outcome: str | None = None) -> None:
        self.watch, self._outcome = watch, outcome
        self.rows = RecentRows(watch.completions, Limits(**watch.limits.model_dump()))
        self.found: Mapping[str, Finding] = {}
        self._next = watch.every
        self._broken = False

    def take(self, lines: Sequence[str], step: int) -> dict[str, float]:
        """Take in a batch, and look where it is time.

        Returns:
            What the log is to say; nothing in it can end a run.
        """
        if self._broken:
            return {}
        started = perf_counter()
        figures: dict[str, float] = {}
        try:
            for line in lines:
                self._add(line)
            if step >= self._next:
                self._next = step + self.watch.every
                self.found = worst_of_each(self.rows.look())
                figures = _figures(self.found)
        except Exception as error:  # whatever it is, it costs less than the run
            self._broken = True
            _log.error("completions are no longer audited: %s: %s", type(error).__name__, error)
        return {**figures, AUDIT_SECONDS_KEY: perf_counter() - started}

    def state(self) -> dict[str, Any]:
        """Return the state for the checkpoint."""
        return {"args": {}, "attributes": {"next": self._next, "rows": self.rows.state()}}

    def restore(self, saved: Mapping[str, Any], kept: Path) -> None:
        """Continue as a checkpoint says.

        Args:
            saved: Its ``trainer_state.json``.
            kept: The completions of this process, as far as the checkpoint; may be missing.
        """
        found = saved.get("stateful_callbacks", {}).get(type(self).__name__)
        if not found:
            return
        self._next = found["attributes"]["next"]
        self.rows.restore(found["attributes"]["rows"])
        if not kept.is_file():
            return
        with open(kept, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file):
                if number >= self.rows.forgotten:
                    self._add(line)

    def _add(self, line: str) -> None:
        row = json.loads(line)
        if self._outcome is not None and isinstance(row.get("strict"), dict):
            row["strict"] = row["strict"].get(self._outcome)
        self.rows.add(row)


def _figures(found: Mapping[str, Finding]) -> dict[str, float]:
    figures = {}
    for name, finding in found.items():
        figures[AUDIT_KEY.format(name=name)] = float(finding.value)
        if finding.level != "note":
            figures[LEVEL_KEY.format(name=name)] = float(1 + LEVELS.index(finding.level))
    return figures
