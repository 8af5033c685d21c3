"""English numerals: what a grammar of its own spells is read back, and nothing else is a number."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifiers import MathEquivalence
from verifiers.language.numerals.english_numerals import read_words

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
SIZES = ["", "thousand", "million", "billion", "trillion"]
PARTS = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 8: "eighth", 10: "tenth", 20: "twentieth"}


def below_hundred(number: int, hyphen: str) -> str:
    if number < 20:
        return ONES[number]
    return TENS[number // 10] + (hyphen + ONES[number % 10] if number % 10 else "")


def below_thousand(number: int, hyphen: str, joined: str) -> str:
    if number < 100:
        return below_hundred(number, hyphen)
    rest = number % 100
    return f"{ONES[number // 100]} hundred" + (joined + below_hundred(rest, hyphen) if rest else "")


def spelled(number: int, hyphen: str = "-", joined: str = " and ") -> str:
    """A number as it is said, with or without hyphens and the British "and"."""
    if number == 0:
        return "zero"
    groups = []
    for size in SIZES:
        number, group = divmod(number, 1000)
        if group:
            groups.append(f"{below_thousand(group, hyphen, joined)} {size}".strip())
    return " ".join(reversed(groups))


@given(st.integers(0, 10**15 - 1), st.sampled_from("- "), st.sampled_from([" and ", " "]))
def test_what_is_spelled_is_read_back(number: int, hyphen: str, joined: str) -> None:
    """Each number, however it is joined; its negative and a half more."""
    text = spelled(number, hyphen, joined)
    assert read_words(text) == number
    assert read_words(text.upper()) == number
    assert read_words(f"minus {text}") == -number
    assert read_words(f"{text} and a half") == number + Fraction(1, 2)


@given(st.integers(0, 999), st.integers(1, 30), st.sampled_from(sorted(PARTS)))
def test_parts(whole: int, above: int, below: int) -> None:
    """Two thirds, and five and two thirds."""
    part = PARTS[below] if above == 1 else "halves" if below == 2 else PARTS[below] + "s"
    assert read_words(f"{spelled(above)} {part}") == Fraction(above, below)
    assert read_words(f"{spelled(whole)} and {spelled(above)} {part}") == whole + Fraction(above, below)


@given(
    st.lists(
        st.sampled_from([*ONES, *TENS[2:], "hundred", *SIZES[1:], "and", "a", "point", "minus"]), max_size=7
    )
)
def test_any_heap_of_words_says_one_number_or_none(words: list[str]) -> None:
    """What is read is spelled by the very same words, but for "and", articles and decimals."""
    text = " ".join(words)
    found = read_words(text)
    if found is not None and found.denominator == 1 and "point" not in words:
        said = [word for word in words if word not in ("and", "minus")]
        again = spelled(abs(int(found)), " ", " ").split()
        assert [("one" if word == "a" else word) for word in said] == again or said[1:2] == ["hundred"]


@pytest.mark.parametrize(
    "text",
    ["a", "an", "and", "hundred", "million", "half", "two and", "minus", "one two", "twenty fifteen", "two million billion",
     "five thousand hundred", "point five", "two point twelve", "nineteen eighty-four", "two hundred and six thousandths"],
)  # fmt: skip
def test_what_says_no_number(text: str) -> None:
    """A word that may be part of a number, and numbers beside one another."""
    assert read_words(text) is None


@pytest.mark.parametrize(
    ("text", "reference"),
    [("one million", "1000000"), ("a hundred", "100"), ("three and a half", "3.5"), ("negative five", "-5"),
     ("two point five", "2.5"), ("one hundred and five", "105"), ("minus one third", "-1/3"), ("half a million", "500000")],
)  # fmt: skip
def test_in_an_answer(text: str, reference: str) -> None:
    """In a box and after its phrase; and never for its neighbour."""
    judge = MathEquivalence()
    for completion in (f"\\boxed{{{text}}}", f"The answer is {text}."):
        assert judge.verify(completion, reference).passed
        assert not judge.verify(completion, reference + "1").passed


@pytest.mark.parametrize(
    ("text", "number"),
    [("There are twelve ways.", 12), ("So she has twenty-four apples left.", 24), ("The probability is two thirds.", "2/3"),
     ("It takes minus five degrees.", -5), ("one hundred and five", 105), ("Hence the total is one million.", 1_000_000)],
)  # fmt: skip
def test_a_number_in_words_closes_a_text(text: str, number: object) -> None:
    """Where no digit says another."""
    assert MathEquivalence().verify(text, str(number)).passed


@pytest.mark.parametrize(
    "text",
    ["So it is one of two things.", "There are not twelve ways.", "There are twelve or thirteen.", "Tom has twelve times as many.",
     "He has twelve more.", "There may be twelve.", "Are there twelve?", "The twelve are gone.", "There were 3 of the twelve ways."],
)  # fmt: skip
def test_what_only_looks_like_it(text: str) -> None:
    """A share, an alternative, a comparison, a denial, a question."""
    judge = MathEquivalence()
    assert not judge.verify(text, "12").passed
    assert not judge.verify(text, "1").passed
