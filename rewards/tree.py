"""The reward tree: leaves pay verdicts, the rest combines payments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verifiers import ConfigError, Verdict, Verifier
from verifiers._errors import nearest

from ._base import Batch, Payment, Reward, finite


@dataclass(frozen=True)
class Pay(Reward):
    """Pay a verifier's score: None where it could not judge.

    Args:
        verifier: Who judges.
        reference: The column that holds the references.

    Raises:
        ConfigError: `verifier` is not a verifier.

    >>> from verifiers import ExactMatch
    >>> Pay(ExactMatch())(completions=["4", "5"], answer=["4", "4"])
    [1.0, 0.0]
    """

    verifier: Verifier
    reference: str = "answer"

    def __post_init__(self) -> None:
        if not isinstance(self.verifier, Verifier):
            raise ConfigError(f"Pay takes a verifier such as ExactMatch(), got {self.verifier!r}")

    @property
    def name(self) -> str:
        """The verifier's name."""
        return self.verifier._name()

    def pay(self, batch: Batch) -> list[Payment]:
        """See `Reward.pay`.

        Raises:
            ConfigError: The reference column is needed and not there.
        """
        name = self.name
        return [Payment(name, verdict.score, (), verdict) for verdict in self._verdicts(batch)]

    def _verdicts(self, batch: Batch) -> list[Verdict]:
        references: Sequence[object] | None = batch.columns.get(self.reference)
        if references is None and self.verifier.needs_reference:
            raise ConfigError(
                f"{self.name} needs the references in a column {self.reference!r}"
                f"{nearest(self.reference, batch.columns)}"
            )
        return self.verifier.verify_columns(batch.splits, references, batch.columns)

    def verifiers(self) -> Iterator[Verifier]:
        """See `Reward.verifiers`."""
        yield self.verifier

    def references(self) -> Iterator[str]:
        """See `Reward.references`."""
        if self.verifier.needs_reference:
            yield self.reference

    def describe(self) -> str:
        """See `Reward.describe`."""
        column = "" if self.reference == "answer" else f"@{self.reference}"
        return self.verifier.describe() + column


@dataclass(frozen=True)
class Scale(Reward):
    """A weight times a reward.

    Raises:
        ConfigError: The weight is not a finite number.
    """

    weight: float
    reward: Reward

    def __post_init__(self) -> None:
        if not math.isfinite(self.weight):
            raise ConfigError(f"a weight must be a finite number, got {self.weight!r}")

    @property
    def name(self) -> str:
        """The name of what is weighted."""
        return self.reward.name

    def pay(self, batch: Batch) -> list[Payment]:
        """See `Reward.pay`."""
        return [
            Payment(part.name, None if part.value is None else finite(self.weight * part.value), (part,))
            for part in self.reward.pay(batch)
        ]

    def verifiers(self) -> Iterator[Verifier]:
        """See `Reward.verifiers`."""
        yield from self.reward.verifiers()

    def references(self) -> Iterator[str]:
        """See `Reward.references`."""
        yield from self.reward.references()

    def describe(self) -> str:
        """See `Reward.describe`."""
        inner = self.reward.describe()
        return f"{self.weight:g}*({inner})" if isinstance(self.reward, Sum) else f"{self.weight:g}*{inner}"


@dataclass(frozen=True)
class Sum(Reward):
    """The sum of rewards: None as soon as one of them is None, so nothing unjudged is paid as wrong.

    Raises:
        ConfigError: No terms.
    """

    terms: tuple[Reward, ...]

    def __post_init__(self) -> None:
        if not self.terms:
            raise ConfigError("a sum needs at least one term")

    @classmethod
    def of(cls, one: Reward, other: Reward) -> Sum:
        """One flat sum, whichever way it was bracketed."""
        flat = [term for side in (one, other) for term in (side.terms if isinstance(side, Sum) else (side,))]
        return cls(tuple(flat))

    @property
    def name(self) -> str:
        """What the total is called."""
        return "reward"

    def pay(self, batch: Batch) -> list[Payment]:
        """See `Reward.pay`."""
        return [
            Payment(self.name, _total(parts), parts)
            for parts in zip(*(term.pay(batch) for term in self.terms), strict=True)
        ]

    def verifiers(self) -> Iterator[Verifier]:
        """See `Reward.verifiers`."""
        for term in self.terms:
            yield from term.verifiers()

    def references(self) -> Iterator[str]:
        """See `Reward.references`."""
        for term in self.terms:
            yield from term.references()

    def describe(self) -> str:
        """See `Reward.describe`."""
        return " + ".join(term.describe() for term in self.terms)


def _total(parts: Sequence[Payment]) -> float | None:
    total = 0.0
    for part in parts:
        if part.value is None:
            return None
        total += part.value
    return finite(total)
