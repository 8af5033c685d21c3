"""Monte-Carlo tree search over steps, with UCT."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from .core import Attempt, Result, Start, best
from .session import Session


@dataclass(slots=True, eq=False)
class Node:
    """A step of a tree. It holds its own text alone, so a tree is as large as what was generated.

    Args:
        text: The step.
        tokens: Of the completion up to here.
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
        """The mean score of the completions that went through here; None if none could be judged."""
        return self.total / self.scored if self.scored else None

    def start(self) -> Start:
        """The completion up to here."""
        texts = []
        node: Node | None = self
        while node is not None:
            texts.append(node.text)
            node = node.parent
        return Start("".join(reversed(texts)), self.tokens)


def uct(node: Node, exploration: float) -> float:
    """``mean + c * sqrt(ln N_parent / N)``; infinite for a node without visits.

    Kocsis and Szepesvári, 2006. A node whose completions could not be judged has its parent's mean (0.5 where
    that has none either): not knowing is neither wrong nor right.
    """
    if not node.visits or node.parent is None:
        return math.inf
    mean = node.mean if node.mean is not None else node.parent.mean
    explored = exploration * math.sqrt(math.log(max(node.parent.visits, 1)) / node.visits)
    return (0.5 if mean is None else mean) + explored


def select(root: Node, exploration: float) -> Node:
    """The leaf that the highest UCT leads to, past what is closed; of equals the first."""
    node = root
    while node.children:
        open_ = [each for each in node.children if not each.closed]
        node = max(open_ or node.children, key=lambda each: uct(each, exploration))
    return node


def close(node: Node) -> None:
    """Close a node whose completion has been judged, and what is thereby closed above it."""
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
    """Select a leaf by UCT, give it steps, complete one of them, judge it, and count that on the way up.

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
    """A leaf is given steps when it is met again; the root at once."""
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
    """A judged completion through a leaf; None if none came."""
    start = leaf.start()
    if leaf.ended or leaf.tokens >= session.most:
        made = [Attempt(start.prefix, start.tokens, leaf.ended)]
    else:
        made = session.whole([start])
    return session.scored(made)[0] if made else None
