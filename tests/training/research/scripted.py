"""A generator and a judge that do as they are told, without a model."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from training.research import Attempt, Continuation, Judged, Session, Start


@dataclass
class Tree:
    """Continues by a tree of steps: from each prefix, its next steps in turn; a leaf ends.

    Args:
        steps: The next steps of a prefix, of one token each.
    """

    steps: Mapping[str, Sequence[str]]
    asked: list[tuple[str, int, bool]] = field(default_factory=list)
    met: dict[str, int] = field(default_factory=dict)

    def extend(self, starts: Sequence[Start], *, most: int, step: bool, seed: int) -> list[Continuation]:
        """The next step, or the first path to a leaf."""
        self.asked += [(start.prefix, most, step) for start in starts]
        return [self._step(start) if step else self._whole(start, most) for start in starts]

    def _step(self, start: Start) -> Continuation:
        choices = self.steps[start.prefix]
        turn = self.met[start.prefix] = self.met.get(start.prefix, -1) + 1
        text = choices[turn % len(choices)]
        return Continuation(text, 1, not self.steps.get(start.prefix + text))

    def _whole(self, start: Start, most: int) -> Continuation:
        text = ""
        while (choices := self.steps.get(start.prefix + text)) and len(text) < most:
            text += choices[0]
        return Continuation(text, max(1, len(text)), not self.steps.get(start.prefix + text))


@dataclass
class Dice:
    """Writes letters at random: more, fewer or no tokens at all, as `count` says; draws by the seed alone."""

    count: Callable[[random.Random, int], int] = lambda rng, most: rng.randint(1, most)
    ends: float = 0.3
    given: int = 0

    def extend(self, starts: Sequence[Start], *, most: int, step: bool, seed: int) -> list[Continuation]:
        """Letters, by the seed."""
        rng = random.Random(seed)
        made = []
        for _ in starts:
            tokens = self.count(rng, most)
            self.given += tokens
            text = "".join(rng.choice("ab") for _ in range(min(tokens, most)))
            made.append(Continuation(text, tokens, not step or rng.random() < self.ends))
        return made


@dataclass
class Table:
    """Scores by a table or a function of the text; what is not in the table is not scored."""

    scores: Mapping[str, float | None] | Callable[[str], float | None]
    seen: list[str] = field(default_factory=list)

    def judge(self, attempts: Sequence[Attempt]) -> list[Judged]:
        """A score each."""
        self.seen += [each.text for each in attempts]
        score = self.scores if callable(self.scores) else self.scores.get
        return [Judged(score(each.text), f"{each.text}?") for each in attempts]


def session(
    generator: object, judge: object = None, budget: int = 10_000, most: int = 50, seed: int = 0
) -> Session:
    """A session of a scripted generator."""
    return Session(generator, judge, budget=budget, most=most, seed=seed)  # type: ignore[arg-type]
