"""Adaptive group sizes: within a step, prompts that are neither always nor never solved get more completions.

The number of completions of a step stays what it is. Each prompt first gets a few; what they show of its
difficulty decides how the rest are divided: two-phase sampling (Neyman, 1938,
doi:10.1080/01621459.1938.10503378), for the variance of policy gradients see Yao et al., arXiv:2505.02391.
TRL's trainers repeat each prompt equally often and compare neighbours, so completions are generated in two
parts before they see them, and the advantages are replaced after them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from reward_verifiers.verifiers import ConfigError

from ..config import GroupSize
from ..run.run_inputs import outcome_part
from .dynamic_sampling import Group, check_trainer, groups_of, joined, outcomes_of
from .policy_rewards import RunRewards

ROUNDS = 60
"""Halvings of the interval in which the size of a unit of deviation is sought: beyond, it does not change."""


def expected_deviation(right: float, judged: int) -> float:
    """Return the expected standard deviation of a prompt's outcome after a few completions.

    It is the mean of √(p(1 - p)) for p as it is known after them, with Jeffreys' prior: Beta(right + ½, wrong
    + ½). So a prompt of which all were right, or none, may still vary, the less the more were seen.

    >>> [round(expected_deviation(right, 4), 2) for right in (0, 1, 2, 4)]
    [0.23, 0.41, 0.45, 0.23]
    """
    one, other = right + 0.5, judged - right + 0.5
    return math.exp(_log_beta(one + 0.5, other + 0.5) - _log_beta(one, other))


def _log_beta(one: float, other: float) -> float:
    return math.lgamma(one) + math.lgamma(other) - math.lgamma(one + other)


def allocated(deviations: Sequence[float], budget: int, least: int, most: int) -> list[int]:
    """Return sizes proportional to deviations, within bounds, that add up to the budget.

    Of all divisions of a number of completions among prompts, that in proportion to the standard deviations
    estimates the sum of the prompts' means with the least variance (Neyman, 1934,
    doi:10.2307/2342192).

    Args:
        deviations: Deviation of each prompt, above 0.
        budget: All sizes together; between ``least`` and ``most`` for each.
        least: Least number of each size.
        most: Largest number of each size.

    >>> allocated([0.1, 0.4, 0.5], 24, 4, 16)
    [4, 9, 11]
    >>> allocated([0.1, 0.1, 0.5], 24, 4, 12)
    [6, 6, 12]
    """

    def sizes(unit: float) -> list[float]:
        return [min(max(unit * each, least), most) for each in deviations]

    low, high = 0.0, most / min(deviations)
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(sizes(middle)) < budget else (low, middle)
    wanted = sizes(high)
    found = [math.floor(each + 1e-9) for each in wanted]
    # What is left goes to the largest remainders; of equals to the first.
    order = sorted(range(len(wanted)), key=lambda at: found[at] - wanted[at])
    while (left := budget - sum(found)) > 0:
        for at in order:
            if left and found[at] < most:
                found[at] += 1
                left -= 1
    return found


def own_advantages(
    rewards: Sequence[float], sizes: Sequence[int], scale: str, *, all_deviation: float = 0.0
) -> list[float]:
    """Return advantages within each prompt's own group, each prompt weighing the same.

    As TRL's, over each group's own completions: the reward less the group's mean, divided by the group's
    deviation ("group"), by that of all ("batch"), or by nothing ("none"). A loss that is a mean over
    completions gives a prompt with more of them more weight; times mean size / size it has the weight that it
    has with groups of one size, so the objective stays what it was, and only its estimate changes.

    Args:
        rewards: NaN where nothing could be judged: 0, and not counted.
        sizes: Sizes of the groups, in order.
        scale: ``group``, ``batch`` or ``none``.
        all_deviation: For ``batch``: the standard deviation of all rewards.

    >>> [round(each, 3) for each in own_advantages([1.0, 0.0, 1.0, 1.0, 0.0, 0.0], [2, 4], "none")]
    [0.75, -0.75, 0.375, 0.375, -0.375, -0.375]
    """
    usual = sum(sizes) / len(sizes)
    found: list[float] = []
    start = 0
    for size in sizes:
        group = rewards[start : start + size]
        start += size
        known = [each for each in group if not math.isnan(each)]
        mean = sum(known) / len(known) if known else 0.0
        spread = math.sqrt(sum((each - mean) ** 2 for each in known) / max(len(known) - 1, 1))
        divisor = {"group": spread + EPSILON, "batch": all_deviation + EPSILON, "none": 1.0}[scale]
        found += [0.0 if math.isnan(each) else (each - mean) / divisor * usual / size for each in group]
    return found


EPSILON = 1e-4
"""What TRL adds to a deviation before it divides by it."""


class AdaptiveSizes:
    """Mixed into a trainer: divides a step's completions among its prompts."""

    group_size: GroupSize
    run_rewards: RunRewards
    _made: tuple[Any, ...] | None = None
    _sizes: list[int] | None = None
    _of_groups: list[float] | None = None

    @staticmethod
    def check(kind: str, base: type[Any], args: Any, group_size: GroupSize, rewards: RunRewards) -> None:
        """Refuse an impossible configuration, before anything is loaded.

        Raises:
            ConfigError: Another trainer, groups that are split over processes, a reward that compares the
                completions of groups, a first part that is no part, or a TRL with other insides.
        """
        if kind != "grpo":
            raise ConfigError(f"group_size: {kind} compares groups of one size; use grpo")
        names = ("_generate", "_generate_and_score_completions", "_calculate_rewards")
        check_trainer("group_size", base, args, names)
        if getattr(args, "multi_objective_aggregation", "") == "normalize_then_sum":
            raise ConfigError("group_size: gdpo normalises each part over groups of one size; use another")
        if rewards.reward.needs_groups or (rewards.strict and rewards.strict.needs_groups):
            raise ConfigError("group_size: the reward compares the completions of groups of one size")
        if group_size.first >= args.num_generations:
            raise ConfigError(
                f"group_size.first must be below trainer.num_generations, {args.num_generations}, the mean "
                f"size, got {group_size.first}"
            )
        if group_size.outcome is not None:
            outcome_part(rewards.reward, group_size.outcome, "group_size.outcome")

    def _generate(self, prompts: list[Any]) -> Any:
        if self._made is not None:
            found, self._made = self._made, None
            return found
        return super()._generate(prompts)  # type: ignore[misc]

    def _calculate_rewards(
        self, inputs: list[dict[str, Any]], prompts: list[Any], completions: list[Any], ids: list[list[int]]
    ) -> Any:
        trainer: Any = self
        found = super()._calculate_rewards(inputs, prompts, completions, ids)  # type: ignore[misc]
        if self._sizes is not None:
            self._of_groups = self._advantages(found, trainer.accelerator.process_index * len(ids))
        return found

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> Any:
        trainer: Any = self
        if not trainer.model.training:
            return super()._generate_and_score_completions(inputs)  # type: ignore[misc]
        try:
            inputs, self._made, self._sizes = self._divided(inputs)
            self.run_rewards.sizes = self._sizes
            output = super()._generate_and_score_completions(inputs)  # type: ignore[misc]
            output["advantages"] = output["advantages"].new_tensor(self._of_groups)
            return output
        finally:
            self._made = self._sizes = self._of_groups = self.run_rewards.sizes = None

    def _divided(
        self, inputs: list[dict[str, Any]]
    ) -> tuple[list[dict[str, Any]], tuple[Any, ...], list[int]]:
        """Return as many completions as there are rows, in groups of their own sizes, and these sizes."""
        trainer: Any = self
        usual, first = trainer.num_generations, self.group_size.first
        prompts = inputs[::usual]
        groups = self._groups(prompts, [first] * len(prompts))
        most = max(usual, round(self.group_size.most * usual))
        started = time.perf_counter()
        sizes = allocated([self._deviation(each) for each in groups], len(inputs), first, most)
        self.run_rewards.seconds += time.perf_counter() - started
        further = iter(self._groups(prompts, [size - first for size in sizes]))
        whole = [
            part
            for group, size in zip(groups, sizes, strict=True)
            for part in ([group, next(further)] if size > first else [group])
        ]
        trainer._log_metric("groups/smallest", float(min(sizes)))
        trainer._log_metric("groups/largest", float(max(sizes)))
        return [row for group in whole for row in group.inputs], joined(whole), sizes

    def _groups(self, prompts: Sequence[dict[str, Any]], sizes: Sequence[int]) -> list[Group]:
        """Return completions of each prompt, as many as its size."""
        rows = [dict(row) for row, size in zip(prompts, sizes, strict=True) for _ in range(size)]
        with self._one_each():
            generated = super()._generate([row["prompt"] for row in rows])  # type: ignore[misc]
        return groups_of(rows, generated, [size for size in sizes if size])

    @contextmanager
    def _one_each(self) -> Iterator[None]:
        """Ask vLLM for each: it takes num_generations of every num_generations-th prompt."""
        trainer: Any = self
        usual, trainer.num_generations = trainer.num_generations, 1
        try:
            yield
        finally:
            trainer.num_generations = usual

    def _deviation(self, group: Group) -> float:
        state = self.state  # type: ignore[attr-defined]
        values = outcomes_of(group, self.run_rewards, state, self.group_size.outcome, "group_size.outcome")
        judged = [min(max(value, 0.0), 1.0) for value in values if value is not None]
        return expected_deviation(sum(judged), len(judged))

    def _advantages(self, by_function: Any, start: int) -> list[float]:
        """Return the advantages of this process's completions."""
        trainer: Any = self
        assert self._sizes is not None  # noqa: S101  (the caller has looked)
        weights = trainer.reward_weights.to(by_function.device).unsqueeze(0)
        rewards = (by_function * weights).nansum(dim=1)
        rewards[by_function.isnan().all(dim=1)] = float("nan")
        known = rewards[~rewards.isnan()]
        spread = float(known.std()) if len(known) > 1 else 0.0
        own = rewards[start : start + sum(self._sizes)].tolist()
        return own_advantages(own, self._sizes, trainer.scale_rewards, all_deviation=spread)
