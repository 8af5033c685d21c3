"""The answer of a solution is what it worked out last."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from ..core.extraction import Extractor
from ..core.verdicts import Sample, TextPart, Verdict
from ..core.verifier_base import VERIFIERS, Verifier
from ..extract.maths_answers import MARKED_OR_NUMBER
from .derivations import MAX_CHARS, MAX_SHOWN, Derivation, answer_values, worked
from .steps import Steps


@VERIFIERS.register
@dataclass(frozen=True, repr=False)
class AnswerFollows(Verifier):
    """The final answer is the value of the last derivation, right or wrong; no other number replaces it.

    A derivation that starts from the answer only checks it, so the one before counts. A letter that stands
    for a text in the question counts as that text.

    Args:
        of: Text with the derivations: the ``completion``, its ``response``, or its ``thinking``.
        extract: Finds the answer.

    >>> AnswerFollows().verify("48/2 = 24, 48+24 = 72. #### 72").reason
    'follows'
    >>> AnswerFollows().verify("48/2 = 24, 48+24 = 72. #### 75").detail
    'the last derivation has 72'
    """

    reasons: ClassVar[Mapping[str, str]] = {
        "follows": "the answer is the value of the last derivation",
        "another_value": "the last derivation has another value",
        "no_steps": "nothing is derived",
        "no_answer": "no answer was found",
        "not_a_number": "the answer is no number, so it is the value of no calculation",
        "over_limit": "the completion is longer, or has more equality signs, than is looked at",
    }
    needs_reference: ClassVar[bool] = False
    depends: ClassVar[tuple[str, ...]] = ("python-flint",)

    of: TextPart = "completion"
    extract: Extractor = field(default=MARKED_OR_NUMBER)

    def fields_read(self) -> tuple[str, ...] | None:
        return ("prompt",)

    def check(self, sample: Sample) -> Verdict:
        found = worked(sample, self.of, Steps())
        if found is None:
            return self.scored(0.0, "over_limit", f"more than {MAX_CHARS:,} characters, or equality signs")
        answer, numbers = answer_values(self, self.extract, sample)
        if isinstance(answer, Verdict):
            return answer
        made = [each for each in found.derivations if each.results and each.sides and not each.taken_back]
        if not made:
            return self.scored(0.0, "no_steps", extracted=answer)
        if not numbers:
            return self.scored(0.0, "not_a_number", extracted=answer)
        last = _last(made, numbers)
        if last.results & numbers:
            return self.scored(1.0, "follows", extracted=answer)
        shown = found.seen.text[last.start : last.end].rpartition("=")[2].strip()[:MAX_SHOWN]
        return self.scored(0.0, "another_value", f"the last derivation has {shown}", extracted=answer)


def _last(made: Sequence[Derivation], numbers: Collection[Fraction]) -> Derivation:
    """The last derivation that does not start from the answer; the last of all if every one does."""
    for each in reversed(made):
        if each.results & set(numbers):
            return each
        if not any(operand.value in numbers for run in each.sides for operand in run.operands):
            return each
    return made[-1]
