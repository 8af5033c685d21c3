"""What sympy decides in the worker: here in this process, so that a failure shows where it is."""

from __future__ import annotations

import pytest

from verifiers import MathEquivalence
from verifiers.maths.decide.by_sympy.symbolic import decide


@pytest.mark.parametrize(
    ("reference", "answer", "verdict"),
    [
        (r"\int_0^1 x^2 dx", r"\frac{1}{3}", "equal"),
        (r"\int_0^1 x^2 dx", "0.33", "unequal"),
        (r"\sum_{n=0}^{\infty} \frac{1}{2^n}", "2", "equal"),
        (r"\lim_{n \to \infty} (1 + \frac{1}{n})^n", "e", "equal"),
        (r"\lim_{x \to 0} \frac{\sin x}{x}", "0", "unequal"),
        (r"\int \cos x dx", r"\sin x", "equal"),
        (r"\frac{d}{dx} x^3", "3x^2", "equal"),
        ("2", r"\int_0^1 2 dx", "equal"),
        ("(1,2)", "3", "undecided"),
        ("(((", "3", "reference"),
        ("3", r"\frac{", "answer"),
        ("0.1", r"\frac{1}{10}", "equal"),
        ("x^2 + y", "y + x^2", "equal"),
        ("x", "y", "unequal"),
        (r"\begin{pmatrix} 1 & 2 \end{pmatrix}", r"\begin{pmatrix} 1 & \int_0^2 x dx \end{pmatrix}", "equal"),
        (r"\begin{pmatrix} 1 & 2 \end{pmatrix}", r"\begin{pmatrix} 1 & 3 \end{pmatrix}", "unequal"),
        (r"\begin{pmatrix} 1 & 2 \end{pmatrix}", "2", "unequal"),
    ],
)
def test_decisions(reference: str, answer: str, verdict: str) -> None:
    """Exactly, with decimals as the rationals that were written."""
    assert decide(reference, answer) == verdict


@pytest.mark.parametrize(
    ("reference", "answer", "score", "reason"),
    [
        (r"\frac{1}{3}", r"\int_0^1 x^2 dx", 1.0, "equal_numeric"),
        ("7", r"\int_0^1 x^2 dx", 0.0, "proved_unequal"),
        (r"\int_0^1 x^2 dx", r"\frac{1}{3}", 1.0, "equal_numeric"),
        (r"-\frac{1}{4}", r"\int_0^1 x\ln x dx", 1.0, "equal_symbolic"),
        (r"\frac{3}{", "5", None, "bad_reference"),
    ],
)
def test_through_the_worker(reference: str, answer: str, score: float | None, reason: str) -> None:
    """As a user meets it."""
    verdict = MathEquivalence().verify(f"\\boxed{{{answer}}}", reference)
    assert (verdict.score, verdict.reason) == (score, reason)
