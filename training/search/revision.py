"""Sequential revision: the model sees its last completion, and writes a better one."""

from __future__ import annotations

from .core import Attempt, Result, Start, best
from .session import Session


def revised(session: Session, rounds: int, *, feedback: bool) -> Result:
    """Revise until a completion has the highest score of all, 1.0, or rounds or budget end; choose the best.

    The last one is not simply taken: models revise right answers to wrong ones, too (38 % in Snell et al.,
    arXiv:2408.03314). With `feedback` it is Self-Refine by a verifier (Madaan et al., arXiv:2303.17651).

    Args:
        session: With a judge.
        rounds: Completions, the first one included.
        feedback: Whether the model is told the judge's reasons, besides its last completion.
    """
    attempts: list[Attempt] = []
    start = Start()
    for _ in range(rounds):
        made = session.scored(session.whole([start]))
        if not made:
            if not session.left:
                break
            continue  # it was longer than was asked for, and thrown away
        [last] = made
        attempts.append(last)
        if last.score == 1.0:
            break
        start = Start(before=(last.text, last.said if feedback else ""))
    return session.result(attempts, best(attempts))
