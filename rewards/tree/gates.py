"""Gates, optional terms, and routes: conditional rewards, missing ones, and different ones by row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reward_verifiers.verifiers import ConfigError, Status, Verifier
from reward_verifiers.verifiers.core import ReferenceClass

from .batch import Batch
from .pay import Pay
from .payment import Payment, exact
from .reward import NODES, Reward, check_names
from .sums import Step, operand


@NODES.register
@dataclass(frozen=True, repr=False)
class When(Step):
    """Pay a reward only if a gate passes: for example, accuracy only in the right format.

    If the gated part or the gate has no value, the row is masked, whatever the other says. So a failed gate
    never turns an unusable reference into a wrong answer.

    Args:
        reward: The gated reward.
        gate: Reward that passes at a value of `at` or more.
        otherwise: Payment if the gate fails.
        at: Least value at which the gate passes.

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
    """A term that a sum leaves out if it has no value, such as a judge that is not available.

    A fault is not left out: the row is masked. The weights of the other terms stay. Use it for parts that
    your set-up may lack, never for the part that decides about the answer.
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


@NODES.register
@dataclass(frozen=True, repr=False)
class Route(Reward):
    """Choose the reward by a column of the row: mathematics for one verifier, code for another.

    Args:
        by: Column whose value chooses.
        routes: Pairs of (value, reward or verifier), or a mapping of them.
        otherwise: Reward of rows with any other value; without it they are unscored.

    Raises:
        ConfigError: There are no routes, a value occurs twice, or two parts of a route have the same name.

    >>> from verifiers import ExactMatch, MathEquivalence
    >>> tasks = Route("task", {"math": MathEquivalence(), "qa": ExactMatch()})
    >>> tasks(["1/2", "1/2", "x"], answer=["0.5", "0.5", "x"], task=["math", "qa", "poem"])
    [1.0, 0.0, None]
    """

    by: str
    routes: tuple[tuple[str, Reward], ...]
    otherwise: Reward | None = None

    if TYPE_CHECKING:  # what is taken is more than what is held

        def __init__(
            self,
            by: str,
            routes: Mapping[str, Reward | Verifier] | Sequence[tuple[str, Reward | Verifier]],
            otherwise: Reward | Verifier | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        pairs = tuple(self.routes.items() if isinstance(self.routes, dict) else self.routes)
        routes = tuple((key, Pay(to) if isinstance(to, Verifier) else to) for key, to in pairs)
        object.__setattr__(self, "routes", routes)
        if isinstance(self.otherwise, Verifier):
            object.__setattr__(self, "otherwise", Pay(self.otherwise))
        if not routes:
            raise ConfigError("Route needs at least one route")
        keys = [key for key, _ in routes]
        if len(set(keys)) < len(keys):
            raise ConfigError(f"Route: each value has one route, got {keys}")
        for key, to in routes:
            if not isinstance(key, str) or not isinstance(to, Reward):
                raise ConfigError(f"Route: a route is a string with a reward, got {key!r}: {to!r:.80}")
        super().__post_init__()

    def to_spec(self) -> Any:
        route: dict[str, Any] = {"by": self.by, "routes": {key: to.to_spec() for key, to in self.routes}}
        if self.otherwise is not None:
            route["otherwise"] = self.otherwise.to_spec()
        return {"route": route}

    @property
    def name(self) -> str:
        """Return the name in explanations."""
        return f"by {self.by}"

    def children(self) -> tuple[Reward, ...]:
        last = () if self.otherwise is None else (self.otherwise,)
        return (*(to for _, to in self.routes), *last)

    def parts(self) -> Iterator[tuple[str, Reward]]:
        """Yield the logged parts. Routes may share names, because each row takes one route."""
        for name in dict.fromkeys(name for to in self.children() for name, _ in to.parts()):
            yield name, self

    def needs(self) -> Iterator[str]:
        yield self.by

    def columns_for(self, row: Mapping[str, Any]) -> list[str]:
        to = self._chosen(row.get(self.by))
        return list(dict.fromkeys((*self.needs(), *(() if to is None else to.columns_for(row)))))

    def pay(self, batch: Batch) -> list[Payment]:
        """See `Reward.pay`.

        Raises:
            ConfigError: The column does not exist.
        """
        keys = batch.columns.get(self.by)
        if keys is None:
            raise ConfigError(f"Route: the rows have no column {self.by!r}; it has: {sorted(batch.columns)}")
        rows: dict[Reward, list[int]] = {}
        chosen: list[tuple[str, Reward | None]] = []
        for row, key in enumerate(keys):
            to = self._chosen(key)
            chosen.append((str(key), to))
            if to is not None:
                rows.setdefault(to, []).append(row)
        payments: dict[int, Payment] = {}
        for to, taken in rows.items():
            payments.update(zip(taken, batch.rows(taken).pay(to), strict=True))
        return [
            Payment(self.name, None, (), None, f"no route for {key!r:.40}")
            if to is None
            else Payment(self.name, payments[row].value, (payments[row],), None, f"{key:.40}:")
            for row, (key, to) in enumerate(chosen)
        ]

    def _chosen(self, key: object) -> Reward | None:
        # Numbers in a column stand for the texts that a recipe writes them as.
        whole = isinstance(key, int) and not isinstance(key, bool)
        name = str(key) if whole else key
        return dict(self.routes).get(name, self.otherwise) if isinstance(name, str) else self.otherwise

    def reference_classes(self, row: Mapping[str, Any]) -> Iterator[tuple[str, ReferenceClass]]:
        to = self._chosen(row.get(self.by))
        if to is None:
            yield self.name, ReferenceClass("unusable", "no_route", f"no route for {row.get(self.by)!r:.40}")
        else:
            yield from to.reference_classes(row)

    def describe(self) -> str:
        shown = [f"{json.dumps(key, ensure_ascii=False)}: {to.describe()}" for key, to in self.routes]
        if self.otherwise is not None:
            shown.append(f"otherwise: {self.otherwise.describe()}")
        return f"Route({json.dumps(self.by, ensure_ascii=False)}; {'; '.join(shown)})"
