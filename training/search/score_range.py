"""The least and the most that a reward can pay, worked out from its tree."""

from __future__ import annotations

import functools
import math
from typing import TypeAlias

from reward_verifiers.rewards import Clip, Named, Optional, Pay, Reward, Scale, Sum, When
from reward_verifiers.rewards.shape.combinations import Number
from reward_verifiers.rewards.tree.schedules import Schedule
from reward_verifiers.verifiers import ConfigError

Ends: TypeAlias = tuple[float, float]


@functools.lru_cache(maxsize=64)
def score_range(reward: Reward) -> Ends:
    """The ends of what a reward can pay at the end of training.

    Raises:
        ConfigError: The tree does not tell, or it pays everything the same.

    >>> from verifiers import ExactMatch, TagFormat
    >>> score_range(Pay(ExactMatch()) + 0.5 * Pay(TagFormat()))
    (0.0, 1.5)
    """
    low, high = _ends(reward)
    if low == high:
        raise ConfigError(f"search: the reward pays {low:g} whatever is written, so it cannot choose")
    return low, high


def _ends(reward: Reward) -> Ends:
    if isinstance(reward, Pay):
        return 0.0, 1.0
    if isinstance(reward, Number):
        return float(reward.value), float(reward.value)
    if isinstance(reward, Named | Optional):
        return _ends(reward.reward)
    if isinstance(reward, Scale):
        weight = reward.weight.at(1.0) if isinstance(reward.weight, Schedule) else reward.weight
        low, high = sorted(weight * end for end in _ends(reward.reward))
        return low, high
    if isinstance(reward, Sum):
        ends = [_ends(term) for term in reward.terms]
        return sum(low for low, _ in ends), sum(high for _, high in ends)
    if isinstance(reward, When):
        low, high = _ends(reward.reward)
        return min(low, reward.otherwise), max(high, reward.otherwise)
    if isinstance(reward, Clip):
        least = -math.inf if reward.low is None else reward.low
        most = math.inf if reward.high is None else reward.high
        try:
            low, high = _ends(reward.reward)
        except ConfigError:
            if math.inf in (-least, most):
                raise
            return float(least), float(most)
        return float(min(max(low, least), most)), float(min(max(high, least), most))
    raise ConfigError(
        f"search: scores are shares of the most that a reward can pay, and {reward.name} does not say how "
        "much that is; limit it (clip: {low: 0, high: 1}), or choose another reward with --by"
    )
