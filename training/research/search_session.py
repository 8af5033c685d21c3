"""Elements of a search: its starts, generator and judge, its results, and its budget.

Every token that is generated passes through a `Session`, so no method can overspend.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reward_verifiers.verifiers import ConfigError


@dataclass(frozen=True, slots=True)
class Start:
    """Point where the model takes over.

    Args:
        prefix: Beginning of the completion.
        tokens: Its length.
        before: An earlier completion of the prompt and what is said of it, for a revision.
    """

    prefix: str = ""
    tokens: int = 0
    before: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Continuation:
    """The model's text after a start.

    Args:
        text: Part to keep: all, or the first step.
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
        """Number of tokens of the text."""
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
        """The completion as verifiers take it: with separate thinking it is a chat message."""
        if self.thinking is None:
            return self.text
        return [{"role": "assistant", "content": self.text, "reasoning_content": self.thinking}]


@dataclass(frozen=True, slots=True)
class Judged:
    """A judge's result: a score in [0, 1], or None where it cannot judge, with the reason."""

    score: float | None
    said: str = ""


class Generator(Protocol):
    """Continues the completions of one prompt."""

    def extend(self, starts: Sequence[Start], *, most: int, step: bool, seed: int) -> Sequence[Continuation]:
        """Return one continuation for each start, in order.

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
        """Return one judgement for each attempt, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a search.

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
    """Return positions, best first; equals stay in order, and unjudged ones come last.

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
    """Return the first of `ranked`; None if no attempt could be judged."""
    order = ranked(attempts, finished_first=finished_first)
    return order[0] if order and attempts[order[0]].score is not None else None


SEEDS = 2**31


class Session:
    """The generator, the judge and the budget of one prompt's search.

    Args:
        generator: Model that writes.
        judge: Scores rows; None scores nothing.
        budget: Tokens that may be generated in all, at least 1.
        most: Tokens of a completion, at least 1.
        seed: The same generator, judge and seed give the same search.

    Raises:
        ConfigError: A number below 1.
    """

    def __init__(
        self, generator: Generator, judge: Judge | None, *, budget: int, most: int, seed: int = 0
    ) -> None:
        for name, value in (("budget", budget), ("most", most)):
            if value < 1:
                raise ConfigError(f"search: {name} must be at least 1 token, got {value}")
        self.budget, self.most = budget, most
        self.spent = self.over = 0
        self._generator, self._judge = generator, judge
        self._seed, self._calls = seed, 0

    @property
    def left(self) -> int:
        """Number of tokens that may still be generated."""
        return self.budget - self.spent

    def step(self, starts: Sequence[Start], most: int, keep: int = 0) -> list[Continuation | None]:
        """Return the next step of each start; None without room in the budget or the completion's length.

        Args:
            starts: Where.
            most: Tokens of a step.
            keep: Tokens of the budget that are not for steps.
        """
        return self._draw(starts, most, self.left - keep, step=True)

    def whole(self, starts: Sequence[Start]) -> list[Attempt]:
        """Complete as many starts as the budget has room for, which may cut off the last.

        They are drawn at once where the budget covers their greatest lengths, and in rounds where not.
        """
        made: list[Attempt] = []
        done = 0
        while done < len(starts) and self.left:
            count = max(1, min(len(starts) - done, self.left // self.most))
            part = starts[done : done + count]
            for start, found in zip(part, self._draw(part, self.most, self.left, step=False), strict=True):
                if found is not None:
                    made.append(attempt(start, found))
            done += count
        return made

    def scored(self, attempts: Sequence[Attempt]) -> list[Attempt]:
        """Return the attempts with their scores.

        Raises:
            ValueError: The judge gave another number of judgements, or a score outside [0, 1].
        """
        if self._judge is None or not attempts:
            return list(attempts)
        judged = list(self._judge.judge(attempts))
        for each in judged:
            if each.score is not None and not 0.0 <= each.score <= 1.0:  # also catches NaN
                raise ValueError(f"search: a score must be in [0, 1] or None, got {each.score!r}")
        return [
            dataclasses.replace(each, score=one.score, said=one.said)
            for each, one in zip(attempts, judged, strict=True)
        ]

    def result(self, attempts: Sequence[Attempt], chosen: int | None) -> Result:
        """Return the search's result with its cost."""
        return Result(tuple(attempts), chosen, self.spent, self.over)

    def _draw(
        self, starts: Sequence[Start], most: int, room: int, *, step: bool
    ) -> list[Continuation | None]:
        found: list[Continuation | None] = [None] * len(starts)
        open_ = [at for at, start in enumerate(starts) if start.tokens < self.most][: max(0, room)]
        if not open_:
            return found
        longest = max(starts[at].tokens for at in open_)
        limit = min(most, self.most - longest, room // len(open_))
        seed = hashlib.blake2b(f"{self._seed}/{self._calls}".encode(), digest_size=4).digest()
        self._calls += 1
        drawn = self._generator.extend(
            [starts[at] for at in open_],
            most=limit,
            step=step,
            seed=int.from_bytes(seed, "big") % SEEDS,
        )
        for place, each in enumerate(drawn):
            if place >= len(open_):  # more continuations than were asked for
                self.over += each.tokens
                continue
            # What counts no tokens costs one, so that a search ends whatever a server says.
            self.spent += min(max(each.tokens, 1), limit)
            if each.tokens > limit:
                self.over += each.tokens - limit
            else:
                found[open_[place]] = each
        # A continuation that did not come was asked for all the same.
        self.spent += max(0, len(open_) - len(drawn))
        return found


def attempt(start: Start, found: Continuation) -> Attempt:
    """Return a start with its continuation."""
    return Attempt(
        start.prefix + found.text,
        start.tokens + found.length,
        found.ended,
        found.thinking if not start.prefix else None,
    )
