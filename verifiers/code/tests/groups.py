"""Verdicts of single tests, and of groups of them: public and hidden."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.verdicts import Status, Verdict


def verdict_of_test(name: str, reason: str, detail: str) -> Verdict:
    """The verdict of one test."""
    score = 1.0 if reason == "passed" else 0.0
    return Verdict(verifier=name, status=Status.SCORED, score=score, reason=reason, detail=detail)


def share(tests: Sequence[Verdict]) -> str:
    """How many of the tests were passed."""
    return f"{sum(test.passed for test in tests)}/{len(tests)}"


def group(name: str, tests: Sequence[Verdict]) -> Verdict:
    """The verdict of a group of tests."""
    failed = next((test for test in tests if not test.passed), None)
    return Verdict(
        verifier=name,
        status=Status.SCORED,
        score=sum(test.passed for test in tests) / len(tests),
        reason="all_passed" if failed is None else failed.reason,
        detail=f"{share(tests)} passed",
        parts=tuple(tests),
    )
