"""Schedules: how a weight or a parameter changes over training.

A schedule is a function of the share of training that is done, so the same recipe fits runs of any
length. Outside training (files on disk) everything has its final value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from reward_verifiers.verifiers.core import Component, ConfigError, Registry


class Schedule(Component):
    """Base of all schedules: frozen dataclasses that implement `at`."""

    def at(self, progress: float) -> float:
        """Return the value after a share `progress` (in [0, 1]) of training."""
        raise NotImplementedError

    def describe(self) -> str:
        """Return the schedule in Python's notation."""
        return repr(self)


SCHEDULES: Registry[Schedule] = Registry("SCHEDULES", Schedule, "reward_verifiers.rewards")


@SCHEDULES.register
@dataclass(frozen=True, repr=False)
class Constant(Schedule):
    """Keep the same value throughout training.

    >>> Constant(0.5).at(0.3)
    0.5
    """

    value: float

    def at(self, progress: float) -> float:
        return self.value


@SCHEDULES.register
@dataclass(frozen=True, repr=False)
class Linear(Schedule):
    """Move from `start` to `end` in a straight line.

    Args:
        start: Value up to `begin`.
        end: Value from `until` on.
        begin: Share of training after which the value moves.
        until: Share of training after which it stays.

    Raises:
        ConfigError: A value is not finite, or ``0 <= begin < until <= 1`` does not hold.

    >>> Linear(1.0, 0.0, until=0.5).at(0.25)
    0.5
    """

    start: float
    end: float
    begin: float = 0.0
    until: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 <= self.begin < self.until <= 1.0:
            raise ConfigError(
                f"{type(self).__name__}: begin and until are shares of training with "
                f"0 <= begin < until <= 1, got {self.begin} and {self.until}"
            )

    def at(self, progress: float) -> float:
        if progress <= self.begin:
            return self.start
        if progress >= self.until:
            return self.end
        return self.start + (self.end - self.start) * self._moved(
            (progress - self.begin) / (self.until - self.begin)
        )

    def _moved(self, share: float) -> float:
        return share


@SCHEDULES.register
@dataclass(frozen=True, repr=False)
class Cosine(Linear):
    """Move from `start` to `end` along half a cosine (Loshchilov and Hutter, arXiv:1608.03983).

    The value changes slowly at both ends.

    >>> Cosine(1.0, 0.0).at(0.5)
    0.5
    """

    def _moved(self, share: float) -> float:
        return (1.0 - math.cos(math.pi * share)) / 2.0


@SCHEDULES.register
@dataclass(frozen=True, repr=False)
class Steps(Schedule):
    """Change the value at given points only.

    Args:
        points: Pairs of (share of training, value from there on); the first share is 0.

    Raises:
        ConfigError: There are no points, the shares do not rise from 0, or a value is not finite.

    >>> Steps(((0.0, 1.0), (0.5, 0.2))).at(0.75)
    0.2
    """

    points: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        shares = [share for share, _ in self.points]
        if not shares or shares[0] != 0 or sorted(set(shares)) != shares or shares[-1] > 1:
            raise ConfigError(
                "Steps: points are pairs (share of training, value) whose shares rise from 0 to at most 1, "
                f"got {self.points!r:.80}"
            )

    def at(self, progress: float) -> float:
        return next(value for share, value in reversed(self.points) if progress >= share)
