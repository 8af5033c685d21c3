"""What is kept of each part of the reward, over all rows."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping
from typing import Any

from .findings import MOST_ROWS

NAN = math.nan


def known(values: Iterable[float]) -> list[float]:
    """Those that are there: NaN stands for none."""
    return [value for value in values if not math.isnan(value)]


def number(value: object) -> float:
    """A finite number, or NaN for whatever else a row holds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return NAN
    try:
        found = float(value)
    except OverflowError:
        return NAN
    return found if math.isfinite(found) else NAN


class Cases:
    """The rows in which something occurs, by their numbers."""

    def __init__(self) -> None:
        self.all = array("q")

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.all)

    @property
    def rows(self) -> list[int]:
        """The first of them."""
        return self.all[:MOST_ROWS].tolist()

    def add(self, row: int) -> None:
        """Count a row."""
        self.all.append(row)

    def drop(self, rows: int) -> None:
        """Forget the first rows of all; the others are counted anew from 1."""
        self.all = array("q", [row - rows for row in self.all if row > rows])


class Part:
    """A part of the reward, or the verdict on one, over all rows.

    Args:
        name: What the recipe calls it.
        rows: How many there are that do not have it.
    """

    def __init__(self, name: str, rows: int) -> None:
        self.name, self.verifier = name, ""
        self.refers = False
        """Whether its verdicts say what was expected."""
        self.scores = array("d", [NAN] * rows)
        self.no_answer = array("b", bytes(rows))
        self.faults = Cases()
        self.unscored: dict[str, Cases] = {}
        """By reason."""

    def add(self, row: int, value: object, verdict: Mapping[str, Any] | None) -> None:
        """Take in what a row has of it.

        Args:
            row: Its number.
            value: What the part came to; None where there is only a verdict.
            verdict: On the part; None where it has none of its own.
        """
        self.extend(row)
        if verdict is None:
            self.scores[-1] = number(value)
            return
        self.verifier = self.verifier or str(verdict["verifier"])
        self.scores[-1] = number(verdict.get("score"))
        self.refers = self.refers or verdict.get("expected") is not None
        self.no_answer[-1] = verdict.get("reason") == "no_answer"
        status, reason = verdict.get("status"), str(verdict.get("reason"))
        if status == "fault":
            self.faults.add(row)
        elif status == "unscored":
            self.unscored.setdefault(reason, Cases()).add(row)

    def extend(self, rows: int) -> None:
        """Make room: rows that do not have the part have no score of it."""
        missing = rows - len(self.scores)
        self.scores.extend([NAN] * missing)
        self.no_answer.extend([0] * missing)

    def drop(self, rows: int) -> None:
        """Forget the first rows."""
        del self.scores[:rows], self.no_answer[:rows]
        for cases in (self.faults, *self.unscored.values()):
            cases.drop(rows)
        self.unscored = {reason: cases for reason, cases in self.unscored.items() if cases.count}
