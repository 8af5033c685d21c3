"""Combinations of several rewards besides their sum: product, largest, smallest, first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from reward_verifiers.verifiers import ConfigError, Status
from reward_verifiers.verifiers.core import ReferenceClass

from ..tree.batch import Batch
from ..tree.payment import Payment, exact, finite
from ..tree.reward import NODES, Reward, check_names, reward_of


@NODES.register
@dataclass(frozen=True, repr=False)
class Number(Reward):
    """The same value for every row; a plain number among rewards becomes one.

    >>> from rewards import Pay
    >>> from verifiers import ExactMatch
    >>> (1 - Pay(ExactMatch()))(["4", "5"], answer=["4", "4"])
    [0.0, 1.0]
    """

    value: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if not math.isfinite(self.value):
            raise ConfigError(f"a reward must be a finite number, got {self.value!r}")

    @property
    def is_part(self) -> bool:
        return False

    def to_spec(self) -> Any:
        return self.value

    def pay(self, batch: Batch) -> list[Payment]:
        return [Payment(self.describe(), float(self.value)) for _ in range(len(batch))]

    def describe(self) -> str:
        return exact(self.value)


@dataclass(frozen=True, repr=False, init=False)
class _Combination(Reward):
    """A combination of several rewards into one value; they are given one by one, or as a list."""

    label: ClassVar[str] = ""
    """What explanations and recipes call it."""

    rewards: tuple[Reward, ...]

    def __init__(self, *rewards: Any, **named: Any) -> None:
        given = named.pop("rewards", rewards)
        if named:
            raise TypeError(f"{type(self).__name__}() has no argument {next(iter(named))!r}")
        if len(given) == 1 and isinstance(given[0], list | tuple):
            given = given[0]
        made = tuple(reward_of(each) for each in given)
        for each, reward in zip(given, made, strict=True):
            if reward is None:
                raise ConfigError(
                    f"{type(self).__name__} takes rewards, verifiers and numbers, got {each!r:.80}"
                )
        if not made:
            raise ConfigError(f"{type(self).__name__} needs at least one reward")
        object.__setattr__(self, "rewards", made)
        self.__post_init__()
        check_names(self.parts())

    @property
    def name(self) -> str:
        """Name in explanations."""
        return self.label

    def children(self) -> tuple[Reward, ...]:
        return self.rewards

    def to_spec(self) -> Any:
        return {self.label: [each.to_spec() for each in self.rewards]}

    def describe(self) -> str:
        return f"{type(self).__name__}({', '.join(each.describe() for each in self.rewards)})"

    def pay(self, batch: Batch) -> list[Payment]:
        return [
            Payment(self.name, self._value(parts), parts, note=f"{self.label} of")
            for parts in zip(*(batch.pay(each) for each in self.rewards), strict=True)
        ]

    def _value(self, parts: Sequence[Payment]) -> float | None:
        """Return the value, or None if a required part has no value, or if none has one."""
        if any(part.value is None and not part.left_out for part in parts):
            return None
        values = [part.value for part in parts if part.value is not None]
        return finite(self._combined(values)) if values else None

    def _combined(self, values: Sequence[float]) -> float:
        raise NotImplementedError


@NODES.register
@dataclass(frozen=True, repr=False, init=False)
class Product(_Combination):
    """Multiply rewards; if one of them is None, so is the product, and the row is masked.

    Args:
        rewards: Rewards, verifiers and numbers; optional ones without a value are left out.

    Raises:
        ConfigError: There are no rewards, or two different parts have the same name.

    >>> from verifiers import ExactMatch, Length
    >>> Product(ExactMatch(), Length(1, 3))(["4", "5555"], answer=["4", "5555"])
    [1.0, 0.0]
    """

    label: ClassVar[str] = "product"

    def _combined(self, values: Sequence[float]) -> float:
        return math.prod(values)


@NODES.register
@dataclass(frozen=True, repr=False, init=False)
class Max(_Combination):
    """Take the largest of several rewards; if one of them is None, so is the maximum.

    Args:
        rewards: Rewards, verifiers and numbers; optional ones without a value are left out.

    Raises:
        ConfigError: There are no rewards, or two different parts have the same name.

    >>> from verifiers import ExactMatch, Length
    >>> Max(ExactMatch(), 0.5 * Length(1, 3), 0.1)(["4", "5", "5555"], answer=["4", "4", "4"])
    [1.0, 0.5, 0.1]
    """

    label: ClassVar[str] = "max"

    def _combined(self, values: Sequence[float]) -> float:
        return max(values)


@NODES.register
@dataclass(frozen=True, repr=False, init=False)
class Min(_Combination):
    """Take the smallest of several rewards; if one of them is None, so is the minimum.

    Args:
        rewards: Rewards, verifiers and numbers; optional ones without a value are left out.

    Raises:
        ConfigError: There are no rewards, or two different parts have the same name.

    >>> from verifiers import ExactMatch, TagFormat
    >>> Min(ExactMatch(), TagFormat("think"))(["<think>so</think>4", "4"], answer=["4", "4"])
    [1.0, 0.0]
    """

    label: ClassVar[str] = "min"

    def _combined(self, values: Sequence[float]) -> float:
        return min(values)


@NODES.register
@dataclass(frozen=True, repr=False, init=False)
class First(_Combination):
    """Take the first of several rewards that has a value; those after it are not computed.

    A fault does not count as "no value": the row is masked. Otherwise a completion could earn more by
    breaking a checker than by failing its check.

    Args:
        rewards: Rewards, verifiers and numbers, the preferred one first.

    Raises:
        ConfigError: There are no rewards, or two different parts have the same name.

    >>> from verifiers import ExactMatch, MathEquivalence
    >>> print(First(MathEquivalence(), 0.0).explain("4", answer=""))
    first: 0  first of
      MathEquivalence: none  unscored bad_reference
      0: 0
    """

    label: ClassVar[str] = "first"

    def pay(self, batch: Batch) -> list[Payment]:
        tried: list[list[Payment]] = [[] for _ in range(len(batch))]
        rows: Sequence[int] = range(len(batch))
        for each in self.rewards:
            if not rows:
                break
            part = batch if len(rows) == len(batch) else batch.rows(rows)
            for row, payment in zip(rows, part.pay(each), strict=True):
                tried[row].append(payment)
            rows = [row for row in rows if tried[row][-1].status is Status.UNSCORED]
        return [Payment(self.name, parts[-1].value, tuple(parts), note=f"{self.label} of") for parts in tried]

    def reference_classes(self, row: Mapping[str, Any]) -> Iterator[tuple[str, ReferenceClass]]:
        found: list[list[tuple[str, ReferenceClass]]] = []
        for each in self.rewards:
            found.append(list(each.reference_classes(row)))
            if all(classed.kind != "unusable" for _, classed in found[-1]):
                yield from found[-1]
                return
        yield from found[0]
