"""Research besides rewards: search, labels of steps, critique, and the models that learn from them.

Searches (`search_methods`) know a `Generator`, a `Judge` and a `Session` that keeps the budget
(`search_session`), and nothing of models, rows or files; `model_generator` and `reward_judge` make the first
two from a backend and a reward, and `search_rows` writes what was found. `rollouts` knows how steps are
labelled, and nothing of models; `label_rows` asks one and writes files, whose rows are `label_formats`' and
others'. `rating_trainer` and `rating_exams` are what the stages that train on `rated_rows` are made of;
`critique_rows` lets a model criticise and rewrite its answers. Stages and the command line import from here.
"""

from __future__ import annotations

from .search_methods import Plan, searched
from .search_session import Attempt, Continuation, Generator, Judge, Judged, Result, Session, Start

__all__ = ["Attempt", "Continuation", "Generator", "Judge", "Judged", "Plan", "Result", "Session", "Start",
           "searched"]  # fmt: skip
