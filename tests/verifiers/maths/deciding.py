"""Reading and deciding in one call, for tests that have two texts."""

from __future__ import annotations

from verifiers.maths.decide import answer_match
from verifiers.maths.decide.policy import DEFAULT, Policy
from verifiers.maths.decide.shape_agreement import compare_shapes
from verifiers.reading.answer_readings import Reading


def match(expected: str, given: str, policy: Policy = DEFAULT) -> tuple[str, str]:
    """The reason and the sentence for two cleaned answers."""
    return answer_match.match(Reading(expected), Reading(given), policy)


def compare(expected: str, given: str, policy: Policy = DEFAULT) -> str | None:
    """The reason for the shapes of two cleaned answers; None where one has none, or another stage decides."""
    one, other = Reading(expected).shape, Reading(given).shape
    return None if one is None or other is None else compare_shapes(one, other, policy)
