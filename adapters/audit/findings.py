"""What an audit finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class Alarm:
    """Something that a run raises while it trains: a person should look at it now.

    Args:
        name: ``hacking``, ``collapse``, ``not_finite``, or what a finding is called.
        step: When it was seen.
        message: What was seen, and what to do.
        values: The figures.
        level: ``alarm`` or ``warning``; what a history shows is an alarm.
        value: The figure that decided.
        threshold: What it was held against.
        cure: What to do.
        part: The part of the reward that it is about.
        rows: Numbers of lines of ``completions/train.rank0.jsonl`` that show it, counted from 1.
    """

    name: str
    step: int
    message: str
    values: Mapping[str, float] = field(default_factory=dict)
    level: Level = "alarm"
    value: float | None = None
    threshold: float | None = None
    cure: str = ""
    part: str = ""
    rows: Sequence[int] = ()

    def to_dict(self) -> dict[str, Any]:
        """For a JSON line."""
        return {**vars(self), "values": dict(self.values), "rows": list(self.rows)}


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Alarms, then warnings, then notes; each in the order in which they were found."""
    return sorted(findings, key=lambda each: -LEVELS.index(each.level))
