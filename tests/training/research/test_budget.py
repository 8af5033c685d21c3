"""The budget is never passed, whatever the generator does; the same seed finds the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.timing import examples
from tests.training.research.scripted import Dice, Table, session
from training.research import Attempt, Continuation, Plan, searched
from training.research.search_methods import Method
from training.research.search_session import best, ranked
from verifiers import ConfigError

METHODS: list[Method] = ["best_of_n", "weighted_vote", "majority", "revise", "beam", "mcts"]
COUNTS: dict[str, Callable[[random.Random, int], int]] = {
    "as asked": lambda rng, most: rng.randint(1, most),
    "all of it": lambda rng, most: most,
    "more than asked": lambda rng, most: rng.randint(1, 3 * most),
    "none counted": lambda rng, most: 0,
}


def share(text: str) -> float:
    """The share of a."""
    return text.count("a") / max(len(text), 1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", COUNTS)
@settings(max_examples=examples(15), deadline=None)
@given(budget=some.integers(1, 400), most=some.integers(1, 40), seed=some.integers(0, 99))
def test_the_budget_is_never_passed(method: Method, count: str, budget: int, most: int, seed: int) -> None:
    """Nor a completion's length; what is longer than asked for is thrown away, and counted apart."""
    dice = Dice(COUNTS[count])
    own = session(dice, Table(share), budget, most, seed)
    found = searched(own, Plan(method, n=5, width=2, branch=3, depth=6, iterations=12, step_tokens=7))
    assert 0 < found.spent <= budget
    assert all(each.tokens <= most for each in found.attempts)
    if count != "none counted":
        assert found.spent + found.over == dice.given
    assert (found.over > 0) <= (count == "more than asked")
    assert found.chosen is None or found.attempts[found.chosen].score is not None or method == "majority"


@pytest.mark.parametrize("method", METHODS)
def test_the_seed_decides(method: Method) -> None:
    """And nothing else does."""
    plan = Plan(method, n=6, width=2, branch=2, depth=5, iterations=10, step_tokens=5)

    def run(seed: int) -> Any:
        return searched(session(Dice(), Table(share), 300, 30, seed), plan)

    assert run(3) == run(3)
    assert len({run(seed).attempts for seed in range(8)}) > 4


@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be_judged_is_not_chosen(method: Method) -> None:
    """Even against zeros; where nothing can be judged, nothing is chosen."""
    plan = Plan(method, n=8, width=3, branch=3, depth=4, iterations=12, step_tokens=4)
    if method == "majority":
        return
    for seed in range(12):
        half = searched(
            session(Dice(ends=0.9), Table(lambda text: 0.0 if "b" in text[:1] else None), seed=seed), plan
        )
        judged = [each for each in half.attempts if each.score is not None]
        if method != "weighted_vote":  # letters are no answers
            assert (half.chosen is None) == (not judged)
        assert half.chosen is None or half.attempts[half.chosen].score == 0.0
        assert searched(session(Dice(), Table(lambda text: None), seed=seed), plan).chosen is None


def test_ranks_are_stable_and_unscored_is_last() -> None:
    """Of equals the first; not knowing is below zero."""
    scores = [None, 0.0, 0.5, None, 0.5, 0.0]
    attempts = [Attempt(str(at), 1, at % 2 == 0, score=score) for at, score in enumerate(scores)]
    assert ranked(attempts) == [2, 4, 1, 5, 0, 3]
    assert best(attempts) == 2
    assert best(attempts[:1]) is None
    assert best([]) is None
    cut = [Attempt("a", 1, False, score=1.0), Attempt("b", 1, True, score=0.2), Attempt("c", 1, True)]
    assert ranked(cut, finished_first=True) == [1, 0, 2]


def test_a_generator_that_gives_another_number_is_survived() -> None:
    """Too few are missing, too many are thrown away; both are charged."""

    class Few(Dice):
        def extend(self, starts: Any, **options: Any) -> list[Continuation]:
            return super().extend(starts, **options)[:-1]

    class Many(Dice):
        def extend(self, starts: Any, **options: Any) -> list[Continuation]:
            return super().extend([*starts, starts[0]], **options)

    few = searched(session(Few(), Table(share), 400, 50), Plan(n=4))
    assert (len(few.attempts), few.spent <= 400) == (3, True)
    many = searched(session(Many(), Table(share), 400, 50), Plan(n=4))
    assert len(many.attempts) == 4
    assert many.over > 0


def test_wrong_scores_and_budgets_are_refused() -> None:
    """A score is in [0, 1]; a budget is a token at least."""
    for score in (1.5, -0.1, float("nan")):
        with pytest.raises(ValueError, match="score must be in"):
            searched(session(Dice(), Table(lambda text, score=score: score)), Plan(n=2))  # type: ignore[misc]
    for options in ({"budget": 0}, {"most": 0}):
        with pytest.raises(ConfigError, match="at least 1 token"):
            session(Dice(), **options)
    with pytest.raises(ConfigError, match="method"):
        Plan("best")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="width"):
        Plan(width=0)
