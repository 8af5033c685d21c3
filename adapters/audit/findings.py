"""What an audit finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

Level = Literal["note", "warning", "alarm"]
"""``note``: worth knowing, and normal in many healthy runs. ``warning``: read these rows before you go on.
``alarm``: a reward that is trained on so teaches something else, or nothing."""
LEVELS: tuple[Level, ...] = get_args(Level)
MOST_ROWS = 20
"""Rows that a finding names."""


@dataclass(frozen=True)
class Finding:
    """Something that a person should look at.

    Args:
        name: What it is, as the alarms of a run are called where there is one: ``hacking``, ``collapse``.
        level: See `Level`.
        message: What was seen, in a sentence.
        value: The figure.
        threshold: What it was held against.
        chance: How likely at least this is where nothing is wrong, by the test that the documentation names;
            None where nothing is left to chance.
        cure: What to do.
        rows: Numbers of rows that show it, counted from 1; at most `MOST_ROWS`.
        part: The part of the reward that it is about.
    """

    name: str
    level: Level
    message: str
    value: float
    threshold: float
    chance: float | None
    cure: str
    rows: Sequence[int] = ()
    part: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "name": self.name,
            "level": self.level,
            "part": self.part,
            "message": self.message,
            "value": self.value,
            "threshold": self.threshold,
            "chance": self.chance,
            "cure": self.cure,
            "rows": list(self.rows),
        }


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Alarms, then warnings, then notes; each in the order in which they were found."""
    return sorted(findings, key=lambda each: -LEVELS.index(each.level))
