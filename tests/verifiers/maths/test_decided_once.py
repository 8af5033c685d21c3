"""What a group's completions ask again is decided once, and decides the same."""

from __future__ import annotations

import pytest

from tests.support import FIXTURES, rows
from verifiers import MathEquivalence
from verifiers.maths import equivalence

ANSWERS = (r"\frac{3\sqrt{2}}{2}", r"\frac{3}{\sqrt{2}}", "3x+2", "2.12")


def test_a_group_decides_each_answer_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    match = equivalence.match

    def counted(*said: object) -> tuple[str, str]:
        asked.append(str(said[1]))
        return match(*said)  # type: ignore[arg-type]

    equivalence._decided.cache_clear()
    monkeypatch.setattr(equivalence, "match", counted)
    completions = [f"We try {place}.\n\n\\boxed{{{ANSWERS[place % 4]}}}" for place in range(64)]
    verdicts = MathEquivalence().verify_batch(completions, [r"\sqrt{4.5}"] * 64)
    assert [verdict.passed for verdict in verdicts] == [True, True, False, False] * 16
    assert len(asked) <= 2 * len(ANSWERS), "a sentence around an answer is decided, too"


def test_what_is_remembered_depends_on_policy_and_question() -> None:
    for _ in range(2):
        assert MathEquivalence().verify(r"\boxed{1/3}", "0.33").score == 0.0
        assert MathEquivalence(decimals="rounded").verify(r"\boxed{1/3}", "0.33").passed
        assert MathEquivalence().verify(r"\boxed{x^2<4}", "(-2, 2)").passed
        asked = "Solve x^2<4."
        assert (
            MathEquivalence().verify(r"\boxed{x^2<4}", "(-2, 2)", prompt=asked).reason == "restates_question"
        )


def test_remembered_verdicts_are_those_of_a_fresh_look() -> None:
    cases = [
        row
        for row in rows(FIXTURES / "cases" / "math_equivalence.jsonl")
        if isinstance(row["completion"], str)
    ]
    judge = MathEquivalence()
    first = [judge.verify(row["completion"], row["reference"]) for row in cases[::9]]
    again = [judge.verify(row["completion"], row["reference"]) for row in cases[::9]]
    assert first == again
