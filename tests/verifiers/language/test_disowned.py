"""Laws of whose a number is: a hunch, a slip, a supposition and what others reckon are disowned, a story's facts are not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import tables
from tests.timing import examples
from verifiers import MathEquivalence
from verifiers.language.sentences.words_before import disowned

DISOWNED = dict(tables(__file__)["disowned"])
OWN = [text for [text] in tables(__file__)["own"]]
NUMBERS = st.integers(11, 998).filter(lambda number: number % 10 in (1, 3, 6, 7, 8)).map(str)
"""Numbers after which Korean writes the particles of the frames."""


@pytest.mark.parametrize("kind", DISOWNED)
@settings(deadline=None, max_examples=examples(4))
@given(number=NUMBERS)
def test_what_is_not_the_writers_own_is_not_paid(kind: str, number: str) -> None:
    """In every language, whatever the number."""
    frames = DISOWNED[kind]
    paid = [each for each in frames if MathEquivalence().verify(each.format(number), number).passed]
    assert not paid


@settings(deadline=None, max_examples=examples(4))
@given(number=NUMBERS)
def test_what_a_story_tells_is_paid(number: str) -> None:
    """Its persons have, get and write things, and its writer believes what is said."""
    refused = [each for each in OWN if not MathEquivalence().verify(each.format(number), number).passed]
    assert not refused


@settings(deadline=None, max_examples=examples(6))
@given(number=NUMBERS, more=st.integers(1, 9))
def test_a_conclusion_is_not_under_what_came_before_it(number: str, more: int) -> None:
    """A sentence that goes on with "so" or "but" says of its last number what stands behind that word."""
    other = str(int(number) + more)
    assert MathEquivalence().verify(f"My gut says {other}, but it is {number}.", number).passed
    assert MathEquivalence().verify(f"Many people forget the tax, so the total is {number}.", number).passed


@settings(deadline=None, max_examples=examples(20))
@given(st.text(max_size=80), st.text(max_size=80))
def test_whatever_stands_around_a_number_is_judged(before: str, after: str) -> None:
    """Never an error, and a span of the text."""
    text = f"{before}42{after}"
    found = disowned(text, len(before), len(before) + 2)
    assert found is None or 0 <= found[0] <= found[1] <= len(text)


@pytest.mark.parametrize("said", ["So it's {}!", "This leaves {}!", "Nina is left with {}!", "그래서 {}!"])
def test_a_mark_that_ends_a_sentence_in_words_is_a_cry(said: str) -> None:
    """Unless the text speaks of factorials."""
    for number in ("7", "42", "120"):
        assert MathEquivalence().verify(said.format(number), number).passed
        assert not MathEquivalence().verify(f"4! = 24. {said.format(number)}", number).passed


@pytest.mark.parametrize("word", ["Forse", "Talvez", "Misschien", "Kanske", "Belki", "Mungkin"])
def test_a_word_of_no_table_before_a_number_is_no_consent(word: str) -> None:
    """A title before a colon is one of any language."""
    assert not MathEquivalence().verify(f"{word} 42", "42").passed
    assert MathEquivalence().verify("Risposta: 42", "42").passed
    assert MathEquivalence().verify("Overall 42", "42").passed
