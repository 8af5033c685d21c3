"""Verdicts of single tests, and of groups of them: public and hidden."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.verdicts import Status, Verdict
from .run_verdicts import ON_ITS_WORD

_WARN_FROM = 0.5
"""Where one answer to everything is paid more than this share, the verdict says so."""


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


def summary(
    counted: Sequence[Verdict],
    public: Sequence[Verdict],
    hidden: Sequence[Verdict],
    constant: float,
    isolation: str,
) -> str:
    """What became of the tests, for a person.

    Args:
        counted: The tests that are paid for.
        public: Those that the problem statement shows.
        hidden: The others.
        constant: What a program that always gives one answer would be paid.
        isolation: Where the program ran.
    """
    said = [f"{sum(test.passed for test in counted)} of {len(counted)} tests passed"]
    if public and hidden:
        said[0] += f" (public {share(public)}, hidden {share(hidden)})"
    failed = next((test for test in counted if not test.passed), None)
    if failed is not None:
        said.append(f"{failed.verifier}: {failed.detail or failed.reason}"[:400])
    believed = sum(test.passed and test.detail == ON_ITS_WORD for test in counted)
    if believed:
        said.append(f"{believed} of them on the program's word about its own objects")
    if constant > max(_WARN_FROM, 1.5 / len(counted)):
        said.append(f"one answer to all tests would score {constant:.2f}")
    said.append(f"isolation: {isolation}")
    if isolation == "none":
        said.append("WARNING: nothing protects this machine from the program")
    return "; ".join(said)
