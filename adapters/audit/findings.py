"""Findings of an audit, their alarm thresholds, and the names in a run's log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_args

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
        name: Its name, that of a run's alarm if there is one: ``hacking``, ``collapse``.
        level: See `Level`.
        message: The observation, in a sentence.
        value: The figure.
        threshold: Limit with which it was compared.
        chance: Probability of at least this in a healthy file, by the documented test; None without chance.
        cure: Advice.
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
        """Return the finding as a dictionary for JSON."""
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
        message: The observation, and advice.
        values: The figures.
        level: ``alarm`` or ``warning``; what a history shows is an alarm.
        value: The figure that decided.
        threshold: Limit with which it was compared.
        cure: Advice.
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
        """Return the alarm as a dictionary for a JSON line."""
        return {**vars(self), "values": dict(self.values), "rows": list(self.rows)}


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Return alarms, then warnings, then notes, each in the order in which they were found."""
    return sorted(findings, key=lambda each: -LEVELS.index(each.level))


STRICT = "strict"
"""What logs call the outcome that measures the run; other strict parts are ``strict.NAME``."""
STRICT_KEY = f"rewards/{STRICT}/mean"
LENGTH_KEY = "completions/mean_length"
CUT_KEY = "completions/clipped_ratio"
"""The share of completions that were cut off at their longest."""
KL_KEY = "kl"
FORMAT_KEY = "rewards/format/mean"
UNSCORED_KEY = "reward/unscored"
SAME_KEY = "groups/zero_variance"
"""The share of groups that teach nothing. TRL's ``frac_reward_zero_std`` misses groups of rewards such as
0.2, which 32 bits do not hold."""
AUDIT = "audit"
AUDIT_KEY = f"{AUDIT}/{{name}}"
"""The figure of a finding in the last completions, by its name."""
LEVEL_KEY = f"{AUDIT}/{{name}}/level"
"""2 for a warning, 3 for an alarm; not there for a note."""
AUDIT_SECONDS_KEY = f"{AUDIT}/seconds"
RAISED_KEY = "alarms/{name}"
"""1 in the line of the log in which an alarm is raised."""


class Watch(Protocol):
    """Thresholds, as a run's configuration has them (`training.config.Watch`)."""

    @property
    def every(self) -> int:
        """Steps in a window."""

    @property
    def zero_variance(self) -> float:
        """The share of groups without a difference."""

    @property
    def cut_off(self) -> float:
        """The share of completions that are cut off."""

    @property
    def unscored(self) -> float:
        """The share of rows that could not be judged."""

    @property
    def drop(self) -> float:
        """Drop in accuracy or format that raises an alarm while the reward rises."""

    @property
    def length(self) -> float:
        """The factor by which lengths must change."""

    @property
    def collapse(self) -> float:
        """The share of its best value that the reward must lose."""


@dataclass(frozen=True)
class Thresholds:
    """The thresholds where no run says otherwise."""

    every: int = 10
    zero_variance: float = 0.9
    cut_off: float = 0.9
    unscored: float = 0.2
    drop: float = 0.1
    length: float = 1.5
    collapse: float = 0.3


@dataclass(frozen=True)
class Limits:
    """Limits for scored rows; a finding past its limit is more than a note.

    Args:
        faults: The share of rows on which a verifier breaks, of prompts of which some completions are
            judged and others not, and of paid rows that hold a known cheat.
        unscored: The share of rows that a part could not judge for one reason.
        zero_variance: The share of groups whose completions are all paid alike.
        duplicates: The share of completions that repeat another one of their group.
        one_completion: The share of the prompts in which one text stands.
        always_true: The share of the groups whose different answers are all paid in full.
        no_answer: The share of rows that keep the format, answer nothing, and are paid.
        unpaid: The share of rows that are not right though their last line holds the reference.
        in_thinking: The share of rows whose right answer stands in the thinking alone.
        disagreement: The share of rows on which two parts with a reference contradict one another.
        correlation: The correlation of a part with lengths or tags within prompts.
        flat: The share of the reward's rise that what is right must at least have risen by.
        script: By how much the share of a script that nobody asked in must rise.
        repeated: By how much the share of repeated text must rise.
        tags: Tags of a completion.
    """

    faults: float = 0.01
    unscored: float = 0.05
    zero_variance: float = 0.8
    duplicates: float = 0.5
    one_completion: float = 0.2
    always_true: float = 0.5
    no_answer: float = 0.2
    unpaid: float = 0.02
    in_thinking: float = 0.1
    disagreement: float = 0.2
    correlation: float = 0.3
    flat: float = 0.2
    script: float = 0.2
    repeated: float = 0.2
    tags: float = 8.0


LIMITS = Limits()
