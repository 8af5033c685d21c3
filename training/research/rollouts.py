"""Labels of steps by rollouts: completions from each step on, and how many end right.

Wang et al., Math-Shepherd, arXiv:2312.08935: a step is as right as the share of completions from it that
reach the right answer. So a label says what a step is worth to the model that completes it; a step that is
wrong, and that the model puts right, counts as right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from reward_verifiers.adapters.audit.labels import wilson
from reward_verifiers.verifiers.process.steps import Steps

SEEDS = 2**31
Order: TypeAlias = Literal["every", "until_first_error", "bisect"]
"""``every``: all steps. ``until_first_error``: none after a step from which nothing ends right.
``bisect``: the first such step is searched for by halves (Luo et al., OmegaPRM, arXiv:2406.06592)."""
Roll: TypeAlias = Callable[[Sequence[tuple[int, str]], int], Sequence[Sequence[bool | None]]]
"""Of (number of a solution, how it begins) and a seed: whether each completion of it is right, or None."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Outcomes of the completions from a step."""

    right: int = 0
    wrong: int = 0
    unjudged: int = 0

    @classmethod
    def of(cls, outcomes: Sequence[bool | None]) -> Tally:
        """Count outcomes."""
        right = sum(each is True for each in outcomes)
        wrong = sum(each is False for each in outcomes)
        return cls(right, wrong, len(outcomes) - right - wrong)

    @property
    def judged(self) -> int:
        """Number of completions with a known outcome."""
        return self.right + self.wrong

    @property
    def hard(self) -> bool | None:
        """Whether any is right; None where none is, and some are unknown.

        >>> Tally(right=1, unjudged=7).hard, Tally(wrong=8).hard, Tally(wrong=7, unjudged=1).hard
        (True, False, None)
        """
        if self.right:
            return True
        return None if self.unjudged or not self.wrong else False

    @property
    def soft(self) -> float | None:
        """The share of right completions among the judged."""
        return self.right / self.judged if self.judged else None

    @property
    def interval(self) -> list[float] | None:
        """Wilson's 95 % interval of the share."""
        found = wilson(self.right, self.judged)
        return None if found is None else found[1:]


@dataclass(frozen=True, slots=True)
class Solution:
    """A solution to label.

    Args:
        text: All of it.
        spans: Its steps.
        outcome: Whether its answer is right; None where that is not known.
        ended: It ended by itself, so that its last step is as right as its answer.
    """

    text: str
    spans: tuple[tuple[int, int], ...]
    outcome: bool | None
    ended: bool = True

    @classmethod
    def of(cls, text: str, steps: Steps, outcome: bool | None, ended: bool = True) -> Solution:
        """Split a text."""
        return cls(text, tuple((each.start, each.end) for each in steps.split(text)), outcome, ended)

    @property
    def steps(self) -> tuple[str, ...]:
        """The text of each step."""
        return tuple(self.text[start:end] for start, end in self.spans)

    def prefix(self, step: int) -> str:
        r"""Return the text up to the end of a step, with the line ends after it.

        Spaces are left to what follows: to most tokenizers they are part of a word.

        >>> Solution.of("8+7=15.\n\n So 15. Done", Steps(), True).prefix(0)
        '8+7=15.\n\n'
        """
        if step + 1 == len(self.spans):
            return self.text
        return self.text[: self.spans[step + 1][0]].rstrip(" \t")


@dataclass(frozen=True, slots=True)
class Labelled:
    """Labels of a solution.

    Args:
        tallies: For each step how completions from it ended; None where none were asked for.
        labels: Whether each step is right; None where that is not known.
    """

    tallies: tuple[Tally | None, ...]
    labels: tuple[bool | None, ...]


def labelled(
    solutions: Sequence[Solution], roll: Roll, order: Order = "every", seed: int = 0
) -> list[Labelled]:
    """Label solutions together, one step of each at a time.

    Args:
        solutions: With their steps.
        roll: Completes and judges.
        order: Which steps are asked for.
        seed: The same solutions, roll, order and seed give the same labels.
    """
    found = [_begun(each) for each in solutions]
    for round_ in range(sum(len(each.spans) for each in solutions)):
        asked = [
            (at, step) for at, tallies in enumerate(found) if (step := _next(tallies, order)) is not None
        ]
        if not asked:
            break
        starts = [(at, solutions[at].prefix(step)) for at, step in asked]
        rolled = roll(starts, seed_of(seed, round_))
        for (at, step), outcomes in zip(asked, rolled, strict=True):
            found[at][step] = Tally.of(outcomes)
    return [Labelled(tuple(each), _labels(each, order)) for each in found]


def seed_of(seed: int, *numbers: int) -> int:
    """Return a separate seed for each of several things."""
    text = "/".join(map(str, (seed, *numbers))).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") % SEEDS


def _begun(solution: Solution) -> list[Tally | None]:
    """Return no tallies but that of the last step, where nothing is left to complete."""
    tallies: list[Tally | None] = [None] * len(solution.spans)
    if tallies and solution.ended:
        tallies[-1] = Tally.of([solution.outcome])
    return tallies


def _next(tallies: Sequence[Tally | None], order: Order) -> int | None:
    """Return the step to complete next; None if everything wanted is known."""
    if order == "bisect":
        return _halved(tallies)[1]
    for step, tally in enumerate(tallies):
        if tally is None:
            return step
        if order == "until_first_error" and tally.hard is False:
            return None
    return None


def _halved(tallies: Sequence[Tally | None]) -> tuple[int | None, int | None]:
    """Return the first step from which nothing ends right (past the end if none), or the step to ask for."""
    if not tallies:
        return None, None
    low, high = 0, len(tallies) - 1
    last = tallies[high]
    if last is None:
        return None, high
    if last.hard is not False:
        return (len(tallies) if last.hard else None), None
    while low < high:
        middle = (low + high) // 2
        tally = tallies[middle]
        if tally is None:
            return None, middle
        if tally.hard is None:
            return None, None
        low, high = (middle + 1, high) if tally.hard else (low, middle)
    return low, None


def _labels(tallies: Sequence[Tally | None], order: Order) -> tuple[bool | None, ...]:
    hard = [None if each is None else each.hard for each in tallies]
    if order == "bisect":
        first, _ = _halved(tallies)
        if first is None:
            return tuple(hard)
        return tuple(step < first if step <= first else None for step in range(len(hard)))
    if order == "until_first_error" and False in hard:
        end = hard.index(False) + 1
        return (*hard[:end], *([None] * (len(hard) - end)))
    return tuple(hard)
