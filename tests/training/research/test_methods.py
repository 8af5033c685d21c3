"""What each method does, on trees that are worked out by hand."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Sequence

import pytest

from rewards.select import majority
from tests.training.research.scripted import Dice, Table, Tree, session
from training.research import Continuation, Plan, Start, searched
from training.research.search_methods import Node, back_up, select, uct


class Said:
    """Completions in order, each of ten tokens."""

    def __init__(self, *texts: str) -> None:
        self.texts = iter(texts)
        self.starts: list[Start] = []

    def extend(self, starts: Sequence[Start], *, most: int, step: bool, seed: int) -> list[Continuation]:
        """The next ones."""
        self.starts += starts
        return [Continuation(next(self.texts), 10, True) for _ in starts]


def test_best_of_one_is_the_sample() -> None:
    """Whatever its score."""
    found = searched(session(Said("a"), Table({"a": 0.0})), Plan(n=1))
    assert [each.text for each in found.attempts] == ["a"]
    assert (found.chosen, found.spent) == (0, 10)


def test_best_of_n_is_the_first_of_the_best() -> None:
    """And draws no more than the budget has room for."""
    scores = {"a": 0.2, "b": 0.9, "c": 0.9}
    assert searched(session(Said("a", "b", "c"), Table(scores)), Plan(n=3)).chosen == 1
    short = searched(session(Said("a", "b", "c"), Table(scores), budget=20, most=10), Plan(n=3))
    assert len(short.attempts) == 2


VOTES = ["so \\boxed{1/2}", "\\boxed{3}", "\\boxed{0.5}", "hm", "\\boxed{3}", "\\boxed{3}"]


def test_a_vote_of_equal_weights_is_the_majority() -> None:
    """And both are that of `rewards.select`."""
    plain = searched(session(Said(*VOTES)), Plan("majority", n=6))
    for weight in (1.0, 0.3):
        equal = searched(
            session(Said(*VOTES), Table(dict.fromkeys(VOTES, weight))), Plan("weighted_vote", n=6)
        )
        assert equal.chosen == plain.chosen == majority(VOTES).winner == 1


def test_weights_decide_a_vote_and_unscored_abstain() -> None:
    """One half has 0.9 of the votes, against 0.3; an unscored completion has none, rather than zero."""
    scores = dict.fromkeys(VOTES, 0.1) | {VOTES[0]: 0.8}
    assert searched(session(Said(*VOTES), Table(scores)), Plan("weighted_vote", n=6)).chosen == 0
    only = {VOTES[1]: 0.0}
    found = searched(session(Said(*VOTES), Table(only)), Plan("weighted_vote", n=6))
    assert found.chosen == 1


def test_a_revision_sees_the_last_completion_and_why() -> None:
    """It ends at a full score; without feedback no reasons are told; the best is chosen, not the last."""
    for feedback, told in ((True, "a?"), (False, "")):
        said = Said("a", "b", "c")
        found = searched(session(said, Table({"a": 0.5, "b": 1.0})), Plan("revise", n=3, feedback=feedback))
        assert [each.text for each in found.attempts] == ["a", "b"]
        assert said.starts == [Start(), Start(before=("a", told))]
    worse = searched(session(Said("a", "b"), Table({"a": 0.5, "b": 0.1})), Plan("revise", n=2))
    assert worse.chosen == 0


STEPS = {"": ["a", "b", "c"], "a": ["x", "y"], "b": ["x", "y"], "c": ["x"], "by": ["z"]}


def test_a_beam_keeps_the_best() -> None:
    """Of a, b and c two are kept, and only these go on; of their four children the best two."""
    scores = {"a": 0.3, "b": 0.9, "c": 0.1, "ax": 0.2, "ay": 0.4, "bx": 0.4, "by": 0.8, "byz": 0.7}
    tree, judge = Tree(STEPS), Table(scores)
    plan = Plan("beam", width=2, branch=2, step_tokens=4)
    found = searched(session(tree, judge, most=20), plan)
    assert judge.seen[:3] == ["a", "b", "c"]
    assert {prefix for prefix, _, step in tree.asked if step} == {"", "a", "b", "by"}
    # bx and ay have one score; bx comes first, as its parent did, and stays.
    assert [each.text for each in found.attempts] == ["byz", "bx"]
    assert found.attempts[found.chosen or 0].text == "byz"
    # Four steps from the root, four from a and b, two from by.
    assert found.spent == 10


def test_a_beam_that_has_not_ended_is_finished() -> None:
    """After `depth` steps, or when a quarter of the budget is left; a finished one is chosen first."""
    scores = {"a": 0.5, "b": 0.9, "ax": 0.5, "byz": 0.4, "bx": 0.3}
    found = searched(session(Tree(STEPS), Table(scores)), Plan("beam", width=2, branch=2, depth=1))
    assert [each.text for each in found.attempts] == ["bx", "ax"]
    assert all(each.finished for each in found.attempts)
    assert found.chosen == 1
    tree = Tree(STEPS)
    small = searched(session(tree, Table(scores), budget=5), Plan("beam", width=2, branch=2))
    assert [step for _, _, step in tree.asked] == [True] * 4 + [False]
    assert (small.spent, len(small.attempts)) == (5, 1)


def test_values_are_backed_up_to_the_root() -> None:
    """By hand: r has a (0.5, 1.0) and b (unscored); UCT of a is 0.75 + sqrt(ln 3 / 2)."""
    root = Node()
    a, b = Node("a", 1, root, depth=1), Node("b", 1, root, depth=1)
    root.children = [a, b]
    deep = Node("x", 2, a, depth=2)
    a.children = [deep]
    assert select(root, 1.0) is deep
    back_up(deep, 0.5)
    assert select(root, 1.0) is b
    back_up(b, None)
    back_up(deep, 1.0)
    assert [(each.visits, each.scored, each.total) for each in (root, a, b, deep)] == [
        (3, 2, 1.5),
        (2, 2, 1.5),
        (1, 0, 0.0),
        (2, 2, 1.5),
    ]
    assert uct(a, 1.0) == pytest.approx(0.75 + math.sqrt(math.log(3) / 2))
    # What could not be judged has its parent's mean, not 0.
    assert uct(b, 1.0) == pytest.approx(0.75 + math.sqrt(math.log(3)))
    assert uct(b, 0.0) == 0.75
    assert deep.start() == Start("ax", 2)


def test_a_tree_goes_where_the_scores_are() -> None:
    """Every first step is tried; after that the branch that pays is visited most."""
    steps = {"": ["a", "b", "c"], **{each: ["x", "y"] for each in "abc"}}
    judge = Table(lambda text: 1.0 if text == "by" else 0.1)
    plan = Plan("mcts", iterations=24, branch=3, depth=2, exploration=0.5)
    found = searched(session(Tree(steps), judge), plan)
    texts = [each.text for each in found.attempts]
    assert texts[:3] == ["ax", "bx", "cx"]
    assert found.attempts[found.chosen or 0].text == "by"
    # What has ended in the tree is judged once; when all six paths are, the search is over.
    assert len(texts) == len(judge.seen) == 3 + 6
    assert sorted(texts[3:]) == ["ax", "ay", "bx", "by", "cx", "cy"]


def test_a_tree_of_a_thousand_nodes_is_small() -> None:
    """Nodes hold their own steps: a chain of long steps takes no room for its beginnings."""

    class Long(Dice):
        def extend(self, starts: Sequence[Start], *, most: int, step: bool, seed: int) -> list[Continuation]:
            made = super().extend(starts, most=most, step=step, seed=seed)
            return [Continuation(each.text * 20, each.tokens, each.ended) for each in made]

    tracemalloc.start()
    plan = Plan("mcts", iterations=400, branch=3, depth=400, step_tokens=5, exploration=0.0)
    found = searched(session(Long(ends=0.0), Table(lambda text: 0.5), 10**6, 4000), plan)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    held = sum(len(each.text) for each in found.attempts)
    assert len(found.attempts) == 400
    assert peak < 4 * held + 3_000_000
