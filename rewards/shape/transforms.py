"""Changing a value: limits, straight lines, penalties, and parameters that move over training."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from reward_verifiers.verifiers.core import ConfigError, Range, field_types, nearest, plain_type

from ..tree.batch import Batch
from ..tree.pay import Pay
from ..tree.payment import Payment, exact, finite
from ..tree.reward import NODES, Reward
from ..tree.schedules import Schedule
from ..tree.sums import Named, Step, operand


@dataclass(frozen=True, repr=False)
class _Change(Step):
    """One value from one value. A missing value stays missing."""

    reward: Reward

    def pay(self, batch: Batch) -> list[Payment]:
        name, note = self.name, self._note()
        return [
            part.under(name, None if part.value is None else finite(self._change(part.value)), note)
            for part in batch.pay(self.reward)
        ]

    def describe(self) -> str:
        return f"{operand(self.reward)}.{self._call()}"

    def _note(self) -> str:
        return f"{self._call()} of"

    def _call(self) -> str:
        """Return the method call that makes this step."""
        raise NotImplementedError

    def _change(self, value: float) -> float:
        raise NotImplementedError


@NODES.register
@dataclass(frozen=True, repr=False)
class Clip(_Change):
    """Limit a value.

    Raises:
        ConfigError: There is no limit, or no value satisfies both.

    >>> from rewards import LengthTarget
    >>> LengthTarget(0, 10).clip(low=-1)(completions=["x" * 1000])
    [-1.0]
    """

    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.low is None and self.high is None:
            raise ConfigError("clip takes low, high, or both")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ConfigError(f"clip: low must not be above high, got {self.low} and {self.high}")

    def _change(self, value: float) -> float:
        if self.low is not None and value < self.low:
            return float(self.low)
        return float(self.high) if self.high is not None and value > self.high else value

    def recipe_keys(self) -> dict[str, Any]:
        limits = {"low": self.low, "high": self.high}
        return {"clip": {name: limit for name, limit in limits.items() if limit is not None}}

    def _call(self) -> str:
        given = [f"{name}={exact(value)}" for name, value in (("low", self.low), ("high", self.high))
                 if value is not None]  # fmt: skip
        return f"clip({', '.join(given)})"


@NODES.register
@dataclass(frozen=True, repr=False)
class Affine(_Change):
    """``scale * value + shift``.

    >>> from rewards import Pay
    >>> from verifiers import TagFormat
    >>> Pay(TagFormat(("think",))).affine(1.5, -0.5)(["<think>so</think>42", "42"])
    [1.0, -0.5]
    """

    scale: float = 1.0
    shift: float = 0.0

    def _change(self, value: float) -> float:
        return self.scale * value + self.shift

    def recipe_keys(self) -> dict[str, Any]:
        return {"affine": {"scale": self.scale, "shift": self.shift}}

    def _call(self) -> str:
        return f"affine({exact(self.scale)}, {exact(self.shift)})"


@NODES.register
@dataclass(frozen=True, repr=False)
class Penalty(_Change):
    """Penalise a missing share: 0 at a value of 1, ``-size`` at 0, linear between.

    Raises:
        ConfigError: size is not positive.

    >>> from rewards import Pay
    >>> from verifiers import Repetition
    >>> Pay(Repetition()).penalty(0.5)(completions=["so it is 4 " * 50])[0] < -0.45
    True
    """

    size: Annotated[float, Range(above=0)] = 1.0

    def _change(self, value: float) -> float:
        return -self.size * (1.0 - value) if value != 1.0 else 0.0

    def recipe_keys(self) -> dict[str, Any]:
        return {"penalty": self.size}

    def _call(self) -> str:
        return f"penalty({exact(self.size)})"


@NODES.register
@dataclass(frozen=True, repr=False)
class Scheduled(Step):
    """Change a reward's parameters over training.

    Args:
        reward: A leaf: its own parameters, or those of its verifier, can change.
        parameters: Pairs of (field, schedule). Values of integer fields are rounded.

    Raises:
        ConfigError: A field does not exist or holds no number, or it rejects a value of its schedule.
    """

    reward: Reward
    parameters: tuple[tuple[str, Schedule], ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        target = _target(self.reward)
        known = [field.name for field in dataclasses.fields(target)]
        for name, _ in self.parameters:
            if name not in known:
                raise ConfigError(f"{type(target).__name__} has no field {name!r}{nearest(name, known)}")
        # A value that the field refuses is found here, and not at step 4,000.
        for point in range(17):
            self.at(point / 16)

    def at(self, progress: float) -> Reward:
        """Return the reward with the parameters for a point of training."""
        target = _target(self.reward)
        values = {name: _fitting(target, name, schedule.at(progress)) for name, schedule in self.parameters}
        return _with(self.reward, values)

    def pay(self, batch: Batch) -> list[Payment]:
        return batch.pay(self.at(batch.progress))

    def scheduled_now(self, progress: float) -> Iterator[tuple[str, float]]:
        for name, schedule in self.parameters:
            yield f"{self.name}.{name}", schedule.at(progress)

    def recipe_keys(self) -> dict[str, Any]:
        return {"scheduled": {name: schedule.to_spec() for name, schedule in self.parameters}}

    def describe(self) -> str:
        shown = ", ".join(f"{name}={schedule.describe()}" for name, schedule in self.parameters)
        return f"{operand(self.reward)}.scheduled({shown})"


def _target(reward: Reward) -> Any:
    """Return the dataclass that holds the fields: a verifier, or the reward itself."""
    while isinstance(reward, Named):
        reward = reward.reward
    return reward.verifier if isinstance(reward, Pay) else reward


def _with(reward: Reward, values: dict[str, Any]) -> Reward:
    if isinstance(reward, Named):
        return dataclasses.replace(reward, reward=_with(reward.reward, values))
    if isinstance(reward, Pay):
        return dataclasses.replace(reward, verifier=dataclasses.replace(reward.verifier, **values))
    changed: Reward = dataclasses.replace(_target(reward), **values)
    return changed


def _fitting(target: Any, name: str, value: float) -> float | int:
    hint = plain_type(field_types(type(target)).get(name))
    kinds = {hint, *map(plain_type, typing.get_args(hint))}
    if not kinds & {int, float}:
        raise ConfigError(f"{type(target).__name__}: {name} is not a number, so no schedule can move it")
    return value if float in kinds else round(value)
