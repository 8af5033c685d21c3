"""A completion as steps, claims and derivations: what the verifiers of this folder have in common."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from ..core.extraction import Answer, Extractor
from ..core.verdicts import Sample, Status, TextPart, Verdict
from ..core.verifier_base import Verifier
from ..extract.answers import find_answer
from ..formulas.exact_values import TooLargeError, exact
from ..formulas.shapes import Value, bare
from ..maths.question import question
from ..maths.references import read
from ..visible.seen import Seen, see
from .calculations.claims import Claims, TooManyError, claims
from .derivations import Derivation, derivations, given
from .steps import Step, Steps

MAX_CHARS = 200_000
"""Characters of a completion that are looked at: some 50,000 tokens."""
MAX_PARTS = 1_000
"""Steps that a verdict shows."""
MAX_SHOWN = 200
"""Characters of a step that it shows."""
_HUNDRED = Fraction(100)


class Worked(NamedTuple):
    """What a completion works out.

    Args:
        seen: Its text as a reader sees it.
        steps: Its steps.
        claims: What it claims.
        derivations: How that hangs together.
        is_grounded: Whether a question says which numbers are given.
    """

    seen: Seen
    steps: Sequence[Step]
    claims: Claims
    derivations: Sequence[Derivation]
    is_grounded: bool

    def parts(self, verifier: Verifier, outcomes: Mapping[int, tuple[float, str]]) -> tuple[Verdict, ...]:
        """One verdict for each step, unscored where nothing is known of it.

        Args:
            verifier: Whose they are.
            outcomes: Score and reason by the step's place.
        """
        found = []
        for place, step in enumerate(self.steps[:MAX_PARTS]):
            score, reason = outcomes.get(place, (None, "unchecked"))
            found.append(
                Verdict(
                    verifier=type(verifier).__name__,
                    status=Status.UNSCORED if score is None else Status.SCORED,
                    score=score,
                    reason=reason,
                    extracted=self.seen.text[step.start : step.end][:MAX_SHOWN],
                    span=self.seen.span(step.start, step.end),
                )
            )
        return tuple(found)

    def shown(self, each: Derivation | None) -> dict[str, Any]:
        """Of a verdict: a derivation's text, and where it stands in the completion."""
        if each is None:
            return {}
        text = self.seen.text[each.start : each.end][:MAX_SHOWN]
        return {"extracted": text, "span": self.seen.span(each.start, each.end)}

    def step_at(self, place: int) -> int:
        """The step in which a place of the text is."""
        return max(0, bisect_right(self.steps, place, key=lambda step: step.start) - 1)


def worked(sample: Sample, of: TextPart, steps: Steps) -> Worked | None:
    """A completion taken apart; None where it is longer, or claims more, than is looked at."""
    if of == "response":
        seen = sample.seen()
    else:
        text = sample.completion if of == "completion" else sample.thinking
        seen = see(text, is_placed=of == "completion" and not sample.separate_thinking)
    if len(seen.text) > MAX_CHARS:
        return None
    known = given(sample.prompt) if sample.prompt else None
    try:
        found = claims(seen.text)
    except TooManyError:
        return None
    return Worked(seen, steps.split(seen.text), found, derivations(found, known), known is not None)


def answer_values(
    verifier: Verifier, extractor: Extractor, sample: Sample
) -> tuple[Answer | Verdict, frozenset[Fraction]]:
    """The answer of a completion, or the verdict that there is none; and what numbers it may stand for."""
    answer = find_answer(verifier, extractor, sample)
    if isinstance(answer, Verdict):
        return answer, frozenset()
    text = str(answer)
    if sample.prompt and len(text.strip(" ().")) == 1:
        text = question(sample.prompt).options.get(text.strip(" ().").upper(), text)
    return answer, _values(text)


@lru_cache(maxsize=4096)
def _values(text: str) -> frozenset[Fraction]:
    shape = read(text).shape
    shape = None if shape is None else bare(shape)
    if not isinstance(shape, Value):
        return frozenset()
    try:
        found = exact(shape.node)
    except TooLargeError:
        return frozenset()
    if found is None:
        return frozenset()
    value = Fraction(int(found.p), int(found.q))
    return frozenset({value, value * _HUNDRED} if "%" in text else {value})
