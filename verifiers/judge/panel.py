"""One score of several samples, where enough of them agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Literal

from .replies import Opinion

Vote = Literal["median", "majority"]
NEAR = 0.25
"""The share of the scale by which a score may differ from the median and still agree with it."""


def agreed(
    opinions: Sequence[Opinion], asked: int, scale: tuple[int, int], vote: Vote, least: float
) -> tuple[Opinion | None, int]:
    """The score that enough samples agree on, with the reason of the first that gave it, or came nearest.

    Args:
        opinions: Those that could be read.
        asked: How many were asked for: one that could not be read agrees with nobody.
        scale: The lowest and the highest score.
        vote: The "median" of the scores, with which agrees what is at most a quarter of the scale away, or
            the score that a "majority" gives.
        least: The least share of all that were asked; half of them is never enough.

    Returns:
        The opinion, or None; and how many agree.

    >>> agreed([Opinion(4, "a"), Opinion(5, "b"), Opinion(5, "c")], 3, (1, 5), "majority", 0.5)
    (Opinion(score=5, reason='b'), 2)
    """
    if not opinions:
        return None, 0
    scores = [each.score for each in opinions]
    if vote == "majority":
        centre, _ = Counter(scores).most_common(1)[0]
        near = 0.0
    else:
        centre, near = median(scores), NEAR * (scale[1] - scale[0])
    agreeing = sum(abs(score - centre) <= near for score in scores)
    if agreeing * 2 <= asked or agreeing < least * asked:
        return None, agreeing
    nearest = min(opinions, key=lambda each: abs(each.score - centre))
    return Opinion(centre, nearest.reason), agreeing
