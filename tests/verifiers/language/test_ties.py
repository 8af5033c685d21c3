"""A bare number without any mark counts where the words that tie it to its sentence are understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers import MathEquivalence
from verifiers.language.answers.leads import is_tied

PREDICATES = (
    "the answer",
    "the total",
    "the number of chairs in the hall",
    "our final result",
    "the value we need",
)
DESCRIPTIONS = (
    "a lucky number",
    "what a hasty clerk writes",
    "my first thought",
    "easy to remember",
    "how the old book has it",
)
OPENINGS = ("In total", "So", "Therefore", "By symmetry", "Adding both numbers", "Here")
SOURCES = ("By instinct", "Off the top of my head", "To a layman", "Misreading the key", "In my uncle's view")
CLAUSES = ("it is {}", "we get {}", "it was {}")
WRITERS = (
    "A hasty clerk writes {}",
    "Some students get {}",
    "Someone in a hurry puts {}",
    "Many people answer {}",
)
NUMBERS = st.integers(2, 999).map(str)


@given(NUMBERS, st.sampled_from(PREDICATES), st.sampled_from(DESCRIPTIONS))
def test_what_is_said_of_a_number_is_its_role_or_a_description(
    number: str, role: str, description: str
) -> None:
    """A description says what the number is like, and not that it answers."""
    assert MathEquivalence().verify(f"{number} is {role}.", number).passed
    assert not MathEquivalence().verify(f"{number} is {description}.", number).passed


@given(NUMBERS, st.sampled_from(OPENINGS), st.sampled_from(SOURCES), st.sampled_from(CLAUSES))
def test_a_clause_without_a_subject_has_the_words_before_it(
    number: str, opening: str, source: str, clause: str
) -> None:
    """They are of means that lead to a number, or say where it comes from."""
    said = clause.format(number)
    assert MathEquivalence().verify(f"{opening}, {said}.", number).passed
    assert not MathEquivalence().verify(f"{source}, {said}.", number).passed


@given(NUMBERS, st.sampled_from(WRITERS))
def test_what_somebody_writes_is_not_the_answer(number: str, frame: str) -> None:
    """But what somebody gets of a thing that is counted is."""
    assert not MathEquivalence().verify(f"{frame.format(number)}.", number).passed
    assert MathEquivalence().verify(f"Each child gets {number}.", number).passed


@pytest.mark.parametrize("word", ["Forse", "Talvez", "Misschien", "Kanske", "Belki", "Mungkin"])
def test_a_word_of_no_table_before_a_number_is_no_consent(word: str) -> None:
    """A title before a colon is one of any language."""
    assert not MathEquivalence().verify(f"{word} 42.", "42").passed
    assert MathEquivalence().verify("Risposta: 42", "42").passed


@given(st.text(max_size=80), st.text(max_size=80))
def test_whatever_stands_around_a_number_is_judged(before: str, after: str) -> None:
    """Never an error."""
    text = f"{before}42{after}"
    assert is_tied(text, len(before), len(before) + 2) in (True, False)
