"""Different rewards for different rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reward_verifiers.verifiers import ConfigError, Verifier
from reward_verifiers.verifiers.core import ReferenceClass

from .batch import Batch
from .pay import Pay
from .payment import Payment
from .reward import NODES, Reward


@NODES.register
@dataclass(frozen=True, repr=False)
class Route(Reward):
    """The reward that a column of the row names: mathematics to one verifier, code to another.

    Args:
        by: The column whose value chooses.
        routes: Pairs of (value, reward or verifier), or a mapping of them.
        otherwise: What pays a row with another value; without one such a row cannot be judged.

    Raises:
        ConfigError: No routes, one value twice, or two parts of one name within a route.

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
        """What explanations call it."""
        return f"by {self.by}"

    def children(self) -> tuple[Reward, ...]:
        last = () if self.otherwise is None else (self.otherwise,)
        return (*(to for _, to in self.routes), *last)

    def parts(self) -> Iterator[tuple[str, Reward]]:
        """The parts that logs show. Routes may share a name, since each row takes one of them."""
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
            ConfigError: The column is not there.
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
