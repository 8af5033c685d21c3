"""What is named is compared by name; where one side has no names, the writer or the question gives the order."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import from_table
from tests.timing import examples
from verifiers import MathEquivalence
from verifiers.formulas.answer_shapes import Named, Value
from verifiers.formulas.formula_tree import Number, Symbol
from verifiers.maths.decide.names import one_name, pairs_by_name
from verifiers.maths.decide.question_form import differ_by_question
from verifiers.maths.question import Question
from verifiers.reading.value_names import name_of

JUDGE = MathEquivalence()
NAMES = [
    ("m", "b"), ("b", "m"), ("x", "y"), ("a", "b", "c"), ("r", r"\theta"), (r"\rho", r"\theta", r"\phi"), ("n", "m"),
    ("h", "k"), ("p", "q"), ("u", "v", "w"), ("x_1", "x_2"), ("a_1", "a_2", "a_3"), ("s", "t"), ("A", "B"),
    ("R", "r"), ("z", "w"),
]  # fmt: skip
VALUES = ["2", "-5", r"\frac{1}{2}", r"\sqrt{3}", "7"]


def paid(answer: str, reference: str, question: str = "") -> bool:
    """Whether the answer in a box earns 1.0."""
    verdict = JUDGE.verify(rf"\boxed{{{answer}}}", reference, prompt=question)
    assert verdict.score in (0.0, 1.0), verdict
    return verdict.score == 1.0


def listed(names: tuple[str, ...], values: tuple[str, ...]) -> str:
    """``m=2, b=3``."""
    return ", ".join(f"{name}={value}" for name, value in zip(names, values, strict=True))


def as_tuple(parts: tuple[str, ...]) -> str:
    """``(2, 3)``."""
    return f"({', '.join(parts)})"


def writings(names: tuple[str, ...], values: tuple[str, ...]) -> list[str]:
    """Ways to name values in the order of the names."""
    joined = listed(names, values)
    rows = r" \\ ".join(f"{name} &= {value}" for name, value in zip(names, values, strict=True))
    return [
        f"{as_tuple(names)}={as_tuple(values)}",
        joined,
        joined.replace(", ", r" \text{ and } "),
        rf"\begin{{cases}} {rows.replace('&', '')} \end{{cases}}",
    ]


@pytest.mark.parametrize("names", NAMES, ids=",".join)
def test_named_values_are_compared_by_name(names: tuple[str, ...]) -> None:
    """In whatever order either side has them, and only if every value is its name's."""
    values = tuple(VALUES[: len(names)])
    for order in itertools.permutations(range(len(names))):
        turned = tuple(names[place] for place in order), tuple(values[place] for place in order)
        for answer in writings(*turned):
            assert paid(answer, listed(names, values)), answer
            assert paid(answer, f"{as_tuple(names)} = {as_tuple(values)}"), answer
        if list(order) != sorted(order):
            for answer in writings(names, turned[1]):
                assert not paid(answer, listed(names, values)), answer
                assert not paid(answer, f"{as_tuple(names)} = {as_tuple(values)}"), answer


@pytest.mark.parametrize("names", NAMES, ids=",".join)
def test_the_writer_gives_the_order_where_one_side_has_no_names(names: tuple[str, ...]) -> None:
    """Never the alphabet; only axes and numbers below a letter have an order of their own."""
    values = tuple(VALUES[: len(names)])
    for answer in writings(names, values):
        assert paid(answer, as_tuple(values)), answer
        assert paid(as_tuple(values), answer), answer
    for order in itertools.permutations(values):
        if order != values:
            for answer in writings(names, order):
                assert not paid(answer, as_tuple(values)), answer
                assert not paid(as_tuple(values), answer), answer


@pytest.mark.parametrize("names", NAMES, ids=",".join)
def test_the_question_gives_the_order(names: tuple[str, ...]) -> None:
    """Whichever order the answer is written in."""
    values = tuple(VALUES[: len(names)])
    question = f"Find the values that satisfy both equations. Give your answer as ${as_tuple(names)}$."
    for order in itertools.permutations(range(len(names))):
        turned = tuple(names[place] for place in order), tuple(values[place] for place in order)
        for answer in writings(*turned):
            assert paid(answer, as_tuple(values), question), answer
        if list(order) != sorted(order):
            for answer in writings(names, turned[1]):
                assert not paid(answer, as_tuple(values), question), answer


PEOPLE = [
    ("Ann", "Anna"),
    ("Alice", "Bob"),
    ("Lisa", "Tom", "Tomas"),
    ("length", "width"),
    ("center", "radius"),
]


@pytest.mark.parametrize("labels", PEOPLE, ids=",".join)
@pytest.mark.parametrize("form", [r"{}: {}", r"\text{{{}}} = {}", r"\text{{{}: }}{}", r"\text{{{} is }}{}"])
def test_labels_keep_their_values(labels: tuple[str, ...], form: str) -> None:
    """Persons and measures, in any order; a label that begins another is not it."""
    values = tuple(VALUES[: len(labels)])
    reference = ", ".join(f"{label}: {value}" for label, value in zip(labels, values, strict=True))
    for order in itertools.permutations(range(len(labels))):
        right = ", ".join(form.format(labels[place], values[place]) for place in order)
        assert paid(right, reference), right
        if list(order) != sorted(order):
            pairs = zip(labels, (values[place] for place in order), strict=True)
            wrong = ", ".join(form.format(label, value) for label, value in pairs)
            assert not paid(wrong, reference), wrong


@from_table()
def test_functions_points_and_lengths_are_names(right: str, wrong: str, reference: str) -> None:
    """One thing has one name however it is set, and two things have two."""
    assert paid(right, reference)
    assert not paid(wrong, reference)


@given(st.permutations(range(4)), st.lists(st.integers(-9, 9), min_size=4, max_size=4, unique=True))
@settings(max_examples=examples(60), deadline=None)
def test_no_permutation_of_unequal_values_is_paid(order: list[int], numbers: list[int]) -> None:
    """Of names that one side alone has, or both."""
    names, values = ("q", "d", "c", "a"), tuple(map(str, numbers))
    turned = tuple(values[place] for place in order)
    same = turned == values
    assert paid(listed(names, turned), listed(names, values)) == same
    assert paid(listed(names, turned), as_tuple(values)) == same
    assert paid(as_tuple(turned), listed(names, values)) == same


def test_letters_keep_their_case() -> None:
    """A question that has only one of them shows that the other is meant."""
    assert not paid("2R", "2r")
    assert paid("2R", "2r", "A circle has radius $r$. What is its diameter?")
    assert not paid(
        "2R", "2r", "Two circles have radii $R$ and $r$. What is the diameter of the smaller one?"
    )


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ([r"\alpha"], (r"\alpha", Symbol("alpha"), True)),
        (["x"], ("x", Symbol("x"), True)),
        (["x", "_", "1"], ("x_1", Symbol("x_1"), True)),
        (["f", "(", "x", ")"], ("f(x)", Symbol("f(x)"), True)),
        (["f", "(", "x", ")", "y"], None),
        (["f", "(", "x"], None),
        (["f", "x", ")"], None),
        (["f", "(", "x", "+", "1", ")"], None),
        (["f", "(", "x", "-", "1", ")"], None),
        (["e"], None),
        (["i"], None),
        (["2", "x"], None),
        ([], None),
    ],
)
def test_a_name_is_one_unknown_or_one_function(words: list[str], name: Any) -> None:
    """With brackets that open and close around a plain argument."""
    assert name_of(words) == name


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
    assert differ_by_question(_named("R"), _named("r"), question)
    assert not differ_by_question(_named("R"), _named("R"), question)
    assert not differ_by_question(_named("R"), _named("s"), question)
    assert not differ_by_question(FIVE, _named("r"), question)
    assert not differ_by_question(_named("R"), FIVE, question)


@from_table()
def test_unknowns_under_other_names(reference: str, answer: str, right: bool) -> None:
    """They are one where any letter would do, and only there."""
    assert MathEquivalence().verify(rf"\boxed{{{answer}}}", reference).passed == right
