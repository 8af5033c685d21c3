"""Sums, weights and names of rewards, and the base of steps on one reward."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reward_verifiers.verifiers import ConfigError

from .batch import Batch
from .payment import Payment, exact, finite
from .reward import NODES, TOTAL, Reward, check_names, plain_data
from .schedules import Schedule

_NAME = re.compile(r"[\w.:-]+")


STEPS = (
    "scheduled",
    "name",
    "affine",
    "penalty",
    "clip",
    "when",
    "otherwise",
    "at",
    "optional",
    "weight",
)
"""The keys of a recipe that do something to a reward, in the order in which they are taken."""


class Step(Reward):
    """Base of steps on one reward, which keep its name."""

    reward: Reward

    @property
    def name(self) -> str:
        """The name of the reward below."""
        return self.reward.name

    def children(self) -> tuple[Reward, ...]:
        return (self.reward,)

    def recipe_keys(self) -> dict[str, Any]:
        """Return the keys of a recipe that take this step."""
        raise NotImplementedError(f"{type(self).__name__} must implement recipe_keys()")

    def to_spec(self) -> Any:
        """Return plain data: keys next to the node's if the step comes after them, else around the node."""
        node, added = self.reward.to_spec(), self.recipe_keys()
        if isinstance(node, str):
            return {"pay": node, **added}
        if not isinstance(node, dict):  # a bare number
            return {"of": node, **added}
        taken = [STEPS.index(key) for key in node if key in STEPS]
        if taken and min(STEPS.index(key) for key in added) <= max(taken):
            return {"of": node, **added}
        return {**node, **added}


@NODES.register
@dataclass(frozen=True, repr=False)
class Named(Step):
    """A reward with another name.

    Raises:
        ConfigError: The name has characters other than letters, digits and ``_ . : -``.

    >>> from rewards import Pay
    >>> from verifiers import TagFormat
    >>> Pay(TagFormat()).named("format").explain("42").values()
    {'format': 0.0}
    """

    reward: Reward
    label: str

    def __post_init__(self) -> None:
        # Logs put names into paths such as rewards/NAME/mean.
        if not isinstance(self.label, str) or not _NAME.fullmatch(self.label):
            raise ConfigError(f"a part's name is made of letters, digits and _ . : -, got {self.label!r:.80}")
        if self.label == TOTAL:
            raise ConfigError(f"a part cannot be named {TOTAL!r}: that is the name of the total")
        super().__post_init__()
        check_names(self.parts())

    @property
    def name(self) -> str:
        """Return the given name."""
        return self.label

    @property
    def is_part(self) -> bool:
        return True

    def recipe_keys(self) -> dict[str, Any]:
        return {"name": self.label}

    def parts(self) -> Iterator[tuple[str, Reward]]:
        """Yield the logged parts. A renamed leaf is one part, not two."""
        yield self.label, self
        if self.reward.children():
            yield from self.reward.parts()

    def pay(self, batch: Batch) -> list[Payment]:
        if self.reward.children():
            return [part.under(self.label, part.value, logged=True) for part in batch.pay(self.reward)]
        return [
            Payment(self.label, leaf.value, (), leaf.verdict, leaf.note, True)
            for leaf in batch.pay(self.reward)
        ]

    def describe(self) -> str:
        return f"{operand(self.reward)}.named({self.label!r})"


@NODES.register
@dataclass(frozen=True, repr=False)
class Scale(Step):
    """A weight times a reward.

    Args:
        weight: A finite number, or a schedule.
        reward: The weighted reward.

    Raises:
        ConfigError: The weight is not a finite number.
    """

    weight: float | Schedule
    reward: Reward

    def __post_init__(self) -> None:
        if not isinstance(self.weight, Schedule) and not math.isfinite(self.weight):
            raise ConfigError(f"a weight must be a finite number, got {self.weight!r}")
        super().__post_init__()

    def pay(self, batch: Batch) -> list[Payment]:
        weight = self.weight.at(batch.progress) if isinstance(self.weight, Schedule) else self.weight
        note, name = f"{weight:.4g} ×", self.name
        return [
            part.under(name, None if part.value is None else finite(weight * part.value), note)
            for part in batch.pay(self.reward)
        ]

    def __neg__(self) -> Reward:
        return super().__neg__() if isinstance(self.weight, Schedule) else Scale(-self.weight, self.reward)

    def recipe_keys(self) -> dict[str, Any]:
        return {"weight": plain_data(self.weight)}

    def scheduled_now(self, progress: float) -> Iterator[tuple[str, float]]:
        if isinstance(self.weight, Schedule):
            yield f"{self.name}.weight", self.weight.at(progress)

    def describe(self) -> str:
        shown = self.weight.describe() if isinstance(self.weight, Schedule) else exact(self.weight)
        return f"{shown}*{operand(self.reward)}"


@NODES.register
@dataclass(frozen=True, repr=False)
class Sum(Reward):
    """Add rewards; if one of them is None, so is the sum, and the row is masked.

    An optional term without a value is left out. If nothing is left, the sum is None.

    Raises:
        ConfigError: There are no terms, or two different parts have the same name.
    """

    terms: tuple[Reward, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.terms:
            raise ConfigError("a sum needs at least one term")
        check_names(self.parts())

    def to_spec(self) -> Any:
        return {"sum": [term.to_spec() for term in self.terms]}

    @property
    def name(self) -> str:
        """Return the name of the total."""
        return TOTAL

    def children(self) -> tuple[Reward, ...]:
        return self.terms

    def pay(self, batch: Batch) -> list[Payment]:
        return [
            Payment(TOTAL, total(parts), parts)
            for parts in zip(*(batch.pay(term) for term in self.terms), strict=True)
        ]

    def describe(self) -> str:
        return " + ".join(
            f"({term.describe()})" if isinstance(term, Sum) else term.describe() for term in self.terms
        )


def total(parts: Sequence[Payment]) -> float | None:
    """Return the sum of payments: None if a required one is None, if none is left, or if it is not finite."""
    added, some = 0.0, False
    for part in parts:
        if part.value is not None:
            added += part.value
            some = True
        elif not part.left_out:
            return None
    return finite(added) if some else None


def operand(reward: Reward) -> str:
    """Return a reward as written before a method or after a weight: sums and weights in parentheses."""
    shown = reward.describe()
    return f"({shown})" if isinstance(reward, Sum | Scale) else shown
