"""Rewards and their combination.

A reward pays every completion of a batch a finite number, or nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeGuard

from reward_verifiers.verifiers.core import Component, ConfigError, ReferenceClass, Registry, Verifier
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, as_column

from ..cache import VerdictCache
from ..trainer_arguments import gathering
from .batch import Batch, columns_of, training_progress, with_references
from .payment import Payment
from .schedules import Schedule

TOTAL = "reward"
"""What the sum of several parts is called; no part may take the name."""


class Reward(Component):
    """Base of all rewards: frozen dataclasses that implement `pay` and name the rewards below them.

    You can add rewards, verifiers and numbers (``+``, ``-``, ``sum``) and multiply or divide them (``*``,
    ``/``; a number is a weight). Methods make further rewards: `when`, `clip`, `affine`, `penalty`, `named`,
    `optional`, `scheduled`.
    """

    compares_groups: ClassVar[bool] = False
    """Whether a row's payment depends on the other completions of its prompt."""

    # What a subclass says ---------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Return the name in explanations; logs use the names of leaves."""
        return type(self).__name__

    def pay(self, batch: Batch) -> list[Payment]:
        """Return one payment per completion, in order. Take payments of children from `batch.pay`."""
        raise NotImplementedError

    def children(self) -> tuple[Reward, ...]:
        """Return the rewards below this one."""
        return ()

    @property
    def is_part(self) -> bool:
        """Whether logs show its value: they show leaves, not the steps towards the total."""
        return not self.children()

    def needs(self) -> Iterator[str]:
        """Yield the columns that this node itself reads."""
        return iter(())

    def reads(self) -> Iterator[str]:
        """Yield this node's optional inputs: columns, and ``messages`` of chat completions."""
        return iter(())

    def reference_classes(self, row: Mapping[str, Any]) -> Iterator[tuple[str, ReferenceClass]]:
        """Yield the class of a row's references, for each part that needs one."""
        for child in self.children():
            yield from child.reference_classes(row)

    # What a caller uses -----------------------------------------------------------------------

    def __call__(
        self,
        completions: Sequence[object],
        *,
        progress: float | None = None,
        group_size: int | None = None,
        cache: VerdictCache | None = None,
        **columns: object,
    ) -> list[float | None]:
        """Pay a batch.

        Args:
            completions: Length N: a list, a Series, an array, a column of a data set.
            progress: Share of training that is done, in [0, 1]; by default what a ``trainer_state``
                among the columns says, else 1.0.
            group_size: Completions of one prompt, where rewards compare them; by default equal
                neighbours in the ``prompts`` column are one group.
            cache: Verdicts of earlier batches.
            **columns: The rows' other columns, and what a trainer passes besides them, for reward functions
                of the user's that ask for it (`from_trl`).

        Returns:
            Length N, in order: a finite number each, or None where a row cannot be judged.

        Raises:
            ConfigError: A column that is needed is not there, is no column, or has another length.
        """
        if progress is None:
            progress = training_progress(columns.get("trainer_state"))
        completions = as_column(completions, "completions")
        found = columns_of(columns, len(completions), self.columns())
        found = with_references(found, reads=self.reads_references(), cure="pass it as answer=...")
        others = {name: value for name, value in columns.items() if name not in found}
        arguments, log = gathering(others, len(completions))
        batch = Batch(completions, found, progress, group_size=group_size, cache=cache, arguments=arguments)
        values = [payment.value for payment in batch.pay(self)]
        log()
        return values

    def explain(self, completion: object, *, progress: float = 1.0, **row: object) -> Payment:
        """Return the payment for one completion, with all parts and verdicts.

        >>> from rewards import Pay
        >>> from verifiers import ExactMatch
        >>> print(Pay(ExactMatch()).explain("It is <answer>4</answer>", answer="4"))
        ExactMatch: 1  1.00 equal  '4' for '4'
        """
        columns: dict[str, Sequence[object]] = {name: [value] for name, value in row.items()}
        columns = with_references(columns, reads=self.reads_references(), cure="pass it as answer=...")
        batch = Batch([completion], columns, progress)
        [payment] = batch.pay(self)
        return payment

    def walk(self) -> Iterator[Reward]:
        """Yield this node and all nodes below it, as often as they occur."""
        yield self
        for child in self.children():
            yield from child.walk()

    def verifiers(self) -> Iterator[Verifier]:
        """Yield all verifiers of the reward, in order, each once."""
        seen: set[int] = set()
        for node in self.walk():
            verifier = getattr(node, "verifier", None)
            if isinstance(verifier, Verifier) and id(verifier) not in seen:
                seen.add(id(verifier))
                yield verifier

    def reads_references(self) -> bool:
        """Return whether any part reads the column of references, or would if it existed."""
        return any(REFERENCE in (*node.needs(), *node.reads()) for node in self.walk())

    def columns(self) -> list[str]:
        """Return the columns that the reward reads, besides the completions."""
        return list(dict.fromkeys(column for node in self.walk() for column in node.needs()))

    def columns_for(self, row: Mapping[str, Any]) -> list[str]:
        """Return the columns that the reward reads for a row; a `Route` reads those of the row's route only.

        Args:
            row: Other columns of the row.
        """
        below = (column for child in self.children() for column in child.columns_for(row))
        return list(dict.fromkeys((*self.needs(), *below)))

    def parts(self) -> Iterator[tuple[str, Reward]]:
        """Yield every part that logs show, with its name."""
        if self.is_part:
            yield self.name, self
        for child in self.children():
            yield from child.parts()

    def part_names(self) -> list[str]:
        """Return the names of the parts, in order, each once."""
        return list(dict.fromkeys(name for name, _ in self.parts()))

    @property
    def total_name(self) -> str:
        """Return the name of the total in logs: "reward", or its own name if it is a part."""
        return self.name if self.is_part else TOTAL

    def schedules(self, progress: float) -> dict[str, float]:
        """Return the present value of every schedule in the reward, by parameter."""
        return {name: value for node in self.walk() for name, value in node.scheduled_now(progress)}

    def scheduled_now(self, progress: float) -> Iterator[tuple[str, float]]:
        """Yield the present values of this node's own schedules."""
        return iter(())

    @property
    def needs_groups(self) -> bool:
        """Whether any part compares the completions of a prompt."""
        return any(node.compares_groups for node in self.walk())

    def signature(self) -> str:
        """Return a text that identifies the scoring: the reward, its parameters and its versions.

        If your own code or files judge, it ends with a digest of them: see `Component.identity`.
        """
        own = [f"#{self.taken().digest[:16]}"] if self.taken().own else []
        return "|".join([self.describe(), *self.versions(), *own])

    def to_spec(self) -> Any:
        """Return the reward as plain data for a recipe file; `rewards.load_recipe` reads it back.

        Raises:
            ConfigError: Recipes have no name for the class of a reward.
        """
        name = type(self).__name__
        if name not in REWARDS:
            raise ConfigError(f"{name} is not a reward that a recipe can name; register it as an entry point")
        return {name: {key: plain_data(value) for key, value in self.changed_fields().items()}}

    def describe(self) -> str:
        """Return the reward on one line, with all parameters that differ from their defaults."""
        return repr(self)

    def __str__(self) -> str:
        return self.describe()

    # How rewards combine: each names the node that it makes ---------------------------------------

    def __add__(self, other: object) -> Reward:
        term = reward_of(other)
        if term is None:
            return NotImplemented
        return self if _is_zero(other) else _node("Sum", _terms(self) + _terms(term))

    def __radd__(self, other: object) -> Reward:
        term = reward_of(other)
        if term is None:
            return NotImplemented
        # sum() begins with 0
        return self if _is_zero(other) else _node("Sum", _terms(term) + _terms(self))

    def __sub__(self, other: object) -> Reward:
        if _is_number(other):
            return self + -other
        term = reward_of(other)
        return NotImplemented if term is None else self + -term

    def __rsub__(self, other: object) -> Reward:
        term = reward_of(other)
        return NotImplemented if term is None else other + -self

    def __truediv__(self, by: object) -> Reward:
        if not _is_number(by):
            return NotImplemented
        if by == 0:
            raise ConfigError("a reward cannot be divided by 0")
        return self * (1.0 / by)

    def __neg__(self) -> Reward:
        return -1.0 * self

    def __mul__(self, weight: object) -> Reward:
        if isinstance(weight, Schedule):
            return _node("Scale", weight, self)
        if isinstance(weight, Reward | Verifier):
            return _node("Product", _factors(self) + _factors(reward_of(weight)))
        if not _is_number(weight):
            return NotImplemented
        try:
            return _node("Scale", float(weight), self)
        except OverflowError:
            raise ConfigError("a weight must be a finite number, got an integer too large for one") from None

    def __rmul__(self, weight: object) -> Reward:
        if isinstance(weight, Verifier):
            return _node("Product", _factors(reward_of(weight)) + _factors(self))
        return self * weight

    def when(self, gate: Reward | Verifier, otherwise: float = 0.0, at: float = 1.0) -> Reward:
        """Return a reward that pays this one only if the gate passes.

        Args:
            gate: Reward that passes at a value of `at` or more.
            otherwise: Payment if the gate fails.
            at: Least value at which the gate passes.
        """
        passes = reward_of(gate)
        return _node("When", self, passes, float(otherwise), float(at))

    def clip(self, low: float | None = None, high: float | None = None) -> Reward:
        """Limit the value to [low, high]; None means no limit."""
        return _node("Clip", self, low, high)

    def affine(self, scale: float = 1.0, shift: float = 0.0) -> Reward:
        """Return ``scale * value + shift``; for example, ``.affine(0.5, 0.5)`` gives a value in [0.5, 1]."""
        return _node("Affine", self, float(scale), float(shift))

    def penalty(self, size: float = 1.0) -> Reward:
        """Penalise a missing share: 0 at a value of 1, ``-size`` at 0, linear between."""
        return _node("Penalty", self, float(size))

    def named(self, name: str) -> Reward:
        """Return the same reward with another name in explanations and logs."""
        return _node("Named", self, name)

    def optional(self) -> Reward:
        """Return a term that its sum leaves out if it has no score; the other weights stay."""
        return _node("Optional", self)

    def scheduled(self, weight: Schedule | None = None, /, **parameters: Schedule) -> Reward:
        """Change a weight, or parameters of this node or its verifier, over training.

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
            reward = _node("Scheduled", reward, tuple(sorted(parameters.items())))
        if weight is not None:
            reward = weight * reward
        if reward is self:
            raise ConfigError("scheduled() takes a schedule for the weight, or one for a named parameter")
        made: Reward = reward
        return made


REWARDS: Registry[Reward] = Registry(
    "REWARDS", Reward, "reward_verifiers.rewards", entry_points="reward_verifiers.rewards"
)
"""Rewards that recipes name, besides verifiers."""
NODES: Registry[Reward] = Registry("NODES", Reward, "reward_verifiers.rewards")
"""Rewards that methods and operators make, and for which recipes have keys of their own."""


def reward_names() -> list[str]:
    """Return the rewards that a recipe can name besides verifiers, without importing any."""
    return REWARDS.names()


def plain_data(value: Any) -> Any:
    """Return a field's value as a recipe file holds it."""
    if isinstance(value, Component):
        return value.to_spec()
    return list(map(plain_data, value)) if isinstance(value, tuple) else value


def check_names(parts: Iterator[tuple[str, Reward]]) -> None:
    """Refuse two different parts of one name: trainers and logs would silently merge them.

    Raises:
        ConfigError: There are two.
    """
    known: dict[str, Reward] = {}
    for name, part in parts:
        if name == TOTAL:
            raise ConfigError(f"a part cannot be named {TOTAL!r}: that is the name of the total")
        if known.setdefault(name, part) != part:
            raise ConfigError(
                f"two parts are named {name!r}: {known[name].describe()} and {part.describe()}; "
                "give one another name with .named('...')"
            )


def reward_of(value: object) -> Any:
    """Return a reward unchanged, a verifier's reward, or the reward of a number; else None."""
    if isinstance(value, Reward):
        return value
    if isinstance(value, Verifier):
        return _node("Pay", value)
    return _node("Number", float(value)) if _is_number(value) else None


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_zero(value: object) -> bool:
    return _is_number(value) and value == 0


def _factors(reward: Any) -> tuple[Any, ...]:
    found: tuple[Any, ...] = getattr(reward, "rewards", (reward,))
    return found if type(reward).__name__ == "Product" else (reward,)


def _terms(reward: Any) -> tuple[Any, ...]:
    """Return the terms of a sum, or the only term: sums are flat, however they are bracketed."""
    return getattr(reward, "terms", (reward,)) if type(reward).__name__ == "Sum" else (reward,)


def _node(name: str, *fields: Any) -> Reward:
    kind: Any = NODES.get(name)
    made: Reward = kind(*fields)
    return made
