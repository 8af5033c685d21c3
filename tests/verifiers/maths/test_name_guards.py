"""Names of values and unknowns: which may be one, which are two."""

from __future__ import annotations

import pytest

from verifiers import MathEquivalence
from verifiers.formulas.formula_tree import Number, Symbol
from verifiers.formulas.shapes import Named, Value
from verifiers.maths.decide.names import one_name, pairs_by_name
from verifiers.maths.decide.one_value.asked import are_told_apart
from verifiers.maths.question import Question

FIVE = Value(Number(5))


def _named(name: str, **fields: object) -> Named:
    return Named(name, FIVE, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (_named("x"), _named("x"), True),
        (_named("x"), _named("y"), False),
        (_named("f(x)"), _named("y"), True),
        (_named("y"), _named("f(x)"), True),
        (_named("f(x)"), _named("g(x)"), False),
        (_named("a_1"), _named("f(x)"), False),
        (_named("f(x)"), _named("a_1"), False),
        (_named("f(x)"), _named("f(t)"), True),
        (_named("x", sign="in"), _named("y", sign="in"), True),
        (_named("x", sign="in"), _named("y"), False),
        (_named("@element"), _named("y"), True),
        (_named("A"), _named("area", variable=False), True),
        (_named("area", variable=False), _named("A"), True),
        (_named("x"), _named("|x|", variable=False, node=Symbol("x")), False),
        (_named("|x|", variable=False, node=Symbol("x")), _named("x"), False),
        (_named("x"), _named("dx/dt", variable=False), False),
        (_named("dx/dt", variable=False), _named("x"), False),
        (_named("Ann Lee", variable=False), _named("Ann", variable=False), True),
        (_named("Ann", variable=False), _named("Anna", variable=False), False),
        (_named("height", variable=False), _named("width", variable=False), False),
        (_named("width", variable=False), FIVE, True),
        (FIVE, _named("width", variable=False), True),
    ],
)
def test_names_of_one_thing(one: Named, other: Named, same: bool) -> None:
    """A name that is missing agrees with every other."""
    assert one_name(one, other) == same


def test_values_are_paired_by_names_that_each_side_has_once() -> None:
    """Not where one stands twice, on either side, or is missing."""
    a, b, c = _named("a"), _named("b"), _named("c")
    assert pairs_by_name([a, b], [b, a]) == [(a, a), (b, b)]
    assert pairs_by_name([a, a], [a, b]) is None
    assert pairs_by_name([a, b], [a, a]) is None
    assert pairs_by_name([a, b], [a, b, c]) is None
    assert pairs_by_name([a, b, c], [a, b]) is None
    assert pairs_by_name([a, b], [a, c]) is None


def test_two_letters_that_the_question_has_are_two() -> None:
    """And one that it has is one, in either case; so is what has no name."""
    question = Question("Find $R$ if $r = 2$.")
    assert are_told_apart(_named("R"), _named("r"), question)
    assert not are_told_apart(_named("R"), _named("R"), question)
    assert not are_told_apart(_named("R"), _named("s"), question)
    assert not are_told_apart(FIVE, _named("r"), question)
    assert not are_told_apart(_named("R"), FIVE, question)


@pytest.mark.parametrize(
    ("reference", "answer", "right"),
    [
        ("x^2+C", "x^2+c", True),
        ("R^2+1", "r^2+1", False),
        ("x+X", "X+x", True),
        ("x+2X", "X+2x", False),
        ("x^2+1", "X^2+1", False),
        ("2x+y", "2X+z", False),
        ("2x+1", "2y+1", False),
        (r"\frac{\pi}{4}+n\pi", r"\frac{\pi}{4}+k\pi", True),
        ("n+1", "k+1", False),
        (r"\frac{\pi}{4}+n\pi", r"\frac{\pi}{4}+x\pi", False),
        (r"2\pi n, n \in \mathbb{Z}", r"2\pi k, k \in \mathbb{Z}", True),
        (r"2\pi n, n \in \mathbb{Z}", r"2\pi k, k \in \mathbb{N}", False),
    ],
)
def test_unknowns_under_other_names(reference: str, answer: str, right: bool) -> None:
    """They are one where any letter would do, and only there."""
    assert MathEquivalence().verify(rf"\boxed{{{answer}}}", reference).passed == right
