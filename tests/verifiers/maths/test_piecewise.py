"""Expressions by cases are functions: what they are worth where, in whatever rows."""

from __future__ import annotations

import itertools

from tests.support import from_table
from verifiers import MathEquivalence

JUDGE = MathEquivalence()


def cases(*rows: tuple[str, str]) -> str:
    """An environment of rows."""
    written = r" \\ ".join(f"{value} & {condition}" for value, condition in rows)
    return rf"\begin{{cases}} {written} \end{{cases}}"


def paid(answer: str, reference: str) -> bool:
    """Whether the answer in a box earns 1.0, either way round."""
    verdicts = [
        JUDGE.verify(rf"\boxed{{{one}}}", other) for one, other in ((answer, reference), (reference, answer))
    ]
    assert {verdict.score for verdict in verdicts} <= {0.0, 1.0}, verdicts
    assert verdicts[0].score == verdicts[1].score, verdicts
    return verdicts[0].score == 1.0


ROWS = [("x^2", "x < -1"), ("2x", r"-1 \le x < 3"), ("5", r"x \ge 3")]


def test_rows_have_no_order_and_one_may_be_the_rest() -> None:
    """Whichever row is written as "otherwise"."""
    reference = cases(*ROWS)
    for order in itertools.permutations(ROWS):
        assert paid(cases(*order), reference)
        for word in ("otherwise", "else", r"\text{otherwise}"):
            rest = [*order[:-1], (order[-1][0], word)]
            assert paid(cases(*rest), reference), rest


def test_no_other_assignment_of_values_is_paid() -> None:
    """Nor one in which "otherwise" stands for another row."""
    reference = cases(*ROWS)
    values, conditions = [value for value, _ in ROWS], [condition for _, condition in ROWS]
    for turned in itertools.permutations(values):
        if list(turned) == values:
            continue
        assert not paid(cases(*zip(turned, conditions, strict=True)), reference)
        assert not paid(cases(*zip(turned, [*conditions[:-1], "otherwise"], strict=True)), reference)


@from_table()
def test_values_are_compared_where_rows_meet(one: str, other: str, same: bool) -> None:
    """At a shared end both rows may hold it, if they are worth the same there."""
    assert paid(one, other) == same
