"""Rewards in TRL's trainers with ``reward_funcs`` other than `GRPOTrainer` and `RLOOTrainer`.

    reward = load_recipe("gsm8k_tags")
    AsyncGRPOTrainer(reward_funcs=trl_trainer_func(reward, AsyncGRPOTrainer), ...)

They add up what several functions return, and differ in what they pass and in what a row without a reward
becomes; so each takes one function, which is made for it. TRL is not imported.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from reward_verifiers.rewards import Payment, Reward, VerdictCache
from reward_verifiers.rewards.tree.batch import columns_of
from reward_verifiers.verifiers import ConfigError

from ..host import Host, Need
from ..shared_payments import Evaluation, OnFault
from ..unscored import Policy, RowLogs, group_means, settle, why

PAIRS = "OnlineDPOTrainer"
TRAINERS: Mapping[str, Host] = {
    # It says nothing of how far training has come to the process in which rewards are worked out.
    "AsyncGRPOTrainer": Host("AsyncGRPOTrainer", frozenset(Need) - {Need.PROGRESS}, ("mask",)),
    # The tokens that it passes are padded to the longest completion of the batch.
    PAIRS: Host(PAIRS, frozenset({Need.GROUP, Need.PROGRESS, Need.PROMPT}), ("group_mean", "zero", "raise")),
    # A reward from a threshold up makes a completion an example for others, so a mean of others is none.
    "SDPOTrainer": Host("SDPOTrainer", frozenset(Need) - {Need.MESSAGES}, ("zero", "group_mean", "raise")),
    # It values prompts by groups, and trains on single completions.
    "A2POTrainer": Host("A2POTrainer", frozenset({Need.PROMPT}), ("zero", "raise")),
}
"""What each of them passes, and what can be done there about a row without a reward."""

_log = logging.getLogger(__name__)


class TrainerReward:
    """A reward as the one function of a trainer; made by `trl_trainer_func`.

    Args:
        reward: The reward.
        host: The trainer.
        unscored: Policy for rows without a reward.
        evaluation: Works out a batch.
        progress: The progress at which schedules are read, where the trainer does not tell.
    """

    def __init__(
        self, reward: Reward, host: Host, unscored: Policy, evaluation: Evaluation, progress: float | None
    ) -> None:
        self.__name__ = reward.total_name
        self.host, self.unscored, self.progress = host, unscored, progress
        self._evaluation, self._logs, self._told = evaluation, RowLogs(reward), False
        self.without: list[int] = []
        """The rows of the last batch that had no reward."""
        self.means: dict[str, float] = {}
        """The mean of each part over the last batch, and the shares of rows without a reward."""

    def __call__(self, completions: Sequence[object], **given: Any) -> list[float | None]:
        """Return one number per completion; None only where the trainer masks the row."""
        order = self._order(len(completions))
        columns = {
            name: [column[row] for row in order] for name, column in columns_of(given, len(order)).items()
        }
        if Need.TOKENS not in self.host.offers:
            columns.pop("completion_ids", None)
            given.pop("completion_ids", None)
        if self.progress is not None:
            given["trainer_state"] = _Progress(self.progress)
        payments = self._evaluation.payments([completions[row] for row in order], {**given, **columns})
        self.means = self._logs.means(payments)
        self.without = sorted(row for row, paid in zip(order, payments, strict=True) if paid.value is None)
        self._tell(payments)
        values = self._values(payments, columns.get("prompts", columns.get("prompt")))
        found = dict(zip(order, values, strict=True))
        return [found[row] for row in range(len(order))]

    def __repr__(self) -> str:
        return f"<{self.__name__} for {self.host.name}>"

    def _order(self, count: int) -> list[int]:
        """Return the order of rows in which the completions of a prompt are adjacent."""
        if self.host.name != PAIRS or count % 2:
            return list(range(count))
        # First one completion of every prompt comes, then the other of each.
        return [row for first in range(count // 2) for row in (first, first + count // 2)]

    def _values(self, payments: list[Payment], prompts: Sequence[object] | None) -> list[float | None]:
        if self.unscored != "group_mean":
            return settle(payments, self.unscored).values
        size = self._evaluation.group_size
        if size is not None and len(payments) % size == 0:
            keys: list[Any] = [row // size for row in range(len(payments))]
        else:
            keys = [repr(prompt) for prompt in prompts or range(len(payments))]
        return [*group_means(settle(payments, "mask").values, keys)]

    def _tell(self, payments: list[Payment]) -> None:
        if self.without and not self._told:
            self._told = True
            first = next(each for each in payments if each.value is None)
            counted = (len(self.without), len(payments), why(first), self.host.name, self.unscored)
            _log.warning("%d of %d rows have no reward (%s): %s, %s", *counted)


class _Progress:
    """The state of a trainer that has come so far."""

    def __init__(self, progress: float) -> None:
        self.max_steps = 1_000_000
        self.global_step = round(progress * self.max_steps)


_Trainer: Any = object


class MaskedPairs(_Trainer):  # type: ignore[misc]  # mixed into a class of TRL's, which is not imported
    """Mixin that keeps `OnlineDPOTrainer` from training on pairs without a reward, and logs how many.

        class Trainer(MaskedPairs, OnlineDPOTrainer): ...

    Without it such a pair is a draw, and a draw is trained on: the first completion counts as the better one.
    """

    def _generate(self, *given: Any, **options: Any) -> Any:
        made = super()._generate(*given, **options)
        self._pairs_mask = made[3]
        return made

    def _generate_vllm(self, *given: Any, **options: Any) -> Any:
        made = super()._generate_vllm(*given, **options)
        self._pairs_mask = made[3]
        return made

    def _calculate_rewards_from_functions(self, prompts: Any, *given: Any, **options: Any) -> Any:
        rewards = super()._calculate_rewards_from_functions(prompts, *given, **options)
        ours = [each for each in self.reward_funcs if isinstance(each, TrainerReward)]
        half = len(prompts) // 2
        pairs = sorted({row % half for each in ours for row in each.without})
        # The loss sums over what is not masked: no gradient comes of sums over nothing.
        self._pairs_mask[[*pairs, *(row + half for row in pairs)]] = 0
        for each in ours:
            for name, mean in each.means.items():
                self.stats.setdefault(f"{each.__name__}/{name}", []).append(mean)
        return rewards


def trl_trainer_func(
    reward: Reward,
    trainer: str | type,
    *,
    unscored: Policy | None = None,
    columns: Mapping[str, str] | None = None,
    num_generations: int | None = None,
    progress: float | None = None,
    cache: VerdictCache | None = None,
    on_fault: OnFault = "stop",
) -> TrainerReward:
    """Return a reward as the one function of a trainer: of `TRAINERS`, by its class or its name.

    Args:
        reward: The reward.
        trainer: Which trainer; a class of one's own counts as what it is derived from.
        unscored: Policy for rows without a reward; by default the most honest one for the trainer.
        columns: The data set's columns by the names that the reward has for them.
        num_generations: The group size, for rewards that compare completions.
        progress: The progress at which schedules are read, for a trainer that does not tell.
        cache: Verdicts to keep.
        on_fault: As for `trl_reward_funcs`.

    Raises:
        ConfigError: Another trainer, or one that cannot pay this reward; the message has the cure.

    >>> from rewards import load_recipe
    >>> trl_trainer_func(load_recipe("gsm8k_tags"), "A2POTrainer").unscored
    'zero'
    """
    names = [trainer] if isinstance(trainer, str) else [each.__name__ for each in trainer.__mro__]
    known = next((name for name in names if name in TRAINERS), None)
    if known is None:
        raise ConfigError(
            f"trainer is one of {', '.join(TRAINERS)}, got {names[0]}; "
            "for GRPOTrainer, RLOOTrainer and their subclasses use trl_reward_funcs"
        )
    host = TRAINERS[known]
    host.check(reward, progress=progress)
    size = 2 if known == PAIRS else num_generations
    evaluation = Evaluation(reward, columns or {}, size, cache, on_fault)
    return TrainerReward(reward, host, host.policy(unscored), evaluation, progress)
