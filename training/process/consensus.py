"""A second opinion on steps: what a verifier says of each, compared with labels by rollouts.

Zhang et al., arXiv:2501.07301: labels by rollouts alone are noisy, and models that learn only those that a
judge agrees with are better than models that learn three times as many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reward_verifiers.rewards import Reward
from reward_verifiers.verifiers import Verdict

from ..data import Row
from ..generation import Generated
from ..run.accuracy_measures import judge

RIGHT = 0.5
"""What a part must be worth to count as right; models of steps say shares."""


def opinions(
    reward: Reward, row: Row, text: str, spans: Sequence[tuple[int, int]]
) -> tuple[bool | None, ...]:
    """What a reward's verifiers say of steps; None where they say nothing.

    Args:
        reward: Its verifiers give verdicts with parts that have a place, as `EquationChain` and `PrmScore`.
        row: The row of the solution.
        text: The solution.
        spans: Its steps.
    """
    [payment] = judge(row, [Generated(text, 0, True)], reward)
    parts = list(_placed(payment.verdicts))
    return tuple(_opinion(parts, start, end) for start, end in spans)


def agreed(labels: Sequence[bool | None], second: Sequence[bool | None]) -> tuple[bool | None, ...]:
    """The labels that a second opinion shares; the others are None.

    >>> agreed((True, True, False, None), (True, False, None, True))
    (True, None, None, None)
    """
    return tuple(label if label == other else None for label, other in zip(labels, second, strict=True))


def _placed(verdicts: Sequence[Verdict]) -> Iterator[tuple[int, int, float]]:
    """The innermost parts that have a place and a score."""
    for verdict in verdicts:
        for part in verdict.parts:
            if part.parts:
                yield from _placed([part])
            elif part.span is not None and part.score is not None:
                yield part.span[0], part.span[1], part.score


def _opinion(parts: Sequence[tuple[int, int, float]], start: int, end: int) -> bool | None:
    said: list[bool | None] = []
    for first, last, score in parts:
        if first < end and start < last:
            # What is wrong somewhere in several steps is not known to be wrong in this one.
            inside = start <= first and last <= end
            said.append(True if score >= RIGHT else False if inside else None)
    if False in said:
        return False
    return True if said and None not in said else None
