"""Votes: the answer that most completions give, each with one vote or with its score."""

from __future__ import annotations

from reward_verifiers.rewards.select import majority
from reward_verifiers.verifiers import Verifier

from .core import Result, Start
from .session import Session


def voted(session: Session, n: int, verifier: Verifier | None = None, *, weighted: bool) -> Result:
    """Choose the answer a with the largest sum of w_i over completions i that give it; the first such one.

    Majority (w = 1): Wang et al., arXiv:2203.11171. Weighted (w = score): Li et al., arXiv:2206.02336. What
    could not be judged abstains from a weighted vote, and a completion without an answer from both.

    Args:
        session: With a judge for a weighted vote.
        n: Completions; fewer where the budget ends before.
        verifier: What finds answers and compares two of them; see `rewards.select.majority`.
        weighted: Whether votes have the scores for weights.
    """
    attempts = session.whole([Start()] * n)
    if weighted:
        attempts = session.scored(attempts)
    weights = [each.score for each in attempts] if weighted else None
    outcome = majority([each.completion for each in attempts], verifier, weights)
    return session.result(attempts, outcome.winner)
