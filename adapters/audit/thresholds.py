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
    unscored: float = 0.2
    drop: float = 0.1
    length: float = 1.5
    collapse: float = 0.3
