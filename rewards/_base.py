"""What a reward is: it pays every completion of a batch a finite number, or nothing at all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from verifiers import ConfigError, Split, Status, Verdict, Verifier, split_completion


@dataclass(frozen=True)
class Batch:
    """Completions and the other columns of their rows.

    Args:
        completions: Length N: strings or chat messages.
        columns: Other columns, each of length N.

    Raises:
        ConfigError: A column has another length.
    """

    completions: Sequence[object]
    columns: Mapping[str, Sequence[object]]

    def __post_init__(self) -> None:
        for name, column in self.columns.items():
            if len(column) != len(self.completions):
                raise ConfigError(
                    f"column {name!r} has {len(column)} rows where completions has {len(self.completions)}"
                )

    def __len__(self) -> int:
        return len(self.completions)

    @cached_property
    def splits(self) -> list[object]:
        """The completions, each taken apart once for all verifiers; what is no text stays as it is."""
        return [_split(completion) for completion in self.completions]


def _split(completion: object) -> object:
    split: Split | None = split_completion(completion)
    return completion if split is None else split


@dataclass(frozen=True, slots=True)
class Payment:
    """What one completion is paid, and for what.

    Args:
        name: The reward's name.
        value: A finite number, or None where a required part could not be judged.
        parts: What the value is made of.
        verdict: The judgement behind a leaf.
    """

    name: str
    value: float | None
    parts: tuple[Payment, ...] = ()
    verdict: Verdict | None = None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """All verdicts below, in the order of the tree."""
        if self.verdict is not None:
            return (self.verdict,)
        return tuple(verdict for part in self.parts for verdict in part.verdicts)

    @property
    def status(self) -> Status:
        """SCORED if it has a value; else FAULT if anything below broke, else UNSCORED."""
        if self.value is not None:
            return Status.SCORED
        broken = any(verdict.status is Status.FAULT for verdict in self.verdicts)
        return Status.FAULT if broken else Status.UNSCORED

    def __str__(self) -> str:
        return "\n".join(self._lines(0))

    def _lines(self, depth: int) -> Iterator[str]:
        value = "none" if self.value is None else f"{self.value:.4g}"
        said = f"  {self.verdict}" if self.verdict is not None else ""
        yield f"{'  ' * depth}{self.name}: {value}{said}"
        for part in self.parts:
            yield from part._lines(depth + 1)


class Reward:
    """Base of all rewards. Subclasses are frozen dataclasses that implement `pay`."""

    @property
    def name(self) -> str:
        """What logs and reports call it."""
        raise NotImplementedError

    def pay(self, batch: Batch) -> list[Payment]:
        """One payment per completion, in order."""
        raise NotImplementedError

    def verifiers(self) -> Iterator[Verifier]:
        """All verifiers of the tree, in order."""
        raise NotImplementedError

    def references(self) -> Iterator[str]:
        """The columns that hold references, for the verifiers that need one."""
        raise NotImplementedError

    def describe(self) -> str:
        """The tree on one line."""
        raise NotImplementedError

    def __call__(self, completions: Sequence[object], **columns: object) -> list[float | None]:
        """Pay a batch.

        Args:
            completions: Length N.
            **columns: The rows' other columns; whatever is not a sequence of length N (a trainer passes
                such things too) is left out.

        Returns:
            Length N, in order: a finite number each, or None where a row cannot be judged.
        """
        return [
            payment.value for payment in self.pay(Batch(completions, _columns(columns, len(completions))))
        ]

    def explain(self, completion: object, **row: object) -> Payment:
        """The payment of one completion with all its parts and verdicts.

        >>> from rewards import Pay
        >>> from verifiers import ExactMatch
        >>> print(Pay(ExactMatch()).explain("It is <answer>4</answer>", answer="4"))
        ExactMatch: 1  ExactMatch 1.00 equal  '4' for '4'
        """
        [payment] = self.pay(Batch([completion], {name: [value] for name, value in row.items()}))
        return payment

    def signature(self) -> str:
        """What scored a row: the tree with all its parameters, and the versions that can change a verdict."""
        names = {name for verifier in self.verifiers() for name in verifier.depends}
        versions = [f"{name}:{_version(name)}" for name in ("reward-verifiers", *sorted(names))]
        return "|".join([self.describe(), *versions])

    def __add__(self, other: object) -> Reward:
        from .tree import Sum

        return Sum.of(self, other) if isinstance(other, Reward) else NotImplemented

    def __mul__(self, weight: object) -> Reward:
        from .tree import Scale

        if isinstance(weight, bool) or not isinstance(weight, int | float):
            return NotImplemented
        return Scale(float(weight), self)

    __rmul__ = __mul__


def _columns(columns: Mapping[str, Any], count: int) -> dict[str, Sequence[object]]:
    return {
        name: column
        for name, column in columns.items()
        if isinstance(column, Sequence) and not isinstance(column, str | bytes) and len(column) == count
    }


def finite(value: float) -> float | None:
    """The value, or None where it is no finite number: such a thing must never reach an optimiser."""
    return value if math.isfinite(value) else None


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        from verifiers import __version__

        return __version__ if distribution == "reward-verifiers" else "absent"
