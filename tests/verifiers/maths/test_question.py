"""What a question settles, and that nothing else does."""

from __future__ import annotations

import pytest

from tests.support import from_table, tables
from verifiers import MathEquivalence
from verifiers.maths.question import MAX_QUESTION, Question

JUDGE = MathEquivalence()
OPTIONS = "Which of these is prime? (A) 9 (B) 15 (C) 17 (D) $\\frac{1}{2}$"

ROWS = tables(__file__)["settled"]


@pytest.mark.parametrize(("question", "answer", "reference", "paid"), ROWS)
def test_a_question_settles_what_is_open(question: str, answer: str, reference: str, paid: bool) -> None:
    """Base, unit, angle, logarithm, unknown and option."""
    verdict = JUDGE.verify(rf"\boxed{{{answer}}}", reference, prompt=question)
    assert verdict.score == float(paid), verdict


@pytest.mark.parametrize(("question", "answer", "reference", "paid"), ROWS)
def test_a_completion_asks_nothing(question: str, answer: str, reference: str, paid: bool) -> None:
    """The question repeated in the completion changes no verdict."""
    alone = JUDGE.verify(rf"\boxed{{{answer}}}", reference)
    assert JUDGE.verify(f"{question}\n\\boxed{{{answer}}}", reference).score == alone.score


@from_table()
def test_what_says_two_things_says_nothing(text: str, field: str, value: object) -> None:
    """A question is not guessed at."""
    assert getattr(Question(text), field) == value


def test_an_order_that_is_not_unique_is_none() -> None:
    """And one over other names."""
    assert Question("Find $(a,b)$ or $(b,a)$.").order(["a", "b"]) is None
    assert Question("Find $(a,b,c)$.").order(["a", "b"]) is None
    assert Question("Find $a$, $b$, and $c$.").order(["c", "b", "a"]) == ("a", "b", "c")


def test_a_long_question_is_read_to_its_limit() -> None:
    """In linear time, whatever it holds."""
    question = Question("(a, " * MAX_QUESTION + "in base 7")
    assert question.base is None
    assert question.order(["a", "b"]) is None
    assert question.options == {}
