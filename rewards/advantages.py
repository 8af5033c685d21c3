"""Advantages of rewards within groups, in plain Python, as a trainer computes them.

Rewards are a flat list in which the completions of one prompt follow one another; None is a row that
could not be judged. Such a row counts in no mean and gets advantage 0.0, and so does every row of a
group that says nothing: one whose scored rewards are all equal, or that has fewer than two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal

from reward_verifiers.verifiers import ConfigError

from .tree.batch import group_ranges

Rewards = Sequence[float | None]
MAX_REWARD = 1e100
"""The largest reward: squares and sums of larger ones are no longer finite."""


def grpo(
    rewards: Rewards,
    group_size: int | None = None,
    *,
    groups: Sequence[range] | None = None,
    ddof: Literal[0, 1] = 1,
    epsilon: float = 1e-4,
    scale: Literal["group", "batch"] = "group",
) -> list[float]:
    r"""``(r - mean) / (std + epsilon)`` (GRPO: Shao et al., DeepSeekMath, arXiv:2402.03300, section 4.1.2).

    Args:
        rewards: Length N.
        group_size: Completions of each prompt; or give `groups`.
        groups: The rows of each prompt.
        ddof: The standard deviation divides by n - ddof. TRL uses 1; worked examples often use 0.
        epsilon: Added to the standard deviation; TRL uses 1e-4.
        scale: Standard deviation to divide by: the group's, or that of all rewards, as TRL's
            ``scale_rewards`` (the mean is always the group's).

    Returns:
        Length N; sums to zero over the scored rows of each group.

    Raises:
        ConfigError: N does not divide into groups, ddof is not 0 or 1, or a reward is not finite.

    >>> [round(each, 2) for each in grpo([1.0, 1.0, 0.0, 1.0], 4, ddof=0, epsilon=0.0)]
    [0.58, 0.58, -1.73, 0.58]
    """
    if ddof not in (0, 1) or not (epsilon >= 0 and math.isfinite(epsilon)):
        raise ConfigError(f"grpo: ddof is 0 or 1 and epsilon at least 0, got {ddof!r} and {epsilon!r}")
    if scale not in ("group", "batch"):
        raise ConfigError(f"grpo: scale must be 'group' or 'batch', got {scale!r}; dr_grpo does not scale")
    whole = _deviation(_scored(rewards), ddof) if scale == "batch" else 0.0

    def advantages(values: list[float]) -> list[float]:
        mean = _mean(values)
        deviation = whole if scale == "batch" else _deviation(values, ddof)
        return [(value - mean) / (deviation + epsilon) for value in values]

    return _by_group(rewards, _groups(rewards, group_size, groups), advantages)


def dr_grpo(
    rewards: Rewards, group_size: int | None = None, *, groups: Sequence[range] | None = None
) -> list[float]:
    """``r - mean``: without the division that favours groups of little variance.

    Dr. GRPO: Liu et al., Understanding R1-Zero-Like Training, arXiv:2503.20783.

    Args:
        rewards: Length N.
        group_size: Completions of each prompt; or give `groups`.
        groups: The rows of each prompt.

    >>> dr_grpo([90.0, 70.0, 85.0, 75.0], 4)
    [10.0, -10.0, 5.0, -5.0]
    """

    def advantages(values: list[float]) -> list[float]:
        mean = _mean(values)
        return [value - mean for value in values]

    return _by_group(rewards, _groups(rewards, group_size, groups), advantages)


def rloo(
    rewards: Rewards, group_size: int | None = None, *, groups: Sequence[range] | None = None
) -> list[float]:
    """``r`` minus the mean of the group's other rewards: G / (G - 1) times the centred reward.

    RLOO: Ahmadian et al., Back to Basics, arXiv:2402.14740.

    Args:
        rewards: Length N.
        group_size: Completions of each prompt; or give `groups`.
        groups: The rows of each prompt.

    >>> rloo([1.0, 0.0, 0.0], 3)
    [1.0, -0.5, -0.5]
    """

    def advantages(values: list[float]) -> list[float]:
        mean, others = _mean(values), len(values) - 1
        return [(value - mean) * len(values) / others for value in values]

    return _by_group(rewards, _groups(rewards, group_size, groups), advantages)


def remax(
    rewards: Rewards,
    baselines: Rewards,
    group_size: int | None = None,
    *,
    groups: Sequence[range] | None = None,
) -> list[float]:
    """``r`` minus the reward of the greedy completion of the same prompt.

    ReMax: Li et al., arXiv:2310.10505.

    Args:
        rewards: Length N.
        baselines: The greedy completions' rewards, one for each group.
        group_size: Completions of each prompt; or give `groups`.
        groups: The rows of each prompt.

    Returns:
        Length N; 0.0 where the row or its baseline could not be judged. These do not sum to zero.

    Raises:
        ConfigError: There are not as many baselines as groups.

    >>> remax([1.0, 0.0, 1.0, 1.0], [0.0, 1.0], 2)
    [1.0, 0.0, 0.0, 0.0]
    """
    ranges = _groups(rewards, group_size, groups)
    if len(baselines) != len(ranges):
        raise ConfigError(f"remax: {len(baselines)} baselines for {len(ranges)} groups")
    _scored([*rewards, *baselines])
    advantages = [0.0] * len(rewards)
    for rows, baseline in zip(ranges, baselines, strict=True):
        for row in rows:
            reward = rewards[row]
            if reward is not None and baseline is not None:
                advantages[row] = reward - baseline
    return advantages


def reinforce_plus_plus(rewards: Rewards, *, ddof: Literal[0, 1] = 1, epsilon: float = 1e-8) -> list[float]:
    """``(r - mean) / (std + epsilon)`` over the whole batch (REINFORCE++: Hu et al., arXiv:2501.03262).

    Args:
        rewards: Length N.
        ddof: The standard deviation divides by n - ddof.
        epsilon: Added to the standard deviation.

    >>> [round(each, 3) for each in reinforce_plus_plus([1.0, 0.0, None, 0.0, 1.0], ddof=0)]
    [1.0, -1.0, 0.0, -1.0, 1.0]
    """
    return grpo(rewards, groups=[range(len(rewards))], ddof=ddof, epsilon=epsilon)


def reinforce_plus_plus_baseline(
    rewards: Rewards,
    group_size: int | None = None,
    *,
    groups: Sequence[range] | None = None,
    ddof: Literal[0, 1] = 1,
    epsilon: float = 1e-8,
) -> list[float]:
    """``r - mean`` of the group, over the standard deviation of these differences in the whole batch.

    REINFORCE++ with the group's mean for a baseline (Hu et al., arXiv:2501.03262): groups without differences
    have advantage 0, and count in the deviation.

    Args:
        rewards: Length N.
        group_size: Completions of each prompt; or give `groups`.
        groups: The rows of each prompt.
        ddof: The standard deviation divides by n - ddof.
        epsilon: Added to the standard deviation.

    >>> reinforce_plus_plus_baseline([3.0, 1.0, 5.0, 5.0], 2, ddof=0, epsilon=0.0)[:2]
    [1.414213562373095, -1.414213562373095]
    """
    ranges = _groups(rewards, group_size, groups)
    centred = dr_grpo(rewards, groups=ranges)
    judged = [each for each, reward in zip(centred, rewards, strict=True) if reward is not None]
    deviation = _deviation(judged, ddof)
    return [each / (deviation + epsilon) if each else 0.0 for each in centred]


def opo(
    rewards: Rewards,
    lengths: Sequence[int],
    group_size: int | None = None,
    *,
    groups: Sequence[range] | None = None,
) -> list[float]:
    """``r`` minus the mean of the group in which each completion counts by its length.

    It is the baseline of least variance where a gradient's square grows with the number of tokens (On-Policy
    RL with Optimal Reward Baseline: Hao et al., arXiv:2505.23585).

    Args:
        rewards: Length N.
        lengths: Tokens of each completion.
        group_size: Completions of each prompt; or give `groups`.
        groups: The rows of each prompt.

    Returns:
        Length N; weighted by lengths these sum to zero over the scored rows of each group.

    Raises:
        ConfigError: Not one length for each reward, or a negative one.

    >>> opo([1.0, 0.0], [30, 10], 2)
    [0.25, -0.75]
    """
    if len(lengths) != len(rewards) or any(length < 0 for length in lengths):
        raise ConfigError(f"opo: one length from 0 on for each reward, got {len(lengths)} for {len(rewards)}")
    ranges = _groups(rewards, group_size, groups)
    # Those of completions without a token, as where all are cut away, count alike.
    weights = [max(float(length), 1e-9) for length in lengths]

    def advantages(values: list[float], rows: list[int]) -> list[float]:
        whole = math.fsum(weights[row] for row in rows)
        mean = math.fsum(weights[row] * value / whole for row, value in zip(rows, values, strict=True))
        return [value - mean for value in values]

    return _by_rows(rewards, ranges, advantages)


def gpg(
    rewards: Rewards, group_size: int | None = None, *, groups: Sequence[range] | None = None
) -> list[float]:
    """``r - mean``, times the number of groups over that of groups with differences.

    Groups without differences have gradient 0 and would make a batch's mean smaller the more there are
    (Group Policy Gradient: Chu et al., arXiv:2504.02546).

    Args:
        rewards: Length N.
        group_size: Completions of each prompt; or give `groups`.
        groups: The rows of each prompt.

    >>> gpg([1.0, 0.0, 1.0, 1.0], 2)
    [1.0, -1.0, 0.0, 0.0]
    """
    ranges = _groups(rewards, group_size, groups)
    centred = dr_grpo(rewards, groups=ranges)
    judged = [rows for rows in ranges if any(rewards[row] is not None for row in rows)]
    telling = sum(any(centred[row] for row in rows) for rows in judged)
    return [each * len(judged) / telling if each else 0.0 for each in centred]


def pass_at_k(
    rewards: Rewards, k: int, group_size: int | None = None, *, groups: Sequence[range] | None = None
) -> list[float]:
    """Return each completion's mean advantage over its subsets of `k`, each paid for its best one.

    Of N completions of which W are wrong, a subset is paid ``1 - C(W, k) / C(N, k)`` in the mean, and a
    completion has the mean over its own subsets, less that, over their deviation (Pass@k Training: Chen et
    al., arXiv:2508.10751, section 2.3). With `k` 1 it is GRPO's with ddof 0: see `grpo`.

    Args:
        rewards: Length N; 1 where a completion is right, else 0.
        k: Completions of a subset.
        group_size: Completions of each prompt; or give `groups`.
        groups: The rows of each prompt.

    Returns:
        Length N; 0.0 where no subset, or every one, holds a right completion.

    Raises:
        ConfigError: `k` is below 1 or above a group's size, or a reward is neither 0 nor 1.

    >>> [round(each, 3) for each in pass_at_k([1.0, 0.0, 0.0, 0.0], 2, 4)]
    [1.0, -0.333, -0.333, -0.333]
    """
    if any(value not in (0.0, 1.0) for value in _scored(rewards)):
        raise ConfigError(
            "pass_at_k: a completion is right (1) or wrong (0); give the outcome, not a shaped sum"
        )
    ranges = _groups(rewards, group_size, groups)
    if k < 1 or any(k > len(rows) for rows in ranges):
        raise ConfigError(f"pass_at_k: k is from 1 to the size of a group, got {k}")

    def advantages(values: list[float]) -> list[float]:
        count = len(values)
        wrong = count - round(math.fsum(values))
        if k > count:  # rows that could not be judged are missing
            return [0.0] * count
        mean = 1 - math.comb(wrong, k) / math.comb(count, k)
        deviation = math.sqrt(mean * (1 - mean))
        if not deviation:
            return [0.0] * count
        of_wrong = 1 - math.comb(wrong - 1, k - 1) / math.comb(count - 1, k - 1)
        return [((1.0 if value else of_wrong) - mean) / deviation for value in values]

    return _by_group(rewards, ranges, advantages)


def process(
    step_rewards: Sequence[Sequence[float | None]],
    group_size: int | None = None,
    *,
    groups: Sequence[range] | None = None,
    ddof: Literal[0, 1] = 1,
    epsilon: float = 1e-4,
    cap: float | None = None,
) -> list[list[float]]:
    """Return advantages of steps, from rewards of steps.

    Rewards are normalised over all steps of the group, and a step gets the sum from itself to the end
    (GRPO with process supervision, arXiv:2402.03300, section 4.1.3).

    Args:
        step_rewards: For each of N completions, the rewards of its steps.
        group_size: Completions of each prompt; or give `groups`.
        groups: The completions of each prompt.
        ddof: The standard deviation divides by n - ddof.
        epsilon: Added to the standard deviation.
        cap: The most that a normalised reward counts. A sum grows with the number of steps, so that right
            steps which lead nowhere earn; with 0.0 no step earns, and wrong ones cost.

    Returns:
        For each completion, an advantage for each of its steps.

    >>> process([[1.0, 1.0], [0.0]], 2, ddof=0, epsilon=0.0)[1]
    [-1.414213562373095]
    """
    ranges = _groups(step_rewards, group_size, groups)
    advantages: list[list[float]] = [[] for _ in step_rewards]
    for rows in ranges:
        flat = [reward for row in rows for reward in step_rewards[row]]
        normal = iter(grpo(flat, groups=[range(len(flat))], ddof=ddof, epsilon=epsilon))
        for row in rows:
            steps = [next(normal) for _ in step_rewards[row]]
            steps = steps if cap is None else [min(step, cap) for step in steps]
            advantages[row] = [math.fsum(steps[step:]) for step in range(len(steps))]
    return advantages


def informative(outcomes: Rewards, groups: Sequence[range]) -> list[bool]:
    """Return which groups a trainer can learn from: those whose outcomes differ.

    This is the filter of DAPO's dynamic sampling (arXiv:2503.14476, section 3.2).

    Args:
        outcomes: Length N: how right each answer is. Give the outcome, never a shaped sum: a group that
            fails throughout differs in its length bonuses, and is then trained on nothing but these.
        groups: The rows of each prompt.

    Returns:
        One bool for each group.

    >>> informative([1.0, 0.0, 1.0, 1.0, None, None], [range(0, 2), range(2, 4), range(4, 6)])
    [True, False, False]
    """
    return [len({outcomes[row] for row in rows} - {None}) > 1 for rows in groups]


def _groups(rows: Sequence[object], size: int | None, groups: Sequence[range] | None) -> Sequence[range]:
    if groups is None:
        return group_ranges(len(rows), None, size)
    if [row for rows_ in groups for row in rows_] != list(range(len(rows))):
        raise ConfigError(f"groups must cover rows 0 to {len(rows) - 1}, each once and in order")
    return groups


def _by_group(
    rewards: Rewards, groups: Sequence[range], advantages: Callable[[list[float]], list[float]]
) -> list[float]:
    return _by_rows(rewards, groups, lambda values, _: advantages(values))


def _by_rows(
    rewards: Rewards,
    groups: Sequence[range],
    advantages: Callable[[list[float], list[int]], list[float]],
) -> list[float]:
    out = [0.0] * len(rewards)
    _scored(rewards)
    for rows in groups:
        scored = [(row, value) for row in rows if (value := rewards[row]) is not None]
        values = [value for _, value in scored]
        # Equal rewards may differ from their mean by a rounding error, which a small epsilon would blow up.
        if len(values) < 2 or min(values) == max(values):
            continue
        own = [row for row, _ in scored]
        for row, advantage in zip(own, advantages(values, own), strict=True):
            out[row] = advantage
    return out


def _scored(rewards: Rewards) -> list[float]:
    values = [value for value in rewards if value is not None]
    for value in values:
        if not abs(value) <= MAX_REWARD:  # catches NaN too
            raise ConfigError(f"a reward is a finite number (of at most {MAX_REWARD:g}) or None, got {value}")
    return values


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _deviation(values: Sequence[float], ddof: int) -> float:
    if len(values) <= ddof:
        return 0.0
    mean = _mean(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - ddof))
