"""What a search is made of: where it starts, what continues it, what judges it, and what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Start:
    """Where the model takes over.

    Args:
        prefix: What the completion begins with.
        tokens: Its length.
        before: An earlier completion of the prompt and what is said of it, for a revision.
    """

    prefix: str = ""
    tokens: int = 0
    before: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Continuation:
    """What the model wrote after a start.

    Args:
        text: What is kept of it: all, or the first step.
        tokens: Tokens that were generated, with those that are not kept.
        ended: The completion ends here by itself.
        kept: Tokens of `text`; None if nothing was cut off.
        thinking: The reasoning that a server tells apart from the text.
    """

    text: str
    tokens: int
    ended: bool
    kept: int | None = None
    thinking: str | None = None

    @property
    def length(self) -> int:
        """Tokens of the text."""
        return self.tokens if self.kept is None else self.kept


@dataclass(frozen=True, slots=True)
class Attempt:
    """A completion, or the beginning of one.

    Args:
        text: Without separate thinking.
        tokens: Its length.
        finished: It ended by itself.
        thinking: See `Continuation`.
        score: In [0, 1]; None where it was not, or could not be, judged.
        said: Why, in words.
    """

    text: str
    tokens: int
    finished: bool
    thinking: str | None = None
    score: float | None = None
    said: str = ""

    @property
    def completion(self) -> Any:
        """As verifiers take it: with separate thinking it is a chat message."""
        if self.thinking is None:
            return self.text
        return [{"role": "assistant", "content": self.text, "reasoning_content": self.thinking}]


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge says: a score in [0, 1], or None where it cannot judge, and why."""

    score: float | None
    said: str = ""


class Generator(Protocol):
    """Continues the completions of one prompt."""

    def extend(self, starts: Sequence[Start], *, most: int, step: bool, seed: int) -> Sequence[Continuation]:
        """One continuation for each start, in order.

        Args:
            starts: Equal ones are continued independently.
            most: Tokens of each, at most.
            step: Whether to keep the first step alone.
            seed: The same call with the same seed gives the same.
        """
        ...


class Judge(Protocol):
    """Scores completions, and beginnings of them, of one prompt."""

    def judge(self, attempts: Sequence[Attempt]) -> Sequence[Judged]:
        """One judgement for each attempt, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found.

    Args:
        attempts: In the order in which they were made.
        chosen: Position of the one that is answered; None if nothing could be judged.
        spent: Tokens that were generated, those of steps that were dropped included.
        over: Tokens beyond what was asked for, from a generator that ignores its limit; what holds them
            was thrown away.
    """

    attempts: tuple[Attempt, ...]
    chosen: int | None
    spent: int
    over: int = 0


def ranked(attempts: Sequence[Attempt], *, finished_first: bool = False) -> list[int]:
    """Positions, the best first; equals stay in order, and what could not be judged comes last.

    Args:
        attempts: With their scores.
        finished_first: Whether one that ended comes before a higher score that is cut off. A beginning
            without a mistake is no answer yet.

    >>> ranked([Attempt("a", 1, True), Attempt("b", 1, True, score=0.0), Attempt("c", 1, True, score=0.5)])
    [2, 1, 0]
    """

    def key(position: int) -> tuple[bool, bool, float]:
        each = attempts[position]
        return each.score is None, finished_first and not each.finished, -(each.score or 0.0)

    return sorted(range(len(attempts)), key=key)


def best(attempts: Sequence[Attempt], *, finished_first: bool = False) -> int | None:
    """The first of `ranked`; None if none could be judged."""
    order = ranked(attempts, finished_first=finished_first)
    return order[0] if order and attempts[order[0]].score is not None else None
