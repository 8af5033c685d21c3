"""Rewards in TRL's trainers: `GRPOTrainer`, `RLOOTrainer`, and others that take ``reward_funcs``.

    reward = load_recipe("gsm8k_tags")
    config = GRPOConfig(reward_weights=trl_reward_weights(reward))
    GRPOTrainer(reward_funcs=trl_reward_funcs(reward), args=config, ...)

TRL itself is not imported. TRL before 1.6 pays a row that cannot be judged as if its reward were 0.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from reward_verifiers.rewards import Payment, Reward, Scale, Schedule, Sum, VerdictCache
from reward_verifiers.rewards.tree.batch import training_progress
from reward_verifiers.verifiers import ConfigError

from ..shared_payments import Evaluation, OnFault, Split
from ..unscored import handed_over, is_fault


class TRLReward:
    """A reward, or one part of it, as a function for TRL; made by `trl_reward_funcs`.

    Args:
        name: Its name in the trainer's logs.
        evaluation: Shared by the functions of one reward.
        part: The part that it returns; None for the total.
        reports: Whether it logs reasons and counts: one function of a reward does.
        log_parts: Whether it logs the mean of every part as a metric, for a function that is used alone.
    """

    def __init__(
        self,
        name: str,
        evaluation: Evaluation,
        part: str | None = None,
        *,
        reports: bool = False,
        log_parts: bool = False,
    ) -> None:
        self.__name__ = name
        self.evaluation, self.part = evaluation, part
        self.reports, self.log_parts = reports, log_parts

    def __call__(self, completions: Sequence[object], **given: Any) -> Any:
        """Return one finite number per completion, or None where a row is to be masked."""
        payments = self.evaluation.payments(completions, given)
        if self.reports:
            self._report(payments, given)
        return [self._value(payment) for payment in payments]

    def __repr__(self) -> str:
        return f"<{self.__name__} of {self.evaluation.reward.describe()}>"

    def _value(self, payment: Payment) -> float | None:
        # A row without a total is blank in all parts: TRL masks a row only if every function says None.
        value = payment.value
        if value is not None and self.part is not None:
            value = payment.values().get(self.part)
        return None if value is None else handed_over(value)

    def _report(self, payments: list[Payment], given: Mapping[str, Any]) -> None:
        name, extra, metric = self.__name__, given.get("log_extra"), given.get("log_metric")
        if extra is not None:
            extra(f"{name}.extracted", [_extracted(payment) for payment in payments])
            extra(f"{name}.reason", [_reasons(payment) for payment in payments])
            ids = given.get("completion_ids")
            if ids is not None and "completion_tokens" in self.evaluation.reward.columns():
                # The text does not show them, and scoring the saved completions again needs them.
                extra(f"{name}.completion_tokens", [len(each) for each in ids])
        if metric is None or not payments:
            return
        masked = [payment for payment in payments if payment.value is None]
        broken = [each for each in masked if is_fault(each)]
        metric(f"{name}/unscored", len(masked) / len(payments))
        metric(f"{name}/fault", len(broken) / len(payments))
        reward, progress = self.evaluation.reward, training_progress(given.get("trainer_state"))
        for part, value in reward.schedules(progress).items():
            metric(f"{name}/{part}", value)
        for part in reward.part_names() if self.log_parts else ():
            paid = [value for value in (each.values().get(part) for each in payments) if value is not None]
            if paid:
                metric(f"{name}/{part}", sum(paid) / len(paid))


class AsyncTRLReward(TRLReward):
    """The same as a coroutine function: it works in a thread, alongside the trainer's other rewards."""

    async def __call__(self, completions: Sequence[object], **given: Any) -> Any:
        return await asyncio.to_thread(super().__call__, completions, **given)


def trl_reward_funcs(
    reward: Reward,
    *,
    weighted: bool = False,
    columns: Mapping[str, str] | None = None,
    num_generations: int | None = None,
    cache: VerdictCache | None = None,
    asynchronous: bool = False,
    on_fault: OnFault = "stop",
) -> list[TRLReward]:
    """Return a reward as functions for TRL, by name: the total, then every part for the logs.

    Args:
        reward: The reward.
        weighted: Return the terms of a plain weighted sum instead, for
            ``multi_objective_aggregation="normalize_then_sum"``. Rewards with gates, limits or schedules have
            no such terms.
        columns: Names of the dataset's columns, by the names that the reward uses, such as ``{"answer":
            "solution"}``.
        num_generations: Group size, for rewards that compare completions. By default, equal neighbouring
            prompts are a group. If a group spans several processes, they exchange the compared values, and
            each completion earns what it would on one process.
        cache: Cache for verdicts.
        asynchronous: Return coroutine functions, which TRL (from 1.14) runs concurrently.
        on_fault: "stop" raises if every row of the first batch fails in the same way, because the model would
            learn nothing; "mask" goes on.

    Raises:
        ConfigError: You set `weighted`, and the reward is not a plain weighted sum; or you set
            `asynchronous`, and the installed TRL is too old.
    """
    kind = _kind(asynchronous)
    split: Split = "refuse" if asynchronous else "gather"
    evaluation = Evaluation(reward, columns or {}, num_generations, cache, on_fault, split)
    if weighted:
        names = [name for name, _ in weighted_terms(reward)]
        return [kind(name, evaluation, name, reports=name == names[0]) for name in names]
    parts = [kind(name, evaluation, name) for name in reward.part_names() if name != reward.total_name]
    return [kind(reward.total_name, evaluation, reports=True), *parts]


def trl_reward_weights(reward: Reward, *, weighted: bool = False) -> list[float]:
    """Return the trainer's ``reward_weights`` for `trl_reward_funcs`: 1 for the total, 0 for logged parts."""
    if weighted:
        return [weight for _, weight in weighted_terms(reward)]
    return [1.0, *(0.0 for name in reward.part_names() if name != reward.total_name)]


def trl_reward_func(
    reward: Reward,
    name: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    num_generations: int | None = None,
    cache: VerdictCache | None = None,
    asynchronous: bool = False,
    on_fault: OnFault = "stop",
) -> TRLReward:
    """Return a reward as one function for TRL, which logs the means of its parts as metrics.

    The trainer's logs call it `name`, by default that of the total; all else is as for `trl_reward_funcs`.
    """
    kind = _kind(asynchronous)
    split: Split = "refuse" if asynchronous else "gather"
    evaluation = Evaluation(reward, columns or {}, num_generations, cache, on_fault, split)
    return kind(name or reward.total_name, evaluation, reports=True, log_parts=True)


def _kind(asynchronous: bool) -> type[TRLReward]:
    if not asynchronous:
        return TRLReward
    try:
        installed = tuple(int(part) for part in version("trl").split(".")[:2])
    except (PackageNotFoundError, ValueError):
        return AsyncTRLReward
    if installed < (1, 14):
        raise ConfigError(
            f"asynchronous=True needs trl 1.14 or newer, {version('trl')} is installed: before, TRL did not "
            "await coroutine functions of this kind; leave it out, or upgrade trl"
        )
    return AsyncTRLReward


def weighted_terms(reward: Reward) -> list[tuple[str, float]]:
    """Return name and weight of every term of a plain weighted sum."""
    terms = []
    for term in reward.terms if isinstance(reward, Sum) else (reward,):
        inner, weight = (term.reward, term.weight) if isinstance(term, Scale) else (term, 1.0)
        if not inner.is_part or isinstance(weight, Schedule):
            raise ConfigError(
                f"{term.describe()} is not a number times a part, so the sum cannot be exported as weighted "
                "parts; leave weighted=True out, or name the term with .named('...')"
            )
        terms.append((inner.name, weight))
    return terms


def _extracted(payment: Payment) -> str:
    return next((each.extracted for each in payment.verdicts if each.extracted is not None), "")


def _reasons(payment: Payment) -> str:
    return ", ".join(f"{name}:{verdict.reason}" for name, verdict in payment.judged()) or payment.note
