"""Rows of evaluators: a recipe judges them one by one, and never ends the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reward_verifiers.rewards import Payment, Reward
from reward_verifiers.rewards.tree.reward import TOTAL
from reward_verifiers.verifiers import ConfigError
from reward_verifiers.verifiers.core.columns_and_faults import REFERENCE, reference_column, tell_reference

from ..host import Host, Recipe, reward_of
from ..row_calls import RowCalls
from ..unscored import FAULT, UNSCORED, Policy, handed_over, is_fault


class EvaluatedRows:
    """A reward whose rows an evaluator hands over one by one, in threads or not.

    Schedules are read at their end, as `verify-cli score` reads them: an evaluation is no training.

    Args:
        recipe: The recipe.
        host: The evaluator.
        columns: The reward's columns by the names that the evaluator's rows have.
        unscored: Policy for rows without a reward; by default the evaluator's best.

    Raises:
        ConfigError: The recipe cannot be read, or paid in this evaluator; the message has the cure.
    """

    def __init__(
        self,
        recipe: Recipe,
        host: Host,
        columns: Mapping[str, str] | None = None,
        unscored: Policy | None = None,
    ) -> None:
        self.calls = RowCalls(reward_of(recipe), host, unscored, columns=columns, progress=1.0)
        self.names = (TOTAL, *(name for name in self.reward.part_names() if name != TOTAL))
        """The total and every part, by the names that rows of this reward always have."""

    @property
    def reward(self) -> Reward:
        """The reward that pays the rows."""
        return self.calls.reward

    def pay(self, completion: object, row: Mapping[str, Any]) -> Payment:
        """Return the payment of one row.

        Args:
            completion: Text or chat messages.
            row: Its other columns.

        Raises:
            ConfigError: The row cannot be judged as it is set up, and none could be before.
            SandboxError: Programs cannot be run here at all.
        """
        [payment] = self.calls.rows([completion], [self._with_reference(row)])
        return payment

    def values(self, payment: Payment) -> dict[str, float | None]:
        """Return the total and every part, under the same names for every row; None for a missing value.

        Raises:
            UnscoredError: The row has no reward, and the policy is to raise.
        """
        total = next(iter(self.calls.settled([payment]).values), None)  # nothing where rows are dropped
        paid = {} if payment.value is None else payment.values()
        parts = {name: paid.get(name) for name in self.names}
        return {
            **{name: None if value is None else handed_over(value) for name, value in parts.items()},
            TOTAL: total,
        }

    def means(self, payments: Sequence[Payment]) -> dict[str, float | None]:
        """Return the means over several completions of a row, and the shares of unscored rows and faults.

        Raises:
            UnscoredError: As for `values`.
        """
        found = [self.values(payment) for payment in payments]
        means: dict[str, float | None] = {}
        for name in self.names:
            values = [value for each in found if (value := each[name]) is not None]
            means[name] = sum(values) / len(values) if values else None
        count = max(len(payments), 1)
        means[UNSCORED] = sum(payment.value is None for payment in payments) / count
        means[FAULT] = sum(is_fault(payment) for payment in payments) / count
        return means

    def _with_reference(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        if REFERENCE in row or REFERENCE in self.calls.columns or not self.reward.reads_references():
            return row
        try:
            name = reference_column(row, 'columns={"answer": "solution"}')
        except ConfigError:
            if not self.calls.worked:
                raise
            return row  # a row without a reference has no reward, and is told
        if name is None:
            return row
        tell_reference(name)
        return {**row, REFERENCE: row[name]}
