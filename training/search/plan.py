"""Which search, and how large."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from reward_verifiers.verifiers import Verifier
from reward_verifiers.verifiers.core import Component, Range
from reward_verifiers.verifiers.process.steps import By

from .beam import beam_search
from .best_of_n import best_of_n
from .core import Result
from .mcts import tree_search
from .revision import revised
from .session import Session
from .votes import voted

Method: TypeAlias = Literal["best_of_n", "weighted_vote", "majority", "revise", "beam", "mcts"]
Count: TypeAlias = Annotated[int, Range(least=1)]

ASK = "Check this solution for mistakes, and write a corrected one from the beginning."


@dataclass(frozen=True, repr=False)
class Plan(Component):
    """A method with its sizes; each method reads those that it names.

    Args:
        method: ``best_of_n``, ``weighted_vote``, ``majority``, ``revise``, ``beam`` or ``mcts``.
        n: Completions of a vote or of best-of-N; rounds of a revision, the first completion included.
        width: Beams that are kept.
        branch: Next steps of a beam, or of a leaf of the tree.
        depth: Steps of a path, at most.
        iterations: Completions that a tree search judges, at most.
        exploration: c of UCT.
        step_tokens: Tokens of a step, at most.
        steps: What ends a step; see `verifiers.process.steps.Steps`.
        feedback: Whether a revision is told the judge's reasons.
        ask: What a revision is asked, besides.
        budget: Tokens that are generated for each prompt, at most; 0 for as many as the sizes can need.

    Raises:
        ConfigError: A value of the wrong type or outside its range.
    """

    method: Method = "best_of_n"
    n: Count = 8
    width: Count = 4
    branch: Count = 4
    depth: Count = 40
    iterations: Count = 32
    exploration: Annotated[float, Range(least=0)] = 1.0
    step_tokens: Count = 64
    steps: By = "marks"
    feedback: bool = True
    ask: str = ASK
    budget: Annotated[int, Range(least=0)] = 0

    @property
    def judges(self) -> bool:
        """Whether the method needs scores."""
        return self.method != "majority"

    @property
    def prefixes(self) -> bool:
        """Whether the method continues beginnings."""
        return self.method in ("beam", "mcts")

    def tokens(self, most: int) -> int:
        """The budget of a prompt.

        Args:
            most: Tokens of a completion.

        >>> Plan(n=4).tokens(100), Plan("beam", width=2, branch=3).tokens(100), Plan(budget=50).tokens(100)
        (400, 600, 50)
        """
        sizes = {"beam": self.width * self.branch, "mcts": self.iterations}
        return self.budget or most * sizes.get(self.method, self.n)


def searched(session: Session, plan: Plan, verifier: Verifier | None = None) -> Result:
    """Search.

    Args:
        session: The generator, the judge and the budget of a prompt.
        plan: How.
        verifier: What finds answers for a vote; see `rewards.select.majority`.
    """
    if plan.method == "best_of_n":
        return best_of_n(session, plan.n)
    if plan.method == "revise":
        return revised(session, plan.n, feedback=plan.feedback)
    if plan.method == "beam":
        return beam_search(
            session, width=plan.width, branch=plan.branch, depth=plan.depth, step_tokens=plan.step_tokens
        )
    if plan.method == "mcts":
        return tree_search(
            session,
            iterations=plan.iterations,
            branch=plan.branch,
            depth=plan.depth,
            step_tokens=plan.step_tokens,
            exploration=plan.exploration,
        )
    return voted(session, plan.n, verifier, weighted=plan.method == "weighted_vote")
