"""Gates and optional terms: what is paid only under a condition, and what may be missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reward_verifiers.verifiers import ConfigError, Status
from reward_verifiers.verifiers.core import ReferenceClass

from ..values import exact
from .batch import Batch
from .payment import Payment
from .reward import NODES, Reward, check_names
from .sums import Step, operand


@NODES.register
@dataclass(frozen=True, repr=False)
class When(Step):
    """Pay a reward only where a gate passes: accuracy only if the format is kept.

    A row whose gated part cannot be judged pays None whatever the gate says: a failed gate must not
    turn an unusable reference into a wrong answer. So does a row whose gate has no value.

    Args:
        reward: What is paid.
        gate: Passes at a value of `at` or more.
        otherwise: What a failed gate pays.
        at: The value from which the gate passes.

    Raises:
        ConfigError: The gate is optional, or a number is not finite.

    >>> from rewards import Pay
    >>> from verifiers import ExactMatch, TagFormat
    >>> print(Pay(ExactMatch()).when(Pay(TagFormat())).explain("42", answer="42"))
    ExactMatch: 0  gate failed
      ExactMatch: 1  1.00 equal  '42' for '42'
      TagFormat: 0  0.00 missing_tag
    """

    reward: Reward
    gate: Reward
    otherwise: float = 0.0
    at: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        gate = self.gate
        while isinstance(gate, Step) and not isinstance(gate, Optional | When):
            gate = gate.reward
        if isinstance(gate, Optional):
            raise ConfigError("a gate cannot be optional: without a score it is unknown whether it passes")
        check_names(self.parts())

    def children(self) -> tuple[Reward, ...]:
        return (self.reward, self.gate)

    def pay(self, batch: Batch) -> list[Payment]:
        name = self.name
        return [
            self._row(name, part, gate)
            for part, gate in zip(batch.pay(self.reward), batch.pay(self.gate), strict=True)
        ]

    def _row(self, name: str, part: Payment, gate: Payment) -> Payment:
        parts = (part, gate)
        if part.value is None:
            return Payment(name, None, parts, left_out=part.left_out)
        if gate.value is None:
            return Payment(name, None, parts, note="gate has no value")
        if gate.value >= self.at:
            return Payment(name, part.value, parts, note="gate passed")
        return Payment(name, self.otherwise, parts, note="gate failed")

    def recipe_keys(self) -> dict[str, Any]:
        keys: dict[str, Any] = {"when": self.gate.to_spec()}
        if self.otherwise:
            keys["otherwise"] = self.otherwise
        return keys if self.at == 1.0 else {**keys, "at": self.at}

    def describe(self) -> str:
        extra = f", otherwise={exact(self.otherwise)}" if self.otherwise else ""
        extra += f", at={exact(self.at)}" if self.at != 1.0 else ""
        return f"{operand(self.reward)}.when({self.gate.describe()}{extra})"


@NODES.register
@dataclass(frozen=True, repr=False)
class Optional(Step):
    """A term that a sum leaves out where it has no value: a judge or a model that is not available.

    A verifier that breaks (a fault) is not left out: the row is masked. The weights of the other terms stay
    as they are. Use it for what the set-up may lack, never for the part that decides about the answer.
    """

    reward: Reward

    def pay(self, batch: Batch) -> list[Payment]:
        name = self.name
        # A fault is not left out: otherwise breaking the checker would pay better than failing its check.
        return [
            Payment(name, part.value, (part,), left_out=part.status is Status.UNSCORED)
            for part in batch.pay(self.reward)
        ]

    def reference_classes(self, row: Mapping[str, Any]) -> Iterator[tuple[str, ReferenceClass]]:
        return iter(())  # a sum does without it

    def recipe_keys(self) -> dict[str, Any]:
        return {"optional": True}

    def describe(self) -> str:
        return f"{operand(self.reward)}.optional()"
