"""A solution in steps, and which of them are right: the row that all label files become."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StepLabels:
    """The steps of a solution with their labels.

    Args:
        question: As text.
        steps: In order, without the white space around them.
        labels: Whether each step is right; None where that is not known.
        soft: How right each is, in [0, 1]; None where that is not known.
        outcome: Whether the solution's answer is right; None where that is not known.
        by: What ended the steps (`verifiers.process.steps.By`); "" where nobody says.

    Raises:
        ValueError: Steps and labels differ in number, or a soft label is out of range.

    >>> StepLabels("8+7+1?", ("8+7=16.", "16+1=17."), (False, None)).first_error
    0
    """

    question: str
    steps: tuple[str, ...]
    labels: tuple[bool | None, ...]
    soft: tuple[float | None, ...] = ()
    outcome: bool | None = None
    by: str = ""

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.steps):
            raise ValueError(f"{len(self.steps)} steps have {len(self.labels)} labels")
        if self.soft and len(self.soft) != len(self.steps):
            raise ValueError(f"{len(self.steps)} steps have {len(self.soft)} soft labels")
        if not all(each is None or 0.0 <= each <= 1.0 for each in self.soft):
            raise ValueError("soft labels must be in [0, 1]")

    @property
    def first_error(self) -> int | None:
        """The number of the first wrong step, from 0; -1 if all are right, None if it is not known."""
        for place, label in enumerate(self.labels):
            if label is not True:
                return None if label is None else place
        return -1

    def targets(self, soft: bool) -> tuple[float | None, ...]:
        """What a model is to say of each step.

        Args:
            soft: How right a step is, where that is known; else 1 and 0. What has no label has no target.
        """
        hard = [None if label is None else float(label) for label in self.labels]
        if not soft or not self.soft:
            return tuple(hard)
        return tuple(
            None if label is None else label if each is None else each
            for label, each in zip(hard, self.soft, strict=True)
        )
