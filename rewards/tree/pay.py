"""The leaf of the reward tree, which pays a verifier's score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reward_verifiers.verifiers import ConfigError, Status, Verdict, Verifier
from reward_verifiers.verifiers.core import ReferenceClass, nearest

from .batch import Batch
from .payment import Payment
from .reward import NODES, Reward


@NODES.register
@dataclass(frozen=True, repr=False)
class Pay(Reward):
    """Turn a verifier's score, or that of one of its parts, into a reward; None if the row is unscored.

    Args:
        verifier: The verifier; it judges once, however many of its parts you use.
        reference: Column of the references.
        part: Name of the part, for verifiers with named parts.

    Raises:
        ConfigError: `verifier` is not a verifier, or has no such part.

    >>> from verifiers import ExactMatch
    >>> Pay(ExactMatch())(completions=["4", "5"], answer=["4", "4"])
    [1.0, 0.0]
    """

    verifier: Verifier
    reference: str = "answer"
    part: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.verifier, Verifier):
            raise ConfigError(f"Pay takes a verifier such as ExactMatch(), got {self.verifier!r}")
        super().__post_init__()
        known = self.verifier.part_names()
        if self.part is not None and self.part not in known:
            hint = nearest(self.part, known) or "; this verifier's parts have no names of their own"
            raise ConfigError(f"{self.verifier._name()} has no part {self.part!r}{hint}")

    def to_spec(self) -> Any:
        spec = self.verifier.to_spec()
        beside = {} if self.reference == "answer" else {"reference": self.reference}
        if self.part is not None:
            beside["part"] = self.part
        return {"pay": spec, **beside} if beside else spec

    @property
    def name(self) -> str:
        """Return the name of the verifier and of the part."""
        return self.verifier._name() + (f".{self.part}" if self.part else "")

    def pay(self, batch: Batch) -> list[Payment]:
        """See `Reward.pay`.

        Raises:
            ConfigError: The verifier needs a reference, and its column does not exist.
        """
        name = self.name
        verdicts = batch.judged(self.verifier, self.reference, lambda: batch.placed(self._verdicts(batch)))
        if self.part is not None:
            verdicts = [_part_of(verdict, self.part) for verdict in verdicts]
        return [Payment(name, verdict.score, (), verdict, "", True) for verdict in verdicts]

    def _verdicts(self, batch: Batch) -> Sequence[Verdict]:
        references: Sequence[object] | None = batch.columns.get(self.reference)
        if references is None and self.verifier.needs_reference:
            raise ConfigError(
                f"{self.verifier._name()} needs the references in a column {self.reference!r}"
                f"{nearest(self.reference, batch.columns)}"
            )
        for column in self.verifier.columns_needed():
            if column not in batch.columns:
                raise ConfigError(
                    f"{self.verifier._name()} needs a column {column!r}{nearest(column, batch.columns)}"
                )
        if batch.cache is not None:
            return batch.cache.verdicts(self.verifier, batch.splits, references, batch.columns)
        return self.verifier.verify_columns(batch.splits, references, batch.columns)

    def needs(self) -> Iterator[str]:
        if self.verifier.needs_reference:
            yield self.reference
        yield from self.verifier.columns_needed()

    def reads(self) -> Iterator[str]:
        if self.verifier.reads_reference():
            yield self.reference
        if "messages" in (self.verifier.fields_read() or ()):
            yield "messages"

    def reference_classes(self, row: Mapping[str, Any]) -> Iterator[tuple[str, ReferenceClass]]:
        if self.verifier.needs_reference or self.verifier.runs_programs:
            yield self.name, self.verifier.judge_reference(row.get(self.reference), row)

    def describe(self) -> str:
        column = "" if self.reference == "answer" else f"@{self.reference}"
        return self.verifier.describe() + (f".{self.part}" if self.part else "") + column


def _part_of(verdict: Verdict, name: str) -> Verdict:
    """Return the part of a verdict; one without parts stands for them if it scores 0 or not at all."""
    part = next((part for part in verdict.parts if part.verifier == name), None)
    if part is not None:
        return part
    if not verdict.score:
        return verdict
    return Verdict(
        verifier=verdict.verifier,
        status=Status.FAULT,
        score=None,
        reason="bad_verdict",
        detail=f"the verdict has no part {name!r}, though the verifier names one",
    )
