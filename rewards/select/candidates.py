"""A completion that selection looks at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import fsum
from typing import Any

from reward_verifiers.verifiers.language.normalization import clean

TINY = 1e-9
"""By which differences of scores are too small or too large for no other reason than that they are binary."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A judged completion of a prompt.

    Args:
        completion: A string or chat messages.
        outcome: How right, or how good, the answer is; None where it could not be judged. It is the verdict
            on the answer, never a shaped sum.
        reward: What it was paid; None where it could not be.
        length: In tokens if they were counted, else in characters.
        answer: What was taken from it as the answer.
        judge: The name of the verifier that took it.
        accepted: Whether it meets whatever else is asked, such as the format.
        graded: The outcome is a grade, as a judge or a metric gives it: a higher one is better, and none is
            right. Otherwise an answer is right or it is not.
        pass_at: The least outcome that is right.
        hinted: The prompt gave the answer away (STaR). Never counts as a pass.
        row: Where it came from.
    """

    completion: Any
    outcome: float | None
    reward: float | None = None
    length: int = 0
    answer: str | None = None
    judge: str = ""
    accepted: bool = True
    graded: bool = False
    pass_at: float = 1.0
    hinted: bool = False
    row: Mapping[str, Any] = field(default_factory=dict)

    @property
    def right(self) -> bool:
        """Whether the answer is right, entirely so unless `pass_at` says less; hinted or not."""
        return self.outcome is not None and self.outcome >= self.pass_at - TINY

    @property
    def passed(self) -> bool:
        """Whether the model found the right answer by itself."""
        return self.right and not self.hinted

    @property
    def wrong(self) -> bool:
        """Whether the answer was judged, and is not right."""
        return self.outcome is not None and not self.right

    def same_text(self) -> str:
        """What two completions have in common that say the same."""
        return clean(
            self.completion if isinstance(self.completion, str) else repr(self.completion)
        ).casefold()


def pass_rate(group: list[Candidate]) -> float | None:
    """The share of judged completions that pass; of grades their mean. Hinted ones do not count.

    None if there are none.
    """
    judged = [each for each in group if each.outcome is not None and not each.hinted]
    passed = [(each.outcome or 0.0) if each.graded else float(each.passed) for each in judged]
    return fsum(passed) / len(judged) if judged else None
