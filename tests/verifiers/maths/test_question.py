"""What a question settles, and that nothing else does."""

from __future__ import annotations

import pytest

from tests.support import from_table
from verifiers import MathEquivalence
from verifiers.maths.question import MAX_QUESTION, Question

JUDGE = MathEquivalence()
OPTIONS = "Which of these is prime? (A) 9 (B) 15 (C) 17 (D) $\\frac{1}{2}$"

ROWS = [
    # question, answer, reference, paid
    ("Write $42$ in base 8.", "52", "52_8", True),
    ("Write $42$ in base eight.", "52_{8}", "52", True),
    ("Write $101_2$ in base 10.", "5", "5_{10}", True),
    ("Write $42$ in base 8.", "52_9", "52", False),
    ("Express $255$ to base 16.", "FF_{16}", "FF", True),
    ("How many centimeters long is it?", r"1.2\text{ m}", "120", True),
    ("How many centimeters long is it?", r"120\text{ m}", "120", False),
    ("How long does it take, in hours?", r"150\text{ minutes}", "2.5", True),
    ("How long does it take, in hours?", r"2.5\text{ minutes}", "2.5", False),
    ("What is the angle in degrees?", r"\frac{\pi}{2}", "90", True),
    ("What is the angle in degrees?", r"90\text{ radians}", "90", False),
    ("What is the angle in radians?", r"90^\circ", r"\frac{\pi}{2}", True),
    ("What is the angle in radians?", r"2^\circ", "2", False),
    ("Use $\\log_{10}$ throughout.", r"\log 100", "2", True),
    ("Use the natural logarithm.", r"\log e", "1", True),
    ("Use the natural logarithm.", r"\log 10", "1", False),
    ("What is the value of $y$?", "x=3", "3", True),  # no x in the question: the letter is the writer's
    ("Given $x+y=5$, what is the value of $y$?", "x=3", "3", False),
    ("Given $x+y=5$, what is the value of $y$?", "y=3", "3", True),
    ("Given $x+y=5$, what is the value of $y$?", "x=2, y=3", "3", True),
    ("Given $x+y=5$, what is the value of $y$?", "x=3, y=2", "3", False),
    ("Given $x+y=5$, find $x$ and $y$.", "x=3, y=2", "3", False),
    (OPTIONS, "17", "C", True),
    (OPTIONS, "C", "17", True),
    (OPTIONS, "15", "C", False),
    (OPTIONS, "B", "17", False),
    (OPTIONS, "0.5", "D", True),
]


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
