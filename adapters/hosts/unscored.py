"""Rows without a reward: one declared policy per host, a count of such rows, and floats to log.

Hosts treat such a row differently: one masks it, one gives it 0, one lets it spoil the mean of its group. So
an adapter passes None on only if its host is known to mask it. Hosts also make tensors of logged values and
take the names of the first row for all rows: None, text and missing names end their runs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from reward_verifiers.rewards import Payment, Reward
from reward_verifiers.verifiers import ConfigError, Status, VerifierError

Policy = Literal["mask", "group_mean", "zero", "drop", "raise"]
"""``mask``: the host leaves the row out, None is passed on. ``group_mean``: the mean of what the group was
paid, so that the row's advantage is 0 and those of the others stay; 0 where nothing of the group was paid.
``zero``: 0. ``drop``: the row is not handed back. ``raise``: the call fails."""
POLICIES: tuple[Policy, ...] = get_args(Policy)
MAX_VALUE = 1e6
"""What is handed over lies within this: 32-bit floats turn larger values, and their squares, into inf."""

BROKEN = "broken"
"""The note of a payment whose reward raised."""


class UnscoredError(VerifierError, ValueError):
    """A row cannot be paid, and the policy is to say so."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Values for a host.

    Args:
        values: A finite number for each row that is kept, in order; None only where rows are masked.
        kept: The places of these rows.
        masked: For each kept row, whether it had no reward of its own.
        unscored: Number of rows without a reward.
        faults: Number of these with a fault.
    """

    values: list[float | None]
    kept: list[int]
    masked: list[bool]
    unscored: int
    faults: int


def handed_over(value: float) -> float:
    """Return a reward within the range that trainers compute with."""
    return min(max(value, -MAX_VALUE), MAX_VALUE)


def settle(payments: Sequence[Payment], policy: Policy, groups: Sequence[range] | None = None) -> Settled:
    """Apply a policy to payments.

    Args:
        payments: In order.
        policy: Policy for those without a value.
        groups: The rows of each prompt; only ``group_mean`` reads them.

    Raises:
        UnscoredError: The policy is ``raise``, and a row has no reward.
        ConfigError: The policy is ``group_mean``, and the groups are not known, or do not cover the rows.

    >>> paid = [Payment("r", value) for value in (1.5, 0.5, None)]
    >>> settle(paid, "group_mean", [range(0, 3)]).values, settle(paid, "drop").kept
    ([1.5, 0.5, 1.0], [0, 1])
    """
    values = [None if each.value is None else handed_over(each.value) for each in payments]
    masked = [value is None for value in values]
    kept = list(range(len(values)))
    if policy == "raise":
        _refuse(payments, masked)
    elif policy == "zero":
        values = [0.0 if value is None else value for value in values]
    elif policy == "drop":
        kept = [row for row in kept if not masked[row]]
    elif policy == "group_mean":
        values = _filled(values, groups)
    faults = sum(each.value is None and is_fault(each) for each in payments)
    return Settled([values[row] for row in kept], kept, [masked[row] for row in kept], sum(masked), faults)


def group_means(
    values: Sequence[float | None],
    keys: Sequence[Hashable],
    elsewhere: Iterable[tuple[Hashable, float | None]] = (),
) -> list[float]:
    """Return each row's value, or its group's mean; 0 where no row of the group has a value.

    Args:
        values: Values of the rows; None where a row has none.
        keys: Values that the rows of a group share, in any order.
        elsewhere: Keys and values of rows of the same groups that are not among these.

    >>> group_means([1.5, None, 0.5, None], ["p", "p", "q", "r"])
    [1.5, 1.5, 0.5, 0.0]
    """
    paid: dict[Hashable, list[float]] = {}
    for key, value in (*zip(keys, values, strict=True), *elsewhere):
        if value is not None:
            paid.setdefault(key, []).append(value)
    means = {key: sum(each) / len(each) for key, each in paid.items()}
    return [means.get(key, 0.0) if value is None else value for key, value in zip(keys, values, strict=True)]


def is_fault(payment: Payment) -> bool:
    """Return whether a payment has no value because something broke."""
    return payment.value is None and (payment.status is Status.FAULT or payment.note == BROKEN)


def why(payment: Payment) -> str:
    """Return, in a few words, why a payment has no value."""
    missing = [each for each in payment.verdicts if each.status is not Status.SCORED]
    return "; ".join(f"{each.verifier}: {each.reason}" for each in missing) or payment.note or "no reward"


def _refuse(payments: Sequence[Payment], masked: Sequence[bool]) -> None:
    rows = [row for row, without in enumerate(masked) if without]
    if rows:
        raise UnscoredError(
            f"{len(rows)} of {len(payments)} rows have no reward, "
            f"first row {rows[0]}: {why(payments[rows[0]])}"
        )


def _filled(values: Sequence[float | None], groups: Sequence[range] | None) -> list[float | None]:
    if groups is None or [row for rows in groups for row in rows] != list(range(len(values))):
        raise ConfigError("the mean of a group needs the groups, in order, that cover all rows")
    return [*group_means(values, [group for group, rows in enumerate(groups) for _ in rows])]


JUDGED = "judged"
UNSCORED, FAULT = "unscored", "fault"


class RowLogs:
    """The floats of each row of a reward.

    Every part has its value, 0 where it has none, and under ``NAME/judged`` whether it has one: the mean over
    the rows that were judged is the mean of the one divided by that of the other. ``unscored`` and ``fault``
    are 1 where the row has no reward, and where it has none because something broke.

    >>> from rewards import Pay
    >>> from verifiers import ExactMatch
    >>> reward = Pay(ExactMatch())
    >>> RowLogs(reward).row(reward.explain("4", answer="4"))
    {'ExactMatch': 1.0, 'ExactMatch/judged': 1.0, 'unscored': 0.0, 'fault': 0.0}
    """

    def __init__(self, reward: Reward) -> None:
        self._parts = tuple(reward.part_names())
        self.names = (
            *(name for part in self._parts for name in (part, f"{part}/{JUDGED}")),
            UNSCORED,
            FAULT,
        )

    def row(self, payment: Payment) -> dict[str, float]:
        """Return the floats of one row."""
        return self.of_values(payment.values(), payment.value, is_fault(payment))

    def of_values(
        self, values: Mapping[str, float | None], reward: float | None, fault: bool
    ) -> dict[str, float]:
        """Return the floats of a row that was paid elsewhere.

        Args:
            values: Values of its parts.
            reward: None where it has none.
            fault: Whether it has none because something broke.
        """
        logged: dict[str, float] = {}
        for part in self._parts:
            value = values.get(part)
            logged[part] = 0.0 if value is None else float(value)
            logged[f"{part}/{JUDGED}"] = float(value is not None)
        logged[UNSCORED] = float(reward is None)
        logged[FAULT] = float(fault)
        return logged

    def means(self, payments: Sequence[Payment]) -> dict[str, float]:
        """Return the mean of each float over rows; 0 where there are none."""
        rows = [self.row(payment) for payment in payments]
        return {name: sum(row[name] for row in rows) / max(len(rows), 1) for name in self.names}
