"""Search: spending tokens on a prompt before an answer is given, under a budget.

Best-of-N, votes, revision, step beam search and tree search are a module each. They know a `Generator` and
a `Judge` (`core`) and a `Session` that keeps the budget, and nothing of models, rows or files;
`model_generator` and `reward_judge` make those two from a backend and a reward, and `search_rows` writes what
was found. Only the command line imports from here.
"""

from __future__ import annotations

from .core import Attempt, Continuation, Generator, Judge, Judged, Result, Start
from .plan import Plan, searched
from .session import Session

__all__ = [
    "Attempt",
    "Continuation",
    "Generator",
    "Judge",
    "Judged",
    "Plan",
    "Result",
    "Session",
    "Start",
    "searched",
]
