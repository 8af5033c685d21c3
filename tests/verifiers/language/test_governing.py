"""Laws of what governs a value: doubt before a phrase, two values of one thing, names, ratios, nouns, restatements."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import from_table
from tests.timing import examples
from verifiers import MathEquivalence, MultipleChoice, Verifier

JUDGE: Verifier = MathEquivalence()
CHOICE: Verifier = MultipleChoice()
NUMBERS = st.integers(2, 9_999)
OPPOSING = (
    "I doubt", "It is wrong to say", "Nobody believes", "I do not think", "It would be a mistake to conclude",
)  # fmt: skip
EVEN = (
    "There is no doubt", "It is not wrong to say", "It is not hard to see", "Nobody denies", "I cannot deny",
)  # fmt: skip
AFFIRMING = ("It follows", "We conclude", "I am sure", "Everybody agrees", "This means")
CHINESE = {
    "很难说": 1,
    "我不认为": 1,
    "没有人认为": 1,
    "不难看出": 0,
    "没有人怀疑": 0,
    "可以得出": 0,
    "不得不承认": 0,
}


def paid(completion: str, reference: str, judge: Verifier = JUDGE) -> bool:
    """Whether a completion earns all of it."""
    return judge.verify(completion, reference).score == 1.0


@settings(deadline=None, max_examples=examples(40))
@given(NUMBERS, st.sampled_from([*OPPOSING, *EVEN, *AFFIRMING]), st.booleans())
def test_words_that_deny_a_clause_turn_it_round(number: int, clause: str, that: bool) -> None:
    """Once: the phrase is refused. Twice, or never: it holds."""
    said = f"{clause} {'that ' if that else ''}the answer is {number}."
    assert paid(said, str(number)) == (clause not in OPPOSING)
    assert paid(f"{said} The answer is {number + 1}.", str(number + 1))
    assert not paid(f"The answer is {number}. {said}", str(number)) or clause not in OPPOSING


@pytest.mark.parametrize(("clause", "turns"), CHINESE.items())
def test_the_same_in_chinese(clause: str, turns: int) -> None:
    """By the parity of what denies."""
    assert paid(f"{clause}答案是36。", "36") == (turns == 0)


@from_table()
def test_the_same_in_korean(said: str, holds: bool) -> None:
    """What denies stands after the value there."""
    for number in ("42", "9"):
        assert paid(f"정답은 {said.format(number)}.", number) == holds


@settings(deadline=None, max_examples=examples(30))
@given(NUMBERS, NUMBERS, st.sampled_from(["이면서 ", "이면서 동시에 ", "이고 또한 "]))
def test_two_values_of_one_thing_are_no_answer(one: int, other: int, between: str) -> None:
    """Unless they are one."""
    for reference in {one, other}:
        assert paid(f"답은 {one}{between}{other}이다.", str(reference)) == (one == other)


@settings(deadline=None, max_examples=examples(30))
@given(NUMBERS, st.sampled_from(["x", "y", "k"]), st.sampled_from(["x", "y", "k"]))
def test_a_number_keeps_its_name(number: int, mine: str, theirs: str) -> None:
    """Also where the last number of a sentence is all there is."""
    said = f"So after some more work we are left with {mine} = {number}."
    assert paid(said, f"{theirs} = {number}") == (mine == theirs)
    assert paid(said, str(number))


@settings(deadline=None, max_examples=examples(30))
@given(NUMBERS, NUMBERS)
def test_of_a_ratio_or_range_no_number_is_the_answer(one: int, other: int) -> None:
    """In words or with a sign."""
    for said in (f"The cats outnumber the dogs {one} to {other}.", f"학생은 대략 {one}~{other}명입니다."):
        assert not any(paid(said, str(each)) for each in (one, other))
    assert paid(f"The ratio is {one} to {other}.", f"{one}:{other}")


@from_table()
def test_what_says_it_again_or_measures_it_is_read(said: str, reference: str) -> None:
    """The last form counts, and a unit belongs to its number."""
    assert paid(said, reference)


@from_table()
def test_what_contradicts_the_number_is_not_paid(said: str, reference: str) -> None:
    """Beside it, before it, or in its unit."""
    assert not paid(said, reference)


@from_table()
def test_a_label_beside_another_or_denied_is_no_choice(said: str) -> None:
    """Whichever is asked for."""
    assert not any(paid(said, each, CHOICE) for each in ("A", "B", "C", "1", "2", "3"))
