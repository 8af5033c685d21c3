"""Notations with two readings: what is paid is equal under each that the pair and the question leave open."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import examples
from verifiers import MathEquivalence
from verifiers.reading.spelling.cleaning import clean
from verifiers.reading.spelling.tokens import tokens
from verifiers.reading.spelling.wording import as_selections

JUDGE = MathEquivalence()
CALLED = st.sampled_from(["I", "V", "P", "J_0", "\\Phi", "x", "y", "v"])
NUMERALS = st.sampled_from(["0", "1", "2", "-1", "0.5", "\\frac{1}{2}", "10"])


def _score(answer: str, reference: str, prompt: str | None = None) -> float | None:
    return JUDGE.verify(rf"\boxed{{{answer}}}", reference, prompt=prompt).score


@settings(max_examples=examples(60), deadline=None)
@given(letter=CALLED, one=NUMERALS, other=NUMERALS)
def test_a_letter_before_a_numeral_is_no_factor(letter: str, one: str, other: str) -> None:
    """What a function is of one number says nothing of what it is of another, nor of the letter alone."""
    called = f"{letter}({one})"
    assert _score(called, called) == 1.0
    assert _score(f"2+{called}", f"{called}+2") == 1.0
    assert _score(f"{one}{letter}" if one[0] != "-" else f"{one}\\cdot {letter}", called) == 0.0
    if one != other and {one, other} != {"0.5", "\\frac{1}{2}"}:
        assert _score(f"{letter}({other})", called) == 0.0


@settings(max_examples=examples(60), deadline=None)
@given(of=st.integers(1, 12), chosen=st.integers(0, 12), letter=st.sampled_from("CAP"), braced=st.booleans())
def test_cleaning_keeps_an_indexed_symbol_and_its_braces(
    of: int, chosen: int, letter: str, braced: bool
) -> None:
    """No text is rewritten before the grammar: braces stay balanced, and an index stays an index."""
    symbol = f"{letter}_{{{of}}}^{{{chosen}}}" if braced else f"{letter}_{of % 10}^{chosen % 10}"
    for text in (symbol, rf"\sqrt{{{symbol}}}", rf"\frac{{{symbol}}}{{2}}", f"{{{symbol}+x}}"):
        cleaned = clean(text)
        assert cleaned.count("{") == cleaned.count("}")
        assert f"{letter}_" in cleaned
        assert JUDGE.judge_reference(text).kind == "readable"
    found = as_selections(tokens(clean(symbol)))
    counts = (chosen <= of) if braced else (chosen % 10 <= of % 10)
    assert (found is not None) is counts


@pytest.mark.parametrize(
    ("answer", "prompt", "score"),
    [
        ("2:30", None, 0.0),
        ("2:30", "Find the ratio of length to width.", 1.0),
        ("2:30", "At what time?", 0.0),
    ],
)
def test_the_question_says_whether_a_colon_makes_a_time(
    answer: str, prompt: str | None, score: float
) -> None:
    """1:15 and 2:30 are one ratio and two times."""
    assert _score(answer, "1:15", prompt) == score


@settings(max_examples=examples(40), deadline=None)
@given(one=st.integers(2, 999), other=st.integers(2, 999), sign=st.sampled_from(["+", "-", r"\times "]))
def test_arithmetic_of_the_question_is_no_answer(one: int, other: int, sign: str) -> None:
    """The calculation is paid where it is done, and without a question as before."""
    value = {"+": one + other, "-": one - other}.get(sign, one * other)
    prompt = f"What is ${one} {sign} {other}$?"
    left = f"{one}{sign}{other}"
    assert JUDGE.verify(rf"\boxed{{{left}}}", str(value), prompt=prompt).reason == "restates_question"
    assert _score(str(value), str(value), prompt) == 1.0
    assert _score(f"{left} = {value}", str(value), prompt) == 1.0
    assert _score(left, str(value)) == 1.0
    assert MathEquivalence(restated="paid").verify(rf"\boxed{{{left}}}", str(value), prompt=prompt).passed


def test_an_expression_with_its_value_states_it() -> None:
    """An equation in several unknowns is a value beside a number, unless the question gives it."""
    assert _score("m+n=293", "293") == 1.0
    assert _score("m+n=292", "293") == 0.0
    assert _score("x+2=7", "7") == 0.0
    assert _score("x+2=7", "5") == 0.0
    assert _score("m+n=293", "293", "Let $m+n=293$. How large can $mn$ be?") == 0.0


SMALL = st.integers(1, 9)


@settings(max_examples=examples(30), deadline=None)
@given(first=st.tuples(SMALL, SMALL), second=st.tuples(SMALL, SMALL), factors=st.tuples(SMALL, SMALL))
def test_constants_are_one_in_all_parts(
    first: tuple[int, int], second: tuple[int, int], factors: tuple[int, int]
) -> None:
    """A multiple of a whole vector is the same solution; a changed entry of it is another."""

    def solution(one: tuple[int, ...], other: tuple[int, ...]) -> str:
        rows = [
            rf"c_1\begin{{pmatrix}}{one[0]}\\{one[1]}\end{{pmatrix}}e^{{2t}}",
            rf"c_2\begin{{pmatrix}}{other[0]}\\{other[1]}\end{{pmatrix}}e^{{-t}}",
        ]
        return "+".join(rows)

    reference = solution(first, second)
    same = solution(tuple(factors[0] * each for each in first), tuple(factors[1] * each for each in second))
    assert _score(same, reference) == 1.0
    assert _score(solution((first[0], first[1] + 1), second), reference) == 0.0
