"""What looks like the reference and says something else earns nothing."""

from __future__ import annotations

import itertools

import pytest

from verifiers import MathEquivalence
from verifiers.core.verdicts import Status

JUDGE = MathEquivalence()
LABELS = [
    ("Ann", "Bob"), ("mean", "median"), ("red", "blue"), ("AB", "BC"), (r"\angle A", r"\angle B"), ("a_1", "a_2"),
]  # fmt: skip
FORMS = ["{}={}", r"\text{{{}}} = {}", r"\text{{{}: }}{}"]


def paid(answer: str, reference: str, question: str = "") -> bool:
    """Whether the answer in a box earns 1.0."""
    verdict = JUDGE.verify(rf"\boxed{{{answer}}}", reference, prompt=question)
    assert verdict.status is Status.SCORED, verdict
    return verdict.score == 1.0


@pytest.mark.parametrize("labels", LABELS, ids=",".join)
@pytest.mark.parametrize("form", FORMS)
def test_a_reference_with_names_is_not_met_in_another_order(labels: tuple[str, str], form: str) -> None:
    """An answer may name what the reference does not; it may not leave open what the reference says."""
    reference = ", ".join(form.format(label, value) for label, value in zip(labels, "23", strict=True))
    turned = ", ".join(form.format(label, value) for label, value in zip(labels, "32", strict=True))
    assert paid("2, 3", reference)
    for wrong in ("3, 2", r"3\text{ and }2", r"\{3, 2\}", "(3, 2)", turned):
        assert not paid(wrong, reference), wrong


@pytest.mark.parametrize("labels", [("Ann", "Bob"), ("maximum", "minimum")], ids=",".join)
def test_an_answer_may_say_whose_values_they_are(labels: tuple[str, str]) -> None:
    """In whatever order; with other values it is wrong."""
    for values in itertools.permutations("23"):
        named = ", ".join(f"{label}: {value}" for label, value in zip(labels, values, strict=True))
        assert paid(named, "2, 3"), named
        assert not paid(named, "2, 4"), named


def test_names_of_several_unknowns_are_not_values_of_one() -> None:
    for reference in (r"\{2, 3\}", r"x=2 \text{ or } x=3"):
        assert not paid("m=3, b=2", reference)
        assert not paid("(m, b)=(3, 2)", reference)
    assert paid("B=(3,4), A=(1,2)", r"\{(1,2),(3,4)\}")


def test_what_is_counted_is_a_name() -> None:
    assert paid("red: 9, blue: 4", r"9\text{ red and }4\text{ blue}")
    assert not paid("red: 4, blue: 9", r"9\text{ red and }4\text{ blue}")


def test_only_roots_are_numbered_at_will() -> None:
    assert paid("3, 2", "x_1=2, x_2=3")
    assert not paid("3, 2", "a_1=2, a_2=3")


@pytest.mark.parametrize("names", [("a_1", "d"), ("d", "a_1"), ("x_1", "y"), ("x_1", "y_2")])
def test_numbers_below_some_names_alone_order_nothing(names: tuple[str, str]) -> None:
    reference = f"{names[0]}=3, {names[1]}=5"
    assert paid("(3, 5)", reference)
    assert not paid("(5, 3)", reference)


def test_letters_as_labels_keep_their_case() -> None:
    assert not paid("R=3, r=2", r"\text{R: }2, \text{r: }3")
    assert paid("r=3, R=2", r"\text{R: }2, \text{r: }3")
    question = "Two circles have radii $R$ and $r$. What is the radius of the smaller one?"
    assert not paid("R=5", "r=5", question)
    assert paid("r=5", "r=5", question)


@pytest.mark.parametrize("letter", ["(A)", r"\text{(A)}", r"\textbf{(A)}"])
@pytest.mark.parametrize(
    "behind", [" or 17", ", 17", "+1", "'", "^2", r" \text{ or } 17", " is incorrect", " is wrong"]
)
def test_a_letter_with_more_behind_it_chooses_nothing(letter: str, behind: str) -> None:
    assert not paid(letter + behind, letter)


@pytest.mark.parametrize(
    "answer", ["(A) 12", "(A) the Nile", "(A) -5", r"\text{(A)} 12", "A) No", "(A) False"]
)
def test_a_letter_with_its_text_chooses(answer: str) -> None:
    assert paid(answer, "A")


def test_the_question_says_what_stands_beside_a_letter() -> None:
    question = "How many are there? A) 10 B) 12 C) 14"
    assert paid("B) 12", "12", question)
    assert not paid("C) 12", "12", question)


@pytest.mark.parametrize("sign", [r"\mod", r"\bmod", r"\pmod"])
@pytest.mark.parametrize("relation", [r"\equiv", "="])
def test_the_modulus_counts(sign: str, relation: str) -> None:
    for modulus in (5, 6, 77):
        assert not paid(rf"x {relation} 3 {sign}{{{modulus}}}", rf"x {relation} 3 {sign}{{7}}")
    assert paid(rf"x {relation} 3 {sign}{{7}}", rf"x {relation} 3 {sign} 7")


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        (r"5 \text{ a.m.}", r"5 \text{ p.m.}"),
        (r"120\text{ m}x", r"120\text{ m}"),
        (r"24\text{ students}x", r"24\text{ students}"),
        ("320,000x", "320,000"),
        (r"1{,}450{,}000x", "1,450,000"),
    ],
)
def test_nothing_is_lost_of_an_answer(answer: str, reference: str) -> None:
    assert not paid(answer, reference)
