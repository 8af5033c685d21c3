"""Best-of-N: the highest score of N independent completions."""

from __future__ import annotations

from .core import Result, Start, best
from .session import Session


def best_of_n(session: Session, n: int) -> Result:
    """Choose ``argmax score``; of equals the first.

    Cobbe et al., arXiv:2110.14168; Lightman et al., arXiv:2305.20050.

    Args:
        session: With a judge.
        n: Completions; fewer where the budget ends before.
    """
    attempts = session.scored(session.whole([Start()] * n))
    return session.result(attempts, best(attempts))
