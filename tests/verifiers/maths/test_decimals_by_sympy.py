"""In sympy's hands a decimal stays the rational that was written."""

from __future__ import annotations

import pytest

from verifiers.maths.decide.by_sympy.symbolic import decide


@pytest.mark.parametrize(
    ("reference", "answer", "said"),
    [
        (r"\int_0^1 0.1 dx", r"\frac{1}{10}", "equal"),
        (r"\int_0^1 x dx", "0.5", "equal"),
        (r"\int_0^1 x dx", "0.50000000000000001", "unequal"),
        (r"\int_0^1 x dx", r"\frac{1}{2}", "equal"),
    ],
)
def test_decimals_are_exact(reference: str, answer: str, said: str) -> None:
    """0.1 is 1/10, and a decimal next to 1/2 is not 1/2."""
    assert decide(reference, answer) == said
