r"""Pairs of answers that one condition decides: each was paid or refused wrongly with it turned around."""

from __future__ import annotations

import pytest

from verifiers.maths.decide.answer_match import match
from verifiers.maths.decide.reference_classes import reference_class
from verifiers.reading.readings import Reading

EQUAL = ("equal_", "same_")


@pytest.mark.parametrize(
    ("reference", "answer", "same"),
    [
        (r"x \equiv 3 \pmod 7", r"7k+3, k \in \mathbb{Z}", True),
        (r"x \equiv 4 \pmod 7", r"7k+3, k \in \mathbb{Z}", False),
        (r"3 \pmod 7", r"7k+3, k \in \mathbb{Z}", True),
        (r"4 \pmod 7", r"7k+3, k \in \mathbb{Z}", False),
        (r"7k+3, k \in \mathbb{Z}", r"3 \pmod 7", True),
        ("a < b + b < c", "a < 2b < c", True),
        ("a < b + 2b < c", "a < 2b < c", False),
        ("5", "2x=10", False),
        ("3.5", r"3\frac12", True),
        ("1.5", r"3\frac12", False),
        ("-1", "(-1)^{10000001}", True),
        ("9", "3(6:2)", True),
        ("4", "(6:2)+1", True),
        ("x(x-1)(x-2)", r"x^{\underline{3}}", True),
        (r"x^{\underline{n}}+x^{\underline{n}}", r"2x^{\underline{n}}", True),
        (r"x^{\underline{n}}+1", r"x^{\underline{n}}", False),
        ("20", r"5^{\underline{2}}", True),
        ("r", r"\int_0^{1} rd\theta", True),
        ("1", r"\int_0^{1} rd\theta", False),
        (r"\infty", "infinite", True),
        ("infinitely many", "infinite", True),
        (r"\angle ABC", r"\angle CBA", True),
        (r"\angle ABC = 40^\circ", r"\angle CBA = 40^\circ", True),
        (r"\angle ABC = 40^\circ", r"\angle CAB = 40^\circ", False),
        ("(1,2)", r"\begin{pmatrix}x\\y\end{pmatrix} = \begin{pmatrix}1\\2\end{pmatrix}", True),
    ],
)
def test_one_condition_decides(reference: str, answer: str, same: bool) -> None:
    """Seen from both sides."""
    reason = match(Reading(reference), Reading(answer))[0]
    assert reason.startswith(EQUAL) == same, reason


@pytest.mark.parametrize("reference", [r"\$5", "see above"])
def test_what_is_no_formula_is_compared_as_text(reference: str) -> None:
    """One sign that no formula has is enough, and so is prose."""
    assert reference_class(Reading(reference)).kind == "text only"
