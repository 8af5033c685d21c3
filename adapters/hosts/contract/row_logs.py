"""What a host may log of a row: floats under names that are the same for every row of a reward.

Hosts make tensors of these values, and take the names of the first row for those of all: None, text and a
name that comes and goes end their runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reward_verifiers.rewards import Payment, Reward

from .unscored import is_fault

JUDGED = "judged"
UNSCORED, FAULT = "unscored", "fault"


class RowLogs:
    """The floats of each row of a reward.

    Every part has its value, 0 where it has none, and under ``NAME/judged`` whether it has one: the mean over
    the rows that were judged is the mean of the one divided by that of the other. ``unscored`` and ``fault``
    are 1 where the row has no reward, and where it has none because something broke.

    Args:
        reward: What pays.

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
        """The floats of one row."""
        return self.of_values(payment.values(), payment.value, is_fault(payment))

    def of_values(
        self, values: Mapping[str, float | None], reward: float | None, fault: bool
    ) -> dict[str, float]:
        """The floats of a row that was paid elsewhere.

        Args:
            values: Of its parts.
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
        """The mean of each over rows; 0 where there are none."""
        rows = [self.row(payment) for payment in payments]
        return {name: sum(row[name] for row in rows) / max(len(rows), 1) for name in self.names}
