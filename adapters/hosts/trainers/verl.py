"""Rewards as verl's ``compute_score``, one row at a time.

    reward.custom_reward_function.path=pkg://adapters.hosts.trainers.verl
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.recipe=gsm8k_tags

Rewards that compare the completions of a prompt, or read lengths in tokens, need the reward manager of
`verl_manager`, which also checks the recipe when verl starts. verl itself is not imported.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reward_verifiers.rewards import Payment, Reward, load_recipe
from reward_verifiers.verifiers.runtime.forks import new_lock

from ..host import COLUMNS, Host, Need
from ..row_calls import RowCalls
from ..unscored import Policy, why

_log = logging.getLogger(__name__)

USE_MANAGER = (
    "use this library's reward manager (reward.reward_manager.source=importlib "
    "reward.reward_manager.module.path=pkg://adapters.hosts.trainers.verl_manager "
    "reward.reward_manager.name=RewardManager +reward.reward_kwargs.recipe=...)"
)
FUNCTION = Host(
    "verl's compute_score",
    frozenset({Need.PROMPT}),
    ("zero", "raise"),
    cures={
        Need.GROUP: USE_MANAGER,
        Need.TOKENS: USE_MANAGER,
        Need.PROGRESS: "name the progress at which schedules are read: progress=1.0 among reward_kwargs",
    },
)
TAKEN = frozenset(
    {"score", "reward", "uid", "index", "data_source", "reward_model", "extra_info", "priority"}
)
"""Names that verl's batches and metrics have themselves: what it logs of a row must not be called so."""


class VerlReward:
    """A reward as a ``compute_score`` of verl; made by `verl_reward`.

    Args:
        calls: Judges rows, and has the policy for those without a reward.
    """

    def __init__(self, calls: RowCalls) -> None:
        self.calls, self.rows, self.tally = calls, VerlRows(calls.reward), Tally()

    def __call__(
        self,
        data_source: object,
        solution_str: str,
        ground_truth: object,
        extra_info: Mapping[str, Any] | None = None,
        reward_router_address: str | None = None,
        reward_model_tokenizer: object = None,
    ) -> dict[str, float]:
        """Return ``score`` and floats under the same names for every row, as verl expects."""
        row = self.rows.row(data_source, ground_truth, extra_info)
        payments = self.calls.rows([solution_str], [row])
        self.tally.count(payments[0])
        [value] = self.calls.settled(payments).values
        return {**self.rows.logged(self.calls, payments[0]), "score": value or 0.0}


def verl_reward(
    reward: Reward | str | Path,
    *,
    unscored: Policy | None = None,
    columns: Mapping[str, str] | None = None,
    progress: float | None = None,
) -> VerlReward:
    """Return a reward as a ``compute_score``, for a user's file that verl loads.

    Args:
        reward: A reward, or the name or file of a recipe.
        unscored: Policy for rows without a reward: ``zero`` (the default) or ``raise``.
        columns: The reward's columns by the names that ``extra_info`` has for them; what is called
            ``answer`` is the ground truth.
        progress: The progress at which schedules are read.

    Raises:
        ConfigError: The reward cannot be paid row by row; the message has the cure.
    """
    made = reward if isinstance(reward, Reward) else load_recipe(reward)
    return VerlReward(RowCalls(made, FUNCTION, unscored, columns=columns, progress=progress))


_lock = new_lock()
_made: dict[tuple[object, ...], VerlReward] = {}


def compute_score(
    data_source: object,
    solution_str: str,
    ground_truth: object,
    extra_info: Mapping[str, Any] | None = None,
    *,
    recipe: str,
    unscored: Policy | None = None,
    columns: Mapping[str, str] | None = None,
    progress: float | None = None,
    reward_router_address: str | None = None,
    reward_model_tokenizer: object = None,
) -> dict[str, float]:
    """Score a row for ``reward.custom_reward_function``, with ``reward_kwargs`` after ``extra_info``.

    Args:
        data_source: As verl passes it; a column of the row.
        solution_str: The completion.
        ground_truth: The column ``answer``; a mapping that has all columns of the recipe is these.
        extra_info: More columns.
        recipe: The name or file of a recipe.
        unscored: As for `verl_reward`.
        columns: As for `verl_reward`.
        progress: As for `verl_reward`.
        reward_router_address: Address of verl's reward model, which is not called.
        reward_model_tokenizer: Its tokenizer.

    Raises:
        ConfigError: The reward cannot be paid row by row; the message has the cure.
    """
    key = (recipe, unscored, tuple(sorted((columns or {}).items())), progress)
    made = _made.get(key)
    if made is None:
        with _lock:  # the rows of one recipe are to meet in one place
            if key not in _made:
                _made[key] = verl_reward(recipe, unscored=unscored, columns=columns, progress=progress)
            made = _made[key]
    return made(data_source, solution_str, ground_truth, extra_info)


class VerlRows:
    """Conversion of verl's rows to columns, and of payments to the floats that verl logs."""

    def __init__(self, reward: Reward) -> None:
        self._labels = tuple(name for name in reward.columns() if name not in COLUMNS)

    def row(
        self, data_source: object, ground_truth: object, extra_info: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Return the columns of a row: those in ``extra_info``, and the ground truth.

        Args:
            data_source: As verl has it.
            ground_truth: The answer, or a mapping of all that the reward reads.
            extra_info: A question in it is the prompt.
        """
        row = {str(name): plain(value) for name, value in (extra_info or {}).items() if name != "completion"}
        if "question" in row:
            row.setdefault("prompt", row["question"])
        truth = plain(ground_truth)
        several = isinstance(truth, dict) and len(self._labels) > 1
        row |= truth if several and all(name in truth for name in self._labels) else {"answer": truth}
        return row if data_source is None else {**row, "data_source": data_source}

    def logged(self, calls: RowCalls, payment: Payment) -> dict[str, float]:
        """Return the floats of a row, under names that verl has no other use for."""
        floats = calls.logs.row(payment)
        return {f"part/{name}" if name in TAKEN else name: value for name, value in floats.items()}


class Tally:
    """Logs how many rows had no reward: at the first, the tenth, the hundredth and so on.

    verl shows means of a row's floats for validation alone, so that a training run would not tell.
    """

    def __init__(self) -> None:
        self.rows = self.unscored = 0
        self._next = 1

    def count(self, payment: Payment) -> None:
        """Count a row."""
        self.rows += 1
        if payment.value is not None:
            return
        self.unscored += 1
        if self.unscored >= self._next:
            self._next *= 10
            _log.warning(
                "%d of %d rows in this process had no reward; the last: %s",
                self.unscored,
                self.rows,
                why(payment),
            )


def plain(value: Any) -> Any:
    """Convert settings and columns from the containers of numpy and OmegaConf, which verl makes.

    >>> plain({"tests": ("a", {"b": None})})
    {'tests': ['a', {'b': None}]}
    """
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(each) for each in value]
    return value
