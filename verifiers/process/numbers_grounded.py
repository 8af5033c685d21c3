"""The numbers that a solution works with come from the question, or from its own right steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ..core.verdicts import Sample, TextPart, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..runtime.forks import cached_property
from .derivations import MAX_CHARS, worked
from .steps import By, Steps


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class NumbersGrounded(Verifier):
    """Every number in a calculation is given in the question or is the result of a right calculation.

    Digits and number words of the question count, shares in all their forms (20%, 0.2, 0.8, 1.2), its numbers
    taken apart by digits, and ratios of units as factors (60, 12, 100). A value from an equation that is not
    understood has an unknown origin and is no mistake. Wrong calculations are the business of
    `EquationChain`.

    Args:
        of: Judged text: the ``completion``, its ``response``, or its ``thinking``.
        by: End of a step; see `Steps`.

    >>> question = "What is 48 + 27?"
    >>> NumbersGrounded().verify("40+20 = 60, 8+7 = 15, 60+15 = 75", prompt=question).reason
    'grounded'
    >>> verdict = NumbersGrounded().verify("60+15 = 75", prompt=question)
    >>> verdict.score, verdict.reason, verdict.extracted
    (0.0, 'from_nowhere', '60+15 = 75')
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "grounded": "every number is in the question or worked out before, or its origin is not known",
        "from_nowhere": "a calculation has numbers that neither the question nor a right calculation has",
        "no_steps": "no calculation is shown that can be checked",
        "no_question": "the row has no question to take numbers from",
        "over_limit": "the completion is longer, or has more equality signs, than is looked at",
        "unchecked": "of a step: nothing in it can be checked",
    }
    needs_reference: ClassVar[bool] = False
    depends: ClassVar[tuple[str, ...]] = ("python-flint",)

    of: TextPart = "completion"
    by: By = "marks"

    @cached_property
    def _steps(self) -> Steps:
        return Steps(self.by)

    def fields_read(self) -> tuple[str, ...] | None:
        return ("prompt",)

    def columns_needed(self) -> tuple[str, ...]:
        return ("prompt",)

    def check(self, sample: Sample) -> Verdict:
        if not sample.prompt.strip():
            return self.unscored("no_question", "numbers are looked for in the row's prompt")
        found = worked(sample, self.of, self._steps)
        if found is None:
            return self.scored(0.0, "over_limit", f"more than {MAX_CHARS:,} characters, or equality signs")
        checked = [each for each in found.derivations if each.outcome != "unknown" and not each.taken_back]
        strange = [each for each in checked if each.ground == "nowhere"]
        outcomes = {found.step_at(each.start): (1.0, "grounded") for each in checked}
        outcomes |= {found.step_at(each.start): (0.0, "from_nowhere") for each in strange}
        parts = found.parts(self, outcomes)
        if not checked:
            return self.scored(0.0, "no_steps", parts=parts)
        detail = f"{len(strange)} of {len(checked)} calculations"
        if not strange:
            return self.scored(1.0, "grounded", detail, parts=parts)
        return self.scored(0.0, "from_nowhere", detail, parts=parts, **found.shown(strange[0]))
