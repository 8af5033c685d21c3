"""Laws of whose a number is: a hunch, a slip, a supposition and what others reckon are disowned, a story's facts are not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.timing import examples
from verifiers import MathEquivalence
from verifiers.language.sentences.words_before import disowned

DISOWNED = {
    "hunch": (
        "My gut says {}.", "By sheer intuition, it is {}.", "At first sight it is {}.", "직감으로는 {}이다.", "얼핏 보면 {}이다.", "凭直觉是{}。",
        "乍一看是{}。", "直感では{}です。", "Mi intuición dice {}.", "Mon intuition me dit {}.", "Mein Bauchgefühl sagt {}.",
        "Trực giác của tôi nói {}.",
    ),
    "slip": (
        "Forgetting the tax gives {}.", "A common mistake leads to {}.", "{} is a classic trap.",
        "If you misread the chart, you get {}.", "세금을 빼먹으면 {}이 나온다.", "{}은 흔한 함정이다.", "如果忘了税，就会得到{}。", "常见的错误会得到{}。",
        "符号を忘れると{}になります。", "Quien confunde filas y columnas obtiene {}.", "En oubliant la taxe, on trouve {}.",
        "Wer die Steuer vergisst, erhält {}.", "Nếu quên dấu trừ thì ra {}.",
    ),
    "others": (
        "{} is what a careless solver gets.", "My brother came up with {}.", "Many people blurt out {}.", "The kids shouted {}.",
        "According to the textbook it is {}.", "사람들은 흔히 {}이라고 답한다.", "친구 말로는 {}이다.", "교과서에는 {}으로 되어 있다.", "我哥哥算出来是{}。",
        "人们常说是{}。", "课本上写的是{}。", "いとこは{}だと言い張っています。", "Mi hermano obtuvo {}.", "Mon cousin soutient que c'est {}.",
        "Mein Bruder bekam {} heraus.", "Anh tôi tính ra {}.",
    ),
    "mood": (
        "Let us pretend it were {}.", "I wish it were {}.", "Perhaps in the end it is {}.", "Nobody got {}.", "아무도 {}을 얻지 못했다.",
        "어쩌면 결국 {}이다.", "我还以为是{}。", "也许最后会是{}。", "{}だったらいいのに。", "Ojalá fueran {}.", "Si seulement c'était {}.", "Schön wäre {}.",
        "Ước gì là {}.",
    ),
}  # fmt: skip
OWN = (
    "Selling all the apples yields {}.", "{} is Natalia's total.", "{} is what Natalia sold.", "I obtain {}.", "I'd say {}.",
    "I believe it is {}.", "Each child gets {}.", "The number of mistakes is {}.", "Tom forgot three books, so he has {}.",
    "Ignoring the broken ones, she has {}.", "If she sells them all, she earns {}.", "According to the problem, Tom has {}.",
    "She guessed {} times.", "The author wrote {} books.", "The reporter printed {} pages.", "{} is the total number of guesses.",
    "친구는 {}개를 가지고 있다.", "책에는 {}쪽이 남아 있다.", "제 생각에는 {}입니다.", "세금을 제외하면 {}개가 남는다.", "대부분은 빨간 공이고 그 수는 {}개이다.", "我认为是{}。",
    "书上一共有{}页。", "他算错了{}道题。", "同学们一共做了{}道题。", "Juan obtuvo {} manzanas.", "Se obtuvo {}.", "Folglich hat Hans noch {}.",
)  # fmt: skip
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
