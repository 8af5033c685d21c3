"""Numbers of a completion, which are looked for where they can be, and nowhere else."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from reward_verifiers.adapters.audit.row_traits import last_value, stands_in
from reward_verifiers.verifiers.language.numerals.english_numerals import SHARE_WORDS, SIZE_WORDS
from reward_verifiers.verifiers.reading.prose import numbers
from tests.timing import examples

# What numbers are made of, what they must not follow or precede, and what ends a search for them.
PIECES = st.sampled_from(
    [
        *("1", "2", "30", "3 000", "4,567", "0.5", ".5", "½", "∞", "٣", "①", "1e5", "2E3", "1.2.3", "0.1(6)"),
        *(
            " ", "\n", "-", "−", "+", "$", "%", "\\%", ".", ",", "/", "(", ")", "=", ":", "!", "?", ";", "*",
            "#",
        ),
        *(
            "x", "e", "E", "w", "A", "s", "'", '"', "[", "]", "{", "}", "\\", "\\frac{1}{2}",
            "\\frac{w = A}{2}",
        ),
        *("The answer is ", "so ", "번", "정답은 ", *SIZE_WORDS, *SHARE_WORDS),
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=16).map("".join)
VALUES = st.sampled_from(["1", "2", "30", "-1", "1/2", "½", "∞", "4567", "4,567", "0.5", "12", "3 000"])


@settings(deadline=None, max_examples=examples(400))
@given(TEXTS)
@example("½ millionAx")
@example("(w)-5")
@example("8 A")
def test_the_last_number_is_that_of_the_whole_ending(text: str) -> None:
    """A stretch that is searched alone has the numbers that it has in the text."""
    ending = text[-300:]
    letters = "".join(filter(str.isalnum, ending[-60:].casefold()))[-20:]
    found = [number.group().replace(",", "") for number in numbers(ending)]
    assert last_value(text) == (found[-1] if found else letters)


@settings(deadline=None, max_examples=examples(400))
@given(VALUES, TEXTS)
@example("30", "30A")
@example("2", "x2 = 2w")
def test_a_number_stands_in_a_text_that_has_it(value: str, text: str) -> None:
    """As one of all its numbers, however much of the text is searched for it."""
    wanted = value.replace(",", "")
    among = any(found.group().replace(",", "") == wanted for found in numbers(text))
    assert stands_in(value, text) is (among and wanted in text.replace(",", ""))
