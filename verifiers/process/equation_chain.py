"""The calculations of a solution hold, and lead to its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ..core.extraction import Extractor
from ..core.verdicts import Sample, TextPart, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..extract.maths_answers import MARKED_OR_NUMBER
from ..runtime.forks import cached_property
from .derivations import MAX_CHARS, Derivation, Worked, answer_values, supporting, worked
from .steps import By, Steps


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class EquationChain(Verifier):
    r"""The calculations in a completion are right, and the answer rests on them.

    It finds each calculation and chain of equalities in the text (``48/2 = 24``, ``x = 3+4 = 7``,
    ``<<48/2=24>>``, TeX, percent, money, units, Korean prose) and computes it exactly, or asks the engine of
    `MathEquivalence` if it has more than numbers. Each step is right, proven false, or unknown. Unknown steps
    are left out: unknowns, given values, roundings to whole numbers, steps that the text denies, supposes or
    corrects. A verdict's parts are the steps (`Steps`), with their places: 1.0, 0.0, or unscored if unknown.
    Only proven errors count as wrong. With a question, so does a calculation with numbers that neither the
    question nor a right step has.

    Reward comes from a right derivation of the answer: from numbers of the question (without a question, from
    any numbers) through results to the answer. Steps that the answer does not rest on, repetitions and finer
    steps add nothing.

    Args:
        pays: ``steps``: a solution earns by its steps; without any it scores 0.0. ``no_errors``: 1.0 unless a
            step is proven false, for gates and penalties.
        score: Cost of wrong steps. ``minimum``: everything. ``share``: with n wrong steps beside the
            derivation, 1/(1+n) remains. ``first_error``: half, if the answer was derived before the first
            one.
        of: Judged text: the ``completion``, its ``response``, or its ``thinking``.
        by: End of a step; see `Steps`.
        extract: Finds the answer.

    >>> EquationChain().verify("48/2 = 24, so 48 + 24 = 72. #### 72").reason
    'derived'
    >>> verdict = EquationChain().verify("8+7=16, 40+20=59, 59+16=75. #### 75")
    >>> verdict.score, verdict.reason, verdict.extracted
    (0.0, 'false_step', '8+7=16')
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "derived": "right calculations lead to the answer, and none is wrong",
        "no_false_step": "no calculation is proven false",
        "false_step": "a calculation is proven false",
        "from_nowhere": "a calculation has numbers that neither the question nor a right calculation has",
        "not_derived": "no right calculation that rests on given numbers leads to the answer",
        "no_steps": "no calculation is shown that can be checked",
        "no_answer": "no answer was found, so nothing leads to it",
        "over_limit": "the completion is longer, or has more equality signs, than is looked at",
        "right_step": "of a step: its calculation is right",
        "unchecked": "of a step: nothing in it can be checked, or its basis is unknown",
    }
    needs_reference: ClassVar[bool] = False
    depends: ClassVar[tuple[str, ...]] = ("python-flint",)

    pays: Literal["steps", "no_errors"] = "steps"
    score: Literal["minimum", "share", "first_error"] = "minimum"
    of: TextPart = "completion"
    by: By = "marks"
    extract: Extractor = field(default=MARKED_OR_NUMBER)

    @cached_property
    def _steps(self) -> Steps:
        return Steps(self.by)

    def fields_read(self) -> tuple[str, ...] | None:
        return ("prompt",)

    def check(self, sample: Sample) -> Verdict:
        found = worked(sample, self.of, self._steps)
        if found is None:
            return self.scored(
                0.0, "over_limit", f"more than {MAX_CHARS:,} characters, or too many equality signs"
            )
        wrong = [each for each in found.derivations if self._is_wrong(found, each)]
        first = wrong[0] if wrong else None
        if self.pays == "no_errors":
            false = [each for each in wrong if each.outcome == "false"]
            first = false[0] if false else None
            score, reason, used = float(not false), "false_step" if false else "no_false_step", None
        else:
            score, reason, used = self._earned(sample, found, wrong)
        outcomes = {
            found.step_at(each.start): (1.0, "right_step") for each in found.derivations if each.earns
        }
        outcomes |= {found.step_at(each.start): (0.0, self._reason(each)) for each in reversed(wrong)}
        parts = found.parts(self, outcomes)
        return self.scored(score, reason, _counted(found, wrong, used), parts=parts, **found.shown(first))

    def _is_wrong(self, found: Worked, each: Derivation) -> bool:
        if each.outcome == "false":
            return not each.taken_back
        return found.is_grounded and each.outcome == "right" and each.ground == "nowhere"

    def _earned(
        self, sample: Sample, found: Worked, wrong: Sequence[Derivation]
    ) -> tuple[float, str, Sequence[Derivation]]:
        """The score of a solution that earns by its steps, the reason, and what the answer rests on."""
        if not any(each.outcome in ("right", "false") for each in found.derivations):
            return 0.0, "no_steps", ()
        answer, numbers = answer_values(self, self.extract, sample)
        if isinstance(answer, Verdict):
            return 0.0, self._reason(wrong[0]) if wrong else "no_answer", ()
        used = supporting(found.derivations, numbers, found.is_grounded)
        if not wrong:
            return (1.0, "derived", used) if used else (0.0, "not_derived", ())
        reason = self._reason(wrong[0])
        if not used or self.score == "minimum":
            return 0.0, reason, used
        if self.score == "share":
            return 1 / (1 + len(wrong)), reason, used
        return 0.5 if used[-1].end <= wrong[0].start else 0.0, reason, used

    def _reason(self, each: Derivation) -> str:
        return "false_step" if each.outcome == "false" else "from_nowhere"


def _counted(found: Worked, wrong: Sequence[Derivation], used: Sequence[Derivation] | None) -> str:
    right = sum(each.outcome == "right" for each in found.derivations)
    unknown = sum(each.outcome == "unknown" for each in found.derivations)
    taken = sum(each.taken_back for each in found.derivations)
    words = [f"{right} right" + ("" if used is None else f" ({len(used)} of them lead to the answer)")]
    words.append(f"{len(wrong)} wrong")
    words += [f"{unknown} not known"] if unknown else []
    words += [f"{taken} taken back"] if taken else []
    return ", ".join(words)
