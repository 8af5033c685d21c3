"""How rewards combine: operators and methods that each name the node that they make."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeGuard, TypeVar

from reward_verifiers.verifiers.core import ConfigError, Verifier

from .schedules import Schedule

R = TypeVar("R")


class Operators(Generic[R]):
    """Base of rewards: what can be done with them."""

    nodes: ClassVar[Any] = None
    """The registry of nodes, which needs the class of all rewards first."""

    def _node(self, name: str, *fields: Any) -> R:
        made: R = _node(name, *fields)
        return made

    def __add__(self, other: object) -> R:
        term = reward_of(other)
        if term is None:
            return NotImplemented
        return _itself(self) if _is_zero(other) else self._node("Sum", _terms(self) + _terms(term))

    def __radd__(self, other: object) -> R:
        term = reward_of(other)
        if term is None:
            return NotImplemented
        # sum() begins with 0
        return _itself(self) if _is_zero(other) else self._node("Sum", _terms(term) + _terms(self))

    def __sub__(self, other: object) -> R:
        if _is_number(other):
            return self + -other
        term = reward_of(other)
        return NotImplemented if term is None else self + -term

    def __rsub__(self, other: object) -> R:
        term = reward_of(other)
        return NotImplemented if term is None else other + -self  # type: ignore[operator]

    def __truediv__(self, by: object) -> R:
        if not _is_number(by):
            return NotImplemented
        if by == 0:
            raise ConfigError("a reward cannot be divided by 0")
        return self * (1.0 / by)

    def __neg__(self) -> R:
        return -1.0 * self

    def __mul__(self, weight: object) -> R:
        if isinstance(weight, Schedule):
            return self._node("Scale", weight, self)
        if isinstance(weight, Operators | Verifier):
            return self._node("Product", _factors(self) + _factors(reward_of(weight)))
        if not _is_number(weight):
            return NotImplemented
        try:
            return self._node("Scale", float(weight), self)
        except OverflowError:
            raise ConfigError("a weight must be a finite number, got an integer too large for one") from None

    def __rmul__(self, weight: object) -> R:
        if isinstance(weight, Verifier):
            return self._node("Product", _factors(reward_of(weight)) + _factors(self))
        return self * weight

    def when(self, gate: R | Verifier, otherwise: float = 0.0, at: float = 1.0) -> R:
        """Pay this only where the gate passes.

        Args:
            gate: Passes at a value of `at` or more.
            otherwise: What a failed gate pays.
            at: The value from which the gate passes.
        """
        passes = reward_of(gate)
        return self._node("When", self, passes, float(otherwise), float(at))

    def clip(self, low: float | None = None, high: float | None = None) -> R:
        """Limit the value to [low, high]; None is no limit."""
        return self._node("Clip", self, low, high)

    def affine(self, scale: float = 1.0, shift: float = 0.0) -> R:
        """``scale * value + shift``: a format bonus in [0.5, 1] is ``.affine(0.5, 0.5)``."""
        return self._node("Affine", self, float(scale), float(shift))

    def penalty(self, size: float = 1.0) -> R:
        """Take away for what is missing: 0 at a value of 1, ``-size`` at 0, linear between."""
        return self._node("Penalty", self, float(size))

    def named(self, name: str) -> R:
        """The same reward under another name, in explanations and in logs."""
        return self._node("Named", self, name)

    def optional(self) -> R:
        """Leave this term out of its sum where it has no score; the other weights stay as they are."""
        return self._node("Optional", self)

    def scheduled(self, weight: Schedule | None = None, /, **parameters: Schedule) -> R:
        """Steer a weight, or parameters of this very node or of its verifier, over training.

        >>> from rewards import Linear, Pay, SoftOverlong
        >>> from verifiers import TagFormat
        >>> Pay(TagFormat()).scheduled(Linear(1.0, 0.2)).describe()
        'Linear(start=1.0, end=0.2)*TagFormat'
        >>> SoftOverlong(1024, 128).scheduled(maximum=Linear(512, 2048)).describe()
        'SoftOverlong(maximum=1024, cache=128).scheduled(maximum=Linear(start=512, end=2048))'
        """
        reward: Any = self
        for name, schedule in parameters.items():
            if not isinstance(schedule, Schedule):
                raise ConfigError(
                    f"scheduled: {name} takes a schedule such as Linear(1, 0), got {schedule!r}"
                )
        if parameters:
            reward = self._node("Scheduled", reward, tuple(sorted(parameters.items())))
        if weight is not None:
            reward = weight * reward
        if reward is self:
            raise ConfigError("scheduled() takes a schedule for the weight, or one for a named parameter")
        made: R = _itself(reward)
        return made


def reward_of(value: object) -> Any:
    """A reward as it is, a verifier as what it pays, a number as a reward of that value; else None."""
    if isinstance(value, Operators):
        return value
    if isinstance(value, Verifier):
        return _node("Pay", value)
    return _node("Number", float(value)) if _is_number(value) else None


def _itself(reward: Any) -> Any:
    """The reward, whose type a type checker cannot know here."""
    return reward


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_zero(value: object) -> bool:
    return _is_number(value) and value == 0


def _factors(reward: Any) -> tuple[Any, ...]:
    found: tuple[Any, ...] = getattr(reward, "rewards", (reward,))
    return found if type(reward).__name__ == "Product" else (reward,)


def _terms(reward: Any) -> tuple[Any, ...]:
    """The terms of a sum, or anything else as the only term: sums are flat, however they are bracketed."""
    return getattr(reward, "terms", (reward,)) if type(reward).__name__ == "Sum" else (reward,)


def _node(name: str, *fields: Any) -> Any:
    return Operators.nodes.get(name)(*fields)
