"""Rollouts of a model: how solutions are continued, and what their continuations are paid."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from reward_verifiers.rewards import Reward

from ..data import Row
from ..generation import Backend, Generated, Prompt, Sampling
from ..run.accuracy_measures import judge


@dataclass
class ModelRolls:
    """Completes solutions by a backend, and judges them by a reward, which may read the reference.

    Args:
        backend: What samples.
        sampling: How: `k` completions of a beginning, which with it are at most `max_tokens` long.
        rendered: A prompt as the text after which a completion begins.
        count: Tokens of a text.
        reward: What pays.
        part: The part of it that says what is right: 1.0 is.
        spent: Tokens that were generated, by the number of the solution.
    """

    backend: Backend
    sampling: Sampling
    rendered: Callable[[Prompt], str]
    count: Callable[[str], int]
    reward: Reward
    part: str
    spent: dict[int, int] = field(default_factory=dict)

    def of(self, rows: Sequence[Row]) -> Callable[[Sequence[tuple[int, str]], int], list[list[bool | None]]]:
        """What `rollouts.labelled` asks, for solutions of these rows."""
        self.spent = {}
        return lambda starts, seed: self._rolled(rows, starts, seed)

    def outcome(self, row: Row, text: str, tokens: int, ended: bool) -> bool | None:
        """Whether a completion is right; None where that could not be judged."""
        return self._right(row, [Generated(text, tokens, ended)])[0]

    def _rolled(
        self, rows: Sequence[Row], starts: Sequence[tuple[int, str]], seed: int
    ) -> list[list[bool | None]]:
        lengths = [self.count(prefix) for _, prefix in starts]
        # What is as long as a completion may be cannot be continued: nothing is known of it.
        open_ = [place for place, length in enumerate(lengths) if length < self.sampling.max_tokens]
        found: list[list[bool | None]] = [[] for _ in starts]
        if not open_:
            return found
        room = self.sampling.max_tokens - min(lengths[place] for place in open_)
        prompts = [self.rendered(rows[starts[place][0]]["prompt"]) + starts[place][1] for place in open_]
        sampling = dataclasses.replace(self.sampling, max_tokens=room, seed=seed)
        for place, made in zip(open_, self.backend.generate(prompts, sampling), strict=True):
            number, prefix = starts[place]
            self.spent[number] = self.spent.get(number, 0) + sum(each.tokens for each in made)
            whole = [
                dataclasses.replace(each, text=prefix + each.text, tokens=lengths[place] + each.tokens)
                for each in made
            ]
            found[place] = self._right(rows[number], whole)
        return found

    def _right(self, row: Row, made: Sequence[Generated]) -> list[bool | None]:
        values = [payment.values().get(self.part) for payment in judge(row, made, self.reward)]
        return [None if value is None else value >= 1.0 for value in values]
