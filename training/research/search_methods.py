"""The methods of a search: best-of-N, votes, revision, step beam search, Monte-Carlo tree search with UCT."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from reward_verifiers.rewards.select import majority
from reward_verifiers.verifiers import Verifier
from reward_verifiers.verifiers.core import Component, Range
from reward_verifiers.verifiers.process.steps import By

from .search_session import Attempt, Result, Session, Start, attempt, best, ranked


def voted(session: Session, n: int, verifier: Verifier | None = None, *, weighted: bool) -> Result:
    """Choose the answer a with the largest sum of w_i over completions i that give it; the first such one.

    Majority (w = 1): Wang et al., arXiv:2203.11171. Weighted (w = score): Li et al., arXiv:2206.02336. What
    could not be judged abstains from a weighted vote, and a completion without an answer from both.

    Args:
        session: With a judge for a weighted vote.
        n: Completions; fewer where the budget ends before.
        verifier: Finds answers and compares two; see `rewards.select.majority`.
        weighted: Whether votes have the scores for weights.
    """
    attempts = session.whole([Start()] * n)
    if weighted:
        attempts = session.scored(attempts)
    weights = [each.score for each in attempts] if weighted else None
    outcome = majority([each.completion for each in attempts], verifier, weights)
    return session.result(attempts, outcome.winner)


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


@dataclass(slots=True, eq=False)
class Node:
    """A step of a tree. It holds its own text alone, so a tree is as large as what was generated.

    Args:
        text: The step.
        tokens: Number of tokens of the completion up to here.
        parent: None for the root.
        ended: The completion ends here by itself.
        depth: Steps from the root.

    Attributes:
        closed: Every path from here has been judged, so there is nothing more to find.
    """

    text: str = ""
    tokens: int = 0
    parent: Node | None = None
    ended: bool = False
    depth: int = 0
    children: list[Node] = field(default_factory=list)
    visits: int = 0
    scored: int = 0
    total: float = 0.0
    closed: bool = False

    @property
    def mean(self) -> float | None:
        """The mean score of the completions through this node; None if none could be judged."""
        return self.total / self.scored if self.scored else None

    def start(self) -> Start:
        """Return the completion up to this node."""
        texts = []
        node: Node | None = self
        while node is not None:
            texts.append(node.text)
            node = node.parent
        return Start("".join(reversed(texts)), self.tokens)


def uct(node: Node, exploration: float) -> float:
    """Return ``mean + c * sqrt(ln N_parent / N)``; infinite for a node without visits.

    Kocsis and Szepesvári, 2006. A node with unscored completions only has its parent's mean (0.5 if that has
    none either), because not knowing is neither wrong nor right.
    """
    if not node.visits or node.parent is None:
        return math.inf
    mean = node.mean if node.mean is not None else node.parent.mean
    explored = exploration * math.sqrt(math.log(max(node.parent.visits, 1)) / node.visits)
    return (0.5 if mean is None else mean) + explored


def select(root: Node, exploration: float) -> Node:
    """Return the leaf of the highest UCT, past closed nodes; of equals the first."""
    node = root
    while node.children:
        open_ = [each for each in node.children if not each.closed]
        node = max(open_ or node.children, key=lambda each: uct(each, exploration))
    return node


def close(node: Node) -> None:
    """Close a node whose completion has been judged, and each node above that this completes."""
    above: Node | None = node
    while above is not None and all(each.closed for each in above.children):
        above.closed = True
        above = above.parent


def back_up(node: Node, score: float | None) -> None:
    """Count a visit from a node to the root, and its score where there is one."""
    above: Node | None = node
    while above is not None:
        above.visits += 1
        if score is not None:
            above.scored += 1
            above.total += score
        above = above.parent


def tree_search(
    session: Session, *, iterations: int, branch: int, depth: int, step_tokens: int, exploration: float
) -> Result:
    """Select a leaf by UCT, add steps to it, complete and judge one of them, and count it on the way up.

    The best completion of all is chosen, of equals the first. A completion that has ended in the tree is
    judged once, and then passed by.

    Args:
        session: With a judge of whole completions.
        iterations: Completions that are judged, at most.
        branch: Steps of a leaf; equal ones become one.
        depth: Steps of a path; the rest is completed at once.
        step_tokens: Tokens of a step, at most.
        exploration: c of `uct`.
    """
    root = Node()
    attempts: list[Attempt] = []
    for _ in range(iterations):
        if root.closed:
            break
        leaf = select(root, exploration)
        if _can_grow(leaf, root, depth, session.most) and session.left:
            _grow(session, leaf, branch, step_tokens)
            leaf = select(leaf, exploration)
        found = _completed(session, leaf)
        if found is None and not session.left:
            break
        if found is not None:
            attempts.append(found)
            if leaf.ended or leaf.tokens >= session.most:
                close(leaf)
        back_up(leaf, None if found is None else found.score)
    return session.result(attempts, best(attempts, finished_first=True))


def _can_grow(leaf: Node, root: Node, depth: int, most: int) -> bool:
    """Return whether a leaf gets steps: the root at once, others when they are met again."""
    return not leaf.ended and leaf.depth < depth and leaf.tokens < most and (leaf is root or leaf.visits > 0)


def _grow(session: Session, leaf: Node, branch: int, step_tokens: int) -> None:
    start = leaf.start()
    # Half of what is left, at most a completion's length, stays for completing what was begun.
    keep = min(session.most, session.left // 2)
    texts = set()
    for each in session.step([start] * branch, step_tokens, keep):
        if each is not None and (each.text, each.ended) not in texts:
            texts.add((each.text, each.ended))
            tokens = leaf.tokens + each.length
            leaf.children.append(Node(each.text, tokens, leaf, each.ended, leaf.depth + 1))


def _completed(session: Session, leaf: Node) -> Attempt | None:
    """Return a judged completion through a leaf; None if none came."""
    start = leaf.start()
    if leaf.ended or leaf.tokens >= session.most:
        made = [Attempt(start.prefix, start.tokens, leaf.ended)]
    else:
        made = session.whole([start])
    return session.scored(made)[0] if made else None


def best_of_n(session: Session, n: int) -> Result:
    """Choose ``argmax score``; of equals the first.

    Cobbe et al., arXiv:2110.14168; Lightman et al., arXiv:2305.20050.
    """
    attempts = session.scored(session.whole([Start()] * n))
    return session.result(attempts, best(attempts))


FINISHING = 4
"""One part in this many of the budget, at most a completion's length, is kept for finishing what is left."""


def beam_search(session: Session, *, width: int, branch: int, depth: int, step_tokens: int) -> Result:
    """Keep the `width` best of ``width * branch`` beginnings, step by step.

    Snell et al., arXiv:2408.03314; Xie et al., arXiv:2305.00633. Beams that have ended compete with those
    that go on, and cost nothing more. What has not ended after `depth` rounds, or when the budget runs low,
    is continued to its end, the best first.
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
    """Return beginnings without duplicates, which would fill the beam."""
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


Method: TypeAlias = Literal["best_of_n", "weighted_vote", "majority", "revise", "beam", "mcts"]
Count: TypeAlias = Annotated[int, Range(least=1)]

ASK = "Check this solution for mistakes, and write a corrected one from the beginning."


@dataclass(frozen=True, repr=False)
class Plan(Component):
    """A method with its sizes, of which each method reads those that it names.

    Args:
        method: ``best_of_n``, ``weighted_vote``, ``majority``, ``revise``, ``beam`` or ``mcts``.
        n: Completions of a vote or of best-of-N; rounds of a revision, the first completion included.
        width: Beams that are kept.
        branch: Next steps of a beam, or of a leaf of the tree.
        depth: Steps of a path, at most.
        iterations: Completions that a tree search judges, at most.
        exploration: c of UCT.
        step_tokens: Tokens of a step, at most.
        steps: End of a step; see `verifiers.process.steps.Steps`.
        feedback: Whether a revision is told the judge's reasons.
        ask: Further prompt for a revision.
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
        """Return the budget of a prompt.

        >>> Plan(n=4).tokens(100), Plan("beam", width=2, branch=3).tokens(100), Plan(budget=50).tokens(100)
        (400, 600, 50)
        """
        sizes = {"beam": self.width * self.branch, "mcts": self.iterations}
        return self.budget or most * sizes.get(self.method, self.n)


def searched(session: Session, plan: Plan, verifier: Verifier | None = None) -> Result:
    """Run the search.

    Args:
        session: The generator, the judge and the budget of a prompt.
        plan: How.
        verifier: Finds answers for a vote; see `rewards.select.majority`.
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
