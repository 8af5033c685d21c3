"""Step beam search: every round each beam gets several next steps, and the best beginnings are kept."""

from __future__ import annotations

from .core import Attempt, Result, Start, best, ranked
from .session import Session, attempt

FINISHING = 4
"""One part in this many of the budget, at most a completion's length, is kept for finishing what is left."""


def beam_search(session: Session, *, width: int, branch: int, depth: int, step_tokens: int) -> Result:
    """Keep the `width` best of ``width * branch`` beginnings, step by step.

    Snell et al., arXiv:2408.03314; Xie et al., arXiv:2305.00633. Beams that have ended compete with those
    that go on, and cost nothing more. What has not ended after `depth` rounds, or when the budget runs low,
    is continued to its end, the best first.

    Args:
        session: With a judge of beginnings.
        width: Beams that are kept.
        branch: Next steps of each.
        depth: Rounds, at most.
        step_tokens: Tokens of a step, at most.
    """
    keep = min(session.most, session.budget // FINISHING)
    beams = [Attempt("", 0, False)]
    for round_ in range(depth):
        going = [each for each in beams if not each.finished and each.tokens < session.most]
        if not going or session.left <= keep:
            break
        # The first round has a single beginning, the empty one, and as many steps as all others.
        copies = branch if round_ else width * branch
        starts = [Start(each.text, each.tokens) for each in going for _ in range(copies)]
        drawn = session.step(starts, step_tokens, keep)
        new = [attempt(start, each) for start, each in zip(starts, drawn, strict=True) if each is not None]
        if not new:
            break
        stayed = [each for each in beams if each.finished or each.tokens >= session.most]
        beams = _kept(stayed, session.scored(_distinct(stayed, new)), width)
    ended = [each for each in beams if each.finished or each.tokens >= session.most]
    going = [each for each in beams if not each.finished and each.tokens < session.most]
    finished = session.scored(session.whole([Start(each.text, each.tokens) for each in going]))
    # Without any budget for finishing, the beginnings themselves are what there is.
    found = [*ended, *finished] or [each for each in going if each.text]
    return session.result(found, best(found, finished_first=True))


def _distinct(stayed: list[Attempt], new: list[Attempt]) -> list[Attempt]:
    """Beginnings that nobody else has: equal ones would fill the beam."""
    seen = {each.text for each in stayed}
    found = []
    for each in new:
        if each.text not in seen:
            seen.add(each.text)
            found.append(each)
    return found


def _kept(stayed: list[Attempt], new: list[Attempt], width: int) -> list[Attempt]:
    every = [*stayed, *new]
    return [every[at] for at in ranked(every)[:width]]
