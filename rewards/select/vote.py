"""Majority votes in which equal answers vote together, however they are written."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal

from reward_verifiers import verifiers
from reward_verifiers.verifiers import ConfigError, Verifier, split_completion
from reward_verifiers.verifiers.runtime.records import dataclass


@dataclass(frozen=True)
class Vote:
    """The outcome of a vote.

    Args:
        winner: Position of the first completion of the winning class; None without votes, or for a tie
            that was to have no winner.
        answer: The winning answer, as that completion has it.
        classes: Positions of the completions that agree, the class with most votes first.
        votes: Votes of each class: completions, or their weights.
        abstained: Positions of completions without an answer.
        tied: Whether another class has as many votes as the first.
    """

    winner: int | None
    answer: str | None
    classes: tuple[tuple[int, ...], ...]
    votes: tuple[float, ...]
    abstained: tuple[int, ...]
    tied: bool


def majority(
    completions: Sequence[object],
    verifier: Verifier | None = None,
    weights: Sequence[float | None] | None = None,
    ties: Literal["first", "none"] = "first",
) -> Vote:
    r"""Return the answer that most completions give, with 1/2, 0.5 and \frac12 as one answer.

    Self-consistency: Wang et al., arXiv:2203.11171. Whether two answers are equal is decided by the
    verifier in its strict form, without allowances for percent signs and units: with them 50 would agree
    with 50%, and 50% with 0.5, but 50 not with 0.5, and classes would depend on the order.

    Args:
        completions: Length N.
        verifier: Finds an answer and compares two; `MathEquivalence` by default.
        weights: Length N: votes of each completion (a reward model's scores, say), at least 0; None
            abstains. One vote each by default.
        ties: Winner of a tie: the class that came "first", or "none".

    Raises:
        ConfigError: The verifier has no field `extract`, or the weights do not fit.

    >>> outcome = majority([r"\boxed{\frac12}", "answer: 0.5", r"\boxed{3}", "hm."])
    >>> outcome.answer, outcome.votes, outcome.classes
    ('\\frac12', (2.0, 1.0, 1.0), ((0, 1), (2,), (3,)))
    """
    verifier = strict(verifier or verifiers.MathEquivalence())
    extract = getattr(verifier, "extract", None)
    if extract is None:
        raise ConfigError(f"{verifier!r} has no field extract, so its answers cannot be found for a vote")
    answers = []
    for completion in completions:
        split = split_completion(completion)
        found = None if split is None or split.open_thinking else extract.extract(split.response)
        answers.append(None if found is None else found.text)
    return vote(answers, equal_by(verifier), weights, ties)


def strict(verifier: Verifier) -> Verifier:
    """Return a verifier without its allowances, where it has a strict form."""
    changes: dict[str, Any] = {"strict": True} if hasattr(verifier, "strict") else {}
    return dataclasses.replace(verifier, **changes)


def equal_by(verifier: Verifier) -> Callable[[str, str], bool]:
    """Return the equality of answers by a verifier, in both directions."""
    extract: dict[str, Any] = {"extract": verifiers.WholeText()}
    whole: Verifier = dataclasses.replace(verifier, **extract)
    exact = type(verifier) is verifiers.MathEquivalence and verifier.strict

    @lru_cache(maxsize=MOST_KEPT)
    def agree(one: str, other: str) -> bool:
        return whole.verify(one, other).passed and whole.verify(other, one).passed

    def equal(one: str, other: str) -> bool:
        return one == other or (not (exact and _are_far_apart(one, other)) and agree(one, other))

    return equal


MOST_KEPT = 4096
"""Pairs of answers whose comparison is remembered: the prompts of a file mostly have some in common."""
_PLAIN = re.compile(
    r"-?(?:0|[1-9][0-9]{0,17}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,5})(?:\.([0-9]{1,9999}))?"
).fullmatch
"""An integer or a decimal."""
_ROUNDED = 1e-3
"""By this share of the larger one, two decimals differ that cannot be one value, rounded twice."""


def _are_far_apart(one: str, other: str) -> bool:
    """Return whether two texts are plainly two numbers, which are equal by no reading and no allowance."""
    first, second = _number(one), _number(other)
    if first is None or second is None:
        return False
    least = _ROUNDED * max(abs(first[0]), abs(second[0])) if first[1] or second[1] else 0.0
    return abs(first[0] - second[0]) > least


@lru_cache(maxsize=MOST_KEPT)
def _number(text: str) -> tuple[float, bool] | None:
    """Return the value of a plain number, and whether it may be a rounded one; None for any other text."""
    found = _PLAIN(text)
    return None if found is None else (float(text.replace(",", "")), len(found[1] or "") > 3)


def vote(
    answers: Sequence[str | None],
    equal: Callable[[str, str], bool],
    weights: Sequence[float | None] | None = None,
    ties: Literal["first", "none"] = "first",
) -> Vote:
    """Hold a vote among answers.

    Args:
        answers: Length N; None abstains.
        equal: Whether two answers are one. An answer joins the first class whose first answer it equals.
        weights: Length N: votes of each answer, at least 0; None abstains. One vote each by default.
        ties: Winner of a tie: the class that came "first", or "none".

    Raises:
        ConfigError: The weights do not fit, or `ties` is something else.

    >>> vote(["a", "b", None, "A"], lambda one, other: one.lower() == other.lower()).classes
    ((0, 3), (1,))
    """
    if ties not in ("first", "none"):
        raise ConfigError(f"vote: ties must be 'first' or 'none', got {ties!r}")
    given = [1.0] * len(answers) if weights is None else list(weights)
    if len(given) != len(answers):
        raise ConfigError(f"vote: {len(given)} weights for {len(answers)} answers")
    for weight in given if weights is not None else ():
        if weight is not None and not (weight >= 0 and math.isfinite(weight)):
            raise ConfigError(f"vote: a weight is a finite number from 0, or None, got {weight}")
    classes: list[list[int]] = []
    by_text: dict[str, list[int]] = {}
    abstained = []
    for position, (answer, weight) in enumerate(zip(answers, given, strict=True)):
        if answer is None or weight is None:
            abstained.append(position)
            continue
        members = by_text.get(answer)
        if members is None:
            for members in classes:
                if equal(answers[members[0]] or "", answer):
                    break
            else:
                members = []
                classes.append(members)
            by_text[answer] = members
        members.append(position)
    counted = [(math.fsum([given[each] or 0.0 for each in members]), members) for members in classes]
    counted.sort(key=lambda pair: -pair[0])  # stable: of equal classes the first to come stays first
    tied = len(counted) > 1 and math.isclose(counted[0][0], counted[1][0], rel_tol=1e-12)
    winner = None if not counted or (tied and ties == "none") else counted[0][1][0]
    return Vote(
        winner,
        None if winner is None else answers[winner],
        tuple(tuple(members) for _, members in counted),
        tuple(votes for votes, _ in counted),
        tuple(abstained),
        tied,
    )
