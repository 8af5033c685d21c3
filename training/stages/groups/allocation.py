"""How a fixed number of completions is divided among prompts: by how much their outcomes vary."""

from __future__ import annotations

import math
from collections.abc import Sequence

ROUNDS = 60
"""Halvings of the interval in which the size of a unit of deviation is sought: beyond, it does not change."""


def expected_deviation(right: float, judged: int) -> float:
    """The standard deviation of a prompt's outcome that is to be expected after a few completions.

    It is the mean of √(p(1 - p)) for p as it is known after them, with Jeffreys' prior: Beta(right + ½, wrong
    + ½). So a prompt of which all were right, or none, may still vary, the less the more were seen.

    Args:
        right: The sum of outcomes in [0, 1].
        judged: How many there are.

    >>> [round(expected_deviation(right, 4), 2) for right in (0, 1, 2, 4)]
    [0.23, 0.41, 0.45, 0.23]
    """
    one, other = right + 0.5, judged - right + 0.5
    return math.exp(_log_beta(one + 0.5, other + 0.5) - _log_beta(one, other))


def _log_beta(one: float, other: float) -> float:
    return math.lgamma(one) + math.lgamma(other) - math.lgamma(one + other)


def allocated(deviations: Sequence[float], budget: int, least: int, most: int) -> list[int]:
    """Sizes that are proportional to deviations, within bounds, and together are the budget.

    Of all divisions of a number of completions among prompts, that in proportion to the standard deviations
    estimates the sum of the prompts' means with the least variance (Neyman, 1934,
    doi:10.2307/2342192).

    Args:
        deviations: Of each prompt, above 0.
        budget: All sizes together; between ``least`` and ``most`` for each.
        least: Of each size.
        most: Of each size.

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
    """The advantages of completions within their prompts' own groups, each prompt weighing the same.

    As TRL's, over each group's own completions: the reward less the group's mean, divided by the group's
    deviation ("group"), by that of all ("batch"), or by nothing ("none"). A loss that is a mean over
    completions gives a prompt with more of them more weight; times mean size / size it has the weight that it
    has with groups of one size, so the objective stays what it was, and only its estimate changes.

    Args:
        rewards: NaN where nothing could be judged: 0, and not counted.
        sizes: Of the groups, in order.
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
