"""What raises an alarm: a run's own thresholds, or those where no run says otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


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
        """How far accuracy or format must fall while the reward rises."""

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
    """What scored rows are held against; past its limit a finding is more than a note.

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
