"""Expressions by cases are functions: what they are worth where, in whatever rows."""

from __future__ import annotations

import itertools

import pytest

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


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("|x|", cases(("x", "x>0"), ("-x", r"x\le 0")), True),
        ("|x|", cases(("x", "x>0"), ("x", r"x\le 0")), False),
        (cases(("x", r"x\ge 0"), ("-x", "x<0")), cases(("x", "x>0"), ("-x", r"x\le 0")), True),
        (cases(("x+1", r"x\ge 0"), ("-x", "x<0")), cases(("x+1", "x>0"), ("-x", r"x\le 0")), False),
        (cases(("0", "x>0"), ("1", "otherwise")), cases(("1", "x>0"), ("0", "otherwise")), False),
        (cases(("2x", "otherwise"), ("x^2", "otherwise")), cases(("x^2", "x>3"), ("2x", r"x\le 3")), False),
        (cases(("1", "x^2<4"), ("0", "otherwise")), cases(("0", r"|x|\ge 2"), ("1", "-2<x<2")), True),
        (cases(("1", "x>0"), ("0", "x<0")), cases(("1", "x>0"), ("0", "otherwise")), False),
        (cases(("1", "x>0"), ("1", r"x\le 0")), "1", True),
        (cases(("1", r"n \text{ is even}"), ("0", r"n \text{ is odd}")),
         cases(("0", r"\text{if } n \text{ odd}"), ("1", r"\text{if $n$ is even}")), True),
        (cases(("1", r"n \text{ is even}"), ("0", r"n \text{ is odd}")),
         cases(("1", r"n \text{ is odd}"), ("0", r"n \text{ is even}")), False),
        (cases(("1", r"n \text{ is even}"), ("0", "otherwise")),
         cases(("0", r"n \text{ is even}"), ("1", "otherwise")), False),
    ],
)  # fmt: skip
def test_values_are_compared_where_rows_meet(one: str, other: str, same: bool) -> None:
    """At a shared end both rows may hold it, if they are worth the same there."""
    assert paid(one, other) == same
